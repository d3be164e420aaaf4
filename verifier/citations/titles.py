"""How a cited title and a paper's title stand to each other.

A fabricated title is often close to a real one: what counts is which words differ, not how many
letters do. "Deep learning for cats" is no misspelling of "Deep learning for dogs".
"""

from collections.abc import Sequence
from enum import StrEnum

# Not in the functions: look-ups run in threads, and its first import from two at once fails.
from rapidfuzz.distance import OSA
from rapidfuzz.fuzz import ratio

from corpora.record import Record
from index_builder.records_titles import LONGEST, TAIL, parts, title_key, title_words

SMALL = frozenset(
    (
        *("a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "its", "of"),
        *("on", "or", "the", "to", "via", "with", "using", "s"),
    )
)
"""Words that titles are often misquoted in."""

CLOSE = 0.85
"""Likeness from which on a title with other words may still be meant, if authors and year fit."""

SHARED = 0.7
"""Share of telling words in common that this takes as well."""


class Relation(StrEnum):
    """What a cited title is to a paper's; ordered from near to far."""

    SAME = "same"
    MISSPELT = "misspelt"
    """The same words, some with a letter wrong, or small words missing."""
    SHORTENED = "shortened"
    """Without its subtitle, or without the name before the colon."""
    EXTENDED = "extended"
    """With a subtitle that the paper does not have."""
    RENAMED = "renamed"
    """Some words are others; only with the right authors and year is this paper meant."""
    OTHER = "other"


ORDER = tuple(Relation)


def relation(cited: str, record: Record) -> Relation:
    """The nearest relation to any of a paper's titles.

    >>> adam = Record("1", "Adam: A Method for Stochastic Optimization")
    >>> [relation(t, adam).value for t in ("ADAM - a method for stochastic optimisation", "Adam")]
    ['misspelt', 'shortened']
    >>> relation("Bdam: A Method for Convex Optimization", adam).value
    'other'
    """
    return min(
        (_relation(cited, title) for title in (record.title, *record.titles)), key=ORDER.index
    )


def telling(title: str) -> list[str]:
    """The words of a title that say what it is about.

    >>> telling("A Method for Stochastic Optimization")
    ['method', 'stochastic', 'optimization']
    """
    return [word for word in title_words(title) if word not in SMALL]


def _relation(cited: str, real: str) -> Relation:
    if not title_key(cited) or not title_key(real):
        return Relation.OTHER
    if title_key(cited) == title_key(real):
        return Relation.SAME
    if is_misspelt(title_words(cited), title_words(real)):
        return Relation.MISSPELT
    if any(_is_near(cited, part) for part in parts(real) if parts(real)[1]):
        return Relation.SHORTENED
    if any(_is_near(cited[: found.start()], real) for found in TAIL.finditer(cited[:LONGEST])):
        return Relation.EXTENDED
    tail = parts(cited)[1]
    if _is_close(cited, real) or (tail and _is_near(tail, real)):
        return Relation.RENAMED
    return Relation.OTHER


def is_misspelt(cited: Sequence[str], real: Sequence[str]) -> bool:
    """True if every telling word of either has its like in the other.

    >>> is_misspelt(("atention", "is", "all", "you", "need"), ("attention", "all", "you", "needs"))
    True
    >>> is_misspelt(("supervised", "fish"), ("unsupervised", "fish"))
    False
    """
    one, other = _unmatched(cited, real), _unmatched(real, cited)
    if "".join(one) == "".join(other):
        return True
    if len(one) != len(other) or 3 * len(one) > len([w for w in real if w not in SMALL]) + 2:
        return False
    return all(_is_typo(a, b) for a, b in zip(one, other, strict=True))


def _is_near(cited: str, real: str) -> bool:
    same = title_key(cited) == title_key(real)
    return bool(title_key(real)) and (same or is_misspelt(title_words(cited), title_words(real)))


def _unmatched(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Telling words of one that the other lacks, in order."""
    left = list(other)
    lacking = []
    for word in one:
        if word in left:
            left.remove(word)
        elif word not in SMALL:
            lacking.append(word)
    return lacking


def _is_typo(one: str, other: str) -> bool:

    # Another first letter is another word: unsupervised, inequality, retention.
    if any(letter.isdigit() for letter in one + other) or one[0] != other[0]:
        return False
    shortest = min(len(one), len(other))
    return shortest >= 4 and OSA.distance(one, other) <= (1 if shortest < 8 else 2)


def _is_close(cited: str, real: str) -> bool:

    one, other = set(telling(cited)), set(telling(real))
    if min(len(one), len(other)) < 3:
        return False
    like = ratio(" ".join(title_words(cited)), " ".join(title_words(real))) / 100
    return like >= CLOSE and len(one & other) >= SHARED * len(one | other)
