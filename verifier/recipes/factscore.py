"""FActScore (Min et al., arXiv 2305.14251, sections 3 and 4.1, retrieve then ask the model).

Atomic facts of each sentence; five passages a fact; true or false. The paper is told the topic's
article beforehand; here the passages are searched for in the whole index.
"""

import math
from dataclasses import replace

from verifier import evidence
from verifier.ask import choose
from verifier.recipes import steps
from verifier.task import Tools
from verifier.values import Claim, Label, Query, Response, Verdict

PASSAGES = 5


async def split(response: Response, tools: Tools) -> list[Claim]:
    """The atomic facts of each sentence."""
    return await steps.atomic_facts(response, "factscore_facts", tools)


async def check(response: Response, claim: Claim, tools: Tools) -> Verdict:
    """Retrieve, then ask: true or false."""
    if (failed := steps.unread(claim)) is not None:
        return failed
    settings = replace(tools.settings, index=replace(tools.settings.index, k=PASSAGES))
    found = await evidence.find(claim, [claim.text], (), replace(tools, settings=settings))
    with tools.meter.part("judge"):
        scores = await choose(
            tools, "factscore_judge", ["True", "False"], claim=claim.text, passages=found
        )
    answer = max(scores, key=lambda one: scores[one])
    probabilities = {
        str(Label.SUPPORTED): math.exp(scores["True"]),
        str(Label.REFUTED): math.exp(scores["False"]),
    }
    label = Label.SUPPORTED if answer == "True" else Label.REFUTED
    return Verdict(
        claim,
        label,
        probability=probabilities[str(label)],
        probabilities=probabilities,
        evidence=found,
        cited=tuple(range(len(found))),
        queries=(Query(claim.text, tools.search.name),),
    )
