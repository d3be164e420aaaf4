"""Labelled responses: what a task says of them beside what people said (FacTool's four sets).

With gold claims each is judged as it is given; without, the response is checked as a user's would
be. Of claims only `supported` counts as true. Responses are counted by two rules: true if nothing
is refuted (undecided claims are let pass, failed ones are not), and true if all is supported.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from verifier import pipeline
from verifier.evals.benchmark import Asked, Tell
from verifier.evals.counts import count, interval
from verifier.evals.data import half
from verifier.evals.result import Result, Table
from verifier.task import Part, Task, Tools
from verifier.values import Claim, Label, Report, Response, Status, Verdict

AT_ONCE = 32
"""Responses in flight at most."""

COLUMNS = ("judged", "n", "precision", "recall", "F1", "95 %", "F1 false", "accuracy")


@dataclass(frozen=True, slots=True)
class Gold:
    """A claim that people labelled."""

    claim: Claim
    true: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A response that people labelled, and its claims where the set has them."""

    response: Response
    true: bool | None
    claims: tuple[Gold, ...] = ()


@dataclass(frozen=True, slots=True)
class Published:
    """A figure of others, with where it stands."""

    system: str
    level: str
    f1: float
    source: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """One labelled set."""

    name: str
    task: Task
    load: Callable[[Path], Iterator[Row]]
    published: Sequence[Published] = ()
    covered: Callable[[Claim, Tools], bool] | None = None
    """True for a claim that the index can know of; those are scored apart as well."""

    def needs(self, asked: Asked) -> frozenset[Part]:
        """What the task needs; a lookup of given claims never needs the model at once."""
        return self.task.needs - {Part.MODEL} if asked.gold_claims else self.task.needs

    async def run(self, asked: Asked, tools: Tools, tell: Tell) -> Result:
        """Judge all rows that are asked for.

        Raises:
            InputError: the data is not as it must be.
        """
        rows = list(_wanted(self.load(_folder(asked)), asked))
        began = time.monotonic()
        judge = self._given if asked.gold_claims else self._whole
        judged = await _all(rows, lambda row: judge(row, tools), tell)
        seconds = time.monotonic() - began
        return _result(self, asked, judged, seconds, tools)

    async def _given(self, row: Row, tools: Tools) -> "Judged":
        checks = (
            pipeline.check_one(row.response, gold.claim, self.task, tools) for gold in row.claims
        )
        return Judged(row, tuple(await asyncio.gather(*checks)))

    async def _whole(self, row: Row, tools: Tools) -> "Judged":
        report = await pipeline.verify(row.response, self.task, tools)
        return Judged(row, report.verdicts, report)


@dataclass(frozen=True, slots=True)
class Judged:
    """A row and what was said of it; verdicts of gold claims are in their order."""

    row: Row
    verdicts: tuple[Verdict, ...]
    report: Report | None = None

    @property
    def unrefuted(self) -> bool:
        """True if the response was read and nothing in it was refuted, and nothing failed."""
        read = self.report is None or self.report.status is not Status.FAILED
        bad = (Label.REFUTED, Label.FAILED)
        return read and all(one.label not in bad for one in self.verdicts)

    @property
    def supported(self) -> bool:
        """True if there is something to check in it, and all of that is supported."""
        worth = [one.label for one in self.verdicts if one.label is not Label.NOT_CHECKWORTHY]
        return bool(worth) and set(worth) == {Label.SUPPORTED}


@dataclass
class _Lines:
    """Collects the lines of the table, and the same figures for programs."""

    rows: list[Sequence[str]] = field(default_factory=list)
    figures: dict[str, Mapping[str, object]] = field(default_factory=dict)

    def add(self, what: str, gold: Sequence[bool], said: Sequence[bool]) -> None:
        """One line: a level and a rule."""
        if not gold:
            return
        true, false = count(gold, said), count(gold, said, of=False)
        low, high = interval(gold, said)
        self.figures[what] = {
            "n": true.total,
            "precision": true.precision,
            "recall": true.recall,
            "f1": true.f1,
            "f1_interval": [low, high],
            "f1_false": false.f1,
            "accuracy": true.accuracy,
        }
        shares = (true.precision, true.recall, true.f1)
        cells = [f"{100 * one:.1f}" for one in shares]
        tail = [f"{100 * one:.1f}" for one in (false.f1, true.accuracy)]
        self.rows.append(
            [what, str(true.total), *cells, f"{100 * low:.1f}-{100 * high:.1f}", *tail]
        )


