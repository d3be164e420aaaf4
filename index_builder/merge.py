"""Parts -> the text of an index. Of a document that is in several of them, the newest is kept."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b, sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.passage import Passage
from index_builder import aliases, store
from index_builder.gather import Part

_ROW = np.dtype(
    [("high", "u8"), ("low", "u8"), ("date", "u8"), ("revision", "u8"), ("start", "u8")]
)
"""A run of passages of one document: two halves of the hash of its id, when it was written, the
number of its revision, its first row."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """How many documents were where, when parts were made one."""

    added: int = 0
    """In other parts than the first only."""
    replaced: int = 0
    """In the first, and newer in another."""
    kept: int = 0
    """In the first, and no newer in any other."""
    superseded: int = 0
    """Left out, because another part has them newer."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What `merge` put on disk."""

    written: store.Written
    named: aliases.Named
    chosen: Chosen


def merge(parts: Sequence[Part], work: Path, note: Path) -> Merged:
    """Write the store and the aliases of all parts into `work`, unless `note` says it was done."""
    key = sha256(" ".join(part.key + part.folder.name for part in parts).encode()).hexdigest()
    if note.is_file():
        done = json.loads(note.read_text("utf-8"))
        if done.pop("key") == key:
            return Merged(
                store.Written(**done["written"]),
                aliases.Named(**done["named"]),
                Chosen(**done["chosen"]),
            )
        note.unlink()
    named = aliases.merge([part.aliases for part in parts], work)
    if len(parts) == 1:
        written, chosen = _linked(parts[0], work), Chosen()
    else:
        stores = [store.Store.open(part.folder) for part in parts]
        kept, chosen = choose([table(one) for one in stores])
        rows = (row for one, runs in zip(stores, kept, strict=True) for row in _rows(one, runs))
        written = store.write(rows, work)
    merged = Merged(written, named, chosen)
    part = note.with_suffix(".part")
    part.write_text(json.dumps({"key": key, **asdict(merged)}), "utf-8")
    part.replace(note)
    return merged


def table(one: store.Store) -> NDArray[np.void]:
    """The documents of a store, one row a run of passages."""
    rows: list[tuple[int, int, int, int, int]] = []
    last = None
    for row, passage in enumerate(one):
        key = _key(passage)
        if key != last:
            last, digest = key, blake2b(key.encode(), digest_size=16).digest()
            halves = int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
            rows.append((*halves, _date(passage.date), _revision(passage.revision), row))
    return np.array(rows, dtype=_ROW)


def choose(
    tables: Sequence[NDArray[np.void]],
) -> tuple[list[NDArray[np.int64]], Chosen]:
    """For each table, the spans of rows to keep, as an array of shape (n, 2), and the counts.

    Of equal documents the one with the later date, else the higher revision, is kept. If those are
    the same it is the first, which is no older; if there are none it is the last.
    """
    every = np.concatenate(tables)
    part = np.repeat(np.arange(len(tables)), [len(one) for one in tables])
    tie = np.where(every["revision"] > 0, -part, part)
    order = np.lexsort((tie, every["revision"], every["date"], every["low"], every["high"]))
    high, low = every["high"][order], every["low"][order]
    new = np.append(True, (high[1:] != high[:-1]) | (low[1:] != low[:-1]))
    group = np.cumsum(new) - 1
    winner = part[order][np.append(np.flatnonzero(new)[1:], len(order)) - 1]
    keep = np.empty(len(order), dtype=bool)
    keep[order] = part[order] == winner[group]
    spans = []
    for number, one in enumerate(tables):
        starts = one["start"].astype(np.int64)
        ends = np.append(starts[1:], np.iinfo(np.int64).max)
        both = np.stack([starts, ends], axis=1)
        spans.append(both[keep[part == number]])
    return spans, _counted(group, part[order], winner)


def _counted(
    group: NDArray[np.int64], part: NDArray[np.int64], winner: NDArray[np.int64]
) -> Chosen:
    pairs = np.unique(np.stack([group, part], axis=1), axis=0)
    times = np.bincount(pairs[:, 0], minlength=len(winner))
    first = np.zeros(len(winner), dtype=bool)
    first[pairs[pairs[:, 1] == 0, 0]] = True
    both = first & (times > 1)
    return Chosen(
        added=int((~first).sum()),
        replaced=int((both & (winner > 0)).sum()),
        kept=int((both & (winner == 0)).sum()),
        superseded=int((times - 1).sum()),
    )


def _rows(one: store.Store, spans: NDArray[np.int64]) -> Iterator[Passage]:
    """Passages of the spans; spans that touch are read at once."""
    if not len(spans):
        return
    breaks = np.flatnonzero(spans[1:, 0] != spans[:-1, 1]) + 1
    for run in np.split(spans, breaks):
        yield from one.rows(int(run[0, 0]), min(int(run[-1, 1]), len(one)))


@lru_cache(maxsize=1024)
def series(source: str) -> str:
    """The name of a source without the date of its snapshot.

    >>> series("enwiki-20240501-pages-articles1"), series("wikipedia_en_all_maxi_2024-05")
    ('enwiki', 'wikipedia_en_all_maxi')
    >>> series("log-20240501")
    'log-20240501'
    """
    dump = re.match(r"(\w+)-\d{8}-pages", source)
    return dump[1] if dump else re.sub(r"_\d{4}-\d\d$", "", source)


def _key(passage: Passage) -> str:
    whole, source = store.document(passage), passage.source
    if source and whole.startswith(f"{source}:"):
        return series(source) + whole[len(source) :]
    return whole


def _date(date: str) -> int:
    digits = date.replace("-", "")[:8]
    return int(digits.ljust(8, "0")) if digits.isascii() and digits.isdigit() else 0


def _revision(revision: str) -> int:
    return int(revision) if revision.isascii() and revision.isdigit() and len(revision) < 19 else 0


def _linked(part: Part, work: Path) -> store.Written:
    """The only part is the text of the index: its files are put there without copying them."""
    for name in store.FILES:
        (work / name).unlink(missing_ok=True)
        try:
            os.link(part.folder / name, work / name)
        except OSError:
            shutil.copy(part.folder / name, work / name)
    assert part.written is not None
    return part.written
