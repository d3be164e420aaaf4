"""FacTool's literature reviews: references that ChatGPT gave (arXiv 2307.13528, section 5)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verifier.evals import data
from verifier.evals.labelled import Gold, Labelled, Published, Row, numbered
from verifier.task import Tools
from verifier.tasks import TASKS
from verifier.values import Claim, Response

COVERED = 0.9
"""Likeness of two titles from which on the index is taken to know of a paper."""

SOURCE = "arXiv 2307.13528, GPT-4; as cited by others, another summary gives 95.24"


def load(folder: Path) -> Iterator[Row]:
    """Rows of `factool_scientific.jsonl`."""
    for where, row in data.rows(folder, "factool_scientific", "scientific"):
        response = data.field(row, "response", where)
        name = str(row.get("id", where.rpartition(" ")[2]))
        label = row.get("label")
        claims = [_gold(one, where) for one in row.get("claims", []) if "label" in one]
        yield Row(
            Response(name, response, str(row.get("prompt", "")), "scilit"),
            label if isinstance(label, bool) else None,
            numbered(claims),
        )


def covered(claim: Claim, tools: Tools) -> bool:
    """True if the papers index has a title like the one that is cited."""
    title = claim.fields.get("title", "")
    if tools.papers is None or not title:
        return False
    return any(one.similarity >= COVERED for one in tools.papers.similar(title, 1))


def _gold(one: dict[str, Any], where: str) -> Gold:
    claim = one.get("claim", one)
    given = {
        "title": str(data.field(claim, "paper_title", where)),
        "authors": str(claim.get("paper_author(s)", "") or ""),
        "year": str(claim.get("paper_pub_year", "") or ""),
    }
    fields = {"task": "scilit", "kind": "citation", **{k: v for k, v in given.items() if v}}
    return Gold(Claim("", given["title"], fields=fields), bool(one["label"]))


BENCH = Labelled(
    "factool-scilit",
    TASKS["scilit"],
    load,
    (
        Published("FacTool", "claim", 98.39, SOURCE),
        Published("FacTool", "response", 94.74, SOURCE),
    ),
    covered,
)
