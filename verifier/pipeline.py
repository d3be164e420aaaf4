"""A response -> a report: split it, check all claims at once, add up.

Claims of all responses are in flight together; the engine batches them (Law 5). Nothing is
dropped: what fails ends as a `failed` verdict or report that says which part failed (Law 3).
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import asdict, replace

from verifier import metrics
from verifier.claims import is_abstention
from verifier.errors import PartFailed
from verifier.meter import Meter
from verifier.prompt import digests
from verifier.task import Task, Tools
from verifier.values import Claim, Label, Provenance, Report, Response, Status, Verdict
from verifier.version import __version__

Tell = Callable[[int, int], None]
"""Called with how many more claims were found, and how many more were decided."""

AT_ONCE = 32
"""Responses in flight at most; each holds its claims, so memory stays bounded."""


async def verify(response: Response, task: Task, tools: Tools, tell: Tell | None = None) -> Report:
    """Check one response.

    Args:
        response: what to check.
        task: how.
        tools: with what; a meter of its own is put in.
        tell: told as claims are found and decided.

    Returns:
        A report in which each claim has exactly one verdict, in the order of the response.
    """
    tools = replace(tools, meter=Meter())
    if not any(one.isalnum() for one in response.text):
        return _report(response, task, tools, Status.EMPTY)
    try:
        claims = await task.split(response, tools)
    except PartFailed as error:
        failed = _report(response, task, tools, Status.FAILED)
        return replace(failed, error=f"{error.part}: {error}")
    if not claims:
        note = f"The task {task.name} found nothing to check in this response."
        return replace(_report(response, task, tools, Status.CHECKED), notes=(note,))
    if is_abstention(claims):
        return _report(response, task, tools, Status.ABSTAINED)
    if tell:
        tell(len(claims), 0)
    async with asyncio.TaskGroup() as group:
        checks = [group.create_task(_check(response, one, task, tools, tell)) for one in claims]
    verdicts = tuple(check.result() for check in checks)
    return _report(response, task, tools, Status.CHECKED, verdicts)


async def verify_many(
    responses: Iterable[tuple[Response, Task]], tools: Tools, tell: Tell | None = None
) -> AsyncIterator[Report]:
    """Check responses side by side; reports come in the order of the responses.

    Reads ahead by `AT_ONCE` responses at most.
    """
    waiting: list[asyncio.Task[Report]] = []
    try:
        for response, task in responses:
            waiting.append(asyncio.create_task(verify(response, task, tools, tell)))
            if len(waiting) >= AT_ONCE:
                yield await waiting.pop(0)
        while waiting:
            yield await waiting.pop(0)
    finally:
        for one in waiting:
            one.cancel()


async def check_one(response: Response, claim: Claim, task: Task, tools: Tools) -> Verdict:
    """The verdict on one claim; what fails is a `failed` verdict, never an error."""
    try:
        return await task.check(response, claim, tools)
    except PartFailed as error:
        return Verdict(claim, Label.FAILED, reason=str(error), failed_part=error.part)


async def _check(
    response: Response, claim: Claim, task: Task, tools: Tools, tell: Tell | None
) -> Verdict:
    verdict = await check_one(response, claim, task, tools)
    if tell:
        tell(0, 1)
    return verdict


def _report(
    response: Response,
    task: Task,
    tools: Tools,
    status: Status,
    verdicts: tuple[Verdict, ...] = (),
) -> Report:
    settings = tools.settings
    used = {verdict.claim.fields.get("task") for verdict in verdicts}
    return Report(
        response=response,
        task=task.name,
        status=status,
        method=f"{task.name}/{settings.check.judge}",
        verdicts=verdicts,
        scores=metrics.scores(verdicts, settings.longform.k if task.counts_recall else ()),
        provenance=Provenance(
            version=__version__,
            model=tools.model.name,
            model_revision=tools.model.revision,
            index=tools.search.name,
            index_id=tools.search.id,
            snapshot_date=tools.search.snapshot_date,
            encoder=tools.search.encoder,
            papers=_papers(tools) if "scilit" in used else "",
            sandbox=tools.sandbox.strength if "code" in used and tools.sandbox else "",
            prompts=digests(tools.prompts),
            settings=asdict(settings),
            seed=settings.model.seed,
        ),
        usage=tools.meter.usage(),
    )


def _papers(tools: Tools) -> str:
    """Name, id and date of the papers index, if one is open."""
    if tools.papers is None:
        return ""
    dated = f", snapshot {tools.papers.snapshot_date}" if tools.papers.snapshot_date else ""
    return f"{tools.papers.name} {tools.papers.id}{dated}"
