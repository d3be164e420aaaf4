import asyncio
import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from models import flags, process, registry
from models.errors import ModelError, ModelMissing
from models.progress import silent
from models.serve import Server, announce, find, free_port, running, wait_ready

STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
code = "import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
inside = subprocess.Popen([sys.executable, "-c", code])
outside = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
print(os.getpid(), inside.pid, outside.pid, flush=True)
time.sleep(600)
"""
"""A server that ignores SIGTERM, as do its children; one has left its process group."""

OWNER = """
import os, signal, sys, time
from pathlib import Path
from models import process
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
process.start([sys.executable, "-c", sys.argv[1]], os.environ, Path(sys.argv[2]), grace=0.2)
time.sleep(600)
"""


def pids(log: Path) -> list[int]:
    """What the stubborn server printed, once it has."""
    deadline = time.monotonic() + 20
    while not (log.exists() and log.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return [int(pid) for pid in log.read_text().split()]


def gone(found: list[int]) -> bool:
    """Whether all of them end within a few seconds."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(psutil.pid_exists(pid) for pid in found):
        time.sleep(0.02)
    return not any(psutil.pid_exists(pid) for pid in found)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_server_and_its_children_die_with_their_owner(tmp_path: Path, number: int) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-c", OWNER, STUBBORN, str(log)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as owner:
        found = pids(log)
        owner.send_signal(number)
        owner.wait(20)
    assert gone(found)


def test_stopping_returns_when_all_are_gone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", STUBBORN]
    server = process.start(command, os.environ, tmp_path / "log", grace=0.2)
    found = pids(tmp_path / "log")
    server.stop()
    assert not any(psutil.pid_exists(pid) for pid in found)


def test_the_servers_exit_status_is_the_supervisors(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import sys; sys.exit(7)"]
    server = process.start(command, os.environ, tmp_path / "log")
    assert server.supervisor.wait(20) == 7


async def waiting(tmp_path: Path, code: str, timeout: float) -> None:
    started = process.start([sys.executable, "-c", code], os.environ, tmp_path / "log")
    server = Server("http://127.0.0.1:9/v1", "key", "tiny", started.pid, started.log_path)
    try:
        await wait_ready(server, started, timeout, silent)
    finally:
        started.stop()


def test_a_server_that_dies_shows_the_end_of_its_log(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"(?s)status 3.*out of luck"):
        asyncio.run(waiting(tmp_path, "print('out of luck'); raise SystemExit(3)", 20))


def test_a_server_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"did not answer within 0.5 s"):
        asyncio.run(waiting(tmp_path, "import time; time.sleep(60)", 0.5))


class Api(http.server.BaseHTTPRequestHandler):
    """Answers as a server of `tiny` whose key is `key`."""

    def do_GET(self) -> None:
        known = self.headers["Authorization"] == "Bearer key" and self.path == "/v1/models"
        body = json.dumps({"data": [{"id": "tiny"}]}).encode()
        self.send_response(200 if known else 401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def test_an_announced_server_is_found_and_its_file_is_private(tmp_path: Path, url: str) -> None:
    server = Server(url, "key", "tiny", os.getpid(), tmp_path / "log")
    path = announce(server, tmp_path)
    assert find("tiny", tmp_path) == server
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_server_that_refuses_our_key_is_not_found(tmp_path: Path, url: str) -> None:
    path = announce(Server(url, "other", "tiny", os.getpid(), tmp_path / "log"), tmp_path)
    assert find("tiny", tmp_path) is None
    assert not path.exists()


def test_the_file_of_a_dead_server_is_removed(tmp_path: Path, url: str) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        dead.wait()
    path = announce(Server(url, "key", "tiny", dead.pid, tmp_path / "log"), tmp_path)
    assert find("tiny", tmp_path) is None
    assert not path.exists()


def test_no_server_is_found_where_none_was_announced(tmp_path: Path) -> None:
    assert find("tiny", tmp_path) is None


def test_the_users_arguments_come_last(tmp_path: Path) -> None:
    row = registry.get("qwen3-8b")
    command = flags.command(row, tmp_path, 8000, None, ("--seed", "1"))
    assert command[-2:] == ["--seed", "1"]
    assert '{"enable_thinking": false}' in command
    assert command[command.index("--host") + 1] == "127.0.0.1"


def test_a_servers_environment_is_offline() -> None:
    env = flags.environment(registry.get("smollm2-135m-instruct"))
    assert env["HF_HUB_OFFLINE"] == env["VLLM_NO_USAGE_STATS"] == "1"


def test_an_api_key_does_not_show_in_a_repr(tmp_path: Path) -> None:
    assert "secret" not in repr(Server("u", "secret", "m", 1, tmp_path))


def test_a_model_that_is_not_fetched_is_not_served(tmp_path: Path) -> None:
    async def use() -> None:
        async with running(registry.get("smollm2-135m-instruct"), tmp_path):
            pass

    with pytest.raises(ModelMissing, match="verifier models fetch smollm2"):
        asyncio.run(use())


def test_a_taken_port_is_an_error_that_names_it(url: str) -> None:
    port = int(url.split(":")[2].split("/")[0])
    with pytest.raises(ModelError, match=f"Port {port} cannot be used"):
        free_port(port)
