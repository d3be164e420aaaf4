"""A citation looked up: by identifier, then by title, then by authors and year.

Three ends are told apart: the paper is there as cited; it is there, but cited wrongly; it is not in
this index. The last refutes a citation only where the index is declared to hold every paper of
its field and year.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpora.record import Record
from index_builder.records import Near, PaperIndex
from index_builder.records_manifest import EVERYTHING, Coverage
from index_builder.records_titles import parts, title_words
from verifier.citations import names
from verifier.citations.citation import Citation
from verifier.citations.compare import Comparison, authors_of, compare, join, reference, years_of
from verifier.citations.titles import Relation
from verifier.values import Label, Why

NEAREST = 3
"""Titles shown when none is the cited one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a citation."""

    label: Label
    reason: str
    why: Why | None = None
    correction: str = ""
    records: tuple[Near, ...] = ()
    """The papers that this rests on, or the nearest ones."""
    cited: bool = False
    """True if the first of them is the paper that is meant."""


def look_up(citation: Citation, papers: PaperIndex, context: str = "") -> Outcome:
    """Look a citation up.

    Args:
        citation: what the text says of the paper.
        papers: the index.
        context: the sentence around it; tells which paper is meant where no title is given.

    Raises:
        BadIndex: the index is damaged.
    """
    identified = _identified(citation, papers)
    if identified:
        return _by_id(citation, identified, papers)
    if citation.title:
        return _by_title(citation, papers)
    if citation.arxiv or citation.doi:
        return _missing(citation, papers, ())
    return _by_author(citation, papers, context)


def _identified(citation: Citation, papers: PaperIndex) -> list[Record]:
    found = [papers.by_arxiv(citation.arxiv)] if citation.arxiv else []
    found += [papers.by_doi(citation.doi)] if citation.doi else []
    return [record for record in found if record is not None]


def _by_id(citation: Citation, found: Sequence[Record], papers: PaperIndex) -> Outcome:
    """The paper that an identifier names: is it the one that the title names?"""
    compared = [compare(citation, record) for record in found]
    strays = [one for one in compared if one.relation is Relation.OTHER]
    if not strays and len({one.record.id for one in compared}) == 1:
        return _judged(compared[0])
    stray = (strays or compared)[0]
    said = f"arXiv:{stray.record.arxiv}" if citation.arxiv else f"doi:{citation.doi}"
    reason = (
        f"{said} is another paper, \u201c{stray.record.title}\u201d by {authors_of(stray.record)}"
    )
    meant = _best(citation, papers)
    shown = [meant, stray] if meant else [stray]
    correction = reference((meant or stray).record)
    return Outcome(Label.REFUTED, f"{reason}.", None, correction, _near(shown), cited=True)


def _by_title(citation: Citation, papers: PaperIndex) -> Outcome:
    best = _best(citation, papers)
    if best is None:
        return _missing(citation, papers, papers.similar(citation.title, NEAREST))
    for kind, cited, known in (
        ("arXiv id", citation.arxiv, best.record.arxiv),
        ("DOI", citation.doi, best.record.doi),
    ):
        if cited and known and cited.lower() != known:
            reason = f"The paper is there, but its {kind} is {known}, not {cited}."
            return Outcome(
                Label.REFUTED, reason, None, reference(best.record), _near([best]), cited=True
            )
    return _judged(best)


def _best(citation: Citation, papers: PaperIndex) -> Comparison | None:
    """The paper that a citation means, if it means one in the index."""
    if not title_words(citation.title):
        return None
    near = [*papers.titled(citation.title), *papers.headed(citation.title)]
    if parts(citation.title)[1]:
        near += papers.titled(parts(citation.title)[0])
    if (exact := _first_meant(citation, near)) is not None and not exact.problems:
        return exact
    near += [one.record for one in papers.similar(citation.title)]
    return _first_meant(citation, near)


def _first_meant(citation: Citation, near: Iterable[Record]) -> Comparison | None:
    """The best of the papers that a citation can mean."""
    known = {(record.id, record.title): record for record in near}
    compared = (compare(citation, record) for record in known.values())
    return min((one for one in compared if one.is_meant), key=lambda one: one.rank, default=None)


def _judged(meant: Comparison) -> Outcome:
    """The end of a citation whose paper is found."""
    notes = " ".join(meant.notes)
    shown = _near([meant])
    if not meant.problems:
        reason = f"The paper is in the index as cited. {notes}".strip()
        return Outcome(Label.SUPPORTED, reason, records=shown, cited=True)
    if meant.problems == (f"its title is \u201c{meant.record.title}\u201d",) and (
        meant.relation is Relation.EXTENDED
    ):
        reason = (
            f"The index has \u201c{meant.record.title}\u201d by these authors, without the "
            "subtitle that is cited; catalogues leave subtitles out."
        )
        return Outcome(Label.NOT_ENOUGH_EVIDENCE, reason, Why.SILENT, records=shown, cited=True)
    reason = f"The paper exists, but {join(meant.problems)}."
    return Outcome(Label.REFUTED, reason, None, reference(meant.record), shown, cited=True)


def _missing(citation: Citation, papers: PaperIndex, nearest: Sequence[Near]) -> Outcome:
    """The end of a citation whose paper is not there."""
    shown = "; ".join(f"\u201c{one.record.title}\u201d ({one.similarity:.2f})" for one in nearest)
    tail = f" The nearest titles are {shown}." if shown else ""
    what = "title" if citation.title else "identifier"
    covered = next((one for one in papers.complete if covers(one, citation)), None)
    if covered:
        reason = (
            f"No paper with this {what} is in {papers.name}, which is declared to hold all of "
            f"{covered}.{tail}"
        )
        return Outcome(Label.REFUTED, reason, records=tuple(nearest))
    year, until = citation.number, papers.snapshot_date[:4]
    if year and until.isdecimal() and year > int(until):
        reason = f"The citation is of {year}, the index {papers.name} ends in {until}.{tail}"
        return Outcome(
            Label.NOT_ENOUGH_EVIDENCE, reason, Why.OUTSIDE_SNAPSHOT, records=tuple(nearest)
        )
    reason = (
        f"No paper with this {what} is in {papers.name}, which does not claim to hold all.{tail}"
    )
    return Outcome(Label.NOT_ENOUGH_EVIDENCE, reason, Why.NOT_IN_CORPUS, records=tuple(nearest))


def _by_author(citation: Citation, papers: PaperIndex, context: str) -> Outcome:
    """Papers by these authors of this year; which one is meant the sentence may tell."""
    read, year = names.readings(citation.authors), citation.number
    if not read or year is None:
        reason = "The text gives neither a title nor authors with a year."
        return Outcome(Label.NOT_ENOUGH_EVIDENCE, reason, Why.SILENT)
    first = read[0].people[0].family
    near = {
        (one.id, one.title): one
        for at in (year, year + 1, year - 1)
        for one in papers.by_author(first, at)
    }
    compared = [compare(citation, record) for record in near.values()]
    fitting = [one for one in compared if not one.problems and one.year != "wrong"]
    told = [one for one in fitting if is_named(one.record, context)]
    if told:
        return _judged(min(told, key=lambda one: one.rank))
    if not fitting:
        return _missing_author(citation, papers)
    shown = fitting[:NEAREST]
    listed = join([f"\u201c{one.record.title}\u201d" for one in shown])
    more = f" and {len(fitting) - len(shown)} more" if len(fitting) > len(shown) else ""
    reason = (
        f"The text gives no title; the index has {listed}{more} by these authors of "
        f"{years_of(shown[0].record) if len(shown) == 1 else year}."
    )
    return Outcome(Label.NOT_ENOUGH_EVIDENCE, reason, Why.SILENT, records=_near(shown))


def _missing_author(citation: Citation, papers: PaperIndex) -> Outcome:
    reason = (
        f"The text gives no title, and {papers.name} has no paper by {citation.authors} of "
        f"{citation.number}."
    )
    covered = next((one for one in papers.complete if covers(one, citation)), None)
    if covered:
        return Outcome(Label.REFUTED, f"{reason} It is declared to hold all of {covered}.")
    return Outcome(Label.NOT_ENOUGH_EVIDENCE, reason, Why.NOT_IN_CORPUS)


def covers(coverage: Coverage, citation: Citation) -> bool:
    """True if an index with this coverage must hold the paper, were the citation right.

    >>> covers(Coverage("ACL", 2015, 2019), Citation(venue="Proc. of ACL", year="2018"))
    True
    >>> covers(Coverage("ACL", 2015, 2019), Citation(venue="TACL", year="2018"))
    False
    """
    year = citation.number
    if year is None or not coverage.first <= year <= coverage.last:
        return False
    if coverage.field == EVERYTHING:
        return True
    if coverage.field.lower() == "arxiv" and citation.arxiv:
        return True
    wanted, given = title_words(coverage.field), title_words(citation.venue)
    return bool(wanted) and any(
        given[at : at + len(wanted)] == wanted for at in range(len(given) - len(wanted) + 1)
    )


def is_named(record: Record, context: str) -> bool:
    """True if a sentence names a paper by its title, or by the name before its colon.

    >>> is_named(Record("1", "BERT: Pre-training"), "We use BERT (Devlin et al., 2018).")
    True
    """
    said = title_words(context)
    head, tail = parts(record.title)
    for name in (record.title, head if tail else ""):
        wanted = title_words(name)
        if wanted and any(
            said[at : at + len(wanted)] == wanted for at in range(len(said) - len(wanted) + 1)
        ):
            return True
    return False


def _near(compared: Iterable[Comparison]) -> tuple[Near, ...]:
    return tuple(Near(one.record, round(one.similarity, 4)) for one in compared)
