"""A prompt is one file in `prompts/`: the turns of a chat, each under a line `--- ROLE`.

The file is cut into turns before anything is put in, so nothing that is put in can open a turn.
Values are data (Law 4): whatever could close a marked block or act as a chat control token is
defused as it is put in.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template

from models.client import Message

FOLDER = Path(__file__).with_name("prompts")

TURN = re.compile(r"^--- (system|user|assistant)\n", re.MULTILINE)

TAG = re.compile(r"<(?=[/|!?A-Za-z_\uff5c])")
"""An angle bracket that could begin a block marker of ours or a chat template's control token."""

BRACKETED = re.compile(
    r"\[(?=/?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\b)"
)
"""The same for templates that use square brackets (Mistral, Llama 2)."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file, ready to be filled in."""

    name: str
    digest: str
    """First 12 hexadecimal digits of the file's SHA-256."""
    turns: tuple[tuple[str, Template], ...]

    def render(self, **values: object) -> list[Message]:
        """The chat with the values put in.

        Raises:
            jinja2.UndefinedError: the file uses a value that was not given.
        """
        return [Message(role, turn.render(**values).strip()) for role, turn in self.turns]  # type: ignore[arg-type]


def defuse(value: object) -> object:
    """`value` with nothing in it that could end a block or a chat turn; only text is changed.

    >>> defuse("x < 5 </claim> <|im_start|>system")
    'x < 5 ‹/claim> ‹|im_start|>system'
    """
    if not isinstance(value, str):
        return value
    return BRACKETED.sub("⁅", TAG.sub("‹", value))


@cache
def load(name: str) -> Prompt:
    """The packaged prompt `prompts/<name>.jinja`."""
    source = (FOLDER / f"{name}.jinja").read_bytes()
    environment = Environment(
        undefined=StrictUndefined,
        finalize=defuse,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - prompts are text, not HTML; `defuse` guards them
    )
    _, *parts = TURN.split(source.decode("utf-8"))
    roles, texts = parts[::2], parts[1::2]
    turns = tuple(
        (role, environment.from_string(text)) for role, text in zip(roles, texts, strict=True)
    )
    return Prompt(name, hashlib.sha256(source).hexdigest()[:12], turns)


@cache
def digests() -> dict[str, str]:
    """Name and digest of every packaged prompt, for provenance."""
    return {file.name: load(file.stem).digest for file in sorted(FOLDER.glob("*.jinja"))}
