"""Records of one paper from several catalogues -> one record."""

from dataclasses import replace

from corpora.record import Person, Record
from index_builder.records_titles import family_key, title_key

TELLING = 24
"""Letters of a title from which on it needs no author to tell two papers apart."""


def is_same(one: Record, other: Record) -> bool:
    """True if two records with one title or one identifier are of one paper.

    Two arXiv ids are two papers. Otherwise authors decide; titles without authors count as the
    same paper only where the title is long.

    >>> from corpora.record import Person
    >>> li, bo = Record("1", "Fish", (Person("Li"),)), Record("2", "Fish", (Person("Bo"),))
    >>> is_same(li, li), is_same(li, bo)
    (True, False)
    """
    if one.arxiv and other.arxiv:
        return one.arxiv == other.arxiv
    if one.doi and one.doi == other.doi:
        return True
    if not (one.authors and other.authors):
        return len(title_key(one.title)) >= TELLING
    first, second = _families(one), _families(other)
    return 2 * len(first & second) >= min(len(first), len(second))


def merged(one: Record, other: Record) -> Record:
    """What both say of one paper: all years and ids, and the longer list of authors.

    >>> one = merged(Record("1", "Adam", preprint=2014), Record("2", "Adam.", published=(2015,)))
    >>> one.years, one.titles
    ((2014, 2015), ())
    """
    preprints = [year for year in (one.preprint, other.preprint) if year is not None]
    fuller = max((one, other), key=lambda record: (len(record.authors), _fullness(record.authors)))
    known = {title_key(one.title)}
    titles = []
    for title in (*one.titles, other.title, *other.titles):
        if (key := title_key(title)) not in known:
            known.add(key)
            titles.append(title)
    return replace(
        one,
        authors=fuller.authors,
        all_authors=fuller.all_authors,
        preprint=min(preprints, default=None),
        published=tuple(sorted({*one.published, *other.published})),
        venue=one.venue or other.venue,
        abstract=one.abstract or other.abstract,
        arxiv=one.arxiv or other.arxiv,
        doi=one.doi or other.doi,
        url=one.url or other.url,
        titles=tuple(titles),
    )


def _families(record: Record) -> set[str]:
    return {family_key(author.family) for author in record.authors}


def _fullness(authors: tuple[Person, ...]) -> int:
    return sum(len(author.given) for author in authors)
