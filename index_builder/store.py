"""The passages' text on disk: an Arrow IPC file, memory-mapped, one row a passage.

Row numbers are what Lucene and FAISS speak of. A second file holds sorted hashes of the ids, so
that `get` is a binary search in a memory map and duplicate ids are found when writing.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
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
ROWS_PER_BATCH = 4096

COLUMNS = tuple(field.name for field in fields(Passage))


@dataclass(frozen=True, slots=True)
class Written:
    """What `write` put on disk."""

    passages: int
    documents: int
    """Runs of passages with one title."""
    hash: str
    """SHA-256 over every field of every passage in order, in hex."""


def write(passages: Iterable[Passage], folder: Path) -> Written:
    """Write passages as a store, holding one batch of them in memory.

    Raises:
        BadIndex: There are no passages, or two have the same id.
    """
    import pyarrow as pa

    schema = pa.schema([(name, pa.string()) for name in COLUMNS])
    content = hashlib.sha256()
    keys: list[int] = []
    documents, title = 0, None
    rows = iter(passages)
    with pa.OSFile(str(folder / TEXT_FILE), "wb") as sink, pa.ipc.new_file(sink, schema) as file:
        while batch := list(islice(rows, ROWS_PER_BATCH)):
            columns = [[getattr(passage, name) for passage in batch] for name in COLUMNS]
            file.write_batch(pa.record_batch(columns, schema=schema))
            for passage in batch:
                content.update(_bytes(passage))
                keys.append(_key(passage.id))
                documents, title = documents + (passage.title != title), passage.title
    if not keys:
        raise BadIndex("There is no text to index: the source has no passages.")
    _write_ids(keys, folder)
    return Written(len(keys), documents, content.hexdigest())


class Store:
    """Passages by row number or id. Safe to read from several threads."""

    def __init__(self, batches: list[Any], ids: NDArray[np.void]) -> None:
        self._batches = batches
        self._ends = list(accumulate(batch.num_rows for batch in batches))
        self._ids = ids

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
        except (OSError, ValueError, pa.ArrowException) as error:
            raise BadIndex(
                f"The passages in {folder} cannot be read ({error}). "
                "Build the index again with `verifier index build --force`."
            ) from error
        return cls(batches, ids)

    def __len__(self) -> int:
        """Number of passages."""
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, row: int) -> Passage:
        """The passage in a row, counted from 0."""
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        at = bisect_right(self._ends, row)
        batch = self._batches[at]
        inside = row - (self._ends[at] - batch.num_rows)
        return Passage(**{name: batch.column(name)[inside].as_py() for name in COLUMNS})

    def __iter__(self) -> Iterator[Passage]:
        """All passages in row order."""
        return self.rows(0, len(self))

    def rows(self, start: int, end: int) -> Iterator[Passage]:
        """Passages of the rows in the half-open range."""
        return (self[row] for row in range(start, end))

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


def _write_ids(keys: list[int], folder: Path) -> None:
    ids = np.empty(len(keys), dtype=[("key", np.uint64), ("row", np.uint64)])
    ids["key"], ids["row"] = keys, np.arange(len(keys))
    ids.sort(order=("key", "row"))
    np.save(folder / IDS_FILE, ids)
    twice = np.flatnonzero(ids["key"][1:] == ids["key"][:-1])
    if len(twice):
        store = Store.open(folder)
        for at in twice:
            one, two = store[int(ids["row"][at])].id, store[int(ids["row"][at + 1])].id
            if one == two:
                raise BadIndex(f"Two passages have the id {one!r}. Give each document its own id.")
