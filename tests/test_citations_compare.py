from collections.abc import Sequence
from typing import Any

import pytest

from corpora.record import Person, Record
from verifier.citations.citation import Citation
from verifier.citations.compare import compare
from verifier.citations.names import agreement, readings
from verifier.citations.titles import Relation, relation

PAPER = Record(
    "1",
    "Rivers: How Slow Water Shapes the Northern Plain",
    (
        Person("M\u00fcller", "Klaus-Robert"),
        Person("van den Oord", "A\u00e4ron"),
        Person("Li", "Wei"),
    ),
    preprint=2016,
    published=(2018,),
    venue="Proceedings of the Annual Meeting on Water",
)


@pytest.mark.parametrize(
    "text",
    [
        "K.-R. M\u00fcller, A. van den Oord and W. Li",
        "Muller, K. R., van den Oord, A., & Li, W.",
        "M\u00fcller KR, van den Oord A, Li W",
        "Klaus-Robert M\u00fcller; A\u00e4ron van den Oord; Wei Li",
        "M\u00fcller, Klaus-Robert, A\u00e4ron van den Oord, and Wei Li",
        "M\u00fcller et al.",
        "M\u00fcller, van den Oord and Li",
        "M\u00fcller, Klaus-Robert, et al.",
        "Klaus Mueler and Li Wei",
        "KLAUS-ROBERT M\u00dcLLER and others",
    ],
)
def test_authors_are_recognised_however_they_are_written(text: str) -> None:
    found = agreement(text, PAPER)
    assert (found.wrong, found.is_first) == ((), True)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Geoffrey Hinton and Yann LeCun", ("Geoffrey Hinton", "Yann LeCun")),
        ("M\u00fcller, K.-R. and Hinton, G.", ("G. Hinton",)),
        ("Bettina M\u00fcller and Wei Li", ("Bettina M\u00fcller",)),
    ],
)
def test_who_is_no_author_is_named(text: str, wrong: Sequence[str]) -> None:
    assert agreement(text, PAPER).wrong == wrong


def test_et_al_belongs_to_the_first_author() -> None:
    assert not agreement("van den Oord et al.", PAPER).is_first


def test_authors_left_out_without_et_al_are_counted() -> None:
    assert agreement("M\u00fcller and Li", PAPER).left_out == 1
    assert agreement("M\u00fcller et al.", PAPER).left_out == 0


def test_names_beyond_a_cut_list_are_not_called_wrong() -> None:
    cut = Record("1", "Rivers", PAPER.authors, all_authors=False)
    assert agreement("M\u00fcller, K., and Quist, M.", cut).wrong == ()


@pytest.mark.parametrize(
    "text", ["", "et al.", ",;,", "\0", "x" * 100_000, "a, " * 50_000, "\u202e"]
)
def test_any_text_can_be_read_as_names(text: str) -> None:
    assert all(len(one.people) <= 400 for one in readings(text))


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("rivers - how slow water shapes the northern plain", Relation.SAME),
        ("Rivers: How Slow Wather Shapes Northern Plains", Relation.MISSPELT),
        ("How Slow Water Shapes the Northern Plain", Relation.SHORTENED),
        ("Rivers", Relation.SHORTENED),
        ("Rivers: How Slow Water Shapes the Northern Plain: A Survey", Relation.EXTENDED),
        ("Rivers: How Slow Ice Shapes the Northern Plain", Relation.RENAMED),
        ("Rivers: How Slow Water Shapes", Relation.OTHER),
        ("Boats: How Fast Water Shapes the Northern Town", Relation.OTHER),
        ("Rivers: A Survey", Relation.OTHER),
        ("...", Relation.OTHER),
        ("x" * 100_000, Relation.OTHER),
    ],
)
def test_titles_differ_by_words_and_not_by_letters(title: str, expected: Relation) -> None:
    assert relation(title, PAPER) is expected


@pytest.mark.parametrize(
    ("year", "verdict"),
    [
        ("2016", "right"),
        ("2017", "right"),
        ("2018a", "right"),
        ("2019", "wrong"),
        ("2015", "wrong"),
        ("", "unknown"),
    ],
)
def test_years_from_preprint_to_publication_are_right(year: str, verdict: str) -> None:
    assert compare(Citation(PAPER.title, year=year), PAPER).year == verdict


@pytest.mark.parametrize(
    ("known", "near", "wrong"),
    [
        ({"published": (2018,)}, ("2017", "2019"), ("2016", "2020")),
        ({"preprint": 2018}, ("2019", "2020"), ("2017", "2021")),
    ],
)
def test_one_known_year_leaves_room_for_the_other(
    known: dict[str, Any], near: Sequence[str], wrong: Sequence[str]
) -> None:
    paper = Record("1", PAPER.title, **known)
    assert {compare(Citation(paper.title, year=one), paper).year for one in near} == {"near"}
    assert {compare(Citation(paper.title, year=one), paper).year for one in wrong} == {"wrong"}


@pytest.mark.parametrize(
    ("venue", "noted"), [("Science", True), ("AMW", False), ("annual meeting on water", False)]
)
def test_another_venue_is_a_note_and_no_problem(venue: str, noted: bool) -> None:
    found = compare(Citation(PAPER.title, "M\u00fcller et al.", "2018", venue=venue), PAPER)
    assert found.problems == ()
    assert any("venue" in note for note in found.notes) is noted
