"""What a text says of a paper that it cites."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from corpora.identifiers import arxiv_year


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited paper: only what the text gives, as it gives it; the rest is empty."""

    title: str = ""
    authors: str = ""
    """As written, or with `; ` between the names; `et al.` at the end is kept."""
    year: str = ""
    arxiv: str = ""
    doi: str = ""
    venue: str = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Citation":
        """The citation in the fields of a claim.

        >>> Citation.of({"task": "scilit", "title": "Adam", "year": "2014"}).year
        '2014'
        """
        return cls(**{one.name: given.get(one.name, "").strip() for one in fields(cls)})

    def given(self) -> dict[str, str]:
        """The fields that are not empty."""
        named = {one.name: str(getattr(self, one.name)) for one in fields(self)}
        return {name: value for name, value in named.items() if value}

    @property
    def number(self) -> int | None:
        """The cited year; that of the arXiv id where no year is given.

        >>> Citation(year="2018a").number, Citation(arxiv="1706.03762").number
        (2018, 2017)
        """
        digits = self.year.strip()[:4]
        return int(digits) if len(digits) == 4 and digits.isdecimal() else arxiv_year(self.arxiv)


@dataclass(frozen=True, slots=True)
class Found:
    """A citation and where it stands in the text; the offsets are half-open."""

    start: int
    end: int
    citation: Citation
