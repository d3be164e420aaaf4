"""What the model adds: independent solutions, and inputs that somebody who read the task thinks of.

FacTool (arXiv 2307.13528, section on code) compares a snippet with solutions that the model
samples, on inputs that it writes. Inputs come as JSON that fits the parameters' types.
"""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema, create_model

from verifier.ask import ask, write
from verifier.coding.problem import Problem
from verifier.coding.source import as_code, functions, returns
from verifier.coding.types import ANY, Parameter, Type
from verifier.errors import ReplyError
from verifier.task import Tools

SOLUTION = 512
"""Tokens of a solution."""

INPUTS = 256
"""Tokens of a list of inputs."""

FEWEST, MOST = 6, 8
"""Inputs that the model must give, as a small one stops after one where it may; and may give."""

LONGEST = 8
"""Items of a list in an input."""

Text = Annotated[str, Field(max_length=60)]
Number = Annotated[int | float, WithJsonSchema({"type": "number"})]
"""One rule of the grammar, not two that begin alike: those make constrained decoding slow."""
Simple = Number | Text
PLAIN: dict[str, Any] = {
    "int": int,
    "float": Number,
    "str": Text,
    "bool": bool,
    "None": None,
    "any": Simple | Annotated[list[Simple | list[Simple]], Field(max_length=LONGEST)],
}

WARMTH = 0.8
"""Temperature of all solutions but the first, which is the likeliest one."""


async def solutions(problem: Problem, seeds: range, tools: Tools) -> list[str]:
    """Sources of solutions that define the function; that of seed 0 at temperature 0.

    An answer that is no Python, or does not define it, is left out; and so is one that gives
    nothing back where others do, which is how a small model's solution most often goes wrong.

    Raises:
        PartFailed: the model failed.
    """
    answers = await asyncio.gather(*(_solution(problem, seed, tools) for seed in seeds))
    return useful(answers, problem.entry)


def useful(sources: Sequence[str], entry: str) -> list[str]:
    r"""Those sources that define a function, and of these, those that return something if any does.

    >>> useful(["x = 1", "def f(x):\n    print(x)", "def f(x):\n    return x"], "f")
    ['def f(x):\n    return x']
    """
    found = {one: functions(one).get(entry) for one in sources}
    defining = [one for one in sources if found[one] is not None]
    giving = [one for one in defining if (made := found[one]) and returns(made)]
    return giving or defining


async def inputs(problem: Problem, tools: Tools) -> list[tuple[object, ...]]:
    """Argument tuples that the model thinks of, each once.

    Raises:
        PartFailed: the model failed.
    """
    known = problem.parameters()
    if not known:
        return []
    with tools.meter.part("inputs"):
        try:
            reply = await ask(
                tools,
                "code_inputs",
                _reply(tuple(known)),
                max_tokens=INPUTS,
                temperature=WARMTH,
                task=problem.task,
                names=[one.name for one in known],
            )
        except ReplyError:  # cut off: the inputs by rule are left
            return []
    rows = [tuple(getattr(one, name) for name in type(one).model_fields) for one in reply.inputs]
    return list({repr(row): row for row in rows}.values())


@cache
def _reply(known: tuple[Parameter, ...]) -> Any:  # noqa: ANN401 - a model made for a function
    """What an answer must look like: a list of objects with a value for each parameter.

    Fields have names of their own, as a parameter may be called as pydantic's methods are.
    """
    fields: dict[str, Any] = {
        f"value{number}": (_python(ANY if one.guessed else one.type), Field(alias=one.name))
        for number, one in enumerate(known)
    }
    row = create_model("Row", __config__=ConfigDict(extra="forbid"), **fields)
    rows = Annotated[list[row], Field(min_length=FEWEST, max_length=MOST)]  # type: ignore[valid-type]
    return create_model("Inputs", __config__=ConfigDict(extra="forbid"), inputs=(rows, ...))


def _python(kind: Type) -> Any:  # noqa: ANN401 - a type
    """A type as pydantic knows it, with bounds that keep an answer short."""
    if kind.name in PLAIN:
        made = PLAIN[kind.name]
    elif kind.name in ("list", "set") and kind.parts:
        made = Annotated[list[_python(kind.parts[0])], Field(max_length=LONGEST)]  # type: ignore[misc]
    elif kind.name == "tuple" and kind.parts:
        made = tuple[*(_python(one) for one in kind.parts)]  # type: ignore[misc]
    elif kind.name == "dict" and kind.parts:
        made = dict[str, _python(kind.parts[1])]  # type: ignore[misc]
    else:
        made = PLAIN["any"]
    if kind.name == "set":
        made = Annotated[made, AfterValidator(set)]
    return made | None if kind.optional else made


async def _solution(problem: Problem, seed: int, tools: Tools) -> str:
    # A small model completes code far better than it follows a description of it.
    is_code = bool(as_code(problem.task))
    with tools.meter.part("solve"):
        return await write(
            tools,
            "code_solution",
            max_tokens=SOLUTION,
            temperature=WARMTH if seed else 0.0,
            seed=tools.settings.model.seed + seed,
            is_code=is_code,
            task=problem.task.replace("```", "'''") if is_code else problem.task,
            header=problem.header,
        )
