"""Trees -> values. Fractions, exact; roots and constants to `DIGITS` digits, by mpmath."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from verifier.arithmetic.tree import Apply, Name, Number, Tree

BITS = 20_000
"""Size of a number at most: about 6,000 digits."""

FACTORIAL = 1500

DIGITS = 80

Value = Fraction | Any
"""A Fraction, or an mpmath.mpf where the value is irrational."""


class CannotEvaluate(Exception):  # noqa: N818 - says what happened
    """The value is undefined, or too large to be worked out."""


class UnknownName(Exception):  # noqa: N818 - says what happened
    """A variable has no value."""


def evaluate(tree: Tree, known: Mapping[str, Fraction] | None = None) -> Value:
    """The value of a tree.

    Args:
        tree: what the grammar made.
        known: values of variables; pi and e are known.

    Raises:
        CannotEvaluate: a division by zero, an even root of a negative number, or too large.
        UnknownName: a variable without a value.
    """
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Name):
        return _named(tree.name, known or {})
    values = [evaluate(part, known) for part in tree.parts]
    if tree.sign in ("+", "-") and _is_percent(tree.parts[1]) and not _is_percent(tree.parts[0]):
        # "80 + 10%" adds a tenth of what stands before it.
        return APPLY[tree.sign](values[0], APPLY["*"](values[0], values[1]))
    return APPLY[tree.sign](*values)


def equal(left: Value, right: Value) -> bool:
    """True if two values are the same; irrational ones to all digits but the last few.

    >>> equal(Fraction(1, 2**99), Fraction(1, 2**98))
    False
    """
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left == right
    import mpmath

    with mpmath.workdps(DIGITS):
        a, b = _real(left), _real(right)
        return bool(abs(a - b) <= max(abs(a), abs(b)) * mpmath.mpf(10) ** (8 - DIGITS))


def exact(value: Value) -> Fraction:
    """A value as a fraction; an irrational one to `DIGITS` digits."""
    if isinstance(value, Fraction):
        return value
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction(int(-mantissa if sign else mantissa)) * Fraction(2) ** int(exponent)


def _is_percent(tree: Tree) -> bool:
    return isinstance(tree, Apply) and tree.sign == "%"


def _named(name: str, known: Mapping[str, Fraction]) -> Value:
    import mpmath

    if name in known:
        return known[name]
    with mpmath.workdps(DIGITS):
        if name == "\u03c0":
            return +mpmath.pi
        if name == "e":
            return +mpmath.e
    raise UnknownName(name)


def _real(value: Value) -> Any:  # noqa: ANN401 - mpmath carries no types
    import mpmath

    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return value


def _both(operation: Callable[[Any, Any], Any]) -> Callable[[Value, Value], Value]:
    """An operation on fractions where both are, else on real numbers."""

    def apply(left: Value, right: Value) -> Value:
        import mpmath

        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return _bounded(operation(left, right))
        with mpmath.workdps(DIGITS):
            return _bounded_real(operation(_real(left), _real(right)))

    return apply


def _bounded_real(value: Any) -> Any:  # noqa: ANN401 - mpmath carries no types
    _, _, exponent, bits = value._mpf_
    if abs(exponent + bits) > BITS:
        raise CannotEvaluate("the value is too large")
    return value


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
        raise CannotEvaluate("the value is too large")
    return value


def _divide(left: Value, right: Value) -> Value:
    if right == 0:
        raise CannotEvaluate("it divides by zero")
    return _both(lambda a, b: a / b)(left, right)


def _power(base: Value, exponent: Value) -> Value:
    import mpmath

    if base == 0 and exponent <= 0:
        raise CannotEvaluate("it is a power of zero that is not defined")
    if isinstance(exponent, Fraction) and exponent.denominator == 1 and isinstance(base, Fraction):
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if base not in (0, 1, -1) and abs(exponent) * size > BITS:
            raise CannotEvaluate("the power is too large")
        return base ** int(exponent) if base not in (0, 1) else base
    if base < 0:
        raise CannotEvaluate("it is a broken power of a negative number")
    if abs(exponent) > 10_000:
        raise CannotEvaluate("the power is too large")
    if isinstance(base, Fraction) and exponent == Fraction(1, 2):
        return _root(base)
    with mpmath.workdps(DIGITS):
        return _bounded_real(mpmath.power(_real(base), _real(exponent)))


def _root(value: Value) -> Value:
    import mpmath

    if value < 0:
        raise CannotEvaluate("it is the root of a negative number")
    if isinstance(value, Fraction):
        top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if top * top == value.numerator and bottom * bottom == value.denominator:
            return Fraction(top, bottom)
    with mpmath.workdps(DIGITS):
        return mpmath.sqrt(_real(value))


def _factorial(value: Value) -> Value:
    if not isinstance(value, Fraction) or value.denominator != 1 or value < 0:
        raise CannotEvaluate("it is the factorial of what is no whole number")
    if value > FACTORIAL:
        raise CannotEvaluate("the factorial is too large")
    return Fraction(math.factorial(int(value)))


def _percent(value: Value) -> Value:
    return _divide(value, Fraction(100))


APPLY: Mapping[str, Callable[..., Value]] = {
    "+": _both(lambda a, b: a + b),
    "-": _both(lambda a, b: a - b),
    "*": _both(lambda a, b: a * b),
    "/": _divide,
    "^": _power,
    "!": _factorial,
    "%": _percent,
    "neg": lambda value: APPLY["*"](Fraction(-1), value),
    "abs": lambda value: value if value >= 0 else APPLY["*"](Fraction(-1), value),
    "sqrt": _root,
    "up": lambda value, share: APPLY["*"](value, APPLY["+"](Fraction(1), share)),
    "down": lambda value, share: APPLY["*"](value, APPLY["-"](Fraction(1), share)),
}
"""What each sign of the grammar does."""
