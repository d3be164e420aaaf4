"""FacTool's knowledge QA: claims of ChatGPT's answers (arXiv 2307.13528, section 5)."""

from collections.abc import Iterator
from pathlib import Path

from verifier.evals import data
from verifier.evals.labelled import Gold, Labelled, Published, Row, numbered
from verifier.tasks import TASKS
from verifier.values import Claim, Response

SOURCE = "arXiv 2307.13528, GPT-4 and Google; as cited by others"

FIELDS = {"task": "kbqa", "kind": "fact", "language": "en"}


def load(folder: Path) -> Iterator[Row]:
    """Rows of `factool_knowledge_qa.jsonl`."""
    for where, row in data.rows(folder, "factool_knowledge_qa", "knowledge_qa"):
        name = str(row.get("id", where.rpartition(" ")[2]))
        label = row.get("label")
        claims = [
            Gold(Claim("", str(data.field(one, "claim", where)), fields=FIELDS), bool(one["label"]))
            for one in row.get("claims", [])
            if isinstance(one.get("label"), bool)
        ]
        yield Row(
            Response(name, data.field(row, "response", where), str(row.get("prompt", "")), "kbqa"),
            label if isinstance(label, bool) else None,
            numbered(claims),
        )


BENCH = Labelled(
    "factool-kbqa",
    TASKS["kbqa"],
    load,
    (
        Published("FacTool", "claim", 89.09, SOURCE),
        Published("FacTool", "response", 71.79, SOURCE),
    ),
)
