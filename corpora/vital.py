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

from corpora.errors import CorpusError
from corpora.passage import Passage, chunk
from corpora.sources import named

NAME = "wikipedia-vital"


def read(path: Path) -> Iterator[Passage]:
    """Passages of the file, in its order.

    Raises:
        CorpusError: The file cannot be read or has another shape.
    """
    try:
        table = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise CorpusError(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(table, dict):
        raise CorpusError(f"{path} holds a JSON {type(table).__name__}, expected an object.")
    pattern = named(NAME).url
    for title, row in table.items():
        if not isinstance(row, dict) or not isinstance(row.get("extract"), str):
            raise CorpusError(f"{path}: the article {title!r} has no text under 'extract'.")
        url = pattern.format(title=quote(title.replace(" ", "_"), safe="_(),:'!*/"))
        for number, text in enumerate(chunk(tidy(row["extract"]))):
            yield Passage(f"{NAME}:{title}:{number}", text, title, source=NAME, url=url)


def tidy(text: str) -> str:
    r"""Undo what dropped templates leave behind.

    >>> tidy("Zoology  (;  , Greek\xa0'animal') is \n a science ( ) .")
    "Zoology (Greek 'animal') is a science."
    """
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\((?:[\s,;:/]+)", "(", text)
    text = re.sub(r"[\s,;:/]*\(\)", "", text)
    return re.sub(r" ([,.;:)])(?=\s|$)", r"\1", text).strip()
