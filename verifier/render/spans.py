"""Where the claims stand in the response, and the quote in its passage.

Does not colour or escape anything: `terminal` and `html` do, each in its own way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from verifier.values import Evidence, Label, Verdict

SEVERITY: tuple[Label, ...] = (
    Label.REFUTED,
    Label.CONFLICTING,
    Label.FAILED,
    Label.NOT_ENOUGH_EVIDENCE,
    Label.SUPPORTED,
    Label.NOT_CHECKWORTHY,
)
"""Worst first. Words shared by several claims show the worst of their verdicts."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of the response under the same claims."""

    text: str
    claims: tuple[int, ...] = ()
    """Numbers of the claims taken from these words; 1 is the first verdict. Worst first."""
    label: Label | None = None
    """The worst verdict among `claims`; None outside all claims."""
    ends: tuple[int, ...] = ()
    """Numbers of the claims whose words end here, ascending: their markers follow the text."""


def split(text: str, verdicts: Sequence[Verdict]) -> tuple[Run, ...]:
    """Cuts a response where claims start and end. The runs join to exactly the text.

    Spans may overlap, nest or coincide. A claim without a span, or with one that does not fit
    the text, marks nothing (it is still listed among the claims).

    >>> from verifier.values import Claim
    >>> refuted = Verdict(Claim("a", "", 0, 7), Label.REFUTED)
    >>> supported = Verdict(Claim("b", "", 3, 7), Label.SUPPORTED)
    >>> for run in split("It rains.", [supported, refuted]):
    ...     print(repr(run.text), run.claims, run.label, run.ends)
    'It ' (2,) refuted ()
    'rain' (2, 1) refuted (1, 2)
    's.' () None ()
    """
    spans = {n: span for n, v in enumerate(verdicts, 1) if (span := _span(v, len(text)))}
    cuts = sorted({0, len(text), *(edge for span in spans.values() for edge in span)})
    starting: dict[int, list[int]] = {}
    ending: dict[int, list[int]] = {}
    for number, (start, end) in spans.items():
        starting.setdefault(start, []).append(number)
        ending.setdefault(end, []).append(number)
    runs: list[Run] = []
    here: set[int] = set()
    for start, end in pairwise(cuts):
        here = (here | set(starting.get(start, ()))) - set(ending.get(start, ()))
        claims = tuple(sorted(here, key=lambda n: (SEVERITY.index(verdicts[n - 1].label), n)))
        label = verdicts[claims[0] - 1].label if claims else None
        runs.append(Run(text[start:end], claims, label, tuple(ending.get(end, ()))))
    return tuple(runs)


def _span(verdict: Verdict, length: int) -> tuple[int, int] | None:
    """The claim's span if it holds at least one character of the text."""
    start, end = verdict.claim.start, verdict.claim.end
    if start is None or end is None or not 0 <= start < end <= length:
        return None
    return start, end


def around_quote(evidence: Evidence) -> tuple[str, str, str] | None:
    """Cuts a passage into what stands before its quote, the quote, and what stands after.

    None if there is no quote, or it is not in the passage word for word where it says it is.

    >>> around_quote(Evidence("passage", "It rains. A lot.", "p", quote="A lot.", quote_start=10))
    ('It rains. ', 'A lot.', '')
    >>> around_quote(Evidence("passage", "It rains.", "p", quote="It pours."))
    """
    start, quote, text = evidence.quote_start, evidence.quote, evidence.text
    if not quote or start is None or start < 0 or not text.startswith(quote, start):
        return None
    return text[:start], quote, text[start + len(quote) :]


def cited(verdict: Verdict) -> tuple[Evidence, ...]:
    """The evidence a verdict rests on, best first; indexes that point nowhere are passed over."""
    return tuple(verdict.evidence[i] for i in verdict.cited if 0 <= i < len(verdict.evidence))
