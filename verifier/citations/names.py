"""Lists of authors as people write them, and whether they fit the authors of a paper."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Not in the functions: look-ups run in threads, and its first import from two at once fails.
from rapidfuzz.distance import OSA
from rapidfuzz.fuzz import ratio

from corpora.record import Person, Record, person
from index_builder.fold import fold
from index_builder.records_titles import family_key

ET_AL = re.compile(
    r"[,;]?\s*(?:\b(?:et\.?\s*al\b\.?|and\s+(?:others|colleagues|coworkers|co-workers)\b)|\u2026|\.\.\.)",
    re.IGNORECASE,
)
AND = re.compile(r",?\s*(?:\band\b|&|\\&)\s*", re.IGNORECASE)
GIVEN = re.compile(r"(?:[^\W\d_]\.?[\s-]*){1,4}")
"""Initials alone."""

TYPO = 85
"""Likeness in percent from which on two family names of five letters or more are one, misspelt."""

MOST = 400
"""Names of one list that are read."""


@dataclass(frozen=True, slots=True)
class Names:
    """Authors that a text names."""

    people: tuple[Person, ...]
    others: bool = False
    """True for `et al.`"""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a list of authors fits a paper's."""

    named: int
    """How many people the text names."""
    wrong: tuple[str, ...] = ()
    """Those that are no authors of the paper."""
    is_first: bool = True
    """True unless the list begins with someone who is not the first author."""
    left_out: int = 0
    """Authors that are not named although there is no `et al.`"""

    @property
    def matched(self) -> int:
        """How many of those named are authors."""
        return self.named - len(self.wrong)


def readings(text: str) -> tuple[Names, ...]:
    """The ways in which a list of authors can be read, the likeliest first; none if it is empty.

    `Devlin, Jacob, et al.` may be one person or two; what is compared with a paper decides.

    >>> [str(one) for one in readings("Chen, H., Chiang, R. H. L., & Storey, V. C.")[0].people]
    ['H. Chen', 'R. H. L. Chiang', 'V. C. Storey']
    >>> [len(one.people) for one in readings("Devlin, Jacob, et al.")]
    [2, 1]
    """
    bare = ET_AL.sub(" ", text[:8000])
    others = bare != text[:8000]
    if ";" in bare:
        parts = [one for one in re.split(r"\s*;\s*(?:and\s+|&\s*)?", bare) if one.strip(" ,.")]
        return _distinct([[_tidy(one) for one in parts[:MOST]]], others)
    joins = AND.sub("\x00", bare)
    pieces = [one.strip() for one in re.split(r"\s*,\s*|\x00", joins)]
    pieces = [one for one in pieces if one.strip(" .")][:MOST]
    joined = _initials_joined(pieces)
    lists = [joined]
    comma, conjunction = joins.find(","), joins.find("\x00")
    if len(joined) == len(pieces) and comma >= 0 and (conjunction < 0 or comma < conjunction):
        if len(pieces) > 1 and len(pieces[0].split()) <= 2:
            lists.append([f"{pieces[0]}, {pieces[1]}", *pieces[2:]])
        if len(pieces) % 2 == 0 and len(pieces) > 2:
            lists.append([f"{a}, {b}" for a, b in zip(pieces[::2], pieces[1::2], strict=True)])
    return _distinct([[_tidy(one) for one in names] for names in lists], others)


def agreement(text: str, record: Record) -> Agreement:
    """How the cited authors fit a paper's, by the reading that fits best.

    >>> bert = Record("1", "BERT", (Person("Devlin", "Jacob"), Person("Chang", "Ming-Wei")))
    >>> agreement("J. Devlin and M.-W. Chang", bert).wrong, agreement("Hinton et al.", bert).wrong
    ((), ('Hinton',))
    """
    read = [_agreement(one, record) for one in readings(text)]
    return min(
        read, key=lambda one: (len(one.wrong), not one.is_first, one.left_out), default=Agreement(0)
    )


