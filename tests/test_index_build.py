import dataclasses
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from test_index_corpus import ENCODER, PASSAGES, SOURCE, encode

from corpora.passage import Passage
from index_builder.build import SHARD, build
from index_builder.dense import Vectors
from index_builder.errors import BadIndex
from index_builder.manifest import Manifest
from index_builder.search import Index

pytestmark = pytest.mark.jvm

MANY = [Passage(f"many:{n}", f"Entry {n} of a long list.", f"N{n}") for n in range(3 * SHARD + 7)]

KILLED = """
import os, signal
from pathlib import Path
import test_index_build as here
calls = 0
def encode(texts):
    global calls
    calls += 1
    if calls > 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return here.encode(texts)
here.make(Path({out!r}), here.MANY, encode)
"""


def make(out: Path, passages: Sequence[Passage], using: object = encode, **how: bool) -> Manifest:
    return build(passages, using, out, encoder=ENCODER, source=SOURCE, **how)  # type: ignore[arg-type]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def test_a_killed_build_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    code = KILLED.format(out=str(tmp_path / "a"))
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=where, check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    assert names(tmp_path) == ["a.building"]
    encoded: list[int] = []
    make(tmp_path / "a", MANY, lambda texts: encoded.append(len(texts)) or encode(texts))
    assert encoded == [SHARD, 7]
    make(tmp_path / "b", MANY)
    assert same(tmp_path / "a", tmp_path / "b")
    assert names(tmp_path) == ["a", "b"]


def same(one: Path, two: Path) -> bool:
    files = ("passages.arrow", "ids.npy", "dense.faiss")
    queries = [passage.text for passage in MANY[::50]]
    found = [Index.open(path, encode, ENCODER).search_many(queries) for path in (one, two)]
    equal = all((one / name).read_bytes() == (two / name).read_bytes() for name in files)
    return equal and found[0] == found[1] and Manifest.load(one).id == Manifest.load(two).id


def test_what_is_built_is_not_built_again(tmp_path: Path) -> None:
    first = make(tmp_path / "a", PASSAGES)
    stages: list[str] = []
    again = build(
        PASSAGES,
        lambda _: pytest.fail("encoded again"),
        tmp_path / "a",
        encoder=ENCODER,
        source=SOURCE,
        progress=lambda stage, _done, _total: stages.append(stage),
    )
    assert (again, stages[-1]) == (first, "already built")


def test_another_text_replaces_an_index_only_with_force(tmp_path: Path) -> None:
    first = make(tmp_path / "a", PASSAGES)
    with pytest.raises(BadIndex, match="--force"):
        make(tmp_path / "a", PASSAGES[:5])
    assert Manifest.load(tmp_path / "a") == first
    assert make(tmp_path / "a", PASSAGES[:5], force=True).counts.passages == 5
    assert names(tmp_path) == ["a"]


def test_a_damaged_index_is_replaced_only_with_force(tmp_path: Path) -> None:
    make(tmp_path / "a", PASSAGES)
    (tmp_path / "a" / "dense.faiss").unlink()
    with pytest.raises(BadIndex, match="is missing"):
        make(tmp_path / "a", PASSAGES)
    assert make(tmp_path / "a", PASSAGES, force=True) == Manifest.load(tmp_path / "a")


def test_a_folder_that_is_no_index_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "thesis.txt").write_text("mine")
    with pytest.raises(BadIndex, match="not an index"):
        make(tmp_path / "a", PASSAGES, force=True)
    assert names(tmp_path / "a") == ["thesis.txt"]


def test_two_builders_do_not_meet(tmp_path: Path) -> None:
    with FileLock(tmp_path / ".a.lock"), pytest.raises(BadIndex, match="Another process"):
        make(tmp_path / "a", PASSAGES)


def test_a_kill_between_the_renames_loses_no_index(tmp_path: Path) -> None:
    first = make(tmp_path / "a", PASSAGES)
    (tmp_path / "a").rename(tmp_path / "a.old")
    assert make(tmp_path / "a", PASSAGES) == first
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("shape", [(40, 32), (39, 64), (40,)])
def test_an_encoder_that_breaks_its_word_leaves_nothing(
    tmp_path: Path, shape: tuple[int, ...]
) -> None:
    def wrong(_texts: Sequence[str]) -> Vectors:
        return np.zeros(shape, dtype=np.float32)

    with pytest.raises(BadIndex, match="The encoder"):
        make(tmp_path / "a", PASSAGES, wrong)
    assert names(tmp_path) == []


def test_the_id_depends_on_text_and_encoder_alone(tmp_path: Path) -> None:
    first = make(tmp_path / "a", PASSAGES)
    second = make(tmp_path / "b", PASSAGES)
    other = dataclasses.replace(ENCODER, revision="2")
    third = build(PASSAGES, encode, tmp_path / "c", encoder=other, source=SOURCE)
    assert first.id == second.id != third.id


def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadIndex, match="Could not write"):
        make(tmp_path / "file" / "a", PASSAGES)


def test_java_says_nothing_on_standard_error(tmp_path: Path) -> None:
    code = "import test_index_build as h, pathlib; h.make(pathlib.Path({!r}), h.PASSAGES)"
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code.format(str(tmp_path / "a"))]
    done = subprocess.run(command, env=where, check=True, capture_output=True, timeout=120)
    assert (done.stdout, done.stderr) == (b"", b"")
