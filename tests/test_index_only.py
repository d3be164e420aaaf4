"""Searches held to a date, a language or a source, and several indexes searched as one."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from test_index_corpus import ENCODER, SOURCE, encode

from corpora.passage import Passage
from index_builder.build import build
from index_builder.errors import BadIndex
from index_builder.only import Only
from index_builder.search import Index
from index_builder.several import Several

pytestmark = pytest.mark.jvm

MIXED = [
    Passage(f"w:{n}:0", f"The lake is {n} metres deep.", "Lake", language=code, date=day, source=of)
    for n, (code, day, of) in enumerate(
        [
            ("en", "2020-01-01", "old"),
            ("en", "2024-05-05", "new"),
            ("de", "2021-01-01", "old"),
            ("", "", "old"),
        ]
        * 200
    )
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("indexes") / "mixed"
    build(MIXED, encode, out, encoder=ENCODER, source=SOURCE)
    return out


@pytest.fixture(scope="module")
def index(folder: Path) -> Iterator[Index]:
    opened = Index.open(folder, encode, ENCODER)
    yield opened
    opened.close()


@pytest.mark.parametrize("retriever", ["hybrid", "bm25", "dense"])
@pytest.mark.parametrize(
    ("only", "left"),
    [
        (Only(language="de"), {"de"}),
        (Only(source="new"), {"en"}),
        (Only(as_of="2021-06-01", language="en"), {"en"}),
        (Only(as_of="2019-01-01"), set()),
        (Only(as_of="2026-02-02"), {"en", "de", ""}),
    ],
)
def test_nothing_is_found_that_is_left_out(
    index: Index, only: Only, left: set[str], retriever: str
) -> None:
    (hits,) = index.search_many(["a deep lake"], 100, retriever, only)  # type: ignore[arg-type]
    assert {hit.passage.language for hit in hits} <= left
    assert len(hits) == (100 if left else 0)
    assert all(hit.passage.date <= only.as_of for hit in hits if only.as_of)


def test_a_passage_without_a_date_is_as_old_as_its_snapshot(index: Index) -> None:
    (hits,) = index.search_many(["lake"], 1000, only=Only(as_of="2025-12-31"))
    assert "" not in {hit.passage.date for hit in hits}


def test_one_passage_among_many_is_still_found(tmp_path: Path) -> None:
    rare = [
        *(replace(one, language="en") for one in MIXED),
        replace(MIXED[3], id="x", language="fi"),
    ]
    build(rare, encode, tmp_path / "r", encoder=ENCODER, source=SOURCE)
    opened = Index.open(tmp_path / "r", encode, ENCODER)
    for retriever in ("bm25", "dense", "hybrid"):
        (hits,) = opened.search_many(["lake"], 5, retriever, Only(language="fi"))  # type: ignore[arg-type]
        assert [hit.passage.id for hit in hits] == ["x"]
    opened.close()


def test_several_indexes_are_searched_as_one(folder: Path, tmp_path: Path) -> None:
    other = [Passage("o:1:0", "Basalt is a dark volcanic rock.", "Basalt")]
    build(other, encode, tmp_path / "o", encoder=ENCODER, source=SOURCE)
    both = Several.of([Index.open(path, encode, ENCODER) for path in (folder, tmp_path / "o")])
    (rock,), (lake,) = both.search_many(["dark volcanic rock", "lake 7 metres"], 1)
    assert (rock.index, rock.passage.id) == ("o", "o:1:0")
    assert (lake.index, lake.passage.title) == ("mixed", "Lake")
    assert asyncio.run(both.search("dark volcanic rock", 1)) == (rock,)
    assert both.passage("o:1:0").title == "Basalt"
    both.close()


def test_indexes_of_different_encoders_are_not_mixed(folder: Path, tmp_path: Path) -> None:
    another = replace(ENCODER, revision="2")
    build(MIXED[:3], encode, tmp_path / "o", encoder=another, source=SOURCE)
    opened = [Index.open(folder, encode, ENCODER), Index.open(tmp_path / "o", encode, another)]
    with pytest.raises(BadIndex, match="must have one encoder"):
        Several.of(opened)
