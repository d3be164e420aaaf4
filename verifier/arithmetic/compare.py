"""Whether a number that is shown is the right one, at the digits that are shown."""

from fractions import Fraction
from typing import Any

from verifier.arithmetic.evaluate import Value, equal, exact
from verifier.arithmetic.tree import Apply, Number, Tree

SHOWN = 12
"""Digits of a value that a reader is shown."""

NEAR = Fraction(1, 10)
CLOSE = Fraction(1, 50)
COARSE = Fraction(1, 5)
"""Share by which a rounded number may differ: said to be about, in millions and the like, else."""

LOOSE = Fraction(1, 200)
"""Share by which two expressions may differ where the text says that they only nearly agree."""


def agrees(value: Value, shown: Tree, right: Value, *, about: bool, cut: bool = False) -> bool:
    """True if a value is the one that is shown.

    Args:
        value: what was worked out.
        shown: the other side, as it is written.
        right: the value of `shown`.
        about: the text says that it is rounded: then ends in zeros may be rounded digits.
        cut: the number is followed by dots: then its digits may be cut off, not rounded.

    >>> number = Number(Fraction("64.58"), places=2)
    >>> agrees(Fraction(155) / Fraction("2.4"), number, number.value, about=False)
    True
    """
    if equal(value, right):
        return True
    literal, percent = _literal(shown)
    if literal is None:
        share = abs(exact(value) - exact(right))
        return about and share <= LOOSE * abs(exact(value))
    wanted = exact(value) * (100 if percent else 1)
    places = literal.places
    if about and literal.value.denominator == 1 and literal.value:
        places = min(places, -_zeros(int(literal.value)))
    number = -literal.value if isinstance(shown, Apply) and shown.sign == "neg" else literal.value
    return number in _rounded(wanted, places, cut) and _is_near(number, wanted, about, literal)


def written(value: Value) -> str:
    """A value as a person writes it: whole, or with as many decimals as it takes, `...` if endless.

    >>> written(Fraction(775, 12)), written(Fraction(5, 4)), written(Fraction(25124292))
    ('64.5833333333...', '1.25', '25,124,292')
    """
    number = exact(value)
    if number.denominator == 1 and abs(number) < 10**30:
        return f"{int(number):,}"
    if abs(number) >= 10**30 or 0 < abs(number) < Fraction(1, 10**6):
        return _scientific(number)
    whole = len(str(abs(int(number)))) if abs(number) >= 1 else 0
    places = max(SHOWN - whole, 2)
    scaled = abs(number) * 10**places
    digits = f"{int(scaled):0{places + 1}d}"
    body = f"{int(digits[:-places]):,}.{digits[-places:]}"
    sign = "-" if number < 0 else ""
    return sign + (body.rstrip("0").rstrip(".") if scaled.denominator == 1 else f"{body}...")


def _is_near(number: Fraction, value: Fraction, about: bool, shown: Number) -> bool:
    """True if rounding explains a difference: one digit left of a number explains little."""
    if not value:
        return not number
    most = NEAR if about else (CLOSE if shown.places < 0 else COARSE)
    return abs(number - value) <= most * abs(value)


def _literal(tree: Tree) -> tuple[Number | None, bool]:
    """The number that a side is, and whether a percent sign follows it."""
    if isinstance(tree, Number):
        return tree, False
    if isinstance(tree, Apply) and tree.sign in ("neg", "%"):
        inner, percent = _literal(tree.parts[0])
        return inner, percent or tree.sign == "%"
    return None, False


def _rounded(value: Fraction, places: int, cut: bool) -> set[Fraction]:
    """What a value may be written as with so many decimals: half up, half even, or cut off."""
    step = Fraction(10) ** -places
    scaled = value / step
    low = scaled.numerator // scaled.denominator
    even = round(scaled)
    # Half away from zero: what people learn at school.
    up = (
        low + 1
        if scaled - low > Fraction(1, 2) or (scaled - low == Fraction(1, 2) and value > 0)
        else low
    )
    found = {even * step, up * step}
    return found | {int(scaled) * step} if cut else found


def _zeros(number: int) -> int:
    text = str(abs(number))
    return len(text) - len(text.rstrip("0"))


def _scientific(number: Fraction) -> str:
    import mpmath

    with mpmath.workdps(SHOWN):
        return str(_mpf(number.numerator) / _mpf(number.denominator))


def _mpf(number: int) -> Any:  # noqa: ANN401 - mpmath carries no types
    """A whole number, cut to the bits that are shown: making one of all of them takes long."""
    import mpmath

    cut = max(0, number.bit_length() - 200)
    return mpmath.ldexp(mpmath.mpf(number >> cut), cut)
