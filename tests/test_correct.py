"""A refuted claim gets its error and a correction, neither of them made up."""

import asyncio
import json

import pytest
from fakes import tools

from models.errors import ModelError
from models.fake import Answer
from verifier.correct import corrected
from verifier.values import Claim, Evidence, Label, Verdict

CLAIM = Claim("1", "The tower opened in 1902.")
FOUND = (Evidence("passage", "The tower opened in 1889.", "1", "Tower"),)
REFUTED = Verdict(CLAIM, Label.REFUTED, evidence=FOUND, cited=(0,))


def fix(answer: Answer, verdict: Verdict = REFUTED) -> Verdict:
    return asyncio.run(corrected(verdict, tools({"<claim>": answer})))


def reply(error: str, correction: str) -> str:
    return json.dumps({"error": error, "correction": correction})


def test_the_error_is_the_reason_and_the_correction_is_kept() -> None:
    verdict = fix(reply("1902", "The tower opened in 1889."))
    assert verdict.reason == "\u201c1902\u201d is not what \u201cTower\u201d says."
    assert verdict.correction == "The tower opened in 1889."


@pytest.mark.parametrize(
    "correction", ["The tower opened in 1890.", "The tower opened in 1902.", "It fell.", ""]
)
def test_a_correction_that_the_evidence_does_not_hold_is_dropped(correction: str) -> None:
    assert fix(reply("1902", correction)).correction == ""


def test_an_error_that_is_not_in_the_claim_is_no_reason() -> None:
    assert fix(reply("1903", "The tower opened in 1889.")).reason == ""


def test_a_failure_leaves_the_verdict_and_says_so() -> None:
    verdict = fix(ModelError("gone"))
    assert (verdict.label, verdict.correction) == (Label.REFUTED, "")
    assert "gone" in verdict.reason


def test_other_verdicts_cost_no_call() -> None:
    supported = Verdict(CLAIM, Label.SUPPORTED, evidence=FOUND, cited=(0,))
    assert fix(ModelError("never asked"), supported) == supported


def test_what_a_claim_is_about_is_not_its_error() -> None:
    claim = Claim("1", "The tower opened in 1902.", fields={"about": "the tower"})
    verdict = Verdict(claim, Label.REFUTED, evidence=FOUND, cited=(0,))
    assert fix(reply("the tower", "The tower opened in 1889."), verdict) == verdict
