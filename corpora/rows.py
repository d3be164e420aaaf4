"""Lines of a file of text: packed or not, UTF-8 or UTF-16, whole or torn."""

import codecs
from collections.abc import Iterator
from pathlib import Path

from corpora.errors import CorpusError
from corpora.reading import Reading, Skipped
from corpora.unpacked import BROKEN, Unpacked, unpacked

LONGEST = 64 * 2**20
"""Bytes of a line; a longer one is passed over, so that memory stays bounded."""

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks; UTF-32 begins like UTF-16, so it is looked for before."""


def encoding(start: bytes) -> tuple[str, int]:
    r"""The encoding that the first bytes tell, and the length of their mark.

    >>> encoding("\ufeffa".encode("utf-16-le")), encoding(b"{}")
    (('utf-16-le', 2), ('utf-8', 0))
    """
    if start.startswith(b"<\0?\0") or start.startswith(b"<\0m\0"):
        return "utf-16-le", 0
    if start.startswith(b"\0<\0?") or start.startswith(b"\0<\0m"):
        return "utf-16-be", 0
    return next(((name, len(mark)) for mark, name in MARKS if start.startswith(mark)), ("utf-8", 0))


def decoded(start: bytes) -> str:
    r"""Text of the first bytes of a file, as well as can be.

    >>> decoded(b"\xff\xfea\0b")
    'a'
    """
    name, mark = encoding(start)
    return codecs.getincrementaldecoder(name)("replace").decode(start[mark:])


def rows(path: Path, reading: Reading) -> Iterator[tuple[int, str]]:
    """Number, counted from 1, and text of each line that is not blank.

    Lines that are no text in the encoding of the file, and the place where a torn or damaged
    file breaks off, are told to `reading.skip`.

    Raises:
        CorpusError: there is nothing to read before the file breaks off.
    """
    with unpacked(path) as opened:
        number = 0
        try:
            for number, line in _lines(opened, path, reading):
                if line.strip():
                    yield number, line
                if number % 1000 == 0:
                    reading.progress(opened.raw.tell(), opened.size)
        except BROKEN as error:
            if not number:
                raise CorpusError(
                    f"{path} cannot be read: {error}. It is damaged; get it again."
                ) from error
            place = f"{path.name}, behind line {number}, byte {opened.raw.tell():,} of the file"
            reading.skip(Skipped(place, f"it breaks off ({error})"))
        reading.progress(opened.size, opened.size)


def _lines(opened: Unpacked, path: Path, reading: Reading) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(_cut(utf8(opened.chunks())), start=1):
        if len(raw) > LONGEST:
            problem = f"more than {LONGEST:,} bytes in one line"
            reading.skip(Skipped(f"{path.name}, line {number}", problem))
            continue
        try:
            yield number, raw.decode()
        except UnicodeDecodeError as error:
            place = f"{path.name}, line {number}, byte {error.start + 1} of it"
            reading.skip(Skipped(place, f"not UTF-8: {error.reason}"))


def utf8(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same text in UTF-8, without a byte-order mark."""
    first = next(chunks, b"")
    name, mark = encoding(first)
    if name == "utf-8":
        yield first[mark:]
        yield from chunks
        return
    decoder = codecs.getincrementaldecoder(name)("replace")
    yield decoder.decode(first[mark:]).encode()
    for chunk in chunks:
        yield decoder.decode(chunk).encode()


def _cut(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Lines; of one that is too long, its beginning, which is too long still."""
    kept = bytearray()
    for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            yield bytes(kept) + line if kept else line
            kept.clear()
        if len(kept) <= LONGEST:
            kept += rest
    if kept:
        yield bytes(kept)
