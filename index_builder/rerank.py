"""The best hits in a better order: a model reads each beside the query.

An index searches deep, 30 passages, has them scored, and keeps the k best. Off by default, and
meant for models made for it, such as bge-reranker-v2-m3. The model for entailment that a CPU runs,
deberta-v3-xsmall-nli-int8, is none: as a reranker of the 20 best it lowered recall@10 on 100 claims
of Fool Me Twice from 0.850 to between 0.84 and 0.76, and on Climate-FEVER from 0.437 to between
0.43 and 0.34, by how much its score weighed (claims not used in any report).

Does no scoring: the model comes in as a plain function.
"""

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from index_builder.search import Hit

DEPTH = 30
"""Passages that are reranked; k if that is more."""

Rerank = Callable[[str, Sequence[str]], Sequence[float]]
"""A query and the texts of passages, to a score each; higher is better."""


def rerank(hits: "Sequence[Hit]", scores: Sequence[float], k: int) -> "tuple[Hit, ...]":
    """The k hits with the highest new scores, from the best down.

    Args:
        hits: From the best down, as they were found.
        scores: The reranker's, one a hit. Hits that score alike stay in their order.
        k: Hits wanted; at least 1.

    Returns:
        Copies: `score` is the reranker's, and `ranks` says under "reranker" the place, from 1.

    Raises:
        ValueError: k is below 1, there is not one score a hit, or one is not a number.

    >>> from corpora.passage import Passage
    >>> from index_builder.search import Hit
    >>> lake, hill = (Hit(Passage(name, name, name), 0.5, {"bm25": 1}) for name in ("lake", "hill"))
    >>> [(hit.passage.id, hit.score, hit.ranks) for hit in rerank((lake, hill), (0.1, 0.9), k=1)]
    [('hill', 0.9, {'bm25': 1, 'reranker': 1})]
    """
    if k < 1 or len(scores) != len(hits):
        raise ValueError(
            f"k={k}, {len(scores)} scores for {len(hits)} hits: k is at least 1, and a reranker "
            "gives one score a passage."
        )
    # A NaN compares with nothing: the order would be any, and nobody would see it.
    if any(math.isnan(score) for score in scores):
        raise ValueError(f"The reranker gave a score that is not a number: {list(scores)}.")
    best = sorted(range(len(hits)), key=lambda at: -scores[at])[:k]
    return tuple(
        dataclasses.replace(
            hits[at], score=float(scores[at]), ranks={**hits[at].ranks, "reranker": place}
        )
        for place, at in enumerate(best, start=1)
    )
