"""How long work tells whoever is waiting how far it is."""

from typing import Protocol


class Progress(Protocol):
    """Called often; must be cheap and must not raise."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Reports that `done` of `total` units of `stage` are done.

        Args:
            stage: What is going on, e.g. `downloading`.
            done: Units done so far: bytes, tensors, texts or seconds, as the stage says.
            total: Units in all; 0 if not known.
        """


def silent(stage: str, done: int, total: int) -> None:
    """A Progress that says nothing."""
