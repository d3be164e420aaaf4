"""What was fetched: `lock.json` in a model's folder, with every file's SHA-256.

The registry says what a model should be; the lock says what is here.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.errors import ModelError, ModelMissing
from models.progress import Progress, silent
from models.registry import Quantize, Row

LOCK = "lock.json"


@dataclass(frozen=True, slots=True)
class File:
    """One file of a fetched model."""

    path: str
    """Relative to the model's folder, with forward slashes."""
    sha256: str
    size: int
    """In bytes."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Where a fetched model came from and what it consists of."""

    name: str
    source: Mapping[str, Any]
    """`{"wheels": ["w1==1.0", ...], "sha256": ...}` or `{"hub": id, "revision": commit}`."""
    files: tuple[File, ...]
    converter: str
    """What turned the source into these files, e.g. `transformers 5.19.0`; empty if nothing."""
    date: str
    """ISO date and time, UTC."""
    quantize: Quantize = ""
    """What the source's weights became."""


def folder(name: str, home: Path) -> Path:
    """Where the model called `name` lives once it is fetched."""
    return home / "models" / name


def read(row: Row, home: Path) -> Lock:
    """The lock of a fetched model.

    Raises:
        ModelMissing: The model is not fetched.
        ModelError: Its lock cannot be read.
    """
    path = folder(row.name, home) / LOCK
    try:
        raw = json.loads(path.read_text("utf-8"))
        files = tuple(File(**entry) for entry in raw.pop("files"))
        return Lock(files=files, **raw)
    except FileNotFoundError:
        raise ModelMissing(
            f"Model {row.name!r} is not in {path.parent.parent}. "
            f"Run `verifier models fetch {row.name}`."
        ) from None
    except (json.JSONDecodeError, TypeError, KeyError) as error:
        raise ModelError(
            f"{path} is damaged ({error}). Run `verifier models fetch --again {row.name}`."
        ) from error


def write(lock: Lock, into: Path) -> None:
    """Writes `lock` to `into`, last of all the files of a model."""
    raw = {
        "name": lock.name,
        "source": dict(lock.source),
        "converter": lock.converter,
        "date": lock.date,
        "quantize": lock.quantize,
        "files": [{"path": f.path, "sha256": f.sha256, "size": f.size} for f in lock.files],
    }
    (into / LOCK).write_text(json.dumps(raw, indent=1) + "\n", "utf-8")


def scan(root: Path, progress: Progress = silent) -> tuple[File, ...]:
    """Hashes every file under `root` but the lock itself."""
    paths = sorted(p for p in root.rglob("*") if p.is_file() and p != root / LOCK)
    total, done, found = sum(p.stat().st_size for p in paths), 0, []
    for path in paths:
        progress("hashing", done, total)
        size = path.stat().st_size
        found.append(File(path.relative_to(root).as_posix(), sha256(path), size))
        done += size
    progress("hashing", total, total)
    return tuple(found)


def sha256(path: Path) -> str:
    """The file's SHA-256 in hex, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def installed(row: Row, home: Path) -> bool:
    """Whether the model is here, going by its lock and the sizes of its files. Cheap."""
    try:
        lock = read(row, home)
        root = folder(row.name, home)
        whole = all((root / file.path).stat().st_size == file.size for file in lock.files)
        return whole and lock.quantize == row.quantize
    except (ModelError, OSError):
        return False


def verify(row: Row, home: Path, *, progress: Progress = silent) -> list[str]:
    """Hashes a fetched model again and says what differs from its lock.

    Returns:
        One sentence a problem; empty if all is well.

    Raises:
        ModelMissing: The model is not fetched.
    """
    expected = {file.path: file for file in read(row, home).files}
    actual = {file.path: file for file in scan(folder(row.name, home), progress)}
    problems = [f"{path} is missing" for path in sorted(expected.keys() - actual.keys())]
    problems += [
        f"{path} was not there when it was fetched"
        for path in sorted(actual.keys() - expected.keys())
    ]
    problems += [
        f"{path} has SHA-256 {actual[path].sha256}, expected {expected[path].sha256}"
        for path in sorted(expected.keys() & actual.keys())
        if actual[path] != expected[path]
    ]
    return problems


def revision(row: Row, home: Path) -> str:
    """What identifies the fetched weights: 12 digits of a hub commit or of a SHA-256.

    Quantized ones are others: `cc324af070c2-int8`.

    Raises:
        ModelMissing: The model is not fetched.
    """
    found = read(row, home)
    digits = str(found.source.get("revision") or found.source["sha256"])[:12]
    return f"{digits}-{found.quantize}" if found.quantize else digits
