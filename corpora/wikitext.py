"""Wikitext -> plain text under its headings, with the numbers that a reader of the page sees.

mwparserfromhell's tokenizer (in C) reads what is nested, and its tokens are rendered in one pass
(`wikitext_render`): the library's own tree costs seven times what its tokenizer does. Prose between
templates and tables goes a shorter way (`wikitext_markup`).
"""

import html
import re
from collections.abc import Iterator, Mapping

from corpora.document import Section
from corpora.template_call import Page
from corpora.templates import BOX_END, BOX_START
from corpora.wikitext_markup import plain
from corpora.wikitext_render import HEADING, Links

INFOBOX = "Infobox"
"""Heading of the section that holds what the boxes beside a page say."""


ENGLISH = Links()


def links(namespaces: Mapping[int, str]) -> Links:
    """The names that a wiki gives its namespaces, English ones included.

    >>> sorted(links({6: "Bestand", 14: "Categorie"}).hidden)
    ['categorie', 'category']
    """
    known = ENGLISH
    files = {name.lower() for number, name in namespaces.items() if number in (6, -2)}
    hidden = {name.lower() for number, name in namespaces.items() if number == 14}
    return Links(known.files | files, known.hidden | hidden)


def sections(
    text: str, title: str = "", known: Links = ENGLISH, date: str = ""
) -> tuple[Section, ...]:
    r"""The text of a page, section by section.

    Footnotes, navigation boxes, categories and hidden elements are left out. Boxes beside the text
    become "field: value" lines in a section `Infobox` behind the lead.

    Args:
        text: Wikitext of the page.
        title: Its title, for templates that show it.
        known: Names of the wiki's namespaces.
        date: ISO date of the revision; ages are worked out for that day.

    Returns:
        Sections that have text, in the order of the page.

    >>> page = "'''Baikal''' is {{convert|1642|m|ft}} deep.<ref>x</ref>\n== History ==\nOld."
    >>> [(one.heading, one.text) for one in sections(page)]
    [('', 'Baikal is 1,642 metres (5,387 ft) deep.'), ('History', 'Old.')]
    """
    rendered = plain(_without_notes(text), Page(title, date), known)
    body, boxes = _boxes_apart(rendered)
    found: list[Section] = []
    for heading, part in _by_heading(body):
        if kept := tidy(part):
            found.append(Section(kept, heading))
        if not heading and boxes:
            found.append(Section(boxes, INFOBOX))
    return tuple(found)


def tidy(text: str) -> str:
    r"""Undo what marks and dropped templates leave behind; lines stay lines.

    >>> tidy("'''Zoology'''  (; , Greek) is\n\n\n a science ( ) .")
    'Zoology (Greek) is\na science.'
    """
    if "''" in text:
        text = _QUOTES.sub("", text)
    for sign, written in _SIGNS:
        if sign in text:
            text = text.replace(sign, written)
    if "__" in text:
        text = _MAGIC.sub("", text)
    if "(" in text:
        text = _EMPTY.sub("", _BRACKET.sub("(", text))
    if "  " in text:
        text = _SPACES.sub(" ", text)
    text = _BEFORE_MARK.sub("", text)
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line and line.strip("|-–;. "))


# `re` is quick where a pattern begins with a letter or sign; each of these does.
_NOTES = re.compile(
    r"<(?:!--.*?(?:-->|\Z)"
    r"|ref\b[^<>]*/\s*>"
    # No note begins inside another: one that is not closed must not swallow text up to the next.
    r"|ref\b[^<>]*>[^<]*(?:<(?!/?ref\b)[^<]*)*</ref\s*>)",
    re.IGNORECASE | re.DOTALL,
)
_MARKERS = re.compile(r"[\x00-\x08\x0b-\x1f]")
_MARKED = (HEADING, BOX_START, BOX_END, "\x1b", "\x1f")
_QUOTES = re.compile("''+")
_BRACKET = re.compile(r"\([\s,;:/]+(?=[^\s)])")
_EMPTY = re.compile(r"\([\s,;:/]*\)")
_SPACES = re.compile("  +")
_BEFORE_MARK = re.compile(r" (?=[,.;:)](?:\s|$))")
_MAGIC = re.compile("__[A-Z]{3,}__")
_SIGNS = (
    *((space, " ") for space in "\t\xa0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000"),
    *((unseen, "") for unseen in "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\xad"),
)
_BOX = re.compile(f"{BOX_START}([^{BOX_START}{BOX_END}]*){BOX_END}")
_HEADING = re.compile(f"{HEADING}(\\d)([^{HEADING}]*){HEADING}")


def _without_notes(text: str) -> str:
    if any(marker in text for marker in _MARKED):
        text = _MARKERS.sub("", text)
    return _NOTES.sub("", text)


def _boxes_apart(text: str) -> tuple[str, str]:
    if BOX_START not in text:
        return text, ""
    boxes: list[str] = []
    while _BOX.search(text):
        boxes += _BOX.findall(text)
        text = _BOX.sub("", text)
    return text, "\n".join(filter(None, map(tidy, boxes)))


def _by_heading(text: str) -> Iterator[tuple[str, str]]:
    """Heading with those above it, and the text under it; the lead first."""
    parts = _HEADING.split(text)
    yield "", parts[0]
    above: list[tuple[int, str]] = []
    for level, heading, part in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        above = [one for one in above if one[0] < int(level)]
        above.append((int(level), html.unescape(tidy(heading)).replace("\n", " ")))
        yield " > ".join(name for _, name in above if name), part
