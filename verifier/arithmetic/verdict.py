"""A claim of arithmetic -> its verdict, worked out from the claim's fields alone."""

import re
from collections.abc import Mapping
from fractions import Fraction

from verifier.arithmetic import compare, units
from verifier.arithmetic.evaluate import CannotEvaluate, UnknownName, Value, equal, evaluate, exact
from verifier.arithmetic.find import unit_of
from verifier.arithmetic.grammar import NotArithmetic, parse
from verifier.arithmetic.lexer import tokens
from verifier.arithmetic.statements import statements
from verifier.arithmetic.tree import Apply, Number, Tree, names
from verifier.values import Claim, Evidence, Label, Verdict

POINTS = (Fraction(7, 3), Fraction(-5, 11), Fraction(13), Fraction(101, 17))
"""Values tried for variables: sides that agree at all of them are the same expression."""

PART = "evaluate"


def calculation(claim: Claim) -> Verdict:
    """The verdict on `expression` and `stated`, with the variables that `known` gives.

    A side that cannot be worked out makes it `failed`; one with an unknown variable
    `not_checkworthy`, unless both sides are the same expression.
    """
    fields = claim.fields
    if "=" in fields["expression"]:
        return solution(claim)
    try:
        left, right = read(fields["expression"]), read(fields["stated"])
    except NotArithmetic as error:
        reason = f"It is no calculation that can be worked out: {error}."
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)
    known = _known(fields.get("known", ""))
    try:
        value, shown = evaluate(left, known), evaluate(right, known)
    except CannotEvaluate as error:
        return Verdict(claim, Label.FAILED, reason=f"{claim.text}: {error}", failed_part=PART)
    except UnknownName as error:
        return _open(claim, left, right, known, str(error))
    if _is_percentage(left, right):
        value = evaluate(Apply("%", (left,)), known)
    about, cut = "about" in fields, "cut" in fields
    right_ = compare.agrees(value, right, shown, about=about, cut=cut)
    if not right_ and len(_units(left) | _units(right)) > 1:
        reason = "It reckons in several units, which are not worked out here."
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)
    return _decided(claim, right_, fields["expression"], value, right)


def conversion(claim: Claim) -> Verdict:
    """The verdict on a quantity that is written in two units."""
    fields = claim.fields
    try:
        left, right = _quantity(fields["expression"]), _quantity(fields["stated"])
    except NotArithmetic as error:
        return Verdict(claim, Label.FAILED, reason=f"{claim.text}: {error}", failed_part=PART)
    source, target = units.known(left.unit), units.known(right.unit)
    try:
        value = units.converted(left.value, source, target)
    except units.OtherDimension:
        reason = f"{left.unit} and {right.unit} measure different things; nothing is converted."
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)
    agrees = compare.agrees(value, right, right.value, about="about" in fields)
    if not agrees and (binary := units.binary(left.value, source, target)) is not None:
        agrees = compare.agrees(binary, right, right.value, about="about" in fields)
        value = binary if agrees else value
    return _decided(claim, agrees, fields["expression"], value, right, f" {right.unit}")


def solution(claim: Claim) -> Verdict:
    """The verdict on the solution of a linear equation: `expression` 2x = 10, `stated` x = 5."""
    name, _, number = claim.fields["stated"].partition("=")
    name, known = name.strip(), _known(claim.fields.get("known", ""))
    try:
        sides = [read(one) for one in re.split("=+", claim.fields["expression"])]
        right = read(number)
        root = _root(sides, name, known)
        shown = evaluate(right, known)
    except (NotArithmetic, UnknownName, CannotEvaluate, ValueError) as error:
        reason = f"It is no equation that can be solved here: {error}."
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)
    agrees = compare.agrees(root, right, shown, about="about" in claim.fields)
    result = f"{name} = {compare.written(root)}"
    label = Label.SUPPORTED if agrees else Label.REFUTED
    reason = f"{claim.fields['expression']} has the solution {result}."
    return _with(claim, label, reason, "" if agrees else result)


def _root(sides: list[Tree], name: str, known: Mapping[str, Fraction]) -> Fraction:
    """Where the two sides of an equation meet, if it is linear in the variable.

    Raises:
        ValueError: it is not linear, or holds for all values or none.
    """
    if len(sides) != 2:
        raise ValueError("it has not two sides")

    def gap(value: int) -> Fraction:
        left, right = (evaluate(one, {**known, name: Fraction(value)}) for one in sides)
        return exact(left) - exact(right)

    at = [gap(value) for value in (2, 3, 4)]
    slope = at[1] - at[0]
    if not slope or at[2] - at[1] != slope:
        raise ValueError("it is not linear")
    return 2 - at[0] / slope


def statement(claim: Claim) -> Verdict:
    """The verdict on a statement such as `91 is not prime`."""
    found = statements(claim.text)
    if not found:
        reason = "It is no statement about a number that can be worked out."
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)
    label = Label.SUPPORTED if found[0].true else Label.REFUTED
    correction = "" if found[0].true else found[0].reason
    return _with(claim, label, found[0].reason, correction)


