"""Where the parts are put together: the only file that knows both models and indexes."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from index_builder.errors import IndexMissing
from index_builder.manifest import EncoderInfo, Manifest
from models import lock, offline, registry, serve
from models.client import Model, VllmModel, first_model
from models.errors import ModelMissing
from models.lazy import lazily
from models.progress import Progress, silent
from models.server import Server, find
from verifier import prompt
from verifier.errors import InputError
from verifier.judges.table import JUDGES
from verifier.meter import Meter
from verifier.settings import Settings, home
from verifier.task import Judge, Part, Tools

if TYPE_CHECKING:
    from index_builder.records import PaperIndex
    from index_builder.search import Hit, Index, Retriever
    from models.encoder import Encoder
    from verifier.sandbox import Sandbox


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

    def close(self) -> None:
        """Close the index."""
        self.index.close()

    async def __call__(self, query: str, k: int) -> "Sequence[Hit]":
        """The k best passages; see `verifier.task.Search`."""
        return await self.index.search(query, k, self.retriever)


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


ALL = frozenset({Part.MODEL, Part.INDEX})


@asynccontextmanager
async def open_tools(
    settings: Settings,
    progress: Progress = silent,
    *,
    needs: AbstractSet[Part] = ALL,
    prompts: Path | None = None,
) -> AsyncIterator[Tools]:
    """Everything a check needs, open; and closed again at the end, whatever happens.

    What is missing is found out first; then the index is opened while the server starts.

    Args:
        settings: which model, index, judge and sandbox.
        progress: told what is being waited for.
        needs: what the tasks cannot do without. The model is started at its first call if it is
            not among it; a papers index and a sandbox are used where they are there.
        prompts: a folder whose prompt files replace the packaged ones.

    Raises:
        InputError: a setting names something that there is not.
        ModelMissing, IndexMissing, SandboxMissing: not there yet; the message says how to get it.
    """
    offline.go_offline()
    judge = find_judge(settings.check.judge)
    if prompts:
        prompt.check_folder(prompts)
    _require(settings, needs)
    async with AsyncExitStack() as stack:
        box = _open_sandbox(settings, required=Part.SANDBOX in needs)
        opened = open_model if Part.MODEL in needs else _open_lazily
        starting = asyncio.ensure_future(stack.enter_async_context(opened(settings, progress)))
        opening = asyncio.create_task(asyncio.to_thread(_open_indexes, settings, needs))
        try:
            (search, papers), model = await asyncio.gather(opening, starting)
        except BaseException:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            raise
        for one in (search, papers):
            if one is not None and not isinstance(one, NoIndex):
                stack.callback(one.close)
        yield Tools(model, search, judge, settings, Meter(), papers, box, prompts)


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


def _require(settings: Settings, needs: AbstractSet[Part]) -> None:
    """Say at once what was not fetched or built, not after the server has started.

    Raises:
        ModelMissing, IndexMissing: it is not there.
    """
    wanted = []
    if Part.MODEL in needs and not settings.model.endpoint:
        wanted.append(judge_row(settings))
    if Part.INDEX in needs:
        encoder = Manifest.load(index_path(settings.index.name)).encoder
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


def _open_indexes(
    settings: Settings, needs: AbstractSet[Part]
) -> "tuple[IndexSearch | NoIndex, PaperIndex | None]":
    """The passages index if it is needed, and the papers index if it is needed or there."""
    from index_builder.records import PaperIndex

    folder = index_path(settings.papers.name)
    papers = None
    if Part.PAPERS in needs or PaperIndex.is_at(folder):
        papers = PaperIndex.open(folder)
    if Part.INDEX not in needs:
        return NoIndex(), papers
    retriever = settings.index.retriever
    index = open_index(index_path(settings.index.name), retriever)
    return IndexSearch(index.manifest.name, index, retriever), papers


def _open_sandbox(settings: Settings, *, required: bool) -> "Sandbox | None":
    """The sandbox; None if there is none here and no task insists on it."""
    from verifier.sandbox import Sandbox, SandboxMissing

    try:
        return Sandbox.open(settings.code.sandbox)
    except SandboxMissing:
        if required:
            raise
        return None


@asynccontextmanager
async def _open_lazily(settings: Settings, progress: Progress = silent) -> AsyncIterator[Model]:
    """A model that is started at its first call; its name is known before."""
    name, revision = settings.model.name, ""
    if not settings.model.endpoint:
        row = judge_row(settings)
        name = row.name
        revision = lock.revision(row, home()) if lock.installed(row, home()) else ""
    async with lazily(name, revision, lambda: open_model(settings, progress)) as model:
        yield model


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
        seeded=registry.this_hardware() == "gpu",
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
