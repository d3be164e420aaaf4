"""Where untrusted Python runs: an empty machine of its own, for a few seconds.

`strong` is bubblewrap: no network, nothing of this machine but Python's standard library, another
user, limits on everything, and a seccomp filter where the system has libseccomp. `weak` is the same
driver with the limits alone, for who chooses it; what it runs could read and harm what we can.
"""

import asyncio
import os
import platform
import re
import shutil
import subprocess
import tempfile
import threading
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import IO, Literal, NamedTuple

from verifier.sandbox import bubblewrap, process, seccomp, wire
from verifier.sandbox.bubblewrap import FOLDER, INSIDE, Wall
from verifier.sandbox.errors import SandboxMissing, SandboxOverrun
from verifier.sandbox.program import Limits, Outcome, Program, Ran, Run

INSTALL = (
    "Code runs only in a sandbox, and there is none here: {problem}. Install bubblewrap 0.8 or "
    "newer (Debian, Ubuntu: `apt-get install bubblewrap`; Fedora: `dnf install bubblewrap`); in a "
    "container, user namespaces must be allowed. `--sandbox weak` runs code with limits alone, "
    "which does not keep it from reading or harming your files."
)

PROBE_SECONDS = 10.0


@dataclass(frozen=True)
class Sandbox:
    """Runs programs, as many at a time as there are cores."""

    wall: Wall | None
    """None: weak."""
    strength: str
    """`strong` or `weak`, and what else holds: `+seccomp`."""
    limits: Limits = field(default_factory=Limits)
    _gate: asyncio.Semaphore = field(
        default_factory=lambda: asyncio.Semaphore(os.cpu_count() or 1), repr=False, compare=False
    )

    @classmethod
    def open(
        cls, kind: Literal["strong", "weak"] = "strong", limits: Limits | None = None
    ) -> "Sandbox":
        """A sandbox that has been tried; the trial takes some 50 ms, once in a process.

        Raises:
            SandboxMissing: there is no bubblewrap, or it may not do what it must.
        """
        if kind == "weak":
            return cls(None, "weak", limits or Limits())
        wall = find()
        return cls(wall, _strength(wall), limits or Limits())

    async def run(self, program: Program, limits: Limits | None = None) -> Ran:
        """Run a program: its source once, then each call, each in a process of its own.

        Cancelling ends all that it started.

        Raises:
            SandboxFailed: the sandbox itself broke; what the program does never raises.
        """
        limits = limits or self.limits
        async with self._gate:
            try:
                runs = await self._talk(program, limits)
            except SandboxOverrun as error:
                broken = Run(Outcome.MEMORY, error=str(error))
                runs = [broken] * (1 + len(program.calls))
        return Ran(runs[0], tuple(runs[1:]), self.strength)

    async def _talk(self, program: Program, limits: Limits) -> list[Run]:
        calls = len(program.calls)
        with ExitStack() as opened:
            command, files, environment, folder, uid, apart = self._door(opened, limits)
            lines = await process.talk(
                command,
                wire.request(program, limits, uid, folder, counted=apart),
                environment=environment,
                files=files,
                seconds=limits.total,
                most=(1 + calls) * (6 * limits.output + (1 << 16)),
                memory=2 * limits.memory,
                processes=4 * limits.processes,
            )
        return wire.replies(lines, calls)

    def _door(self, opened: ExitStack, limits: Limits) -> "Door":
        """What to start; its files are closed, and its folder is removed, with `opened`."""
        if self.wall is None:
            folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="verifier-"))
            environment = bubblewrap.environment("/home")
            return Door(weak_command(), (), environment, folder, uid=0, counted=False)
        rules = seccomp.open_filter()
        files = (opened.enter_context(rules),) if rules else ()
        command = self.wall.command(limits.folder, files[0].fileno() if files else None)
        return Door(command, files, None, FOLDER, self.wall.uid(), counted())


class Door(NamedTuple):
    """How a program gets into the sandbox."""

    command: list[str]
    files: tuple[IO[bytes], ...]
    environment: dict[str, str] | None
    folder: str
    uid: int
    counted: bool


def weak_command() -> list[str]:
    """The driver without anything around it."""
    prefix, python = bubblewrap.interpreter()
    return [f"{prefix}/{python}", *bubblewrap.python_options(str(INSIDE.parent))]


@cache
def find() -> Wall:
    """The way in which bubblewrap works here, found by running Python in it.

    Root needs no user namespace and can become another user; who is root in a container often
    may not, and is then put into a user namespace like everybody else.

    Raises:
        SandboxMissing: it is not installed, or works in neither way.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxMissing(INSTALL.format(problem="bwrap is not on the PATH"))
    problem = ""
    for own_user in (False, True) if os.geteuid() == 0 else (True,):
        wall = Wall(program, own_user)
        problem = try_out(wall)
        if not problem:
            return wall
    raise SandboxMissing(INSTALL.format(problem=f"bwrap does not work ({problem})"))


def try_out(wall: Wall) -> str:
    """What goes wrong when Python is run behind a wall; empty if nothing does."""
    line = wire.request(Program("x = 1"), Limits(), wall.uid(), FOLDER, counted=counted())
    # Standard input stays open until the driver has ended, as it takes its closing for an order.
    rules = seccomp.open_filter()
    with ExitStack() as opened:
        number = opened.enter_context(rules).fileno() if rules else None
        started = subprocess.Popen(
            wall.command(1 << 20, number),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[] if number is None else [number],
        )
    timer = threading.Timer(PROBE_SECONDS, started.kill)
    timer.start()
    with started:
        assert started.stdin
        assert started.stdout
        assert started.stderr
        with suppress(BrokenPipeError):
            started.stdin.write(line)
            started.stdin.flush()
        said, told = started.stdout.read(), started.stderr.read()
    timer.cancel()
    if started.returncode == 0 and b'"status": "ok"' in said:
        return ""
    return told.decode("utf-8", "replace").strip()[-200:] or f"exit code {started.returncode}"


def counted() -> bool:
    """True if the kernel counts the processes of one sandbox apart.

    It does for user namespaces since Linux 5.14, and for root's sandboxes by their users.
    """
    version = tuple(int(part) for part in re.findall(r"\d+", platform.release())[:2])
    return os.geteuid() == 0 or version >= (5, 14)


def _strength(wall: Wall) -> str:
    holds = ["strong"]
    if seccomp.open_filter() is not None:
        holds.append("seccomp")
    return "+".join(holds) if counts_processes(wall) else "+".join(holds) + ", processes uncounted"


def counts_processes(wall: Wall) -> bool:
    """False if the kernel does not limit them; then the watch from outside is all there is."""
    return counted() and not (wall.own_user and os.geteuid() == 0)
