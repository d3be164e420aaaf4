"""FAISS over the passages' vectors: inner product, exact while the corpus is small."""

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from index_builder.errors import BadIndex

FILE = "dense.faiss"
FLAT_UP_TO = 200_000
GRAPH_UP_TO = 5_000_000
VECTORS_PER_LIST = 1_000
TRAINING_PER_LIST = 40

Vectors = NDArray[np.float32]


def kind(passages: int) -> str:
    """FAISS factory string for a corpus of that size.

    Flat is exact. HNSW keeps the vectors and a graph. IVF with 8-bit components takes a quarter of
    the memory and can be read from disk list by list.

    >>> kind(10_000), kind(1_000_000), kind(20_000_000)
    ('Flat', 'HNSW32', 'IVF20000,SQ8')
    """
    if passages <= FLAT_UP_TO:
        return "Flat"
    if passages <= GRAPH_UP_TO:
        return "HNSW32"
    return f"IVF{passages // VECTORS_PER_LIST},SQ8"


def build(shards: Iterable[Vectors], sample: Vectors, factory: str, file: Path) -> None:
    """Index vectors in the order they come.

    Args:
        shards: Arrays of shape (n, dimension).
        sample: Vectors to train on, shape (m, dimension); used by IVF only.
        factory: A string of `kind`.
        file: Where the index goes.
    """
    import faiss

    index = faiss.index_factory(sample.shape[1], factory, faiss.METRIC_INNER_PRODUCT)
    if not index.is_trained:
        index.train(np.ascontiguousarray(sample))
    for shard in shards:
        index.add(np.ascontiguousarray(shard))
    faiss.write_index(index, str(file))


class Dense:
    """An open FAISS index, memory-mapped."""

    def __init__(self, index: Any, dimension: int) -> None:  # noqa: ANN401 - no stubs
        self._index = index
        self._lock = threading.Lock()
        self.dimension = dimension

    @classmethod
    def open(cls, file: Path, factory: str) -> Self:
        """Map the index in `file` into memory.

        Raises:
            BadIndex: FAISS cannot read it.
        """
        import faiss

        # Matrix products give scores which depend in the last digits on how many queries came
        # together; one by one they don't, and a verdict must not depend on its neighbours.
        faiss.cvar.distance_compute_blas_threshold = np.iinfo(np.int32).max
        flag = faiss.IO_FLAG_MMAP if factory.startswith("IVF") else faiss.IO_FLAG_MMAP_IFC
        try:
            index: Any = faiss.read_index(str(file), flag | faiss.IO_FLAG_READ_ONLY)
        except RuntimeError as error:
            raise BadIndex(
                f"FAISS cannot read {file} ({str(error).strip().splitlines()[-1]}). "
                "Build the index again with `verifier index build --force`."
            ) from error
        if factory.startswith("HNSW"):
            index.hnsw.efSearch = 256
        elif factory.startswith("IVF"):
            index.nprobe = 64
        return cls(index, int(index.d))

    def search_many(self, vectors: Vectors, k: int) -> list[list[tuple[int, float]]]:
        """Nearest rows of each query vector.

        Args:
            vectors: Shape (queries, dimension).
            k: Rows wanted per query.

        Returns:
            Per query, (row, inner product) from the nearest down, ties in row order.

        Raises:
            BadIndex: The vectors have another dimension than the index.
        """
        check(vectors, len(vectors), self.dimension)
        if not len(vectors):
            return []
        k = min(k, int(self._index.ntotal))
        with self._lock:
            scores, rows = self._index.search(np.ascontiguousarray(vectors), k)
        return [
            sorted(
                ((int(row), float(score)) for row, score in zip(*pair, strict=True) if row >= 0),
                key=lambda hit: (-hit[1], hit[0]),
            )
            for pair in zip(rows, scores, strict=True)
        ]


def check(vectors: Vectors, count: int, dimension: int) -> None:
    """Refuse what is not `count` finite vectors of `dimension` numbers.

    Raises:
        BadIndex: Says the number found and the number expected.
    """
    if vectors.ndim != 2 or len(vectors) != count:
        raise BadIndex(f"The encoder returned shape {vectors.shape} for {count} texts.")
    if vectors.shape[1] != dimension:
        raise BadIndex(
            f"The encoder gives vectors of {vectors.shape[1]} numbers, the index has {dimension}. "
            "Use the encoder the index was built with, or build the index again."
        )
    if not np.isfinite(vectors).all():
        raise BadIndex("The encoder returned vectors with NaN or infinity.")
