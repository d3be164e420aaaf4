"""MediaWiki XML dumps as a stream of pages, of any export version and packing.

The stream is cut at `<page>` and `</page>`, which cannot stand inside a page's text since `<` is
written `&lt;` there, and each piece is parsed on its own: a broken page costs that page, pieces can
be parsed in other processes, and no piece can declare entities, which only a file's head may do.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from corpora.dump_page import BadPage, Page, Raw, Site, parse, place, site
from corpora.errors import CorpusError
from corpora.reading import Reading, Skipped
from corpora.rows import utf8
from corpora.unpacked import BROKEN, Unpacked, unpacked

__all__ = ["BadPage", "Page", "Raw", "Site", "parse", "place", "raw_pages"]

LONGEST = 64 * 2**20
"""Bytes of a page, all its revisions together, from which on it is skipped."""

OPEN, CLOSE = b"<page>", b"</page>"

MARKS = re.compile(rb"</?page>|<!--|<!\[CDATA\[")

SHUT = {b"<!--": b"-->", b"<![CDATA[": b"]]>"}
"""Ends of what may hold marks that are none. MediaWiki writes neither; others may."""

KEEP = 16
"""So many last bytes may be the beginning of a mark, or of the end of the dump."""


def raw_pages(path: Path, reading: Reading) -> Iterator[Site | Raw]:
    """The site first, then each page as it stands.

    Args:
        path: The dump.
        reading: Told of what has no end or no page in it, and of the progress.

    Raises:
        CorpusError: It is no dump, nothing of it can be read, or it declares a document type.
    """
    with unpacked(path, reading.workers) as opened:
        stream = _Pages(path, opened, reading)
        yield stream.site()
        yield from stream.pages()


class _Pages:
    """A position in an unpacked dump."""

    def __init__(self, path: Path, opened: Unpacked, reading: Reading) -> None:
        self._path = path
        self._opened = opened
        self._reading = reading
        self._chunks = utf8(opened.chunks())
        self._buffer = b""
        self._at = 0
        """How far the buffer is read. It is cut seldom, since that copies the rest."""
        self._offset = 0
        """Of the buffer's first byte."""
        self._ended = False
        self._broken = ""
        self._unshut: set[bytes] = set()
        """Ends that the buffer does not have behind a beginning."""

    def site(self) -> Site:
        """The head, up to the first page."""
        mark = self._mark(0)
        head = self._buffer[: mark.start() if mark else 2**20].decode("utf-8", "replace")
        if not re.search(r"<(?:\w+:)?mediawiki[\s>]", head):
            why = self._broken or f"it begins with {head[:60]!r}"
            raise CorpusError(
                f"{self._path} is no MediaWiki dump that can be read: {why}. Give a file of "
                "`<mediawiki>` XML, plain or packed with bz2, gz, xz or 7z."
            )
        if "<!DOCTYPE" in head:
            raise CorpusError(
                f"{self._path} declares a document type, which is not read and which no dump of "
                "MediaWiki has. Get the dump from the wiki itself."
            )
        return site(head)

    def pages(self) -> Iterator[Raw]:
        """Each page; one without an end is told, and reading goes on at the next."""
        found = torn = False
        while self._to_page():
            found = True
            mark = self._mark(self._at + len(OPEN))
            if mark and mark[0] == CLOSE and mark.end() - self._at <= LONGEST:
                yield Raw(self._offset + self._at, self._buffer[self._at : mark.end()])
                self._move(mark.end())
            elif mark and mark[0] == OPEN:
                self._skip("it has no end")
                self._move(mark.start())
            else:
                torn = not mark and self._ended
                self._skip(self._why() if torn else f"it has more than {LONGEST:,} bytes")
                behind = mark.end() if mark else len(self._buffer) - KEEP
                self._move(max(self._at + len(OPEN), behind))
        if not torn and (self._broken or b"mediawiki>" not in self._buffer[self._at :]):
            self._reading.skip(Skipped(self._path.name, self._why()))
        if not found:
            self._reading.skip(Skipped(self._path.name, "it holds no page"))
        self._reading.progress(self._opened.size, self._opened.size)

    def _to_page(self) -> bool:
        """Go to the next page; False if there is none."""
        while True:
            mark = self._mark(self._at)
            if mark and mark[0] == OPEN:
                self._move(mark.start())
                return True
            if mark:
                self._move(mark.end())
            elif self._ended:
                return False
            else:
                self._move(max(self._at, len(self._buffer) - KEEP))

    def _mark(self, at: int) -> re.Match[bytes] | None:
        """Where a page begins or ends next; None if not before the end of the file, or too far."""
        while True:
            found = MARKS.search(self._buffer, at)
            if found is None:
                at = max(at, len(self._buffer) - KEEP)
                if not self._more():
                    return None
            elif shut := SHUT.get(found[0]):
                at = self._behind(shut, found.end())
            else:
                return found

    def _behind(self, shut: bytes, start: int) -> int:
        """Behind the next `shut`; where there is none, nothing is hidden and this is damage."""
        at = start
        while shut not in self._unshut:
            if (end := self._buffer.find(shut, at)) >= 0:
                return end + len(shut)
            at = max(start, len(self._buffer) - KEEP)
            if not self._more():
                self._unshut.add(shut)
        return start

    def _move(self, at: int) -> None:
        self._at = at
        if 2 * at >= len(self._buffer):
            self._buffer = self._buffer[at:]
            self._offset += at
            self._at = 0

    def _more(self) -> bool:
        """Read as much again as is not done with, so that a long page is copied seldom."""
        wanted = max(1, len(self._buffer) - self._at)
        if self._ended or wanted > LONGEST:
            return False
        parts = [self._buffer]
        while wanted > 0 and not self._ended:
            try:
                parts.append(next(self._chunks))
                wanted -= len(parts[-1])
            except StopIteration:
                self._ended = True
            except BROKEN as error:
                self._ended, self._broken = True, str(error)
        grown = len(parts) > 1
        self._buffer = b"".join(parts)
        self._unshut.clear()
        self._reading.progress(self._opened.raw.tell(), self._opened.size)
        return grown

    def _why(self) -> str:
        """What is wrong with the end of the file."""
        end = f"byte {self._offset + len(self._buffer):,}"
        if self._broken:
            return f"the rest, from {end} on, is torn off or damaged ({self._broken})"
        return f"the file ends at {end} without </mediawiki>; pages may be missing"

    def _skip(self, problem: str) -> None:
        raw = Raw(self._offset + self._at, self._buffer[self._at : self._at + 2000])
        self._reading.skip(Skipped(place(raw, self._path), problem))
