"""What a snippet was asked to do, as far as it can be read without a model."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.coding import edges, examples, types
from verifier.coding.examples import Test
from verifier.coding.source import Function, as_code, functions, header, parsed, preamble
from verifier.coding.types import Parameter
from verifier.sandbox import Call

SPOKEN = 3000
"""Characters of a task that the model is shown."""

CONSTANTS = 12
"""Constants of a source that inputs are made of."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A function to write: its task, its parameters, and the tests that came with it."""

    task: str
    """What it is to do; empty if nothing says so."""
    entry: str
    function: Function
    """Its definition: that of the prompt, or the snippet's own."""
    constants: tuple[object, ...]
    """Texts and numbers that the code of the prompt and of the snippet mention."""
    preamble: str
    """Code of the prompt that belongs in front of every solution."""
    tests: tuple[Test, ...]

    @property
    def header(self) -> str:
        """The first line of its definition."""
        return header(self.function)

    def parameters(self, made: Sequence[Sequence[object]] = ()) -> list[Parameter]:
        """The parameters that must be given.

        Args:
            made: inputs that somebody thought of, to tell types by that nothing else tells.
        """
        shown = examples.arguments(self.tests, self.entry) or made
        known = types.parameters(self.function, self.task, shown)
        return [one for one in known if not one.has_default]

    def edges(self, most: int, made: Sequence[Sequence[object]] = ()) -> list[tuple[object, ...]]:
        """Inputs by rule, `most` at most; see `parameters`."""
        known = self.parameters(made)
        return edges.inputs(known, self.task, most, self.constants) if known else [()]

    def call(self, arguments: tuple[object, ...]) -> Call:
        """The call of the function with some arguments."""
        return Call(self.entry, repr(arguments))


def read(code: str, entry: str, prompt: str) -> Problem | None:
    """The problem that a function of a source was to solve.

    Args:
        code: the source of the snippet.
        entry: the function's name.
        prompt: what the response answered; where there is none, the docstring says what to do.

    Returns:
        None if the source does not define the function, or in a way that no call by position fits.
    """
    written = functions(code).get(entry)
    if not isinstance(written, ast.FunctionDef) or any(
        one is None for one in written.args.kw_defaults
    ):
        return None
    task = prompt.strip() or ast.get_docstring(written) or ""
    return Problem(
        task=task[:SPOKEN],
        entry=entry,
        function=functions(as_code(prompt)).get(entry, written),
        constants=tuple(constants(f"{as_code(prompt)}\n{code}")),
        preamble=preamble(prompt, entry),
        tests=tuple(examples.find(task, entry)),
    )


def constants(source: str) -> list[object]:
    r"""Short texts and numbers that a source mentions outside of docstrings, each once.

    >>> constants("def f(x):\n    'Doc of f.'\n    return x == '(' or x > 9")
    ['(', 9]
    """
    tree = parsed(source)
    if tree is None:
        return []
    spoken = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    found = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and id(node) not in spoken
    ]
    short: list[object] = [one for one in found if isinstance(one, str) and 0 < len(one) <= 20]
    numbers: list[object] = [one for one in found if type(one) is int and abs(one) < 10**6]
    return [*dict.fromkeys(short)][:CONSTANTS] + [*dict.fromkeys(numbers)][:CONSTANTS]
