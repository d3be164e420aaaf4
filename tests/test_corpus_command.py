import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from corpora.errors import CorpusError, CorpusMissing
from verifier.cli import cli


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["corpus", *args], catch_exceptions=True)


def rows(path: Path) -> str:
    texts = ["It is deep. " * 5, "It is old."]
    path.write_text(
        "".join(json.dumps({"title": "Baikal", "text": one}) + "\n" for one in texts) + "{\n"
    )
    return str(path)


def test_list_marks_what_is_here(home: Path) -> None:
    file = home / "corpora" / "arxiv" / "arxiv-metadata-oai-snapshot.json"
    file.parent.mkdir(parents=True)
    file.touch()
    found = {one["name"]: one["files"] for one in json.loads(run("list", "--json").stdout)}
    assert found == {"wikipedia-vital": [], "wikipedia": [], "arxiv": [str(file)]}
    assert "+ arxiv" in run("list").stdout


def test_show_prints_passages_and_what_was_skipped(tmp_path: Path) -> None:
    done = run("show", rows(tmp_path / "own.jsonl"), "-n", "9")
    assert "own:Baikal:1" in done.stdout
    assert "own.jsonl, line 3: not JSON" in done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_show_as_json_has_the_reader_and_all_fields(tmp_path: Path) -> None:
    table = json.loads(run("show", rows(tmp_path / "own.jsonl"), "-n", "1", "--json").stdout)
    assert (table["reader"], table["passages"][0]["title"]) == ("jsonl", "Baikal")
    assert (len(table["passages"]), table["skipped"]) == (1, [])


def test_arxiv_says_what_a_person_must_do(home: Path) -> None:
    error = run("fetch", "arxiv").exception
    assert isinstance(error, CorpusMissing)
    assert error.exit_code == 3
    assert "logged in" in str(error)
    assert str(home / "corpora" / "arxiv") in str(error)


def test_an_unknown_name_lists_the_known_ones() -> None:
    error = run("fetch", "wikipedai").exception
    assert isinstance(error, CorpusError)
    assert "wikipedia-vital, wikipedia, arxiv" in str(error)


def test_a_date_is_only_for_dumps() -> None:
    assert run("fetch", "arxiv", "--date", "20260901").exit_code == 2
