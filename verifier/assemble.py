"""Where the parts that a check needs are put together."""

import asyncio
import os
from collections.abc import AsyncIterator
from collections.abc import Set as AbstractSet
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

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
from verifier.retrieval import IndexSearch, NoIndex, index_path, models_of, open_search
from verifier.settings import Settings, home
from verifier.task import Judge, Part, Tools

if TYPE_CHECKING:
    from index_builder.records import PaperIndex
    from verifier.sandbox import Sandbox


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


def _require(settings: Settings, needs: AbstractSet[Part]) -> None:
    """Say at once what was not fetched or built, not after the server has started.

    Raises:
        ModelMissing, IndexMissing: it is not there.
    """
    wanted = []
    if Part.MODEL in needs and not settings.model.endpoint:
        wanted.append(judge_row(settings))
    if Part.INDEX in needs:
        wanted += models_of(settings.index)
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
    return (open_search(settings.index) if Part.INDEX in needs else NoIndex()), papers


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
