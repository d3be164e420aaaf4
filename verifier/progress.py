"""What is shown on standard error while something takes long.

A bar where a person looks at a terminal, plain lines elsewhere; never on standard output.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from models.progress import Progress, silent

EVERY = 5.0
"""Seconds between two plain lines about one stage."""


class Lines:
    """Plain lines for logs: one when a stage begins and ends, and now and then between."""

    def __init__(self) -> None:
        """Nothing was shown yet."""
        self._last: dict[str, float] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Print a line if there was none about this stage for a while."""
        now = time.monotonic()
        finished = total and done >= total
        if not finished and now - self._last.get(stage, -EVERY) < EVERY:
            return
        self._last[stage] = float("inf") if finished else now
        sys.stderr.write(f"{stage}: {_amount(done, total)}\n")
        sys.stderr.flush()


def _amount(done: int, total: int) -> str:
    return f"{done:,}/{total:,}" if total else f"{done:,}"


@contextmanager
def shown(quiet: bool = False) -> Iterator[Progress]:
    """A progress display that is gone when its block ends."""
    if quiet:
        yield silent
    elif not sys.stderr.isatty():
        yield Lines()
    else:
        from verifier.render.bars import bars

        with bars() as progress:
            yield progress
