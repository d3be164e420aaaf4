"""Accuracy, precision, recall and F1 from what was said and what is so, with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

RESAMPLES = 1000
"""Bootstrap samples of an interval."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often what was said was so, of one class."""

    right: int
    """Said to be of the class, and is."""
    wrong: int
    """Said to be, and is not."""
    missed: int
    """Is of the class, and was not said to be."""
    total: int

    @property
    def accuracy(self) -> float:
        """Share of all that was said rightly."""
        return (self.total - self.wrong - self.missed) / self.total if self.total else 0.0

    @property
    def precision(self) -> float:
        """Share of what was said to be of the class that is."""
        said = self.right + self.wrong
        return self.right / said if said else 0.0

    @property
    def recall(self) -> float:
        """Share of the class that was said to be of it."""
        held = self.right + self.missed
        return self.right / held if held else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 if nothing was right."""
        return 2 * self.right / (2 * self.right + self.wrong + self.missed) if self.right else 0.0


def count(gold: Sequence[bool], said: Sequence[bool], of: bool = True) -> Counts:
    """Counts of one class.

    >>> count([True, True, False], [True, False, True]).f1
    0.5
    """
    pairs = list(zip(gold, said, strict=True))
    return Counts(
        right=sum(a is of and b is of for a, b in pairs),
        wrong=sum(a is not of and b is of for a, b in pairs),
        missed=sum(a is of and b is not of for a, b in pairs),
        total=len(pairs),
    )


def interval(gold: Sequence[bool], said: Sequence[bool], seed: int = 0) -> tuple[float, float]:
    """95 % interval of F1 of the class true, by resampling (percentile bootstrap, Efron 1979)."""
    import numpy as np

    if not gold:
        return 0.0, 0.0
    a, b = np.array(gold), np.array(said)
    picks = np.random.default_rng(seed).integers(0, len(a), size=(RESAMPLES, len(a)))
    right = (a[picks] & b[picks]).sum(axis=1)
    off = (a[picks] ^ b[picks]).sum(axis=1)
    f1 = np.where(right > 0, 2 * right / np.maximum(2 * right + off, 1), 0.0)
    low, high = np.quantile(f1, [0.025, 0.975])
    return float(low), float(high)
