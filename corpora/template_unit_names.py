"""Units that Wikipedia's `convert` knows by a code, with their sizes.

A reader starts many processes and pint takes a second to load, so the sizes stand here; a test
holds each of them against pint's.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of `convert`."""

    kind: str
    """What it measures; only units of one kind are converted into each other."""
    factor: float
    """One of it in the SI unit of its kind."""
    short: str
    one: str
    many: str
    offset: float = 0.0
    """Added before multiplying; for scales of temperature."""


def _unit(
    kind: str, factor: float, short: str, one: str, many: str = "", *, offset: float = 0.0
) -> Unit:
    return Unit(kind, factor, short, one, many or f"{one}s", offset)


UNITS: Mapping[str, Unit] = {
    "mm": _unit("length", 0.001, "mm", "millimetre"),
    "cm": _unit("length", 0.01, "cm", "centimetre"),
    "m": _unit("length", 1, "m", "metre"),
    "km": _unit("length", 1000, "km", "kilometre"),
    "µm": _unit("length", 1e-06, "µm", "micrometre"),
    "nm": _unit("length", 1e-09, "nm", "nanometre"),
    "in": _unit("length", 0.0254, "in", "inch", "inches"),
    "ft": _unit("length", 0.3048, "ft", "foot", "feet"),
    "yd": _unit("length", 0.9144, "yd", "yard"),
    "mi": _unit("length", 1609.344, "mi", "mile"),
    "mile": _unit("length", 1609.344, "mi", "mile"),
    "nmi": _unit("length", 1852, "nmi", "nautical mile"),
    "chain": _unit("length", 20.11684023, "chains", "chain"),
    "furlong": _unit("length", 201.1684023, "furlongs", "furlong"),
    "ly": _unit("length", 9.460730473e15, "ly", "light-year"),
    "pc": _unit("length", 3.085677581e16, "pc", "parsec"),
    "AU": _unit("length", 1.495978707e11, "AU", "astronomical unit"),
    "m2": _unit("area", 1, "m^2", "square metre"),
    "sqm": _unit("area", 1, "m^2", "square metre"),
    "cm2": _unit("area", 0.0001, "cm^2", "square centimetre"),
    "km2": _unit("area", 1000000, "km^2", "square kilometre"),
    "sqkm": _unit("area", 1000000, "km^2", "square kilometre"),
    "ha": _unit("area", 10000, "ha", "hectare"),
    "acre": _unit("area", 4046.87261, "acres", "acre"),
    "sqft": _unit("area", 0.09290304, "sq ft", "square foot", "square feet"),
    "ft2": _unit("area", 0.09290304, "sq ft", "square foot", "square feet"),
    "sqin": _unit("area", 0.00064516, "sq in", "square inch", "square inches"),
    "sqyd": _unit("area", 0.83612736, "sq yd", "square yard"),
    "sqmi": _unit("area", 2589988.11, "sq mi", "square mile"),
    "mi2": _unit("area", 2589988.11, "sq mi", "square mile"),
    "m3": _unit("volume", 1, "m^3", "cubic metre"),
    "cm3": _unit("volume", 1e-06, "cm^3", "cubic centimetre"),
    "cc": _unit("volume", 1e-06, "cc", "cubic centimetre"),
    "km3": _unit("volume", 1000000000, "km^3", "cubic kilometre"),
    "cuft": _unit("volume", 0.02831684659, "cu ft", "cubic foot", "cubic feet"),
    "ft3": _unit("volume", 0.02831684659, "cu ft", "cubic foot", "cubic feet"),
    "cuin": _unit("volume", 1.6387064e-05, "cu in", "cubic inch", "cubic inches"),
    "cuyd": _unit("volume", 0.764554858, "cu yd", "cubic yard"),
    "cumi": _unit("volume", 4168181825, "cu mi", "cubic mile"),
    "acre.ft": _unit("volume", 1233.486771, "acre⋅ft", "acre-foot", "acre-feet"),
    "l": _unit("volume", 0.001, "L", "litre"),
    "L": _unit("volume", 0.001, "L", "litre"),
    "ml": _unit("volume", 1e-06, "mL", "millilitre"),
    "mL": _unit("volume", 1e-06, "mL", "millilitre"),
    "USgal": _unit("volume", 0.003785411784, "US gal", "US gallon"),
    "impgal": _unit("volume", 0.00454609, "imp gal", "imperial gallon"),
    "U.S.gal": _unit("volume", 0.003785411784, "US gal", "US gallon"),
    "usfloz": _unit("volume", 2.957352956e-05, "US fl oz", "US fluid ounce"),
    "USfloz": _unit("volume", 2.957352956e-05, "US fl oz", "US fluid ounce"),
    "g": _unit("mass", 0.001, "g", "gram"),
    "mg": _unit("mass", 1e-06, "mg", "milligram"),
    "kg": _unit("mass", 1, "kg", "kilogram"),
    "t": _unit("mass", 1000, "t", "tonne"),
    "tonne": _unit("mass", 1000, "t", "tonne"),
    "oz": _unit("mass", 0.02834952313, "oz", "ounce"),
    "ozt": _unit("mass", 0.0311034768, "ozt", "troy ounce"),
    "lb": _unit("mass", 0.45359237, "lb", "pound"),
    "lbs": _unit("mass", 0.45359237, "lb", "pound"),
    "st": _unit("mass", 6.35029318, "st", "stone", "stone"),
    "ST": _unit("mass", 907.18474, "short tons", "short ton"),
    "LT": _unit("mass", 1016.046909, "long tons", "long ton"),
    "long ton": _unit("mass", 1016.046909, "long tons", "long ton"),
    "short ton": _unit("mass", 907.18474, "short tons", "short ton"),
    "C": _unit("temperature", 1.0, "°C", "degree Celsius", "degrees Celsius", offset=273.15),
    "°C": _unit("temperature", 1.0, "°C", "degree Celsius", "degrees Celsius", offset=273.15),
    "F": _unit(
        "temperature", 5 / 9, "°F", "degree Fahrenheit", "degrees Fahrenheit", offset=459.67
    ),
    "°F": _unit(
        "temperature", 5 / 9, "°F", "degree Fahrenheit", "degrees Fahrenheit", offset=459.67
    ),
    "K": _unit("temperature", 1.0, "K", "kelvin", offset=0.0),
    "km/h": _unit("speed", 0.2777777778, "km/h", "kilometre per hour", "kilometres per hour"),
    "km/s": _unit("speed", 1000, "km/s", "kilometre per second", "kilometres per second"),
    "kph": _unit("speed", 0.2777777778, "km/h", "kilometre per hour", "kilometres per hour"),
    "mph": _unit("speed", 0.44704, "mph", "mile per hour", "miles per hour"),
    "m/s": _unit("speed", 1, "m/s", "metre per second", "metres per second"),
    "ft/s": _unit("speed", 0.3048, "ft/s", "foot per second", "feet per second"),
    "kn": _unit("speed", 0.5144444444, "kn", "knot"),
    "knot": _unit("speed", 0.5144444444, "kn", "knot"),
    "m3/s": _unit("flow", 1, "m^3/s", "cubic metre per second", "cubic metres per second"),
    "cuft/s": _unit(
        "flow", 0.02831684659, "cu ft/s", "cubic foot per second", "cubic feet per second"
    ),
    "PD/sqkm": _unit("population density", 1e-06, "/km^2", "inhabitant per square kilometre"),
    "PD/sqmi": _unit("population density", 3.861021585e-07, "/sq mi", "inhabitant per square mile"),
    "/km2": _unit(
        "population density", 1e-06, "/km^2", "per square kilometre", "per square kilometre"
    ),
    "/sqkm": _unit(
        "population density", 1e-06, "/km^2", "per square kilometre", "per square kilometre"
    ),
    "/sqmi": _unit(
        "population density", 3.861021585e-07, "/sq mi", "per square mile", "per square mile"
    ),
    "W": _unit("power", 1, "W", "watt"),
    "kW": _unit("power", 1000, "kW", "kilowatt"),
    "MW": _unit("power", 1000000, "MW", "megawatt"),
    "hp": _unit("power", 745.6998716, "hp", "horsepower", "horsepower"),
    "bhp": _unit(
        "power",
        745.6998716,
        "bhp",
        "brake horsepower",
        "brake horsepower",
    ),
    "PS": _unit(
        "power",
        735.49875,
        "PS",
        "metric horsepower",
        "metric horsepower",
    ),
    "J": _unit("energy", 1, "J", "joule"),
    "kJ": _unit("energy", 1000, "kJ", "kilojoule"),
    "kWh": _unit("energy", 3600000, "kWh", "kilowatt-hour"),
    "kcal": _unit("energy", 4184, "kcal", "kilocalorie"),
    "N": _unit("force", 1, "N", "newton"),
    "kN": _unit("force", 1000, "kN", "kilonewton"),
    "lbf": _unit("force", 4.448221615, "lbf", "pound-force", "pounds-force"),
    "Nm": _unit("torque", 1, "N⋅m", "newton metre"),
    "N.m": _unit("torque", 1, "N⋅m", "newton metre"),
    "lb.ft": _unit("torque", 1.355817948, "lb⋅ft", "pound-foot", "pound-feet"),
    "lbft": _unit("torque", 1.355817948, "lb⋅ft", "pound-foot", "pound-feet"),
    "Pa": _unit("pressure", 1, "Pa", "pascal"),
    "kPa": _unit("pressure", 1000, "kPa", "kilopascal"),
    "MPa": _unit("pressure", 1000000, "MPa", "megapascal"),
    "hPa": _unit("pressure", 100, "hPa", "hectopascal"),
    "mbar": _unit("pressure", 100, "mbar", "millibar"),
    "bar": _unit("pressure", 100000, "bar", "bar"),
    "atm": _unit("pressure", 101325, "atm", "standard atmosphere"),
    "psi": _unit("pressure", 6894.757293, "psi", "pound per square inch", "pounds per square inch"),
    "inHg": _unit("pressure", 3386.38864, "inHg", "inch of mercury", "inches of mercury"),
    "mpgus": _unit(
        "fuel economy", 425143.7074, "mpg‑US", "mile per US gallon", "miles per US gallon"
    ),
    "kg/m3": _unit("mass density", 1, "kg/m^3", "kilogram per cubic metre"),
}

