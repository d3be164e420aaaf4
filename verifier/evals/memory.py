"""A few passages as an index, for cases that bring their own evidence."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.passage import Passage
from index_builder.search import Hit
from verifier.words import folded


@dataclass(frozen=True, slots=True)
class ListSearch:
    """Finds the passages that share most words with a query (`verifier.task.Search`)."""

    passages: Sequence[Passage]
    name: str = "case"
    id: str = "0"
    languages: Sequence[str] = ("en",)
    snapshot_date: str = ""
    encoder: str = ""

    async def __call__(self, query: str, k: int) -> Sequence[Hit]:
        """The k passages that share most words with the query; none that share nothing."""
        wanted = set(folded(query))
        shared = [
            (len(wanted & set(folded(f"{one.title} {one.text}"))), one) for one in self.passages
        ]
        best = sorted((one for one in shared if one[0]), key=lambda one: -one[0])[:k]
        return [Hit(one, float(score), {"words": n}) for n, (score, one) in enumerate(best, 1)]
