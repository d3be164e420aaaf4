"""Long-form answers, rated by all their facts (SAFE, arXiv 2403.18802, section 3).

A response becomes atomic facts that stand alone, those that are opinions or beside the question
are left out, the rest is looked up in up to `longform.rounds` searches, and precision, recall at K
and F1@K are taken over them. A fact that is repeated counts once.

Unlike in SAFE a fact that could not be decided is not called false, and the search stops as soon
as the judge is sure.
"""

from verifier import claims, correct, lookup, worth
from verifier.task import Tools
from verifier.values import Claim, Label, Response, Verdict

BESIDE = "It has nothing to do with the question."


async def split(response: Response, tools: Tools) -> list[Claim]:
    """The facts of a response; see `claims.split`."""
    return await claims.split(response, tools, task="longform")


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Look a fact up unless it is an opinion or beside the question; see `lookup.look_up`."""
    if (ended := await lookup.ended(claim, tools)) is not None:
        return ended
    with tools.meter.part("worth"):
        beside = await worth.is_beside(claim.text, response.prompt, tools)
    if beside:
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=BESIDE)
    verdict = await lookup.look_up(claim, tools, tools.settings.longform.rounds)
    return await correct.corrected(verdict, tools)
