"""When results are the same, and what the solutions together say."""

import math

import pytest

from verifier.coding.compare import most_common, same, show
from verifier.coding.decide import against_solutions
from verifier.sandbox import Call, Items, Opaque, Outcome, Run

LOST = Run(Outcome.ERROR, error="ValueError: no")


def gave(value: object) -> Run:
    return Run(Outcome.OK, value)


def decided(mine: Run, *others: Run) -> tuple[bool, bool]:
    """Whether one input is decisive, and whether the snippet agrees."""
    (point,) = against_solutions([Call("f")], [mine], [[one] for one in others])
    return point.decisive, point.decisive and point.agrees


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.1 + 0.2, 0.3), (1, 1.0), (True, 1), (math.nan, math.nan), (math.inf, math.inf),
        (10**400, 10**400), ([1, (2.0,)], [1, (2,)]), ({"a": 0.3}, {"a": 0.1 + 0.2}),
        (frozenset({0.3}), frozenset({0.1 + 0.2})), (1e-9, 0.0), (1j, 1j),
        (Items((1,)), Items((1.0,))), (Opaque("a", "b"), Opaque("a", "b")), (None, None),
    ],
)  # fmt: skip
def test_these_are_the_same(one: object, other: object) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 2), (1.0, 1.001), ([1], (1,)), ([1], [1, 2]), ({"a": 1}, {"b": 1}), (None, 0),
        ("1", 1), (10**400, 1.5), (math.nan, 1.0), (frozenset({1}), frozenset({2})),
        (Items((1,)), [1]), (Opaque("a", "b"), Opaque("a", "c")), (10**20, 10**20 + 1), ("", None),
    ],
)  # fmt: skip
def test_these_are_not_the_same(one: object, other: object) -> None:
    assert not same(one, other)
    assert not same(other, one)


def test_a_long_value_is_cut() -> None:
    assert len(show("x" * 1000)) <= 160


def test_a_number_of_thousands_of_digits_can_be_shown() -> None:
    assert show(10**10000) == "a number too long to show"


def test_most_common_of_nothing_is_nothing() -> None:
    assert most_common([]) == (None, 0)


def test_agreeing_with_most_is_right() -> None:
    assert decided(gave(1), gave(1), gave(1), gave(2)) == (True, True)


def test_two_thirds_of_all_voices_against_it_are_wrong() -> None:
    assert decided(gave(2), gave(1), gave(1), gave(1)) == (True, False)


def test_a_bare_majority_against_it_decides_nothing() -> None:
    assert decided(gave(2), gave(1), gave(1), gave(3))[0] is False


def test_raising_where_others_give_something_is_wrong() -> None:
    assert decided(LOST, gave(1), gave(1), gave(1)) == (True, False)


def test_inputs_on_which_most_solutions_raise_decide_nothing() -> None:
    assert decided(LOST, gave(1), LOST, LOST, LOST)[0] is False
    assert decided(LOST, LOST, LOST)[0] is False


@pytest.mark.parametrize("number", [1, 2])
def test_a_few_solutions_refute_nothing(number: int) -> None:
    assert decided(gave(2), *[gave(1)] * number)[0] is False


def test_what_was_not_run_is_not_held_against_it() -> None:
    assert decided(Run(Outcome.UNRUN), gave(1), gave(1))[0] is False


def test_functions_that_return_nothing_are_compared_by_what_they_change() -> None:
    left, same_as_before = Run(Outcome.OK, None, [[1, 2]]), Run(Outcome.OK, None, [[2, 1]])
    assert decided(left, left, left) == (True, True)
    assert decided(same_as_before, left, left, left) == (True, False)


def test_none_is_a_value_where_others_return_something() -> None:
    assert decided(Run(Outcome.OK, None, [1]), gave(1), gave(1), gave(1)) == (True, False)


def test_without_solutions_nothing_is_decided() -> None:
    assert against_solutions([Call("f")], [gave(1)], []) == []
