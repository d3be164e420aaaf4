"""MediaWiki XML dumps as a stream of pages, of any export version and packing.

The stream is cut at `<page>` and `</page>`, which cannot stand inside a page's text since `<` is
written `&lt;` there, and each piece is parsed on its own: a broken page costs that page, pieces can
be parsed in other processes, and no piece can declare entities, which only a file's head may do.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring

from corpora.errors import CorpusError
from corpora.reading import Reading, Skipped
from corpora.rows import utf8
from corpora.unpacked import BROKEN, Unpacked, unpacked

LONGEST = 64 * 2**20
"""Bytes of a page, all its revisions together, from which on it is skipped."""

HEAD = 2**20
"""In so many bytes the first page must begin."""

OPEN, CLOSE = b"<page>", b"</page>"


@dataclass(frozen=True, slots=True)
class Site:
    """What the head of a dump says of its wiki."""

    language: str = ""
    """ISO 639-1 code, or the wiki's own where there is none."""
    name: str = ""
    """Of its database, e.g. `enwiki`; empty in older dumps."""
    base: str = ""
    """Address of an article without its title."""
    namespaces: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raw:
    """A page as it stands in the dump."""

    offset: int
    """Byte of the unpacked stream where it begins."""
    data: bytes
    repeated: bool = False
    """Whether another page of the dump has its number."""


@dataclass(frozen=True, slots=True)
class Page:
    """The newest revision of a page."""

    id: str
    title: str
    namespace: int
    redirect: str
    """Title that it leads to; empty if it is no redirect."""
    revision: str
    date: str
    """ISO date (YYYY-MM-DD)."""
    model: str
    """`wikitext`, or what else its text is."""
    text: str


class BadPage(ValueError):  # noqa: N818 - what the page is
    """A page cannot be read; says why."""


def raw_pages(path: Path, reading: Reading) -> Iterator[Site | Raw]:
    """The site first, then each page as it stands.

    Args:
        path: The dump.
        reading: Told of pages without an end, and of the progress.

    Raises:
        CorpusError: It is no dump, or nothing of it can be read.
    """
    with unpacked(path, reading.workers) as opened:
        stream = _Pages(path, opened, reading)
        yield stream.site()
        yield from stream.pages()


def parse(raw: Raw, site: Site) -> Page:
    """Read a page.

    Raises:
        BadPage: It is not well-formed, or has no title, number or revision.
    """
    try:
        page = fromstring(raw.data)  # noqa: S314 - a piece without a head declares no entities
    except ParseError as error:
        raise BadPage(f"not well-formed XML ({error})") from error
    title, key = page.findtext("title", "").strip(), page.findtext("id", "").strip()
    revision = max(page.iterfind("revision"), key=_age, default=None)
    if not title or not key or revision is None:
        raise BadPage("it has no title, no number or no revision")
    text = _text(revision)
    return Page(
        id=key,
        title=title,
        namespace=_namespace(page, title, site),
        redirect=_redirect(page, text),
        revision=revision.findtext("id", "").strip(),
        date=revision.findtext("timestamp", "").strip()[:10],
        model=revision.findtext("model", "wikitext").strip(),
        text=text,
    )


def place(raw: Raw, path: Path) -> str:
    """How a page is named to the user: file, title and byte.

    >>> place(Raw(7, b"<page><title>A &amp; B</title>"), Path("w.xml"))
    "w.xml, page 'A & B', byte 7"
    """
    found = re.search(rb"<title>(.{0,300}?)</title>", raw.data[:2000], re.DOTALL)
    title = found[1].decode("utf-8", "replace").replace("&amp;", "&") if found else "?"
    return f"{path.name}, page {title!r}, byte {raw.offset:,}"


