"""What a benchmark is, and what it is asked for."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from verifier.evals.data import Split
from verifier.evals.result import Result
from verifier.task import Part, Tools

Tell = Callable[[int, int], None]
"""Called with how many rows are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How a benchmark is to be run."""

    data: Path | None
    gold_claims: bool = False
    """Judge the claims of the data set in place of splitting the responses."""
    split: Split = "all"
    limit: int | None = None
    """Rows at most."""
    only: tuple[str, ...] = ()
    """Beginnings of the ids that are wanted; all if there is none."""


Run = Callable[[Asked, Tools, Tell], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark of the table."""

    name: str
    about: str
    needs: Callable[[Asked], frozenset[Part]]
    run: Run
    needs_data: bool = True
    """True where `--data` must be given."""
