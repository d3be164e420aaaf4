"""Figures of one response: counts of each label, and precision."""

from collections import Counter
from collections.abc import Sequence

from verifier.values import Label, Verdict


def scores(verdicts: Sequence[Verdict]) -> dict[str, float | int | None]:
    """Counts per label, `claims` (those worth checking) and `precision`.

    Precision is supported / claims, so that an undecided or failed claim is never counted in the
    response's favour; None where there is nothing to check (never 0, never NaN). Opinions are
    left out of it (SAFE, arXiv 2403.18802, section 4: only supported and not supported count).

    >>> from verifier.values import Claim
    >>> labels = [Label.SUPPORTED, Label.FAILED, Label.NOT_CHECKWORTHY]
    >>> scores([Verdict(Claim("1", "a"), label) for label in labels])["precision"]
    0.5
    """
    counts = Counter(verdict.label for verdict in verdicts)
    claims = len(verdicts) - counts[Label.NOT_CHECKWORTHY]
    precision = counts[Label.SUPPORTED] / claims if claims else None
    return {
        "claims": claims,
        **{str(label): counts[label] for label in Label},
        "precision": precision,
    }