def is_person(cited: Person, author: Person) -> bool:
    """True if a cited name can be this author: initials, accents, order and misspellings aside.

    >>> muller = Person("M\u00fcller", "Klaus Robert")
    >>> is_person(Person("Muller", "K.-R."), muller), is_person(Person("Muller", "Bo"), muller)
    (True, False)
    """
    if _is_family(cited.family, author.family):
        return _is_given(cited.given, author.given)
    swapped = bool(cited.given and author.given) and _is_family(cited.given, author.family)
    return swapped and _is_given(cited.family, author.given)


def _agreement(names: Names, record: Record) -> Agreement:
    left = list(record.authors)
    wrong = []
    is_first = True
    for number, cited in enumerate(names.people):
        at = next((n for n, author in enumerate(left) if is_person(cited, author)), None)
        if at is None:
            # A catalogue that stops after ten authors cannot say that the twelfth is none.
            if record.all_authors or number == 0 or not record.authors:
                wrong.append(str(cited))
            continue
        if number == 0:
            is_first = left[at] is record.authors[0]
        left.pop(at)
    left_out = 0 if names.others or not record.all_authors else len(left)
    return Agreement(len(names.people), tuple(wrong), is_first, left_out)


def _is_family(cited: str, real: str) -> bool:

    one, other = family_key(cited), family_key(real)
    if not one or not other:
        return False
    if one == other:
        return True
    for longer, shorter in ((real, one), (cited, other)):
        pieces = [family_key(part) for part in re.split(r"[\s-]+", longer)]
        if len(pieces) > 1 and len(shorter) > 2 and shorter in (pieces[-1], pieces[0]):
            return True
    if min(len(one), len(other)) < 5 or one[0] != other[0]:
        return False
    return OSA.distance(one, other) <= 1 or ratio(one, other) >= TYPO + 5


def _is_given(cited: str, real: str) -> bool:
    one, other = _given(cited), _given(real)
    if not one or not other:
        return True
    if len(one[0]) > 1 and len(other[0]) > 1:
        return (
            _is_same_given(one[0], other[0])
            or "".join(one) == "".join(other)
            or (any(_is_same_given(a, b) for a in one for b in other if len(a) > 2 and len(b) > 2))
        )
    return one[0][0] == other[0][0] or one[0][0] in {part[0] for part in other[1:]}


def _is_same_given(one: str, other: str) -> bool:

    is_short_form = one.startswith(other[:3]) or other.startswith(one[:3])
    return one[0] == other[0] and (is_short_form or ratio(one, other) >= 70)


def _given(text: str) -> list[str]:
    """Folded given names; run-together initials such as DP one by one."""
    words = re.findall(r"[^\W\d_]+", fold(text[:200]).replace("'", ""))
    if len(words) == 1 and 1 < len(words[0]) <= 3 and words[0].isupper():
        words = list(words[0])
    return [word.casefold() for word in words]


def _initials_joined(pieces: Sequence[str]) -> list[str]:
    """Pieces between commas, with initials put back behind the family name before them."""
    joined: list[str] = []
    for piece in pieces:
        is_suffix = bool(re.fullmatch(r"[JS]r\.?|I{2,3}", piece))
        if joined and (is_suffix or _is_initials(piece)) and "," not in joined[-1]:
            joined[-1] = joined[-1] if is_suffix else f"{joined[-1]}, {piece}"
        else:
            joined.append(piece)
    return joined


def _is_initials(piece: str) -> bool:
    return bool(GIVEN.fullmatch(piece)) and piece == piece.upper()


def _tidy(name: str) -> str:
    name = name.strip(" ,*_")
    return name[:-1] if name.endswith(".") and not re.search(r"\b\w\.$", name) else name


def _distinct(lists: Sequence[Sequence[str]], others: bool) -> tuple[Names, ...]:
    read = [tuple(one for one in map(person, names) if family_key(one.family)) for names in lists]
    return tuple(Names(people, others) for people in dict.fromkeys(read) if people)
