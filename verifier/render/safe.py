"""A report in the JSON that SAFE's own program writes (arXiv 2403.18802; eval/safe).

SAFE has three annotations. `Supported` and `Irrelevant` are our `supported` and `not_checkworthy`;
everything else is `Not Supported`, as it is there when nothing is found. Our label stands beside
it, so that a claim that failed can still be told from one that is false; SAFE drops the former.
"""

import json
from collections import Counter
from typing import Any

from verifier.render.json_ import plain
from verifier.values import Label, Report, Verdict

ANNOTATIONS = {Label.SUPPORTED: "Supported", Label.NOT_CHECKWORTHY: "Irrelevant"}
REFUSED = "Not Supported"


def render(report: Report) -> dict[str, Any]:
    """The report as SAFE's dictionary for one response."""
    statements = [_statement(report, one) for one in report.verdicts]
    counts = Counter(one["annotation"] for one in statements)
    return {
        "prompt": report.response.prompt,
        "response": report.response.text,
        "all_atomic_facts": _facts(statements),
        "checked_statements": statements,
        "revised_fact_jsonified_all": [{} for _ in statements],
        "past_steps_jsonified_all": [_steps(one) for one in report.verdicts],
        **{name: counts[name] for name in (*ANNOTATIONS.values(), REFUSED)},
    }


def dumps(report: Report, indent: int | None = None) -> str:
    """The same as JSON text; one line if `indent` is None."""
    return json.dumps(plain(render(report)), ensure_ascii=False, indent=indent)


def _statement(report: Report, verdict: Verdict) -> dict[str, Any]:
    claim = verdict.claim
    annotation = ANNOTATIONS.get(verdict.label, REFUSED)
    rated = verdict.label is not Label.NOT_CHECKWORTHY
    return {
        "sentence": claim.fields.get("sentence", report.response.text[claim.start : claim.end]),
        "atomic_fact": claim.fields.get("fact", claim.text),
        "self_contained_atomic_fact": claim.text,
        "relevance_data": None if rated else {"reason": verdict.reason},
        "rate_data": {"response": verdict.reason, "answer": annotation} if rated else None,
        "annotation": annotation,
        "label": verdict.label.value,
    }


def _facts(statements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The facts of each sentence, in the order of the sentences."""
    sentences: dict[str, list[str]] = {}
    for one in statements:
        sentences.setdefault(one["sentence"], []).append(one["atomic_fact"])
    return [{"sentence": sentence, "atomic_facts": facts} for sentence, facts in sentences.items()]


def _steps(verdict: Verdict) -> dict[str, list[dict[str, str]]]:
    """What was searched for, and what each query brought."""
    return {
        "google_searches": [
            {
                "query": query.text,
                "result": " ".join(one.text for one in verdict.evidence if one.query == query.text),
            }
            for query in verdict.queries
        ]
    }
