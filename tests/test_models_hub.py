import dataclasses
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from models import hub, lock
from models.errors import ModelError
from models.fetch import fetch, revision, verify
from models.registry import Row

COMMIT = "0123456789abcdef0123456789abcdef01234567"

FILES = {
    "config.json": b"{}",
    "model.safetensors": b"weights",
    "pytorch_model.bin": b"a pickle",
    "modeling.py": b"import os",
    "onnx/model.json": b"{}",
}

ROW = Row("tiny", "encoder", 1, "MIT", "cpu", "safetensors", 1, "o/tiny", hub="o/tiny", dimension=2)


class Hub(http.server.BaseHTTPRequestHandler):
    """As much of a hub as a download asks for."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/api/models/o/tiny/tree"):
            found = [
                {"type": "file", "path": n, "size": len(b), "oid": n} for n, b in FILES.items()
            ]
            return self.answer(json.dumps(found).encode())
        if path.startswith("/api/models/o/tiny"):
            siblings = [{"rfilename": n, "size": len(b)} for n, b in FILES.items()]
            found = {"id": "o/tiny", "sha": COMMIT, "siblings": siblings}
            return self.answer(json.dumps(found).encode())
        name = path.removeprefix(f"/o/tiny/resolve/{COMMIT}/")
        return self.answer(FILES[name]) if name in FILES else self.answer(b"{}", 404)

    def do_HEAD(self) -> None:
        self.do_GET()

    def answer(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{body.hex()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        yield
        server.shutdown()


@pytest.mark.usefixtures("endpoint")
def test_a_hub_model_is_fetched_at_the_commit_that_the_lock_names(tmp_path: Path) -> None:
    path = fetch(ROW, tmp_path)
    assert (path / "model.safetensors").read_bytes() == b"weights"
    assert [f.path for f in lock.read(ROW, tmp_path).files] == ["config.json", "model.safetensors"]
    assert revision(ROW, tmp_path) == COMMIT[:12]
    assert verify(ROW, tmp_path) == []


def test_code_is_taken_only_where_the_row_says_so() -> None:
    assert "modeling.py" not in hub.wanted(ROW, FILES)
    assert "modeling.py" in hub.wanted(dataclasses.replace(ROW, remote_code=True), FILES)


def test_pickled_weights_alone_are_refused() -> None:
    with pytest.raises(ModelError, match="no safetensors"):
        hub.wanted(ROW, ["config.json", "pytorch_model.bin"])


def test_a_hub_that_does_not_answer_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelError, match=r"o/tiny could not be fetched: the hub does not answer"):
        fetch(ROW, tmp_path)
    assert not (tmp_path / "models").exists()
