"""Laws of the runs a response is cut into, and of the texts both renderers share."""

import doctest
import random

import pytest
from test_render_sample import TEXT, evidence, report

from verifier.render import html, json_, spans, words
from verifier.values import Claim, Label, Verdict


def claimed(*places: tuple[int | None, int | None, Label]) -> list[Verdict]:
    return [Verdict(Claim("c", "", start, end), label) for start, end, label in places]


@pytest.mark.parametrize("seed", range(20))
def test_runs_join_to_the_exact_text_however_the_spans_overlap(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choice("ab \n富\u202e\x1b") for _ in range(40))
    places = [
        (chance.randint(-5, 45), chance.randint(-5, 45), chance.choice(list(Label)))
        for _ in range(12)
    ]
    runs = spans.split(text, claimed(*places))
    assert "".join(run.text for run in runs) == text


def test_every_claim_that_fits_ends_once_and_covers_its_own_words() -> None:
    verdicts = report().verdicts
    runs = spans.split(TEXT, verdicts)
    assert sorted(n for run in runs for n in run.ends) == list(range(1, 10))
    for number, verdict in enumerate(verdicts, 1):
        words_of = "".join(run.text for run in runs if number in run.claims)
        assert words_of == TEXT[verdict.claim.start : verdict.claim.end]


def test_the_worst_verdict_gives_the_label_of_shared_words() -> None:
    order = [Label.NOT_CHECKWORTHY, Label.SUPPORTED, Label.FAILED, Label.REFUTED]
    for count in range(1, 5):
        (run,) = spans.split("abc", claimed(*((0, 3, label) for label in order[:count])))
        assert run.label is order[count - 1]
        assert run.claims[0] == count


@pytest.mark.parametrize("span", [(None, None), (0, None), (2, 2), (3, 1), (-1, 2), (0, 99)])
def test_a_span_that_does_not_fit_marks_nothing(span: tuple[int | None, int | None]) -> None:
    (run,) = spans.split("abc", claimed((*span, Label.REFUTED)))
    assert run == spans.Run("abc")


def test_no_text_has_no_runs() -> None:
    assert spans.split("", claimed((0, 0, Label.FAILED))) == ()


def test_every_label_has_a_place_a_name_and_a_symbol_of_its_own() -> None:
    assert set(spans.SEVERITY) == set(words.LABEL_WORDS) == set(words.SYMBOLS) == set(Label)
    assert len(set(words.SYMBOLS.values())) == len(Label)


def test_a_quote_is_cut_out_only_where_it_stands_word_for_word() -> None:
    parts = spans.around_quote(evidence("t", "One. Two. Three.", "Two."))
    assert parts == ("One. ", "Two.", " Three.")
    assert spans.around_quote(evidence("t", "One. Two.", "two.")) is None


def test_disarming_keeps_the_length_and_all_letters() -> None:
    text = "a\x1b[31m\x9b2J\u202eb\u2066\x07\ud800\U000e0041 富士 שלום \n\t"
    assert len(words.disarm(text)) == len(text)
    assert words.disarm(text).replace("\ufffd", "") == "a[31m2Jb 富士 שלום \n\t"


@pytest.mark.parametrize("module", [spans, words, json_, html], ids=lambda m: m.__name__)
def test_the_worked_values_in_docstrings_hold(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0
