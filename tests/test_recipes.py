"""Published methods follow their papers' steps, and fail where a step fails."""

import asyncio
import json

import pytest
from fakes import FakeSearch, facts, tools

from models.errors import ModelError
from models.fake import Answer, FakeModel
from verifier import pipeline
from verifier.recipes import RECIPES
from verifier.values import Label, Report, Response

TEXT = "The Nile is 7,088 km long."
TRUE = json.dumps({"reason": "It says so.", "answer": "true"})
FALSE = json.dumps({"reason": "It says 7,088.", "answer": "false"})
ONE_FACT = json.dumps({"facts": [TEXT]})

ANSWERS: dict[str, dict[str, Answer]] = {
    "factool": {
        "<text>": json.dumps({"claims": [TEXT]}),
        "<passage": json.dumps(
            {"reasoning": "So.", "error": "none", "correction": "none", "factuality": "true"}
        ),
        "<claim>": json.dumps({"queries": ["Nile", "Nile length"]}),
    },
    "safe": {
        "<sentence>": ONE_FACT,
        "<fact>": json.dumps({"fact": TEXT}),
        "<question>": {"Y": -0.1, "N": -3.0},
    },
    "factscore": {"<sentence>": ONE_FACT, "<statement>": {"True": -0.1, "False": -3.0}},
    "fire": {"<sentence>": facts(TEXT), "<claim>": TRUE},
    "selfcheck-0": {"<sentence>": facts(TEXT), "<claim>": TRUE},
    "selfcheck-3": {"<sentence>": facts(TEXT), "<claim>": FALSE},
}


def run(
    name: str, answers: dict[str, Answer] | FakeModel, search: FakeSearch | None = None
) -> Report:
    response = Response("1", TEXT, "How long is the Nile?")
    return asyncio.run(pipeline.verify(response, RECIPES[name], tools(answers, search)))


def safe_model() -> FakeModel:
    """SAFE's queries and rating end with the same block; their instructions tell them apart."""

    def answer(text: str) -> Answer:
        for key, value in ANSWERS["safe"].items():
            if key in text:
                return value
        return TRUE if text.count("<passage") > 1 else json.dumps({"query": f"Nile {len(text)}"})

    return FakeModel(answer)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("factool", Label.SUPPORTED),
        ("factscore", Label.SUPPORTED),
        ("fire", Label.SUPPORTED),
        ("selfcheck-0", Label.SUPPORTED),
        ("selfcheck-3", Label.REFUTED),
    ],
)
def test_each_method_gives_a_verdict_at_the_words_it_is_about(name: str, label: Label) -> None:
    (verdict,) = run(name, ANSWERS[name]).verdicts
    assert (verdict.label, verdict.claim.start, verdict.claim.end) == (label, 0, len(TEXT))


def test_factool_asks_two_queries() -> None:
    search = FakeSearch()
    run("factool", ANSWERS["factool"], search)
    assert search.asked == ["Nile", "Nile length"]


def test_safe_searches_five_times_whatever_it_finds() -> None:
    search = FakeSearch()
    query = json.dumps({"query": "Nile"})
    answers = {**ANSWERS["safe"], "<statement>": query}
    report = run("safe", answers, search)
    assert len(search.asked) == 5
    assert report.verdicts[0].label is Label.FAILED  # the rating was answered with a query


def test_safe_leaves_out_what_does_not_bear_on_the_question() -> None:
    answers = {**ANSWERS["safe"], "<question>": {"Y": -3.0, "N": -0.1}}
    assert run("safe", answers).verdicts[0].label is Label.NOT_CHECKWORTHY


def test_safe_counts_recall() -> None:
    answers = {**ANSWERS["safe"], "<question>": {"Y": -3.0, "N": -0.1}}
    assert "f1@64" in run("safe", answers).scores


def test_fire_searches_while_unsure_and_then_has_to_answer() -> None:
    search = FakeSearch()
    more = json.dumps({"reason": "I do not know.", "query": "Nile"})
    replies = iter([facts(TEXT), *[more] * 5, FALSE])

    def answer(text: str) -> Answer:
        return {"F": -0.1, "O": -3.0} if "F or O?" in text else next(replies)

    (verdict,) = run("fire", FakeModel(answer), search).verdicts
    assert (len(search.asked), verdict.label) == (5, Label.REFUTED)


@pytest.mark.parametrize("name", ["factool", "fire", "selfcheck-0", "factscore"])
def test_an_unusable_judgement_is_failed_never_true(name: str) -> None:
    broken: dict[str, Answer] = {
        **ANSWERS[name],
        **{
            key: "perhaps" for key in ("<passage", "<claim>", "<statement>") if key in ANSWERS[name]
        },
    }
    labels = {one.label for one in run(name, broken).verdicts}
    assert labels == {Label.FAILED}


def test_a_sentence_that_cannot_be_split_is_a_failed_verdict() -> None:
    (verdict,) = run("factscore", {"<sentence>": ModelError("gone")}).verdicts
    assert (verdict.label, verdict.failed_part) == (Label.FAILED, "split")
