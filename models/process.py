"""A server process that ends when this one does, whichever way that is."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from models import supervise

GRACE = 3.0
"""Seconds a server has between SIGTERM and SIGKILL."""

STOP = 15.0
"""Seconds after which not even the supervisor is believed to be ending."""


@dataclass(frozen=True, slots=True)
class Supervised:
    """A server under `supervise.py`."""

    supervisor: "subprocess.Popen[bytes]"
    log_path: Path

    @property
    def pid(self) -> int:
        """Of the supervisor: alive as long as anything of the server is."""
        return self.supervisor.pid

    def status(self) -> int | None:
        """The server's exit status, or None while it runs."""
        return self.supervisor.poll()

    def stop(self) -> None:
        """Ends the server and all its children; returns when they are gone."""
        if self.supervisor.stdin:
            self.supervisor.stdin.close()
        # A process that was forked from this one may hold the pipe open still.
        self.supervisor.terminate()
        try:
            self.supervisor.wait(STOP)
        except subprocess.TimeoutExpired:
            # Its own death signal (see supervise.py) still reaches the server.
            self.supervisor.kill()
            self.supervisor.wait()

    def tail(self, lines: int = 15) -> str:
        """The last lines of the log, for an error message."""
        text = self.log_path.read_text("utf-8", "replace")
        return "\n".join(line[:300] for line in text.splitlines()[-lines:])


def start(
    command: Sequence[str], env: Mapping[str, str], log_path: Path, *, grace: float = GRACE
) -> Supervised:
    """Starts `command` under a supervisor, its output going to `log_path`.

    Args:
        command: The server's argument vector; must hold no secrets, as anyone can list it.
        env: Its whole environment.
        log_path: Where its output goes; readable by its owner only.
        grace: Seconds between SIGTERM and SIGKILL when it is stopped.
    """
    log_path.parent.mkdir(parents=True, exist_ok=True)
    log_path.touch(mode=0o600)
    with log_path.open("ab") as log:
        supervisor = subprocess.Popen(
            [sys.executable, "-I", supervise.__file__, str(grace), *command],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=dict(env),
            start_new_session=True,
        )
    return Supervised(supervisor, log_path)
