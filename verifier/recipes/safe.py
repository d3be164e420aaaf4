"""SAFE (Wei et al., arXiv 2403.18802, section 3 and appendix C).

Each sentence is split into facts, each fact revised to stand alone and asked whether it bears on
the question; then five searches of three results each, every query written after the results
before it, and a rating with reasoning. A fact is supported or not: SAFE calls it not supported
also where nothing was found, so `refuted` here means no more than that.
"""

from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from verifier import evidence
from verifier.ask import ask, choose
from verifier.recipes import steps
from verifier.task import Tools
from verifier.values import Claim, Evidence, Label, Query, Response, Verdict

SEARCHES = 5
RESULTS = 3
AROUND = 4000
"""Characters before and after a fact that it is revised with; the paper gives the response."""

REVISED_TOKENS = 128
QUERY_TOKENS = 64


class RevisedReply(BaseModel):
    """A fact that stands alone."""

    model_config = ConfigDict(extra="forbid")

    fact: Annotated[str, Field(min_length=1, max_length=400)]


class QueryReply(BaseModel):
    """The next query."""

    model_config = ConfigDict(extra="forbid")

    query: Annotated[str, Field(min_length=1, max_length=200)]


async def split(response: Response, tools: Tools) -> list[Claim]:
    """The facts of each sentence, as the sentence has them."""
    return await steps.atomic_facts(response, "safe_facts", tools)


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Revise, ask for relevance, search five times, rate."""
    if (failed := steps.unread(claim)) is not None:
        return failed
    claim = await _revised(response, claim, tools)
    with tools.meter.part("relevance"):
        scores = await choose(
            tools, "safe_relevance", ["Y", "N"], question=response.prompt, statement=claim.text
        )
    if scores["N"] > scores["Y"]:
        reason = "It does not bear on the question."
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)
    found, asked = await _searched(claim, tools)
    reply = await steps.reasoned(tools, "safe_rate", claim=claim.text, passages=found)
    return steps.judged(claim, reply, found, asked)


async def _revised(response: Response, claim: Claim, tools: Tools) -> Claim:
    with tools.meter.part("revise"):
        reply = await ask(
            tools,
            "safe_revise",
            RevisedReply,
            max_tokens=REVISED_TOKENS,
            text=_around(response.text, claim.start or 0),
            fact=claim.text,
        )
    return replace(claim, text=reply.fact.strip(), fields={**claim.fields, "fact": claim.text})


def _around(text: str, at: int) -> str:
    """The text, or as much of it before and after a place as a prompt can hold."""
    return text[max(0, at - AROUND) : at + AROUND]


async def _searched(claim: Claim, tools: Tools) -> tuple[tuple[Evidence, ...], list[Query]]:
    tools = replace(
        tools, settings=replace(tools.settings, index=replace(tools.settings.index, k=RESULTS))
    )
    found: tuple[Evidence, ...] = ()
    asked: list[Query] = []
    for _ in range(SEARCHES):
        with tools.meter.part("queries"):
            reply = await ask(
                tools,
                "safe_query",
                QueryReply,
                max_tokens=QUERY_TOKENS,
                claim=claim.text,
                passages=found,
            )
        asked.append(Query(reply.query, tools.search.name))
        found = await evidence.find(claim, [reply.query], found, tools)
    return found, asked
