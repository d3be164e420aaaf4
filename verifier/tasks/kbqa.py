"""Knowledge QA: claims looked up in an index and judged (FacTool, arXiv 2307.13528, section 3).

Differs from FacTool in that the search stops as soon as the judge is sure (FIRE, arXiv
2411.00784) and that a claim can end undecided.
"""

from dataclasses import replace

from verifier import claims, evidence, queries
from verifier.task import Tools
from verifier.values import Claim, Evidence, Label, Query, Response, Verdict, Why

split = claims.split

ENDINGS = {
    claims.Kind.OPINION: "It gives an opinion, which no reference work can confirm.",
    claims.Kind.REFUSAL: "It declines to answer.",
    claims.Kind.OTHER: "It states nothing that could be looked up.",
}


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Look a claim up until the judge is sure or the rounds are used up."""
    if (ended := _without_search(claim, tools)) is not None:
        return ended
    found: tuple[Evidence, ...] = ()
    asked: list[Query] = []
    verdict: Verdict | None = None
    for _ in range(tools.settings.check.rounds):
        wanted = await queries.write(claim, found, tools)
        asked += [Query(text, tools.search.name) for text in wanted]
        before, found = found, await evidence.find(claim, wanted, found, tools)
        if verdict is None or found != before:
            verdict = await tools.judge(claim, found, tools)
        if _is_sure(verdict, tools):
            break
    assert verdict is not None, "settings allow no fewer than one round"
    return replace(verdict, queries=tuple(asked))


def _without_search(claim: Claim, tools: Tools) -> Verdict | None:
    """The verdict of a claim that need not or cannot be looked up."""
    kind = claims.Kind(claim.fields["kind"])
    if kind is claims.Kind.UNREAD:
        reason = claim.fields["error"]
        return Verdict(claim, Label.FAILED, reason=reason, failed_part="split")
    if kind is not claims.Kind.FACT:
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=ENDINGS[kind])
    language = claim.fields["language"]
    if language not in tools.search.languages:
        held = ", ".join(tools.search.languages)
        return Verdict(
            claim,
            Label.NOT_ENOUGH_EVIDENCE,
            why=Why.LANGUAGE_NOT_COVERED,
            reason=f"The claim is written in {language!r}; the index holds {held}.",
        )
    return None


def _is_sure(verdict: Verdict, tools: Tools) -> bool:
    settled = verdict.label in (Label.SUPPORTED, Label.REFUTED)
    return settled and (verdict.probability or 0.0) >= tools.settings.check.sure
