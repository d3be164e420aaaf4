"""A lazy model is opened once, by whoever asks first, and closed at the end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from models.client import Message
from models.errors import ModelMissing
from models.fake import FakeModel
from models.lazy import LazyModel, lazily

HELLO = [Message("user", "hello")]


class Counted:
    """Opens a fake and counts."""

    def __init__(self, error: Exception | None = None) -> None:
        self.opened = self.closed = 0
        self.error = error

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[FakeModel]:
        self.opened += 1
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        yield FakeModel(lambda _: "hi")
        self.closed += 1


async def ask(model: LazyModel, times: int) -> list[str]:
    calls = (model.complete(HELLO, max_tokens=1) for _ in range(times))
    return [one.text for one in await asyncio.gather(*calls)]


def run(opened: Counted, times: int) -> list[str]:
    async def main() -> list[str]:
        async with lazily("m", "1", opened) as model:
            return await ask(model, times)

    return asyncio.run(main())


def test_it_is_opened_once_for_all_and_closed() -> None:
    opened = Counted()
    assert run(opened, 3) == ["hi"] * 3
    assert (opened.opened, opened.closed) == (1, 1)


def test_without_a_call_it_is_never_opened() -> None:
    opened = Counted()
    assert run(opened, 0) == []
    assert opened.opened == 0


def test_what_opening_raises_every_call_raises() -> None:
    with pytest.raises(ModelMissing, match="not here"):
        run(Counted(ModelMissing("not here")), 2)


def test_one_caller_that_gives_up_does_not_take_it_from_the_others() -> None:
    opened = Counted()

    async def main() -> list[str]:
        async with lazily("m", "1", opened) as model:
            impatient = asyncio.create_task(ask(model, 1))
            await asyncio.sleep(0)
            impatient.cancel()
            return await ask(model, 1)

    assert asyncio.run(main()) == ["hi"]
    assert opened.opened == 1
