"""The judges: one file each, and its line here."""

from verifier.judges import label
from verifier.task import Judge

JUDGES: dict[str, Judge] = {
    "label": label.judge,
}
