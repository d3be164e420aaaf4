"""Evidence: cut around what matters, quoted word for word."""

import asyncio

import pytest
from fakes import FakeSearch, tools

from corpora.passage import Passage
from verifier import evidence
from verifier.errors import PartFailed
from verifier.values import Claim, Evidence

FILLER = "Nothing of note is said here about the weather of the valley. " * 900
LONG = Passage("1", f"{FILLER}Mount Kelvar rises to 3,120 metres. {FILLER[:6000]}", "Mount Kelvar")
CLAIM = Claim("1", "Mount Kelvar is 3,120 metres tall.")


def find(search: FakeSearch) -> tuple[Evidence, ...]:
    return asyncio.run(evidence.find(CLAIM, [CLAIM.text], (), tools({}, search)))


def test_an_overlong_passage_keeps_the_sentence_that_matters() -> None:
    found = find(FakeSearch([LONG]))[0]
    assert found.quote == "Mount Kelvar rises to 3,120 metres."
    assert len(found.text.split()) <= 120
    assert found.cut


def test_a_quote_stands_word_for_word_in_its_passage() -> None:
    found = find(FakeSearch([LONG]))[0]
    assert found.quote_start is not None
    assert found.text[found.quote_start :].startswith(found.quote)


def test_a_passage_found_twice_is_given_once() -> None:
    wanted = ["Mount Kelvar", "Mount Kelvar metres"]
    found = asyncio.run(evidence.find(CLAIM, wanted, (), tools({}, FakeSearch([LONG]))))
    assert len(found) == 1


def test_a_broken_index_fails_the_search_part() -> None:
    with pytest.raises(PartFailed, match="damaged") as caught:
        find(FakeSearch(broken=True))
    assert caught.value.part == "search"
