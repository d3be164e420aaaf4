"""Claims: located, faithful, none dropped."""

import asyncio

import pytest
from fakes import FakeSearch, facts, kind, tools

from models.errors import ModelError
from models.fake import FakeModel
from verifier.claims import is_faithful, split
from verifier.values import Claim, Response


def split_text(text: str, answers: object, languages: tuple[str, ...] = ("en",)) -> list[Claim]:
    made = tools(answers, FakeSearch(languages=languages))  # type: ignore[arg-type]
    return asyncio.run(split(Response("1", text), made))


def test_claims_point_at_the_words_they_were_taken_from() -> None:
    text = "The Nile is 7,088 km long and ends in Egypt."
    claims = split_text(
        text, {"<sentence>": facts("The Nile is 7,088 km long.", "The Nile ends in Egypt.")}
    )
    assert [text[one.start : one.end] for one in claims] == ["is 7,088 km long", "ends in Egypt"]


def test_repeated_sentences_are_located_one_after_the_other() -> None:
    claims = split_text("It rained. It rained.", {"<sentence>": facts("It rained.")})
    assert [(one.start, one.end) for one in claims] == [(0, 10), (11, 21)]


def test_a_number_that_the_model_corrects_brings_the_sentence_back() -> None:
    text = "The statue was dedicated in 1902."
    claims = split_text(text, {"<sentence>": facts("The statue was dedicated in 1886.")})
    assert [one.text for one in claims] == [text]


def test_a_pronoun_that_is_left_becomes_what_the_sentence_is_about() -> None:
    answers = {"<sentence>": facts("It is wide.", about="the Nile")}
    assert [one.text for one in split_text("It is wide.", answers)] == ["The Nile is wide."]


def test_a_fact_of_the_text_before_is_not_a_claim_of_the_sentence() -> None:
    answers = iter([facts("Oslo is in Norway."), facts("Oslo is in Norway.", "Oslo has 53 parks.")])
    claims = split_text("Oslo is in Norway. It has 53 parks.", FakeModel(lambda _: next(answers)))
    assert [one.text for one in claims] == ["Oslo is in Norway.", "Oslo has 53 parks."]


@pytest.mark.parametrize("answer", [ModelError("gone"), "nonsense"])
def test_a_sentence_that_cannot_be_split_is_kept_as_unread(answer: object) -> None:
    claims = split_text("The Nile is long.", {"<sentence>": answer, "cannot be used": answer})
    assert [one.fields["kind"] for one in claims] == ["unread"]
    assert claims[0].text == "The Nile is long."


@pytest.mark.parametrize("name", ["opinion", "refusal", "other"])
def test_a_sentence_without_facts_is_kept_with_its_kind(name: str) -> None:
    claims = split_text("I like Paris.", {"<sentence>": kind(name)})
    assert [(one.text, one.fields["kind"]) for one in claims] == [("I like Paris.", name)]


def test_a_language_that_the_index_lacks_costs_no_call() -> None:
    text = "长城位于中国北方。水的沸点是90摄氏度。"
    claims = split_text(text, {})
    assert [one.text for one in claims] == ["长城位于中国北方。", "水的沸点是90摄氏度。"]
    assert {one.fields["language"] for one in claims} == {"zh"}


def test_a_name_from_nowhere_is_not_faithful() -> None:
    claims = ["It borders Nepal, not Bhutan."]
    assert not is_faithful(claims, "It borders Bhutan.", "It borders Bhutan.")
