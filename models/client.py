"""The one way a model is called: messages in, a completion out.

`VllmModel` speaks to any OpenAI-compatible server through the openai client, which brings
connection pooling and retries. `FakeModel` (fake.py) answers from a table instead.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from models.errors import ModelError, ModelMissing

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletion

TOP_LOGPROBS = 20
"""Alternatives asked for per token: the most that vLLM gives unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered, and what it cost in tokens."""

    text: str
    finished: bool = True
    """False if the answer was cut off by `max_tokens`."""
    logprobs: Mapping[str, float] = field(default_factory=dict)
    """Log-probability of each alternative of the first token; empty unless choices were given."""
    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Of the prompt tokens, those taken from the prefix cache."""
    completion_tokens: int = 0


class Model(Protocol):
    """What every caller of a model may rely on."""

    @property
    def name(self) -> str:
        """The registry name, or what the server calls it."""

    @property
    def revision(self) -> str:
        """Content revision of the weights; empty if the server does not tell."""

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
        """Answer; at temperature 0 unless several different answers are wanted.

        Args:
            messages: the chat so far, instructions first.
            max_tokens: tokens the answer may have.
            schema: JSON Schema the answer must follow.
            choices: the answer must be one of these; log-probabilities are returned.
            seed: of the sampler.
            temperature: of the sampler; 0 takes the likeliest token.

        Raises:
            ModelError: the call failed; says whether the server is gone or refused it.
        """


class VllmModel:
    """A model behind an OpenAI-compatible server.

    One semaphore bounds the calls in flight; vLLM batches whatever is in flight, so callers
    just await (Kwon et al., arXiv 2309.06180, continuous batching).
    """

    def __init__(
        self,
        url: str,
        name: str,
        *,
        api_key: str = "",
        revision: str = "",
        concurrency: int = 64,
        timeout: float = 600.0,
        seeded: bool = True,
    ) -> None:
        """Connect to nothing yet.

        Args:
            url: base URL up to and with `/v1`.
            name: the model's name on that server.
            api_key: sent as a bearer token.
            revision: content revision of the weights, for provenance.
            concurrency: calls in flight at most.
            timeout: seconds one call may take.
            seeded: whether calls at a temperature above 0 may carry a seed. vLLM's CPU build ends
                with "CPU Generator does not use offset" when one of them is prefilled in parts.
        """
        self.url = url
        self._seeded = seeded
        self._name = name
        self._revision = revision
        self._gate = asyncio.Semaphore(concurrency)
        self._client = _connect(url, api_key, timeout)

    @property
    def name(self) -> str:
        """The model's name on the server."""
        return self._name

    @property
    def revision(self) -> str:
        """Content revision of the weights; empty if unknown."""
        return self._revision

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
        """See `Model.complete`."""
        options = _constraints(schema, choices)
        if self._seeded or not temperature:
            options["seed"] = seed
        with _saying(self.url):
            async with self._gate:
                answer: ChatCompletion = await self._client.chat.completions.create(
                    model=self._name,
                    messages=[{"role": one.role, "content": one.content} for one in messages],  # type: ignore[misc]
                    max_tokens=max_tokens,
                    temperature=temperature,
                    **options,
                )
        return _completion(answer)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


async def first_model(url: str, api_key: str = "") -> str:
    """The first model that an OpenAI-compatible server lists.

    Raises:
        ModelMissing: nothing answers there, or it lists none.
        ModelError: it refuses; says with which status.
    """
    async with _connect(url, api_key, timeout=30.0) as client:
        with _saying(url):
            listed = await client.models.list()
    if not listed.data:
        raise ModelMissing(f"{url} lists no model; an endpoint usually ends with /v1")
    return listed.data[0].id


def _connect(url: str, api_key: str, timeout: float) -> "AsyncOpenAI":
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    return AsyncOpenAI(
        base_url=url,
        api_key=api_key or "none",
        timeout=timeout,
        max_retries=2,
        # trust_env off: a proxy named in the environment must never see what is checked.
        http_client=DefaultAsyncHttpxClient(timeout=timeout, trust_env=False),
    )


@contextmanager
def _saying(url: str) -> Iterator[None]:
    """Turns what the openai client raises into one of our errors, with the address in it."""
    import openai

    try:
        yield
    except openai.APITimeoutError as error:
        raise ModelError(f"The model server at {url} gave no answer in time.") from error
    except openai.APIConnectionError as error:
        raise ModelMissing(f"No model server answers at {url}: {error}") from error
    except openai.APIStatusError as error:
        raise ModelError(f"{url} refused a call: {error}") from error
    except (openai.OpenAIError, ValueError, AttributeError, TypeError) as error:
        raise ModelError(
            f"{url} does not answer as an OpenAI-compatible server: {error}"
        ) from error


def _constraints(schema: Mapping[str, Any] | None, choices: Sequence[str]) -> dict[str, Any]:
    """The request fields that hold an answer to a schema or to choices."""
    if choices:
        return {
            "logprobs": True,
            "top_logprobs": TOP_LOGPROBS,
            "extra_body": {"structured_outputs": {"choice": list(choices)}},
        }
    if schema is not None:
        named = {"name": "reply", "schema": dict(schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    return {}


def _completion(answer: "ChatCompletion") -> Completion:
    choice = answer.choices[0]
    usage = answer.usage
    details = usage.prompt_tokens_details if usage else None
    tokens = choice.logprobs.content if choice.logprobs and choice.logprobs.content else []
    return Completion(
        text=choice.message.content or "",
        finished=choice.finish_reason != "length",
        logprobs={one.token: one.logprob for one in tokens[0].top_logprobs} if tokens else {},
        prompt_tokens=usage.prompt_tokens if usage else 0,
        cached_tokens=(details.cached_tokens or 0) if details else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
    )
