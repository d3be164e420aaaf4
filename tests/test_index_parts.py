from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from corpora.passage import Passage
from index_builder import dense, store
from index_builder.errors import BadIndex, IndexMissing
from index_builder.fold import fold
from index_builder.fusion import rrf
from index_builder.manifest import FORMAT, Counts, EncoderInfo, Manifest, SourceInfo, survey
from index_builder.snippet import snippet

LISTS = [["a", "b", "c", "d"], ["c", "a"], ["e", "b", "a"], []]


@pytest.mark.parametrize("lists", list(permutations(LISTS))[::4])
def test_fused_order_ignores_list_order(lists: list[list[str]]) -> None:
    assert rrf(lists) == rrf(LISTS)


def test_fusing_one_list_keeps_its_order() -> None:
    assert [item for item, _ in rrf([["z", "a", "m"]])] == ["z", "a", "m"]


def test_ties_are_broken_by_id() -> None:
    assert [item for item, _ in rrf([["b"], ["a"]])] == ["a", "b"]


def test_an_item_in_more_lists_wins_over_one_as_high() -> None:
    assert rrf([["x", "y"], ["z", "y"]])[0][0] == "y"


@pytest.mark.parametrize(
    ("written", "plain"),
    [("Dvořák", "Dvorak"), ("e\u0301", "e"), ("Nguyễn", "Nguyen"), ("O’Brien", "O'Brien")],
)
def test_latin_letters_lose_their_marks(written: str, plain: str) -> None:
    assert fold(written) == plain


@pytest.mark.parametrize("text", ["हिन्दी", "東京", "ελληνικά", "한국어", "עברית", "Й"])
def test_other_scripts_stay_as_they_are(text: str) -> None:
    assert fold(text) == text


def test_folding_twice_changes_nothing() -> None:
    once = fold("Łódź 1,234,567 Œuvre ½ ﬁn")
    assert fold(once) == once


def test_the_snippet_shows_the_words_in_a_long_text() -> None:
    cut = snippet(
        "Filler words go here. " * 40 + "Antonín Dvořák wrote it. " + "More. " * 90, "dvorak"
    )
    assert [cut.text[start:end] for start, end in cut.words] == ["Dvořák"]
    assert len(cut.text) < 250


def passages(count: int) -> list[Passage]:
    return [Passage(f"s:{n}", f"Text {n} ünï", f"T{n // 2}", url="u") for n in range(count)]


def test_the_store_gives_back_what_was_written(tmp_path: Path) -> None:
    written = store.write(iter(passages(5000)), tmp_path)
    opened = store.Store.open(tmp_path)
    assert (written.passages, written.documents) == (len(opened), 2500)
    assert list(opened) == passages(5000)
    assert opened.get("s:4321") == opened[4321] == passages(5000)[4321]


def test_the_store_does_not_know_other_ids_and_rows(tmp_path: Path) -> None:
    store.write(passages(3), tmp_path)
    opened = store.Store.open(tmp_path)
    with pytest.raises(KeyError):
        opened.get("s:3")
    with pytest.raises(IndexError):
        opened[3]


def test_two_passages_with_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadIndex, match="'s:0'"):
        store.write([*passages(2), passages(1)[0]], tmp_path)


def test_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadIndex, match="no text"):
        store.write([], tmp_path)


def test_a_torn_store_is_a_clear_error(tmp_path: Path) -> None:
    store.write(passages(3), tmp_path)
    file = tmp_path / store.TEXT_FILE
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(BadIndex, match="cannot be read"):
        store.Store.open(tmp_path)


def manifest(folder: Path) -> Manifest:
    (folder / "a.bin").write_bytes(b"abc")
    made = Manifest(
        FORMAT, "id", "n", SourceInfo("s"), Counts(1, 1), EncoderInfo("e", "r", 8), "Flat", "a",
        "2026-01-01T00:00:00+00:00", {"x": "1"}, survey(folder),
    )  # fmt: skip
    made.write(folder)
    return made


def test_a_manifest_reads_back_equal(tmp_path: Path) -> None:
    made = manifest(tmp_path)
    assert Manifest.load(tmp_path) == made
    assert made.damaged(tmp_path) == ()


def test_a_missing_index_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="verifier index build"):
        Manifest.load(tmp_path / "none")


@pytest.mark.parametrize(
    "raw", ["", "{", "[]", '{"format": 1}', '{"format": 2}', '{"format": 9}', "\x00"]
)
def test_a_bad_manifest_is_a_clear_error(tmp_path: Path, raw: str) -> None:
    manifest(tmp_path)
    (tmp_path / "manifest.json").write_text(raw)
    with pytest.raises(BadIndex, match=r"manifest\.json"):
        Manifest.load(tmp_path)


def test_a_file_of_another_size_is_named(tmp_path: Path) -> None:
    manifest(tmp_path)
    (tmp_path / "a.bin").write_bytes(b"abcd")
    with pytest.raises(BadIndex, match=r"a\.bin has 4 bytes, expected 3"):
        Manifest.load(tmp_path)


def test_a_changed_file_of_the_same_size_is_found_by_its_hash(tmp_path: Path) -> None:
    manifest(tmp_path)
    (tmp_path / "a.bin").write_bytes(b"abd")
    assert Manifest.load(tmp_path).damaged(tmp_path) == ("a.bin",)


def test_a_wrong_dimension_says_both_numbers() -> None:
    with pytest.raises(BadIndex, match=r"384 numbers, the index has 768"):
        dense.check(np.zeros((2, 384), dtype=np.float32), 2, 768)


def test_vectors_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(BadIndex, match="NaN"):
        dense.check(np.full((1, 4), np.nan, dtype=np.float32), 1, 4)
