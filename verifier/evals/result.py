"""What a benchmark gives back: figures for programs, tables for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a title."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Result:
    """The end of one run of a benchmark."""

    name: str
    figures: Mapping[str, object]
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    passed: bool = True
    """False where something that had to be so is not; the command then ends with 1."""
    rows: Sequence[Mapping[str, object]] = field(default_factory=tuple)
    """One a case, for `--out`."""
