"""What a task is, and all that it may touch.

A task is two async functions, written top to bottom in one file of `tasks/`; `TASKS` lists them.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from index_builder.search import Hit
from models.client import Model
from verifier.meter import Meter
from verifier.settings import Settings
from verifier.values import Claim, Evidence, Response, Verdict

if TYPE_CHECKING:
    from index_builder.records import PaperIndex
    from verifier.sandbox import Sandbox


class Search(Protocol):
    """The index, as a task sees it."""

    @property
    def name(self) -> str:
        """What the index is called."""

    @property
    def id(self) -> str:
        """Hash of its content."""

    @property
    def languages(self) -> Sequence[str]:
        """ISO 639 codes of the languages that it holds."""

    @property
    def snapshot_date(self) -> str:
        """ISO date that no text in it is newer than; empty if unknown."""

    @property
    def encoder(self) -> str:
        """Name and revision of its encoder."""

    async def __call__(self, query: str, k: int) -> Sequence[Hit]:
        """The k best passages for a query, best first.

        Raises:
            BadIndex: the search failed.
        """


Judge = Callable[[Claim, Sequence[Evidence], "Tools"], Awaitable[Verdict]]
"""A claim and the passages found for it -> its verdict."""


@dataclass(frozen=True, slots=True)
class Tools:
    """Everything a task may use while it checks one response."""

    model: Model
    search: Search
    judge: Judge
    settings: Settings
    meter: Meter
    papers: "PaperIndex | None" = None
    """Records of papers; None where no such index is there."""
    sandbox: "Sandbox | None" = None
    """Where untrusted code runs; None where there is none, and then no code runs."""
    prompts: Path | None = None
    """A folder whose prompt files replace the packaged ones of the same name."""


Split = Callable[[Response, Tools], Awaitable[list[Claim]]]
Check = Callable[[Response, Claim, Tools], Awaitable[Verdict]]


class Part(StrEnum):
    """What a task cannot do without; found out and opened before any work.

    The model is there for every task. Where it is not listed it starts when it is first asked.
    """

    MODEL = "model"
    INDEX = "index"
    PAPERS = "papers"
    SANDBOX = "sandbox"


@dataclass(frozen=True, slots=True)
class Task:
    """How one kind of response is checked."""

    name: str
    split: Split
    check: Check
    needs: frozenset[Part] = frozenset({Part.MODEL, Part.INDEX})
    counts_recall: bool = False
    """True where the figures of a report include recall and F1 at K (`longform.k`)."""
