"""How well FAISS finds what exact search finds, and how far it must look to find it.

Passages of the index are the queries; what is to be found are the ten nearest others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from index_builder import dense
from index_builder.shards import Shards

QUERIES = 1000
NEAREST = 10
WANTED = 0.95
SEED = 20_260_101
EQUAL = 1e-5
"""Inner products that differ by less are equal: passages with the same text are as good."""

EFFORTS = (128, 256, 512, 1024, 2048)
"""Candidates that HNSW holds; no fewer than a search of an index asks for."""

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tuned:
    """How an index is to be searched, and what comes of it."""

    parameters: Mapping[str, int]
    recall_at_10: float


@dataclass(frozen=True, slots=True)
class Asked:
    """Queries and what exact search finds for them."""

    rows: Rows
    vectors: dense.Vectors
    least: dense.Vectors
    """The inner product of the last of the nearest."""
    count: int
    """How many are nearest: ten, or all others in a smaller index."""


def tune(index: Any, factory: str, shards: Shards) -> Tuned:  # noqa: ANN401 - no stubs
    """Set the least search parameter of a FAISS index that reaches `WANTED`, else the greatest.

    Args:
        index: Of `dense.make`; its parameter is set and is written with it.
        factory: Its type.
        shards: The vectors in it.
    """
    if factory == "Flat" or len(shards) < 2:
        return Tuned({}, 1.0)
    asked = ask(shards)
    name, efforts = _efforts(factory)
    recall = 0.0
    for effort in efforts:
        dense.set_search(index, {name: effort})
        recall = _recall(index, asked, shards)
        if recall >= WANTED:
            break
    return Tuned({name: effort}, round(recall, 4))


def ask(shards: Shards) -> Asked:
    """Draw the queries and search exactly, one block of vectors after the other."""
    import faiss

    rows = shards.draw(QUERIES, SEED)
    queries = shards.take(rows)
    count = min(NEAREST, len(shards) - 1)
    best = np.full((len(rows), count), -np.inf, dtype=np.float32)
    start = 0
    for block in shards.blocks():
        # One more than wanted, for the query itself is among them.
        k = min(count + 1, len(block))
        scores, found = faiss.knn(queries, block, k, metric=faiss.METRIC_INNER_PRODUCT)
        scores[found + start == rows[:, None]] = -np.inf
        best = -np.sort(-np.concatenate([best, scores], axis=1), axis=1)[:, :count]
        start += len(block)
    return Asked(rows, queries, best[:, -1], count)


def _recall(index: Any, asked: Asked, shards: Shards) -> float:  # noqa: ANN401 - no stubs
    """Share of the nearest that are found; one as near as the last of them counts as one."""
    _, found = index.search(asked.vectors, asked.count + 1)
    others = np.zeros((len(found), asked.count), dtype=np.int64)
    for at, row in enumerate(found):
        kept = row[(row != asked.rows[at]) & (row >= 0)][: asked.count]
        others[at] = np.pad(kept, (0, asked.count - len(kept)), constant_values=-1)
    distinct, where = np.unique(others, return_inverse=True)
    vectors = shards.take(np.maximum(distinct, 0))[where.reshape(others.shape)]
    scores = np.einsum("qd,qnd->qn", asked.vectors, vectors)
    good = (scores >= asked.least[:, None] - EQUAL) & (others >= 0)
    return float(good.mean())


def _efforts(factory: str) -> tuple[str, Iterator[int] | tuple[int, ...]]:
    if factory.startswith("HNSW"):
        return "efSearch", EFFORTS
    lists = dense.lists(factory)
    steps = [2**power for power in range(3, 12) if 2**power < lists // 2]
    return "nprobe", (*steps, max(1, lists // 2))
