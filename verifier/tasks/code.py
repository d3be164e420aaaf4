"""Code: a snippet is run beside independent solutions of the same task (FacTool, arXiv 2307.13528).

Differs from FacTool in that inputs come by rule too, that tests in the prompt outrank the model,
that an input on which the solutions differ decides nothing, and that all of it runs in a sandbox.
What code can tell without a model is told first: broken syntax, forbidden acts, failing tests.
"""

import asyncio
from collections.abc import Sequence

from verifier.coding import solve, tell
from verifier.coding.decide import Point, against_solutions, against_tests
from verifier.coding.problem import Problem, read
from verifier.coding.snippets import entry_point, find
from verifier.coding.source import flaw
from verifier.errors import PartFailed
from verifier.sandbox import Call, Limits, Program, Ran, Sandbox
from verifier.task import Tools
from verifier.values import Claim, Response, Verdict

FIRST = 3
"""Solutions asked for at first; the others only if the snippet differs from these."""

TRIES = 4
"""Inputs by rule that show what a snippet does before anything is compared."""


async def split(response: Response, tools: Tools) -> list[Claim]:
    """One claim for each piece of code in a response."""
    claims = []
    for number, one in enumerate(find(response.text, response.prompt), 1):
        entry = entry_point(one.code, response.prompt, response.fields.get("entry_point", ""))
        fields = {
            "task": "code",
            "kind": "code",
            "code": one.code,
            "entry_point": entry,
            "language": one.language,
        }
        claims.append(Claim(str(number), tell.claim(entry, one), one.start, one.end, fields))
    return claims


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Run the snippet, and hold it against tests, then against solutions."""
    code = claim.fields["code"]
    entry = claim.fields.get("entry_point") or entry_point(code, response.prompt)
    if (ended := tell.unread(claim, flaw(code))) is not None:
        return ended
    problem = read(code, entry, response.prompt) if entry else None
    if problem is None:
        return tell.without_function(claim, code, entry)
    tests = [one.call for one in problem.tests]
    tries = [problem.call(one) for one in problem.edges(TRIES)]
    ran = await _run(code, [*tests, *tries], problem, tools)
    tested = against_tests(problem.tests, ran.runs)
    if (ended := tell.by_itself(claim, response.prompt, problem, ran, tested)) is not None:
        return ended
    try:
        points = await _compare(code, problem, tools)
    except PartFailed as error:
        return tell.failed(claim, error, tested, ran)
    return tell.compared(claim, problem, tested, points, ran.strength)


async def _compare(code: str, problem: Problem, tools: Tools) -> list[Point]:
    """The snippet beside solutions, on inputs by the model and by rule.

    Raises:
        PartFailed: the model or the sandbox failed.
    """
    most, settings = tools.settings.code.solutions, tools.settings.code
    made, sources = await asyncio.gather(
        solve.inputs(problem, tools), solve.solutions(problem, range(min(FIRST, most)), tools)
    )
    rows = [*made, *problem.edges(settings.inputs, made)][: settings.inputs]
    calls = list({str(call): call for call in map(problem.call, rows)}.values())
    mine, *theirs = await _all(code, sources, calls, problem, tools)
    points = against_solutions(calls, mine.runs, [one.runs for one in theirs])
    if most > FIRST and not _is_settled(points):
        more = await solve.solutions(problem, range(FIRST, most), tools)
        theirs += (await _all(code, more, calls, problem, tools))[1:]
        points = against_solutions(calls, mine.runs, [one.runs for one in theirs])
    return points


def _is_settled(points: Sequence[Point]) -> bool:
    """True if the first solutions agree with the snippet wherever they agree with each other."""
    decisive = [one for one in points if one.decisive]
    return len(decisive) * 2 > len(points) and all(one.agrees for one in decisive)


async def _all(
    code: str, sources: Sequence[str], calls: Sequence[Call], problem: Problem, tools: Tools
) -> list[Ran]:
    """The runs of the snippet, then of those solutions that pass the task's own tests."""
    tests = [one.call for one in problem.tests]
    ran = await asyncio.gather(
        *(_run(one, [*tests, *calls], problem, tools) for one in (code, *sources))
    )
    kept = [
        one
        for number, one in enumerate(ran)
        if not number or all(point.agrees for point in against_tests(problem.tests, one.runs))
    ]
    return [Ran(one.load, one.runs[len(tests) :], one.strength) for one in kept]


async def _run(source: str, calls: Sequence[Call], problem: Problem, tools: Tools) -> Ran:
    settings = tools.settings.code
    limits = Limits(seconds=settings.seconds, total=settings.total)
    with tools.meter.part("sandbox"):
        # Where there is none, opening one says why.
        sandbox = tools.sandbox or Sandbox.open(settings.sandbox)
        return await sandbox.run(Program(problem.preamble + source, tuple(calls)), limits)