def _result(
    bench: Labelled, asked: Asked, judged: Sequence[Judged], seconds: float, tools: Tools
) -> Result:
    lines = _Lines()
    pairs = [
        (gold, verdict)
        for one in judged
        if asked.gold_claims
        for gold, verdict in zip(one.row.claims, one.verdicts, strict=True)
    ]
    _claims(lines, "claims", pairs)
    if bench.covered is not None:
        held = [pair for pair in pairs if bench.covered(pair[0].claim, tools)]
        _claims(lines, "claims that the index covers", held)
    for name, said in (
        ("responses, true if nothing is refuted", [one.unrefuted for one in judged]),
        ("responses, true if all is supported", [one.supported for one in judged]),
    ):
        _responses(lines, name, judged, said)
    labels = Counter(verdict.label for one in judged for verdict in one.verdicts)
    claims = sum(labels.values())
    figures = {
        "benchmark": bench.name,
        "split": asked.split,
        "gold_claims": asked.gold_claims,
        "responses": len(judged),
        "claims": claims,
        "labels": {str(label): labels[label] for label in Label},
        "seconds": seconds,
        "scores": lines.figures,
    }
    counted = ", ".join(f"{labels[one]} {one}" for one in Label if labels[one])
    speed = f"{claims / seconds:.1f} claims/s" if seconds else ""
    notes = [f"{len(judged)} responses, {claims} claims: {counted}.", f"{seconds:.1f} s, {speed}."]
    tables = [Table(f"{bench.name} ({asked.split})", COLUMNS, lines.rows), *_published(bench)]
    return Result(bench.name, figures, tables, notes, rows=[_row(one) for one in judged])


def _claims(lines: _Lines, name: str, pairs: Sequence[tuple[Gold, Verdict]]) -> None:
    said = [verdict.label is Label.SUPPORTED for _, verdict in pairs]
    lines.add(name, [gold.true for gold, _ in pairs], said)


def _responses(lines: _Lines, name: str, judged: Sequence[Judged], said: Sequence[bool]) -> None:
    """Against the label of the response, and against that of its claims where they are labelled."""
    by_label = [
        (one.row.true, so) for one, so in zip(judged, said, strict=True) if one.row.true is not None
    ]
    lines.add(name, [bool(gold) for gold, _ in by_label], [so for _, so in by_label])
    by_claims = [
        (one.row.claims, so) for one, so in zip(judged, said, strict=True) if one.row.claims
    ]
    gold = [all(claim.true for claim in claims) for claims, _ in by_claims]
    lines.add(f"{name}; gold: all its claims", gold, [so for _, so in by_claims])


def _published(bench: Labelled) -> list[Table]:
    if not bench.published:
        return []
    rows = [[one.system, one.level, f"{one.f1:.2f}", one.source] for one in bench.published]
    return [
        Table("published by others, not measured here", ("system", "level", "F1", "source"), rows)
    ]


def _row(one: Judged) -> Mapping[str, object]:
    return {
        "id": one.row.response.id,
        "true": one.row.true,
        "unrefuted": one.unrefuted,
        "verdicts": [
            {"claim": verdict.claim.text, "label": verdict.label.value, "reason": verdict.reason}
            for verdict in one.verdicts
        ],
    }


def _wanted(rows: Iterator[Row], asked: Asked) -> Iterator[Row]:
    taken = 0
    for row in rows:
        if asked.split in ("all", half(row.response.id)):
            if asked.limit is not None and taken >= asked.limit:
                return
            taken += 1
            yield row


async def _all(rows: Sequence[Row], judge: Callable, tell: Tell) -> list[Judged]:  # type: ignore[type-arg]
    """All rows judged, `AT_ONCE` at a time, in their order."""
    gate = asyncio.Semaphore(AT_ONCE)
    done = 0

    async def one(row: Row) -> Judged:
        nonlocal done
        async with gate:
            judged: Judged = await judge(row)
        done += 1
        tell(done, len(rows))
        return judged

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(row)) for row in rows]
    return [task.result() for task in tasks]


def _folder(asked: Asked) -> Path:
    assert asked.data is not None, "the command asks for --data"
    return asked.data


def numbered(claims: Sequence[Gold]) -> tuple[Gold, ...]:
    """Gold claims with ids from 1."""
    return tuple(
        replace(gold, claim=replace(gold.claim, id=str(n))) for n, gold in enumerate(claims, 1)
    )
