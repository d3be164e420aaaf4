"""FIRE (Xie et al., arXiv 2411.00784, section 3): answer as soon as sure, else search once more.

One prompt decides at every step between an answer and a query. After five searches the model has
to answer. The paper starts from given claims; here they come from our own splitting.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from verifier import claims, evidence, lookup
from verifier.ask import ask
from verifier.recipes import steps
from verifier.task import Tools
from verifier.values import Claim, Evidence, Query, Response, Verdict

SEARCHES = 5
STEP_TOKENS = 320


class Answer(BaseModel):
    """The model is sure."""

    model_config = ConfigDict(extra="forbid")

    reason: Annotated[str, Field(max_length=600)]
    answer: Literal["true", "false"]


class Search(BaseModel):
    """The model wants to know more."""

    model_config = ConfigDict(extra="forbid")

    reason: Annotated[str, Field(max_length=600)]
    query: Annotated[str, Field(min_length=1, max_length=200)]


class StepReply(RootModel[Answer | Search]):
    """One step."""


async def split(response: Response, tools: Tools) -> list[Claim]:
    """The claims of a response; see `claims.split`."""
    return await claims.split(response, tools, task="fire")


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Answer or search, until there is an answer."""
    if (ended := await lookup.ended(claim, tools)) is not None:
        return ended
    found: tuple[Evidence, ...] = ()
    asked: list[Query] = []
    for _ in range(SEARCHES):
        with tools.meter.part("judge"):
            reply = await ask(
                tools,
                "fire_step",
                StepReply,
                max_tokens=STEP_TOKENS,
                claim=claim.text,
                passages=found,
                queries=[one.text for one in asked],
            )
        if isinstance(reply.root, Answer):
            final = steps.ReasonedReply(reason=reply.root.reason, answer=reply.root.answer)
            return steps.judged(claim, final, found, asked)
        asked.append(Query(reply.root.query, tools.search.name))
        found = await evidence.find(claim, [reply.root.query], found, tools)
    last = await steps.reasoned(tools, "fire_final", claim=claim.text, passages=found)
    return steps.judged(claim, last, found, asked)
