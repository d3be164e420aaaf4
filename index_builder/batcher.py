"""Many awaits, few calls: a batch is whatever arrived while the last one ran. No timer."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class WrongCount(Exception):  # noqa: N818 - reads as what happened
    """The batch function returned another number of results than it was given items."""


class Batcher(Generic[Item, Result]):
    """Turns `run(items) -> results` into an awaitable for one item.

    `run` is called in a worker thread, one call at a time. When it raises, every waiter of that
    batch gets the exception and the next batch runs. A waiter that is cancelled is left out if its
    batch has not started. One event loop at a time.
    """

    def __init__(self, run: Callable[[Sequence[Item]], Sequence[Result]], limit: int = 256) -> None:
        """Make a batcher.

        Args:
            run: Gets 1 to `limit` items, returns as many results in the same order.
            limit: Items in one batch at most.
        """
        self._run = run
        self._limit = limit
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._worker: asyncio.Task[None] | None = None
        self._closed = False

    async def __call__(self, item: Item) -> Result:
        """The result for one item.

        Raises:
            RuntimeError: The batcher is closed.
            WrongCount: The batch function broke its promise.
        """
        if self._closed:
            raise RuntimeError("The batcher is closed.")
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await future

    async def aclose(self) -> None:
        """Take no more items and wait until those that are in have their results."""
        self._closed = True
        if self._worker is not None:
            await asyncio.wait({self._worker})

    async def _work(self) -> None:
        try:
            while batch := self._take():
                await self._answer(batch)
        finally:  # reached with waiters only when the task itself is cancelled
            for _, future in self._drain():
                future.cancel()

    async def _answer(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        """Run one batch. Waiting on a future instead of `except`: any exception must reach them."""
        items = [item for item, _ in batch]
        call = asyncio.ensure_future(asyncio.to_thread(self._checked, items))
        try:
            await asyncio.wait({call})
        except asyncio.CancelledError:
            for _, future in batch:
                future.cancel()
            raise
        error = call.exception()
        for at, (_, future) in enumerate(batch):
            if future.done():
                continue
            if error is None:
                future.set_result(call.result()[at])
            else:
                future.set_exception(error)

    def _checked(self, items: list[Item]) -> Sequence[Result]:
        results = self._run(items)
        if len(results) != len(items):
            raise WrongCount(f"{len(results)} results for a batch of {len(items)} items.")
        return results

    def _take(self) -> list[tuple[Item, asyncio.Future[Result]]]:
        """The next batch, without the waiters that gave up; empty when nothing waits."""
        live = [pair for pair in self._drain() if not pair[1].done()]
        self._waiting = live[self._limit :]
        return live[: self._limit]

    def _drain(self) -> list[tuple[Item, asyncio.Future[Result]]]:
        waiting, self._waiting = self._waiting, []
        return waiting
