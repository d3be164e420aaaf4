"""Reads a user's own text: JSON Lines, one document a line, gzip if the name ends in .gz.

A line is `{"text": ..., "title": ..., "id": ...}`; `section`, `source`, `url`, `revision` and
`date` are kept where given. Only `text` must be there; long texts are cut into passages.
"""

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from corpora.errors import CorpusError
from corpora.passage import Passage, chunk

KEPT = ("section", "source", "url", "revision", "date")


def read(path: Path) -> Iterator[Passage]:
    """Passages of the file, in its order; ids are `<file>:<id, else title, else line>:<n>`.

    Raises:
        CorpusError: The file cannot be read, or a line is not a document; the line is named.
    """
    name = path.name.split(".")[0]
    used: Counter[str] = Counter()
    for number, line in _lines(path):
        if not line.strip():
            continue
        row = _row(line, path, number)
        title = row.get("title", "")
        key = row.get("id") or title or str(number)
        kept = {"source": name} | {field: row[field] for field in KEPT if row.get(field)}
        for text in chunk(row["text"]):
            yield Passage(f"{name}:{key}:{used[key]}", text, title, **kept)
            used[key] += 1


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Line number, counted from 1, and line."""
    try:
        # utf-8-sig: editors of some systems write a byte-order mark first.
        with (
            gzip.open(path, "rt", encoding="utf-8-sig")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8-sig")
        ) as file:
            yield from enumerate(file, start=1)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise CorpusError(f"{path} cannot be read: {error}.") from error


def _row(line: str, path: Path, number: int) -> Mapping[str, str]:
    """The strings of a line; numbers become strings, null counts as absent."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise CorpusError(f"{path}, line {number}: not JSON ({error}).") from error
    if not isinstance(row, dict):
        raise CorpusError(f"{path}, line {number}: a JSON {type(row).__name__}, not an object.")
    if not isinstance(row.get("text"), str) or not row["text"].strip():
        raise CorpusError(
            f'{path}, line {number}: no "text". A line looks like {{"id": "1", "title": '
            '"Lake Baikal", "text": "Lake Baikal is a rift lake ..."}.'
        )
    return {key: str(value) for key, value in row.items() if value is not None}
