"""A response goes in, a report comes out, and nothing is lost on the way."""

import asyncio

import pytest
from fakes import OPINION, FakeSearch, facts, kind, letter, tools

from models.errors import ModelMissing
from models.fake import FakeModel
from verifier import pipeline
from verifier.task import Tools
from verifier.tasks import TASKS
from verifier.values import Label, Report, Response, Status, Why

TEXT = "The Nile is 7,088 km long. Mount Fuji is in Japan."
ANSWERS = {
    "<sentence>The Nile": facts("The Nile is 7,088 km long."),
    "<sentence>Mount": facts("Mount Fuji is in Japan."),
    "<claim>The Nile": letter("B"),
    "<claim>Mount": letter("A"),
}


def verify(text: str, made: Tools) -> Report:
    return asyncio.run(pipeline.verify(Response("1", text), TASKS["kbqa"], made))


def test_each_claim_ends_as_one_verdict_in_order() -> None:
    report = verify(TEXT, tools(ANSWERS))
    assert [one.label for one in report.verdicts] == [Label.REFUTED, Label.SUPPORTED]
    assert report.scores["precision"] == 0.5
    assert report.status is Status.CHECKED


def test_a_report_says_what_it_was_made_with() -> None:
    made = verify(TEXT, tools(ANSWERS)).provenance
    assert made is not None
    assert (made.model, made.index, made.snapshot_date) == ("fake", "fake", "2026-08-18")
    assert set(made.prompts) >= {"claims.jinja", "label.jinja"}


@pytest.mark.parametrize("text", ["", " \n\t\u200b\n", "\ufeff", "\u00a0\u3000", "...\n---"])
def test_an_empty_response_costs_nothing(text: str) -> None:
    made = tools({})
    report = verify(text, made)
    assert (report.status, report.verdicts, report.scores["precision"]) == (Status.EMPTY, (), None)
    assert made.model.calls == []  # type: ignore[attr-defined]


def test_a_refusal_is_an_abstention_without_claims() -> None:
    report = verify("I'm sorry, but I can't answer.", tools({"<sentence>": kind("refusal")}))
    assert (report.status, report.verdicts) == (Status.ABSTAINED, ())
    assert report.scores["precision"] is None


def test_an_opinion_is_not_checkworthy_and_outside_precision() -> None:
    answers = {"<sentence>Paris": kind("opinion"), "<statement>Paris": OPINION, **ANSWERS}
    report = verify(f"Paris is lovely. {TEXT}", tools(answers))
    assert report.verdicts[0].label is Label.NOT_CHECKWORTHY
    assert report.scores["claims"] == 2


@pytest.mark.parametrize("broken", ["<claim>The Nile", "<sentence>The Nile"])
def test_a_dead_server_fails_the_claim_and_the_others_go_on(broken: str) -> None:
    answers = {**ANSWERS, broken: ModelMissing("the server is gone")}
    report = verify(TEXT, tools(answers))
    assert [one.label for one in report.verdicts] == [Label.FAILED, Label.SUPPORTED]
    assert report.verdicts[0].failed_part in ("judge", "split")
    assert report.scores["precision"] == 0.5


def test_an_unreadable_judge_is_failed_never_true() -> None:
    report = verify(TEXT, tools({**ANSWERS, "<claim>Mount": {"maybe": -0.1}}))
    assert report.verdicts[1].label is Label.FAILED


def test_a_broken_index_is_failed_never_undecided() -> None:
    report = verify(TEXT, tools(ANSWERS, FakeSearch(broken=True)))
    assert {one.failed_part for one in report.verdicts} == {"search"}


def test_an_uncovered_language_is_said_so() -> None:
    report = verify("长城位于中国北方。", tools({}))
    verdict = report.verdicts[0]
    assert (verdict.label, verdict.why) == (
        Label.NOT_ENOUGH_EVIDENCE,
        Why.LANGUAGE_NOT_COVERED,
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The Nile was painted blue.", Why.SILENT),
        ("Zorblax plays the xylophone.", Why.NOT_IN_CORPUS),
        ("The Nile dries up in 2031.", Why.OUTSIDE_SNAPSHOT),
    ],
)
def test_undecided_claims_say_why(text: str, why: Why) -> None:
    answers = {"<sentence>": facts(text), "<claim>": letter("C")}
    assert verify(text, tools(answers)).verdicts[0].why is why


def test_an_unsure_judge_asks_for_more_and_a_sure_one_stops() -> None:
    more = {"<found>": '{"queries": ["Japan volcano"]}'}
    search = FakeSearch()
    verify(TEXT, tools({**more, **ANSWERS, "<claim>The Nile": letter("C")}, search, rounds=2))
    assert search.asked.count("Japan volcano") == 1
    assert len(search.asked) == 3


def test_a_response_of_30_000_characters_keeps_every_claim() -> None:
    text = " ".join(f"The Nile has {n} bridges and {n} dams in its delta." for n in range(650))
    echo = FakeModel(lambda prompt: letter("C") if "<claim>" in prompt else _whole(prompt))
    report = verify(text, tools(echo))
    assert len(text) > 30_000
    assert [text[one.claim.start : one.claim.end] for one in report.verdicts] == [
        one.claim.text for one in report.verdicts
    ]
    assert len(report.verdicts) == 650


def _whole(prompt: str) -> str:
    return facts(prompt.split("<sentence>")[1].split("</sentence>")[0])


def test_reports_come_in_the_order_of_the_responses() -> None:
    jobs = [(Response(str(n), TEXT), TASKS["kbqa"]) for n in range(40)]

    async def all_ids() -> list[str]:
        return [one.response.id async for one in pipeline.verify_many(jobs, tools(ANSWERS))]

    assert asyncio.run(all_ids()) == [str(n) for n in range(40)]


def test_all_claims_are_in_flight_together() -> None:
    model = FakeModel(ANSWERS)
    verify(TEXT, tools(model))
    first = [one[-1].content for one in model.calls[:2]]
    assert all("<sentence>" in content for content in first)
