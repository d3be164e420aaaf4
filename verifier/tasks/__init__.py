"""The tasks: one file each, and its line here."""

from verifier.task import Part, Task
from verifier.tasks import auto, code, kbqa, longform, math, scilit

TASKS: dict[str, Task] = {
    "auto": Task("auto", auto.split, auto.check),
    "code": Task("code", code.split, code.check, needs=frozenset({Part.MODEL, Part.SANDBOX})),
    "kbqa": Task("kbqa", kbqa.split, kbqa.check),
    "longform": Task("longform", longform.split, longform.check, counts_recall=True),
    "math": Task("math", math.split, math.check, needs=frozenset()),
    "scilit": Task("scilit", scilit.split, scilit.check, needs=frozenset({Part.PAPERS})),
}
