"""Opens a file by what it holds: plain, gzip, bzip2, xz or 7z, told by the first bytes."""

import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from corpora.bzip import Bzip
from corpora.errors import CorpusError, CorpusMissing
from corpora.sevenzip import SevenZip

BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What packed bytes raise that are torn off or damaged."""

CHUNK = 262_144


class Bytes(Protocol):
    """The one thing that is asked of an open file."""

    def read1(self, size: int, /) -> bytes:
        """Bytes that are there; what came before a break is handed out before it is raised."""


def _lzma(raw: IO[bytes], *_: object) -> Bytes:
    return lzma.LZMAFile(raw)


Open = Callable[[IO[bytes], Path, int], Bytes]

PACKED: tuple[tuple[bytes, Open], ...] = (
    (b"\x1f\x8b", lambda raw, _, __: gzip.GzipFile(fileobj=raw)),
    (b"BZh", Bzip),
    (b"\xfd7zXZ\0", _lzma),
    (b"\x5d\0\0", _lzma),
    (b"7z\xbc\xaf\x27\x1c", lambda _, path, __: SevenZip(path)),
)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """An open file."""

    file: Bytes
    raw: IO[bytes]
    """The packed file; its `tell` is the progress."""
    size: int
    """Bytes of the packed file."""

    def chunks(self) -> Iterator[bytes]:
        """All that is in it, piece by piece.

        Raises:
            OSError, EOFError, zlib.error, lzma.LZMAError: the rest is torn off or damaged.
        """
        while chunk := self.file.read1(CHUNK):
            yield chunk


@contextmanager
def unpacked(path: Path, workers: int = 1) -> Iterator[Unpacked]:
    """Open a file for reading.

    Args:
        path: the file.
        workers: threads to unpack with, where the format allows.

    Raises:
        CorpusMissing: there is no such file.
        CorpusError: it cannot be opened.
    """
    if not path.is_file():
        raise CorpusMissing(f"There is no file {path}. Give the path of a file of text.")
    try:
        raw = path.open("rb")
    except OSError as error:
        raise CorpusError(f"{path} cannot be opened: {error.strerror}. Mend that.") from error
    with raw:
        magic = raw.peek(6)[:6]
        opener = next((one for start, one in PACKED if magic.startswith(start)), None)
        file = opener(raw, path, workers) if opener else raw
        try:
            yield Unpacked(file, raw, path.stat().st_size)
        finally:
            if isinstance(file, SevenZip):
                file.close()


def head(path: Path, size: int = 65_536) -> bytes:
    """The first bytes of a file, unpacked; as many as there are before a break.

    Raises:
        CorpusError: it cannot be read at all.
    """
    found = bytearray()
    with unpacked(path) as opened:
        try:
            for chunk in opened.chunks():
                found += chunk
                if len(found) >= size:
                    break
        except BROKEN as error:
            if not found:
                raise CorpusError(
                    f"{path} cannot be read: {error}. It is damaged; get it again."
                ) from error
    return bytes(found[:size])
