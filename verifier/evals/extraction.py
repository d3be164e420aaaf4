"""Whether splitting finds the facts of a text and makes claims that stand alone.

Sixty sentences of our own with planted facts. A fact is found if one claim holds a string of each
of its groups. Half of the responses are `dev`, to look at, half `test`, to report.
"""

import asyncio
import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from verifier import claims, worth
from verifier.evals.benchmark import Asked, Benchmark, Tell
from verifier.evals.data import half
from verifier.evals.result import Result, Table
from verifier.references import unresolved
from verifier.structure import pieces
from verifier.task import Part, Tools
from verifier.values import Claim, Response

Groups = Sequence[Sequence[str]]

COLUMNS = (
    "sentences",
    "claims",
    "facts",
    "found",
    "stand alone",
    "spans exact",
    "opinions kept out",
)


async def _run(asked: Asked, tools: Tools, tell: Tell) -> Result:
    rows = [one for one in _rows() if asked.split in ("all", half(one["id"]))][: asked.limit]
    done = 0

    async def one(row: dict[str, Any]) -> list[Claim]:
        nonlocal done
        response = Response(row["id"], row["response"], row["prompt"])
        made = await claims.split(response, tools, task="kbqa")
        done += 1
        tell(done, len(rows))
        return made

    split = await asyncio.gather(*(one(row) for row in rows))
    opinions = await asyncio.gather(
        *(_kept_out(row, made, tools) for row, made in zip(rows, split, strict=True))
    )
    return _result(asked, rows, split, [kept for each in opinions for kept in each])


def _result(
    asked: Asked, rows: Sequence[dict[str, Any]], split: Sequence[list[Claim]], opinions: list[bool]
) -> Result:
    checkworthy = [[one for one in made if one.fields["kind"] == "fact"] for made in split]
    facts = [
        (row["id"], groups, any(holds(one.text, groups) for one in made))
        for row, made in zip(rows, checkworthy, strict=True)
        for groups in row["facts"]
    ]
    all_ = [one for made in checkworthy for one in made]
    alone = [not unresolved(one.text) for one in all_]
    spans = [
        0 <= (one.start or 0) < (one.end or 0) <= len(row["response"])
        for row, made in zip(rows, split, strict=True)
        for one in made
    ]
    sentences = sum(len(pieces(row["response"])) for row in rows)
    shares = {
        "facts_found": _share([found for *_, found in facts]),
        "stand_alone": _share(alone),
        "spans_exact": _share(spans),
        "opinions_kept_out": _share(opinions),
    }
    figures = {
        "benchmark": "extraction",
        "split": asked.split,
        "sentences": sentences,
        "claims": len(all_),
        "facts": len(facts),
        **shares,
    }
    counts = [str(sentences), str(len(all_)), str(len(facts))]
    row = [*counts, *(f"{100 * share:.1f} %" for share in shares.values())]
    notes = [f"not found in {name}: {groups}" for name, groups, found in facts if not found]
    notes += [f"does not stand alone: {one.text}" for one in all_ if unresolved(one.text)]
    notes = notes if asked.split == "dev" else []
    return Result(
        "extraction", figures, [Table(f"extraction ({asked.split})", COLUMNS, [row])], notes
    )


def holds(claim: str, groups: Groups) -> bool:
    """True if a claim holds a string of each group, whatever the case.

    >>> holds("Marie Curie won it in 1903.", [["Curie"], ["1903", "nineteen hundred and three"]])
    True
    """
    text = claim.casefold()
    return all(any(one.casefold() in text for one in group) for group in groups)


async def _kept_out(row: dict[str, Any], made: Sequence[Claim], tools: Tools) -> list[bool]:
    """For each opinion of a response: no claim with its words is taken for a fact."""
    kept = []
    for opinion in row.get("opinions", []):
        same = [one for one in made if opinion.casefold() in one.text.casefold()]
        facts = [one for one in same if one.fields["kind"] == "fact"]
        kept.append(all([await worth.is_opinion(one.text, tools) for one in facts]))
    return kept


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 0.0


def _rows() -> list[dict[str, Any]]:
    text = resources.files("verifier.evals").joinpath("extraction.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


BENCH = Benchmark(
    "extraction",
    "sentences with planted facts (packaged)",
    lambda _: frozenset({Part.MODEL}),
    _run,
    needs_data=False,
)
