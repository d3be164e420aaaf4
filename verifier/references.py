"""Words of English that stand for something said elsewhere: which a claim still has, and years.

"Eight years later" is worked out by code, since small models calculate badly. Everything else a
model puts in (claims.py), and these rules check what it wrote. They lean towards finding too much:
a claim that is found is only asked about once more.
"""

import re

from verifier.words import Span, fold, words

SUBJECTS = frozenset(("he", "she", "it", "they"))
POSSESSIVES = frozenset(("his", "her", "its", "their"))
OBJECTS = frozenset(("him", "it", "them"))
POINTERS = frozenset(("this", "that", "these", "those", "such", "both", "here", "there"))
"""First in a claim, these point out of it."""

ALONE = frozenset(("another", "one", "ones", "others", "former", "latter", "same"))
"""Without a noun behind them, these stand for one that was named before."""

RELATIVE = frozenset(("later", "earlier", "afterwards", "thereafter", "meanwhile", "then"))
"""Times that count from another."""

CLAUSE = frozenset(
    (
        "after",
        "although",
        "and",
        "as",
        "because",
        "before",
        "but",
        "if",
        "or",
        "since",
        "so",
        "than",
        "that",
        "though",
        "until",
        "when",
        "where",
        "which",
        "while",
        "who",
    )
)
"""Begin a clause, whose pronoun may stand for a name earlier in the claim."""

BE = frozenset(
    (
        "are",
        "be",
        "been",
        "exist",
        "exists",
        "has",
        "have",
        "is",
        "may",
        "was",
        "were",
        "will",
        "would",
    )
)

LINKS = frozenset(
    (
        "and",
        "at",
        "but",
        "by",
        "during",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "since",
        "this",
        "to",
        "too",
        "until",
        "when",
        "while",
        "with",
    )
)
"""Words after which, or before which, no noun of a noun phrase stands."""

QUOTED = re.compile(r"[\"\u201c][^\"\u201d]+[\"\u201d]|(?<!\w)['\u2018][^'\u2019]+['\u2019](?!\w)")

YEAR = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")

COUNTED = re.compile(
    r"\b(?P<count>(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|(?:twen|thir|for|fif|six|"
    r"seven|eigh|nine)ty)[ -])?(?:[a-z]+|\d+))[ -](?P<unit>year|decade|centur(?:y|ie))s? "
    r"(?P<way>later|earlier|afterwards|after that|before that)\b",
    re.IGNORECASE,
)
NEAR_YEAR = re.compile(
    r"\b(?:in |during )?(?:the |that )?(?P<which>same|following|next|previous|very) year\b"
    r"|\b(?:in |during )?that year\b",
    re.IGNORECASE,
)
STEPS = {"same": 0, "very": 0, "following": 1, "next": 1, "previous": -1}
LENGTHS = {"year": 1, "decade": 10, "centur": 100}


def dated(sentence: str, before: str) -> str:
    """A sentence in which years that count from another are written out.

    Args:
        sentence: what is changed.
        before: the text before it, for the year that is counted from: the last one named.

    >>> dated("Eight years later she won another.", "She won a prize in 1903.")
    'In 1911 she won another.'
    >>> dated("It closed the following year.", "The theatre opened in 1840.")
    'It closed in 1841.'
    """

    def written(found: re.Match[str]) -> str:
        known = YEAR.findall(f"{before} {found.string[: found.start()]}")
        steps = _steps(found)
        if not known or steps is None:
            return found[0]
        at_start = not found.string[: found.start()].strip()
        return f"{'In' if at_start else 'in'} {int(known[-1]) + steps}"

    return NEAR_YEAR.sub(written, COUNTED.sub(written, sentence))


def unresolved(claim: str) -> list[str]:
    """Words of a claim that stand for something it does not name, in its order.

    >>> unresolved("Marie Curie shared it with her husband."), unresolved("Oslo lost its port.")
    (['it'], [])
    >>> unresolved("Two years later Li won another."), unresolved("It rained there in 1911.")
    (['later', 'another'], ['It', 'there'])
    """
    return [one.text for one in pointing(claim)]


def pointing(claim: str) -> list[Span]:
    """The same words with their places in the claim; what is quoted is left out."""
    said = words(claim)
    quoted = [one.span() for one in QUOTED.finditer(claim)]
    return [
        one
        for n, one in enumerate(said)
        if _points_out(said, n, claim)
        and not any(start < one.start and one.end < end for start, end in quoted)
    ]


def vague(claim: str) -> bool:
    """True for a claim about `the device` or `the city` that names nobody and nothing.

    It may stand alone, as in "The heart is a muscle"; only its text can tell.

    >>> vague("The device has 30 gears."), vague("The device was found in Greece.")
    (True, False)
    """
    said = [one.text for one in words(claim)]
    definite = len(said) > 1 and said[0].lower() == "the" and said[1].islower()
    return definite and not any(one[0].isupper() for one in said[1:])


def _points_out(said: list[Span], n: int, claim: str) -> bool:
    word, before = fold(said[n].text), [fold(one.text) for one in said[:n]]
    after = fold(said[n + 1].text) if n + 1 < len(said) else ""
    ends = not after or bool(re.match(r"\s*[,.;:!?]", claim[said[n].end :]))
    named = any(one.text[0].isupper() for one in said[:n] if fold(one.text) not in LINKS)
    if word in RELATIVE:
        return not YEAR.search(claim) and word != "then"
    if word in ("former", "latter") and before[-1:] == ["the"]:
        return True
    if word in ALONE and (n or word in ("another", "others")):
        return (ends or after in LINKS) and before[-1:] != ["no"]
    if word == "there":
        return after not in BE
    if n == 0 and word in POINTERS:
        return True
    if word in OBJECTS and n and before[-1] not in CLAUSE:
        return word != "it" or after not in BE
    if word == "her" and n and (ends or after in LINKS):
        return True
    return word in SUBJECTS | POSSESSIVES and not named


def _steps(found: re.Match[str]) -> int | None:
    """Years from the one that is named; None where that is not said exactly."""
    groups = found.groupdict()
    if "count" not in groups:
        return STEPS[(groups["which"] or "same").lower()]
    number = _number(groups["count"].lower())
    if number is None:
        return None
    backwards = groups["way"].lower() in ("earlier", "before that")
    length = next(
        years for unit, years in LENGTHS.items() if groups["unit"].lower().startswith(unit)
    )
    return (-number if backwards else number) * length


def _number(text: str) -> int | None:
    """A whole number in words or digits; None for other words, such as `a few`.

    >>> _number("eight"), _number("a"), _number("a hundred"), _number("a few")
    (8, 1, 100, None)
    """
    from text_to_num import text2num

    bare = re.sub(r"^an?( |$)", "", text) or "one"
    if bare.isdecimal():
        return int(bare)
    try:
        return int(text2num(bare, "en"))
    except ValueError:
        return None
