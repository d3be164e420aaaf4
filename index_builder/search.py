"""An open index: BM25 and dense search, fused. The only door to an index directory."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from corpora.passage import Passage
from index_builder import dense, lexical
from index_builder.batcher import Batcher
from index_builder.errors import BadIndex
from index_builder.fusion import Rows, Scores, blend
from index_builder.manifest import EncoderInfo, Manifest
from index_builder.only import EVERYTHING, Only
from index_builder.store import Store

Retriever = Literal["hybrid", "bm25", "dense"]

DEPTH = 100
"""Passages taken from each retriever before fusion; k if that is more."""

DEEPEST = 12_800
"""So deep Lucene's list is gone through where `Only` leaves most of it out."""

Encode = Callable[[Sequence[str]], dense.Vectors]
Ranked = tuple[Rows, Scores]


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found."""

    passage: Passage
    score: float
    """Both retrievers blended (`fusion.blend`), BM25, or inner product; higher is better, within
    one query only."""
    ranks: Mapping[str, int]
    """Its rank, counted from 1, in each retriever that found it."""
    index: str = ""
    """Name of the index it is from."""


@dataclass(frozen=True, slots=True)
class How:
    """How is searched, whatever for."""

    k: int = 5
    """Passages wanted per query; at least 1."""
    retriever: Retriever = "hybrid"
    """Both fused, or one of them."""
    only: Only = EVERYTHING
    """What may be found."""

    def check(self) -> None:
        """Refuse what is out of range.

        Raises:
            ValueError: It is.
        """
        if self.k < 1 or self.retriever not in get_args(Retriever):
            raise ValueError(
                f"k={self.k}, retriever={self.retriever!r}: k is at least 1, retriever one of "
                f"{', '.join(get_args(Retriever))}."
            )


@dataclass(frozen=True, slots=True)
class Found:
    """What the retrievers of one index found for one query."""

    near: Ranked
    words: Ranked


@dataclass(frozen=True, slots=True)
class Index:
    """An open index. `search_many` may be called from any thread, `search` from one loop."""

    manifest: Manifest
    _store: Store
    _lexical: lexical.Lexical
    _dense: dense.Dense | None
    _encode: Encode | None
    _batchers: list[Batcher[tuple[str, How], tuple[Hit, ...]]] = field(default_factory=list)
    _allowed: dict[Only, NDArray[np.bool_]] = field(default_factory=dict)

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
        language = manifest.source.languages[0] if manifest.source.languages else "en"
        words = lexical.Lexical.open(path / lexical.FOLDER, language)
        opened = cls(manifest, Store.open(path), words, near, encode_queries)
        opened._batchers.append(Batcher(opened._answer))
        return opened

    def search_many(
        self,
        queries: Sequence[str],
        k: int = 5,
        retriever: Retriever = "hybrid",
        only: Only = EVERYTHING,
    ) -> list[tuple[Hit, ...]]:
        """Search for several queries at once.

        Args:
            queries: Plain text; a blank one finds nothing.
            k: Passages wanted per query; at least 1.
            retriever: Both fused, or one of them.
            only: What may be found.

        Returns:
            Per query, the passages found from the best down, at most k.

        Raises:
            ValueError: k or retriever is out of range.
            BadIndex: A part failed; never an empty result instead.
        """
        return search_all((self,), queries, How(k, retriever, only))

    async def search(
        self,
        query: str,
        k: int = 5,
        retriever: Retriever = "hybrid",
        only: Only = EVERYTHING,
    ) -> tuple[Hit, ...]:
        """Search for one query; concurrent calls share batches. See `search_many`."""
        return await self._batchers[0]((query, How(k, retriever, only)))

    def passage(self, key: str) -> Passage:
        """The passage with an id.

        Raises:
            KeyError: No passage has it.
        """
        return self._store.get(key)

    def close(self) -> None:
        """Close Lucene's files; the memory maps go with the object."""
        self._lexical.close()

    def encoded(self, queries: Sequence[str]) -> dense.Vectors:
        """The vectors of queries.

        Raises:
            BadIndex: The index was opened without an encoder, or it returned something else.
        """
        if self._encode is None or self._dense is None:
            raise BadIndex(
                f"The index {self.manifest.name} was opened without an encoder, so it can only do "
                "a bm25 search. Open it with one, or ask for bm25."
            )
        vectors = np.asarray(self._encode(queries), dtype=np.float32)
        dense.check(vectors, len(queries), self._dense.dimension)
        return vectors

    def found(self, queries: Sequence[str], vectors: dense.Vectors | None, how: How) -> list[Found]:
        """What the retrievers find, not fused.

        Args:
            queries: Not blank, none twice.
            vectors: Theirs; None for no dense search.
            how: Which retrievers, how deep, and what may be found.
        """
        depth = max(DEPTH, how.k)
        allowed = self.allowed(how.only)
        none: list[Ranked] = [NOTHING] * len(queries)
        with ThreadPoolExecutor(1) as other:
            # FAISS works while Java does, and while its answers are turned into ours.
            near = other.submit(self._nearest, vectors, depth, allowed)
            words = none if how.retriever == "dense" else self._words(queries, depth, allowed)
            return [Found(*both) for both in zip(near.result() or none, words, strict=True)]

    def allowed(self, only: Only) -> NDArray[np.bool_] | None:
        """Which rows may be found, None for all; remembered for the next search."""
        if not only:
            return None
        if only not in self._allowed:
            if len(self._allowed) > 8:
                self._allowed.clear()
            snapshot = self.manifest.source.snapshot_date
            self._allowed[only] = only.allows(self._store.batches, snapshot)
        return self._allowed[only]

    def ranked(self, found: Found, how: How, top: float) -> Ranked:
        """Rows and scores of one query, from the best down; at most k."""
        if how.retriever == "hybrid":
            titles = self._store.titles[np.concatenate((found.near[0], found.words[0]))]
            rows, scores = blend(found.near, found.words, titles, top)
        else:
            rows, scores = found.words if how.retriever == "bm25" else found.near
        return rows[: how.k], scores[: how.k]

    def hit(self, row: int, score: float, found: Found) -> Hit:
        """The passage in a row, and how it was found."""
        ranks = {}
        for name, (rows, _) in (("bm25", found.words), ("dense", found.near)):
            at = np.flatnonzero(rows == row)
            if len(at):
                ranks[name] = int(at[0]) + 1
        return Hit(self._store[row], score, ranks, self.manifest.name)

    def _nearest(
        self, vectors: dense.Vectors | None, depth: int, allowed: NDArray[np.bool_] | None
    ) -> list[Ranked]:
        if vectors is None or self._dense is None:
            return []
        return self._dense.search_many(vectors, depth, allowed)

    def _words(
        self, queries: Sequence[str], depth: int, allowed: NDArray[np.bool_] | None
    ) -> list[Ranked]:
        """Lucene's lists; where rows are left out, gone through until there are enough."""
        lists = self._lexical.search_many(queries, depth)
        if allowed is None:
            return lists
        deep = depth
        kept = [_kept(one, allowed) for one in lists]
        while deep < DEEPEST:
            short = [
                at
                for at, one in enumerate(lists)
                if len(one[0]) == deep and len(kept[at][0]) < depth
            ]
            if not short:
                break
            deep = min(DEEPEST, 4 * deep)
            again = self._lexical.search_many([queries[at] for at in short], deep)
            for at, one in zip(short, again, strict=True):
                lists[at], kept[at] = one, _kept(one, allowed)
        return [(rows[:depth], scores[:depth]) for rows, scores in kept]

    def _answer(self, asks: Sequence[tuple[str, How]]) -> list[tuple[Hit, ...]]:
        return answer((self,), asks)


