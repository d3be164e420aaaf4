"""From what a judge and the code see to probabilities that mean what they say.

Multinomial logistic regression over a few features: the judge's log-probabilities, and whether
the best passage holds the claim's words, numbers and names, which small models overlook. Without
the other features this is the matrix scaling of Guo et al. (arXiv 1706.04599, section 4.2).

The numbers stand in calibration.toml with the data they were fitted on; `scripts/calibrate` makes
them. They belong to one model and one prompt file: with another, the judge is taken as it is.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from verifier import evidence
from verifier.values import Evidence, Label
from verifier.words import folded, is_number, names

FILE = Path(__file__).with_name("calibration.toml")

CLASSES = (Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH_EVIDENCE)

FLOOR = -12.0
"""Log-probabilities below this are all alike: the server rounds them off."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of one fit: a row a class of `CLASSES`, a column a feature of `features`."""

    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]

    def apply(self, values: Sequence[float]) -> dict[Label, float]:
        """Probability of each class.

        >>> Calibration(((1.0,), (0.0,), (0.0,)), (0.0, 0.0, 0.0)).apply([0.0])[Label.REFUTED]
        0.3333333333333333
        """
        scores = [
            sum(weight * value for weight, value in zip(row, values, strict=True)) + bias
            for row, bias in zip(self.weights, self.bias, strict=True)
        ]
        return dict(zip(CLASSES, softmax(scores), strict=True))


def features(
    claim: str, found: Sequence[Evidence], logprobs: Mapping[Label, float]
) -> tuple[float, ...]:
    """What the probabilities rest on.

    Returns:
        The judge's three log-probabilities; the share of the claim's telling words in the passage
        that holds most of them, and in all passages together; and 1 or 0 for: a number, a name of
        the claim is not in the best passage.
    """
    best = max(found, key=lambda one: evidence.coverage(claim, [one]))
    held = set(folded(f"{best.title} {best.text}"))
    together = replace(best, text=" ".join(f"{one.title} {one.text}" for one in found))
    missing = [name for name in names(claim) if name not in held]
    judged = (max(logprobs[label], FLOOR) for label in CLASSES)
    numbers = float(any(is_number(name) for name in missing))
    others = float(any(not is_number(name) for name in missing))
    shares = evidence.coverage(claim, [best]), evidence.coverage(claim, [together])
    return (*judged, *shares, numbers, others)


def probabilities(
    model: str,
    digest: str,
    claim: str,
    found: Sequence[Evidence],
    logprobs: Mapping[Label, float],
) -> dict[Label, float]:
    """Calibrated probabilities, or the judge's own where nothing was fitted for it."""
    fitted = find(model, digest)
    if fitted is None:
        return dict(zip(CLASSES, softmax([logprobs[label] for label in CLASSES]), strict=True))
    return fitted.apply(features(claim, found, logprobs))


@cache
def find(model: str, digest: str) -> Calibration | None:
    """The fit for a model with a prompt file, or None."""
    for row in tomllib.loads(FILE.read_text("utf-8")).get("label", []):
        if (row["model"], row["prompt"]) == (model, digest):
            return Calibration(tuple(map(tuple, row["weights"])), tuple(row["bias"]))
    return None


def softmax(scores: Sequence[float]) -> list[float]:
    """Positive numbers that sum to 1, in the same order.

    >>> softmax([0.0, 0.0])
    [0.5, 0.5]
    """
    top = max(scores)
    exponentials = [math.exp(score - top) for score in scores]
    return [value / sum(exponentials) for value in exponentials]
