"""A model that answers from a table: for tests, as httpx ships MockTransport.

It is a whole `Model`, so nothing has to be patched: hand it in where a real one would go.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from models.client import Completion, Message
from models.errors import ModelError

Answer = str | Mapping[str, float] | Exception
"""Text; or log-probabilities of the choices; or an error to raise."""


class FakeModel:
    """Answers each call through one function of the last message.

    >>> import asyncio
    >>> model = FakeModel(lambda text: "yes" if "water" in text else "no")
    >>> asyncio.run(model.complete([Message("user", "water?")], max_tokens=1)).text
    'yes'
    """

    name = "fake"
    revision = "0"

    def __init__(self, answer: Callable[[str], Answer] | Mapping[str, Answer]) -> None:
        """Take the answers.

        Args:
            answer: a function of the last message, or a table: the first key that occurs in
                the last message gives the answer.
        """
        self._answer = answer if callable(answer) else _from_table(answer)
        self.calls: list[tuple[Message, ...]] = []

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        choices: Sequence[str] = (),
        seed: int = 0,
        temperature: float = 0.0,
    ) -> Completion:
        """See `models.client.Model.complete`."""
        self.calls.append(tuple(messages))
        answer = self._answer(messages[-1].content)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            return Completion(text=answer, prompt_tokens=1, completion_tokens=1)
        best = max(answer, key=lambda choice: answer[choice])
        return Completion(text=best, logprobs=answer, prompt_tokens=1, completion_tokens=1)


def _from_table(table: Mapping[str, Answer]) -> Callable[[str], Answer]:
    def answer(text: str) -> Answer:
        for key, value in table.items():
            if key in text:
                return value
        return ModelError(f"the fake model has no answer for {text[-80:]!r}")

    return answer
