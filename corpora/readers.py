"""The table of readers: how a file becomes passages. A new one is one file and one line here."""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from corpora import tables, vital
from corpora.errors import CorpusError, CorpusMissing
from corpora.passage import Passage

Read = Callable[[Path], Iterator[Passage]]

READERS: Mapping[str, Read] = {
    "jsonl": tables.read,
    "vital": vital.read,
}

SNIFFED_BYTES = 65_536


def sniff(path: Path) -> str:
    """Tell which reader a file is for, from its first bytes.

    Returns:
        A key of `READERS`.

    Raises:
        CorpusMissing: There is no such file.
        CorpusError: The file is for none of the readers.
    """
    if not path.is_file():
        raise CorpusMissing(f"There is no file {path}. Give the path of a .jsonl file.")
    head = _head(path)
    first = next((line for line in head.splitlines() if line.strip()), "")
    if _is_row(first) or (".jsonl" in path.suffixes and first.lstrip().startswith("{")):
        return "jsonl"
    if head.lstrip().startswith("{") and '"extract"' in head:
        return "vital"
    raise CorpusError(
        f"{path} is for none of the readers ({', '.join(READERS)}). Write one JSON object a line "
        'with "id", "title" and "text", and name the file .jsonl.'
    )


def _head(path: Path) -> str:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            return file.read(SNIFFED_BYTES).decode("utf-8-sig", "replace")
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path} cannot be read: {error}.") from error


def _is_row(line: str) -> bool:
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        return False
    return isinstance(row, dict) and "text" in row
