"""Where the parts are put together: the only file that knows both models and indexes."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from index_builder.manifest import EncoderInfo, Manifest
from models import lock, offline, registry, serve
from models.client import VllmModel, first_model
from models.errors import ModelMissing
from models.progress import Progress, silent
from models.server import Server, find
from verifier.errors import InputError
from verifier.judges.table import JUDGES
from verifier.meter import Meter
from verifier.settings import Settings, home
from verifier.task import Judge, Tools

if TYPE_CHECKING:
    from index_builder.search import Hit, Index, Retriever
    from models.encoder import Encoder


@dataclass(frozen=True, slots=True)
class IndexSearch:
    """An open index as a task sees it (`verifier.task.Search`)."""

    name: str
    index: "Index"
    retriever: "Retriever"

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639 codes of the languages that it holds."""
        return tuple(self.index.manifest.source.languages)

    @property
    def snapshot_date(self) -> str:
        """ISO date that no text in it is newer than."""
        return self.index.manifest.source.snapshot_date

    @property
    def id(self) -> str:
        """Hash of its content."""
        return self.index.manifest.id

    @property
    def encoder(self) -> str:
        """Name and revision of its encoder."""
        return str(self.index.manifest.encoder)

    async def __call__(self, query: str, k: int) -> "Sequence[Hit]":
        """The k best passages; see `verifier.task.Search`."""
        return await self.index.search(query, k, self.retriever)


@asynccontextmanager
async def open_tools(settings: Settings, progress: Progress = silent) -> AsyncIterator[Tools]:
    """Everything a check needs, open; and closed again at the end, whatever happens.

    What is missing is found out first; then the index is opened while the server starts.

    Raises:
        InputError: a setting names something that there is not.
        ModelMissing, IndexMissing: not there yet; the message says how to get it.
    """
    offline.go_offline()
    judge = find_judge(settings.check.judge)
    path = index_path(settings.index.name)
    _require(path, settings)
    async with AsyncExitStack() as stack:
        starting = asyncio.ensure_future(stack.enter_async_context(open_model(settings, progress)))
        opening = asyncio.create_task(asyncio.to_thread(_open_search, path, settings))
        try:
            search, model = await asyncio.gather(opening, starting)
        except BaseException:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            raise
        stack.callback(search.index.close)
        yield Tools(model, search, judge, settings, Meter())


def find_judge(name: str) -> Judge:
    """The judge of that name.

    Raises:
        InputError: there is none; lists those there are.
    """
    if name not in JUDGES:
        raise InputError(f"no judge is called {name!r}; there are: {', '.join(JUDGES)}")
    return JUDGES[name]


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


def open_index(path: Path, retriever: "Retriever") -> "Index":
    """An index with the encoder that it was built with; without one for BM25 alone.

    Raises:
        IndexMissing, BadIndex: it is not there, or cannot be used.
        ModelMissing: its encoder was not fetched, or is another revision.
    """
    from index_builder.search import Index

    if retriever == "bm25":
        return Index.open(path, None, None)
    encoder = open_encoder(Manifest.load(path).encoder.name)
    return Index.open(path, encoder.encode_queries, encoder_info(encoder))


def _require(path: Path, settings: Settings) -> None:
    """Say at once what was not fetched or built, not after the server has started.

    Raises:
        ModelMissing, IndexMissing: it is not there.
    """
    wanted = [] if settings.model.endpoint else [judge_row(settings)]
    encoder = Manifest.load(path).encoder
    if settings.index.retriever != "bm25":
        wanted.append(registry.get(encoder.name, home()))
    for row in wanted:
        if not lock.installed(row, home()):
            raise ModelMissing(
                f"The model {row.name} is not here. Run `verifier models fetch {row.name}`."
            )


def judge_row(settings: Settings) -> registry.Row:
    """The row of the model that splits and judges.

    Raises:
        ModelError: there is no such row.
    """
    if settings.model.name:
        return registry.get(settings.model.name, home())
    return registry.default("judge", home=home())


def _open_search(path: Path, settings: Settings) -> IndexSearch:
    retriever = settings.index.retriever
    index = open_index(path, retriever)
    return IndexSearch(index.manifest.name, index, retriever)


@asynccontextmanager
async def open_model(settings: Settings, progress: Progress = silent) -> AsyncIterator[VllmModel]:
    """The endpoint that was named, else a server that is kept running, else one of our own."""
    if settings.model.endpoint:
        async with closing_model(await _at_endpoint(settings)) as model:
            yield model
        return
    row = judge_row(settings)
    if (kept := find(row.name, home())) is not None:
        async with closing_model(_connected(kept, row, settings)) as model:
            yield model
        return
    async with (
        serve.running(row, home(), progress=progress) as server,
        closing_model(_connected(server, row, settings)) as model,
    ):
        yield model


@asynccontextmanager
async def closing_model(model: VllmModel) -> AsyncIterator[VllmModel]:
    """The model, its connections closed at the end."""
    try:
        yield model
    finally:
        await model.close()


def _connected(server: Server, row: registry.Row, settings: Settings) -> VllmModel:
    return VllmModel(
        server.url,
        server.model,
        api_key=server.api_key,
        revision=lock.revision(row, home()),
        concurrency=settings.model.concurrency,
        timeout=settings.model.timeout,
    )


async def _at_endpoint(settings: Settings) -> VllmModel:
    """The model that an endpoint serves; the first it lists if none was named.

    The key comes from VERIFIER_API_KEY, never from an argument that others could read.
    """
    url, key = settings.model.endpoint, os.environ.get("VERIFIER_API_KEY", "")
    name = settings.model.name or (await first_model(url, key))
    return VllmModel(
        url,
        name,
        api_key=key,
        concurrency=settings.model.concurrency,
        timeout=settings.model.timeout,
    )
