"""Small whole parts for the fast tier: an index in a list, and tools around a FakeModel."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from corpora.passage import Passage
from index_builder.errors import BadIndex
from index_builder.search import Hit
from models.fake import Answer, FakeModel
from verifier.judges import label
from verifier.meter import Meter
from verifier.settings import Settings
from verifier.task import Tools
from verifier.words import folded

NILE = Passage("w:Nile:0", "The Nile is 7,088 km long. It ends in the Mediterranean Sea.", "Nile")
FUJI = Passage("w:Mount Fuji:0", "Mount Fuji is a volcano on Honshu, Japan.", "Mount Fuji")


@dataclass
class FakeSearch:
    """Finds the passages that share most words with a query."""

    passages: Sequence[Passage] = (NILE, FUJI)
    languages: Sequence[str] = ("en",)
    snapshot_date: str = "2026-08-18"
    name: str = "fake"
    id: str = "0"
    encoder: str = "none"
    broken: bool = False
    asked: list[str] = field(default_factory=list)

    async def __call__(self, query: str, k: int) -> Sequence[Hit]:
        self.asked.append(query)
        if self.broken:
            raise BadIndex("the index is damaged")
        wanted = set(folded(query))
        shared = [(len(wanted & set(folded(f"{p.title} {p.text}"))), p) for p in self.passages]
        found = [one for one in sorted(shared, key=lambda one: -one[0]) if one[0]]
        return [Hit(p, float(score), {"bm25": n}) for n, (score, p) in enumerate(found[:k], 1)]


def facts(*claims: str, about: str = "") -> str:
    """What a model answers for a sentence with these claims."""
    return json.dumps({"kind": "fact", "about": about, "claims": list(claims)})


def kind(name: str) -> str:
    """What a model answers for a sentence without facts."""
    return json.dumps({"kind": name})


def letter(best: str) -> dict[str, float]:
    """Log-probabilities with most of the mass on one letter."""
    return {one: -0.05 if one == best else -3.7 for one in "ABC"}


WORTH: Mapping[str, Answer] = {
    "F or O?": {"F": -0.05, "O": -3.0},
    "Y or N?": {"Y": -0.05, "N": -3.0},
}


OPINION: Answer = {"F": -3.0, "O": -0.05}


def tools(
    answers: Mapping[str, Answer] | FakeModel,
    search: FakeSearch | None = None,
    *,
    rounds: int = 1,
) -> Tools:
    """Tools for one response; the table is looked up in the last message.

    What the table does not answer is a fact, and about the question.
    """
    model = (
        answers if isinstance(answers, FakeModel) else FakeModel({**answers, **WORTH, **answers})
    )
    settings = Settings()
    settings = replace(settings, check=replace(settings.check, rounds=rounds))
    return Tools(model, search or FakeSearch(), label.judge, settings, Meter())