def read(text: str) -> Tree:
    """All of a text as one expression; `and` between counted things is a plus if need be.

    Raises:
        NotArithmetic: it is none.
    """
    # With the sign that stood behind it: it tells a factorial from an exclamation mark.
    found = tokens(f"{text} =")[:-1]
    for loose in (False, True):
        try:
            tree, size = parse(found, loose=loose)
        except NotArithmetic:
            if loose:
                raise
            continue
        # Behind a number there may be what is counted.
        if size == len(found) or (isinstance(tree, Number) and unit_of(found[size:])):
            return tree
    raise NotArithmetic(f"{found[size].text!r} is not understood")


def _decided(
    claim: Claim,
    agrees: bool,
    expression: str,
    value: Value,
    right: Tree,
    unit: str = "",
) -> Verdict:
    result = f"{compare.written(value)}{unit}"
    if agrees:
        literal = isinstance(right, Number) and value != right.value
        tail = f", which rounds to {claim.fields['stated']}" if literal else ""
        return _with(claim, Label.SUPPORTED, f"{expression} is {result}{tail}.", "", result)
    reason = f"{expression} is {result}, not {claim.fields['stated']}."
    return _with(claim, Label.REFUTED, reason, f"{expression} = {result}", result)


def _with(claim: Claim, label: Label, reason: str, correction: str, result: str = "") -> Verdict:
    shown = f"{claim.fields.get('expression', '')} = {result}" if result else reason
    evidence = Evidence("run", shown, "arithmetic", title="exact arithmetic")
    return Verdict(
        claim, label, 1.0, reason=reason, correction=correction, evidence=(evidence,), cited=(0,)
    )


def _open(
    claim: Claim, left: Tree, right: Tree, known: Mapping[str, Fraction], name: str
) -> Verdict:
    """The verdict on an equation with a variable that has no value.

    `x + 3x = 4x` says that both sides are the same, which can be wrong: both sides grow with x.
    `x + 3 = 10` says what x is.
    """
    free = sorted((names(left) | names(right)) - known.keys())

    def at(scale: int, n: int) -> list[Value]:
        point = {one: scale * value for one, value in _point(free, n).items()}
        return [evaluate(side, {**known, **point}) for side in (left, right)]

    try:
        pairs = [at(1, n) for n in range(len(POINTS))]
        grow = len(free) == 1 and all(
            equal(two, 2 * one) and one != 0
            for n, pair in enumerate(pairs)
            for one, two in zip(pair, at(2, n), strict=True)
        )
    except (CannotEvaluate, UnknownName):
        pairs, grow = [], False
    expression = claim.fields["expression"]
    if pairs and all(equal(*pair) for pair in pairs):
        reason = f"Both sides are the same for every {', '.join(free)}."
        return _with(claim, Label.SUPPORTED, reason, "")
    if grow:
        reason = f"{expression} is not {claim.fields['stated']} for every {', '.join(free)}."
        return _with(claim, Label.REFUTED, reason, _simplified(left, free, known, expression))
    reason = f"It is an equation to be solved: {name} has no value here."
    return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)


def _simplified(tree: Tree, free: list[str], known: Mapping[str, Fraction], expression: str) -> str:
    """What a multiple of one variable comes to: x + 3x = 4x."""
    factor = compare.written(evaluate(tree, {**known, free[0]: Fraction(1)}))
    return f"{expression} = {factor}{free[0]}"


def _point(free: list[str], n: int) -> dict[str, Fraction]:
    return {name: POINTS[(n + at) % len(POINTS)] + at for at, name in enumerate(free)}


def _is_percentage(left: Tree, right: Tree) -> bool:
    """True for `18 / 450 * 100 = 4%`: the hundred makes the percentage, the sign says it again."""
    if not (isinstance(left, Apply) and isinstance(right, Apply) and right.sign == "%"):
        return False
    factors = left.parts if left.sign == "*" else left.parts[: left.sign == "/"]
    return any(isinstance(one, Number) and one.value == 100 for one in factors)


def _units(tree: Tree) -> set[str]:
    """The known units of a tree."""
    if isinstance(tree, Apply):
        return set().union(*(_units(part) for part in tree.parts))
    unit = units.known(tree.unit) if isinstance(tree, Number) and tree.unit else ""
    return {unit} if unit else set()


def _known(text: str) -> dict[str, Fraction]:
    """Variables from a field such as `x=5;y=2/3`."""
    pairs = (one.split("=", 1) for one in text.split(";") if "=" in one)
    return {name: Fraction(value) for name, value in pairs}


def _quantity(text: str) -> Number:
    found = tokens(text)
    tree, size = parse(found)
    if not isinstance(tree, Number):
        raise NotArithmetic(f"{text!r} is no quantity")
    unit = tree.unit or unit_of(found[size:])
    return Number(tree.value, tree.places, tree.text, unit)
