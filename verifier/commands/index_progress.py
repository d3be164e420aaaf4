"""Stages of a build on standard error: bars on a terminal, plain lines elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from index_builder.build import Progress

IN_BYTES = ("reading", "checking")
"""Stages whose numbers are bytes, where they know their end."""

EVERY = 10
"""Seconds between two plain lines."""


@contextmanager
def stages() -> Iterator["Progress"]:
    """A display of stages that is there while its block runs."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines()
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description:13}"), BarColumn(), TextColumn("{task.fields[said]}"))
    with Progress(*columns, TimeRemainingColumn(), console=console) as bars:
        tasks = {}

        def draw(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None, said="")
            said = amount(stage, done, total)
            bars.update(tasks[stage], completed=done, total=total or None, said=said)

        yield draw


def amount(stage: str, done: int, total: int) -> str:
    """How much is done, in words; nothing where the end is not known.

    >>> amount("lucene", 1000, 20_000), amount("reading", 1_500_000, 20_000_000)
    ('1,000 of 20,000', '1.5 of 20.0 MB')
    """
    if not total:
        return ""
    if stage in IN_BYTES:
        return f"{done / 1e6:,.1f} of {total / 1e6:,.1f} MB"
    return f"{done:,} of {total:,}"


def _lines() -> "Progress":
    """A line when a stage begins and ends, and now and then in between."""
    from time import monotonic

    began: dict[str, tuple[float, int]] = {}
    ended: set[str] = set()
    said = 0.0

    def say(stage: str, done: int, total: int) -> None:
        nonlocal said
        now = monotonic()
        new = stage not in began
        start, first = began.setdefault(stage, (now, done))
        end = total and done >= total
        if stage in ended or (not new and not end and now - said < EVERY):
            return
        if end:
            ended.add(stage)
        said = now
        left = ""
        if total > done > first:
            left = f", about {(now - start) * (total - done) / (done - first):.0f} s left"
        click.echo(f"{stage} {amount(stage, done, total)}{left}".rstrip(), err=True)

    return say
