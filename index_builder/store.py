"""The passages' text on disk: an Arrow IPC file, memory-mapped, one row a passage.

Row numbers are what Lucene and FAISS speak of. A second file holds sorted hashes of the ids, so
that `get` is a binary search in a memory map and duplicate ids are found when writing; a third
tells which rows are of one document.
"""

import hashlib
import zlib
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from corpora.passage import Passage
from index_builder.errors import BadIndex

TEXT_FILE = "passages.arrow"
IDS_FILE = "ids.npy"
TITLES_FILE = "titles.npy"
FILES = (TEXT_FILE, IDS_FILE, TITLES_FILE)
ROWS_PER_BATCH = 4096

COLUMNS = tuple(field.name for field in fields(Passage))


@dataclass(frozen=True, slots=True)
class Written:
    """What `write` put on disk."""

    passages: int
    documents: int
    """Runs of passages of one document; see `document`."""
    hash: str
    """SHA-256 over every field of every passage in order, in hex."""
    languages: Mapping[str, int]
    """Passages of each language, by code; those that say none under the empty string."""
    newest: str
    """The latest date of a passage; empty if one has none."""


def document(passage: Passage) -> str:
    """The id of the document that a passage is from: its own without the number at the end.

    >>> document(Passage("wiki:Lake Baikal:3", "It is deep.", "Lake Baikal"))
    'wiki:Lake Baikal'
    """
    head, _, number = passage.id.rpartition(":")
    return head if head and number.isdigit() else passage.id


def write(passages: Iterable[Passage], folder: Path) -> Written:
    """Write passages as a store, holding one batch of them in memory.

    Raises:
        BadIndex: There are no passages, or two have the same id.
    """
    import pyarrow as pa

    schema = pa.schema([(name, pa.string()) for name in COLUMNS])
    content, keys, titles, seen = hashlib.sha256(), array("Q"), array("I"), _Seen()
    rows = iter(passages)
    with pa.OSFile(str(folder / TEXT_FILE), "wb") as sink, pa.ipc.new_file(sink, schema) as file:
        while batch := list(islice(rows, ROWS_PER_BATCH)):
            columns = [[getattr(passage, name) for passage in batch] for name in COLUMNS]
            file.write_batch(pa.record_batch(columns, schema=schema))
            for passage in batch:
                content.update(_bytes(passage))
                keys.append(_key(passage.id))
                titles.append(zlib.crc32(passage.title.encode()))
                seen.add(passage)
    if not keys:
        raise BadIndex("There is no text to index: the source has no passages.")
    np.save(folder / TITLES_FILE, np.asarray(titles, dtype=np.uint32))
    _write_ids(keys, folder)
    languages = dict(sorted(seen.languages.items()))
    return Written(len(keys), seen.documents, content.hexdigest(), languages, seen.newest)


class _Seen:
    """What is counted while passages go by."""

    def __init__(self) -> None:
        self.documents = 0
        self.languages: Counter[str] = Counter()
        self._last: tuple[str, str] | None = None
        self._dates: set[str] = set()

    @property
    def newest(self) -> str:
        return "" if "" in self._dates else max(self._dates, default="")

    def add(self, passage: Passage) -> None:
        now = (document(passage), passage.title)
        self.documents, self._last = self.documents + (now != self._last), now
        self.languages[passage.language] += 1
        self._dates.add(passage.date)


class Store:
    """Passages by row number or id. Safe to read from several threads."""

    def __init__(
        self, batches: list[Any], ids: NDArray[np.void], titles: NDArray[np.uint32]
    ) -> None:
        self.batches = batches
        """Arrow's record batches, a column for each field of `Passage`."""
        self.titles = titles
        """A number for the title of each row: the same where the title is the same."""
        self._ends = list(accumulate(batch.num_rows for batch in batches))
        self._ids = ids
        # Getting a column from its batch takes as long as reading a value from it.
        self._columns: dict[int, list[Any]] = {}

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Map the store in `folder` into memory; nothing is read yet.

        Raises:
            BadIndex: The files are damaged.
        """
        import pyarrow as pa

        try:
            reader = pa.ipc.open_file(pa.memory_map(str(folder / TEXT_FILE)))
            batches = [reader.get_batch(at) for at in range(reader.num_record_batches)]
            ids = np.load(folder / IDS_FILE, mmap_mode="r")
            titles = np.load(folder / TITLES_FILE, mmap_mode="r")
        except (OSError, ValueError, pa.ArrowException) as error:
            raise BadIndex(
                f"The passages in {folder} cannot be read ({error}). "
                "Build the index again with `verifier index build --force`."
            ) from error
        return cls(batches, ids, titles)

    def __len__(self) -> int:
        """Number of passages."""
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, row: int) -> Passage:
        """The passage in a row, counted from 0."""
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        at = bisect_right(self._ends, row)
        batch = self.batches[at]
        if at not in self._columns:
            self._columns[at] = [batch.column(name) for name in COLUMNS]
        inside = row - (self._ends[at] - batch.num_rows)
        return Passage(*(column[inside].as_py() for column in self._columns[at]))

    def __iter__(self) -> Iterator[Passage]:
        """All passages in row order."""
        return self.rows(0, len(self))

    def rows(self, start: int, end: int) -> Iterator[Passage]:
        """Passages of the rows in the half-open range; quicker than one by one."""
        for first, batch in zip(self._starts(), self.batches, strict=True):
            low, high = max(start - first, 0), min(end - first, batch.num_rows)
            if low >= high:
                continue
            piece = batch.slice(low, high - low)
            columns = [piece.column(name).to_pylist() for name in COLUMNS]
            yield from map(Passage, *columns)

    def _starts(self) -> Iterator[int]:
        return (end - batch.num_rows for end, batch in zip(self._ends, self.batches, strict=True))

    def get(self, key: str) -> Passage:
        """The passage with an id.

        Raises:
            KeyError: No passage has it.
        """
        wanted = _key(key)
        at = int(np.searchsorted(self._ids["key"], np.uint64(wanted)))
        while at < len(self._ids) and int(self._ids["key"][at]) == wanted:
            passage = self[int(self._ids["row"][at])]
            if passage.id == key:
                return passage
            at += 1
        raise KeyError(key)


def _bytes(passage: Passage) -> bytes:
    """Every field, separated so that no two passages look alike."""
    parts = (getattr(passage, name) for name in COLUMNS)
    return "\x1f".join(parts).encode() + b"\x1e"


def _key(key: str) -> int:
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")


def _write_ids(keys: "array[int]", folder: Path) -> None:
    ids = np.empty(len(keys), dtype=[("key", np.uint64), ("row", np.uint64)])
    ids["key"], ids["row"] = np.frombuffer(keys, np.uint64), np.arange(len(keys))
    ids.sort(order=("key", "row"))
    np.save(folder / IDS_FILE, ids)
    twice = np.flatnonzero(ids["key"][1:] == ids["key"][:-1])
    if len(twice):
        store = Store.open(folder)
        for at in twice:
            one, two = store[int(ids["row"][at])].id, store[int(ids["row"][at + 1])].id
            if one == two:
                raise BadIndex(f"Two passages have the id {one!r}. Give each document its own id.")
