"""Reads the vital-articles file: `{title: {title, extract, description, topic}}`, leads only.

The extracts come from MediaWiki's TextExtracts: line breaks between paragraphs, no-break and
doubled spaces and empty brackets are left where templates were dropped. Those are normalised, so
that a quote of a passage can be found in it word for word; nothing else is changed.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from corpora.document import Document, Section, passages
from corpora.errors import CorpusError
from corpora.passage import Passage
from corpora.reading import Reading, Skipped
from corpora.sources import named
from corpora.told import Told

NAME = "wikipedia-vital"


def read(path: Path, reading: Reading) -> Iterator[Passage]:
    """Passages of the file, in its order.

    Raises:
        CorpusError: The file cannot be read, has another shape, or no article has text.
    """
    try:
        table = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CorpusError(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(table, dict):
        raise CorpusError(f"{path} holds a JSON {type(table).__name__}, expected an object.")
    pattern, told, found, size = named(NAME).url, Told(reading), False, path.stat().st_size
    for done, (title, row) in enumerate(table.items()):
        if done % 1000 == 0:
            reading.progress(size * done // len(table), size)
        text = row.get("extract") if isinstance(row, dict) else None
        if not isinstance(text, str) or not text.strip():
            told(Skipped(f"{path.name}, article {title!r}", "it has no text under 'extract'"))
            continue
        found = True
        url = pattern.format(title=quote(title.replace(" ", "_"), safe="_(),:'!*/"))
        article = Document(title, title, (Section(tidy(text)),), url, language="en")
        yield from passages(article, NAME, reading.words)
    if not found:
        raise told.nothing(path, "An article is {title: {extract: text}}.")
    reading.progress(size, size)


def tidy(text: str) -> str:
    r"""Undo what dropped templates leave behind.

    >>> tidy("Zoology  (;  , Greek\xa0'animal') is \n a science ( ) .")
    "Zoology (Greek 'animal') is a science."
    """
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\((?:[\s,;:/]+)", "(", text)
    text = re.sub(r"[\s,;:/]*\(\)", "", text)
    return re.sub(r" ([,.;:)])(?=\s|$)", r"\1", text).strip()
