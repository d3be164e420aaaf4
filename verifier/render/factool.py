"""A report in the JSON that FacTool's own program returns (arXiv 2307.13528; its `run`).

Its `factuality` knows true and false only: here it is true for `supported` and false for all else,
so what is undecided or failed never becomes true, as it does there. Our label stands beside it.
Claims that are not worth checking are no claims to FacTool and are left out.
"""

import json
from collections.abc import Mapping
from typing import Any

from verifier.render.json_ import plain
from verifier.values import Label, Report, Verdict

CATEGORIES: Mapping[str, str] = {"code": "code", "math": "math", "scilit": "scientific"}
"""Our tasks and the names that FacTool has for them; all others are `kbqa`."""


def render(report: Report) -> dict[str, Any]:
    """The report as FacTool's dictionary for a list of one response."""
    verdicts = [one for one in report.verdicts if one.label is not Label.NOT_CHECKWORTHY]
    true = [one.label is Label.SUPPORTED for one in verdicts]
    row = {
        "prompt": report.response.prompt,
        "response": report.response.text,
        "category": CATEGORIES.get(report.task, "kbqa"),
        "claims": [_claim(one) for one in verdicts],
        "queries": [[query.text for query in one.queries] for one in verdicts],
        "evidences": [[evidence.text for evidence in one.evidence] for one in verdicts],
        "sources": [[found.url or found.origin for found in one.evidence] for one in verdicts],
        "claim_level_factuality": [_factuality(one) for one in verdicts],
        "response_level_factuality": all(true) if verdicts else None,
    }
    return {
        "average_claim_level_factuality": sum(true) / len(true) if true else None,
        "average_response_level_factuality": float(all(true)) if true else None,
        "detailed_information": [row],
    }


def dumps(report: Report, indent: int | None = None) -> str:
    """The same as JSON text; one line if `indent` is None."""
    return json.dumps(plain(render(report)), ensure_ascii=False, indent=indent)


def _claim(verdict: Verdict) -> dict[str, str]:
    """The claim under the names that FacTool's task gives to its parts."""
    fields = verdict.claim.fields
    if fields.get("task") == "math" and "expression" in fields:
        stated = fields.get("stated", "")
        return {"math_calculation": fields["expression"], "calculated_answer": stated}
    if fields.get("task") == "scilit":
        return {
            "paper_title": fields.get("title", ""),
            "paper_author(s)": fields.get("authors", ""),
            "paper_pub_year": fields.get("year", ""),
        }
    return {"claim": verdict.claim.text}


def _factuality(verdict: Verdict) -> dict[str, Any]:
    return {
        "reasoning": verdict.reason,
        "error": verdict.reason if verdict.label is Label.REFUTED else "None",
        "correction": verdict.correction or "None",
        "factuality": verdict.label is Label.SUPPORTED,
        "claim": verdict.claim.text,
        "label": verdict.label.value,
    }
