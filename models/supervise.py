"""Keeps a server from outliving the process that wanted it.

Run as `python -I supervise.py GRACE COMMAND...`, standard library only. The owner holds the
write end of this process's standard input. When that closes, because the owner is done or
is dead (SIGKILL included), the server's whole process group gets SIGTERM, and SIGKILL after
GRACE seconds. The server never sees the terminal's Ctrl-C: its owner decides.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

TRACKERS = 2.0
"""Seconds a resource tracker has, once SIGKILL is due, to clean up after the others."""

_stopping = False


def main(grace: float, command: list[str]) -> int:
    """Runs `command` until it ends or this process is told to end it.

    Args:
        grace: Seconds between SIGTERM and SIGKILL.
        command: The server's argument vector.

    Returns:
        The command's exit status; 128 + n if signal n ended it.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _stop)
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    owner = os.getppid()
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: _prctl(PR_SET_PDEATHSIG, signal.SIGTERM),
    )
    while child.poll() is None and not _stopping and os.getppid() == owner:
        ready, _, _ = select.select([0], [], [], 0.2)
        if ready and not os.read(0, 4096):
            break
    status = _end(child, grace)
    return status if status >= 0 else 128 - status


def _stop(number: int, frame: object) -> None:  # noqa: ARG001 - a signal handler's signature
    global _stopping
    _stopping = True


def _end(child: "subprocess.Popen[bytes]", grace: float) -> int:
    """Ends the child's group and every orphan of it; returns the child's status."""
    everyone = set(_left(child))
    _send(everyone, signal.SIGTERM)
    deadline = time.monotonic() + grace
    while (left := _left(child)) and time.monotonic() < deadline:
        time.sleep(0.05)
    deadline = time.monotonic() + TRACKERS
    while left := _left(child):
        everyone.update(left)
        # Python's resource trackers outlive the others by a moment to free /dev/shm.
        spared = set() if time.monotonic() > deadline else set(filter(_is_tracker, left))
        _send(set(left) - spared, signal.SIGKILL)
        time.sleep(0.05)
    for pid in everyone:
        # What Intel's OpenMP leaves behind when it is killed.
        for path in Path("/dev/shm").glob(f"__KMP_REGISTERED_LIB_{pid}_*"):  # noqa: S108
            path.unlink(missing_ok=True)
    return child.wait()


def _left(child: "subprocess.Popen[bytes]") -> list[int]:
    """Who is left of the child's group and of its orphans; buries the dead ones."""
    if child.poll() is not None:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
    mine, found = os.getpid(), []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # pid (name) state parent group ...; the name may hold anything.
            state, parent, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            if state not in "ZX" and (int(group) == child.pid or int(parent) == mine):
                found.append(int(entry.name))
    return found or ([child.pid] if child.poll() is None else [])


def _send(pids: set[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _is_tracker(pid: int) -> bool:
    try:
        return b"multiprocessing.resource_tracker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
