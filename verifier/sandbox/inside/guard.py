"""Names what untrusted code tries that is forbidden, by Python's audit events (PEP 578).

It is there to tell of the attempt. What holds is the sandbox around it.
"""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

EVENTS = 20
"""Forbidden attempts of one call that are told of."""

DELETES = frozenset(("os.remove", "os.rmdir", "os.rename", "os.truncate", "shutil.rmtree"))
CHANGES = frozenset(("os.chmod", "os.chown", "os.link", "os.symlink", "shutil.move"))
STARTS = frozenset(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"))
SIGNALS = frozenset(("os.kill", "os.killpg", "signal.pthread_kill"))
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def guard(say: Callable[[str], None], folder: str) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that tells of what is forbidden, and refuses it.

    Args:
        say: writes one line to the driver.
        folder: the only one that may be written in.
    """
    told = 0
    dumps = json.dumps

    def hook(name: str, args: tuple[Any, ...]) -> None:
        nonlocal told
        what = forbidden(name, args, folder)
        if not what:
            return
        if told < EVENTS:
            told += 1
            say("!" + dumps([*what]))
        raise PermissionError(f"the sandbox does not allow {what[0]}: {what[1]}")

    return hook


def forbidden(name: str, args: Sequence[object], folder: str) -> tuple[str, str] | None:
    """What an audit event tries that is forbidden, and on what; None for all else.

    >>> forbidden("shutil.rmtree", ("/home/me", None), "/tmp")
    ('deleting files', '/home/me')
    >>> forbidden("os.remove", ("mine.txt", -1), "/tmp")
    """
    first = args[0] if args else ""
    if name == "open" and isinstance(args[2], int) and args[2] & WRITING:
        return _outside("writing files", [first], folder)
    if name in DELETES:
        return _outside("deleting files", args[:1], folder)
    if name in CHANGES:
        return _outside("changing files", args[:2], folder)
    if name in STARTS:
        return ("starting programs", _short(first))
    if name in SIGNALS:
        return ("sending signals", _short(args))
    if name.startswith("socket.") and name not in ("socket.__new__", "socket.gethostname"):
        return ("using the network", _short(args[1:] or args))
    return None


def _outside(what: str, paths: Iterable[object], folder: str) -> tuple[str, str] | None:
    for path in paths:
        if isinstance(path, int):
            continue
        named = os.fsdecode(path) if isinstance(path, (str, bytes)) else _short(path)
        full = os.path.normpath(os.path.join(folder, named))  # noqa: PTH118
        if full != os.devnull and not full.startswith(folder.rstrip("/") + "/"):
            return (what, _short(named))
    return None


def _short(value: object) -> str:
    return (value if type(value) is str else repr(value))[:200]
