"""Papers looked up by identifier, title, or author and year (`verifier index build papers`).

Titles are found by their words: SQLite's full-text index gives candidates that share the rarest
words, rapidfuzz says how alike they are. Vectors of titles, where the index has them, add more.
"""

import heapq
import math
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

# Not in the functions: look-ups run in threads, and its first import from two at once fails.
from rapidfuzz.fuzz import ratio

from corpora.identifiers import arxiv_id, doi
from corpora.record import Record
from index_builder import dense, records_store
from index_builder.errors import BadIndex
from index_builder.manifest import EncoderInfo
from index_builder.records_manifest import AGAIN, KIND, Coverage, PapersManifest, read
from index_builder.records_titles import family_key, parts, title_words

VECTORS = "titles.faiss"
FACTORY = "Flat"

RARE = 8
"""Words of a title that are searched for at most."""

COMMON = 10_000
"""Rows that the words searched for may have together: what is in every title tells nothing."""

CANDIDATES = 60
"""Papers whose titles are compared letter by letter."""

Encode = Callable[[Sequence[str]], dense.Vectors]


@dataclass(frozen=True, slots=True)
class Near:
    """A paper, and how much its title is like the one asked for."""

    record: Record
    similarity: float
    """Share of letters in common and in order, in [0, 1]; 1 is the same folded title."""


