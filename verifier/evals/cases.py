"""Cases: inputs with expected behaviour. Code checks what it can, the rest is listed to read.

A line is `{"id", "task", "prompt", "response", "expect": {"status", "claims", "verdicts":
[{"about", "label" | "label_any"}], "must": [...], "must_not": [...], "setup": {...}}}`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from corpora.passage import Passage
from verifier import pipeline
from verifier.evals import data
from verifier.evals.benchmark import Asked, Benchmark, Tell
from verifier.evals.memory import ListSearch
from verifier.evals.result import Result, Table
from verifier.references import unresolved
from verifier.structure import pieces
from verifier.task import Part, Task, Tools
from verifier.tasks import TASKS
from verifier.values import Label, Report, Response, Verdict
from verifier.words import folded

NAMES: Mapping[str, str] = {"longfact": "longform", "scientific": "scilit"}
"""Tasks that the cases call otherwise."""

LABELS: Mapping[str, Label] = {
    "nei": Label.NOT_ENOUGH_EVIDENCE,
    "not_found": Label.NOT_ENOUGH_EVIDENCE,
}

LONG = 60_000
"""Words of a passage that a case asks to be made up."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one case."""

    name: str
    labels: tuple[str, ...]
    problems: tuple[str, ...]
    to_read: tuple[str, ...]


def _has_no(report: Report, label: Label) -> bool:
    return all(one.label is not label for one in report.verdicts)


def _has(part: Callable[[Verdict], str], *wanted: str) -> Callable[[Report], bool]:
    """True if one verdict says all the words in a part of it; what the claim says is no answer."""
    return lambda report: any(
        set(folded(" ".join(wanted))) <= set(folded(part(one))) for one in report.verdicts
    )


def _reason(verdict: Verdict) -> str:
    return verdict.reason


def _correction(verdict: Verdict) -> str:
    return verdict.correction


def _claim(verdict: Verdict) -> str:
    return verdict.claim.text


def _refuted(*wanted: str) -> Callable[[Report], bool]:
    """Exactly so many claims are refuted, one with each of the words."""

    def check(report: Report) -> bool:
        texts = [one.claim.text for one in report.verdicts if one.label is Label.REFUTED]
        return len(texts) == len(wanted) and all(any(w in t for t in texts) for w in wanted)

    return check


MUST: Mapping[str, Callable[[Report], bool]] = {
    "correction names 20 July 1969": _has(_correction, "20 July 1969"),
    "unit mismatch (feet vs metres) named in the reason": _has(_reason, "feet", "metres"),
    "no revised claim contains she/it/her/another without its referent": lambda report: (
        not any(unresolved(one.claim.text) for one in report.verdicts)
    ),
    "'eight years later' is resolved to 1911": _has(_claim, "1911"),
    "exactly two sentences": lambda report: len(pieces(report.response.text)) == 2,
    "opinion left out of the precision denominator": lambda report: (
        any(one.label is Label.NOT_CHECKWORTHY for one in report.verdicts)
        and report.scores["claims"]
        == sum(one.label is not Label.NOT_CHECKWORTHY for one in report.verdicts)
    ),
    "no LLM or retrieval call made": lambda report: (
        report.usage.calls == report.usage.searches == 0
    ),
    "refuted exactly: iron 27, tungsten 47, uranium 29": _refuted("27", "47", "29"),
    "response-level: refuted": lambda report: not _has_no(report, Label.REFUTED),
    "true authors Kingma and Ba shown": _has(_correction, "Kingma", "Ba"),
    "year difference reported as preprint/published, not as error": _has(_reason, "2018", "2019"),
    "sandbox event recorded": lambda report: any(
        "sandbox stopped" in one.text for verdict in report.verdicts for one in verdict.evidence
    ),
    "found although the index has the name with diacritics": lambda report: any(
        not one.title.isascii() for verdict in report.verdicts for one in verdict.evidence
    ),
}
"""What code can check of the texts under `must`."""

MUST_NOT: Mapping[str, Callable[[Report], bool]] = {
    "supported": lambda report: any(one.label is Label.SUPPORTED for one in report.verdicts),
    "zero claims": lambda report: not report.verdicts,
    "refuted for 64.5833 != 64.58": lambda report: not _has_no(report, Label.REFUTED),
    "refuted because nothing was found": lambda report: not _has_no(report, Label.REFUTED),
}
"""What code can check of the texts under `must_not`: true where it happened."""


def _needs(asked: Asked) -> frozenset[Part]:
    tasks = [_task(row, where) for where, row in _rows(asked)]
    return frozenset().union(*(task.needs for task in tasks)) - {Part.PAPERS}


