"""Statements about whole numbers that arithmetic decides: prime, even, divisible, a square."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

TRIED = 10_000
"""Factors tried to show why a number is not prime."""

LABELS = re.compile(
    r"(?:chapter|level|version|year|windows|python|iphone|step|ending in) $", re.IGNORECASE
)
"""Words before a number that is a name."""

DIGITS = 60
"""Digits of a number at most."""

NUMBER = (
    r"(?<![\w.,:/^_+*\u00d7\u00b7\u2212\u2013-])(?<![-+*/^\u00d7\u00f7\u2212=] )"
    r"(?P<n>\d{1,3}(?:,\d{3})+|\d+)(?![\d.]*\d)"
)
OTHER = r"(?P<m>\d{1,3}(?:,\d{3})+|\d+)(?![\d.]*\d)"

PROPERTY = re.compile(
    rf"{NUMBER} is (?P<no>not |n't )?(?:also |indeed |actually )?(?:an? )?"
    r"(?P<what>prime|composite|even|odd|perfect square|perfect cube)(?: number)?"
    r"(?=\s*(?:[.,;:!?)\]'\"\u201d\u2019]|$|\n|(?:and|or|but|because|since|so|as|is)\b))",
    re.IGNORECASE,
)
RELATION = re.compile(
    rf"{NUMBER} (?:is (?P<no>not )?(?:an? )?)?(?P<what>divisible by|divides|factor of|divisor of|"
    rf"multiple of|does not divide) {OTHER}",
    re.IGNORECASE,
)
TRUTH = re.compile(
    r"\s*['\"\u201d\u2019]\s*is\s+(?P<truth>true|false|correct|incorrect|wrong)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement and whether it is right; `start` and `end` are half-open offsets."""

    start: int
    end: int
    text: str
    """The statement alone, e.g. `91 is not prime`."""
    true: bool
    reason: str


def statements(text: str) -> list[Statement]:
    """The statements of a text, in order.

    >>> [(one.text, one.true) for one in statements("So '91 is prime' is False.")]
    [('91 is not prime', True)]
    """
    found = [*_found(text, PROPERTY, _property), *_found(text, RELATION, _relation)]
    return sorted(found, key=lambda one: one.start)


def _found(
    text: str, pattern: re.Pattern[str], decide: "Callable[[re.Match[str]], tuple[str, bool, str]]"
) -> Iterator[Statement]:
    for one in pattern.finditer(text):
        if len(one["n"]) > DIGITS or len(one.groupdict().get("m") or "") > DIGITS:
            continue
        if LABELS.search(text[max(0, one.start() - 12) : one.start()]):
            continue
        said, true, reason = decide(one)
        negative, end = bool(one["no"]), one.end()
        if truth := TRUTH.match(text, end):
            negative ^= truth["truth"].lower() not in ("true", "correct")
            end = truth.end()
        elif re.match(r"\s*['\"\u201d\u2019]", text[end:]) or _asks(text, one.start(), end):
            continue  # a quoted statement of which nothing is said, or a question
        positive = f"{one['n']} {said}"
        claim = positive.replace(" is ", " is not ", 1) if negative else positive
        yield Statement(one.start(), end, claim, true ^ negative, reason)


def _asks(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 20) : start].lower()
    return bool(re.search(r"\b(?:if|whether|suppose|assume)\s+(?:that\s+)?$", before)) or text[
        end:
    ].lstrip().startswith("?")


def _property(found: re.Match[str]) -> tuple[str, bool, str]:
    n, what = int(found["n"].replace(",", "")), found["what"].lower()
    article = "a " if what.startswith("perfect") else ""
    true = PROPERTIES[what](n)
    reason = (
        _why(n)
        if what in ("prime", "composite")
        else f"{n:,} is {'' if true else 'not '}{article}{what}."
    )
    return f"is {article}{what}", true, reason


def _relation(found: re.Match[str]) -> tuple[str, bool, str]:
    n, m = int(found["n"].replace(",", "")), int(found["m"].replace(",", ""))
    what = " ".join(found["what"].lower().split())
    whole, part = (n, m) if what in ("divisible by", "multiple of") else (m, n)
    divides = part != 0 and whole % part == 0
    rest = (
        f"{whole:,} divided by {part:,} leaves {whole % part:,}."
        if part
        else "Nothing divides by 0."
    )
    if what == "does not divide":
        return f"does not divide {found['m']}", not divides, rest
    article = "a " if what in ("multiple of", "factor of", "divisor of") else ""
    said = f"divides {found['m']}" if what == "divides" else f"is {article}{what} {found['m']}"
    return said, divides, rest


def _why(n: int) -> str:
    from sympy import isprime

    if n < 2:
        return f"{n} is neither prime nor composite."
    if isprime(n):
        return f"{n:,} is prime."
    factor = next((one for one in range(2, TRIED) if n % one == 0 and one < n), None)
    return f"{n:,} = {factor:,} x {n // factor:,}." if factor else f"{n:,} is composite."


def _is_prime(n: int) -> bool:
    from sympy import isprime

    return bool(isprime(n))


PROPERTIES: Mapping[str, Callable[[int], bool]] = {
    "prime": _is_prime,
    "composite": lambda n: n > 3 and not _is_prime(n),
    "even": lambda n: n % 2 == 0,
    "odd": lambda n: n % 2 == 1,
    "perfect square": lambda n: math.isqrt(n) ** 2 == n,
    "perfect cube": lambda n: any(root**3 == n for root in _near_cube_root(n)),
}


def _near_cube_root(n: int) -> range:
    from sympy import integer_nthroot

    root = int(integer_nthroot(n, 3)[0])
    return range(root, root + 2)
