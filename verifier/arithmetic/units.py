"""Conversions between units, worked out exactly by pint with fractions."""

import re
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pint import UnitRegistry

OURS = {
    "\u00b0f": "degF",
    "\u00b0c": "degC",
    "\u00b0 f": "degF",
    "\u00b0 c": "degC",
    "fahrenheit": "degF",
    "celsius": "degC",
    "degrees fahrenheit": "degF",
    "degrees celsius": "degC",
    "feet": "foot",
    "inches": "inch",
    "lbs": "pound",
    "sec": "second",
    "secs": "second",
    "mins": "minute",
    "hrs": "hour",
    "hr": "hour",
    "kph": "km/hour",
    "mph": "mile/hour",
    "miles per hour": "mile/hour",
    "kilometres per hour": "km/hour",
    "kilometers per hour": "km/hour",
    "metres per second": "meter/second",
    "meters per second": "meter/second",
    "km/h": "km/hour",
    "m/s": "meter/second",
    "mb": "megabyte",
    "gb": "gigabyte",
    "kb": "kilobyte",
    "tb": "terabyte",
    "mib": "mebibyte",
    "gib": "gibibyte",
    "kib": "kibibyte",
}
"""What people write, folded, and what pint calls it."""

UNITS = frozenset(
    (
        *(
            "meter",
            "kilometer",
            "centimeter",
            "millimeter",
            "micrometer",
            "nanometer",
            "mile",
            "foot",
        ),
        *("inch", "yard", "nautical_mile", "light_year", "parsec", "astronomical_unit", "micron"),
        *("gram", "kilogram", "milligram", "microgram", "metric_ton", "pound", "ounce", "stone"),
        *("second", "millisecond", "minute", "hour", "day", "week", "microsecond", "nanosecond"),
        *(
            "liter",
            "milliliter",
            "centiliter",
            "deciliter",
        ),
        *("hectare", "acre", "degree_Celsius", "degree_Fahrenheit", "kelvin", "degree", "radian"),
        *(
            "joule",
            "kilojoule",
            "megajoule",
            "watt_hour",
            "kilowatt_hour",
        ),
        *(
            "watt",
            "kilowatt",
            "megawatt",
            "pascal",
            "kilopascal",
            "bar",
            "hertz",
            "volt",
        ),
        *("bit", "byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte", "kibibyte"),
        *("mebibyte", "gibibyte", "tebibyte", "megabit", "gigabit", "kilobit", "knot", "newton"),
    )
)
"""Units whose size everybody agrees on: no years, tons, cups or barrels."""


SPELLED = frozenset(word for name in UNITS for word in name.casefold().split("_")) | {
    *("square", "cubic", "tonne", "kilo", "degrees", "of"),
}
SHORT = frozenset(
    (
        *("m", "km", "cm", "mm", "um", "nm", "mi", "ft", "yd", "nmi", "ly", "pc", "au"),
        *("g", "kg", "mg", "ug", "t", "lb", "oz", "st", "s", "ms", "us", "ns", "min", "h", "d"),
        *("l", "ml", "cl", "dl", "ha", "k", "j", "kj", "mj", "wh", "kwh", "w", "kw", "mw"),
        *("pa", "kpa", "hpa", "hz", "v", "n", "kn", "rad"),
    )
)

BINARY = {
    "kilobyte": "kibibyte",
    "megabyte": "mebibyte",
    "gigabyte": "gibibyte",
    "terabyte": "tebibyte",
}


class OtherDimension(Exception):  # noqa: N818 - says what happened
    """The two units measure different things."""


def known(name: str) -> str:
    """The name that pint has for of a unit; empty if it is none.

    >>> known("miles"), known("apples"), known("\u00b0F")
    ('mile', '', 'degree_Fahrenheit')
    """
    folded = " ".join(name.casefold().split())
    if not _seems_one(folded):
        return ""
    return _name(OURS.get(folded, name.strip()), folded)


def _seems_one(folded: str) -> bool:
    """True for what may be one of our units; pint, which takes long to load, decides."""
    if folded in OURS:
        return True
    parts = re.split(r"[/*\u00b7 ]|\bper\b", re.sub(r"[\u00b2\u00b3]|\^\d", "", folded))
    words = [one.replace("metre", "meter").replace("litre", "liter") for one in parts if one]
    return bool(words) and all(
        one in OURS or one in SHORT or one in SPELLED or one.removesuffix("s") in SPELLED
        for one in words
    )


@cache
def _name(wanted: str, folded: str) -> str:
    registry = _registry()
    for one in (wanted, folded.removesuffix("s") if len(folded) > 3 else folded):
        try:
            unit = registry.Unit(one.replace("metre", "meter").replace("litre", "liter"))
        except Exception:  # noqa: BLE001, S112 - pint raises many kinds, from its tokenizer too
            continue
        parts = dict(unit._units)  # its text form cannot write powers that are fractions
        if parts and set(parts) <= UNITS:
            return " * ".join(one if n == 1 else f"{one}**{n}" for one, n in parts.items())
    return ""


def converted(value: Fraction, source: str, target: str) -> Fraction:
    """A value in another unit, exactly.

    >>> converted(Fraction(5), "mile", "kilometer")
    Fraction(25146, 3125)

    Raises:
        OtherDimension: the units measure different things.
    """
    import pint

    registry = _registry()
    try:
        found: Any = registry.Quantity(value, source).to(target)
    except (pint.DimensionalityError, pint.UndefinedUnitError) as error:
        raise OtherDimension(f"{source} and {target} measure different things") from error
    return Fraction(found.magnitude)


def binary(value: Fraction, source: str, target: str) -> Fraction | None:
    """The same where kilobytes and their like count in steps of 1,024, as many people use them.

    >>> binary(Fraction(1), "gigabyte", "megabyte"), binary(Fraction(1), "mile", "foot")
    (Fraction(1024, 1), None)
    """
    pair = (BINARY.get(source, source), BINARY.get(target, target))
    return converted(value, *pair) if pair != (source, target) else None


@cache
def _registry() -> "UnitRegistry[Any]":
    import pint

    return pint.UnitRegistry(non_int_type=Fraction, autoconvert_offset_to_baseunit=True)
