"""A whole document under its headings, and its passages."""

from collections.abc import Iterator
from dataclasses import dataclass

from corpora.passage import Passage, chunk


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a document under one heading."""

    text: str
    """Paragraphs, with line breaks between."""
    heading: str = ""
    """Headings from the outermost to its own, ` > ` between; empty for the lead."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a reader makes of a page, before it is cut into passages."""

    id: str
    """Unique within its source, and the same in a later snapshot: a page's number, its path."""
    title: str
    sections: tuple[Section, ...]
    url: str = ""
    revision: str = ""
    date: str = ""
    """ISO date (YYYY-MM-DD) of the revision."""
    language: str = ""
    """ISO 639-1 code; empty if unknown."""


def passages(document: Document, source: str, words: int = 100) -> Iterator[Passage]:
    """Cut a document into passages; none reaches over a heading.

    Args:
        document: Sections without text are passed over.
        source: Name of the corpus; the ids are `<source>:<document id>:<n>`.
        words: Wanted size of a passage.

    >>> page = Document("7", "Baikal", (Section("A lake."), Section("Old.", "History")))
    >>> [(one.id, one.section, one.text) for one in passages(page, "wiki")]
    [('wiki:7:0', '', 'A lake.'), ('wiki:7:1', 'History', 'Old.')]
    """
    language = document.language or "en"
    cut = (
        (section.heading, text)
        for section in document.sections
        for text in chunk(section.text, words, language)
    )
    for number, (heading, text) in enumerate(cut):
        yield Passage(
            id=f"{source}:{document.id}:{number}",
            text=text,
            title=document.title,
            section=heading,
            source=source,
            url=document.url,
            revision=document.revision,
            date=document.date,
            language=document.language,
        )
