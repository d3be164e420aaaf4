"""The vectors of an index that is there, by the text they are of, to be used again."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.passage import Passage
from index_builder import dense
from index_builder.manifest import Manifest
from index_builder.store import Store

VECTORS = "vectors.npy"
"""In an index whose FAISS type cannot give vectors back: all of them, two bytes a number."""


class KnownVectors:
    """Looks vectors up by a hash of the text; takes 24 bytes of memory a passage."""

    def __init__(self, index: Path, manifest: Manifest, contents: Callable[[Passage], str]) -> None:
        keys = np.fromiter(
            (half for passage in Store.open(index) for half in _key(contents(passage))),
            dtype=np.uint64,
        ).reshape(-1, 2)
        self._rows = np.argsort(keys[:, 0], kind="stable")
        self._keys = keys[self._rows]
        self._near = None
        if dense.lossless(manifest.faiss):
            self._near = dense.Dense.open(index / dense.FILE, manifest.faiss)
        else:
            self._all = np.load(index / VECTORS, mmap_mode="r")

    def __call__(self, texts: Sequence[str]) -> tuple[NDArray[np.bool_], dense.Vectors]:
        """Which of the texts are known, and the vectors of these."""
        wanted = np.array([_key(text) for text in texts], dtype=np.uint64)
        at = np.searchsorted(self._keys[:, 0], wanted[:, 0])
        at = np.minimum(at, len(self._keys) - 1)
        there = (self._keys[at] == wanted).all(axis=1)
        rows = self._rows[at[there]].astype(np.int64)
        if self._near is not None:
            return there, self._near.vectors(rows)
        return there, self._all[rows].astype(np.float32)


def _key(text: str) -> tuple[int, int]:
    digest = blake2b(text.encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
