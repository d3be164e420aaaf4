"""Words and sentences of a text, with where they stand. No model, no language of its own.

Sentence borders come from sentencex (rules for some 240 languages, abbreviations included).
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 1000
"""Characters one sentence may have before it is cut at white space: text without full stops."""

WORD = re.compile(r"\d+(?:[.,:/\u2013-]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*", re.UNICODE)

NAME = 5
"""Letters a capitalised word needs to count as a name; shorter ones are often abbreviations."""

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters, and what stands there."""

    start: int
    end: int
    text: str


def sentences(text: str, language: str = "en") -> list[Span]:
    """Sentences without the white space around them; pieces without a letter or digit are left out.

    >>> [one.text for one in sentences("Dr. Li left. She won 2 prizes.")]
    ['Dr. Li left.', 'She won 2 prizes.']
    """
    import sentencex

    spans = []
    for found in sentencex.get_sentence_boundaries(language, text):
        for start, end in _pieces(text, found["start_index"], found["end_index"]):
            start, end = _trim(text, start, end)
            if any(character.isalnum() for character in text[start:end]):
                spans.append(Span(start, end, text[start:end]))
    return spans


def words(text: str) -> list[Span]:
    """Words and numbers in order.

    >>> [one.text for one in words("8,848.86 m in 2020")]
    ['8,848.86', 'm', 'in', '2020']
    """
    return [Span(one.start(), one.end(), one.group()) for one in WORD.finditer(text)]


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """A word without case, accents and a possessive ending, to compare it with another.

    >>> fold("Dvořák's"), fold("1,234")
    ('dvorak', '1234')
    """
    plain = unicodedata.normalize("NFKD", word.casefold())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    plain = plain.removesuffix("'s").removesuffix("\u2019s")
    return re.sub(r"(?<=\d),(?=\d{3})", "", plain)


def folded(text: str) -> list[str]:
    """The folded words of a text.

    >>> folded("The Nile's length")
    ['the', 'nile', 'length']
    """
    return [fold(one.text) for one in words(text)]


def is_number(word: str) -> bool:
    """True for words made of digits, such as years and amounts."""
    return word[:1].isdigit()


def telling(text: str) -> set[str]:
    """Folded words that say what a text is about: those of four letters or more, and numbers.

    >>> sorted(telling("The Nile is 7,088 km long."))
    ['7088', 'long', 'nile']
    """
    return {word for word in folded(text) if len(word) > 3 or is_number(word)}


def names(text: str) -> list[str]:
    """Folded numbers and names of a text: what a claim cannot lose without being another claim.

    A name is a capitalised word of `NAME` letters or more that does not begin the text.

    >>> names("The tower of Pisa opened in 1372 in Tuscany.")
    ['1372', 'tuscany']
    """
    return [
        fold(one.text)
        for n, one in enumerate(words(text))
        if is_number(one.text) or (n and one.text[0].isupper() and len(one.text) >= NAME)
    ]


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The range, cut at white space where it is too long for a prompt."""
    while end - start > LONGEST:
        cut = max(text.rfind(space, start + LONGEST // 2, start + LONGEST) for space in " \n\t")
        cut = cut + 1 if cut > start else start + LONGEST
        yield start, cut
        start = cut
    yield start, end


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start].isspace() or text[start] in INVISIBLE):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in INVISIBLE):
        end -= 1
    return start, end
