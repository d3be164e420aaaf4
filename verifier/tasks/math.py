"""Calculations in a text, each worked out exactly (FacTool, arXiv 2307.13528, section 3, maths).

Most are found by grammar and need no model. Where a sentence reckons in words that the grammar does
not know, the model writes the calculation down, and code works it out. The final answer of a word
problem is solved once more, independently, when the problem is there.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from verifier.arithmetic import problems, verdict
from verifier.arithmetic.find import Equality, Form, assigned, equalities
from verifier.arithmetic.statements import Statement, statements
from verifier.arithmetic.tree import names
from verifier.task import Tools
from verifier.values import Claim, Label, Response, Verdict

CHECKS = {
    "calculation": verdict.calculation,
    "conversion": verdict.conversion,
    "solution": verdict.solution,
    "statement": verdict.statement,
}


async def split(response: Response, tools: Tools) -> list[Claim]:
    """All calculations of a response in its order, and the final answer of a word problem."""
    found = [*calculations(response.text), *_statements(response.text)]
    written, answer = await asyncio.gather(
        problems.written(response, found, tools), problems.answer(response)
    )
    claims = sorted([*found, *written, *answer], key=lambda one: (one.start or 0, one.end or 0))
    return _marked([replace(one, id=str(n)) for n, one in enumerate(claims, 1)])


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Work a calculation out, or solve the problem whose answer it is."""
    kind = claim.fields["kind"]
    if kind == "unread":
        return Verdict(claim, Label.FAILED, reason=claim.fields["error"], failed_part="split")
    if repeated := claim.fields.get("repeats"):
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=f"It repeats claim {repeated}.")
    if kind == "answer":
        return await problems.solve(response, claim, tools)
    if kind == "written":
        return await problems.confirm(claim, tools)
    return CHECKS[kind](claim)


def calculations(text: str) -> list[Claim]:
    """The equalities of a text; those before one give its variables their values."""
    known: dict[str, str] = {}
    last: Equality | None = None
    claims = []
    found = equalities(text)
    for n, one in enumerate(found):
        if one.form is not Form.ASSIGNMENT:
            claims.append(_claim(text, one, _lasting(known, found[n + 1 :])))
            last = one
        elif (pair := assigned(one)) is not None:
            if last is not None and _is_solved(last, pair[0], _lasting(known, found[n:])):
                claims.append(_solution(text, last, one, pair[0], known))
            known[pair[0]] = str(pair[1])
    return claims


def _lasting(known: Mapping[str, str], later: Sequence[Equality]) -> dict[str, str]:
    """The variables that keep their value; one that gets another later may be a new problem's."""
    again = {pair[0]: str(pair[1]) for one in later if (pair := assigned(one)) is not None}
    return {name: value for name, value in known.items() if again.get(name, value) == value}


def _is_solved(equation: Equality, name: str, known: Mapping[str, str]) -> bool:
    """True if the variable is the only one in an equation that had no value before."""
    return (names(equation.left) | names(equation.right)) - known.keys() == {name}


def _claim(text: str, one: Equality, known: Mapping[str, str]) -> Claim:
    fields = {"kind": str(one.form), "expression": one.expression, "stated": one.stated}
    return _made(text, one, {**fields, **_given(known)})


def _solution(
    text: str, equation: Equality, one: Equality, name: str, known: Mapping[str, str]
) -> Claim:
    expression = f"{equation.expression} = {equation.stated}"
    fields = {"kind": "solution", "expression": expression, "stated": f"{name} = {one.stated}"}
    return _made(text, one, {**fields, **_given(known)})


def _given(known: Mapping[str, str]) -> dict[str, str]:
    return {"known": ";".join(f"{name}={value}" for name, value in known.items())} if known else {}


def _made(text: str, one: Equality, fields: Mapping[str, str]) -> Claim:
    flags = {name: "1" for name in ("about", "cut") if getattr(one, name)}
    place = (one.start, one.end)
    return Claim("", text[one.start : one.end], *place, {"task": "math", **fields, **flags})


def _statements(text: str) -> list[Claim]:
    def claim(one: Statement) -> Claim:
        fields = {"task": "math", "kind": "statement"}
        return Claim("", one.text, one.start, one.end, fields)

    return [claim(one) for one in statements(text)]


def _marked(claims: Sequence[Claim]) -> list[Claim]:
    """The claims, each that repeats an earlier calculation with its number."""
    first: dict[tuple[str, ...], str] = {}
    marked = []
    for claim in claims:
        names = ("expression", "stated", "known")
        key = (claim.text, *(claim.fields.get(name, "") for name in names))
        original = first.setdefault(key, claim.id)
        repeats = {"repeats": original} if original != claim.id else {}
        marked.append(replace(claim, fields={**claim.fields, **repeats}))
    return marked
