"""The command line: one plain line, the right exit code, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(*args: str, home: Path, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "VERIFIER_HOME": str(home)}
    command = [sys.executable, "-m", "verifier.cli", *args]
    return subprocess.run(command, input=text, capture_output=True, env=env, check=False)


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    text = done.stderr.decode()
    assert "Traceback" not in text
    assert text.count("\n") == 1, text
    return text


def test_help_loads_none_of_the_parts() -> None:
    heavy = "torch, faiss, jnius, vllm, pyserini, transformers, openai, pydantic, pyarrow, rich"
    code = f"import sys, verifier.cli; print([m for m in {heavy.split(', ')} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_no_index_says_how_to_get_one(tmp_path: Path) -> None:
    done = run("check", "--text", "The Nile is long.", home=tmp_path)
    assert done.returncode == 3
    assert "verifier index build" in said(done)


@pytest.mark.parametrize(
    ("args", "text", "words"),
    [
        (["check", "-"], b"caf\xe9", "not UTF-8"),
        (["check", "-"], b"a\0b", "NUL"),
        (["check", "-", "--input-format", "jsonl"], b'{"response": "a"}\n{', "line 2"),
        (["check", "-", "--input-format", "jsonl"], b"\n", "holds no response"),
        (["check", "-", "--task", "poetry"], b"a", "no task is called 'poetry'"),
        (["check", "nowhere.txt"], b"", "cannot read nowhere.txt"),
        (["check"], b"", "give a FILE"),
        (["check", "--text", "a", "--set", "index.k=x"], b"", "index.k"),
        (["check", "--text", "a", "--html", "/nowhere/at/all.html"], b"", "cannot write"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    tmp_path: Path, args: list[str], text: bytes, words: str
) -> None:
    done = run(*args, home=tmp_path, text=text)
    assert done.returncode == 2
    assert words in said(done)
