"""A model that is started when it is first asked, for work that may never need one."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from models.client import Completion, Message, Model

Open = Callable[[], AbstractAsyncContextManager[Model]]


class LazyModel:
    """Opens a model at the first call and keeps it; a model that will not open fails each call."""

    def __init__(self, name: str, revision: str, opened: Open) -> None:
        """Open nothing yet.

        Args:
            name: what the model will be called, for provenance.
            revision: of its weights; empty if unknown.
            opened: makes the context in which the model is up.
        """
        self.name = name
        self.revision = revision
        self._opened = opened
        self._done = asyncio.Event()
        self._ready: asyncio.Future[Model] | None = None
        self._holder: asyncio.Task[None] | None = None

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        choices: Sequence[str] = (),
        seed: int = 0,
        temperature: float = 0.0,
    ) -> Completion:
        """See `Model.complete`; also raises what opening the model raised."""
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._holder = asyncio.create_task(self._hold(self._ready))
        # Shielded: a caller that gives up must not take the model from the others.
        model = await asyncio.shield(self._ready)
        return await model.complete(
            messages,
            max_tokens=max_tokens,
            schema=schema,
            choices=choices,
            seed=seed,
            temperature=temperature,
        )

    async def close(self) -> None:
        """Stop the model if it was started, or is starting."""
        if self._holder is None or self._ready is None:
            return
        self._done.set()
        if not self._ready.done():
            self._holder.cancel()
        await asyncio.gather(self._holder, return_exceptions=True)

    async def _hold(self, ready: "asyncio.Future[Model]") -> None:
        """Open and close the model in one task, whoever asked first."""
        try:
            async with self._opened() as model:
                ready.set_result(model)
                await self._done.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)


@asynccontextmanager
async def lazily(name: str, revision: str, opened: Open) -> AsyncIterator[LazyModel]:
    """A `LazyModel` that is closed at the end of the block."""
    model = LazyModel(name, revision, opened)
    try:
        yield model
    finally:
        await model.close()
