"""Calculations are found where they stand, worked out exactly and compared at the digits shown."""

import time

import pytest

from verifier.arithmetic.find import equalities
from verifier.arithmetic.statements import statements
from verifier.tasks import math
from verifier.values import Claim, Label


def labels(text: str) -> list[str]:
    """One letter a claim: s, r, f, or - for what is not checkworthy."""
    found = math.calculations(text)
    letters = {Label.NOT_CHECKWORTHY: "-"}
    made = [math.CHECKS[one.fields["kind"]](one).label for one in found]
    return [letters.get(one, one.value[0]) for one in made]


RIGHT = [
    "3 x 1,793,815 = 5,381,445",
    "2(5364765) = 10729530",
    "18 \u00f7 4 = 4.5",
    "155 / 2.4 = 64.58 km/h",
    "15% of 240 is 36",
    "28\\% of 650 is 182.",
    "Half of 10 is 5.",
    "two thirds of 9 is 6",
    "$3 \\times 4 = 12$",
    "\\[ \\frac{3}{4} \\times 8 = 6 \\]",
    "\\frac{1}{3} + \\frac{1}{6} = \\frac{1}{2}",
    "$49.50 + $67.50 = $117",
    "\u20ac3 * 1.5 = \u20ac4.50",
    "2^10 = 1024",
    "2**10 = 1024",
    "5\u00b2 = 25",
    "2^{99} = 633825300114114700748351602688",
    "5! = 120",
    "sqrt(16) + \u221a9 = 7",
    "sqrt(2) \u2248 1.414",
    "1 1/2 + 1/2 = 2",
    "5 plus 6, which is 11",
    "6 times 7 equals 42",
    "The sum of 2 and 3 is 5.",
    "12 - (-3) = 15",
    "\u22125 + 3 = \u22122",
    "2/3 = 0.67",
    "2/3 = 0.666...",
    "7/2 = 4",
    "200 + 10% = 220",
    "1/4 = 25%",
    "18 / 450 x 100 = 4%",
    "5 apples + 3 apples = 8 apples",
    "1_000 * 2 = 2 000",
    "2 * 1.5 million = 3 million",
    "1,234,567 * 3 \u2248 3,700,000",
    "91 = 7 * 13",
    "3 * 4 = 12!",
    "Five miles is 8.05 km.",
    "98.6 \u00b0F is 37 \u00b0C.",
    "100 increased by 20% is 120",
    "x + 2x = 3x",
    "The total is 3 + 9 = 12.",
    "**Total:** 3 * 5 = **15**",
    "6.02e23 * 2 = 1.204e24",
    "1e-5 * 2 = 2e-5",
    "100 / 3 = 33.33%",
    "1 GB = 1024 MB",
    "x\u00b2 + 2x + 1 = (x + 1)\u00b2",
    "3 m * 4 m = 12 m\u00b2",
    "45 miles / 1.5 hours = 30 mph",
    "- 3 x 4 = 12",
    "- $20 - $5 = $15",
    "Step 2 - 3 + 4 = 7",
    "5 m x 4 m = 20 m^2",
    "6.02 x 10^23 x 2 = 1.20 x 10^24",
    "7.5 = 15/2",
    "\\frac{15}{2} = 7\\frac{1}{2}",
    "three-quarters of 100 is 75",
    "twenty-five times two is fifty",
    "**5** + 3 = 8",
    "1 - \u221a2 = -\u221a2 + 1",
    "pi * 5^2 = 78.54",
]

WRONG = [
    "1/2^{99} = 1/2^{98}",
    "1 - 1/e = 1 + 1/e",
    "15% of 240 is 38",
    "3 x $16.50 = $49.60",
    "2/3 = 0.66",
    "One gibibyte is 1,000,000,000 bytes.",
    "0.1 + 0.2 = 0.31",
    "x + 3x = 5x",
    "10^20 + 1 = 10^20",
    "1/4 = 0.25%",
    "$2.50 + $2.30 = $6",
    "35 miles is about 100 km",
    "1/3 = 0",
]

