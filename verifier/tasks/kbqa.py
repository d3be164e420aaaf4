"""Knowledge QA: claims looked up in an index and judged (FacTool, arXiv 2307.13528, section 3).

Differs from FacTool in that the search stops as soon as the judge is sure and that a claim can end
undecided. Two queries go out for a claim, and a refuted one gets its error and a correction.
"""

from verifier import claims, correct, lookup
from verifier.task import Tools
from verifier.values import Claim, Response, Verdict


async def split(response: Response, tools: Tools) -> list[Claim]:
    """The claims of a response; see `claims.split`."""
    return await claims.split(response, tools, task="kbqa")


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Look a claim up until the judge is sure or the rounds are used up."""
    if (ended := await lookup.ended(claim, tools)) is not None:
        return ended
    verdict = await lookup.look_up(claim, tools, tools.settings.check.rounds)
    return await correct.corrected(verdict, tools)
