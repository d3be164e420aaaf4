"""Remembers what was skipped, so that a file of which nothing could be read is an error."""

from dataclasses import dataclass
from pathlib import Path

from corpora.errors import CorpusError
from corpora.reading import Reading, Skipped


@dataclass(slots=True)
class Told:
    """Passes on what was skipped, and remembers the first for the error if all was."""

    reading: Reading
    first: Skipped | None = None

    def __call__(self, skipped: Skipped) -> None:
        """Tell it."""
        self.first = self.first or skipped
        self.reading.skip(skipped)

    def nothing(self, path: Path, expected: str) -> CorpusError:
        """The error that says that nothing of a file could be read."""
        why = f"{self.first.place}: {self.first.problem}" if self.first else "it is empty"
        return CorpusError(f"{path} holds nothing that can be read; {why}. {expected}")
