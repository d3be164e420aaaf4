"""Templates that show quantities: convert, val, coord, height."""

import re
from collections.abc import Mapping
from math import floor, log10

from corpora.template_call import Arguments, Page, Show
from corpora.template_functions import grouped
from corpora.template_unit_names import OTHER, UNITS, Unit

RANGES: Mapping[str, str] = {
    "to": " to ", "-": "–", "–": "–", "and": " and ", "or": " or ", "x": " by ", "by": " by ",
    "×": " × ", "*": " × ", "+": " + ", ",": ", ", "to(-)": " to ", "to-": " to ",
    "and(-)": " and ", "+/-": " ± ", "±": " ± ", "xx": " × ", "&": " and ",
}  # fmt: skip
"""Words between two values of `convert`, and what is shown for them."""

NUMBER = re.compile(r"[-−+]?(?:\d[\d,\s]*(?:\.\d+)?|\.\d+)(?:[eE][-−+]?\d+)?")
FRACTION = re.compile(r"([-−]?)(?:(\d+)[\s+])?(\d+)(?:/|//|⁄)(\d+)")


def parsed(text: str) -> float | None:
    """The value of a number as `convert` takes it, fractions included.

    >>> parsed("1,234.5"), parsed("1+1/2"), parsed("−3"), parsed("about 5")
    (1234.5, 1.5, -3.0, None)
    """
    text = text.strip()
    if found := FRACTION.fullmatch(text):
        if not int(found[4]):
            return None
        value = int(found[2] or 0) + int(found[3]) / int(found[4])
        return -value if found[1] else value
    if not NUMBER.fullmatch(text):
        return None
    return float(re.sub(r"[,\s]", "", text).replace("−", "-"))


def decimals(shown: str) -> int:
    """Digits behind the point; negative for zeros at the end of a whole number.

    >>> decimals("12.50"), decimals("1,200"), decimals("7"), decimals("0")
    (2, -2, 0, 0)
    """
    digits = re.sub(r"[,\s]", "", shown).partition("e")[0]
    whole, point, behind = digits.partition(".")
    if point:
        return len(behind)
    return -(len(whole) - len(whole.rstrip("0"))) if whole.strip("-−+0") else 0


def rounded(
    value: float, source: float, shown: str, *, temperature: bool = False, ratio: float = 0.0
) -> str:
    """A converted value, to the digits that Wikipedia's Module:Convert shows by default.

    It is about as exact as what was converted, and has at least two significant digits.

    Args:
        value: After conversion.
        source: Before it.
        shown: As it was written.
        temperature: Between scales of temperature.
        ratio: How much coarser the new unit counts as; source / value if 0.

    >>> rounded(3.10686, 5, "5"), rounded(310.686, 500, "500")
    ('3.1', '310')
    >>> rounded(5387.139, 1642, "1642"), rounded(5387.139, 1642, "1642", ratio=1.0)
    ('5,390', '5,387')
    """
    if not value or not source:
        return "0"
    places = decimals(shown)
    if not temperature:
        places = floor(places + log10(ratio or abs(source / value)) + log10(2))
    least = 1 - floor(log10(abs(value)) + 1e-14)
    return with_places(value, max(places, least) if not temperature else max(places, 0))


def with_places(value: float, places: int) -> str:
    """A number with so many digits behind the point; negative ones round before it.

    >>> with_places(1234.5678, 2), with_places(1234.5678, -2), with_places(-0.2, 0)
    ('1,234.57', '1,200', '0')
    """
    # Half away from zero, as Lua's formatting after Module:Convert's own rounding.
    scaled = abs(value) * 10.0**places
    number = floor(scaled + 0.5) / 10.0**places
    shown = f"{number:,.{max(places, 0)}f}"
    return f"−{shown}" if value < 0 and number else shown


