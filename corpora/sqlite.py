"""Reads the SQLite layout of FActScore (and of DrQA before it): a table `documents`.

FActScore's columns are title and text. A text is cut every 256 tokens, wherever that falls, and
the pieces are joined by a separator; its sentences stand between `<s>` and `</s>`. Both are undone
here, and the text is cut anew on sentence borders. DrQA's columns are id, which is the title, and
text. The file is opened for reading only.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from corpora.document import Document, Section, passages
from corpora.errors import CorpusError
from corpora.passage import Passage
from corpora.reading import Reading, Skipped
from corpora.told import Told

TABLE = "documents"

SEPARATOR = "####SPECIAL####SEPARATOR####"

TOKENS = re.compile(r"\s*(?:<s>|</s>|<pad>|<unk>)+\s*")

WANTED = (
    "Expected is a table `documents` with columns title and text (FActScore) or id and text (DrQA)."
)


def read(path: Path, reading: Reading) -> Iterator[Passage]:
    """Passages of the database, in the order of its rows; ids are `<file>:<title>:<n>`.

    Raises:
        CorpusError: it is no such database, or no row has text.
    """
    name, told, found = path.name.split(".")[0], Told(reading), False
    with closing(_connected(path)) as connection:
        title = _title_column(path, connection)
        for row, key, text in _rows(path, connection, title, reading):
            if not isinstance(key, str) or not key or not isinstance(text, str):
                told(Skipped(f"{path.name}, row {row}", "no title or no text"))
                continue
            if not (body := joined(text)):
                told(Skipped(f"{path.name}, {key[:80]!r}", "no text"))
                continue
            found = True
            one = Document(key, key, (Section(body),), language=reading.language)
            yield from passages(one, name, reading.words)
    if not found:
        raise told.nothing(path, WANTED)


def joined(text: str) -> str:
    """A text of FActScore's without what it was cut and marked with.

    >>> joined("<s>It is deep.</s><s>It is o####SPECIAL####SEPARATOR####ld.</s>")
    'It is deep. It is old.'
    """
    # Pieces end at tokens, which bring the space before them along; text without tokens was
    # joined by others, at paragraphs.
    whole = text.replace(SEPARATOR, "" if "<s>" in text else "\n")
    return TOKENS.sub(" ", whole).strip()


def _connected(path: Path) -> sqlite3.Connection:
    # `immutable` also reads from a folder that cannot be written, but not past a log of changes.
    log = path.with_name(path.name + "-wal")
    mode = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?{mode}", uri=True)
    except sqlite3.Error as error:
        raise CorpusError(f"{path} cannot be opened as SQLite: {error}.") from error
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def _title_column(path: Path, connection: sqlite3.Connection) -> str:
    try:
        columns = [row[1].lower() for row in connection.execute(f"PRAGMA table_info({TABLE})")]
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
    except sqlite3.Error as error:
        raise CorpusError(f"{path} cannot be read as SQLite: {error}. Get it again.") from error
    title = next((one for one in ("title", "id") if one in columns), "")
    if "text" not in columns or not title:
        found = f"columns {', '.join(columns)}" if columns else f"tables {', '.join(tables[:10])}"
        raise CorpusError(f"{path} has the {found}. {WANTED}")
    return title


def _rows(
    path: Path, connection: sqlite3.Connection, title: str, reading: Reading
) -> Iterator[tuple[int, object, object]]:
    """Row number, title and text; a damaged page ends it, and is told."""
    size, last, row = path.stat().st_size, 0, 0
    try:
        (last,) = connection.execute(f"SELECT max(rowid) FROM {TABLE}").fetchone()  # noqa: S608
        query = f"SELECT rowid, {title}, text FROM {TABLE} ORDER BY rowid"  # noqa: S608
        for row, key, text in connection.execute(query):
            if row % 1000 == 0 and last:
                reading.progress(size * row // last, size)
            yield row, key, text
    except sqlite3.Error as error:
        place = f"{path.name}, behind row {row} of {last}"
        reading.skip(Skipped(place, f"it breaks off ({error})"))
    reading.progress(size, size)
