"""Reads the files of an index, each into a part of its own, which is read once even if killed.

A part holds a file's passages (`store`), its aliases and what was skipped. It gets its name, which
holds the fingerprint of the file and how it was read, when it is whole.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

from corpora.passage import Passage
from corpora.readers import READERS
from corpora.reading import Reading, Skipped
from index_builder import aliases, store
from index_builder.errors import BadIndex
from index_builder.manifest import Skips, SourceFile, SourceInfo

EDGE = 1 << 20
"""Bytes looked at at both ends of a file to tell whether it changed."""

NOT_STATED = "not stated"
NOTE = "part.json"

Progress = Callable[[str, int, int], None]
"""Gets the stage, what is done and the total (0 while unknown)."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to read, and what is known about it."""

    path: Path
    reader: str
    """Key of `corpora.readers.READERS`."""
    name: str = ""
    """What it is called in the index; that of the file if empty."""
    licence: str = NOT_STATED
    snapshot_date: str = ""
    """ISO date that its text is no newer than; that of its newest passage if empty."""


@dataclass(frozen=True, slots=True)
class Files:
    """Files to read one after the other, and how."""

    files: tuple[File, ...]
    reading: Reading = field(default_factory=Reading)
    """How; whom to tell is set by who builds."""
    languages: tuple[str, ...] = ("en",)
    """Of text that does not say its own."""

    def source(self) -> SourceInfo:
        """What is said about them all; dates are found out when they are read."""
        return SourceInfo(
            name=", ".join(dict.fromkeys(one.name or one.path.name for one in self.files)),
            licence="; ".join(dict.fromkeys(one.licence for one in self.files)),
            languages=self.languages,
            files=tuple(map(self.described, self.files)),
        )

    def described(self, file: File) -> SourceFile:
        """A file as it is now."""
        pieces = _pieces(file.path)
        seen = hashlib.sha256()
        for piece in pieces:
            found = piece.stat()
            seen.update(f"{piece.name} {found.st_size} {found.st_mtime_ns}".encode())
            with piece.open("rb") as opened:
                seen.update(opened.read(EDGE))
                opened.seek(max(0, found.st_size - EDGE))
                seen.update(opened.read(EDGE))
        how = [file.reader, self.reading.words, self.reading.language, version("offline-verifier")]
        seen.update(json.dumps([*how, file.snapshot_date, file.licence]).encode())
        size = sum(piece.stat().st_size for piece in pieces)
        return SourceFile(file.path.name, size, file.reader, seen.hexdigest()[:16])


@dataclass(frozen=True, slots=True)
class Part:
    """Passages and aliases on disk that an index is made of."""

    folder: Path
    key: str
    """Equal keys mean equal contents."""
    snapshot_date: str
    skips: Skips
    written: store.Written | None = None
    """None for an index that is added to."""

    @property
    def aliases(self) -> Path:
        """Its file of aliases."""
        return self.folder / aliases.FILE


def parts(
    text: Files | Iterable[Passage], source: SourceInfo, folder: Path, progress: Progress
) -> list[Part]:
    """Read what was not read before.

    Args:
        text: Files, or passages that are read once.
        source: As of `Files.source`.
        folder: Where the parts go; others that lie there are removed.
        progress: Told of bytes of all files.
    """
    folder.mkdir(exist_ok=True)
    if not isinstance(text, Files):
        shutil.rmtree(folder)
        folder.mkdir()
        return [_read(lambda _: iter(text), folder / "0", Reading(), source.snapshot_date)]
    places = [folder / f"{n}-{one.fingerprint}" for n, one in enumerate(source.files)]
    for other in folder.iterdir():
        if other not in places:
            shutil.rmtree(other)
    total, done, made = sum(one.bytes for one in source.files), 0, []
    for file, place, about in zip(text.files, places, source.files, strict=True):
        told = _Bytes(progress, done, about.bytes, total)
        if not place.is_dir():
            told(0, 0)
            how = Reading(
                text.reading.words, text.reading.workers, text.reading.language, progress=told
            )
            try:
                _read(_reader(file), place, how, file.snapshot_date)
            except BadIndex as error:
                raise BadIndex(f"{file.path}: {error}") from error
        done += about.bytes
        told(1, 1)
        made.append(_load(place))
    return made


def combined(parts: Sequence[Part]) -> Skips:
    """What was skipped in all parts."""
    examples = [one for part in parts for one in part.skips.examples]
    return Skips(sum(part.skips.count for part in parts), tuple(examples[: Skips.KEPT]))


def latest(dates: Iterable[str]) -> str:
    """The latest of some dates; unknown, which is empty, if one of them is.

    >>> latest(["2024-05-01", "2023-01-01"]), latest(["2024-05-01", ""])
    ('2024-05-01', '')
    """
    known = list(dates)
    return max(known, default="") if all(known) else ""


def _reader(file: File) -> Callable[[Reading], Iterator[Passage]]:
    return lambda reading: READERS[file.reader](file.path, reading)


def _read(
    read: Callable[[Reading], Iterator[Passage]], place: Path, how: Reading, date: str
) -> Part:
    """Read a file into the part `place`."""
    work = place.with_name("reading")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    skips, spill = _Skips(), aliases.Spill(work / aliases.FILE)
    reading = Reading(how.words, how.workers, how.language, skips, spill.add, how.progress)
    try:
        written = store.write(read(reading), work)
    finally:
        spill.close()
    note = {
        "written": asdict(written),
        "snapshot_date": date or written.newest,
        "skips": asdict(Skips(skips.count, tuple(skips.first))),
    }
    (work / NOTE).write_text(json.dumps(note), "utf-8")
    work.rename(place)
    return _load(place)


def _load(place: Path) -> Part:
    note = json.loads((place / NOTE).read_text("utf-8"))
    examples = tuple(Skipped(**one) for one in note["skips"]["examples"])
    skips = Skips(note["skips"]["count"], examples)
    written = store.Written(**note["written"])
    return Part(place, written.hash, note["snapshot_date"], skips, written)


class _Skips:
    """Counts what was skipped and keeps the first."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[Skipped] = []

    def __call__(self, what: Skipped) -> None:
        self.count += 1
        if self.count <= Skips.KEPT:
            self.first.append(what)


@dataclass(slots=True)
class _Bytes:
    """Turns the progress of one file into that of all files."""

    progress: Progress
    before: int
    size: int
    total: int

    def __call__(self, done: int, total: int) -> None:
        """Take a share; a reader may count otherwise than in the bytes of the file."""
        here = self.size * min(done, total) // total if total else 0
        self.progress("reading", self.before + here, self.total)


def _pieces(path: Path) -> list[Path]:
    """The file, and what follows it where it is the first part of a split ZIM file."""
    if path.suffix == ".zimaa":
        return sorted(path.parent.glob(f"{path.stem}.zim??"))
    return [path]
