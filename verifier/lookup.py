"""Looking a claim up in the index and judging it, again while the judge is unsure.

SAFE (arXiv 2403.18802, section 3) always makes five searches; this stops as soon as the judge is
sure (FIRE, arXiv 2411.00784, section 3).
"""

from collections.abc import Mapping
from dataclasses import replace

from verifier import claims, evidence, queries, worth
from verifier.task import Tools
from verifier.values import Claim, Evidence, Label, Query, Verdict, Why

ENDINGS: Mapping[claims.Kind, str] = {
    claims.Kind.OPINION: "It gives an opinion, which no reference work can confirm.",
    claims.Kind.REFUSAL: "It declines to answer.",
    claims.Kind.OTHER: "It states nothing that could be looked up.",
}


async def look_up(claim: Claim, tools: Tools, rounds: int) -> Verdict:
    """The verdict on a claim after at most `rounds` searches.

    Raises:
        PartFailed: a search or a call of the model failed.
    """
    found: tuple[Evidence, ...] = ()
    asked: list[Query] = []
    verdict: Verdict | None = None
    for _ in range(rounds):
        wanted = await queries.write(claim, found, [one.text for one in asked], tools)
        if not wanted:
            break
        asked += [Query(text, tools.search.name) for text in wanted]
        before, found = found, await evidence.find(claim, wanted, found, tools)
        if verdict is None or found != before:
            verdict = await tools.judge(claim, found, tools)
        if is_sure(verdict, tools):
            break
    assert verdict is not None, "the first round always has a query"
    return replace(verdict, queries=tuple(asked))


async def ended(claim: Claim, tools: Tools) -> Verdict | None:
    """The verdict on a claim that need not or cannot be looked up, else None.

    Raises:
        PartFailed: the call of the model that tells opinions failed.
    """
    kind = claims.Kind(claim.fields["kind"])
    if kind is claims.Kind.UNREAD:
        reason = claim.fields["error"]
        return Verdict(claim, Label.FAILED, reason=reason, failed_part="split")
    if kind is not claims.Kind.FACT:
        reason = claim.fields.get("reason", ENDINGS[kind])
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)
    if repeated := claim.fields.get("repeats"):
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=f"It repeats claim {repeated}.")
    language = claim.fields["language"]
    if language not in tools.search.languages:
        held = ", ".join(tools.search.languages)
        return Verdict(
            claim,
            Label.NOT_ENOUGH_EVIDENCE,
            why=Why.LANGUAGE_NOT_COVERED,
            reason=f"The claim is written in {language!r}; the index holds {held}.",
        )
    with tools.meter.part("worth"):
        opinion = await worth.is_opinion(claim.text, tools)
    if opinion:
        reason = ENDINGS[claims.Kind.OPINION]
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)
    return None


def is_sure(verdict: Verdict, tools: Tools) -> bool:
    """True if a verdict ends the search: settled, and probable enough (`check.sure`)."""
    settled = verdict.label in (Label.SUPPORTED, Label.REFUTED)
    return settled and (verdict.probability or 0.0) >= tools.settings.check.sure
