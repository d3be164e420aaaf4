"""How a source is to be read, and whom its reader tells what it met beside passages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from corpora.passage import Passage


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a file that could not be read; the reader goes on behind it."""

    place: str
    """File, and line, page or key; for a dump also the byte offset."""
    problem: str


def _nobody(*_: object) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Handed to every reader of passages."""

    words: int = 100
    """Wanted words in a passage; at least 1."""
    workers: int = 1
    """Processes to read with, where the format allows; at least 1."""
    language: str = ""
    """ISO 639-1 code of text that does not say its own; English rules are used if empty."""
    skip: Callable[[Skipped], None] = _nobody
    """Told of everything that could not be read."""
    alias: Callable[[str, str], None] = _nobody
    """Told another name of a document, and its title: `alias("Baykal", "Lake Baikal")`."""
    progress: Callable[[int, int], None] = field(default=_nobody)
    """Told the bytes of the file that are done, and all of them."""


Read = Callable[[Path, Reading], Iterator[Passage]]
"""A reader: streams the passages of a file in a fixed order, in bounded memory.

Raises CorpusError where nothing of the file can be read.
"""
