"""What the terminal and the page say alike: names, symbols, percentages, and text made harmless.

Responses and evidence are data (Law 4). `disarm` takes from them what would act on the reader's
screen: escape sequences, direction overrides, invisible tags and lone surrogates.
"""

import math
import re
from collections.abc import Mapping, Sequence

from verifier.values import Label, Provenance, Status, Verdict, Why

LABEL_WORDS: Mapping[Label, str] = {
    Label.SUPPORTED: "supported",
    Label.REFUTED: "refuted",
    Label.CONFLICTING: "conflicting",
    Label.NOT_ENOUGH_EVIDENCE: "not enough evidence",
    Label.NOT_CHECKWORTHY: "not check-worthy",
    Label.FAILED: "failed",
}
SYMBOLS: Mapping[Label, str] = {
    Label.SUPPORTED: "✓",
    Label.REFUTED: "✗",
    Label.CONFLICTING: "≠",
    Label.NOT_ENOUGH_EVIDENCE: "?",
    Label.NOT_CHECKWORTHY: "–",
    Label.FAILED: "!",
}
WHY_WORDS: Mapping[Why, str] = {
    Why.NOT_IN_CORPUS: "the index holds nothing about this",
    Why.SILENT: "passages were found, but they do not say",
    Why.OUTSIDE_SNAPSHOT: "this is newer than the index",
    Why.LANGUAGE_NOT_COVERED: "the index does not cover this language",
}
STATUS_WORDS: Mapping[Status, str] = {
    Status.CHECKED: "checked",
    Status.ABSTAINED: "The response declines to answer; it makes no claim to check.",
    Status.EMPTY: "The response is empty; there is nothing to check.",
    Status.FAILED: "The response could not be checked.",
}

# Everything here is replaced one for one, so offsets into the text stay true.
_ARMED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 without tab, line feed, carriage return; C1
    "\u2028\u2029\u202a-\u202e\u2066-\u2069"  # line separators; bidi overrides and isolates
    "\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"  # surrogates; annotations; invisible tags
)


def disarm(text: str) -> str:
    r"""Replaces the characters that would act on a screen instead of showing on it.

    The result has as many characters as the text, so spans still fit.

    >>> disarm("a\x1b[2Jb")
    'a�[2Jb'
    >>> disarm("one\r\ntwo")
    'one \ntwo'
    """
    return _ARMED.sub("\ufffd", text).replace("\r", " ")


def one_line(text: str) -> str:
    r"""Disarms a text and joins its lines, so it cannot imitate lines of the report.

    >>> one_line("a\n\n  b")
    'a b'
    """
    return " ".join(disarm(text).split())


def percent(probability: float | None) -> str:
    """Writes a probability; only certainty rounds to 0 % or 100 %.

    >>> percent(0.973), percent(0.9999), percent(1.0), percent(None)
    ('97%', '>99%', '100%', '')
    """
    if probability is None or not math.isfinite(probability):
        return ""
    if 0.995 <= probability < 1:
        return ">99%"
    if 0 < probability < 0.005:
        return "<1%"
    return f"{probability:.0%}"


def score(value: float | int | None) -> str:
    """Writes a score: counts as they are, fractions to two digits, unknown as n/a.

    >>> score(7), score(0.71428), score(None), score(float("nan"))
    ('7', '0.71', 'n/a', 'n/a')
    """
    if value is None or not math.isfinite(value):
        return "n/a"
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def counts(verdicts: Sequence[Verdict]) -> dict[Label, int]:
    """Counts the labels that occur, in the order of `Label`."""
    tally = {label: sum(v.label is label for v in verdicts) for label in Label}
    return {label: n for label, n in tally.items() if n}


def amount(number: int, noun: str) -> str:
    """Writes a count with its noun.

    >>> amount(1, "call"), amount(1200, "token"), amount(2, "search")
    ('1 call', '1,200 tokens', '2 searches')
    """
    ending = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}{ending}"


def sources(made: Provenance) -> list[tuple[str, str]]:
    """What a report rests on beside the model: a name and what to show, for what there was.

    >>> sources(Provenance("1", "m", "r", "wiki", "0a", "2026-08-18", "e"))
    [('Index', 'wiki, snapshot 2026-08-18')]
    """
    dated = f", snapshot {made.snapshot_date}" if made.snapshot_date else ""
    rows = (
        ("Index", f"{made.index}{dated}" if made.index else ""),
        ("Papers", made.papers),
        ("Sandbox", made.sandbox),
    )
    return [(key, value) for key, value in rows if value]
