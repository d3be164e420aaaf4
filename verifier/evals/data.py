"""Rows of a labelled set: JSON Lines, gzip if the name ends in .gz, and the half they belong to."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from verifier.errors import InputError

Split = Literal["dev", "test", "all"]


def rows(folder: Path, *names: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where a row stands and the row, of the first file of these names that is there.

    Args:
        folder: the data folder, or the file itself.
        names: file names without an ending.

    Raises:
        InputError: there is no such file, or a line is no JSON object; says which.
    """
    path = _path(folder, names)
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8")
        ) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    where = f"{path}: line {number}"
                    yield where, _row(line, where)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def half(name: str) -> Literal["dev", "test"]:
    """The half that a row belongs to, by a hash of its id: dev to look at, test to report.

    >>> half("factool-math-010")
    'dev'
    """
    even = int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0
    return "dev" if even else "test"


def field(row: dict[str, Any], name: str, where: str) -> Any:  # noqa: ANN401 - JSON
    """A value of a row.

    Raises:
        InputError: it is not there.
    """
    if name not in row:
        raise InputError(f"{where}: there is no {name!r} in it")
    return row[name]


def _path(folder: Path, names: tuple[str, ...]) -> Path:
    if folder.is_file():
        return folder
    tried = [folder / f"{name}{ending}" for name in names for ending in (".jsonl.gz", ".jsonl")]
    for path in tried:
        if path.is_file():
            return path
    wanted = " or ".join(one.name for one in tried)
    raise InputError(f"there is no {wanted} in {folder}; --data names the folder that holds it")


def _row(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: not JSON: {error.msg}") from error
    if not isinstance(row, dict):
        raise InputError(f"{where}: a JSON {type(row).__name__}, not an object")
    return row
