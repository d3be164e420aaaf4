"""Sentences and words keep their places."""

from itertools import pairwise

import pytest

from verifier.words import LONGEST, names, sentences

TEXTS = [
    "Dr. Martin Luther King Jr. was born on Jan. 15, 1929, in Atlanta, Ga. He took his Ph.D.",
    "长城位于中国北方。鲁迅是周树人的笔名。",
    "# Title\n\n- One. Two.\n\n| a | b |\n\u200b The 𝔘𝔫 end?",
    "no full stop " * 400,
    "x" * 5000,
    "",
]


@pytest.mark.parametrize("text", TEXTS)
def test_sentences_slice_back_to_the_text_and_do_not_overlap(text: str) -> None:
    spans = sentences(text)
    assert all(text[one.start : one.end] == one.text for one in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


@pytest.mark.parametrize("text", TEXTS)
def test_no_letter_is_outside_the_sentences(text: str) -> None:
    inside = {at for one in sentences(text) for at in range(one.start, one.end)}
    assert all(at in inside for at, one in enumerate(text) if one.isalnum())


def test_abbreviations_do_not_end_a_sentence() -> None:
    assert len(sentences(TEXTS[0])) == 2


def test_chinese_full_stops_end_a_sentence() -> None:
    assert len(sentences(TEXTS[1], "zh")) == 2


def test_text_without_full_stops_is_cut_at_spaces() -> None:
    spans = sentences(TEXTS[3])
    assert max(len(one.text) for one in spans) <= LONGEST
    assert all(one.text.startswith(("no ", "full", "stop")) for one in spans)


def test_names_are_numbers_and_capitalised_words() -> None:
    assert names("It stands between China and Bhutan since 1902.") == ["china", "bhutan", "1902"]
