"""FAISS over the passages' vectors: inner product, exact while the corpus is small."""

import math
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from index_builder.errors import BadIndex
from index_builder.fusion import Rows, Scores

FILE = "dense.faiss"
MEMORY = 8 << 30
"""Bytes that an index may have if nobody says otherwise."""
FLAT_UP_TO = 200_000
GRAPH = 32
"""Neighbours of a vector in HNSW."""
TRAINING_PER_LIST = 40
CODE_TRAINING = 25_600
"""Vectors that PQ needs for its 256 centres, and OPQ for its rotation."""

MARGIN = 16
"""Rows more than wanted that are worked out again, for what rounding put on the wrong side."""

Vectors = NDArray[np.float32]


def kind(passages: int, dimension: int, memory: int | None = None) -> str:
    """FAISS factory string for a corpus of that size.

    Flat is exact. HNSW keeps the vectors and a graph. IVF reads some lists of vectors only, whose
    components are 8 bits (SQ8) or which are coded as a whole (PQ, after a rotation, OPQ; `np`: not
    polysemous, which would anneal the codes for minutes and serves no search of ours).

    Args:
        passages: How many vectors there will be.
        dimension: Numbers in a vector.
        memory: Bytes it may take; `MEMORY` if None.

    Raises:
        BadIndex: Not even the smallest type fits.

    >>> kind(10_000, 384), kind(1_000_000, 384), kind(1_000_000, 384, 1 << 30)
    ('Flat', 'HNSW32', 'IVF4000,SQ8')
    >>> kind(41_000_000, 384), kind(41_000_000, 384, 4 << 30)
    ('OPQ192,IVF25612,PQ192np', 'OPQ64,IVF25612,PQ64np')
    """
    budget = MEMORY if memory is None else memory
    for factory in _kinds(passages, dimension):
        if size(factory, passages, dimension) <= budget:
            return factory
    need = size(factory, passages, dimension)
    raise BadIndex(
        f"{passages:,} vectors of {dimension} numbers take {_gib(need)} at least, "
        f"and {_gib(budget)} are allowed. Allow more with --memory."
    )


