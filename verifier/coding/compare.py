"""When two results are the same, and what most results say."""

import math
from collections.abc import Sequence

from verifier.sandbox import Items, Opaque

NEAR = 1e-6
"""Relative difference up to which floats are the same; also the absolute one near zero."""

SHOWN = 160
"""Characters of a value that a reader is shown."""


def same(one: object, other: object) -> bool:
    """True for equal values; floats nearly, nan like nan, containers part by part.

    As in Python, a list is no tuple, and True is 1.

    >>> same({"a": [0.1 + 0.2]}, {"a": [0.3]}), same([1], (1,)), same(math.nan, math.nan)
    (True, False, True)
    """
    if isinstance(one, int | float | complex) and isinstance(other, int | float | complex):
        return _same_numbers(one, other)
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Items) and isinstance(other, Items):
        return same(one.values, other.values)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, frozenset | set) and isinstance(other, frozenset | set):
        return one == other or _same_sets(one, other)
    return bool(one == other)


def show(value: object) -> str:
    """A value as it is written in Python, cut where it is long.

    >>> show([1, "a"])
    "[1, 'a']"
    """
    if isinstance(value, frozenset):
        value = set(value)
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits
        text = "a number too long to show"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 2]} …"


def most_common(values: Sequence[object]) -> tuple[object, int]:
    """The value that most are the same as, and how many are; the first of those that tie.

    >>> most_common([2, 1, 1.0])
    (1, 2)
    """
    counted = [(sum(same(one, other) for other in values), one) for one in values]
    votes, value = max(counted, key=lambda one: one[0], default=(0, None))
    return value, votes


def _same_numbers(one: complex, other: complex) -> bool:
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    try:
        if isinstance(one, complex) or isinstance(other, complex):
            return bool(abs(one - other) <= NEAR * max(1.0, abs(one), abs(other)))
        both_nan = math.isnan(one) and math.isnan(other)
        return both_nan or math.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR)
    except OverflowError:  # an integer beyond the floats
        return one == other


def _same_sets(one: "frozenset[object] | set[object]", other: object) -> bool:
    """Sets of floats: in the order of their texts, part by part."""
    assert isinstance(other, frozenset | set)
    if Opaque in map(type, one):
        return False
    return same(sorted(one, key=repr), sorted(other, key=repr))
