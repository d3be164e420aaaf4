"""Replies are read strictly, asked for once more, and then given up."""

import asyncio
import math
from dataclasses import replace

import pytest
from fakes import tools
from pydantic import BaseModel

from models.fake import FakeModel
from verifier.ask import ask, choose, normalise
from verifier.errors import ReplyError
from verifier.meter import Meter


class Reply(BaseModel):
    queries: list[str]


def asked(model: FakeModel, meter: Meter) -> Reply:
    values = {"claim": "x", "titles": ["y"], "lacking": []}
    made = replace(tools(model), meter=meter)
    return asyncio.run(ask(made, "queries", Reply, max_tokens=9, **values))


def test_a_good_reply_is_typed_and_counted() -> None:
    meter = Meter()
    assert asked(FakeModel(lambda _: '{"queries": ["a"]}'), meter).queries == ["a"]
    assert meter.usage().calls == 1


def test_a_bad_reply_is_asked_for_again_with_the_error_shown() -> None:
    answers = iter(['{"queries": "a"}', '{"queries": ["a"]}'])
    model = FakeModel(lambda _: next(answers))
    assert asked(model, Meter()).queries == ["a"]
    assert "queries" in model.calls[1][-1].content


@pytest.mark.parametrize("text", ["", "yes", '{"queries": [', '{"queries": null}'])
def test_two_bad_replies_are_an_error_never_a_guess(text: str) -> None:
    with pytest.raises(ReplyError, match="could not be used"):
        asked(FakeModel(lambda _: text), Meter())


def test_log_probabilities_of_a_letter_and_its_variants_are_summed() -> None:
    scores = normalise({"A": math.log(0.2), " A": math.log(0.4), "B": math.log(0.4)}, "AB", "p")
    assert math.exp(scores["A"]) == pytest.approx(0.6)


def test_an_answer_without_any_of_the_letters_is_an_error() -> None:
    model = FakeModel(lambda _: {"maybe": -0.1, "no": -2.0})
    with pytest.raises(ReplyError, match="not one of"):
        asyncio.run(choose(tools(model), "label", ["A", "B"], claim="x", passages=[]))
