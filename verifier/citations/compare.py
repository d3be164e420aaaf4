"""A citation against one paper: title, authors, year; what is wrong, and what is only worth a note.

A preprint's year and that of its publication are both right. Where the catalogue knows one year
only, a citation is not called wrong for a year that the other of the two would explain: a preprint
is often a year older; a journal, a copyright or the proceedings of a winter conference a year
younger.
"""

from dataclasses import dataclass

from corpora.record import Record
from index_builder.records import likeness
from index_builder.records_titles import title_key, title_words
from verifier.citations import names, titles
from verifier.citations.citation import Citation
from verifier.citations.names import Agreement
from verifier.citations.titles import Relation

APART = 1
"""Years by which the known year of a publication and the cited one may differ."""

BEHIND = 2
"""Years by which an unknown publication may follow a preprint."""

DISTINCT = 3
"""Telling words from which on a title is hardly another paper's by chance."""

LONG = 6
"""The same, where the title is misspelt and the authors are wrong."""

SHOWN = 4
"""Authors shown in a sentence at most."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A citation and a paper that it may mean."""

    citation: Citation
    record: Record
    relation: Relation
    similarity: float
    """Of the titles, in [0, 1]."""
    authors: Agreement
    year: str
    """`right`, `unknown` where either gives none, `near` where the other of preprint and
    publication would explain it, `wrong`."""

    @property
    def is_meant(self) -> bool:
        """True if the citation means this paper, rightly or wrongly cited.

        Short and inexact titles need an author in common; without authors given, a year.
        """
        words = len(titles.telling(self.citation.title))
        has_authors = self.authors.named > 0 and bool(self.record.authors)
        agrees = self.authors.matched > 0
        dated = self.year in ("right", "near")
        if self.relation is Relation.SAME:
            return agrees or words > DISTINCT or (not has_authors and (dated or words >= DISTINCT))
        if self.relation is Relation.MISSPELT:
            return agrees or words >= LONG or (not has_authors and words > DISTINCT)
        if self.relation is Relation.SHORTENED:
            return agrees if has_authors else dated or words >= DISTINCT
        if self.relation in (Relation.EXTENDED, Relation.RENAMED):
            return agrees and not self.authors.wrong and dated
        return False

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the citation, as parts of a sentence."""
        found = []
        if self.relation in (Relation.EXTENDED, Relation.RENAMED):
            found.append(f"its title is \u201c{self.record.title}\u201d")
        if self.record.authors and self.authors.wrong:
            wrong = join(self.authors.wrong[:SHOWN])
            found.append(
                f"{wrong} did not write it, {authors_of(self.record)} did"
                if not self.authors.matched
                else f"{wrong} is not among its authors, who are {authors_of(self.record)}"
            )
        elif self.record.authors and not self.authors.is_first:
            found.append(f"its first author is {self.record.authors[0]}")
        if self.year == "wrong":
            found.append(f"its year is {years_of(self.record)}, not {self.citation.number}")
        return tuple(found)

    @property
    def notes(self) -> tuple[str, ...]:
        """What differs without being wrong, as sentences."""
        return tuple(
            note for note in (self._title(), self._people(), self._year(), self._venue()) if note
        )

    @property
    def rank(self) -> tuple[object, ...]:
        """Sorts the papers that may be meant: faultless first, then by authors and title."""
        return (
            bool(self.problems),
            len(self.authors.wrong) - self.authors.matched,
            titles.ORDER.index(self.relation),
            ("right", "near", "unknown", "wrong").index(self.year),
            -self.similarity,
        )

    def _title(self) -> str:
        if self.relation is Relation.MISSPELT:
            return f"The title is spelt \u201c{self.record.title}\u201d."
        if self.relation is Relation.SHORTENED:
            return f"The full title is \u201c{self.record.title}\u201d."
        return ""

    def _people(self) -> str:
        if self.citation.authors and not self.record.authors:
            return "The index does not know the authors."
        if self.authors.left_out and self.authors.matched:
            return f"Its authors are more: {authors_of(self.record)}."
        return ""

    def _year(self) -> str:
        cited, paper = self.citation.number, self.record
        if self.year == "near":
            return (
                f"The index knows the year {years_of(paper)}; preprint and publication may differ."
            )
        if self.year == "right" and len(paper.years) > 1:
            preprint = f"the preprint is of {paper.preprint}" if paper.preprint else ""
            published = f"it was published in {join([str(one) for one in paper.published])}"
            both = "; ".join(one for one in (preprint, published if paper.published else "") if one)
            return f"The year {cited} is right: {both}."
        if self.year == "unknown" and self.citation.year and not paper.years:
            return "The index does not know the year."
        return ""

    def _venue(self) -> str:
        cited, known = title_key(self.citation.venue), title_key(self.record.venue)
        if not cited or not known or cited in known or known in cited:
            return ""
        first = "".join(
            word[0] for word in title_words(self.record.venue) if word not in titles.SMALL
        )
        if any(word in first for word in title_words(self.citation.venue) if len(word) > 2):
            return ""
        return f"The index gives another venue, {self.record.venue}, which need not be an error."


def compare(citation: Citation, record: Record) -> Comparison:
    """Compare a citation with a paper.

    >>> adam = Record("1", "Adam: A Method for Stochastic Optimization", preprint=2014)
    >>> found = compare(Citation("Adam: A Method for Stochastic Optimization", year="2012"), adam)
    >>> found.problems
    ('its year is 2014, not 2012',)
    """
    return Comparison(
        citation,
        record,
        titles.relation(citation.title, record) if citation.title else Relation.SAME,
        likeness(citation.title, record) if citation.title else 1.0,
        names.agreement(citation.authors, record),
        _year(citation, record),
    )


def reference(record: Record) -> str:
    """A paper as one line: authors (year). Title. Venue. Identifier.

    >>> reference(Record("1", "Adam", preprint=2014, published=(2015,), arxiv="1412.6980"))
    '(2014/2015). Adam. arXiv:1412.6980'
    """
    ids = [f"arXiv:{record.arxiv}" if record.arxiv else "", record.doi and f"doi:{record.doi}"]
    year = f"({years_of(record, '/')})." if record.years else ""
    said = [authors_of(record, 10), year, f"{record.title.rstrip('.')}."]
    venue = f"{record.venue}." if record.venue else ""
    return " ".join(one for one in (*said, venue, *ids) if one)


def authors_of(record: Record, most: int = SHOWN) -> str:
    """The authors of a paper, cut to `et al.` after some."""
    shown = [str(one) for one in record.authors[:most]]
    if len(record.authors) > most or not record.all_authors:
        return ", ".join(shown) + " et al."
    return join(shown)


def years_of(record: Record, between: str = " or ") -> str:
    """The years that are right to cite."""
    return between.join(str(year) for year in record.years)


def join(said: "tuple[str, ...] | list[str]") -> str:
    """Words with commas, and an `and` before the last.

    >>> join(["Li", "Bo", "Xu"])
    'Li, Bo and Xu'
    """
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _year(citation: Citation, record: Record) -> str:
    cited, known = citation.number, record.years
    if cited is None or not citation.year or not known:
        return "unknown"
    if cited in known:
        return "right"
    if record.preprint is not None and record.published:
        return "right" if known[0] <= cited <= known[-1] else "wrong"
    if record.preprint is not None:
        return "near" if 0 < cited - record.preprint <= BEHIND else "wrong"
    return "near" if any(abs(year - cited) <= APART for year in known) else "wrong"
