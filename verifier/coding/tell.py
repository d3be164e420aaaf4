"""From findings to verdicts: each with one plain sentence, what would be right, and the runs."""

import re
from collections.abc import Sequence

from verifier.coding.compare import show
from verifier.coding.decide import Point
from verifier.coding.problem import Problem
from verifier.coding.snippets import Snippet
from verifier.coding.source import defined, parsed
from verifier.errors import PartFailed
from verifier.sandbox import Outcome, Ran, Run
from verifier.values import Claim, Evidence, Label, Verdict, Why

ENOUGH = 4
"""Inputs that must be decisive for code to be supported; fewer if there are no more inputs."""

SHOWN = 8
"""Runs that a verdict shows at most."""

TEXT = 600
"""Characters of one run that are shown."""

ASKED = {
    "using the network": (
        r"\b(?:https?|url|download|web ?page|website|socket|request|api|fetch|network)\b"
    ),
    "deleting files": r"\b(?:delet|remov|clean|eras|mov|renam)\w*\b.*\b(?:file|folder|director)",
    "changing files": r"\b(?:copy|copies|mov|renam|link|permission|chmod|file)\w*\b",
    "writing files": (
        r"\b(?:writ|sav|stor|creat|log|export|append)\w*\b.*\b(?:file|folder|director|disk|log)"
    ),
    "starting programs": r"\b(?:subprocess|shell|command|program|script|execut)\w*\b",
    "sending signals": r"\b(?:signal|kill|terminate|process)\w*\b",
}
"""Words of a prompt that ask for what the sandbox forbids."""

ENDS = {
    Outcome.TIMEOUT: "does not end in time",
    Outcome.MEMORY: "uses too much memory",
    Outcome.OUTPUT: "writes or returns too much",
    Outcome.EXITED: "ends its process instead of returning",
    Outcome.CRASHED: "crashes the interpreter",
    Outcome.FORGED: "writes to the channel of its result",
    Outcome.UNRUN: "was not run, as the time was used up",
}


def claim(entry: str, snippet: Snippet) -> str:
    """What a snippet claims.

    >>> claim("area", Snippet(0, 9, ""))
    'The function area does what the prompt asks for.'
    """
    if entry:
        return f"The function {entry} does what the prompt asks for."
    what = "Python" if snippet.language == "python" else snippet.language
    return f"This {what or 'block'} does what the prompt asks for."


def unread(claim: Claim, flaw: str) -> Verdict | None:
    """The verdict on what is not Python, or does not parse; None for all else."""
    language = claim.fields.get("language", "python")
    if language != "python":
        what = f"It is {language}" if language else "It is not Python"
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=f"{what}; only Python is run.")
    if not flaw:
        return None
    reason = f"It is not valid Python: {flaw}."
    return Verdict(claim, Label.REFUTED, reason=reason)


def without_function(claim: Claim, code: str, entry: str) -> Verdict:
    """The verdict where there is nothing to call."""
    tree = parsed(code)
    if not entry:
        reason = "It defines no function that could be called."
        return Verdict(claim, Label.NOT_CHECKWORTHY, reason=reason)
    if tree is not None and entry not in defined(tree):
        return Verdict(claim, Label.REFUTED, reason=f"It does not define {entry}.")
    return silent(claim, f"{entry} is not defined in a way that it could be called by itself.")


def by_itself(
    claim: Claim, prompt: str, problem: Problem, ran: Ran, tested: Sequence[Point]
) -> Verdict | None:
    """What runs of the snippet tell without any solution; None if they tell nothing.

    A forbidden act, a source that fails before any call, a test of the task that fails.
    """
    if ran.events:
        return _forbidden(claim, prompt, ran)
    if not ran.load.loaded or ran.load.outcome is not Outcome.OK:
        return _unloaded(claim, ran)
    missing = next((one for one in ran.runs if _is_missing(one)), None)
    if missing is not None:
        return silent(claim, f"It needs what the sandbox does not have: {missing.error}.")
    wrong = [one for one in tested if not one.agrees]
    if wrong:
        return _refuted(claim, wrong, tested, ran.strength)
    if not problem.task:
        return silent(claim, "Nothing says what the function should do.")
    return None


def compared(
    claim: Claim,
    problem: Problem,
    tested: Sequence[Point],
    points: Sequence[Point],
    strength: str,
) -> Verdict:
    """The verdict that tests and solutions together give."""
    decisive = [*tested, *(one for one in points if one.decisive)]
    wrong = [one for one in decisive if not one.agrees]
    if wrong:
        return _refuted(claim, wrong, decisive, strength)
    wanted = max(1, min(ENOUGH, len(tested) + len(points)))
    if len(decisive) < wanted:
        reason = (
            f"Independent solutions agree on {len(decisive)} of {len(points)} inputs only, "
            "which is too few to tell."
        )
        return silent(claim, reason, _evidence(decisive, strength))
    reason = f"{problem.entry} gives what is expected for all {len(decisive)} decisive inputs."
    evidence = _evidence(decisive, strength)
    return Verdict(
        claim,
        Label.SUPPORTED,
        reason=reason,
        evidence=evidence,
        cited=tuple(range(len(evidence))),
    )


