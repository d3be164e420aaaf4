import asyncio
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from test_index_corpus import ENCODER, PASSAGES, SOURCE, encode

from index_builder import dense
from index_builder.build import build
from index_builder.errors import BadIndex, IndexMissing
from index_builder.fusion import DOCUMENT, WORDS
from index_builder.search import Index, Retriever

pytestmark = pytest.mark.jvm


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("indexes") / "tests"
    build(PASSAGES, encode, out, encoder=ENCODER, source=SOURCE)
    return out


@pytest.fixture(scope="module")
def index(folder: Path) -> Iterator[Index]:
    opened = Index.open(folder, encode, ENCODER)
    yield opened
    opened.close()


def titles(index: Index, query: str, retriever: Retriever = "hybrid", k: int = 4) -> set[str]:
    (hits,) = index.search_many([query], k, retriever)
    return {hit.passage.title for hit in hits}


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("Antonin Dvorak", "Antonín Dvořák"),
        ("ANTONÍN DVOŘÁK", "Antonín Dvořák"),
        ("Lodz", "Łódź"),
        ("столица Москва", "Москва"),
        ("1642 metres", "Lake Baikal"),
        ("octopuses' heart", "Octopus"),
    ],
)
def test_bm25_finds_words_however_they_are_written(index: Index, query: str, title: str) -> None:
    assert titles(index, query, "bm25") == {title}


def test_words_of_the_title_are_searched(index: Index) -> None:
    assert titles(index, "Photosynthesis", "bm25") == {"Photosynthesis"}


@pytest.mark.parametrize(
    "query", ["", " \n", "the of and", "?!", "(", '"', "~^*:\\/[] && ||", "zzzqq"]
)
def test_a_query_without_a_known_word_finds_nothing(index: Index, query: str) -> None:
    assert index.search_many([query], 5, "bm25") == [()]


@pytest.mark.parametrize(
    "query", ['title:"octopus', "octopus AND (", "octopus~ [a TO", "-octopus*"]
)
def test_syntax_has_no_meaning(index: Index, query: str) -> None:
    assert "Octopus" in titles(index, query, "bm25")


def test_a_query_of_thousands_of_words_is_answered(index: Index) -> None:
    many = " ".join(f"w{n}" for n in range(5000))
    assert titles(index, f"octopus {many}", "bm25") == {"Octopus"}
    assert index.search_many(["a " * 100_000 + "ß" * 50_000], 5, "bm25") == [()]


def test_a_batch_gives_what_single_searches_give(index: Index) -> None:
    queries = [passage.text for passage in PASSAGES] + ["", "octopus", "octopus"]
    one_by_one = [index.search_many([query])[0] for query in queries]
    assert index.search_many(queries) == one_by_one


def test_hits_say_their_rank_in_each_retriever(index: Index) -> None:
    (hits,) = index.search_many(["three hearts, eight arms and blue blood"], 1)
    assert hits[0].ranks == {"bm25": 1, "dense": 1}
    (near,) = index.search_many(["three hearts, eight arms and blue blood"], 1, "dense")
    assert hits[0].score == pytest.approx(near[0].score + WORDS + DOCUMENT)


def test_ties_come_in_the_order_of_the_corpus(index: Index) -> None:
    (hits,) = index.search_many(["Hamlet"], 4, "bm25")
    assert [hit.passage.id for hit in hits] == [f"tests:To be:{n}" for n in range(4)]


def test_concurrent_searches_give_what_single_ones_give(index: Index) -> None:
    queries = [passage.title for passage in PASSAGES]

    async def main() -> list[object]:
        return list(await asyncio.gather(*(index.search(query, 3) for query in queries)))

    assert asyncio.run(main()) == index.search_many(queries, 3)


def test_an_encoder_that_fails_is_an_error_and_not_an_empty_list(folder: Path) -> None:
    index = Index.open(folder, lambda texts: np.full((len(texts), 64), np.nan, np.float32), ENCODER)
    with pytest.raises(BadIndex, match="NaN"):
        asyncio.run(index.search("octopus"))


def test_another_encoder_is_refused_and_both_are_named(folder: Path) -> None:
    other = dataclasses.replace(ENCODER, name="e5", dimension=768)
    with pytest.raises(BadIndex, match=r"hashing .*64 dimensions.* e5 .*768 dimensions"):
        Index.open(folder, encode, other)


def test_without_an_encoder_only_bm25_can_be_asked_for(folder: Path) -> None:
    index = Index.open(folder, None, None)
    assert titles(index, "octopus", "bm25") == {"Octopus"}
    with pytest.raises(BadIndex, match="without an encoder"):
        index.search_many(["octopus"])


def test_a_passage_is_found_by_its_id(index: Index) -> None:
    assert index.passage("tests:Basalt:2") in PASSAGES


def test_a_missing_index_is_missing(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing):
        Index.open(tmp_path / "none", None, None)


FACTORIES = ("Flat", "HNSW32", "IVF4,SQ8", "OPQ8,IVF4,PQ8np")


@pytest.mark.parametrize("factory", FACTORIES)
def test_no_kind_of_faiss_index_finds_what_is_not_allowed(tmp_path: Path, factory: str) -> None:
    vectors = np.random.default_rng(0).normal(size=(2000, 64)).astype(np.float32)
    dense.build([vectors], vectors, factory, tmp_path / "x")
    allowed = np.arange(2000) % 7 == 3
    found = dense.Dense.open(tmp_path / "x", factory).search_many(vectors[:50], 10, allowed)
    assert all(allowed[rows].all() and len(rows) == 10 for rows, _ in found)


@pytest.mark.parametrize("factory", ["Flat", "HNSW32", "IVF4,SQ8"])
def test_every_kind_of_faiss_index_finds_its_own_vectors(tmp_path: Path, factory: str) -> None:
    vectors = np.random.default_rng(0).normal(size=(400, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    dense.build([vectors[:150], vectors[150:]], vectors, factory, tmp_path / "x")
    found = dense.Dense.open(tmp_path / "x", factory).search_many(vectors, 3)
    assert [rows[0] for rows, _ in found] == list(range(400))


def test_scores_do_not_depend_on_the_neighbours_in_the_batch(tmp_path: Path) -> None:
    vectors = np.random.default_rng(0).normal(size=(3000, 64)).astype(np.float32)
    dense.build([vectors], vectors, "Flat", tmp_path / "x")
    opened = dense.Dense.open(tmp_path / "x", "Flat")
    alone = [opened.search_many(vectors[n : n + 1], 9)[0] for n in range(100)]
    together = opened.search_many(vectors[:100], 9)
    assert all(
        np.array_equal(*pair)
        for both in zip(alone, together, strict=True)
        for pair in zip(*both, strict=True)
    )
