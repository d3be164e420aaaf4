"""Published methods, step by step as their papers have them: one file each, and its line here.

They exist to be compared with and to replicate figures. Each keeps its paper's steps and numbers;
the prompts are our own, and `--prompts DIR` swaps in others.
"""

from verifier.recipes import factool, factscore, fire, safe, selfcheck
from verifier.task import Part, Task

CLOSED_BOOK = frozenset({Part.MODEL})

RECIPES: dict[str, Task] = {
    "factool": Task("factool", factool.split, factool.check),
    "safe": Task("safe", safe.split, safe.check, counts_recall=True),
    "factscore": Task("factscore", factscore.split, factscore.check),
    "fire": Task("fire", fire.split, fire.check),
    "selfcheck-0": Task("selfcheck-0", selfcheck.split, selfcheck.check_0, CLOSED_BOOK),
    "selfcheck-3": Task("selfcheck-3", selfcheck.split, selfcheck.check_3, CLOSED_BOOK),
}