def _convert(arguments: Arguments, _: Page) -> str:
    texts = [value.strip() for value in arguments.listed]
    values, shown, rest = _leading(texts)
    if not values or not rest:
        return " ".join(text for text in texts if text)
    name, *targets = rest
    if (
        name in UNITS
        and len(targets) >= 2
        and parsed(targets[0]) is not None
        and targets[1] in UNITS
    ):
        return _composite(values[0], shown, name, targets, arguments)
    abbreviated = arguments.named.get("abbr", "") in ("on", "in")
    given = (
        f"{shown}{_unit(name, values[-1], short=abbreviated, adjective='adj' in arguments.named)}"
    )
    wanted = [one for one in targets if one and parsed(one) is None] or [OTHER.get(name, "")]
    converted = [
        made
        for one in re.split(r"[ +]", wanted[0])
        if (made := _converted(values, texts, name, one, arguments))
    ]
    if not converted or arguments.named.get("disp") == "unit":
        return given
    return f"{given} ({'; '.join(converted)})"


def _short(arguments: Arguments, page: Page) -> str:
    return _convert(Arguments(arguments.listed, {"abbr": "on", **arguments.named}), page)


def _leading(texts: list[str]) -> tuple[list[float], str, list[str]]:
    """Values and the words between them, as shown, and what is behind them."""
    values: list[float] = []
    shown = ""
    at = 0
    while at < len(texts) and (value := parsed(texts[at])) is not None:
        values.append(value)
        shown += grouped(texts[at].replace("-", "−", 1)) if "," not in texts[at] else texts[at]
        at += 1
        if (
            at + 1 < len(texts)
            and texts[at].lower() in RANGES
            and parsed(texts[at + 1]) is not None
        ):
            shown += RANGES[texts[at].lower()]
            at += 1
        else:
            break
    return values, shown, texts[at:]


def _composite(value: float, shown: str, name: str, rest: list[str], arguments: Arguments) -> str:
    """Two units for one quantity: `6|ft|2|in`."""
    second, small = rest[0], rest[1]
    given = f"{shown} {UNITS[name].short} {second} {UNITS[small].short}"
    total = value + (converted(parsed(second) or 0, small, name) or 0)
    target = next((one for one in rest[2:] if one in UNITS), OTHER.get(name, ""))
    places = arguments.get(len(arguments.listed)) if parsed(rest[-1]) is not None else ""
    made = converted(total, name, target) if target in UNITS else None
    if made is None:
        return given
    digits = (
        with_places(made, int(places))
        if places.isdigit() and len(rest) > 2
        else with_places(made, 2 if made < 10 else 0)
    )
    return f"{given} ({digits} {UNITS[target].short})"


def _converted(
    values: list[float], texts: list[str], name: str, target: str, arguments: Arguments
) -> str:
    if name not in UNITS or target not in UNITS:
        return ""
    written = [text for text in texts if parsed(text) is not None]
    places = written[-1] if len(written) > len(values) and written[-1].lstrip("-").isdigit() else ""
    significant = arguments.named.get("sigfig", "")
    temperature = UNITS[name].kind == "temperature"
    # Whole numbers turned into feet keep more digits on Wikipedia: 1642 m are 5,387 ft.
    ratio = 1 / UNITS[name].factor if target == "ft" else 0.0
    shown = []
    for value, text in zip(values, written, strict=False):
        made = converted(value, name, target)
        if made is None:
            return ""
        if places:
            shown.append(with_places(made, int(places)))
        elif significant.isdigit() and made:
            shown.append(with_places(made, int(significant) - 1 - floor(log10(abs(made)))))
        else:
            more = ratio if value == floor(value) else 0.0
            shown.append(rounded(made, value, text, temperature=temperature, ratio=more))
    joined = ("–" if len(shown) == 2 else " × ").join(dict.fromkeys(shown))
    return joined + _unit(target, 0, short=True)


def converted(value: float, name: str, target: str) -> float | None:
    """A value in another unit, None if the two measure different things.

    >>> converted(5, "km", "m"), round(converted(100, "C", "F"), 6)
    (5000.0, 212.0)
    """
    one, two = UNITS[name], UNITS[target]
    if one.kind != two.kind:
        return None
    return ((value + one.offset) * one.factor) / two.factor - two.offset


