"""Calculations in a text: what stands on both sides of a sign of equality, and where.

Not every sign of equality makes a calculation. `Total cost = 3 x 4` names a result, `x = 5` gives a
variable its value, `2x + 1 = 7` is to be solved; only `3 x 4 = 12` can be wrong. A word such as
"is" counts as a sign of equality only between an expression and a number.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from verifier.arithmetic import readings, units
from verifier.arithmetic.grammar import NotArithmetic, parse
from verifier.arithmetic.lexer import Kind, Token, tokens
from verifier.arithmetic.tree import Apply, Name, Number, Tree, operators


class Form(StrEnum):
    """What an equality is."""

    CALCULATION = "calculation"
    CONVERSION = "conversion"
    ASSIGNMENT = "assignment"


@dataclass(frozen=True, slots=True)
class Equality:
    """Two sides that are said to be equal; `start` and `end` are half-open offsets."""

    form: Form
    start: int
    end: int
    left: Tree
    right: Tree
    expression: str
    stated: str
    about: bool = False
    """Said to be nearly equal only."""
    cut: bool = False
    """The number on the right goes on: `0.666...`."""


REACH = 60
"""Tokens that are looked at on each side."""


def equalities(text: str) -> list[Equality]:
    """All equalities of a text that have an arithmetic meaning, in order.

    >>> found = equalities("It costs 3 x $4 = $12, so 12 + 1 = 13.")
    >>> [(one.expression, one.stated) for one in found]
    [('3 x $4', '$12'), ('12 + 1', '13')]
    """
    found = tokens(text)
    return list(_found(text, found))


def _found(text: str, read: Sequence[Token]) -> Iterator[Equality]:
    for n, token in enumerate(read):
        if token.kind is not Kind.EQUAL:
            continue
        left, right = _left(read, n), _right(read, n)
        if left is None or right is None:
            continue
        (tree, first), (other, last) = left, right
        spelled = token.text.startswith("is")
        form = _form(read, first, n, tree, other, spelled=spelled)
        start, end = _from(text, read[first].start), read[last].end
        if form is None or readings.is_open(text, read, first, end):
            continue
        if form is Form.ASSIGNMENT and not readings.ends(read, last):
            continue  # y = 2sin(x): only a part of the right side was read
        yield Equality(
            form,
            start,
            end,
            tree,
            other,
            text[start : _end(read, n)].strip(),
            text[_from(text, read[n + 1].start) : end].strip(),
            about="about" in token.text or token.text == "\u2248",
            cut=bool(re.match(r"\s?(?:\.\.\.|\u2026|\\l?dots)", text[end:])),
        )


def _left(read: Sequence[Token], n: int) -> tuple[Tree, int] | None:
    """The longest expression that ends before token n, and the token that it begins with."""
    end = n
    if end and read[end - 1].text == "," and read[n].text.startswith("is"):
        end -= 1  # "5 plus 6, which is 11"
    first = end
    while (
        first > 0 and end - first < REACH and read[first - 1].kind not in (Kind.BORDER, Kind.EQUAL)
    ):
        first -= 1
    for start in range(first, end):
        if readings.is_bullet(read, start):
            continue
        try:
            tree, size = parse(read[start:end])
        except NotArithmetic:
            continue
        if start + size == end:
            return None if readings.is_torn(read, start) else (tree, start)
    return None


def _right(read: Sequence[Token], n: int) -> tuple[Tree, int] | None:
    """The longest expression that begins behind token n, and the token that it ends with."""
    last = n + 1
    while (
        last < len(read) and last - n <= REACH and read[last].kind not in (Kind.BORDER, Kind.EQUAL)
    ):
        last += 1
    try:
        tree, size = parse(read[n + 1 : last])
    except NotArithmetic:
        return None
    tail = n + size
    after = read[tail + 1] if tail + 1 < len(read) else None
    if isinstance(tree, Name) and after is not None and after.kind is Kind.WORD:
        return None  # the article in "3-2 = a close game"
    if isinstance(tree, Number) and not tree.unit and (unit := _unit_behind(read, tail + 1)):
        tree = Number(tree.value, tree.places, tree.text, unit)
        tail += len(unit.split(" "))
        if tail + 1 < len(read) and read[tail + 1].kind is Kind.NUMBER:
            return None  # 1 hour 5 minutes
    return tree, tail


def unit_of(rest: Sequence[Token]) -> str:
    """What a number is a number of: the known unit, or the words, that the tokens begin with."""
    return _unit_behind(rest, 0) or " ".join(
        one.text for one in rest if all(each.kind is Kind.WORD for each in rest)
    )


def _unit_behind(read: Sequence[Token], at: int) -> str:
    """The known unit that the tokens at a place name; the longest."""
    for size in (3, 2, 1):
        name = " ".join(one.text for one in read[at : at + size])
        if len(read) >= at + size and units.known(name):
            return name
    return ""


def _form(
    read: Sequence[Token], first: int, n: int, left: Tree, right: Tree, *, spelled: bool
) -> Form | None:
    if readings.is_conversion(left, right):
        return None if readings.is_part(read, first) else Form.CONVERSION
    if isinstance(left, Name):
        return None if spelled else Form.ASSIGNMENT
    if spelled and not readings.is_told(read[first:n], left, right):
        return None
    if operators(left):
        return None if readings.is_label(read, first, left) else Form.CALCULATION
    bare = isinstance(left, Number | Apply) and not (isinstance(left, Number) and left.unit)
    begins = first == 0 or read[first - 1].kind in (Kind.BORDER, Kind.EQUAL)
    begins = begins or read[first - 1].text.lower() in readings.FREE
    return Form.CALCULATION if bare and begins and operators(right) else None


def _from(text: str, start: int) -> int:
    """Where a side begins with the currency sign before its first number."""
    while (
        start
        and text[start - 1] in "$\u20ac\u00a3\u00a5\\"
        and not text.startswith("$$", start - 2)
    ):
        start -= 1
    return start


def _end(read: Sequence[Token], n: int) -> int:
    return read[n - 2].end if n > 1 and read[n - 1].text == "," else read[n - 1].end


def assigned(one: Equality) -> tuple[str, Fraction] | None:
    """Name and value that an assignment gives, if it gives a plain number."""
    if one.form is not Form.ASSIGNMENT or not isinstance(one.left, Name):
        return None
    tree, sign = one.right, 1
    if isinstance(tree, Apply) and tree.sign == "neg":
        tree, sign = tree.parts[0], -1
    return (one.left.name, sign * tree.value) if isinstance(tree, Number) else None
