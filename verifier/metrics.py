"""Figures of one response: counts of each label, and precision."""

from collections import Counter
from collections.abc import Sequence

from verifier.values import Label, Verdict


def scores(verdicts: Sequence[Verdict], at: Sequence[int] = ()) -> dict[str, float | int | None]:
    """Counts per label, `claims` (those worth checking), `precision`, and recall and F1 at each K.

    Precision is supported / claims, so that an undecided or failed claim is never counted in the
    response's favour; None where there is nothing to check (never 0, never NaN). Opinions are
    left out of it (SAFE, arXiv 2403.18802, section 4: only supported and not supported count).

    Recall at K is min(supported / K, 1) and F1@K its harmonic mean with precision, 0 if nothing is
    supported (SAFE, section 6).

    >>> from verifier.values import Claim
    >>> labels = [Label.SUPPORTED, Label.FAILED, Label.NOT_CHECKWORTHY]
    >>> scores([Verdict(Claim("1", "a"), label) for label in labels])["precision"]
    0.5
    >>> scores([Verdict(Claim("1", "a"), label) for label in labels], at=[2])["f1@2"]
    0.5
    """
    counts = Counter(verdict.label for verdict in verdicts)
    claims = len(verdicts) - counts[Label.NOT_CHECKWORTHY]
    precision = counts[Label.SUPPORTED] / claims if claims else None
    return {
        "claims": claims,
        **{str(label): counts[label] for label in Label},
        "precision": precision,
        **_at_k(counts[Label.SUPPORTED], precision, at),
    }


def _at_k(
    supported: int, precision: float | None, at: Sequence[int]
) -> dict[str, float | int | None]:
    found: dict[str, float | int | None] = {}
    for k in at:
        recall = min(supported / k, 1.0)
        found[f"recall@{k}"] = None if precision is None else recall
        if precision is None:
            found[f"f1@{k}"] = None
        else:
            total = precision + recall
            found[f"f1@{k}"] = 2 * precision * recall / total if total else 0.0
    return found