NOTHING: Ranked = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))


def search_all(indexes: Sequence[Index], queries: Sequence[str], how: How) -> list[tuple[Hit, ...]]:
    """Search several indexes as one; see `Index.search_many`.

    Args:
        indexes: At least one; all with the encoder of the first.
        queries: Plain text.
        how: How is searched.
    """
    how.check()
    distinct = list(dict.fromkeys(query for query in queries if query.strip()))
    vectors = None
    if how.retriever != "bm25":
        vectors = indexes[0].encoded(distinct)
    if not distinct:
        return [()] * len(queries)
    lists = [index.found(distinct, vectors, how) for index in indexes]
    hits = {
        query: _best(indexes, [many[at] for many in lists], how)
        for at, query in enumerate(distinct)
    }
    return [hits.get(query, ()) for query in queries]


def answer(indexes: Sequence[Index], asks: Sequence[tuple[str, How]]) -> list[tuple[Hit, ...]]:
    """One batch of single searches: one `search_all` for each way of asking that is in it."""
    found: dict[tuple[str, How], tuple[Hit, ...]] = {}
    for how in dict.fromkeys(how for _, how in asks):
        alike = [ask for ask in asks if ask[1] == how]
        hits = search_all(indexes, [query for query, _ in alike], how)
        found |= dict(zip(alike, hits, strict=True))
    return [found[ask] for ask in asks]


def _best(indexes: Sequence[Index], found: Sequence[Found], how: How) -> tuple[Hit, ...]:
    """The k best of all indexes; BM25 is measured against the best of any of them."""
    top = max((float(one.words[1][0]) for one in found if len(one.words[1])), default=0.0)
    ranked = [index.ranked(one, how, top) for index, one in zip(indexes, found, strict=True)]
    scored = [
        (-float(score), number, int(row))
        for number, (rows, scores) in enumerate(ranked)
        for row, score in zip(rows, scores, strict=True)
    ]
    if len(indexes) > 1:
        scored.sort()
    return tuple(
        indexes[number].hit(row, -negative, found[number])
        for negative, number, row in scored[: how.k]
    )


def _kept(ranked: Ranked, allowed: NDArray[np.bool_]) -> Ranked:
    rows, scores = ranked
    keep = allowed[rows]
    return rows[keep], scores[keep]
