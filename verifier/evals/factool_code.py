"""FacTool's code: ChatGPT's answers to HumanEval (arXiv 2307.13528, section 5)."""

from collections.abc import Iterator
from pathlib import Path

from verifier.evals import data
from verifier.evals.labelled import Labelled, Published, Row
from verifier.tasks import TASKS
from verifier.values import Response

SOURCE = "arXiv 2307.13528, GPT-4; as cited by others, the two figures look doubtful"


def load(folder: Path) -> Iterator[Row]:
    """Rows of `factool_code.jsonl`; a response is one claim."""
    for where, row in data.rows(folder, "factool_code", "code"):
        name = str(row.get("id", where.rpartition(" ")[2]))
        fields = {"entry_point": str(row["entry_point"])} if row.get("entry_point") else {}
        response = data.field(row, "response", where)
        prompt = str(row.get("prompt", ""))
        label = row.get("label")
        yield Row(
            Response(name, response, prompt, "code", fields),
            label if isinstance(label, bool) else None,
        )


BENCH = Labelled(
    "factool-code",
    TASKS["code"],
    load,
    (
        Published("FacTool", "claim", 98.97, SOURCE),
        Published("FacTool", "response", 92.11, SOURCE),
    ),
)
