"""Source code from the model: the one kind of answer that no schema can hold.

As a text inside JSON, a small model's code loses brackets and indentation (half of its solutions
to 16 HumanEval-like tasks were right that way, two thirds as a fenced block). It is untrusted all
the same: it is parsed, and runs in the sandbox only.
"""

import re

from verifier.prompt import load
from verifier.task import Tools

FENCE = re.compile(r"```[\w+-]*\n(.*?)(?:^```|\Z)", re.DOTALL | re.MULTILINE)


async def write(
    tools: Tools, prompt: str, *, max_tokens: int, temperature: float, seed: int, **values: object
) -> str:
    """Fill in a prompt file and get the first fenced block of the answer; all of it if it has none.

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
