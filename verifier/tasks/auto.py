"""What people really get from a model: a mix. Each part is checked as what it is.

Code goes to `code`, calculations to `math`, references to `scilit`, and the sentences that are left
to `kbqa`. A sentence that is mostly a calculation or a reference is not looked up once more.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from verifier import claims
from verifier.structure import BlockKind, Piece, pieces
from verifier.task import Check, Tools
from verifier.tasks import code, kbqa, math, scilit
from verifier.values import Claim, Response, Verdict

CHECKS: Mapping[str, Check] = {
    "code": code.check,
    "kbqa": kbqa.check,
    "math": math.check,
    "scilit": scilit.check,
}

MOSTLY = 0.5
"""Share of a sentence's characters from which on a reference is all that it says."""


async def split(response: Response, tools: Tools) -> list[Claim]:
    """The claims of all tasks in the order of the response, numbered anew."""
    parts = await asyncio.gather(*(one.split(response, tools) for one in (code, math, scilit)))
    others = [claim for part in parts for claim in part]
    taken = [
        (one.span.start, one.span.end) for one in pieces(response.text) if _is_taken(one, others)
    ]
    prose = await claims.split(response, tools, task="kbqa", without=taken)
    order = sorted([*others, *prose], key=lambda one: (one.start is None, one.start, one.end))
    numbers = {(one.fields["task"], one.id): str(n) for n, one in enumerate(order, 1)}
    return [_renumbered(one, numbers) for one in order]


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Check a claim as the task does that found it."""
    return await CHECKS[claim.fields["task"]](response, claim, tools)


def _is_taken(piece: Piece, others: Sequence[Claim]) -> bool:
    """True if other tasks take care of all that a piece says."""
    start, end = piece.span.start, piece.span.end
    inside = [
        one
        for one in others
        if one.start is not None and one.end is not None and one.start < end and one.end > start
    ]
    if piece.kind in (BlockKind.CODE, BlockKind.MATH):
        return bool(inside)
    if any(one.fields["task"] == "math" for one in inside):
        return True
    covered = sum(min(one.end or 0, end) - max(one.start or 0, start) for one in inside)
    return covered >= MOSTLY * (end - start)


def _renumbered(claim: Claim, numbers: Mapping[tuple[str, str], str]) -> Claim:
    """The claim with its new number, and that of the claim it repeats."""
    task = claim.fields["task"]
    fields = dict(claim.fields)
    if repeated := fields.get("repeats"):
        fields["repeats"] = numbers[task, repeated]
    return replace(claim, id=numbers[task, claim.id], fields=fields)
