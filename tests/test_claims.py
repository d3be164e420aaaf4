"""Claims: located, faithful, none dropped."""

import asyncio

import pytest
from fakes import OPINION, FakeSearch, facts, kind, tools

from models.errors import ModelError
from models.fake import FakeModel
from verifier.claims import is_faithful, split
from verifier.values import Claim, Response


def split_text(text: str, answers: object, languages: tuple[str, ...] = ("en",)) -> list[Claim]:
    made = tools(answers, FakeSearch(languages=languages))  # type: ignore[arg-type]
    return asyncio.run(split(Response("1", text), made, task="kbqa"))


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
    answers = {
        "<words>": '{"claim": "It is wide."}',
        "<before>The": facts("It is wide.", about="the Nile"),
        "<sentence>": facts("The Nile is long."),
    }
    claims = split_text("The Nile is long. It is wide.", answers)
    assert [one.text for one in claims] == ["The Nile is long.", "The Nile is wide."]


def test_a_claim_that_points_out_of_itself_is_written_again() -> None:
    answers = {
        "<words>it": '{"claim": "Li shared the prize."}',
        "<before>": facts("Li shared it."),
    }
    (claim,) = split_text("Li shared it (the prize).", answers)
    assert claim.text == "Li shared the prize."


def test_a_claim_that_repeats_an_earlier_one_says_which() -> None:
    answers = {"<sentence>": facts("The Nile is long.")}
    claims = split_text("The Nile is long. The Nile is long.", answers)
    assert [one.fields.get("repeats") for one in claims] == [None, "1"]


def test_code_and_formulas_are_kept_but_cost_no_call() -> None:
    claims = split_text("```python\nprint(1)\n```\n\n$$ x = 1 $$", {})
    assert [one.fields["kind"] for one in claims] == ["other", "other"]


def test_an_item_is_shown_with_the_line_that_introduces_it_not_with_the_item_before() -> None:
    model = FakeModel({"<sentence>": kind("other")})
    split_text("The lakes are:\n- Lake Tana\n- Lake Chad", model)
    assert "<before>The lakes are:</before>" in model.calls[2][-1].content


def test_what_is_called_an_opinion_but_is_none_is_a_fact() -> None:
    (claim,) = split_text("Oslo is in Norway.", {"<sentence>": kind("opinion")})
    assert claim.fields["kind"] == "fact"


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
    claims = split_text("I like Paris.", {"F or O?": OPINION, "<sentence>": kind(name)})
    assert [(one.text, one.fields["kind"]) for one in claims] == [("I like Paris.", name)]


def test_a_language_that_the_index_lacks_costs_no_call() -> None:
    text = "长城位于中国北方。水的沸点是90摄氏度。"
    claims = split_text(text, {})
    assert [one.text for one in claims] == ["长城位于中国北方。", "水的沸点是90摄氏度。"]
    assert {one.fields["language"] for one in claims} == {"zh"}


def test_a_name_from_nowhere_is_not_faithful() -> None:
    claims = ["It borders Nepal, not Bhutan."]
    assert not is_faithful(claims, "It borders Bhutan.", "It borders Bhutan.")
