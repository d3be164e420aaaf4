"""What to look for: first the claim and its subject, then what the evidence so far lacks."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from verifier import evidence
from verifier.ask import ask
from verifier.task import Tools
from verifier.values import Claim, Evidence
from verifier.words import folded

MAX_TOKENS = 96


class QueriesReply(BaseModel):
    """Search queries, best first."""

    model_config = ConfigDict(extra="forbid")

    queries: Annotated[list[str], Field(min_length=1, max_length=2)]


async def write(
    claim: Claim, found: Sequence[Evidence], asked: Sequence[str], tools: Tools
) -> list[str]:
    """At most two queries for the next search, none of which was asked before.

    A claim that stands alone is the best first query, its subject the best second: neither costs
    a model call. Later ones are written by the model, which is told which words of the claim no
    passage holds; where it only repeats itself, those words are the query.

    Args:
        claim: what is looked up.
        found: the evidence so far.
        asked: the queries so far.
        tools: who writes.

    Returns:
        Queries, best first; none if there is nothing new to ask.
    """
    if not asked:
        return _new([claim.text, claim.fields.get("about", "")], asked)
    lacking = evidence.lacking(claim.text, found)
    with tools.meter.part("queries"):
        reply = await ask(
            tools,
            "queries",
            QueriesReply,
            max_tokens=MAX_TOKENS,
            claim=claim.text,
            titles=list(dict.fromkeys(one.title for one in found)),
            lacking=lacking,
        )
    new = _new(reply.queries, asked)
    subject = claim.fields.get("about", "")
    return new or _new([" ".join([subject, *lacking]).strip()] if lacking else [], asked)


def _new(queries: Sequence[str], asked: Sequence[str]) -> list[str]:
    """Queries that differ from each other and from earlier ones by more than case or accents."""
    known = {tuple(folded(query)) for query in asked} | {()}
    new = []
    for query in queries:
        if tuple(folded(query)) not in known:
            known.add(tuple(folded(query)))
            new.append(query.strip())
    return new[:2]