def _kinds(passages: int, dimension: int) -> list[str]:
    """From the most exact to the smallest."""
    lists = max(1, round(4 * math.sqrt(passages)))
    codes = [dimension // cut for cut in range(2, dimension // 8 + 1) if dimension % cut == 0]
    kinds = [f"HNSW{GRAPH}", f"IVF{lists},SQ8"]
    if passages >= CODE_TRAINING:
        kinds += [f"OPQ{code},IVF{lists},PQ{code}np" for code in codes]
    return ["Flat", *kinds] if passages <= FLAT_UP_TO else kinds


def size(factory: str, passages: int, dimension: int) -> int:
    """About the bytes of an index, in memory as on disk.

    >>> size("Flat", 1_000_000, 384), size("IVF4000,SQ8", 1_000_000, 384)
    (1536000000, 398144000)
    """
    whole = 4 * dimension
    if factory == "Flat":
        return passages * whole
    if factory.startswith("HNSW"):
        # Twice the neighbours in the lowest level, and a few above.
        return passages * (whole + 4 * 2 * GRAPH + 20)
    code = dimension if factory.endswith("SQ8") else int(_coded(factory))
    return passages * (code + 8) + lists(factory) * whole


def _coded(factory: str) -> str:
    return factory.rpartition("PQ")[2].removesuffix("np")


def lists(factory: str) -> int:
    """How many lists an IVF index has; 0 for the other types.

    >>> lists("OPQ96,IVF4000,PQ96np"), lists("Flat")
    (4000, 0)
    """
    found = [part for part in factory.split(",") if part.startswith("IVF")]
    return int(found[0][3:]) if found else 0


def lossless(factory: str) -> bool:
    """True if the vectors can be had back from the index as they were."""
    return not lists(factory)


def training(factory: str) -> int:
    """Vectors that it is trained on; none are needed by Flat and HNSW."""
    coded = CODE_TRAINING if "PQ" in factory else 0
    return max(lists(factory) * TRAINING_PER_LIST, coded)


def make(shards: Iterable[Vectors], sample: Vectors, factory: str) -> Any:  # noqa: ANN401 - no stubs
    """Index vectors in the order they come.

    Args:
        shards: Arrays of shape (n, dimension).
        sample: Vectors to train on, shape (m, dimension); used by IVF only.
        factory: A string of `kind`.

    Returns:
        A FAISS index; the same vectors in the same pieces give the same bytes.
    """
    import faiss

    index: Any = faiss.index_factory(sample.shape[1], factory, faiss.METRIC_INNER_PRODUCT)
    if not index.is_trained:
        if "OPQ" in factory:
            rotation: Any = faiss.downcast_VectorTransform(index.chain.at(0))
            # The rotation is nearly as good after a few rounds, and each takes a while.
            rotation.niter, rotation.max_train_points = 8, CODE_TRAINING
        index.train(np.ascontiguousarray(sample))
    threads = faiss.omp_get_max_threads()
    if factory.startswith("HNSW"):
        # Threads race for a place in the graph: with several of them no two builds are the same.
        faiss.omp_set_num_threads(1)
    try:
        for shard in shards:
            index.add(np.ascontiguousarray(shard, dtype=np.float32))
    finally:
        faiss.omp_set_num_threads(threads)
    return index


def save(index: Any, file: Path) -> None:  # noqa: ANN401 - no stubs
    """Write what `make` made, with its search parameters."""
    import faiss

    faiss.write_index(index, str(file))


def build(shards: Iterable[Vectors], sample: Vectors, factory: str, file: Path) -> None:
    """Index vectors into a file; see `make`."""
    save(make(shards, sample, factory), file)


class Dense:
    """An open FAISS index, memory-mapped."""

    def __init__(self, index: Any, dimension: int, *, exact: bool = False) -> None:  # noqa: ANN401
        self._index = index
        self._exact = exact
        self._lock = threading.Lock()
        self.dimension = dimension

    @classmethod
    def open(cls, file: Path, factory: str, search: Mapping[str, int] | None = None) -> Self:
        """Map the index in `file` into memory.

        Args:
            file: Of `save`.
            factory: Its type.
            search: Search parameters, `efSearch` or `nprobe`; those in the file if None.

        Raises:
            BadIndex: FAISS cannot read it.
        """
        import faiss

        flag = faiss.IO_FLAG_MMAP if lists(factory) else faiss.IO_FLAG_MMAP_IFC
        try:
            index: Any = faiss.read_index(str(file), flag | faiss.IO_FLAG_READ_ONLY)
        except RuntimeError as error:
            raise BadIndex(
                f"FAISS cannot read {file} ({str(error).strip().splitlines()[-1]}). "
                "Build the index again with `verifier index build --force`."
            ) from error
        set_search(index, search or {})
        return cls(index, int(index.d), exact=factory == "Flat")

    def __len__(self) -> int:
        """Number of vectors."""
        return int(self._index.ntotal)

    def vectors(self, rows: Rows) -> Vectors:
        """The vectors of some rows; as they were only if the type is lossless."""
        found: Vectors = self._index.reconstruct_batch(np.ascontiguousarray(rows, np.int64))
        return found

    def search_many(
        self, vectors: Vectors, k: int, allowed: NDArray[np.bool_] | None = None
    ) -> list[tuple[Rows, Scores]]:
        """Nearest rows of each query vector.

        Args:
            vectors: Shape (queries, dimension).
            k: Rows wanted per query.
            allowed: Per row, whether it may be found; None for all.

        Returns:
            Per query, rows and inner products from the nearest down, ties in row order.

        Raises:
            BadIndex: The vectors have another dimension than the index.
        """
        check(vectors, len(vectors), self.dimension)
        if not len(vectors):
            return []
        k = min(k, len(self))
        deep = min(k + MARGIN, len(self)) if self._exact else k
        # FAISS reads the bits of `bits` as it searches, so it must live as long.
        bits = None if allowed is None else np.packbits(allowed, bitorder="little")
        parameters = None if bits is None else self._only(bits)
        with self._lock:
            scores, rows = self._index.search(
                np.ascontiguousarray(vectors), deep, params=parameters
            )
        if self._exact:
            return [self._again(*pair, k) for pair in zip(vectors, rows, strict=True)]
        return [_sorted(*pair, k) for pair in zip(rows, scores, strict=True)]

    def _again(self, vector: Vectors, rows: Rows, k: int) -> tuple[Rows, Scores]:
        """The k nearest of some rows, with inner products worked out one by one.

        FAISS multiplies matrices, whose last digits depend on how many queries came together; a
        verdict must not depend on its neighbours.
        """
        rows = rows[rows >= 0]
        scores = np.einsum("rd,d->r", self.vectors(rows), vector, optimize=False)
        return _sorted(rows, scores.astype(np.float32, copy=False), k)

    def _only(self, bits: NDArray[np.uint8]) -> Any:  # noqa: ANN401 - no stubs
        """FAISS's search parameters for some rows only."""
        import faiss as untyped

        faiss: Any = untyped
        chosen = faiss.IDSelectorBitmap(bits)
        index = self._index
        if isinstance(index, faiss.IndexPreTransform):
            inner = faiss.SearchParametersIVF(sel=chosen, nprobe=_ivf(index).nprobe)
            return faiss.SearchParametersPreTransform(index_params=inner)
        if isinstance(index, faiss.IndexIVF):
            return faiss.SearchParametersIVF(sel=chosen, nprobe=index.nprobe)
        if isinstance(index, faiss.IndexHNSW):
            return faiss.SearchParametersHNSW(sel=chosen, efSearch=index.hnsw.efSearch)
        return faiss.SearchParameters(sel=chosen)


def set_search(index: Any, parameters: Mapping[str, int]) -> None:  # noqa: ANN401 - no stubs
    """Set `efSearch` of HNSW, or `nprobe` of IVF."""
    if "efSearch" in parameters:
        index.hnsw.efSearch = parameters["efSearch"]
    if "nprobe" in parameters:
        _ivf(index).nprobe = parameters["nprobe"]


def _ivf(index: Any) -> Any:  # noqa: ANN401 - no stubs
    import faiss

    return faiss.extract_index_ivf(index)


def _sorted(rows: Rows, scores: Scores, k: int) -> tuple[Rows, Scores]:
    """The k nearest, from the nearest down, ties in row order; without empty places."""
    rows, scores = rows[rows >= 0], scores[rows >= 0]
    order = np.lexsort((rows, -scores))[:k]
    return rows[order], scores[order]


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


def _gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB"
