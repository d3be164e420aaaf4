"""What to look for: first the claim itself, then what the evidence so far lacks."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from verifier.ask import ask
from verifier.task import Tools
from verifier.values import Claim, Evidence

MAX_TOKENS = 96


class QueriesReply(BaseModel):
    """Search queries, best first."""

    model_config = ConfigDict(extra="forbid")

    queries: Annotated[list[str], Field(min_length=1, max_length=2)]


async def write(claim: Claim, found: Sequence[Evidence], tools: Tools) -> list[str]:
    """Queries for the next search.

    A claim that stands alone is the best first query and costs no model call. Later ones are
    written by the model, which is shown what was found (FIRE, arXiv 2411.00784, section 3).
    """
    if not found:
        return [claim.text]
    with tools.meter.part("queries"):
        reply = await ask(
            tools.model,
            "queries",
            QueriesReply,
            meter=tools.meter,
            max_tokens=MAX_TOKENS,
            seed=tools.settings.model.seed,
            claim=claim.text,
            titles=list(dict.fromkeys(one.title for one in found)),
        )
    return [query.strip() for query in reply.queries if query.strip()]
