"""The part of a passage that has most of a query's words, and where in it they are."""

import re
from dataclasses import dataclass

from index_builder.fold import fold

_COMMON = (
    "a an and are as at be but by did do does for from had has have he her his how in into is it "
    "its no not of on or she that the their they this to was were what when where which who why "
    "will with"
)
COMMON = frozenset(_COMMON.split())
"""Words that say nothing about where to look."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A cut-out for a reader; `...` marks what was left out."""

    text: str
    words: tuple[tuple[int, int], ...]
    """Half-open spans of the query's words in `text`."""


def snippet(text: str, query: str, width: int = 230) -> Snippet:
    """Cut out about `width` characters, between words.

    >>> made = snippet("Lake Baikal is deep. Antonín Dvořák wrote it.", "dvorak lake", 200)
    >>> [made.text[start:end] for start, end in made.words]
    ['Lake', 'Dvořák']
    """
    wanted = {_stem(word) for word in re.findall(r"\w+", fold(query).lower())} - COMMON
    words = [found.span() for found in re.finditer(r"\w+", text)]
    hits = [span for span in words if _stem(fold(text[slice(*span)]).lower()) in wanted]
    start, end = _window(text, hits, width)
    before, after = "... " if start else "", " ..." if end < len(text) else ""
    shift = len(before) - start
    inside = tuple((a + shift, b + shift) for a, b in hits if start <= a and b <= end)
    return Snippet(before + text[start:end].rstrip() + after, inside)


def _window(text: str, hits: list[tuple[int, int]], width: int) -> tuple[int, int]:
    """The stretch with most hits, with some text before its first."""
    if len(text) <= width:
        return 0, len(text)
    best, most = 0, 0
    for start, _ in hits:
        inside = {fold(text[a:b]).lower() for a, b in hits if 0 <= a - start <= width - 60}
        if len(inside) > most:
            best, most = start, len(inside)
    start = max(0, min(best - 40, len(text) - width))
    start = text.find(" ", start) + 1 if start else 0
    end = min(len(text), start + width)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + 1)
    return start, end


def _stem(word: str) -> str:
    """Enough to see that lakes is lake; Lucene's stemmer decides what is found."""
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
