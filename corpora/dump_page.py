"""Pages of MediaWiki dumps: what their XML says, of any export version.

Expat is called by hand, since it can then hand over a text in one piece: ElementTree's own parser
takes it in crumbs, one a line and one an entity, at half the speed (71 to 158 MB/s on enwiki; lxml
150, cutting texts out and replacing their entities by string methods 80).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from xml.sax.saxutils import unescape


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
    """Byte of the unpacked stream (in UTF-8, without a byte-order mark) where it begins."""
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
    """ISO date (YYYY-MM-DD); empty if there is none."""
    model: str
    """`wikitext`, or what else its text is."""
    text: str


class BadPage(ValueError):  # noqa: N818 - what the page is
    """A page cannot be read; says why."""


def site(head: str) -> Site:
    """What the head of a dump says, as far as it does."""
    language = re.search(r'xml:lang="([^"]*)"', head)
    name = re.search(r"<dbname>\s*([^<]*?)\s*</dbname>", head)
    base = re.search(r"<base>\s*([^<]*?)\s*</base>", head)
    spaces = re.findall(r'<namespace\b[^>]*\bkey="(-?\d+)"[^>]*?(?:/>|>([^<]*)</namespace>)', head)
    return Site(
        language=language[1] if language else "",
        name=name[1] if name else "",
        base=re.sub(r"[^/=]*$", "", unescape(base[1], QUOTES)) if base else "",
        namespaces={int(key): unescape(title, QUOTES) for key, title in spaces},
    )


def parse(raw: Raw, site: Site) -> Page:
    """Read a page.

    Raises:
        BadPage: It is not well-formed, has no title, number or revision, or lacks its text.
    """
    page = _element(raw.data)
    title, key = page.findtext("title", "").strip(), page.findtext("id", "").strip()
    revision = max(page.iterfind("revision"), key=_age, default=None)
    if not title or not key or revision is None:
        raise BadPage("it has no title, no number or no revision")
    text = _text(revision)
    redirect = _redirect(page, text)
    if not text and not redirect:
        _must_be_empty(revision)
    date = _DATE.match(revision.findtext("timestamp", "").strip())
    return Page(
        id=key,
        title=title,
        namespace=_namespace(page, title, site),
        redirect=redirect,
        revision=revision.findtext("id", "").strip(),
        date=date[0] if date else "",
        model=revision.findtext("model", "wikitext").strip(),
        text=text,
    )


def place(raw: Raw, path: Path) -> str:
    """How a page is named to the user: file, title and byte.

    >>> place(Raw(7, b"<page><title>A &amp; B</title>"), Path("w.xml"))
    "w.xml, page 'A & B', byte 7"
    """
    found = re.search(rb"<title>(.{0,300}?)</title>", raw.data[:2000], re.DOTALL)
    title = unescape(found[1].decode("utf-8", "replace"), QUOTES) if found else "?"
    return f"{path.name}, page {title!r}, byte {raw.offset:,}"


def _age(revision: Element) -> tuple[str, int]:
    """Newer revisions compare greater."""
    number = revision.findtext("id", "").strip()
    return revision.findtext("timestamp", ""), int(number) if number.isdecimal() else 0


def _element(data: bytes) -> Element:
    """The same as `ElementTree.fromstring`, faster."""
    parser, tree = expat.ParserCreate(), TreeBuilder()
    parser.buffer_text = True
    parser.buffer_size = 65_536
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.data
    try:
        # A piece without a head declares no entities, so that none can grow or lead elsewhere.
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise BadPage(f"not well-formed XML ({error})") from error
    return tree.close()


def _text(revision: Element) -> str:
    """Of the main slot; the others stand in `content`."""
    element = revision.find("text")
    if element is None:
        return ""
    if len(element):
        raise BadPage(f"its text is not escaped: it holds an element <{element[0].tag}>")
    return element.text or ""


def _must_be_empty(revision: Element) -> None:
    """Tell an empty text from one that is missing."""
    text = revision.find("text")
    if text is None:
        raise BadPage("its newest revision has no text")
    if text.get("deleted"):
        raise BadPage("the text of its newest revision was deleted")
    if text.get("bytes", "0") != "0":
        raise BadPage(f"its text of {text.get('bytes')} bytes is left out, as stub dumps do")


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

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?=T|$)")

QUOTES = {"&quot;": '"', "&apos;": "'"}
