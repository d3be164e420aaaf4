"""The nouns every part speaks in: frozen, slotted, sequences as tuples.

Character spans are half-open and index the response text as given:
`response.text[claim.start:claim.end]` is the words the claim was taken from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from corpora.passage import Passage


class Label(StrEnum):
    """What became of a claim. Every claim ends as exactly one of these."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    CONFLICTING = "conflicting"
    NOT_ENOUGH_EVIDENCE = "not_enough_evidence"
    NOT_CHECKWORTHY = "not_checkworthy"
    FAILED = "failed"


class Why(StrEnum):
    """Why a claim is `not_enough_evidence`."""

    NOT_IN_CORPUS = "not_in_corpus"
    SILENT = "silent"
    OUTSIDE_SNAPSHOT = "outside_snapshot"
    LANGUAGE_NOT_COVERED = "language_not_covered"


class Status(StrEnum):
    """What became of a response."""

    CHECKED = "checked"
    ABSTAINED = "abstained"
    """The response declines to answer; it makes no claim."""
    EMPTY = "empty"
    """There is no word and no number in it."""
    FAILED = "failed"
    """The response could not be read or split; `Report.error` says why."""


@dataclass(frozen=True, slots=True)
class Response:
    """A machine-written text to check, with the prompt that asked for it."""

    id: str
    text: str
    prompt: str = ""
    task: str = "auto"
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement that can be judged without reading the response."""

    id: str
    text: str
    start: int | None = None
    end: int | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked of an index."""

    text: str
    index: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something a verdict rests on.

    `score` is the retrieval score: higher is better, comparable within one query only.
    """

    kind: str
    """`passage`, `run` or `record`."""
    text: str
    origin: str
    """Passage id, run id or record id."""
    title: str = ""
    url: str = ""
    date: str = ""
    query: str = ""
    score: float = 0.0
    cut: bool = False
    """True if `text` is a stretch of a longer passage."""
    quote: str = ""
    """The sentence of `text` that bears on the claim, verbatim; empty if none was picked."""
    quote_start: int | None = None
    """Where `quote` starts in `text`; None if it does not occur there word for word."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end of one claim."""

    claim: Claim
    label: Label
    probability: float | None = None
    """Of `label`, in [0, 1]; None where no judge gave one."""
    probabilities: Mapping[str, float] = field(default_factory=dict)
    """Of each label the judge chose between; sums to 1, or is empty."""
    reason: str = ""
    why: Why | None = None
    """Set exactly when the label is `not_enough_evidence`."""
    failed_part: str = ""
    """Set exactly when the label is `failed`: split, search or judge."""
    correction: str = ""
    evidence: tuple[Evidence, ...] = ()
    cited: tuple[int, ...] = ()
    """Indexes into `evidence` of what the verdict rests on, best first."""
    queries: tuple[Query, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What a report cost."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    searches: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Wall seconds per stage, summed over claims (stages overlap), and `total` of the response."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What it takes to get the same report again."""

    version: str
    model: str
    model_revision: str
    index: str
    index_id: str
    snapshot_date: str
    encoder: str
    papers: str = ""
    """Name, id and snapshot date of the papers index; empty if none was open."""
    sandbox: str = ""
    """How strongly code is kept apart; empty if nothing could run."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Prompt file name -> first 12 digits of its SHA-256."""
    settings: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is known about one response."""

    response: Response
    task: str
    status: Status
    method: str = ""
    verdicts: tuple[Verdict, ...] = ()
    scores: Mapping[str, float | int | None] = field(default_factory=dict)
    provenance: Provenance | None = None
    usage: Usage = field(default_factory=Usage)
    error: str = ""
    notes: tuple[str, ...] = ()
    """Plain sentences for the reader, e.g. that the language is not covered."""


__all__ = [
    "Claim",
    "Evidence",
    "Label",
    "Passage",
    "Provenance",
    "Query",
    "Report",
    "Response",
    "Status",
    "Usage",
    "Verdict",
    "Why",
]
