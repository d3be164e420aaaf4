"""Literature reviews: every reference looked up (FacTool, arXiv 2307.13528, section 3).

Unlike in FacTool references are found by grammar, a look-up takes milliseconds and no network, and
what is not found is only called false where the index is declared to be complete.
"""

import asyncio
from collections.abc import Mapping, Sequence

from verifier.citations.asked import asked, seems_to_cite
from verifier.citations.citation import Citation, Found
from verifier.citations.compare import reference
from verifier.citations.find import find
from verifier.citations.lookup import Outcome, look_up
from verifier.errors import PartFailed
from verifier.structure import BlockKind, Piece, pieces
from verifier.task import Tools
from verifier.values import Claim, Evidence, Label, Query, Response, Verdict, Why

TASK = "scilit"

NO_PAPERS = "There is no papers index. Build one with `verifier index build papers FILE...`."


async def split(response: Response, tools: Tools) -> list[Claim]:
    """The references of a response, in its order.

    The model is asked about sentences that seem to cite something in which the grammar finds
    nothing; where there are none it is never started.
    """
    found = find(response.text)
    doubtful = [one for one in pieces(response.text) if _is_doubtful(one, found)]
    async with asyncio.TaskGroup() as group:
        asking = [group.create_task(_asked(one, tools)) for one in doubtful]
    drafts = [_draft(response, one) for one in found]
    drafts += [draft for one in asking for draft in _drafts(response, one.result())]
    drafts.sort(key=lambda one: (one[0], one[1]))
    return [
        Claim(str(n), " ".join(response.text[start:end].split()), start, end, fields)
        for n, (start, end, fields) in enumerate(drafts, 1)
    ]


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Look a reference up and compare it with the paper that it means."""
    if claim.fields.get("kind") == "unread":
        reason = claim.fields.get("error", "")
        return Verdict(claim, Label.FAILED, reason=reason, failed_part="split")
    if tools.papers is None:
        return Verdict(claim, Label.NOT_ENOUGH_EVIDENCE, reason=NO_PAPERS, why=Why.NOT_IN_CORPUS)
    citation = Citation.of(claim.fields)
    asked_for = citation.title or citation.arxiv or citation.doi or citation.authors
    tools.meter.count_search()
    with tools.meter.part("search"):
        outcome = await asyncio.to_thread(look_up, citation, tools.papers, _around(response, claim))
    return Verdict(
        claim,
        outcome.label,
        reason=outcome.reason,
        why=outcome.why,
        correction=outcome.correction,
        evidence=_evidence(outcome, asked_for),
        cited=(0,) if outcome.cited else (),
        queries=(Query(asked_for, tools.papers.name),),
    )


Draft = tuple[int, int, Mapping[str, str]]


def _draft(response: Response, found: Found) -> Draft:
    fields = {"task": TASK, "kind": "citation", **found.citation.given()}
    return found.start, found.end, fields


def _drafts(response: Response, found: Found | Draft | None) -> list[Draft]:
    if found is None:
        return []
    return [_draft(response, found) if isinstance(found, Found) else found]


async def _asked(piece: Piece, tools: Tools) -> Found | Draft | None:
    try:
        with tools.meter.part("split"):
            return await asked(piece.span, tools)
    except PartFailed as error:
        fields = {"task": TASK, "kind": "unread", "error": str(error)}
        return piece.span.start, piece.span.end, fields


def _is_doubtful(piece: Piece, found: Sequence[Found]) -> bool:
    if piece.kind in (BlockKind.CODE, BlockKind.MATH) or not seems_to_cite(piece.span.text):
        return False
    span = piece.span
    return not any(one.start < span.end and one.end > span.start for one in found)


def _around(response: Response, claim: Claim) -> str:
    """The sentence that a reference stands in."""
    if claim.start is None or claim.end is None:
        return claim.text
    start = max(0, claim.start - 300)
    before = response.text[start : claim.start]
    for border in (". ", "? ", "! ", "\n"):
        before = before.rpartition(border)[2]
    return before + response.text[claim.start : claim.end]


def _evidence(outcome: Outcome, query: str) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            kind="record",
            text=reference(one.record),
            origin=one.record.id,
            title=one.record.title,
            url=one.record.url,
            date=str(one.record.years[0]) if one.record.years else "",
            query=query,
            score=one.similarity,
        )
        for one in outcome.records
    )