NONE = [
    "Total cost = 3 x 4",
    "The years 1990-1995 is a span of 5 years",
    "Version 3.2.1 = latest",
    "It is 5 miles away.",
    "He was born on 2020-01-05 and is 6.",
    "x = 5",
    "Call 555-1234.",
    "The score was 3-2 = a close game.",
    "65 minutes = 1 hour 5 minutes",
    "World War I (1914 \u2013 1918) is 4 years long",
    "Growth in the first quarter of 2023 was 1.1%.",
    "9/11 was 20 years ago",
    "On the map, 1 cm is 5 km.",
    "the square root of 9 + 16 is 5",
    "\\log_2(8) = 3",
    "sin(pi/2) = 1",
    "17 / 5 = 3 remainder 2",
    "Is 3 + 4 = 8?",
    "3,5 x 2 = 7,0",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_supported(text: str) -> None:
    assert labels(text) == ["s"]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_refuted(text: str) -> None:
    assert labels(text) == ["r"]


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_calculation_is_none(text: str) -> None:
    assert labels(text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a = 3 * 4 = 12 = 13 - 1", ["s", "s"]),
        ("15% of 240 is 38, and 38 + 10 = 48.", ["r", "s"]),
        ("Let x = 5. Then 3x + 2 = 17.", ["s"]),
        ("2x + 1 = 7", ["-"]),
        ("2x + 1 = 7, so x = 3", ["-", "s"]),
        ("2x + 1 = 7, so x = 4", ["-", "r"]),
        ("1 / 0 = 5", ["f"]),
        ("2x = 10, so x = 5.\n3x = 12, so x = 4.", ["-", "s", "-", "s"]),
        ("3 x 20 minutes = 1 hour", ["-"]),
        ("5 km is 3 kg", ["-"]),
        ("9^9^9^9 = 1", ["f"]),
        ("170!!!! = 1", ["f"]),
        ("sqrt(-1) = 1", ["f"]),
        ("Cost of 3 pairs of shoes = 3 x $20 = $60", ["s"]),
        ("Cost for 3 people * 2 days = 3 * 2 * 10 = 60", ["s"]),
    ],
)
def test_chains_variables_and_labels(text: str, wanted: list[str]) -> None:
    assert labels(text) == wanted


@pytest.mark.parametrize(
    ("text", "claim", "true"),
    [
        ("so the statement '91 is prime' is False.", "91 is not prime", True),
        ("97 is prime.", "97 is prime", True),
        ("1,001 is not divisible by 7.", "1,001 is not divisible by 7", False),
        ("7 divides 91", "7 divides 91", True),
        ("49 is a perfect square", "49 is a perfect square", True),
        ("48 is odd", "48 is odd", False),
    ],
)
def test_statements_about_numbers(text: str, claim: str, true: bool) -> None:
    (found,) = statements(text)
    assert (found.text, found.true) == (claim, true)


@pytest.mark.parametrize(
    "text",
    [
        "Windows 11 is even better.",
        "2^7 - 1 is prime",
        "n + 1 is even",
        "The year 2024 is prime time",
        "12:05 is odd",
    ],
)
def test_numbers_that_are_names_or_parts_state_nothing(text: str) -> None:
    assert statements(text) == []


@pytest.mark.parametrize("text", ["Is 91 is prime?", "Decide whether 91 is prime", "'91 is prime'"])
def test_a_question_states_nothing(text: str) -> None:
    assert statements(text) == []


@pytest.mark.parametrize("text", [*RIGHT, *WRONG])
def test_spans_slice_back(text: str) -> None:
    for one in equalities(text):
        assert one.expression in text[one.start : one.end]
        assert one.stated in text[one.start : one.end]


def test_a_refuted_calculation_shows_the_right_value() -> None:
    (claim,) = math.calculations("3 x $8 = $25")
    verdict = math.CHECKS["calculation"](claim)
    assert verdict.correction == "3 x $8 = 24"
    assert verdict.reason == "3 x $8 is 24, not $25."


def test_a_gold_claim_is_judged_by_its_fields() -> None:
    fields = {"expression": "2 girls' teams and 2 boys' teams", "stated": "4"}
    verdict = math.CHECKS["calculation"](Claim("1", "", fields=fields))
    assert verdict.label is Label.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000 + "1" + ")" * 20_000 + " = 1",
        "1 + " * 20_000 + "1 = 2",
        "9" * 50_000 + " = 1 + 1",
        "2^" * 5_000 + "2 = 4",
        "\\frac{" * 5_000 + "1 = 1",
        "-" * 20_000 + "1 = 1",
        "= " * 20_000,
        "1 = " * 10_000,
        "10**10**10 = 1",
        "a b c " * 10_000 + "= 1 + 1",
        "2! " * 10_000 + "= 1",
        "\x00 = \ud800",
        "((2^0.5)^9999)^999 = 1",
        "(e^9999)^9999 = 1",
        "2^19999=1\n" * 300,
        "\u00b2" * 9000 + " = 3",
    ],
)
def test_hostile_arithmetic_ends_soon(text: str) -> None:
    began = time.process_time()
    assert "s" not in labels(text)
    assert time.process_time() - began < 5
