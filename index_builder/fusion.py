"""Reciprocal rank fusion (Cormack, Clarke, Buettcher: SIGIR 2009)."""

from collections.abc import Hashable, Iterable, Sequence
from math import fsum
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)


def rrf(lists: Iterable[Sequence[Key]], k: int = 60) -> list[tuple[Key, float]]:
    """Fuse ranked lists: an item scores the sum of 1 / (k + rank) over the lists it is in.

    The result does not depend on the order of the lists; ties are broken by the item itself.

    Args:
        lists: Items from the best down, each at most once a list; of one sortable type.
        k: Dampens the lead of first places; the paper's 60.

    Returns:
        (item, score) from the best down.

    >>> [(item, round(score, 4)) for item, score in rrf([["b", "a"], ["c", "a"]])]
    [('a', 0.0323), ('b', 0.0164), ('c', 0.0164)]
    """
    parts: dict[Key, list[float]] = {}
    for ranked in lists:
        for rank, item in enumerate(ranked, start=1):
            parts.setdefault(item, []).append(1 / (k + rank))

    def place(scored: tuple[Key, float]) -> tuple[float, Any]:
        return -scored[1], scored[0]

    # fsum: plain addition would give last digits that depend on the order of the lists.
    return sorted(((item, fsum(scores)) for item, scores in parts.items()), key=place)
