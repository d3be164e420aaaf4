"""What an equality in a text is not: a bullet, a date, a map's scale, a torn part, a question."""

import re
from collections.abc import Sequence
from itertools import pairwise

from verifier.arithmetic import units
from verifier.arithmetic.evaluate import CannotEvaluate, UnknownName, evaluate
from verifier.arithmetic.lexer import Kind, Token
from verifier.arithmetic.tree import Apply, Number, Tree, operators

FREE = frozenset(
    ("so", "thus", "then", "hence", "therefore", "have", "get", "that", "and", "is", "since")
)
FREE |= {"because", "as", "gives", "equals", "write", "find", "know", "or", "but", "also", "says"}
"""Words after which a side of an equality begins, and is no label of it."""

CHANGES = frozenset(("from", "to", "rise", "increase", "drop", "fall", "difference", "change"))
"""Words before a quantity that is a difference, which converts otherwise."""

FUNCTIONS = frozenset(
    (
        *("log", "ln", "lg", "sin", "cos", "tan", "exp", "floor", "ceil", "round", "gcd", "lcm"),
        *("mod", "root", "value", "average", "mean", "median", "remainder", "logarithm", "max"),
    )
)
"""Words whose argument is no side of an equality."""

STEPS = frozenset(("step", "problem", "question", "part", "case", "example", "equation", "line"))

REST = re.compile(r"(?:r\s?\d|remainder\b|\(mod\b|mod\b|o'clock)")
"""Behind a number, these make it a quotient, a residue or a time."""

YEARS = range(1500, 2101)


def is_bullet(read: Sequence[Token], start: int) -> bool:
    """True for a sign with a space behind it: a bullet or a dash, no sign of a number.

    Also for the number of a step before such a dash: `Step 2 - 3 + 4 = 7`.
    """
    token = read[start]
    apart = start + 1 < len(read) and token.end < read[start + 1].start
    if token.kind is Kind.OPERATOR:
        return apart
    named = start > 0 and read[start - 1].text.lower() in STEPS
    return named and token.kind is Kind.NUMBER and apart and read[start + 1].text == "-"


def is_torn(read: Sequence[Token], start: int) -> bool:
    """True if what stands before an expression belongs to it and was not understood.

    Such as the function in `sin(1/2) = x`, the term in `foo * 2 = 4`, the `root of` in `the root of
    9 + 16 is 5`.
    """
    if not start:
        return False
    before, token = read[start - 1], read[start]
    touches = before.end == token.start
    holders = (Kind.WORD, Kind.FUNCTION, Kind.CLOSE, Kind.POWER)
    if touches and token.kind is not Kind.OPERATOR and before.kind in holders:
        return True
    if before.kind is Kind.FUNCTION or before.text.lower() in FUNCTIONS:
        return True
    if before.text == "_" or (before.text[0] == "\\" and token.kind is not Kind.NUMBER):
        return True
    if before.kind is Kind.OPERATOR and before.text != "-":
        named = start > 1 and read[start - 2].text.lower() in FUNCTIONS
        return before.text != "of" or named
    return False


def is_open(text: str, read: Sequence[Token], first: int, end: int) -> bool:
    """True if an equality is asked, supposed or denied, or holds for a remainder only."""
    before = " ".join(one.text.lower() for one in read[max(0, first - 3) : first])
    after = text[end : end + 20].lstrip().lower()
    supposed = re.search(r"\b(?:if|suppose|assume|whether|unless|false that)$", before)
    return bool(supposed) or after.startswith("?") or REST.match(after) is not None


def ends(read: Sequence[Token], last: int) -> bool:
    """True if a clause ends behind a token."""
    follows = read[last + 1] if last + 1 < len(read) else None
    if follows is None or follows.kind in (Kind.BORDER, Kind.EQUAL):
        return True
    return follows.kind is Kind.WORD and follows.start > read[last].end


def is_told(tokens_: Sequence[Token], left: Tree, right: Tree) -> bool:
    """True if "is" stands between an expression and what it comes to.

    Not for years and ages (1914 - 1918 is), dates and names (9/11 was), the size of a 2 x 4, or the
    quarter of a year.
    """
    signs = [one for one in tokens_ if one.kind is Kind.OPERATOR]
    tight = all(a.end == b.start for a, b in pairwise(tokens_))
    if not operators(left) or (tight and signs and {one.text for one in signs} <= {"-", "/"}):
        return False
    if any(one.text == "-" for one in signs) and not _is_positive(left):
        return False
    year = isinstance(left, Apply) and any(
        isinstance(one, Number) and one.value in YEARS for one in left.parts
    )
    if tokens_[0].kind is Kind.SHARE and year:
        return False
    unit = units.known(right.unit) if isinstance(right, Number) else ""
    return not unit or has_unit(left) or tokens_[0].kind is Kind.SHARE


def _is_positive(tree: Tree) -> bool:
    try:
        return bool(evaluate(tree) > 0)
    except (CannotEvaluate, UnknownName):
        return False


def is_label(read: Sequence[Token], first: int, tree: Tree) -> bool:
    """True if counted things stand behind words: `Cost for 3 people * 2 days = ...`."""
    before = read[first - 1] if first else None
    is_word = before is not None and before.kind is Kind.WORD and before.text.lower() not in FREE
    return is_word and has_unit(tree)


def has_unit(tree: Tree) -> bool:
    """True if a number of a tree counts something."""
    if isinstance(tree, Apply):
        return any(has_unit(part) for part in tree.parts)
    return isinstance(tree, Number) and bool(tree.unit)


def is_conversion(left: Tree, right: Tree) -> bool:
    """True if both sides are quantities in known units that differ."""
    if not (isinstance(left, Number) and isinstance(right, Number)):
        return False
    source, target = units.known(left.unit), units.known(right.unit)
    return bool(source and target and source != target)


def is_part(read: Sequence[Token], first: int) -> bool:
    """True if a quantity is only a part of what is said: 5 feet 10 inches, a rise of 2 K, a map."""
    near = [one.text.lower() for one in read[max(0, first - 8) : first]]
    before = read[first - 1] if first else None
    composite = before is not None and (
        before.kind is Kind.NUMBER or (before.kind is Kind.WORD and bool(units.known(before.text)))
    )
    return composite or bool(CHANGES & set(near[-3:])) or bool({"map", "scale"} & set(near))
