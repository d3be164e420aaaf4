"""Counts what one response costs, and names the part that failed.

A meter is the only thing in a check that changes while it runs.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from index_builder.errors import BadIndex, IndexMissing
from models.client import Completion
from models.errors import ModelError
from verifier.errors import PartFailed, ReplyError
from verifier.sandbox.errors import SandboxFailed, SandboxMissing
from verifier.values import Usage

FAILURES = (ModelError, ReplyError, BadIndex, IndexMissing, SandboxMissing, SandboxFailed)
"""What a part may raise; anything else is a bug and is not caught."""


class Meter:
    """Adds up calls, tokens, searches and seconds of one response."""

    def __init__(self) -> None:
        """Start the clock."""
        self._counts: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}
        self._start = time.monotonic()

    def count(self, answer: Completion) -> None:
        """Add one model call."""
        self._counts["calls"] += 1
        self._counts["prompt_tokens"] += answer.prompt_tokens
        self._counts["cached_tokens"] += answer.cached_tokens
        self._counts["completion_tokens"] += answer.completion_tokens

    def count_search(self) -> None:
        """Add one search."""
        self._counts["searches"] += 1

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Add the wall seconds spent inside to a part of the check, and name it if it fails.

        Raises:
            PartFailed: the part failed in one of the ways it may.
        """
        start = time.monotonic()
        try:
            yield
        except FAILURES as error:
            raise PartFailed(name, error) from error
        finally:
            spent = time.monotonic() - start
            self._seconds[name] = self._seconds.get(name, 0.0) + spent

    def usage(self) -> Usage:
        """What was counted up to now."""
        total = time.monotonic() - self._start
        return Usage(**self._counts, seconds={**self._seconds, "total": total})