class _Pages:
    """A position in an unpacked dump."""

    def __init__(self, path: Path, opened: Unpacked, reading: Reading) -> None:
        self._path = path
        self._opened = opened
        self._reading = reading
        self._chunks = utf8(opened.chunks())
        self._buffer = b""
        self._offset = 0
        """Of the buffer's first byte."""
        self._broken = ""

    def site(self) -> Site:
        """The head, up to the first page."""
        while OPEN not in self._buffer and len(self._buffer) < HEAD and self._more():
            pass
        head = self._buffer.partition(OPEN)[0].decode("utf-8", "replace")
        if not re.search(r"<(?:\w+:)?mediawiki[\s>]", head):
            why = self._broken or f"it begins with {head[:60]!r}"
            raise CorpusError(
                f"{self._path} is no MediaWiki dump that can be read: {why}. Give a file of "
                "`<mediawiki>` XML, plain or packed with bz2, gz, xz or 7z."
            )
        return _site(head)

    def pages(self) -> Iterator[Raw]:
        """Each page; one without an end is told, and reading goes on at the next."""
        while self._to_page():
            end = self._end()
            inner = self._buffer.rfind(OPEN, 1, end if end > 0 else None)
            if inner > 0:
                self._skip("it has no end")
                self._drop(inner)
            elif end > 0:
                yield Raw(self._offset, self._buffer[:end])
                self._drop(end)
            else:
                long = f"it has more than {LONGEST:,} bytes" if len(self._buffer) > LONGEST else ""
                self._skip(long or self._broken or "the file ends in it")
                self._drop(len(self._buffer) - len(OPEN))
        if self._broken:
            where = f"{self._path.name}, byte {self._offset + len(self._buffer):,}"
            self._reading.skip(Skipped(where, self._broken))

    def _to_page(self) -> bool:
        """Drop what lies before the next page; False if there is none."""
        while (start := self._buffer.find(OPEN)) < 0:
            # The mark may be cut in two by the end of the buffer.
            self._drop(max(0, len(self._buffer) - len(OPEN) + 1))
            if not self._more():
                return False
        self._drop(start)
        return True

    def _end(self) -> int:
        """Where the page ends that the buffer begins with; -1 if it does not, or is too long."""
        at = 0
        while (found := self._buffer.find(CLOSE, at)) < 0:
            at = max(0, len(self._buffer) - len(CLOSE) + 1)
            if len(self._buffer) > LONGEST or not self._more():
                return -1
        return found + len(CLOSE)

    def _drop(self, count: int) -> None:
        self._buffer = self._buffer[count:]
        self._offset += count

    def _more(self) -> bool:
        if self._broken:
            return False
        try:
            chunk = next(self._chunks, b"")
        except BROKEN as error:
            self._broken = f"the rest is torn off or damaged ({error})"
            return False
        self._buffer += chunk
        self._reading.progress(self._opened.raw.tell(), self._opened.size)
        return bool(chunk)

    def _skip(self, problem: str) -> None:
        raw = Raw(self._offset, self._buffer[:2000])
        self._reading.skip(Skipped(place(raw, self._path), problem))


def _site(head: str) -> Site:
    language = re.search(r'xml:lang="([^"]*)"', head)
    name = re.search(r"<dbname>\s*([^<]*?)\s*</dbname>", head)
    base = re.search(r"<base>\s*([^<]*?)\s*</base>", head)
    spaces = re.findall(r'<namespace\b[^>]*\bkey="(-?\d+)"[^>]*?(?:/>|>([^<]*)</namespace>)', head)
    return Site(
        language=language[1] if language else "",
        name=name[1] if name else "",
        base=base[1].rpartition("/")[0] + "/" if base and "/" in base[1] else "",
        namespaces={int(key): unescape(title) for key, title in spaces},
    )


def _age(revision: Element) -> tuple[str, int]:
    """Newer revisions compare greater."""
    number = revision.findtext("id", "").strip()
    return revision.findtext("timestamp", ""), int(number) if number.isdecimal() else 0


def _text(revision: Element) -> str:
    """Of the main slot; empty where it was deleted."""
    return revision.findtext("text") or ""


def _namespace(page: Element, title: str, site: Site) -> int:
    """As written; the oldest dumps only show it in the title."""
    written = page.findtext("ns", "").strip()
    if written.lstrip("-").isdecimal():
        return int(written)
    prefix, colon, _ = title.partition(":")
    named = (key for key, name in site.namespaces.items() if colon and name == prefix)
    return next(named, 0)


def _redirect(page: Element, text: str) -> str:
    element = page.find("redirect")
    if element is not None and element.get("title"):
        return str(element.get("title"))
    if element is not None or _REDIRECT.match(text):
        target = re.search(r"\[\[\s*:?([^\]|#\n]+)", text)
        return target[1].replace("_", " ").strip() if target else ""
    return ""


_REDIRECT = re.compile(r"\s*#\w+\s*:?\s*\[\[")
"""`#REDIRECT [[...]]` in any language; no list item begins with a word and a link so."""
