"""FAISS types, how they are chosen and how well they find; without Java."""

from pathlib import Path

import numpy as np
import pytest

from index_builder import dense, tune
from index_builder.errors import BadIndex
from index_builder.manifest import EncoderInfo
from index_builder.shards import SHARD, Shards, Writer

TYPES = ["Flat", "HNSW32", "IVF32,SQ8", "OPQ8,IVF16,PQ8np"]


def vectors(count: int, dimension: int = 32) -> dense.Vectors:
    random = np.random.default_rng(1)
    centres = random.standard_normal((50, dimension))
    made = centres[random.integers(0, 50, count)] + random.standard_normal((count, dimension)) / 2
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    return np.asarray(made / lengths, dtype=np.float32)


def shards(folder: Path, rows: dense.Vectors) -> Shards:
    files = []
    for start in range(0, len(rows), SHARD):
        files.append(folder / f"{start:09d}.npy")
        np.save(files[-1], rows[start : start + SHARD])
    return Shards(files, len(rows))


def made(factory: str, all_: Shards) -> object:
    sample = all_.take(all_.draw(max(1, dense.training(factory)), tune.SEED))
    return dense.make(iter(all_), sample, factory)


@pytest.mark.parametrize("factory", TYPES)
def test_two_indexes_of_the_same_vectors_have_the_same_bytes(tmp_path: Path, factory: str) -> None:
    all_ = shards(tmp_path, vectors(3000))
    for name in "ab":
        index = made(factory, all_)
        tune.tune(index, factory, all_)
        dense.save(index, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("factory", TYPES)
def test_search_parameters_are_in_the_file(tmp_path: Path, factory: str) -> None:
    rows = vectors(3000)
    all_ = shards(tmp_path, rows)
    index = made(factory, all_)
    tuned = tune.tune(index, factory, all_)
    dense.save(index, tmp_path / "x")
    opened = dense.Dense.open(tmp_path / "x", factory)
    found = opened.search_many(rows[::30], 10)
    again = index.search(rows[::30], 10)[1]  # type: ignore[attr-defined]
    same = [len(set(hits[0]) & set(rows)) for hits, rows in zip(found, again, strict=True)]
    assert np.mean(same) > 9.9
    assert len(opened) == 3000
    assert tuned.recall_at_10 >= (0.5 if "PQ" in factory else tune.WANTED)


@pytest.mark.parametrize("factory", TYPES)
def test_rows_that_are_not_allowed_are_not_found(tmp_path: Path, factory: str) -> None:
    rows = vectors(3000)
    all_ = shards(tmp_path, rows)
    dense.save(made(factory, all_), tmp_path / "x")
    parameters = {"nprobe": 16} if dense.lists(factory) else {}
    opened = dense.Dense.open(tmp_path / "x", factory, parameters)
    found = opened.search_many(rows[:50], 20, np.arange(3000) % 3 == 1)
    assert all(len(one) > 5 and set(one % 3) == {1} for one, _ in found)
    assert all((np.diff(scores) <= 0).all() for _, scores in found)


def test_recall_is_that_of_a_search_by_hand(tmp_path: Path) -> None:
    rows = vectors(1500)
    all_ = shards(tmp_path, rows)
    index = made("IVF32,SQ8", all_)
    tuned = tune.tune(index, "IVF32,SQ8", all_)
    drawn = all_.draw(tune.QUERIES, tune.SEED)
    exact = rows[drawn] @ rows.T
    exact[np.arange(len(drawn)), drawn] = -1
    _, found = index.search(rows[drawn], 11)  # type: ignore[attr-defined]
    hits = [
        len(set(np.argsort(-scores)[:10]) & set([row for row in near if row != own][:10]))
        for scores, near, own in zip(exact, found, drawn, strict=True)
    ]
    assert tuned.recall_at_10 == pytest.approx(sum(hits) / (10 * len(drawn)), abs=0.002)


def test_equal_vectors_are_as_good_as_each_other(tmp_path: Path) -> None:
    all_ = shards(tmp_path, np.repeat(vectors(5), 100, axis=0))
    assert tune.tune(made("IVF4,SQ8", all_), "IVF4,SQ8", all_).recall_at_10 == 1.0


@pytest.mark.parametrize("count", [1, 2, 11, SHARD, SHARD + 1])
def test_few_vectors_are_enough(tmp_path: Path, count: int) -> None:
    all_ = shards(tmp_path, vectors(count))
    assert tune.tune(made("HNSW32", all_), "HNSW32", all_).recall_at_10 == 1.0


def test_what_is_taken_and_drawn_is_what_was_saved(tmp_path: Path) -> None:
    rows = vectors(3 * SHARD + 5)
    all_ = shards(tmp_path, rows)
    drawn = all_.draw(200, 7)
    assert (drawn == all_.draw(200, 7)).all()
    assert len(set(drawn // SHARD)) > 2
    assert (all_.take(drawn) == rows[drawn]).all()
    assert (np.concatenate(list(all_.blocks())) == rows).all()


def test_too_little_memory_says_how_much_is_needed() -> None:
    with pytest.raises(BadIndex, match=r"--memory"):
        dense.kind(41_000_000, 384, 1 << 20)


@pytest.mark.parametrize("count", [1000, 300_000, 3_000_000, 41_000_000])
@pytest.mark.parametrize("gib", [2, 8, 64])
def test_the_chosen_type_fits_and_its_codes_divide_the_vector(count: int, gib: int) -> None:
    factory = dense.kind(count, 384, gib << 30)
    assert dense.size(factory, count, 384) <= gib << 30
    assert 384 % int(factory.rpartition("PQ")[2].removesuffix("np") if "PQ" in factory else 1) == 0


def test_the_size_told_is_that_of_the_file(tmp_path: Path) -> None:
    all_ = shards(tmp_path, vectors(3000))
    for factory in TYPES[:3]:
        dense.save(made(factory, all_), tmp_path / "x")
        told = dense.size(factory, 3000, 32)
        assert (tmp_path / "x").stat().st_size == pytest.approx(told, rel=0.1)


def test_a_torn_shard_is_made_again(tmp_path: Path) -> None:
    encoder = EncoderInfo("e", "1", 4)
    writer = Writer(
        tmp_path, lambda texts: np.ones((len(texts), 4), np.float32), encoder, np.float32
    )
    file = writer.shard(0, ["a", "b"])
    file.write_bytes(file.read_bytes()[:-3])
    assert np.load(writer.shard(0, ["a", "b"])).shape == (2, 4)
