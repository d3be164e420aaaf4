"""One sandboxed process: started, fed, read in bounded fashion, and ended with all it started."""

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from verifier.sandbox.errors import SandboxFailed, SandboxOverrun

GRACE = 5.0
"""Seconds beyond the program's own time until the sandbox itself counts as stuck."""

LOOK = 0.2
"""Seconds between two looks at the memory of a whole sandbox."""

PATIENCE = 1.0
"""Seconds that a driver has to end by itself."""


async def talk(
    command: Sequence[str],
    line: bytes,
    *,
    environment: dict[str, str] | None,
    files: Sequence[IO[bytes]],
    seconds: float,
    most: int,
    memory: int,
    processes: int,
) -> list[bytes]:
    """Start a command, hand it a line, and return the lines it says until it ends.

    Its standard input stays open until then: when it closes, because we are done or were
    killed, the driver ends.

    Args:
        command: what is started.
        line: what it reads.
        environment: of the process; None: ours (bubblewrap clears it itself).
        files: open files that it inherits.
        seconds: wall seconds it may take.
        most: bytes that it may say.
        memory: resident bytes of all its processes.
        processes: how many there may be.

    Raises:
        SandboxOverrun: it used too much memory, or too many processes.
        SandboxFailed: it took too long, said too much, or was ended from outside.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=environment,
        pass_fds=[file.fileno() for file in files],
        start_new_session=True,
    )
    watcher = asyncio.create_task(_watch(process, memory, processes))
    try:
        async with asyncio.timeout(seconds + GRACE):
            said, told = await _exchange(process, line, most)
    except TimeoutError as error:
        raise SandboxFailed(f"the sandbox did not end within {seconds + GRACE:.0f} s") from error
    finally:
        watcher.cancel()
        await asyncio.shield(_end(process))
    if watcher.done() and not watcher.cancelled():
        raise SandboxOverrun(watcher.result())
    if process.returncode:
        raise SandboxFailed(told.decode("utf-8", "replace").strip()[-300:] or "it was killed")
    return said.splitlines()


async def _exchange(process: Process, line: bytes, most: int) -> tuple[bytes, bytes]:
    assert process.stdin
    assert process.stdout
    assert process.stderr
    with suppress(ConnectionError):
        process.stdin.write(line)
        await process.stdin.drain()
    errors = asyncio.create_task(_read(process.stderr, 1 << 16))
    try:
        said = await _read(process.stdout, most)
        await process.wait()
        return said, await errors
    finally:
        errors.cancel()


async def _read(stream: asyncio.StreamReader, most: int) -> bytes:
    """All that comes; no more than `most`.

    Raises:
        SandboxFailed: there is more.
    """
    parts, size = [], 0
    while part := await stream.read(1 << 16):
        parts.append(part)
        size += len(part)
        if size > most:
            raise SandboxFailed(f"the sandbox said more than {most} bytes")
    return b"".join(parts)


async def _watch(process: Process, memory: int, processes: int) -> str:
    """End a sandbox whose processes together use too much; says what."""
    import psutil

    while True:
        await asyncio.sleep(LOOK)
        used = count = 0
        with suppress(psutil.Error):
            for one in psutil.Process(process.pid).children(recursive=True):
                count += 1
                with suppress(psutil.Error):
                    used += one.memory_info().rss
        if used > memory or count > processes:
            _kill(process)
            return f"the sandbox used {used >> 20} MiB in {count} processes"


async def _end(process: Process) -> None:
    """Let the driver end all that it started; kill it if it does not; wait for it."""
    if process.stdin:
        process.stdin.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await process.wait()
    _kill(process)
    await process.wait()


def _kill(process: Process) -> None:
    # Its process group is bubblewrap's two processes. Whatever runs in the sandbox ends with the
    # first process of its namespace.
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
