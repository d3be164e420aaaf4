"""What is known about a paper, and how names of people are read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

PARTICLES = frozenset(
    ("al", "da", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "la", "le", "ten")
) | {"ter", "van", "von", "zu", "zur", "af", "av", "st", "st.", "bin", "ibn", "vander", "'t"}
"""Small words that belong to the family name behind them."""

SUFFIX = re.compile(r"(?:,\s*|\s+)(?:[JS]r\.?|I{2,3}|IV)$")

INITIALS = re.compile(r"(?:[A-Z]\.?[- ]?){1,4}")

OTHERS = re.compile(r"(?:and\s+)?others|et\s+al\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Person:
    """An author. `given` may be initials only, or empty."""

    family: str
    given: str = ""

    def __str__(self) -> str:
        """Given name first."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class Record:
    """A paper as a catalogue describes it."""

    id: str
    """Unique within an index, e.g. `arxiv:1810.04805`."""
    title: str
    authors: tuple[Person, ...] = ()
    all_authors: bool = True
    """False where the catalogue names only the first authors."""
    preprint: int | None = None
    """Year of the first preprint."""
    published: tuple[int, ...] = ()
    """Years in which it was published; several where a journal followed a conference."""
    venue: str = ""
    abstract: str = ""
    arxiv: str = ""
    doi: str = ""
    """In lower case."""
    url: str = ""
    titles: tuple[str, ...] = ()
    """Other titles it goes by, as where the preprint had another."""

    @property
    def years(self) -> tuple[int, ...]:
        """All years that are right to cite, ascending.

        >>> Record("1", "Adam", preprint=2014, published=(2015,)).years
        (2014, 2015)
        """
        preprint = () if self.preprint is None else (self.preprint,)
        return tuple(sorted({*preprint, *self.published}))


def person(text: str) -> Person:
    """Read one name: given name first, or family name first with a comma or with bare initials.

    >>> person("Kingma, Diederik P."), person("Ludwig van Beethoven")
    (Person(family='Kingma', given='Diederik P.'), Person(family='van Beethoven', given='Ludwig'))
    >>> person("Sorbi S"), person("OpenAI")
    (Person(family='Sorbi', given='S'), Person(family='OpenAI', given=''))
    """
    text = SUFFIX.sub("", " ".join(text.split())).strip(" ,;")
    family, comma, given = text.partition(",")
    if comma:
        return Person(family.strip(), SUFFIX.sub("", given).strip(" ,"))
    parts = text.split(" ")
    if len(parts) > 1 and re.fullmatch(r"[A-Z]{1,3}", parts[-1]) and not _is_initial(parts[0]):
        return Person(" ".join(parts[:-1]), parts[-1])
    cut = len(parts) - 1
    while cut > 1 and parts[cut - 1].lower() in PARTICLES and parts[cut - 1][:1].islower():
        cut -= 1
    if cut == 1 and parts[0][:1].islower() and parts[0].lower() in PARTICLES:
        cut = 0
    return Person(" ".join(parts[cut:]), " ".join(parts[:cut]))


def people(names: Iterable[str]) -> tuple[tuple[Person, ...], bool]:
    """Read a list of names, and whether it is complete: does not end with `others`.

    >>> people(["Ba, Jimmy", "others"])
    ((Person(family='Ba', given='Jimmy'),), False)
    """
    kept = [name for name in (" ".join(name.split()) for name in names) if name]
    named = [name for name in kept if not OTHERS.fullmatch(name)]
    return tuple(one for one in map(person, named) if one.family), len(named) == len(kept)


def _is_initial(word: str) -> bool:
    return bool(INITIALS.fullmatch(word))
