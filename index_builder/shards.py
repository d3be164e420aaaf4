"""Vectors on disk, a few hundred in a file, so that a killed build has those it encoded."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from index_builder import dense
from index_builder.manifest import EncoderInfo

SHARD = 512
"""Passages encoded and saved at once."""

BLOCK = 32
"""Shards that are held in memory at once where many are gone through."""

Encode = Callable[[Sequence[str]], dense.Vectors]


class Known(Protocol):
    """Vectors of texts that were encoded before."""

    def __call__(self, texts: Sequence[str]) -> tuple[NDArray[np.bool_], dense.Vectors]:
        """Which of the texts are known, and the vectors of these."""


class Shards:
    """The vectors of an index, in order, as `Writer` saved them."""

    def __init__(self, files: Sequence[Path], total: int) -> None:
        self._files = files
        self._total = total

    def __len__(self) -> int:
        """Number of vectors."""
        return self._total

    def __iter__(self) -> Iterator[dense.Vectors]:
        """One shard after the other."""
        return (np.load(file).astype(np.float32, copy=False) for file in self._files)

    def blocks(self) -> Iterator[dense.Vectors]:
        """Several shards at once, in order."""
        for start in range(0, len(self._files), BLOCK):
            yield np.concatenate(list(Shards(self._files[start : start + BLOCK], 0)))

    def draw(self, count: int, seed: int) -> NDArray[np.int64]:
        """At most `count` rows from all over, in order; the same for the same seed."""
        if count >= self._total:
            return np.arange(self._total)
        chosen = np.random.default_rng(seed).choice(self._total, count, replace=False)
        return np.sort(chosen).astype(np.int64)

    def take(self, rows: NDArray[np.int64]) -> dense.Vectors:
        """The vectors of rows, which must be in order."""
        width = np.load(self._files[0], mmap_mode="r").shape[1]
        out = np.empty((len(rows), width), dtype=np.float32)
        cuts = np.searchsorted(rows, np.arange(len(self._files) + 1) * SHARD)
        for number, (low, high) in enumerate(pairwise(cuts)):
            if low < high:
                shard = np.load(self._files[number], mmap_mode="r")
                out[low:high] = shard[rows[low:high] - number * SHARD]
        return out

    def save(self, file: Path) -> None:
        """Write all into one array in halves of the precision, for what cannot give them back."""
        first = np.load(self._files[0], mmap_mode="r")
        shape = (self._total, first.shape[1])
        out = np.lib.format.open_memmap(file, mode="w+", dtype=np.float16, shape=shape)  # type: ignore[no-untyped-call]
        for number, shard in enumerate(self):
            out[number * SHARD : number * SHARD + len(shard)] = shard
        out.flush()


class Writer:
    """Encodes texts and saves their vectors under a hash of the encoder and the texts.

    So a shard is used again exactly when it would come out the same.
    """

    def __init__(
        self,
        folder: Path,
        encode: Encode,
        encoder: EncoderInfo,
        kind: type[np.floating],
        known: Known | None = None,
    ) -> None:
        self._folder = folder
        self._encode = encode
        self._encoder = encoder
        self._kind = np.dtype(kind)
        self._known = known

    def shard(self, start: int, texts: Sequence[str]) -> Path:
        """The file of the vectors of `texts`, encoded now or before.

        Raises:
            BadIndex: The encoder does not return what it must.
        """
        key = json.dumps([asdict(self._encoder), self._kind.name, texts]).encode()
        file = self._folder / f"{start:012d}-{hashlib.sha256(key).hexdigest()[:16]}.npy"
        if _whole(file, (len(texts), self._encoder.dimension)):
            return file
        part = file.with_suffix(".part.npy")
        np.save(part, self._vectors(texts).astype(self._kind, copy=False))
        part.replace(file)
        return file

    def _vectors(self, texts: Sequence[str]) -> dense.Vectors:
        if self._known is None:
            return self._encoded(texts)
        there, found = self._known(texts)
        if there.all():
            return found
        new = self._encoded([text for text, old in zip(texts, there, strict=True) if not old])
        out = np.empty((len(texts), self._encoder.dimension), dtype=np.float32)
        out[there], out[~there] = found, new
        return out

    def _encoded(self, texts: Sequence[str]) -> dense.Vectors:
        vectors = np.asarray(self._encode(texts), dtype=np.float32)
        dense.check(vectors, len(texts), self._encoder.dimension)
        return vectors


def _whole(file: Path, shape: tuple[int, int]) -> bool:
    try:
        return bool(np.load(file, mmap_mode="r").shape == shape)
    except (OSError, ValueError, EOFError):
        return False
