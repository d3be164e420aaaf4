"""Reads JSON Lines, one document or passage a line, in the shapes of `corpora.layouts`.

Ids are `<file>:<id, else title, else line>:<n>`. A row with a `pid` is a passage that somebody
cut before us: it keeps that as its id and is left whole unless it is very long.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from corpora.document import Document, passages
from corpora.layouts import MARKS, Unusable, document, text
from corpora.passage import Passage
from corpora.reading import Reading, Skipped
from corpora.rows import rows
from corpora.told import Told

HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Escapes that may be half a character, which no file of an index can hold."""

REMEMBERED = 500_000
"""Ids whose number of passages is remembered, so that rows of one id do not clash."""


@dataclass(slots=True)
class Numbers:
    """How many passages each document has, in bounded memory.

    Rows that follow on each other and have the same id are always told apart; rows that are far
    from each other as long as the file has few ids. What clashes then is found by the index.
    """

    _counts: Counter[str] = field(default_factory=Counter)
    _last: tuple[str, int] = ("", 0)

    def next(self, key: str) -> int:
        """The number of the next passage of a document, from 0."""
        count = self._last[1] if key == self._last[0] else self._counts[key]
        self._last = (key, count + 1)
        if key in self._counts or len(self._counts) < REMEMBERED:
            self._counts[key] = count + 1
        return count


def read(path: Path, reading: Reading) -> Iterator[Passage]:
    """Passages of the file, in its order.

    Raises:
        CorpusError: no line of the file is a document; says what is wrong with the first.
    """
    name, numbers, told, found = path.name.split(".")[0], Numbers(), Told(reading), False
    for number, line in rows(path, replace(reading, skip=told)):
        try:
            row = _row(line)
            one = document(row, reading.language)
        except (ValueError, RecursionError) as error:
            told(Skipped(f"{path.name}, line {number}", _problem(error)))
            continue
        found = True
        source = text(row, "source") or name
        if pid := text(row, "pid"):
            yield from whole(one, pid, source, reading.words)
            continue
        key = one.id or one.title or str(number)
        for passage in passages(replace(one, id=key), name, reading.words):
            yield replace(passage, id=f"{name}:{key}:{numbers.next(key)}", source=source)
    if not found:
        raise told.nothing(
            path,
            'A line looks like {"id": "1", "title": "Lake Baikal", "text": "Lake Baikal is ..."}; '
            f"instead of text there may be {', '.join(MARKS[1:])}.",
        )


def whole(one: Document, key: str, source: str, words: int) -> Iterator[Passage]:
    """The passages of a row that is one: itself, or its pieces if it is more than twice too long.

    Args:
        one: the row.
        key: id of the passage; the pieces behind the first get `:1`, `:2` and so on.
        source: name of the corpus.
        words: wanted size of a passage.

    >>> from corpora.document import Section
    >>> [one] = whole(Document("", "T", (Section("a b c"),)), "p-1", "wiki", words=2)
    >>> one.id, one.text
    ('p-1', 'a b c')
    """
    body = "\n".join(section.text.strip() for section in one.sections)
    if len(body.split()) <= 2 * words:
        heading = one.sections[0].heading
        about = (source, one.url, one.revision, one.date, one.language)
        yield Passage(key, body, one.title, heading, *about)
        return
    for number, passage in enumerate(passages(one, source, words)):
        yield replace(passage, id=f"{key}:{number}" if number else key)


def _row(line: str) -> Any:  # noqa: ANN401 - JSON is anything
    row = json.loads(line)
    if HALF.search(line):
        json.dumps(row, ensure_ascii=False).encode()
    return row


def _problem(error: Exception) -> str:
    if isinstance(error, Unusable):
        return str(error)[:100]
    if isinstance(error, UnicodeEncodeError):
        return "it escapes half a character (a lone surrogate)"
    return f"not JSON ({str(error)[:100]})"