def _unit(name: str, value: float, *, short: bool, adjective: bool = False) -> str:
    unit = UNITS.get(name, Unit("", 1.0, name, name, name))
    if adjective and not short:
        return f"-{unit.one}"
    if short or unit.short.startswith("°"):
        return ("" if unit.short == "°" else " ") + unit.short
    return " " + (unit.one if abs(value) == 1 else unit.many)


def _val(arguments: Arguments, _: Page) -> str:
    texts = arguments.texts()
    if not texts:
        return ""
    value = grouped(texts[0].replace("e", "×10^")) if "e" in texts[0] else grouped(texts[0])
    if len(texts) == 2:
        value += f"±{texts[1].removeprefix('±')}"
    elif len(texts) > 2:
        value += f"+{texts[1].lstrip('+')}−{texts[2].lstrip('-−')}"
    if bracketed := arguments.get("s"):
        value += f"({bracketed})"
    if power := arguments.get("e"):
        value += f"×10^{power}"
    unit = arguments.get("u", "ul")
    value = arguments.get("p") + value + arguments.get("s2")
    per = arguments.get("up", "upl")
    return " ".join(filter(None, (value, unit + (f"/{per}" if per else ""))))


def _coordinates(arguments: Arguments, _: Page) -> str:
    """Degrees, or degrees, minutes and seconds, with the letters of the compass."""
    signs, shown, part = "°′″", "", 0
    kept = [text.strip() for text in arguments.listed if ":" not in text]
    if len(kept) >= 2 and not any(text in "NSEW" for text in kept if text):
        return f"{kept[0]}, {kept[1]}"
    for text in kept:
        if text and text in "NSEWO":
            shown += f"{text} "
            part = 0
        elif text and part < len(signs):
            shown += text + signs[part]
            part += 1
    return shown.strip()


def _height(arguments: Arguments, _: Page) -> str:
    feet, inches = arguments.get("ft"), arguments.get("in", "inch")
    if metres := arguments.get("m", "meter", "meters", "metre", "metres"):
        return f"{metres} m"
    if centimetres := arguments.get("cm"):
        return f"{centimetres} cm"
    if not feet and not inches:
        return " ".join(arguments.texts())
    total = 0.3048 * (parsed(feet) or 0) + 0.0254 * (parsed(inches) or 0)
    given = " ".join(f"{value} {unit}" for value, unit in ((feet, "ft"), (inches, "in")) if value)
    return f"{given} ({total:.2f} m)"


def _gaps(arguments: Arguments, _: Page) -> str:
    return grouped("".join(arguments.texts())) + " ".join(filter(None, ("", arguments.get("u"))))


def _power(arguments: Arguments, _: Page) -> str:
    return f"×10^{arguments.get(1)}"


def _grouped(arguments: Arguments, _: Page) -> str:
    return arguments.get("prefix") + grouped(arguments.get(1)) + arguments.get("suffix")


def _percent(arguments: Arguments, _: Page) -> str:
    part, whole = parsed(arguments.get(1)), parsed(arguments.get(2))
    places = arguments.get(3)
    if part is None or not whole:
        return ""
    return f"{100 * part / whole:.{int(places) if places.isdigit() else 0}f}%"


QUANTITIES: Mapping[str, Show] = {
    **dict.fromkeys(("convert", "conv", "convinfobox", "convert/2", "converti"), _convert),
    "cvt": _short,
    **dict.fromkeys(("val", "value"), _val),
    **dict.fromkeys(
        ("coord", "koord", "coordinate", "coor dms", "coor dm", "coor d"), _coordinates
    ),
    **dict.fromkeys(("height",), _height),
    **dict.fromkeys(("gaps",), _gaps),
    **dict.fromkeys(("e", "e-sp", "x10^", "10^"), _power),
    **dict.fromkeys(
        ("formatnum", "nts", "number table sorting", "formatnum1", "num", "nowrapnum"), _grouped
    ),
    **dict.fromkeys(("percentage", "pct", "percent"), _percent),
}
"""By `template_call.key`."""
