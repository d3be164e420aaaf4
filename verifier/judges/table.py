"""Which judges there are."""

from verifier.judges import label
from verifier.task import Judge

JUDGES: dict[str, Judge] = {
    "label": label.judge,
}
