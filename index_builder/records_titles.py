"""How titles and family names are written before they are compared; one function for both sides."""

import re
from functools import lru_cache

from index_builder.fold import fold

LONGEST = 600
"""Characters of a title that count; nothing longer is a title."""

WORD = re.compile(r"\d+(?:\.\d+)+|[^\W_]+", re.UNICODE)

TAIL = re.compile(r"\s*(?::|\s[-\u2013\u2014]{1,3}\s|\u2014|[?!.]\s)\s*")
"""What stands between a title and its subtitle."""


@lru_cache(maxsize=8192)
def title_words(title: str) -> tuple[str, ...]:
    """The words of a title without case, accents, apostrophes and punctuation.

    >>> title_words("BERT: Pre-training of Müller's na\u00efve Nets")
    ('bert', 'pre', 'training', 'of', 'mullers', 'naive', 'nets')
    """
    text = fold(title[:LONGEST]).casefold()
    return tuple(WORD.findall(text.replace("'", "").replace("`", "")))


def title_key(title: str) -> str:
    """What two spellings of one title have in common: hyphens and spaces do not count.

    >>> title_key("Word2Vec: Pre-Training") == title_key("word2vec pretraining")
    True
    """
    return "".join(title_words(title))


def parts(title: str) -> tuple[str, str]:
    """A title without its subtitle, and the subtitle; it is empty if there is none.

    >>> parts("Adam: A Method for Stochastic Optimization")
    ('Adam', 'A Method for Stochastic Optimization')
    >>> parts("Attention Is All You Need")
    ('Attention Is All You Need', '')
    """
    head, *rest = TAIL.split(title[:LONGEST].strip(), maxsplit=1)
    return (head, rest[0]) if rest and head and title_words(rest[0]) else (title[:LONGEST], "")


@lru_cache(maxsize=65536)
def family_key(family: str) -> str:
    """A family name without case, accents, particles' spaces and punctuation.

    >>> family_key("M\u00fcller-Li"), family_key("van den Oord"), family_key("O'Neil")
    ('mullerli', 'vandenoord', 'oneil')
    """
    return "".join(WORD.findall(fold(family[:200]).casefold().replace("'", "")))
