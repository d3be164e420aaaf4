"""An open index: BM25 and dense search, fused. The only door to an index directory."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self, get_args

import numpy as np

from corpora.passage import Passage
from index_builder import dense, lexical
from index_builder.batcher import Batcher
from index_builder.errors import BadIndex
from index_builder.fusion import rrf
from index_builder.manifest import EncoderInfo, Manifest
from index_builder.store import Store

Retriever = Literal["hybrid", "bm25", "dense"]

DEPTH = 100
"""Passages taken from each retriever before fusion; k if that is more."""

Encode = Callable[[Sequence[str]], dense.Vectors]
Ranked = list[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found."""

    passage: Passage
    score: float
    """RRF of both retrievers, BM25, or inner product; higher is better, within one query only."""
    ranks: Mapping[str, int]
    """Its rank, counted from 1, in each retriever that found it."""


@dataclass(frozen=True, slots=True)
class _Ask:
    """What makes two searches the same search."""

    query: str
    k: int
    retriever: Retriever


@dataclass(frozen=True, slots=True)
class Index:
    """An open index. `search_many` may be called from any thread, `search` from one loop."""

    manifest: Manifest
    _store: Store
    _lexical: lexical.Lexical
    _dense: dense.Dense | None
    _encode: Encode | None
    _batchers: list[Batcher[_Ask, tuple[Hit, ...]]] = field(default_factory=list)

    @classmethod
    def open(cls, path: Path, encode_queries: Encode | None, encoder: EncoderInfo | None) -> Self:
        """Open the index directory `path`.

        Args:
            path: What `build` made.
            encode_queries: Texts to vectors of shape (texts, dimension). None opens for BM25 only:
                every search must then ask for `bm25`, nothing falls back to it.
            encoder: What `encode_queries` is; must be what the index was built with.

        Raises:
            IndexMissing: There is no index.
            BadIndex: It is damaged, or was built with another encoder.
        """
        manifest = Manifest.load(path)
        near = None
        if encode_queries is not None:
            if encoder != manifest.encoder:
                raise BadIndex(
                    f"The index {path} was built with the encoder {manifest.encoder}; "
                    f"it cannot be searched with {encoder}. Open it with the first, or build it "
                    "again with `verifier index build --force --encoder NAME`."
                )
            near = dense.Dense.open(path / dense.FILE, manifest.faiss)
        words = lexical.Lexical.open(path / lexical.FOLDER)
        opened = cls(manifest, Store.open(path), words, near, encode_queries)
        opened._batchers.append(Batcher(opened._answer))
        return opened

    def search_many(
        self, queries: Sequence[str], k: int = 5, retriever: Retriever = "hybrid"
    ) -> list[tuple[Hit, ...]]:
        """Search for several queries at once.

        Args:
            queries: Plain text; a blank one finds nothing.
            k: Passages wanted per query; at least 1.
            retriever: Both fused by rank, or one of them.

        Returns:
            Per query, the passages found from the best down, at most k.

        Raises:
            ValueError: k or retriever is out of range.
            BadIndex: A part failed; never an empty result instead.
        """
        if k < 1 or retriever not in get_args(Retriever):
            raise ValueError(
                f"k={k}, retriever={retriever!r}: k is at least 1, retriever one of "
                f"{', '.join(get_args(Retriever))}."
            )
        if retriever != "bm25" and self._dense is None:
            raise BadIndex(
                f"The index {self.manifest.name} was opened without an encoder, so it cannot do a "
                f"{retriever} search. Open it with one, or ask for bm25."
            )
        distinct = list(dict.fromkeys(query for query in queries if query.strip()))
        lists: dict[str, list[Ranked]] = {}
        if retriever != "dense":
            lists["bm25"] = self._lexical.search_many(distinct, max(DEPTH, k))
        if retriever != "bm25":
            lists["dense"] = self._near(distinct, max(DEPTH, k))
        found = {
            query: self._hits({name: many[at] for name, many in lists.items()}, k)
            for at, query in enumerate(distinct)
        }
        return [found.get(query, ()) for query in queries]

    async def search(
        self, query: str, k: int = 5, retriever: Retriever = "hybrid"
    ) -> tuple[Hit, ...]:
        """Search for one query; concurrent calls share batches. See `search_many`."""
        return await self._batchers[0](_Ask(query, k, retriever))

    def passage(self, key: str) -> Passage:
        """The passage with an id.

        Raises:
            KeyError: No passage has it.
        """
        return self._store.get(key)

    def close(self) -> None:
        """Close Lucene's files; the memory maps go with the object."""
        self._lexical.close()

    def _near(self, queries: Sequence[str], k: int) -> list[Ranked]:
        if self._dense is None or self._encode is None or not queries:
            return []
        vectors = np.asarray(self._encode(queries), dtype=np.float32)
        dense.check(vectors, len(queries), self._dense.dimension)
        return self._dense.search_many(vectors, k)

    def _hits(self, lists: Mapping[str, Ranked], k: int) -> tuple[Hit, ...]:
        ranks = {
            name: {row: rank for rank, (row, _) in enumerate(ranked, start=1)}
            for name, ranked in lists.items()
        }
        if len(lists) > 1:
            best = rrf([row for row, _ in ranked] for ranked in lists.values())
        else:
            best = next(iter(lists.values()))
        return tuple(
            Hit(self._store[row], score, {name: at[row] for name, at in ranks.items() if row in at})
            for row, score in best[:k]
        )

    def _answer(self, asks: Sequence[_Ask]) -> list[tuple[Hit, ...]]:
        """One batch of `search`: one `search_many` for each way of asking that is in it."""
        found: dict[_Ask, tuple[Hit, ...]] = {}
        for k, retriever in dict.fromkeys((ask.k, ask.retriever) for ask in asks):
            alike = [ask for ask in asks if (ask.k, ask.retriever) == (k, retriever)]
            hits = self.search_many([ask.query for ask in alike], k, retriever)
            found |= dict(zip(alike, hits, strict=True))
        return [found[ask] for ask in asks]
