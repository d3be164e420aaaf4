"""FacTool's knowledge QA (Chern et al., arXiv 2307.13528, sections 3 and 4).

Claims of the whole response in one call, two queries a claim, the evidence of both, and one
verification that gives reasoning, error, correction and factuality. Nothing is repeated.
"""

import asyncio
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from verifier import evidence
from verifier.ask import ask
from verifier.recipes import steps
from verifier.structure import pieces
from verifier.task import Tools
from verifier.values import Claim, Label, Query, Response, Verdict

STRETCH = 3000
"""Characters of a response given to one call; the paper's responses are shorter."""

CLAIMS_TOKENS = 1024
QUERIES_TOKENS = 128
VERDICT_TOKENS = 384


class ClaimsReply(BaseModel):
    """All claims of a response, each of at most about 15 words."""

    model_config = ConfigDict(extra="forbid")

    claims: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=40)]


class QueriesReply(BaseModel):
    """Exactly two queries (section 3.2)."""

    model_config = ConfigDict(extra="forbid")

    queries: Annotated[list[str], Field(min_length=2, max_length=2)]


class VerdictReply(BaseModel):
    """What verification gives (section 3.4)."""

    model_config = ConfigDict(extra="forbid")

    reasoning: Annotated[str, Field(max_length=800)]
    error: Annotated[str, Field(max_length=300)]
    correction: Annotated[str, Field(max_length=300)]
    factuality: Literal["true", "false"]


async def split(response: Response, tools: Tools) -> list[Claim]:
    """The claims of a response, by one call a stretch of `STRETCH` characters."""
    with tools.meter.part("split"):
        replies = await asyncio.gather(
            *(
                ask(tools, "factool_claims", ClaimsReply, max_tokens=CLAIMS_TOKENS, text=one)
                for one in _stretches(response.text)
            )
        )
    claims = [claim for reply in replies for claim in reply.claims]
    return steps.placed(list(dict.fromkeys(claims)), response)


def _stretches(text: str) -> list[str]:
    """The text in whole sentences, so that no reply is longer than its limit."""
    stretches, start, end = [], 0, 0
    for one in pieces(text):
        if one.span.end - start > STRETCH and end > start:
            stretches.append(text[start:end])
            start = one.span.start
        end = one.span.end
    return [*stretches, text[start:end]] if end > start else stretches


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Two queries, one look at the evidence."""
    with tools.meter.part("queries"):
        asked = await ask(
            tools, "factool_queries", QueriesReply, max_tokens=QUERIES_TOKENS, claim=claim.text
        )
    found = await evidence.find(claim, asked.queries, (), tools)
    with tools.meter.part("judge"):
        reply = await ask(
            tools,
            "factool_verify",
            VerdictReply,
            max_tokens=VERDICT_TOKENS,
            claim=claim.text,
            passages=found,
        )
    return Verdict(
        claim,
        Label.SUPPORTED if reply.factuality == "true" else Label.REFUTED,
        reason=" ".join(one for one in (reply.reasoning, reply.error) if one and one != "none"),
        correction="" if reply.correction == "none" else reply.correction,
        evidence=found,
        cited=tuple(range(len(found))),
        queries=tuple(Query(one, tools.search.name) for one in asked.queries),
    )
