"""What is wrong in a refuted claim, and what would be right (FacTool, arXiv 2307.13528, section 4).

The model writes both, and neither is taken on trust: the error must stand in the claim, and a
correction may name nothing that is in neither the claim nor the evidence.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from verifier.ask import ask
from verifier.errors import PartFailed
from verifier.task import Tools
from verifier.values import Evidence, Label, Verdict
from verifier.words import folded, is_number, names, telling

MAX_TOKENS = 96


class CorrectionReply(BaseModel):
    """The words of the claim that are wrong, and the claim put right."""

    model_config = ConfigDict(extra="forbid")

    error: Annotated[str, Field(max_length=120)]
    correction: Annotated[str, Field(max_length=240)]


async def corrected(verdict: Verdict, tools: Tools) -> Verdict:
    """A refuted verdict with its error as the reason and a correction; others as they are.

    A correction that cannot be had leaves the verdict as it was, with that said.
    """
    if verdict.label is not Label.REFUTED or not verdict.evidence:
        return verdict
    shown = [verdict.evidence[n] for n in verdict.cited] or list(verdict.evidence)
    try:
        with tools.meter.part("correction"):
            reply = await ask(
                tools,
                "correction",
                CorrectionReply,
                max_tokens=MAX_TOKENS,
                claim=verdict.claim.text,
                passages=shown,
            )
    except PartFailed as error:
        return replace(verdict, reason=f"No correction could be written: {error}")
    if _names_the_subject(reply.error, verdict):
        return verdict  # what a claim is about cannot be what is wrong in it
    return replace(
        verdict,
        reason=_reason(reply.error, verdict, shown),
        correction=reply.correction if is_grounded(reply.correction, verdict, shown) else "",
    )


def is_grounded(correction: str, verdict: Verdict, shown: Sequence[Evidence]) -> bool:
    """True if a correction differs from its claim by what the evidence says, and by nothing else.

    >>> from verifier.values import Claim
    >>> wrong = Verdict(Claim("1", "The tower opened in 1902."), Label.REFUTED)
    >>> found = [Evidence("passage", "It opened in 1889.", "1")]
    >>> is_grounded("The tower opened in 1889.", wrong, found)
    True
    >>> is_grounded("The tower opened in 1889 in Paris.", wrong, found)
    False
    """
    claim = verdict.claim.text
    held = set(folded(" ".join(f"{one.title} {one.text}" for one in shown)))
    new = telling(correction) - telling(claim)
    named = {one for one in names(correction) if is_number(one) or len(one) > 3}
    return bool(new & held) and named <= held | set(folded(claim))


def _names_the_subject(error: str, verdict: Verdict) -> bool:
    subject = set(folded(verdict.claim.fields.get("about", "")))
    return bool(subject) and set(folded(error)) <= subject


def _reason(error: str, verdict: Verdict, shown: Sequence[Evidence]) -> str:
    """Which words are wrong and where that stands; nothing if the words are not the claim's."""
    words = error.strip().strip(".")
    if not words or words.casefold() not in verdict.claim.text.casefold():
        return ""
    title = shown[0].title or shown[0].origin
    return f"\u201c{words}\u201d is not what \u201c{title}\u201d says."
