"""Settings: defaults, a file, overrides; what is not known is an error that names it."""

from pathlib import Path

import pytest

from verifier.errors import InputError
from verifier.settings import load


def test_later_wins(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[index]\nk = 4\n[check]\nrounds = 5\n", encoding="utf-8")
    settings = load(file, ["index.k=7"])
    assert (settings.index.k, settings.check.rounds) == (7, 5)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("index.k=0", "index.k"),
        ("index.depth=3", "index.depth"),
        ("index.retriever=google", "'hybrid', 'bm25' or 'dense'"),
        ("nothing.at=all", "nothing"),
        ("index", "SECTION.KEY=VALUE"),
        ("check.sure=1.5", "check.sure"),
    ],
)
def test_what_is_not_known_is_named(tmp_path: Path, override: str, said: str) -> None:
    (tmp_path / "s.toml").touch()
    with pytest.raises(InputError, match=said):
        load(tmp_path / "s.toml", [override])


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text("k: 3", encoding="utf-8")
    with pytest.raises(InputError, match=r"s\.toml is not a TOML file"):
        load(tmp_path / "s.toml")
