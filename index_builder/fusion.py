"""Fusing what words (BM25) and meaning (vectors) find.

`rrf` knows ranks only, so it can be put over any lists. `blend` knows the scores and is what an
index uses: ranks throw away by how much one passage is nearer than the next.
"""

from collections.abc import Hashable, Iterable, Sequence
from math import fsum
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Key = TypeVar("Key", bound=Hashable)

WORDS = 0.1
"""Weight of a passage's own BM25 score beside its cosine."""

DOCUMENT = 0.2
"""Weight of the best BM25 score in its document. Both were fitted on rows 601 and later of three
claim sets (Fool Me Twice, Climate-FEVER, sufficient facts); `scripts/bench/retrieval.py` reports
the rows before. From 0.1 to 0.15 and from 0.1 to 0.4 the results differ by less than 0.01."""

Rows = NDArray[np.int64]
Scores = NDArray[np.float32]


def rrf(lists: Iterable[Sequence[Key]], k: int = 60) -> list[tuple[Key, float]]:
    """Fuse ranked lists: an item scores the sum of 1 / (k + rank) over the lists it is in.

    Reciprocal rank fusion (Cormack, Clarke, Buettcher: SIGIR 2009). The result does not depend on
    the order of the lists; ties are broken by the item itself.

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


def blend(
    near: tuple[Rows, Scores], words: tuple[Rows, Scores], titles: NDArray[np.uint32], top: float
) -> tuple[Rows, Scores]:
    """Fuse by score: cosine, BM25 over the query's best, and the best BM25 under the same title.

    The last is a boost for titles: a document one of whose passages has the query's words is the
    right one more often than not, and its other passages are where the answer may stand.

    Args:
        near: Rows and cosines, from the best down.
        words: Rows and BM25 scores, from the best down.
        titles: A number for the title of each row in question: `near`'s first, then `words`'.
        top: The best BM25 score of the query, over all indexes searched.

    Returns:
        All rows and their scores, from the best down, ties in row order. A row that only words
        found gets the lowest cosine that was found.

    >>> near = np.array([4, 7]), np.array([0.9, 0.5], np.float32)
    >>> words = np.array([7, 2]), np.array([8.0, 6.0], np.float32)
    >>> rows, scores = blend(near, words, np.array([1, 1, 1, 2], np.uint32), top=8.0)
    >>> rows.tolist(), [round(float(score), 3) for score in scores]
    ([4, 7, 2], [1.1, 0.8, 0.725])
    """
    rows = np.concatenate((near[0], words[0]))
    found, first, where = np.unique(rows, return_index=True, return_inverse=True)
    count = len(near[0])
    scores = np.full(len(found), near[1].min() if count else 0.0, dtype=np.float32)
    scores[where[:count]] = near[1]
    if top > 0 and len(words[0]):
        relative = (words[1] / top).astype(np.float32)
        scores[where[count:]] += np.float32(WORDS) * relative
        _, group = np.unique(titles, return_inverse=True)
        best = np.zeros(int(group.max()) + 1, dtype=np.float32)
        np.maximum.at(best, group[count:], relative)
        scores += np.float32(DOCUMENT) * best[group[first]]
    order = np.lexsort((found, -scores))
    return found[order], scores[order]
