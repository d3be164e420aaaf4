"""Long answers: what is beside the question is left out, facts count once, recall is at K."""

import asyncio

import pytest
from fakes import FakeSearch, facts, letter, tools

from models.fake import Answer
from verifier import pipeline, queries
from verifier.metrics import scores
from verifier.task import Task
from verifier.tasks import longform
from verifier.values import Claim, Evidence, Label, Report, Response, Verdict

TASK = Task("longform", longform.split, longform.check, counts_recall=True)
NILE = "The Nile is 7,088 km long."


def rate(text: str, answers: dict[str, Answer], prompt: str = "How long is the Nile?") -> Report:
    return asyncio.run(pipeline.verify(Response("1", text, prompt), TASK, tools(answers)))


def test_a_fact_beside_the_question_is_left_out() -> None:
    answers: dict[str, Answer] = {"Y or N?": {"Y": -3.0, "N": -0.1}, "<sentence>": facts(NILE)}
    report = rate(NILE, answers)
    assert report.verdicts[0].label is Label.NOT_CHECKWORTHY
    assert report.scores["precision"] is None


def test_without_a_question_nothing_is_beside_it() -> None:
    answers: dict[str, Answer] = {
        "Y or N?": {"Y": -3.0, "N": -0.1},
        "<sentence>": facts(NILE),
        "<claim>": letter("A"),
    }
    assert rate(NILE, answers, prompt="").verdicts[0].label is Label.SUPPORTED


def test_a_repeated_fact_counts_once() -> None:
    answers: dict[str, Answer] = {"<sentence>": facts(NILE), "<claim>": letter("A")}
    report = rate(f"{NILE} {NILE}", answers)
    assert (report.scores["claims"], report.scores["supported"]) == (1, 1)
    assert report.verdicts[1].reason == "It repeats claim 1."


def test_recall_and_f1_are_counted_at_each_k() -> None:
    answers: dict[str, Answer] = {"<sentence>": facts(NILE), "<claim>": letter("A")}
    found = rate(NILE, answers).scores
    assert found["recall@64"] == 1 / 64
    assert found["f1@64"] == pytest.approx(2 / 65)


@pytest.mark.parametrize(
    ("supported", "refuted", "f1"), [(64, 0, 1.0), (128, 0, 1.0), (32, 32, 0.5), (0, 4, 0.0)]
)
def test_f1_at_k_by_hand(supported: int, refuted: int, f1: float) -> None:
    labels = [Label.SUPPORTED] * supported + [Label.REFUTED] * refuted
    made = [Verdict(Claim(str(n), "x"), label) for n, label in enumerate(labels)]
    assert scores(made, at=[64])["f1@64"] == pytest.approx(f1)


def test_the_subject_is_the_second_query() -> None:
    claim = Claim("1", NILE, fields={"about": "the Nile"})
    assert asyncio.run(queries.write(claim, [], [], tools({}))) == [NILE, "the Nile"]


def test_a_query_that_was_asked_before_is_replaced_by_what_the_evidence_lacks() -> None:
    claim = Claim("1", "The Nile was painted by Monet.", fields={"about": "the Nile"})
    found = [Evidence("passage", "The Nile is long.", "1", "Nile")]
    made = tools({"<found>": '{"queries": ["The Nile"]}'}, FakeSearch())
    asked = asyncio.run(queries.write(claim, found, ["the nile"], made))
    assert asked == ["the Nile painted Monet"]


def test_there_is_no_query_when_there_is_nothing_new_to_ask() -> None:
    claim = Claim("1", "The Nile is long.")
    found = [Evidence("passage", "The Nile is long.", "1", "Nile")]
    made = tools({"<found>": '{"queries": ["Nile"]}'})
    assert asyncio.run(queries.write(claim, found, ["Nile"], made)) == []
