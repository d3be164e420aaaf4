"""What a claim leaves open is found, and years that count from another are worked out."""

import pytest

from verifier.references import dated, unresolved


@pytest.mark.parametrize(
    ("sentence", "before", "result"),
    [
        ("Twenty-two years later he left.", "Born in 1844.", "In 1866 he left."),
        ("He left a decade earlier.", "It fell in 1990.", "He left in 1980."),
        ("Two centuries later it fell.", "Built in 1210.", "In 1410 it fell."),
        ("That same year it fell.", "Built in 1210.", "In 1210 it fell."),
        ("In the previous year it fell.", "Built in 1210.", "In 1209 it fell."),
        (
            "He was born in 1900 and died 50 years later.",
            "",
            "He was born in 1900 and died in 1950.",
        ),
        ("A few years later it fell.", "Built in 1210.", "A few years later it fell."),
        ("Eight years later it fell.", "Nobody knows when.", "Eight years later it fell."),
        ("It has two towers.", "Built in 1210.", "It has two towers."),
    ],
)
def test_years_are_counted_from_the_last_one_named(sentence: str, before: str, result: str) -> None:
    assert dated(sentence, before) == result


@pytest.mark.parametrize(
    "claim",
    [
        "He won a prize.",
        "Li married her in 1920.",
        "Li won another, this time in Chemistry.",
        "Li's daughter won one too, in 1935.",
        "Australia won 40 gold medals there.",
        "This city has 53 parks.",
        "Its port is old.",
        "Eight years later Li won.",
    ],
)
def test_a_claim_that_points_out_of_itself_is_found(claim: str) -> None:
    assert unresolved(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "Marie Curie shared the prize with her husband.",
        "Oslo Cathedral was restored when it was 250 years old.",
        "There are 53 parks in Oslo.",
        "Another river, the Volga, ends in the Caspian Sea.",
        "Only one planet is larger than Saturn.",
        "In 1911 Marie Curie received another Nobel Prize.",
        "The tower was later moved to Lyon in 1890.",
    ],
)
def test_a_claim_that_stands_alone_is_left_in_peace(claim: str) -> None:
    assert unresolved(claim) == []