class PaperIndex:
    """An open papers index. Safe to use from several threads."""

    def __init__(
        self,
        manifest: PapersManifest,
        tables: sqlite3.Connection,
        vectors: dense.Dense | None = None,
        encode: Encode | None = None,
    ) -> None:
        self.manifest = manifest
        self._tables = tables
        self._vectors = vectors
        self._encode = encode
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls, folder: Path, encode: Encode | None = None, encoder: EncoderInfo | None = None
    ) -> Self:
        """Open the index in `folder`.

        Args:
            folder: where it is.
            encode: titles to vectors; None leaves the vectors out, if there are any.
            encoder: what `encode` is.

        Raises:
            IndexMissing: there is none.
            BadIndex: it is damaged, an index of passages, or made with another encoder.
        """
        manifest = PapersManifest.load(folder)
        vectors = None
        if encode is not None and manifest.encoder is not None:
            if encoder != manifest.encoder:
                raise BadIndex(
                    f"The titles in {folder} were encoded by {manifest.encoder}, not {encoder}. "
                    f"Use that encoder, or another index. {AGAIN}"
                )
            vectors = dense.Dense.open(folder / VECTORS, FACTORY)
        file = folder / records_store.FILE
        tables = sqlite3.connect(
            f"{file.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False
        )
        index = cls(manifest, tables, vectors, encode)
        index._rows("SELECT row FROM papers LIMIT 1", ())
        return index

    @staticmethod
    def is_at(folder: Path) -> bool:
        """True if there is a papers index in `folder`, whole or damaged."""
        try:
            return read(folder).get("kind") == KIND
        except BadIndex:
            return False

    @property
    def name(self) -> str:
        """What the index is called."""
        return self.manifest.name

    @property
    def id(self) -> str:
        """Hash of its content."""
        return self.manifest.id

    @property
    def snapshot_date(self) -> str:
        """ISO date that no paper in it is newer than; empty if unknown."""
        return self.manifest.source.snapshot_date

    @property
    def complete(self) -> tuple[Coverage, ...]:
        """Fields and years of which it holds every paper."""
        return self.manifest.complete

    def __len__(self) -> int:
        """Number of papers."""
        return self.manifest.counts.papers

    def close(self) -> None:
        """Close the file."""
        self._tables.close()

    def by_arxiv(self, name: str) -> Record | None:
        """The paper with an arXiv id, any version of it."""
        return self._by_id(f"arxiv:{arxiv_id(name)}")

    def by_doi(self, name: str) -> Record | None:
        """The paper with a DOI, in any case, also as an address."""
        return self._by_id(f"doi:{doi(name)}")

    def titled(self, title: str) -> tuple[Record, ...]:
        """Papers with exactly this title, but for case, accents, hyphens and punctuation."""
        return self._records("SELECT row FROM titles WHERE whole = ? ORDER BY row", title)

    def headed(self, title: str) -> tuple[Record, ...]:
        """Papers with this title and any subtitle or none, at most `CANDIDATES`."""
        query = f"SELECT row FROM titles WHERE head = ? ORDER BY row LIMIT {CANDIDATES}"  # noqa: S608
        return self._records(query, title)

    def by_author(self, family: str, year: int) -> tuple[Record, ...]:
        """Papers of a year with an author of this family name, in the order of the index."""
        query = "SELECT row FROM families WHERE family = ? ORDER BY row LIMIT 5000"
        rows = self._rows(query, (family_key(family),))
        return tuple(one for one in self._read(rows) if year in one.years)

    def similar(self, title: str, k: int = 10) -> tuple[Near, ...]:
        """Papers whose titles are most like this one, the most alike first.

        Also by its subtitle alone and without its subtitle; similarity is that of whole titles.
        """
        whole = "SELECT row FROM titles WHERE whole = ? ORDER BY row LIMIT 20"
        rows = dict.fromkeys(self._rows(whole, (records_store.hashed(title),)))
        rows.update(dict.fromkeys(self._by_words(title_words(title))))
        head, tail = parts(title)
        if tail:
            rows.update(dict.fromkeys(self._by_words(title_words(head))))
        rows.update(dict.fromkeys(self._by_vector(title)))
        near = [Near(one, likeness(title, one)) for one in self._read(tuple(rows))]
        return tuple(sorted(near, key=lambda one: -one.similarity)[:k])

    def _by_words(self, words: Sequence[str]) -> list[int]:
        """Rows whose titles share most of the rarest words, weighed by how rare they are.

        The full-text index's own ranking takes ten times as long: it counts every word anew.
        """
        scores: dict[int, float] = {}
        for word, count in self._rarest(words):
            weight = math.log(1 + len(self) / count)
            for number in self._rows("SELECT rowid FROM words WHERE words MATCH ?", (f'"{word}"',)):
                scores[number] = scores.get(number, 0.0) + weight
        best = heapq.nsmallest(CANDIDATES, scores, key=lambda number: (-scores[number], number))
        query = "SELECT row FROM titles WHERE number = ?"
        return [row for number in best for row in self._rows(query, (number,))]

    def _rarest(self, words: Sequence[str]) -> list[tuple[str, int]]:
        """The words to search for, and in how many titles they are; the rarest first."""
        query = "SELECT titles FROM frequencies WHERE word = ?"
        wanted = list(dict.fromkeys(words))[:60]
        counted = [(word, count) for word in wanted for count in self._rows(query, (word,))]
        counted.sort(key=lambda one: (one[1], one[0]))
        kept: list[tuple[str, int]] = []
        for word, count in counted[:RARE]:
            if kept and sum(count for _, count in kept) + count > COMMON:
                break
            kept.append((word, count))
        return kept

    def _by_vector(self, title: str) -> list[int]:
        if self._vectors is None or self._encode is None:
            return []
        [(rows, _)] = self._vectors.search_many(self._encode([title]), CANDIDATES)
        return [int(row) + 1 for row in rows]

    def _by_id(self, key: str) -> Record | None:
        found = self._read(self._rows("SELECT row FROM ids WHERE id = ?", (key,)))
        return found[0] if found else None

    def _records(self, query: str, title: str) -> tuple[Record, ...]:
        if not title_words(title):
            return ()
        rows = self._rows(query, (records_store.hashed(title),))
        return tuple(self._read(tuple(dict.fromkeys(rows))))

    def _rows(self, query: str, values: tuple[object, ...]) -> list[int]:
        try:
            with self._lock:
                return [row for (row,) in self._tables.execute(query, values)]
        except sqlite3.DatabaseError as error:
            raise BadIndex(f"The papers index {self.name} is damaged ({error}). {AGAIN}") from error

    def _read(self, rows: Sequence[int]) -> list[Record]:
        try:
            with self._lock:
                return records_store.read(self._tables, rows)
        except (sqlite3.DatabaseError, ValueError, KeyError, TypeError) as error:
            raise BadIndex(f"The papers index {self.name} is damaged ({error}). {AGAIN}") from error


def likeness(title: str, record: Record) -> float:
    """How alike a title is to the nearest of a record's, in [0, 1].

    >>> likeness("Deep Fish", Record("1", "Deep fish")), likeness("Cat", Record("1", "Dog"))
    (1.0, 0.0)
    """
    wanted = " ".join(title_words(title))
    return max(
        ratio(wanted, " ".join(title_words(one))) / 100 for one in (record.title, *record.titles)
    )
