"""Indexes with their encoders: the only file that knows both models and indexes."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from index_builder.errors import IndexMissing
from index_builder.manifest import EncoderInfo, Manifest
from index_builder.only import EVERYTHING, Only
from models import offline, registry
from verifier.settings import IndexSettings, home

if TYPE_CHECKING:
    from index_builder.rerank import Rerank
    from index_builder.search import Hit, Index, Retriever
    from index_builder.several import Several
    from models.encoder import Encoder


@dataclass(frozen=True, slots=True)
class IndexSearch:
    """Open indexes, one or several, as a task sees them (`verifier.task.Search`)."""

    indexes: "tuple[Index, ...]"
    search: "Index | Several"
    retriever: "Retriever" = "hybrid"
    only: Only = EVERYTHING
    reranker: "Rerank | None" = None

    @property
    def name(self) -> str:
        """Names of the indexes, with commas between."""
        return ",".join(index.manifest.name for index in self.indexes)

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639 codes of the languages that they hold."""
        codes = (code for index in self.indexes for code in index.manifest.source.languages)
        return tuple(dict.fromkeys(codes))

    @property
    def snapshot_date(self) -> str:
        """ISO date that no text that may be found is newer than; empty if unknown."""
        dates = [index.manifest.source.snapshot_date for index in self.indexes]
        newest = max(dates) if all(dates) else ""
        if self.only.as_of:
            return min(newest, self.only.as_of) if newest else self.only.as_of
        return newest

    @property
    def id(self) -> str:
        """Hashes of their content, with commas between."""
        return ",".join(index.manifest.id for index in self.indexes)

    @property
    def encoder(self) -> str:
        """Name and revision of their encoder."""
        return str(self.indexes[0].manifest.encoder)

    def close(self) -> None:
        """Close the indexes."""
        self.search.close()

    async def __call__(self, query: str, k: int) -> "Sequence[Hit]":
        """The k best passages; see `verifier.task.Search`."""
        from index_builder.rerank import DEPTH, rerank

        if self.reranker is None:
            return await self.search.search(query, k, self.retriever, self.only)
        hits = await self.search.search(query, max(k, DEPTH), self.retriever, self.only)
        texts = [hit.passage.text for hit in hits]
        return rerank(hits, await asyncio.to_thread(self.reranker, query, texts), k)


@dataclass(frozen=True, slots=True)
class NoIndex:
    """Stands for the index in tasks that search none (`verifier.task.Search`)."""

    name: str = ""
    id: str = ""
    languages: tuple[str, ...] = ("en",)
    snapshot_date: str = ""
    encoder: str = ""

    async def __call__(self, query: str, k: int) -> "Sequence[Hit]":  # noqa: ARG002
        """Fails: no index was opened."""
        raise IndexMissing(f"No index was opened for this task; {query!r} cannot be looked up.")


def index_path(name: str) -> Path:
    """The directory of an index: a path if it has a slash in it, else a name in the home."""
    return Path(name).expanduser() if "/" in name else home() / "indexes" / name


def open_encoder(name: str = "") -> "Encoder":
    """An encoder of the registry, loaded.

    Args:
        name: its row; empty: the default for this machine's hardware.

    Raises:
        ModelMissing: it was not fetched.
        ModelError: there is no such row, or it is not an encoder.
    """
    from models.encoder import Encoder

    offline.go_offline()
    row = registry.get(name, home()) if name else registry.default("encoder", home=home())
    return Encoder.load(row, home())


def encoder_info(encoder: "Encoder") -> EncoderInfo:
    """What an index writes down about the encoder that made its vectors."""
    return EncoderInfo(
        name=encoder.name,
        revision=encoder.revision,
        dimension=encoder.dimension,
        query_prefix=encoder.query_prefix,
        passage_prefix=encoder.passage_prefix,
    )


def models_of(settings: IndexSettings) -> list[registry.Row]:
    """The models that searching needs.

    Raises:
        IndexMissing, BadIndex: an index is not there, or cannot be used.
        ModelError: the registry has no such model.
    """
    encoders = {Manifest.load(index_path(name)).encoder.name for name in settings.names}
    wanted = sorted(encoders) if settings.retriever != "bm25" else []
    wanted += [settings.rerank] if settings.rerank else []
    return [registry.get(name, home()) for name in wanted]


def open_search(settings: IndexSettings) -> IndexSearch:
    """The indexes of the settings, opened with the encoder that they were built with.

    Raises:
        IndexMissing, BadIndex: one is not there, cannot be used, or has another encoder.
        ModelMissing: the encoder or the reranker was not fetched, or is another revision.
    """
    from index_builder.several import Several

    opened: list[Index] = []
    try:
        encoder = None
        for name in settings.names:
            index, encoder = _open(index_path(name), settings.retriever, encoder)
            opened.append(index)
        several = Several.of(opened) if len(opened) > 1 else opened[0]
        reranker = _reranker(settings.rerank) if settings.rerank else None
    except BaseException:
        for index in opened:
            index.close()
        raise
    only = Only(settings.as_of, settings.language, settings.source)
    return IndexSearch(tuple(opened), several, settings.retriever, only, reranker)


def _open(
    path: Path, retriever: "Retriever", encoder: "Encoder | None"
) -> "tuple[Index, Encoder | None]":
    """An index, without an encoder for BM25 alone; the encoder is loaded if it is another."""
    from index_builder.search import Index

    if retriever == "bm25":
        return Index.open(path, None, None), None
    wanted = Manifest.load(path).encoder.name
    encoder = encoder if encoder and encoder.name == wanted else open_encoder(wanted)
    return Index.open(path, encoder.encode_queries, encoder_info(encoder)), encoder


def _reranker(name: str) -> "Rerank":
    """A cross-encoder as a function; its last label is the one that says that a passage tells."""
    from models.cross_encoder import CrossEncoder

    offline.go_offline()
    model = CrossEncoder.load(registry.get(name, home()), home())

    def score(query: str, texts: Sequence[str]) -> Sequence[float]:
        logits = model.score([(query, text) for text in texts])
        return [float(one) for one in logits[:, -1]]

    return score
