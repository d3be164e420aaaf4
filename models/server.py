"""A server that answers, and the file by which another process finds it.

`<home>/servers/<model>.json` holds the address and the key; only its owner can read it.
"""

import http
import http.client
import json
import os
import urllib.parse
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers."""

    url: str
    """Base of the OpenAI interface, e.g. `http://127.0.0.1:8123/v1`."""
    api_key: str = field(repr=False)
    model: str
    """The name it is served under: the registry row's."""
    pid: int
    """Alive as long as the server is."""
    log_path: Path

    def alive(self) -> bool:
        """Whether the process is there and is not a corpse."""
        import psutil

        try:
            return bool(psutil.Process(self.pid).status() != psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return False


def announce(server: Server, home: Path) -> Path:
    """Writes the file by which `find` finds the server; only its owner can read it."""
    path = home / "servers" / f"{server.model}.json"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:  # noqa: PTH123
        json.dump({**asdict(server), "log_path": str(server.log_path)}, out)
    part.replace(path)
    return path


def find(name: str, home: Path) -> Server | None:
    """The server that `serve_forever` has up for the model, if it answers.

    The file of a server that is gone is removed.
    """
    path = home / "servers" / f"{name}.json"
    try:
        raw = json.loads(path.read_text("utf-8"))
        server = Server(**{**raw, "log_path": Path(raw["log_path"])})
    except FileNotFoundError:
        return None
    except (json.JSONDecodeError, TypeError, KeyError):
        path.unlink(missing_ok=True)
        return None
    if server.alive() and _answers(server):
        return server
    path.unlink(missing_ok=True)
    return None


def _answers(server: Server) -> bool:
    # Generous: the server may be in the middle of a large batch.
    body = get(server, "/v1/models", 5)
    try:
        return server.model in [entry["id"] for entry in json.loads(body or b"")["data"]]
    except (json.JSONDecodeError, KeyError, TypeError):
        return False


def get(server: Server, path: str, timeout: float) -> bytes | None:
    """The body at `path`, or None if there is no answer, or none that says all is well.

    Plain http.client: a proxy for the outer world must not be asked for the loopback.
    """
    where = urllib.parse.urlsplit(server.url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=timeout)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {server.api_key}"})
        reply = connection.getresponse()
        body = reply.read()
        return body if reply.status == http.HTTPStatus.OK else None
    except (http.client.HTTPException, OSError):
        return None
    finally:
        connection.close()
