"""Several files as one text: aliases, and which of several copies of a page is kept."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from corpora.passage import Passage
from index_builder import store
from index_builder.aliases import AT_ONCE, Aliases, Spill, merge
from index_builder.errors import BadIndex
from index_builder.merge import choose, series, table


def copies(folder: Path, *parts: Sequence[Passage]) -> tuple[list[list[int]], object]:
    tables = []
    for number, part in enumerate(parts):
        (folder / str(number)).mkdir()
        store.write(part, folder / str(number))
        tables.append(table(store.Store.open(folder / str(number))))
    spans, chosen = choose(tables)
    return [[int(start) for start in one[:, 0]] for one in spans], chosen


def page(key: str, date: str = "", revision: str = "", source: str = "w") -> Passage:
    return Passage(f"{source}:{key}:0", "x", key, source=source, date=date, revision=revision)


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        (page("7", "2024-01-01"), page("7", "2025-01-01"), 1),
        (page("7", "2025-01-01"), page("7", "2024-01-01"), 0),
        (page("7", "2025-01-01", "12"), page("7", "2025-01-01", "9"), 0),
        (page("7", "2025-01-01", "9"), page("7", "2025-01-01", "9"), 0),
        (page("7"), page("7"), 1),
        (page("7"), page("7", "1999-01-01"), 1),
        (page("7", "2025-06"), page("7", "2025"), 0),
    ],
)
def test_the_newest_copy_is_kept(tmp_path: Path, old: Passage, new: Passage, kept: int) -> None:
    spans, _ = copies(tmp_path, [old], [new])
    assert [len(one) for one in spans] == [1 - kept, kept]


def test_dumps_of_two_dates_hold_the_same_pages(tmp_path: Path) -> None:
    one, two = "enwiki-20240101-pages-articles", "enwiki-20250101-pages-articles-multistream"
    spans, _ = copies(tmp_path, [page("7", source=one)], [page("7", source=two)])
    assert spans == [[], [0]]


def test_pages_of_other_sources_are_other_pages(tmp_path: Path) -> None:
    spans, _ = copies(tmp_path, [page("7", source="enwiki")], [page("7", source="frwiki")])
    assert spans == [[0], [0]]


def test_all_copies_within_a_file_are_kept(tmp_path: Path) -> None:
    many = [page("7"), page("8"), Passage("w:7:1", "y", "7", source="w")]
    assert copies(tmp_path, many, [page("9")])[0] == [[0, 1, 2], [0]]


def test_years_in_the_name_of_a_file_are_not_its_date() -> None:
    assert series("notes-2023") == "notes-2023"


def spilled(file: Path, names: Sequence[tuple[str, str]]) -> Path:
    spill = Spill(file)
    for alias, title in names:
        spill.add(alias, title)
    spill.close()
    return file


def test_aliases_are_found_by_title_whatever_their_order(tmp_path: Path) -> None:
    names = [(f"A{n}", f"T{n % 50}") for n in range(AT_ONCE + 9)] + [("Байкал", "Lake Baikal")]
    one = spilled(tmp_path / "1", names[:3000])
    two = spilled(tmp_path / "2", [*names[2000:], ("T1", "T1"), (" ", "T1")])
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    assert merge([one, two], tmp_path / "x") == merge([two, one], tmp_path / "y")
    assert Aliases.open(tmp_path / "x").of("Lake Baikal") == ("Байкал",)
    assert len(Aliases.open(tmp_path / "y").of("T1")) == 83
    files = [(tmp_path / name / "aliases.sqlite").read_bytes() for name in "xy"]
    assert files[0] == files[1]


def test_a_title_without_aliases_has_none(tmp_path: Path) -> None:
    merge([], tmp_path)
    assert Aliases.open(tmp_path).of("'; DROP TABLE aliases") == ()


def test_damaged_aliases_are_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "aliases.sqlite").write_bytes(b"x" * 5000)
    with pytest.raises(BadIndex, match="aliases"):
        Aliases.open(tmp_path)
