"""Runs one call of untrusted code, in a process of its own, and tells what it returned."""

import contextlib
import json
import os
import resource
import signal
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .encode import Encoder, TooLarge
from .guard import guard

LITERALS = {"set": set, "inf": float("inf"), "nan": float("nan")}
"""Names in arguments: what has no literal of its own."""


def run(
    program: Mapping[str, Any], call: Mapping[str, str] | None, writes: Sequence[int], token: str
) -> None:
    """Run one call and never return."""
    code = 70  # of a failure of ours
    try:
        _shut_in(program["limits"], writes)
        say = _speaker(token)
        sys.addaudithook(guard(say, program["limits"]["folder"]))
        answer = _answer(program, call)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        say("=" + json.dumps(answer))
        code = 0
    finally:
        os._exit(code)


def _shut_in(limits: Mapping[str, Any], writes: Sequence[int]) -> None:
    """Only four open files: nothing to read, output, errors, and the answer."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    high = [os.dup2(one, 200 + n) for n, one in enumerate((nothing, *writes))]
    for number, one in enumerate(high):
        os.dup2(one, number, inheritable=number < 3)
    os.closerange(4, 4096)
    os.chdir(limits["folder"])
    cpu = int(limits["seconds"]) + 1
    for kind, most in (
        (resource.RLIMIT_AS, limits["memory"]),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, limits["processes"]),
    ):
        if most is not None:
            resource.setrlimit(kind, (most, most))


def _speaker(token: str) -> Callable[[str], None]:
    """A function that writes one line of the answer; knows `os.write` as it is now."""
    write, encode = os.write, str.encode

    def say(text: str) -> None:
        line = encode(token + text + "\n")
        while line:
            line = line[write(3, line) :]

    return say


def _answer(program: Mapping[str, Any], call: Mapping[str, str] | None) -> dict[str, Any]:
    """What the call returned or raised."""
    module = types.ModuleType("snippet")
    sys.modules["snippet"] = module
    where = "load"
    try:
        exec(compile(program["source"], "snippet.py", "exec", dont_inherit=True), module.__dict__)  # noqa: S102
        if call is None:
            return {"value": ["n"]}
        where = "call"
        args: list[Any] = []
        if "entry" in call:
            args = list(eval(call["args"], {"__builtins__": LITERALS}))  # noqa: S307
            value = getattr(module, call["entry"])(*args)
        else:
            value = eval(call["expression"], module.__dict__)  # noqa: S307
        encode = Encoder()
        after = encode(args) if value is None else ["n"]
        return {"value": encode(value), "after": after}
    except MemoryError:
        return {"memory": True}
    except TooLarge:
        return {"large": True}
    except BaseException as error:  # noqa: BLE001 - whatever untrusted code raises is its answer
        return {"error": type(error).__name__, "said": _said(error), "where": where, **_at(error)}


def _said(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return str(error.msg)
    try:
        return str(error)[:300]
    except Exception:  # noqa: BLE001 - an exception of theirs that cannot be shown
        return ""


def _at(error: BaseException) -> dict[str, int]:
    """The last line of the snippet that an error went through."""
    if isinstance(error, SyntaxError):
        return {"line": error.lineno or 0}
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == "snippet.py":
            line = step.tb_lineno
        step = step.tb_next
    return {"line": line}
