"""The tables of a papers index: one SQLite file, words of titles in its full-text index (FTS5)."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from corpora.record import Person, Record
from index_builder.records_merge import is_same, merged
from index_builder.records_titles import family_key, parts, title_key, title_words

FILE = "papers.sqlite"

FIELDS = tuple(one.name for one in fields(Record))

LAYOUT = """
CREATE TABLE papers (row INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE ids (id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE titles (
    number INTEGER PRIMARY KEY, row INTEGER NOT NULL, whole INTEGER NOT NULL, head INTEGER NOT NULL
);
CREATE TABLE families (
    family TEXT NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (family, row)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (
    title, content='', detail=none, tokenize="unicode61 remove_diacritics 0"
);
CREATE VIRTUAL TABLE counts USING fts5vocab (words, row);
CREATE TABLE frequencies (word TEXT PRIMARY KEY, titles INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX by_whole ON titles (whole);
CREATE INDEX by_head ON titles (head);
CREATE INDEX by_row ON titles (row);
"""


class Writer:
    """Fills the tables, merging records of one paper as they come."""

    def __init__(self, folder: Path) -> None:
        """Make the file; there must be none."""
        self._tables = sqlite3.connect(folder / FILE)
        self._tables.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {LAYOUT}")
        self._content = hashlib.sha256()
        self.papers = self.merged = 0

    def add(self, record: Record) -> None:
        """Put a record in, or into the one of the same paper."""
        text = dumped(record)
        self._content.update(text.encode("utf-8", "replace") + b"\n")
        found = self._same(record)
        if found is None:
            self.papers += 1
            self._put(self.papers, text)
            self._list(self.papers, record, (record.title, *record.titles))
            return
        row, known = found
        whole = merged(known, record)
        self.merged += 1
        if whole != known:
            self._put(row, dumped(whole))
            new = [one for one in whole.titles if one not in known.titles]
            self._list(row, whole, new)

    def finish(self) -> str:
        """Write everything to disk and close.

        Returns:
            SHA-256 over every record in order, in hex.
        """
        self._tables.execute("INSERT INTO words (words) VALUES ('optimize')")
        # Counting the titles of a frequent word takes milliseconds; here it is done once for all.
        self._tables.execute("INSERT INTO frequencies SELECT term, doc FROM counts")
        self._tables.commit()
        self._tables.execute("ANALYZE")
        self._tables.commit()
        self._tables.close()
        return self._content.hexdigest()

    def close(self) -> None:
        """Give up."""
        self._tables.close()

    def _same(self, record: Record) -> tuple[int, Record] | None:
        """The row and record of the same paper, by identifier, then by title."""
        for query, value in (
            *(("SELECT row FROM ids WHERE id = ?", one) for one in identifiers(record)),
            ("SELECT row FROM titles WHERE whole = ? ORDER BY number", hashed(record.title)),
        ):
            for (row,) in self._tables.execute(query, (value,)).fetchall():
                known = read(self._tables, [row])[0]
                if is_same(known, record):
                    return row, known
        return None

    def _put(self, row: int, text: str) -> None:
        self._tables.execute("INSERT OR REPLACE INTO papers VALUES (?, ?)", (row, text))

    def _list(self, row: int, record: Record, titles: Iterable[str]) -> None:
        """Make a row findable by its identifiers, authors and these titles."""
        run = self._tables
        ids = [(one, row) for one in identifiers(record)]
        run.executemany("INSERT OR IGNORE INTO ids VALUES (?, ?)", ids)
        families = [(one, row) for one in {family_key(who.family) for who in record.authors} if one]
        run.executemany("INSERT OR IGNORE INTO families VALUES (?, ?)", families)
        for title in titles:
            made = run.execute(
                "INSERT INTO titles (row, whole, head) VALUES (?, ?, ?)",
                (row, hashed(title), hashed(parts(title)[0])),
            )
            words = " ".join(title_words(title))
            run.execute("INSERT INTO words (rowid, title) VALUES (?, ?)", (made.lastrowid, words))


def read(tables: sqlite3.Connection, rows: Sequence[int]) -> list[Record]:
    """The records of some rows, in that order."""
    found: list[Record] = []
    for row in rows:
        query = "SELECT record FROM papers WHERE row = ?"
        found.extend(loaded(text) for (text,) in tables.execute(query, (row,)))
    return found


def every(tables: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """Row and title of each paper, in order."""
    for row, text in tables.execute("SELECT row, record FROM papers ORDER BY row"):
        yield row, loaded(text).title


def identifiers(record: Record) -> list[str]:
    """The keys of a record in the table of identifiers.

    >>> identifiers(Record("1", "Adam", arxiv="1412.6980", doi="10.1/x"))
    ['arxiv:1412.6980', 'doi:10.1/x']
    """
    ids = {"arxiv": record.arxiv, "doi": record.doi}
    return [f"{kind}:{name}" for kind, name in ids.items() if name]


def hashed(title: str) -> int:
    """63 bits of a hash of a title's key: an integer takes less room than the title."""
    digest = hashlib.blake2b(title_key(title).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


def dumped(record: Record) -> str:
    """A record as JSON, without what is empty."""
    # Not `asdict`, which copies deeply: that took most of the time of a build.
    table = {name: value for name in FIELDS if (value := getattr(record, name))}
    table["authors"] = [[who.family, who.given] for who in record.authors]
    if not record.all_authors:
        table["all_authors"] = False
    return json.dumps(table, ensure_ascii=False, separators=(",", ":"))


def loaded(text: str) -> Record:
    """The record that `dumped` wrote.

    >>> one = Record("1", "Adam", (Person("Ba", "J."),), False, 2014, (2015,))
    >>> loaded(dumped(one)) == one
    True
    """
    table = json.loads(text)
    table["authors"] = tuple(Person(*one) for one in table["authors"])
    for name in ("published", "titles"):
        table[name] = tuple(table.get(name, ()))
    return Record(**table)
