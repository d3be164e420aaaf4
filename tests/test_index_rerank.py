"""Hits in the order of other scores; the scores are made up."""

import pytest

from corpora.passage import Passage
from index_builder.rerank import rerank
from index_builder.search import Hit

HITS = tuple(
    Hit(Passage(name, f"About {name}.", name), score, {"dense": place}, "tests")
    for place, (name, score) in enumerate((("a", 0.9), ("b", 0.8), ("c", 0.7)), start=1)
)


def ids(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.passage.id for hit in hits]


def test_the_best_scores_come_first_and_k_of_them() -> None:
    assert ids(rerank(HITS, (-3.0, 0.5, 2.0), k=2)) == ["c", "b"]


def test_hits_that_score_alike_stay_in_their_order() -> None:
    assert ids(rerank(HITS, (1.0, 1.0, 1.0), k=3)) == ["a", "b", "c"]
    assert ids(rerank(HITS, (0.0, 1.0, 0.0), k=3)) == ["b", "a", "c"]


def test_a_hit_keeps_what_it_was_and_gains_a_rank() -> None:
    (best,) = rerank(HITS, (0, 0, 7), k=1)
    assert (best.passage, best.index, best.score) == (HITS[2].passage, "tests", 7.0)
    assert best.ranks == {"dense": 3, "reranker": 1}
    assert HITS[2].ranks == {"dense": 3}


def test_fewer_hits_than_wanted_are_all_returned() -> None:
    assert len(rerank(HITS, (1, 2, 3), k=10)) == 3
    assert rerank((), (), k=5) == ()


@pytest.mark.parametrize(
    ("scores", "k", "complaint"),
    [
        ((1.0, 2.0), 3, "2 scores for 3 hits"),
        ((1.0, 2.0, 3.0), 0, "k=0"),
        ((1.0, float("nan"), 3.0), 3, "not a number"),
    ],
)
def test_what_would_lose_or_shuffle_hits_is_refused(
    scores: tuple[float, ...], k: int, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        rerank(HITS, scores, k)
