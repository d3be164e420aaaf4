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

from jinja2 import Environment, StrictUndefined, Template, TemplateError, meta

from models.client import Message
from verifier.errors import InputError

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
    wanted: frozenset[str]
    """Names of the values that it must be given."""

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
def load(name: str, folder: Path | None = None) -> Prompt:
    """The prompt `<name>.jinja` of a folder, or the packaged one where the folder has none.

    Raises:
        InputError: the file is not a prompt.
    """
    own = folder / f"{name}.jinja" if folder else None
    file = own if own and own.is_file() else FOLDER / f"{name}.jinja"
    source = file.read_bytes()
    environment = Environment(
        undefined=StrictUndefined,
        finalize=defuse,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - prompts are text, not HTML; `defuse` guards them
    )
    try:
        _, *parts = TURN.split(source.decode("utf-8"))
        turns = tuple(
            (role, environment.from_string(text))
            for role, text in zip(parts[::2], parts[1::2], strict=True)
        )
    except (UnicodeDecodeError, TemplateError) as error:
        raise InputError(f"{file} is not a prompt file: {error}") from error
    if not turns or turns[-1][0] != "user":
        raise InputError(f"{file} is not a prompt file: its last turn must begin with `--- user`")
    wanted = meta.find_undeclared_variables(environment.parse("".join(parts[1::2])))
    return Prompt(name, hashlib.sha256(source).hexdigest()[:12], turns, frozenset(wanted))


def check_folder(folder: Path) -> None:
    """Find out before any work that a folder's prompt files can be used in place of ours.

    Raises:
        InputError: a file there replaces no prompt, cannot be read, or wants a value that
            there is not.
    """
    files = sorted(folder.glob("*.jinja"))
    known = {file.stem for file in FOLDER.glob("*.jinja")}
    if not files:
        raise InputError(f"{folder} holds no prompt file; they are called NAME.jinja")
    for file in files:
        if file.stem not in known:
            raise InputError(f"{file} replaces no prompt; there are: {', '.join(sorted(known))}")
        values = load(file.stem).wanted
        if unknown := load(file.stem, folder).wanted - values:
            held = ", ".join(sorted(values)) or "none"
            raise InputError(f"{file} wants {min(unknown)!r}; the values it may use are: {held}")


@cache
def digests(folder: Path | None = None) -> dict[str, str]:
    """Name and digest of every prompt that is in use, for provenance."""
    return {file.name: load(file.stem, folder).digest for file in sorted(FOLDER.glob("*.jinja"))}
