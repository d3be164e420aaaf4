"""Progress bars on a terminal, by rich: one a stage, with the time left where it can be told."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class Bars:
    """Keeps one bar a stage."""

    def __init__(self, shown: Progress) -> None:
        """Start with no bar."""
        self._shown = shown
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Move the bar of a stage, made when it is first heard of."""
        if stage not in self._tasks:
            self._tasks[stage] = self._shown.add_task(stage, total=total or None)
        self._shown.update(self._tasks[stage], completed=done, total=total or None)


@contextmanager
def bars() -> Iterator[Bars]:
    """Bars on standard error, taken away at the end."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        yield Bars(shown)
