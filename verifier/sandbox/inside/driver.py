"""The first process in the sandbox: starts a child for each call, measures, and tells.

It reads one program from standard input and starts a child of its own for each call, so that
calls share nothing but files in /tmp, and untrusted code never runs in this process. A child can
say what its call returned, and nothing else: time, exit, output and size are measured here. When
standard input closes, whoever started us has gone, and everything ends.

Each line on standard output tells of one call; `verifier/sandbox/wire.py` reads them.
"""

import contextlib
import importlib
import json
import os
import secrets
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from . import child

READ = 65536
"""Bytes read at a time."""

SHOWN = 2000
"""Bytes of a call's own output that are passed on."""

OFTEN = (
    *("typing", "math", "collections", "itertools", "functools", "re", "string", "heapq"),
    *("bisect", "copy", "operator", "random", "datetime", "decimal", "fractions", "statistics"),
)
"""Modules that are loaded once, before the children start, if the source names them."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36


def main() -> None:
    """Read the program, run its calls one after the other, tell of each."""
    program = json.loads(_line())
    limits: dict[str, Any] = program["limits"]
    _protect(limits["uid"])
    for name in OFTEN:
        if name in program["source"]:
            importlib.import_module(name)
    end = time.monotonic() + limits["total"]
    loaded = _run(program, None, end)
    _tell(-1, loaded)
    for number, call in enumerate(program["calls"]):
        if loaded["status"] != "ok":
            _tell(number, {**loaded, "stdout": "", "stderr": ""})
        elif time.monotonic() >= end:
            _tell(number, _outcome("unrun"))
        else:
            _tell(number, _run(program, call, end))


def _line() -> bytes:
    read = b""
    while not read.endswith(b"\n"):
        more = os.read(0, READ)
        if not more:
            sys.exit(2)
        read += more
    return read


def _protect(uid: int) -> None:
    """Become another user where we may, and hide this process from its children."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if uid:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    try:
        import ctypes

        for option, value in (
            (PR_SET_PDEATHSIG, signal.SIGKILL),  # changing the user has cleared it
            (PR_SET_DUMPABLE, 0),
            (PR_SET_CHILD_SUBREAPER, 1),
        ):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        return  # one lock less: the namespaces and the closing of standard input still hold


def _tell(number: int, outcome: Mapping[str, Any]) -> None:
    line = json.dumps({"n": number, **outcome}).encode() + b"\n"
    while line:
        line = line[os.write(1, line) :]


def _outcome(status: str, **more: object) -> dict[str, Any]:
    return {"status": status, "lines": [], "stdout": "", "stderr": "", "seconds": 0.0, **more}


def _run(program: Mapping[str, Any], call: Mapping[str, str] | None, end: float) -> dict[str, Any]:
    """Run one call in a child; everything it started is gone afterwards."""
    limits = program["limits"]
    token = secrets.token_hex(16)
    pipes = [os.pipe() for _ in range(3)]
    start = time.monotonic()
    forked = os.fork()
    if forked == 0:
        child.run(program, call, [write for _, write in pipes], token)
    for _, write in pipes:
        os.close(write)
    reads = [read for read, _ in pipes]
    try:
        deadline = min(start + limits["seconds"], end)
        told, status = _watch(forked, reads, deadline, limits["output"])
    finally:
        code = _end(forked)
        for read in reads:
            os.close(read)
    out, err, said = told
    lines = [line for line in said.decode("ascii", "replace").split("\n") if line]
    if any(not line.startswith(token) for line in lines):
        status, lines = "forged", []
    return _outcome(
        status or _ended(code, lines, token),
        lines=[line.removeprefix(token) for line in lines],
        stdout=out[:SHOWN].decode("utf-8", "replace"),
        stderr=err[:SHOWN].decode("utf-8", "replace"),
        seconds=round(time.monotonic() - start, 4),
        code=code,
    )


def _ended(code: int, lines: Sequence[str], token: str) -> str:
    """What became of a child that ended by itself: `ok` if its last line is an answer."""
    if lines and lines[-1].startswith(f"{token}=") and code == 0:
        return "ok"
    return "crashed" if code < 0 else "exited"


def _watch(child: int, reads: Sequence[int], deadline: float, most: int) -> tuple[list[bytes], str]:
    """Read what a child writes until it ends, is too slow or writes too much."""
    told = [b""] * len(reads)
    poll = select.poll()
    ended = os.pidfd_open(child)
    try:
        for one in (*reads, ended):
            poll.register(one, select.POLLIN)
        poll.register(0, 0)  # only its hanging up
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return told, "timeout"
            ready = [one for one, _ in poll.poll(left * 1000 + 1)]
            if 0 in ready:
                sys.exit(3)
            for number, read in enumerate(reads):
                if read in ready or ended in ready:
                    told[number] += _read(read, poll, drain=ended in ready, most=most)
            if sum(map(len, told)) > most:
                return told, "output"
            if ended in ready:
                return told, ""
    finally:
        os.close(ended)


def _read(read: int, poll: select.poll, *, drain: bool, most: int) -> bytes:
    """What is there now; all that is left in the pipe, up to `most`, once the child has ended."""
    os.set_blocking(read, False)
    got = b""
    with contextlib.suppress(BlockingIOError):
        while more := os.read(read, READ):
            got += more
            if not drain or len(got) > most:
                return got
        with contextlib.suppress(KeyError):
            poll.unregister(read)
    return got


def _end(child: int) -> int:
    """Kill a child and all that it left behind; its exit code, or minus the signal."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while True:
        # The first process of a process namespace may end all others in it at once. Anywhere
        # else that would hit what is not ours.
        for pid in [-1] if os.getpid() == 1 else _children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return os.waitstatus_to_exitcode(status)


def _children() -> list[int]:
    """Processes that are ours; what a child leaves behind becomes ours too."""
    with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as file:  # noqa: PTH123
        return [int(pid) for pid in file.read().split()]
    return []
