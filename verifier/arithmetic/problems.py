"""What needs a model: calculations told in words, and the answers of word problems.

The model only ever writes expressions; `evaluate` works them out. It is asked several times, and
what it does not agree on with itself decides nothing.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from verifier.arithmetic import compare, verdict
from verifier.arithmetic.evaluate import CannotEvaluate, UnknownName, evaluate, exact
from verifier.arithmetic.grammar import NotArithmetic
from verifier.arithmetic.lexer import Kind, Token, numbers, tokens
from verifier.arithmetic.tree import Tree
from verifier.ask import ask
from verifier.errors import PartFailed
from verifier.structure import BlockKind, pieces
from verifier.task import Tools
from verifier.values import Claim, Evidence, Label, Response, Verdict, Why

RECKONS = re.compile(
    r"\b(?:total|sum|product|difference|doubl\w*|tripl\w*|add(?:s|ing|ed)?|subtract\w*|multipl\w*|"
    r"divid\w*|altogether|in all|average|per cent|percent|times as|twice|half)\b",
    re.IGNORECASE,
)
"""Words of a sentence that may reckon without a sign of equality."""

ASKS = re.compile(
    r"\b(?:how (?:many|much|long|far|old|fast|tall|often|big|high|heavy)|calculate|what (?:is|was|"
    r"will be|are) the (?:total|sum|average|number|amount|cost|price|difference|percentage))\b",
    re.IGNORECASE,
)
"""What a prompt that is a word problem asks."""

FINAL = re.compile(
    r"(?:####|\\boxed\s*\{|\banswer(?: is|:)|\bfinal answer\b|\btotal is\b)", re.IGNORECASE
)
"""Behind it stands the final answer."""

SHORTEST = 12
"""Words that a word problem has at least."""

SAMPLES = 5
SUPPORTS = 2
"""Samples that must come to the answer, none other more often."""

REFUTES = 4
"""Samples that must come to one other value, and none to the answer."""
WARMTH = 0.7
"""Temperature of the samples."""

WRITTEN_TOKENS = 160
SOLVED_TOKENS = 320


class Calculation(BaseModel):
    """A calculation that a sentence tells in words."""

    model_config = ConfigDict(extra="forbid")

    expression: Annotated[str, Field(max_length=120)]
    result: Annotated[str, Field(max_length=40)]


class WrittenReply(BaseModel):
    """The calculations of a sentence."""

    model_config = ConfigDict(extra="forbid")

    calculations: Annotated[list[Calculation], Field(max_length=4)]


class SolvedReply(BaseModel):
    """A word problem as one expression."""

    model_config = ConfigDict(extra="forbid")

    steps: Annotated[str, Field(max_length=700)]
    expression: Annotated[str, Field(max_length=200)]


async def written(response: Response, found: Sequence[Claim], tools: Tools) -> list[Claim]:
    """Calculations of the sentences in which the grammar found none but that seem to reckon.

    A sentence for which the model fails becomes a claim of the kind `unread`.
    """
    taken = [(one.start or 0, one.end or 0) for one in found]
    wanted = [
        one.span
        for one in pieces(response.text)
        if one.kind is not BlockKind.CODE
        and not any(start < one.span.end and end > one.span.start for start, end in taken)
        and RECKONS.search(one.span.text)
        and sum(1 for _ in numbers(one.span.text)) > 2
    ]
    made = await asyncio.gather(*(_written(response, one.start, one.end, tools) for one in wanted))
    return [claim for claims in made for claim in claims]


async def confirm(claim: Claim, tools: Tools) -> Verdict:
    """The verdict on a calculation that the model wrote down.

    If it comes out wrong, the model may have misread the sentence: it is asked again, and refuted
    only if every reading gives the same other value.
    """
    first = verdict.calculation(claim)
    if first.label is not Label.REFUTED:
        return first
    with tools.meter.part("read"):
        replies = await asyncio.gather(
            *(_read(claim.fields["sentence"], tools, seed) for seed in range(1, 3))
        )
    stated = [one for reply in replies for one in reply.calculations]
    same = [one for one in stated if one.result == claim.fields["stated"]]
    if len(same) == len(replies) and all(
        _value(one.expression) == _value(claim.fields["expression"]) for one in same
    ):
        return first
    reason = "The sentence can be read in more than one way."
    return Verdict(claim, Label.NOT_ENOUGH_EVIDENCE, why=Why.SILENT, reason=reason)


async def answer(response: Response) -> list[Claim]:
    """The final answer of a response to a word problem; none if the prompt is no such problem."""
    asked = response.prompt
    is_problem = ASKS.search(asked) and len(asked.split()) >= SHORTEST
    if not is_problem or sum(1 for _ in numbers(asked)) < 2:
        return []
    found = _final(response.text)
    if found is None:
        return []
    fields = {"task": "math", "kind": "answer", "stated": found.text}
    return [Claim("", f"The answer is {found.text}.", found.start, found.end, fields)]


async def solve(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """The verdict on a final answer: does an independent solution come to the same?

    Raises:
        PartFailed: the model failed.
    """
    with tools.meter.part("solve"):
        replies = await asyncio.gather(
            *(_solution(response.prompt, tools, seed) for seed in range(SAMPLES))
        )
    votes: Counter[Fraction] = Counter()
    texts: dict[Fraction, str] = {}
    for reply in replies:
        if (value := _value(reply.expression)) is not None:
            votes[value] += 1
            texts.setdefault(value, reply.expression)
    shown = verdict.read(claim.fields["stated"])
    return _judged(claim, shown, votes, texts)


def _judged(
    claim: Claim, shown: Tree, votes: "Counter[Fraction]", texts: dict[Fraction, str]
) -> Verdict:
    number = evaluate(shown)
    evidence = tuple(
        Evidence(
            "run", f"{texts[value]} = {compare.written(value)} ({count} of {SAMPLES})", "solver"
        )
        for value, count in votes.most_common(3)
    )
    cited = tuple(range(len(evidence)))
    same = sum(
        count for value, count in votes.items() if compare.agrees(value, shown, number, about=False)
    )
    best, count = votes.most_common(1)[0] if votes else (Fraction(0), 0)
    if same >= SUPPORTS and same >= count:
        reason = f"{same} of {SAMPLES} independent solutions come to the same."
        share = same / SAMPLES
        return Verdict(claim, Label.SUPPORTED, share, reason=reason, evidence=evidence, cited=cited)
    if count >= REFUTES and not same:
        result = compare.written(best)
        reason = f"{count} of {SAMPLES} independent solutions come to {result}."
        return Verdict(
            claim,
            Label.REFUTED,
            count / SAMPLES,
            reason=reason,
            correction=f"The answer is {result}.",
            evidence=evidence,
            cited=cited,
        )
    reason = "Independent solutions do not agree with each other."
    return Verdict(
        claim,
        Label.NOT_ENOUGH_EVIDENCE,
        why=Why.SILENT,
        reason=reason,
        evidence=evidence,
        cited=cited,
    )


async def _written(response: Response, start: int, end: int, tools: Tools) -> list[Claim]:
    sentence = response.text[start:end]
    try:
        with tools.meter.part("split"):
            reply = await _read(sentence, tools)
    except PartFailed as error:
        fields = {"task": "math", "kind": "unread", "error": str(error)}
        return [Claim("", sentence, start, end, fields)]
    said = {one.value for one in numbers(sentence)}
    made = []
    for one in reply.calculations:
        used = [each.value for each in (*numbers(one.expression), *numbers(one.result))]
        if not set(used) <= said or _value(one.expression) is None or _value(one.result) is None:
            continue
        fields = {"task": "math", "kind": "written", "sentence": sentence}
        fields |= {"expression": one.expression, "stated": one.result}
        made.append(Claim("", f"{one.expression} = {one.result}", start, end, fields))
    return made


async def _read(sentence: str, tools: Tools, seed: int = 0) -> WrittenReply:
    return await ask(
        tools,
        "math_written",
        WrittenReply,
        max_tokens=WRITTEN_TOKENS,
        temperature=WARMTH if seed else 0.0,
        seed=tools.settings.model.seed + seed,
        sentence=sentence,
    )


async def _solution(problem: str, tools: Tools, seed: int) -> SolvedReply:
    return await ask(
        tools,
        "math_solve",
        SolvedReply,
        max_tokens=SOLVED_TOKENS,
        temperature=WARMTH if seed else 0.0,
        seed=tools.settings.model.seed + seed,
        problem=problem,
    )


def _value(text: str) -> Fraction | None:
    """What an expression of the model comes to; None if it is none."""
    try:
        return exact(evaluate(verdict.read(text)))
    except (NotArithmetic, CannotEvaluate, UnknownName):
        return None


def _final(text: str) -> Token | None:
    """The number that is the final answer: behind a word that says so, else the last one."""
    found = tokens(text)
    for sign in reversed(list(FINAL.finditer(text))):
        behind = [one for one in found if one.kind is Kind.NUMBER and one.start >= sign.end()]
        if behind:
            return behind[0]
    return _last(text, found)


def _last(text: str, found: Sequence[Token]) -> Token | None:
    """The result of the last equality of the last sentence with a number, or its last number."""
    sentences = [one.span for one in pieces(text) if any(numbers(one.span.text))]
    if not sentences:
        return None
    inside = [one for one in found if sentences[-1].start <= one.start < sentences[-1].end]
    signs = [n for n, one in enumerate(inside) if one.kind is Kind.EQUAL and one.text in "=\u2248"]
    if not signs:
        return [one for one in inside if one.kind is Kind.NUMBER][-1]
    behind = [*inside[signs[-1] + 1 :], None, None]
    result, follows = behind[0], behind[1]
    ends = follows is None or follows.kind in (Kind.WORD, Kind.BORDER, Kind.OPEN, Kind.CLOSE)
    beside = follows is not None and result is not None and follows.start == result.end
    is_term = beside and follows is not None and follows.kind is Kind.WORD
    return result if result and result.kind is Kind.NUMBER and ends and not is_term else None
