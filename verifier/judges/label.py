"""One letter for all passages together, read by its log-probabilities.

One generated token: the prompt is the whole cost, and its fixed part is cached. Small models pick
the wrong letter more often than they rank it wrongly, so the letters' log-probabilities go
through a calibration fitted on labelled data (calibration.py).
"""

from collections.abc import Mapping, Sequence

from verifier import evidence
from verifier.ask import choose
from verifier.judges import calibration
from verifier.prompt import load
from verifier.task import Tools
from verifier.values import Claim, Evidence, Label, Verdict, Why
from verifier.words import folded, is_number, words

LETTERS: Mapping[str, Label] = {
    "A": Label.SUPPORTED,
    "B": Label.REFUTED,
    "C": Label.NOT_ENOUGH_EVIDENCE,
}

ABOUT = 0.5
"""Share of a claim's telling words that a passage needs to be about the same thing."""

YEAR = range(1900, 2200)
"""Numbers that are read as years when a claim is compared with the index's date."""


async def judge(claim: Claim, found: Sequence[Evidence], tools: Tools) -> Verdict:
    """The verdict of one call.

    Raises:
        PartFailed: the call failed, or its answer is no letter.
    """
    if not found:
        return undecided(claim, found, tools, probabilities={})
    with tools.meter.part("judge"):
        logprobs = await choose(tools, "label", list(LETTERS), claim=claim.text, passages=found)
    judged = {label: logprobs[letter] for letter, label in LETTERS.items()}
    digest = load("label", tools.prompts).digest
    scaled = calibration.probabilities(tools.model.name, digest, claim.text, found, judged)
    probabilities = {str(label): value for label, value in scaled.items()}
    label = max(scaled, key=lambda one: scaled[one])
    if label is Label.NOT_ENOUGH_EVIDENCE:
        return undecided(claim, found, tools, probabilities)
    return Verdict(
        claim,
        label,
        probability=probabilities[str(label)],
        probabilities=probabilities,
        evidence=tuple(found),
        cited=cited(claim, found),
    )


def undecided(
    claim: Claim, found: Sequence[Evidence], tools: Tools, probabilities: Mapping[str, float]
) -> Verdict:
    """A `not_enough_evidence` verdict, with why.

    The index cannot know what came after it; otherwise either no passage is about the claim's
    subject, or one is and says nothing on it.
    """
    snapshot = tools.search.snapshot_date
    later = [year for year in _years(claim.text) if snapshot and year > int(snapshot[:4])]
    if later:
        why, reason = Why.OUTSIDE_SNAPSHOT, f"The index ends on {snapshot}; {later[0]} is later."
    elif not _is_about(claim.text, found):
        why, reason = Why.NOT_IN_CORPUS, ""
    else:
        why, reason = Why.SILENT, ""
    return Verdict(
        claim,
        Label.NOT_ENOUGH_EVIDENCE,
        probability=probabilities.get(str(Label.NOT_ENOUGH_EVIDENCE)),
        probabilities=probabilities,
        why=why,
        reason=reason,
        evidence=tuple(found),
        cited=cited(claim, found),
    )


def cited(claim: Claim, found: Sequence[Evidence]) -> tuple[int, ...]:
    """Indexes of the passages, the one that covers most of the claim first; ties by rank."""
    held = [evidence.coverage(claim.text, [one]) for one in found]
    return tuple(sorted(range(len(found)), key=lambda n: (-held[n], n)))


def _is_about(claim: str, found: Sequence[Evidence]) -> bool:
    """True if a passage is about the claim's subject: it is its title, or shares much with it."""
    said = set(folded(claim))
    titled = any(set(folded(one.title)) <= said for one in found if one.title)
    return titled or evidence.coverage(claim, found) >= ABOUT


def _years(text: str) -> list[int]:
    numbers = [one.text for one in words(text) if is_number(one.text) and len(one.text) == 4]
    return [int(one) for one in numbers if one.isdecimal() and int(one) in YEAR]
