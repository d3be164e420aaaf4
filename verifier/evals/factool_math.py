"""FacTool's maths: calculations of ChatGPT's answers to GSM-Hard (arXiv 2307.13528, section 5)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verifier.evals import data
from verifier.evals.labelled import Gold, Labelled, Published, Row, numbered
from verifier.tasks import TASKS
from verifier.values import Claim, Response

SOURCE = "arXiv 2307.13528, GPT-4; as cited by others, not checked in the paper"


def load(folder: Path) -> Iterator[Row]:
    """Rows of `factool_math.jsonl`; calculations without a label are left out."""
    for where, row in data.rows(folder, "factool_math", "math"):
        response = data.field(row, "response", where)
        name = str(row.get("id", where.rpartition(" ")[2]))
        label = row.get("label")
        yield Row(
            Response(name, response, str(row.get("prompt", "")), "math"),
            label if isinstance(label, bool) else None,
            numbered([_gold(one, where) for one in row.get("claims", []) if _is_labelled(one)]),
        )


def _is_labelled(one: dict[str, Any]) -> bool:
    return isinstance(one.get("label"), bool)


def _gold(one: dict[str, Any], where: str) -> Gold:
    claim = data.field(one, "claim", where)
    expression = str(data.field(claim, "math_calculation", where))
    stated = str(data.field(claim, "calculated_answer", where))
    fields = {"task": "math", "kind": "calculation", "expression": expression, "stated": stated}
    return Gold(Claim("", f"{expression} = {stated}", fields=fields), bool(one["label"]))


BENCH = Labelled(
    "factool-math",
    TASKS["math"],
    load,
    (
        Published("FacTool", "claim", 98.24, SOURCE),
        Published("FacTool", "response", 98.97, SOURCE),
    ),
)
