"""Self-check, the closed-book baseline of FacTool (arXiv 2307.13528, section 6): no evidence.

The model is asked what it thinks of a claim, with chain of thought and with no or three worked
examples. What a verifier gains over this is what its retrieval is worth.
"""

from verifier import claims, lookup
from verifier.recipes import steps
from verifier.task import Tools
from verifier.values import Claim, Response, Verdict


async def split(response: Response, tools: Tools) -> list[Claim]:
    """The claims of a response; see `claims.split`."""
    return await claims.split(response, tools, task="selfcheck")


async def check_0(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Without examples."""
    return await _check(claim, "selfcheck_0", tools)


async def check_3(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """With three examples."""
    return await _check(claim, "selfcheck_3", tools)


async def _check(claim: Claim, prompt: str, tools: Tools) -> Verdict:
    if (ended := await lookup.ended(claim, tools)) is not None:
        return ended
    return steps.judged(claim, await steps.reasoned(tools, prompt, claim=claim.text))
