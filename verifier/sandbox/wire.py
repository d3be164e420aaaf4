"""Reads what the driver and its children tell, and trusts none of it.

The driver's own words (status, seconds) are ours. What a child says passes through it unread, and
is taken apart here with every step bounded: it can be any text.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from verifier.sandbox.errors import SandboxFailed
from verifier.sandbox.program import Call, Items, Limits, Opaque, Outcome, Program, Run

SHOWN = 300
"""Characters of an error's message that are kept."""


def request(program: Program, limits: Limits, uid: int, folder: str, *, counted: bool) -> bytes:
    """The line that the driver reads.

    Args:
        program: what is run.
        limits: what it may use.
        uid: the user that the driver becomes; 0: stays who it is.
        folder: the only one that may be written in.
        counted: whether the kernel counts processes of the sandbox alone.
    """
    own = {
        "seconds": limits.seconds,
        "total": limits.total,
        "memory": limits.memory,
        "file": limits.file,
        "output": limits.output,
        "processes": limits.processes if counted else None,
        "uid": uid,
        "folder": folder,
    }
    calls = [_call(one) for one in program.calls]
    return json.dumps({"source": program.source, "calls": calls, "limits": own}).encode() + b"\n"


def replies(lines: Sequence[bytes], calls: int) -> list[Run]:
    """The source's own run and one for each call.

    Raises:
        SandboxFailed: the driver did not say something about each, so it was stopped or broke.
    """
    try:
        told = [json.loads(line) for line in lines]
        runs = [_run(one) for one in told if one["n"] < calls]
    except (ValueError, LookupError, TypeError) as error:
        raise SandboxFailed(f"the sandbox's own process broke: {error}") from error
    if [one["n"] for one in told] != list(range(-1, calls)):
        raise SandboxFailed(f"the sandbox told of {len(told) - 1} of {calls} calls, then ended")
    return runs


def _call(call: Call) -> dict[str, str]:
    if call.expression:
        return {"expression": call.expression}
    return {"entry": call.entry, "args": call.arguments}


def _run(told: Mapping[str, Any]) -> Run:
    outcome = Outcome(told["status"])
    events = tuple(_event(line[1:]) for line in told["lines"] if line.startswith("!"))
    code = told.get("code", 0)
    common: dict[str, Any] = {
        "stdout": told["stdout"],
        "stderr": told["stderr"],
        "seconds": told["seconds"],
        "events": events,
    }
    if outcome is Outcome.OK:
        return _answered(told["lines"][-1][1:], common)
    said = {Outcome.EXITED: f"exit code {code}", Outcome.CRASHED: f"signal {-code}"}
    return Run(outcome, error=said.get(outcome, ""), **common)


def _answered(text: str, common: Mapping[str, Any]) -> Run:
    """The run whose child said `text`; forged if that is not what our own code in it says."""
    try:
        answer = json.loads(text)
        if "value" in answer:
            after = decode(answer["after"]) if "after" in answer else None
            return Run(Outcome.OK, decode(answer["value"]), after, **common)
        if answer.get("memory"):
            return Run(Outcome.MEMORY, **common)
        if answer.get("large"):
            return Run(Outcome.OUTPUT, error="the value it returned is too large", **common)
        error = f"{str(answer['error'])[:80]}: {str(answer['said'])[:SHOWN]}".removesuffix(": ")
        line, loaded = int(answer["line"]), answer["where"] == "call"
        return Run(Outcome.ERROR, error=error, line=line, loaded=loaded, **common)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return Run(Outcome.FORGED, **common)


def _event(text: str) -> str:
    try:
        what, on = json.loads(text)
        return f"{str(what)[:80]}: {str(on)[:200]}"
    except (ValueError, TypeError, RecursionError):
        return "something that could not be read"


def decode(coded: Sequence[Any]) -> object:
    """The value that `inside/encode.py` wrote as nested lists.

    Raises:
        ValueError, KeyError, TypeError, IndexError, RecursionError: it is no such list.

    >>> decode(["l", [["i", "0x1"], ["s", "a"], ["t", []]]])
    [1, 'a', ()]
    """
    return _DECODERS[coded[0]](coded)


def _all(coded: Sequence[Any]) -> list[object]:
    return [decode(one) for one in coded[1]]


_DECODERS: Mapping[str, Callable[[Sequence[Any]], object]] = {
    "n": lambda _: None,
    "b": lambda coded: coded[1] is True,
    "i": lambda coded: int(coded[1], 16),
    "f": lambda coded: float(coded[1]),
    "c": lambda coded: complex(coded[1]),
    "s": lambda coded: str(coded[1]),
    "y": lambda coded: bytes.fromhex(coded[1]),
    "l": _all,
    "t": lambda coded: tuple(_all(coded)),
    "S": lambda coded: frozenset(_all(coded)),
    "g": lambda coded: Items(tuple(_all(coded))),
    "d": lambda coded: {decode(key): decode(value) for key, value in coded[1]},
    "o": lambda coded: Opaque(str(coded[1]), str(coded[2])),
}