async def _run(asked: Asked, tools: Tools, tell: Tell) -> Result:
    rows = list(_rows(asked))
    gate, done, checked = asyncio.Semaphore(8), 0, []

    async def one(where: str, row: dict[str, Any]) -> Checked:
        nonlocal done
        async with gate:
            made = await _case(row, where, tools)
        done += 1
        tell(done, len(rows))
        return made

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(where, row)) for where, row in rows]
    checked = [task.result() for task in tasks]
    failed = [one for one in checked if one.problems]
    lines = [
        [
            one.name,
            "FAIL" if one.problems else "pass",
            ", ".join(one.labels),
            "; ".join(one.problems),
        ]
        for one in checked
    ]
    figures = {
        "benchmark": "cases",
        "cases": len(checked),
        "passed": len(checked) - len(failed),
        "failed": [one.name for one in failed],
    }
    reading = [f"{one.name}: read whether {text}" for one in checked for text in one.to_read]
    notes = [f"{len(checked) - len(failed)} of {len(checked)} pass what code can check.", *reading]
    table = Table("cases", ("case", "result", "labels", "what is wrong"), lines)
    out = [{"id": one.name, "labels": one.labels, "problems": one.problems} for one in checked]
    return Result("cases", figures, [table], notes, passed=not failed, rows=out)


async def _case(row: dict[str, Any], where: str, tools: Tools) -> Checked:
    name, expect = str(data.field(row, "id", where)), row.get("expect", {})
    fields = {"entry_point": expect["entry_point"]} if "entry_point" in expect else {}
    text, prompt = data.field(row, "response", where), row.get("prompt", "")
    response = Response(name, text, prompt, str(row["task"]), fields)
    if (setup := expect.get("setup")) is not None:
        tools = replace(tools, search=ListSearch(_passages(setup)))
    report = await pipeline.verify(response, _task(row, where), tools)
    problems = [*_status(report, expect), *_labels(report, expect.get("verdicts", []))]
    problems += [
        f"not so: {one}" for one in expect.get("must", []) if one in MUST and not MUST[one](report)
    ]
    unwanted = expect.get("must_not", [])
    problems += [
        f"happened: {one}" for one in unwanted if one in MUST_NOT and MUST_NOT[one](report)
    ]
    problems += _spans(report)
    read = [one for one in expect.get("must", []) if one not in MUST]
    read += [f"not: {one}" for one in unwanted if one not in MUST_NOT]
    labels = tuple(one.label.value for one in report.verdicts) if len(report.verdicts) < 9 else ()
    return Checked(
        name, labels or (f"{len(report.verdicts)} claims",), tuple(problems), tuple(read)
    )


def _status(report: Report, expect: Mapping[str, Any]) -> list[str]:
    problems = []
    if expect.get("status", report.status.value) != report.status.value:
        problems.append(f"status {report.status}, expected {expect['status']}")
    if "claims" in expect and len(report.verdicts) != expect["claims"]:
        problems.append(f"{len(report.verdicts)} claims, expected {expect['claims']}")
    if report.error:
        problems.append(report.error)
    return problems


def _labels(report: Report, expected: Sequence[Mapping[str, Any]]) -> list[str]:
    """Expected labels that no claim about the thing has; one claim may answer several."""
    problems = []
    for one in expected:
        wanted = [
            LABELS.get(name) or Label(name) for name in one.get("label_any", [one.get("label")])
        ]
        about = set(folded(str(one["about"])))
        ranked = sorted(report.verdicts, key=lambda verdict: -len(about & _words(verdict)))
        best = ranked[0] if ranked else None
        same = [v for v in ranked if best and len(about & _words(v)) == len(about & _words(best))]
        if len(ranked) > 1 and not about & _words(ranked[0]):
            same = []  # no claim is about it, so none can answer for it
        if not any(verdict.label in wanted or _part(verdict, about, wanted) for verdict in same):
            got = same[0].label.value if same else "no claim"
            problems.append(f"{one['about']}: {got}, expected {' or '.join(wanted)}")
    return problems


def _part(verdict: Verdict, about: set[str], wanted: Sequence[Label]) -> bool:
    """True if a citation is refuted for another part than the one that is expected to be right."""
    is_citation = verdict.claim.fields.get("task") == "scilit" and verdict.label is Label.REFUTED
    return (
        is_citation and Label.SUPPORTED in wanted and "title" in about and bool(verdict.correction)
    )


def _words(verdict: Verdict) -> set[str]:
    return set(folded(f"{verdict.claim.text} {verdict.reason}"))


def _spans(report: Report) -> list[str]:
    text = report.response.text
    for one in report.verdicts:
        start, end = one.claim.start, one.claim.end
        if start is None or end is None or not 0 <= start < end <= len(text):
            return [f"the span of {one.claim.text!r} is not in the response"]
    return []


def _passages(setup: Mapping[str, Any]) -> list[Passage]:
    if "corpus" in setup:
        return [Passage(str(one["id"]), one["text"], one["title"]) for one in setup["corpus"]]
    filler = "Cloud drifts over the hills and the wind turns again. "
    words = filler * (LONG // len(filler.split()))
    at = words.rfind(". ", 0, int(len(words) * 0.9)) + 2
    text = f"{words[:at]}Mount Kelvar rises to 3,120 metres. {words[at:]}"
    return [Passage("k", text, "Mount Kelvar")]


def _rows(asked: Asked) -> list[tuple[str, dict[str, Any]]]:
    found = list(data.rows(asked.data or Path(), "cases", "cases/cases"))
    return [one for one in found if str(one[1].get("id", "")).startswith(asked.only or ("",))]


def _task(row: Mapping[str, Any], where: str) -> Task:
    name = str(data.field(dict(row), "task", where))
    return TASKS[NAMES.get(name, name)]


BENCH = Benchmark("cases", "inputs with expected behaviour (one file of cases)", _needs, _run)
