import asyncio
import threading
import time
from collections.abc import Sequence

import pytest

from index_builder.batcher import Batcher, WrongCount


def double(items: Sequence[int]) -> list[int]:
    return [2 * item for item in items]


async def all_of(batcher: Batcher[int, int], count: int) -> list[int]:
    return await asyncio.gather(*(batcher(n) for n in range(count)))


def test_every_waiter_gets_its_own_result() -> None:
    assert asyncio.run(all_of(Batcher(double, limit=7), 100)) == double(range(100))


def test_what_arrives_while_one_runs_is_one_batch() -> None:
    sizes: list[int] = []

    def slow(items: Sequence[int]) -> list[int]:
        sizes.append(len(items))
        time.sleep(0.05)
        return double(items)

    async def main() -> None:
        batcher = Batcher(slow)
        first = asyncio.create_task(batcher(0))
        await asyncio.sleep(0.01)
        await asyncio.gather(first, *(batcher(n) for n in range(9)))

    asyncio.run(main())
    assert sizes == [1, 9]


def test_the_batch_function_runs_in_another_thread() -> None:
    batcher = Batcher(lambda items: [threading.get_ident()] * len(items))
    assert asyncio.run(batcher(1)) != threading.get_ident()


@pytest.mark.parametrize("count", [0, 1, 99])
def test_a_wrong_count_reaches_every_waiter(count: int) -> None:
    async def main() -> list[object]:
        batcher = Batcher(lambda _: [0] * count, limit=5)
        return await asyncio.gather(*(batcher(n) for n in range(5)), return_exceptions=True)

    assert all(isinstance(result, WrongCount) for result in asyncio.run(main()))


def test_the_batch_after_a_failed_one_runs() -> None:
    async def main() -> tuple[list[object], int]:
        batcher = Batcher(lambda items: [10 // item for item in items])
        failed = await asyncio.gather(batcher(0), batcher(5), return_exceptions=True)
        return failed, await batcher(5)

    failed, after = asyncio.run(main())
    assert all(isinstance(error, ZeroDivisionError) for error in failed)
    assert after == 2


def test_cancelled_waiters_are_left_out() -> None:
    seen: list[int] = []

    async def main() -> int:
        batcher = Batcher(lambda items: seen.extend(items) or double(items))
        waiters = [asyncio.ensure_future(batcher(n)) for n in range(3)]
        await asyncio.sleep(0)
        waiters[0].cancel()
        waiters[1].cancel()
        return await waiters[2]

    assert asyncio.run(main()) == 4
    assert seen == [2]


def test_a_batch_whose_waiters_all_gave_up_is_not_run() -> None:
    async def main() -> int:
        batcher = Batcher(double)
        waiter = asyncio.ensure_future(batcher(1))
        await asyncio.sleep(0)
        waiter.cancel()
        await asyncio.sleep(0.01)
        return await batcher(2)

    assert asyncio.run(main()) == 4


def test_a_batcher_serves_one_loop_after_another() -> None:
    batcher = Batcher(double)
    assert [asyncio.run(all_of(batcher, 3)) for _ in range(2)] == [[0, 2, 4]] * 2


def test_a_closed_batcher_finishes_what_is_in_and_takes_no_more() -> None:
    async def main() -> int:
        batcher = Batcher(double)
        waiter = asyncio.ensure_future(batcher(1))
        await asyncio.sleep(0)
        await batcher.aclose()
        with pytest.raises(RuntimeError, match="closed"):
            await batcher(2)
        return await waiter

    assert asyncio.run(main()) == 2
