"""One call: text in, report out."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.values import Report


async def acheck(
    text: str,
    *,
    prompt: str = "",
    task: str = "auto",
    settings: Iterable[str] = (),
) -> "Report":
    """Check one response.

    Starts a model server if none is kept running (`verifier models serve`), and stops it again.

    Args:
        text: the response to check.
        prompt: what the response answers; helps to resolve "it" and "there".
        task: a name of `verifier.tasks.TASKS`.
        settings: overrides such as `index.k=5` or `model.endpoint=http://...`.

    Raises:
        InputError: the task or a setting is not known, or the text cannot be text.
        ModelMissing, IndexMissing: a part is not there yet; the message says how to get it.
    """
    from verifier import pipeline
    from verifier.assemble import open_tools
    from verifier.inputs import find_task, response
    from verifier.settings import load

    wanted = find_task(task)
    made = response({"response": text, "prompt": prompt, "task": task}, "text")
    async with open_tools(load(None, settings), needs=wanted.needs) as tools:
        return await pipeline.verify(made, wanted, tools)


def check(
    text: str,
    *,
    prompt: str = "",
    task: str = "auto",
    settings: Iterable[str] = (),
) -> "Report":
    """`acheck` for code that is not asynchronous."""
    return asyncio.run(acheck(text, prompt=prompt, task=task, settings=settings))