OTHER: Mapping[str, str] = {
    "mm": "in", "cm": "in", "m": "ft", "km": "mi", "in": "mm", "ft": "m", "yd": "m", "mi": "km",
    "mile": "km", "nmi": "km", "chain": "m", "furlong": "m", "m2": "sqft", "sqm": "sqft",
    "cm2": "sqin", "km2": "sqmi", "sqkm": "sqmi", "ha": "acre", "acre": "ha", "sqft": "m2",
    "ft2": "m2", "sqin": "cm2", "sqyd": "m2", "sqmi": "km2", "mi2": "km2", "m3": "cuft",
    "cm3": "cuin", "cc": "cuin", "km3": "cumi", "cuft": "m3", "ft3": "m3", "cuin": "cm3",
    "cuyd": "m3", "cumi": "km3", "l": "USgal", "L": "USgal", "ml": "usfloz", "mL": "usfloz",
    "USgal": "L", "U.S.gal": "L", "impgal": "L", "usfloz": "mL", "USfloz": "mL", "g": "oz",
    "kg": "lb", "t": "LT", "tonne": "LT", "oz": "g", "ozt": "g", "lb": "kg", "lbs": "kg",
    "st": "kg", "ST": "t", "LT": "t", "long ton": "t", "short ton": "t", "C": "F", "°C": "F",
    "F": "C", "°F": "C", "K": "C", "km/h": "mph", "kph": "mph", "mph": "km/h", "m/s": "ft/s",
    "ft/s": "m/s", "kn": "km/h", "knot": "km/h", "m3/s": "cuft/s", "cuft/s": "m3/s",
    "PD/sqkm": "PD/sqmi", "PD/sqmi": "PD/sqkm", "/km2": "/sqmi", "/sqkm": "/sqmi", "/sqmi": "/km2",
    "kW": "hp", "hp": "kW", "bhp": "kW", "PS": "kW", "MW": "hp", "lbf": "N", "N": "lbf",
    "kN": "lbf", "Nm": "lb.ft", "N.m": "lb.ft", "lb.ft": "Nm", "lbft": "Nm", "kPa": "psi",
    "MPa": "psi", "bar": "kPa", "atm": "kPa", "psi": "kPa", "mbar": "inHg", "hPa": "inHg",
    "inHg": "mbar", "acre.ft": "m3", "km/s": "mi/s", "ly": "pc", "pc": "ly", "AU": "km",
    "kcal": "kJ", "kJ": "kcal",
}  # fmt: skip
"""What a value is converted to where the call names no unit (Wikipedia's Template:Convert)."""
