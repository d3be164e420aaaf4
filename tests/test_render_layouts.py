"""The layouts of FacTool and SAFE hold what those programs put there, and nothing becomes true."""

import json

from verifier.render import factool, safe
from verifier.values import Claim, Evidence, Label, Query, Report, Response, Status, Verdict, Why

FOUND = (Evidence("passage", "Oslo is in Norway.", "w:1", "Oslo", query="Oslo"),)
TEXT = "Oslo is in Norway. It is old. I like it."


def verdict(n: int, label: Label, start: int, end: int, **more: object) -> Verdict:
    claim = Claim(str(n), TEXT[start:end], start, end, {"task": "kbqa", "kind": "fact"})
    return Verdict(claim, label, **more)  # type: ignore[arg-type]


VERDICTS = (
    verdict(1, Label.SUPPORTED, 0, 18, evidence=FOUND, queries=(Query("Oslo", "i"),)),
    verdict(2, Label.NOT_ENOUGH_EVIDENCE, 19, 29, why=Why.SILENT),
    verdict(3, Label.NOT_CHECKWORTHY, 30, 40, reason="An opinion."),
    verdict(4, Label.FAILED, 0, 4, failed_part="judge", reason="gone"),
)
REPORT = Report(Response("1", TEXT, "Oslo?"), "kbqa", Status.CHECKED, verdicts=VERDICTS)


def test_factool_gets_one_factuality_a_claim_and_never_true_for_what_is_undecided() -> None:
    row = factool.render(REPORT)["detailed_information"][0]
    assert [one["factuality"] for one in row["claim_level_factuality"]] == [True, False, False]
    assert row["response_level_factuality"] is False
    assert row["queries"][0] == ["Oslo"]
    assert row["evidences"][0] == ["Oslo is in Norway."]


def test_factool_averages_over_claims() -> None:
    assert factool.render(REPORT)["average_claim_level_factuality"] == 1 / 3


def test_factool_gives_math_and_citations_under_their_own_names() -> None:
    fields = {"task": "math", "kind": "calculation", "expression": "1 + 1", "stated": "2"}
    made = Report(
        Response("1", "1 + 1 = 2"),
        "math",
        Status.CHECKED,
        verdicts=(Verdict(Claim("1", "1 + 1 = 2", 0, 9, fields), Label.SUPPORTED),),
    )
    row = factool.render(made)["detailed_information"][0]
    assert row["category"] == "math"
    assert row["claims"] == [{"math_calculation": "1 + 1", "calculated_answer": "2"}]


def test_safe_counts_three_annotations_and_keeps_our_label() -> None:
    found = safe.render(REPORT)
    assert (found["Supported"], found["Irrelevant"], found["Not Supported"]) == (1, 1, 2)
    assert [one["label"] for one in found["checked_statements"]][3] == "failed"
    assert found["past_steps_jsonified_all"][0]["google_searches"][0]["query"] == "Oslo"


def test_an_empty_report_has_no_average() -> None:
    empty = Report(Response("1", ""), "kbqa", Status.EMPTY)
    assert factool.render(empty)["average_claim_level_factuality"] is None
    assert safe.render(empty)["checked_statements"] == []


def test_both_are_one_line_of_json() -> None:
    for module in (factool, safe):
        text = module.dumps(REPORT)
        assert "\n" not in text
        assert json.loads(text)
