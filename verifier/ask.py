"""The one door to the model (Law 6): prompt -> model -> typed reply.

Replies are held to a schema or to choices while they are generated, read strictly, asked for
once more with the error shown, and then given up as a ReplyError: never guessed.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from models.client import Completion, Message
from verifier.errors import ReplyError
from verifier.prompt import load
from verifier.task import Tools

Reply = TypeVar("Reply", bound=BaseModel)

FENCE = re.compile(r"```[\w+-]*\n(.*?)(?:^```|\Z)", re.DOTALL | re.MULTILINE)


async def ask(
    tools: Tools,
    prompt: str,
    reply: type[Reply],
    *,
    max_tokens: int,
    temperature: float = 0.0,
    seed: int | None = None,
    **values: object,
) -> Reply:
    """Fill in a prompt file and get a `reply` back.

    Args:
        tools: who answers, where the call is counted, and whose prompt files are used.
        prompt: name of a file in `prompts/`.
        reply: a pydantic model; its JSON Schema constrains the generation.
        max_tokens: tokens the answer may have.
        temperature: of the sampler; above 0 where several different answers are wanted.
        seed: of the sampler; None takes the one of the settings.
        values: what the file asks for.

    Raises:
        ReplyError: two answers in a row that do not fit the schema.
        ModelError: the call failed.
    """
    messages = load(prompt, tools.prompts).render(**values)
    options: dict[str, Any] = {
        "max_tokens": max_tokens,
        "schema": _schema(reply),
        "seed": tools.settings.model.seed if seed is None else seed,
        "temperature": temperature,
    }
    problem = ""
    for _ in range(2):
        answer = await tools.model.complete(messages, **options)
        tools.meter.count(answer)
        try:
            return reply.model_validate_json(answer.text)
        except ValidationError as error:
            problem = _problem(answer, error)
            messages = [
                *messages,
                Message("assistant", answer.text),
                Message("user", f"That answer cannot be used: {problem}. Answer again."),
            ]
    raise ReplyError(f"the model's answer to {prompt!r} could not be used: {problem}")


async def choose(
    tools: Tools, prompt: str, choices: Sequence[str], **values: object
) -> dict[str, float]:
    """Fill in a prompt file and get the log-probability of each choice, normalised over them.

    Choices must differ in their first token; a choice that the server does not list gets the
    log-probability of the last one listed at most, and all missing is an error.

    Raises:
        ReplyError: no choice is among the alternatives of the first token.
        ModelError: the call failed.
    """
    messages = load(prompt, tools.prompts).render(**values)
    seed = tools.settings.model.seed
    answer = await tools.model.complete(messages, max_tokens=1, choices=choices, seed=seed)
    tools.meter.count(answer)
    return normalise(answer.logprobs, choices, prompt)


async def write(
    tools: Tools, prompt: str, *, max_tokens: int, temperature: float, seed: int, **values: object
) -> str:
    """Fill in a prompt file and get the first fenced block of the answer; all of it if it has none.

    For source code, which no schema can hold: as a text inside JSON a small model's code loses
    brackets and indentation. It is untrusted all the same: it is parsed, and runs in the sandbox.

    Raises:
        ModelError: the call failed.
    """
    answer = await tools.model.complete(
        load(prompt, tools.prompts).render(**values),
        max_tokens=max_tokens,
        temperature=temperature,
        seed=seed,
    )
    tools.meter.count(answer)
    return unfenced(answer.text)


def unfenced(text: str) -> str:
    r"""The first fenced block of a text; the text itself if there is none.

    >>> unfenced("Here:\n```python\nx = 1\n```\nDone.")
    'x = 1\n'
    """
    found = FENCE.search(text)
    return found.group(1) if found else text


def normalise(
    logprobs: Mapping[str, float], choices: Sequence[str], prompt: str
) -> dict[str, float]:
    """Log-probabilities over exactly `choices`, their exponentials summing to 1.

    >>> scores = normalise({"A": -0.1, " B": -2.4, "the": -9.0}, ["A", "B"], "example")
    >>> round(math.exp(scores["A"]) + math.exp(scores["B"]), 6)
    1.0
    """
    mass = dict.fromkeys(choices, 0.0)
    for token, logprob in logprobs.items():
        if token.strip() in mass:
            mass[token.strip()] += math.exp(logprob)
    total = sum(mass.values())
    if not total > 0:
        seen = ", ".join(repr(token) for token in list(logprobs)[:5]) or "nothing"
        raise ReplyError(f"the model answered {prompt!r} with {seen}, not one of {list(choices)}")
    floor = 1e-9
    return {choice: math.log(max(value / total, floor)) for choice, value in mass.items()}


@cache
def _schema(reply: type[BaseModel]) -> dict[str, Any]:
    return reply.model_json_schema()


def _problem(answer: Completion, error: ValidationError) -> str:
    if not answer.finished:
        return "it was cut off before its end"
    first = error.errors()[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'the JSON'}: {first['msg']}"
