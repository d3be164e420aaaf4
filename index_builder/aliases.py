"""Other names of documents (redirects of a wiki) on disk: a SQLite table, title -> aliases.

There may be ten million of them, so neither a reader's list nor the sorted table is ever held in
memory: SQLite sorts in files.
"""

import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from index_builder.errors import BadIndex

FILE = "aliases.sqlite"
AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Named:
    """What `merge` put on disk."""

    aliases: int
    hash: str
    """SHA-256 over titles and aliases in order, in hex."""


class Spill:
    """Takes aliases as they come and writes them to a file; several of them make a table."""

    def __init__(self, file: Path) -> None:
        self._rows: list[tuple[str, str]] = []
        self._tables = _new(file)
        self._tables.execute("CREATE TABLE aliases (title TEXT, alias TEXT)")

    def add(self, alias: str, title: str) -> None:
        """Take one; a name that is the title itself, or blank, tells nothing and is left out."""
        if alias.strip() and alias != title:
            self._rows.append((title, alias))
        if len(self._rows) >= AT_ONCE:
            self._write()

    def close(self) -> None:
        """Write the rest."""
        self._write()
        self._tables.commit()
        self._tables.close()

    def _write(self) -> None:
        self._tables.executemany("INSERT INTO aliases VALUES (?, ?)", self._rows)
        self._rows.clear()


class Aliases:
    """The table of an index. Safe to use from several threads."""

    def __init__(self, tables: sqlite3.Connection) -> None:
        self._tables = tables
        self._lock = threading.Lock()

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the table in `folder`.

        Raises:
            BadIndex: It is damaged.
        """
        address = f"{(folder / FILE).absolute().as_uri()}?mode=ro&immutable=1"
        try:
            opened = cls(sqlite3.connect(address, uri=True, check_same_thread=False))
        except sqlite3.Error as error:
            raise _damaged(error) from error
        opened.of("")
        return opened

    def of(self, title: str) -> tuple[str, ...]:
        """Other names of the documents with this title, in order of their letters.

        Raises:
            BadIndex: The table is damaged.
        """
        query = "SELECT alias FROM aliases WHERE title = ? ORDER BY alias"
        try:
            with self._lock:
                return tuple(alias for (alias,) in self._tables.execute(query, (title,)))
        except sqlite3.Error as error:
            raise _damaged(error) from error

    def close(self) -> None:
        """Close the file."""
        self._tables.close()


def merge(spills: Sequence[Path], folder: Path) -> Named:
    """Make one sorted table of files of `Spill` or of other indexes; each pair once."""
    file = folder / FILE
    file.unlink(missing_ok=True)
    tables = _new(file)
    tables.execute(
        "CREATE TABLE aliases (title TEXT, alias TEXT, PRIMARY KEY (title, alias)) WITHOUT ROWID"
    )
    tables.commit()
    tables.execute("CREATE TEMP TABLE every (title TEXT, alias TEXT)")
    for spill in spills:
        tables.execute("ATTACH ? AS spill", (f"{spill.absolute().as_uri()}?mode=ro",))
        tables.execute("INSERT INTO every SELECT title, alias FROM spill.aliases")
        tables.commit()
        tables.execute("DETACH spill")
    tables.execute(
        "INSERT INTO aliases SELECT DISTINCT title, alias FROM every ORDER BY title, alias"
    )
    tables.commit()
    found = _named(tables.execute("SELECT title, alias FROM aliases ORDER BY title, alias"))
    tables.close()
    return found


def _named(rows: Iterable[tuple[str, str]]) -> Named:
    content, count = hashlib.sha256(), 0
    for title, alias in rows:
        content.update(f"{title}\x1f{alias}\x1e".encode())
        count += 1
    return Named(count, content.hexdigest())


def _new(file: Path) -> sqlite3.Connection:
    """A file that is worth nothing until it is whole, so it needs no journal."""
    tables = sqlite3.connect(f"{file.absolute().as_uri()}?mode=rwc", uri=True)
    for setting in ("journal_mode = OFF", "synchronous = OFF", "temp_store = FILE"):
        tables.execute(f"PRAGMA {setting}")
    return tables


def _damaged(error: Exception) -> BadIndex:
    return BadIndex(
        f"The aliases of the index cannot be read ({error}). "
        "Build the index again with `verifier index build --force`."
    )
