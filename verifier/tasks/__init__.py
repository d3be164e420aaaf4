"""The tasks: one file each, and its line here."""

from verifier.task import Task
from verifier.tasks import kbqa

TASKS: dict[str, Task] = {
    "kbqa": Task("kbqa", kbqa.split, kbqa.check),
}
