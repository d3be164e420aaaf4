"""What a task is, and all that it may touch.

A task is two async functions, written top to bottom in one file of `tasks/`; `TASKS` lists them.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from index_builder.search import Hit
from models.client import Model
from verifier.meter import Meter
from verifier.settings import Settings
from verifier.values import Claim, Evidence, Response, Verdict


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


Split = Callable[[Response, Tools], Awaitable[list[Claim]]]
Check = Callable[[Response, Claim, Tools], Awaitable[Verdict]]


@dataclass(frozen=True, slots=True)
class Task:
    """How one kind of response is checked."""

    name: str
    split: Split
    check: Check
