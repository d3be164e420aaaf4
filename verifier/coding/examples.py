"""Tests that a prompt brings along: doctests, asserts, and calls written out with their result.

What is expected stays on our side: only the call goes into the sandbox, so code cannot look it up.
"""

import ast
import doctest
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.coding.source import parsed
from verifier.sandbox import Call


@dataclass(frozen=True, slots=True)
class Test:
    """A call and what it must give."""

    call: Call
    expected: object


GIVES = re.compile(
    r"\s*[`'\"]?\s*"
    r"(?:==|=>|->|➞|→|=|(?:should |must |will )?(?:returns?|gives?|equals?|is|be)\b:?)\s*`?"
)
"""Between a call in prose and its result."""


def find(text: str, entry: str) -> list[Test]:
    r"""The tests in a prompt or docstring that call a function, each once.

    >>> [str(one.call) for one in find(">>> f(1)\n2\nassert f(2) == 3, 'no'\nf(3) => 4", "f")]
    ['f(1)', 'f(2)', 'f(3)']
    """
    if not entry:
        return []
    found = [*_doctests(text, entry), *_asserts(text, entry), *_written_out(text, entry)]
    return list({str(one.call): one for one in reversed(found)}.values())[::-1]


def arguments(tests: Sequence[Test], entry: str) -> list[tuple[object, ...]]:
    """What a function is called with in tests, where it is all literals."""
    found = []
    for test in tests:
        for call in _calls(_expression(str(test.call)), entry):
            if (args := _literals(call)) is not None:
                found.append(args)
    return found


def _doctests(text: str, entry: str) -> Iterator[Test]:
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:  # its indentation is broken
        return
    for one in examples:
        want = one.want.strip()  # up to a blank line: what follows at once is read into it
        call = _expression(one.source)
        test = _test(call, want, entry) or _test(call, want.partition("\n")[0], entry)
        if test is not None:
            yield test


def _asserts(text: str, entry: str) -> Iterator[Test]:
    for line in re.findall(r"^[ \t>.]*(assert\b.*)$", text, re.MULTILINE):
        tree = parsed(line)
        if tree is None or not isinstance(tree.body[0], ast.Assert):
            continue
        said, expected = _asserted(tree.body[0].test)
        test = _test(said, expected, entry)
        if test is not None:
            yield test


def _asserted(said: ast.expr) -> tuple[ast.expr | None, str]:
    """The call in an assertion and what it must give; None for comparisons of other kinds."""
    if isinstance(said, ast.Call):
        return said, "True"
    if isinstance(said, ast.UnaryOp) and isinstance(said.op, ast.Not):
        return said.operand if isinstance(said.operand, ast.Call) else None, "False"
    if not isinstance(said, ast.Compare) or len(said.ops) != 1:
        return None, ""
    equal = isinstance(said.ops[0], ast.Eq | ast.Is)
    return said.left if equal else None, ast.unparse(said.comparators[0])


def _written_out(text: str, entry: str) -> Iterator[Test]:
    """Such as `f([1, 2]) => 3`, or `f(1) returns 2`."""
    for found in re.finditer(rf"(?<![\w.>]){re.escape(entry)}\(", text):
        line = text[found.start() :].partition("\n")[0][:1000]
        before = text[: found.start()].rpartition("\n")[2]
        if "def " in before or before.strip() in (">>>", "assert", "assert not"):
            continue
        for end in (n + 1 for n, letter in enumerate(line) if letter == ")"):
            call = _expression(line[:end])
            if call is not None:
                gap = GIVES.match(line, end)
                test = _test(call, _literal_at(line[gap.end() :]), entry) if gap else None
                if test is not None:
                    yield test
                break


def _literal_at(text: str) -> str:
    """The longest literal that a text begins with; empty if there is none."""
    text = text.strip()
    for end in range(len(text), 0, -1):
        try:
            ast.literal_eval(text[:end])
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        return text[:end]
    return ""


def _test(call: ast.expr | None, expected: str, entry: str) -> Test | None:
    if call is None or not any(_calls(call, entry)):
        return None
    try:
        value = ast.literal_eval(expected) if expected else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return Test(Call(expression=ast.unparse(call)), value) if expected else None


def _expression(text: str) -> ast.expr | None:
    tree = parsed(text.strip())
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    return tree.body[0].value


def _calls(node: ast.AST | None, entry: str) -> Iterator[ast.Call]:
    for one in ast.walk(node) if node else ():
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == entry:
            yield one


def _literals(call: ast.Call) -> tuple[object, ...] | None:
    if call.keywords:
        return None
    try:
        return tuple(ast.literal_eval(one) for one in call.args)
    except (ValueError, TypeError, SyntaxError):
        return None
