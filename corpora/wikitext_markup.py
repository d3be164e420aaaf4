"""The short way through wikitext: prose by patterns, and only what is nested by the tokenizer.

Most of an article is prose with links. Reading that token by token costs five times as much as the
patterns here; templates, tables and tags with a meaning are cut out and given to `wikitext_render`,
which reads all markup. A page whose brackets don't match is read by it as a whole.
"""

import html
import re
from collections.abc import Iterator
from functools import lru_cache

from corpora.template_call import Page, key
from corpora.templates import shows_nothing
from corpora.wikitext_render import HEADING, HIDDEN, SKIPPED_TAGS, Links, link_text, render

NESTED_TAGS = frozenset(
    ("math", "chem", "ce", "gallery", "table", "nowiki", "pre", "poem", "syntaxhighlight", "source")
)
"""Tags that the tokenizer reads; others only change how their words look."""


def plain(text: str, page: Page, links: Links) -> str:
    """Plain text of wikitext; the same as `wikitext_render.render`, sooner.

    Args:
        text: Without footnotes and comments, and without control characters.
        page: Where it stands.
        links: Names of the wiki's namespaces.

    Returns:
        Text with the markers of `render`.
    """
    shown: list[str] = []
    pieces: list[str] = []
    at = 0
    for start, end in _nested(text):
        if end < 0:
            return render(text, page, links)
        pieces += (text[at:start], f"{_KEPT}{len(shown)}{_KEPT}")
        shown.append(_shown(text[start:end], page, links))
        at = end
    pieces.append(text[at:])
    prose = _prose("".join(pieces), links)
    return _PLACE.sub(lambda found: shown[int(found[1])], prose) if shown else prose


def _nested(text: str) -> Iterator[tuple[int, int]]:
    """Half-open spans of the outermost templates, tables and tags that nest.

    One that is not closed ends at -1.
    """
    at = 0
    while found := _OPENER.search(text, at):
        name, start, at = (found[1] or "").lower(), found.start(), found.end()
        if not name:
            is_table = found[0] == "{|"
            if is_table and text[text.rfind("\n", 0, start) + 1 : start].strip(" :"):
                continue  # In the middle of a line it opens nothing.
            at = _closed(text, at, _TABLE if is_table else _TEMPLATE)
            yield start, at
            if at < 0:
                return
        elif name in NESTED_TAGS or name in SKIPPED_TAGS or HIDDEN.search(found[0]):
            end = at if found[0].endswith("/>") else _closed(text, at, _tag(name))
            if end > 0:  # One that is not closed has no meaning; it goes with the inline tags.
                yield start, end
                at = end


def _closed(text: str, at: int, edges: re.Pattern[str]) -> int:
    """Where what is open at `at` ends; -1 if it does not. Group 1 of `edges` is another opening."""
    depth = 1
    for found in edges.finditer(text, at):
        depth += 1 if found[1] else -1
        if not depth:
            return found.end()
    return -1


def _shown(span: str, page: Page, links: Links) -> str:
    """What a template, table or tag shows."""
    if span.startswith("{{"):
        name = _NAME.match(span, 2)
        if name and shows_nothing(key(name[0])):
            return ""
    return render(span, page, links)


def _prose(text: str, links: Links) -> str:
    """Text without templates and tables: headings, lists, links, tags and entities."""

    def link(found: re.Match[str]) -> str:
        target, label = found[1], found[2]
        if ":" in target:
            return link_text(target, label, links)
        return target.strip().replace("_", " ") if label is None else label

    text = _HEADING.sub(_heading, f"\n{text}")
    text = _LIST.sub("\n", text)
    while "[[" in text:
        shorter = _LINK.sub(link, text)
        if len(shorter) == len(text):
            break
        text = shorter
    if "//" in text:
        text = _LABELLED.sub(lambda found: found[1] or "", text)
        text = _URL.sub("", text) if "://" in text else text
    if "<" in text:
        text = _BREAK.sub("\n", text)
        text = _POWER.sub(r"^\1", text)
        text = _TAG.sub("", text)
    return html.unescape(text) if "&" in text else text


def _heading(found: re.Match[str]) -> str:
    return f"\n{HEADING}{len(found[1])}{found[2]}{HEADING}"


@lru_cache(maxsize=256)
def _tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"<({name}\b)(?![^<>]*/>)[^<>]*>|</{name}\s*>", re.IGNORECASE)


_KEPT = "\x1b"
_PLACE = re.compile(f"{_KEPT}(\\d+){_KEPT}")
# A class of signs first: `re` finds those by a table, alternatives one by one at each letter.
_OPENER = re.compile(r"[{<](?:(?<=\{)[{|]|(?<=<)([a-zA-Z]+)[^<>]*>)")
_TEMPLATE = re.compile(r"(\{\{)|\}\}")
_TABLE = re.compile(r"(\n[ :]*\{\|)|\|\}(?!\})")
_NAME = re.compile(r"[^|{}<\[\n]*")
_HEADING = re.compile(r"\n(={1,6})[ \t]*([^\n]+?)[ \t]*\1[ \t]*(?=\n|\Z)")
_LIST = re.compile(r"\n[*#:;]+[ \t]*")
_LINK = re.compile(r"\[\[([^\[\]|\n]*)(?:\|([^\[\]]*))?\]\]")
_LABELLED = re.compile(r"\[(?:[a-z]+:)?//[^\s\]]*(?:[ \t]+([^\]\n]*))?\]")
_URL = re.compile(r"(?:https?|ftp)://[^\s\]<>]+")
_BREAK = re.compile(
    r"</?(?:br|hr|p|div|center|blockquote|ul|ol|li|dl|dd|dt)\b[^<>]*>", re.IGNORECASE
)
_POWER = re.compile(r"<sup>([−-]?\d+)</sup>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
