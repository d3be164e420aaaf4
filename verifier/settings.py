"""One frozen value for every setting; read once, handed down, never looked up again.

Order, later wins: defaults, `VERIFIER_HOME/settings.toml` or `--config FILE`, `--set a.b=value`.
Checked by pydantic: an unknown key or a value out of range is an error that names it.
"""

import os
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)

from verifier.errors import InputError

STRICT = ConfigDict(extra="forbid")

Positive = Annotated[int, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Table = dict[str, object]


def _day(value: str) -> str:
    """An ISO date, or nothing.

    Raises:
        ValueError: it is neither.
    """
    return date.fromisoformat(value).isoformat() if value else value


Day = Annotated[str, AfterValidator(_day)]


def _parts(value: object) -> object:
    """The parts of a list as it is written on the command line, such as `64,178`."""
    return value.split(",") if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which model splits and judges, and how many calls may be in flight."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    name: str = ""
    """A row of the registry; empty: the default for this machine's hardware."""
    endpoint: str = ""
    """An OpenAI-compatible URL that is already there; empty: our own vLLM server."""
    concurrency: Positive = 64
    """Calls in flight at most; vLLM batches what is in flight."""
    timeout: Annotated[float, Field(gt=0)] = 600.0
    """Seconds one call may take."""
    seed: Annotated[int, Field(ge=0)] = 0


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """Which index is searched, and how deep."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    name: str = "wikipedia-vital"
    """A name under `VERIFIER_HOME/indexes`, or a path; several, with commas between, are searched
    as one."""
    retriever: Literal["hybrid", "bm25", "dense"] = "hybrid"
    k: Positive = 3
    """Passages handed to the judge for one round."""
    as_of: Day = ""
    """ISO date: passages that may be newer are not found. Empty: all."""
    language: str = ""
    """ISO 639-1 code of the passages that are found. Empty: all."""
    source: str = ""
    """Name of the corpus whose passages are found. Empty: all."""
    rerank: str = ""
    """A cross-encoder of the registry that puts the 30 best in a new order. Empty: none."""

    @property
    def names(self) -> tuple[str, ...]:
        """The indexes, one by one."""
        return tuple(name.strip() for name in self.name.split(",") if name.strip())


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """How claims are made and judged."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    judge: str = "label"
    rounds: Positive = 2
    """Searches per claim at most; a further one only while the judge is unsure."""
    sure: Share = 0.7
    """A verdict this probable ends the search."""
    passage_words: Positive = 120
    """Words of one passage shown to the judge, around the sentences that matter."""


@dataclass(frozen=True, slots=True)
class LongformSettings:
    """How long answers are rated."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    rounds: Positive = 3
    """Searches per fact at most."""
    k: Annotated[tuple[Positive, ...], Field(min_length=1), BeforeValidator(_parts)] = (64, 178)
    """Facts that a full answer is taken to need, for recall at K and F1@K: the median and the
    maximum of LongFact's answers (SAFE, arXiv 2403.18802, section 5)."""


@dataclass(frozen=True, slots=True)
class PapersSettings:
    """Which papers index citations are looked up in."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    name: str = "papers"
    """A name under `VERIFIER_HOME/indexes`, or a path."""


@dataclass(frozen=True, slots=True)
class CodeSettings:
    """How code is run and compared."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    sandbox: Literal["strong", "weak"] = "strong"
    """weak: a bare process with limits, for machines without bubblewrap. It is no sandbox."""
    solutions: Positive = 5
    """Independent solutions sampled to compare a snippet with."""
    inputs: Positive = 24
    """Test inputs at most, those by rule and those by the model."""
    seconds: Annotated[float, Field(gt=0)] = 2.0
    """Wall seconds that one call of a function may take."""
    total: Annotated[float, Field(gt=0)] = 12.0
    """Wall seconds for all calls of one snippet together."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, nested as in the TOML file."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    model: ModelSettings = field(default_factory=ModelSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
    check: CheckSettings = field(default_factory=CheckSettings)
    longform: LongformSettings = field(default_factory=LongformSettings)
    papers: PapersSettings = field(default_factory=PapersSettings)
    code: CodeSettings = field(default_factory=CodeSettings)


def home() -> Path:
    """The folder that holds models, indexes, logs and runs.

    `VERIFIER_HOME`, or the platform's data folder for this application.
    """
    if named := os.environ.get("VERIFIER_HOME"):
        return Path(named).expanduser().absolute()
    import platformdirs  # imported here: most calls have VERIFIER_HOME

    return Path(platformdirs.user_data_dir("offline-verifier"))


def load(path: Path | None = None, overrides: Iterable[str] = ()) -> Settings:
    """Settings from a TOML file and `section.key=value` overrides.

    Args:
        path: the file; None reads `settings.toml` in the home folder if it is there.
        overrides: such as `index.k=5`.

    Raises:
        InputError: the file cannot be read, or a key or a value is not known; names it.
    """
    file = path or home() / "settings.toml"
    table = _read(file) if path or file.is_file() else {}
    _validate(table, str(file))
    for text in overrides:
        _put(table, text)
        _validate(table, f"--set {text}")
    return _validate(table, "settings")


def _validate(table: Table, origin: str) -> Settings:
    try:
        return TypeAdapter(Settings).validate_python(table)
    except ValidationError as error:
        problem = error.errors()[0]
        name = ".".join(str(part) for part in problem["loc"])
        raise InputError(f"{origin}: {name}: {problem['msg']}, got {problem['input']!r}") from error


def _read(path: Path) -> Table:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the settings {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not a TOML file: {error}") from error


def _put(table: Table, text: str) -> None:
    """Put `index.k=5` into a nested table, as {"index": {"k": "5"}}."""
    name, equals, value = text.partition("=")
    section, dot, key = name.strip().partition(".")
    if not (equals and dot and section and key):
        raise InputError(f"--set takes SECTION.KEY=VALUE, such as index.k=5, not {text!r}")
    inner = table.setdefault(section, {})
    if isinstance(inner, dict):
        inner[key] = value.strip()