def failed(claim: Claim, error: PartFailed, tested: Sequence[Point], ran: Ran) -> Verdict:
    """The verdict where the model or the sandbox broke, with what was found before."""
    passed = f"It passes {len(tested)} tests of the task; what is missing: " if tested else ""
    return Verdict(
        claim,
        Label.FAILED,
        reason=f"{passed}{error}",
        failed_part=error.part,
        evidence=_evidence(tested, ran.strength),
    )


def silent(claim: Claim, reason: str, evidence: tuple[Evidence, ...] = ()) -> Verdict:
    """Not enough evidence: there are runs, or there could be, but they do not tell."""
    label = Label.NOT_ENOUGH_EVIDENCE
    return Verdict(claim, label, reason=reason, why=Why.SILENT, evidence=evidence)


def _refuted(
    claim: Claim, wrong: Sequence[Point], decisive: Sequence[Point], strength: str
) -> Verdict:
    """Shows the plainest of the inputs that the snippet gets wrong."""
    worst = min(wrong, key=lambda one: (not one.given, len(str(one.call))))
    right = f"it should {_gives(worst, worst.expected, 'give', 'leave')}"
    others = [one for one in decisive if one is not worst]
    evidence = _evidence([worst, *sorted(others, key=lambda one: one.agrees)], strength)
    return Verdict(
        claim,
        Label.REFUTED,
        reason=f"{worst.call} {_did(worst)}; {right}{_says(worst)}.",
        correction=f"{worst.call} {_gives(worst, worst.expected)}.",
        evidence=evidence,
        cited=(0,),
    )


def _forbidden(claim: Claim, prompt: str, ran: Ran) -> Verdict:
    what = ran.events[0].partition(":")[0]
    evidence = tuple(
        _run_evidence(f"The sandbox stopped {one}", ran.strength) for one in ran.events
    )
    if re.search(ASKED.get(what, r"(?!)"), prompt, re.IGNORECASE | re.DOTALL):
        reason = f"It needs what the sandbox does not allow: {ran.events[0]}."
        return silent(claim, reason, evidence)
    reason = f"It tried what it was not asked for, and the sandbox stopped it: {ran.events[0]}."
    cited = tuple(range(len(evidence)))
    return Verdict(claim, Label.REFUTED, reason=reason, evidence=evidence, cited=cited)


def _unloaded(claim: Claim, ran: Ran) -> Verdict:
    """A source that fails before anything is called."""
    if _is_missing(ran.load):
        return silent(claim, f"It needs what the sandbox does not have: {ran.load.error}.")
    evidence = (_run_evidence(f"Loading the code: it {_ended(ran.load)}", ran.strength),)
    reason = f"The code fails before anything is called: it {_ended(ran.load)}."
    return Verdict(claim, Label.REFUTED, reason=reason, evidence=evidence, cited=(0,))


def _is_missing(run: Run) -> bool:
    """True if a package is not there, which is our lack and not the snippet's."""
    return run.error.startswith("ModuleNotFoundError")


def _did(point: Point) -> str:
    """What the snippet did, after the words of the call."""
    if point.run.outcome is Outcome.OK:
        return _gives(point, point.got)
    return _ended(point.run)


def _gives(point: Point, value: object, give: str = "gives", leave: str = "leaves") -> str:
    if point.in_place:
        return f"{leave} its arguments as {_shown(point, value)}"
    return f"{give} {_shown(point, value)}"


def _shown(point: Point, value: object) -> str:
    """A value; arguments without the brackets of their list."""
    return show(value)[1:-1] if point.in_place else show(value)


def _ended(run: Run) -> str:
    if run.outcome is Outcome.ERROR:
        return f"raises {run.error}"
    return ENDS[run.outcome]


def _says(point: Point) -> str:
    if point.given:
        return ", as the task says"
    return f", as {point.votes} of {point.voters} independent solutions do"


def _evidence(points: Sequence[Point], strength: str) -> tuple[Evidence, ...]:
    return tuple(
        _run_evidence(
            f"{one.call} {_did(one)}; expected {_shown(one, one.expected)}{_says(one)}", strength
        )
        for one in points[:SHOWN]
    )


def _run_evidence(text: str, strength: str) -> Evidence:
    return Evidence("run", text[:TEXT], f"sandbox:{strength}")
