"""The shapes of rows in which collections of text are published as JSON Lines.

| who | keys |
|---|---|
| a user's own | `text`; `id`, `title`, `section`, `source`, `url`, `revision`, `date`, `language` |
| BEIR | `_id`, `title`, `text`, `metadata` |
| Pyserini | `id`, `contents`, the title often in its first line |
| passages that are cut already | `pid`, `title`, `section`, `text` |
| articles in sections | `title`, `sections: [{section, text}]` |
| wikitext | `title`, `wikitext` |
"""

import re
from collections.abc import Mapping
from typing import Any

from corpora.document import Document, Section

Row = Mapping[str, Any]

MARKS = ("text", "contents", "sections", "wikitext")
"""A row has one of these."""

TITLE_WORDS = 20
"""A first line of Pyserini's `contents` with more words is no title."""

HOST = re.compile(r"https?://(\w\w|simple)\.(?:m\.)?wiki[a-z]+\.org/")

DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ].*)?$")


class Unusable(ValueError):  # noqa: N818 - it says what the row is
    """A row that is no document; the message says why."""


def document(row: object, language: str = "") -> Document:
    r"""What a row holds; its id is empty if the row has none.

    Args:
        row: parsed JSON.
        language: of rows that do not say theirs.

    Raises:
        Unusable: it is no row of text.

    >>> found = document({"id": 7, "contents": "Baikal\nA deep lake."})
    >>> found.id, found.title, found.sections[0].text
    ('7', 'Baikal', 'A deep lake.')
    """
    if not isinstance(row, dict):
        raise Unusable(f"a JSON {type(row).__name__}, not an object")
    title = text(row, "title")
    heading, sections = _body(row, title)
    if not any(one.text.strip() for one in sections):
        raise Unusable(f"no text under any of {', '.join(MARKS)}")
    metadata = row.get("metadata")
    more = metadata if isinstance(metadata, dict) else {}
    url = text(row, "url") or text(more, "url")
    return Document(
        id=text(row, "id") or text(row, "_id"),
        title=heading,
        sections=sections,
        url=url,
        revision=text(row, "revision") or text(row, "revid"),
        date=date(text(row, "date") or text(row, "timestamp") or text(more, "date")),
        language=text(row, "language") or language_of(url) or language,
    )


def text(row: Row, key: str) -> str:
    """A value as text; empty for what is absent, null or no text or number.

    >>> text({"id": 7}, "id"), text({"id": None}, "id")
    ('7', '')
    """
    value = row.get(key)
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) else ""


def date(value: str) -> str:
    """The day of an ISO date or time; empty for anything else.

    >>> date("2023-11-01T10:00:00Z"), date("2020-01-02"), date("yesterday")
    ('2023-11-01', '2020-01-02', '')
    """
    found = DATE.match(value)
    return found[1] if found else ""


def language_of(url: str) -> str:
    """The language of a page of a wiki, from its host.

    >>> language_of("https://de.wikipedia.org/wiki/Baikal"), language_of("https://a.org/")
    ('de', '')
    """
    found = HOST.match(url)
    return "" if not found else "en" if found[1] == "simple" else found[1]


def titled(contents: str, title: str = "") -> tuple[str, str]:
    r"""Title and text of Pyserini's `contents`.

    >>> titled('"Lake Baikal"\nIt is deep.'), titled("It is deep.\nIt is old.")
    (('Lake Baikal', 'It is deep.'), ('', 'It is deep.\nIt is old.'))
    """
    first, _, rest = contents.partition("\n")
    first = first.strip().strip('"').strip()
    if not rest.strip() or (title and first != title):
        return title, contents
    if not title and (len(first.split()) > TITLE_WORDS or first.endswith((".", "!", "?", ":"))):
        return "", contents
    return first, rest.strip()


def _body(row: Row, title: str) -> tuple[str, tuple[Section, ...]]:
    """Title and sections."""
    if isinstance(row.get("text"), str):
        return title, (Section(row["text"], text(row, "section")),)
    if isinstance(row.get("contents"), str):
        heading, body = titled(row["contents"], title)
        return heading, (Section(body),)
    if isinstance(row.get("sections"), list):
        kept = [one for one in row["sections"] if isinstance(one, dict)]
        return title, tuple(Section(text(one, "text"), text(one, "section")) for one in kept)
    if isinstance(row.get("wikitext"), str):
        from corpora.wikitext import sections

        return title, sections(row["wikitext"], title)
    return title, ()
