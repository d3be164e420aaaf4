import dataclasses
import json
import os
import random
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
from index_builder.build import SHARD, Added, add, build
from index_builder.dense import Vectors
from index_builder.errors import BadIndex
from index_builder.gather import File, Files
from index_builder.manifest import Manifest
from index_builder.search import Index
from index_builder.verify import verify

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


def make(
    out: Path, text: Files | Sequence[Passage], using: object = encode, **how: object
) -> Manifest:
    source = text.source() if isinstance(text, Files) else SOURCE
    return build(text, using, out, encoder=ENCODER, source=source, **how)  # type: ignore[arg-type]


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


STOPPED = """
import os, signal, sys
from pathlib import Path
import test_index_build as here
left = int(sys.argv[2])
def progress(stage, done, total):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
here.make(Path(sys.argv[1]), here.files(), progress=progress)
"""


def test_a_build_killed_at_any_moment_ends_as_one_that_was_not(tmp_path: Path) -> None:
    for file, count in (("one.jsonl", 700), ("two.jsonl", 900)):
        rows(tmp_path / file, [(f"{n}", f"Entry {n} of the list {file}.") for n in range(count)])
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def run(name: str, events: int) -> int:
        command = [sys.executable, "-c", STOPPED, str(tmp_path / name), str(events)]
        return subprocess.run(command, env=where, cwd=tmp_path, check=False).returncode

    moments = [2, *random.Random(4).sample(range(3, 20), 5)]
    assert {run("a", moment) for moment in moments} <= {-signal.SIGKILL, 0}
    assert (run("a", 0), run("b", 0)) == (0, 0)
    assert unlike(tmp_path / "a", tmp_path / "b") == ["name"]
    assert names(tmp_path) == ["a", "b", "one.jsonl", "two.jsonl"]


def rows(file: Path, pages: Sequence[tuple[str, str]], date: str = "") -> None:
    """JSON Lines with a title and a text each."""
    made = [{"id": key, "title": f"N{key}", "text": text, "date": date} for key, text in pages]
    file.write_text("".join(json.dumps(one) + "\n" for one in made))


def files(*names: str) -> Files:
    """Files in the working directory."""
    return Files(tuple(File(Path(name), "jsonl") for name in names or ("one.jsonl", "two.jsonl")))


def unlike(one: Path, two: Path) -> list[str]:
    """What differs between two indexes: fields of the manifest, and files but Lucene's."""
    first, second = (json.loads((path / "manifest.json").read_text()) for path in (one, two))
    fields = [name for name in first if first[name] != second[name] and name != "created"]
    plain = ("passages.arrow", "ids.npy", "dense.faiss", "aliases.sqlite")
    return fields + [n for n in plain if (one / n).read_bytes() != (two / n).read_bytes()]


def test_adding_gives_what_building_of_all_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows(tmp_path / "one.jsonl", [(f"{n}", f"Old text {n}.") for n in range(600)], "2024-01-01")
    (tmp_path / "new").mkdir()
    pages = [(f"{n}", f"Old text {n}." if n % 2 else f"New text {n}.") for n in range(590, 620)]
    rows(tmp_path / "new" / "one.jsonl", pages, "2025-01-01")
    make(tmp_path / "a", files("one.jsonl"))
    encoded: list[str] = []
    done = add_to(tmp_path / "a", files("new/one.jsonl"), encoded)
    assert (done.added, done.replaced, done.kept) == (20, 10, 0)
    assert len(encoded) == 5 + 20
    make(tmp_path / "b", files("one.jsonl", "new/one.jsonl"))
    assert unlike(tmp_path / "a", tmp_path / "b") == ["name"]
    assert add_to(tmp_path / "a", files("new/one.jsonl"), encoded) == Added(done.manifest)


def add_to(out: Path, text: Files, encoded: list[str]) -> Added:
    def count(texts: Sequence[str]) -> Vectors:
        encoded.extend(texts)
        return encode(texts)

    return add(text, count, out, encoder=ENCODER, source=text.source())


@pytest.mark.parametrize("faiss", ["Flat", "HNSW32", "IVF4,SQ8"])
def test_vectors_of_any_type_are_used_again(tmp_path: Path, faiss: str) -> None:
    build(MANY[:600], encode, tmp_path / "a", encoder=ENCODER, source=SOURCE, faiss=faiss)
    encoded: list[str] = []

    def count(texts: Sequence[str]) -> Vectors:
        encoded.extend(texts)
        return encode(texts)

    extra = [Passage("more:0", "One more.", "More", date="2026-01-01")]
    add(extra, count, tmp_path / "a", encoder=ENCODER, source=SOURCE)
    assert encoded == ["More. One more."]
    build(
        [*MANY[:600], *extra], encode, tmp_path / "b", encoder=ENCODER, source=SOURCE, faiss=faiss
    )
    assert unlike(tmp_path / "a", tmp_path / "b") == ["name"]


def test_an_older_page_replaces_none(tmp_path: Path) -> None:
    make(tmp_path / "a", [Passage("w:7:0", "New.", "T", source="w", date="2024-01-01")])
    old = [
        Passage("w:7:0", "Old.", "T", source="w", date="2023-01-01"),
        Passage("w:7:1", "Older.", "T", source="w", date="2023-01-01"),
    ]
    done = add(old, encode, tmp_path / "a", encoder=ENCODER, source=SOURCE)
    assert (done.added, done.replaced, done.kept) == (0, 0, 1)
    assert done.manifest.counts.passages == 1


def test_what_was_skipped_and_other_names_are_in_the_index(tmp_path: Path) -> None:
    dump = tmp_path / "tiny.jsonl"
    rows(dump, [("1", "A lake.")])
    dump.write_text(dump.read_text() + "{broken\n" * 30)
    made = make(tmp_path / "a", Files((File(dump, "jsonl"),)))
    assert (made.skipped.count, len(made.skipped.examples)) == (30, 20)
    assert "line 2" in made.skipped.examples[0].place


def test_a_whole_index_is_verified_and_a_damaged_one_named(tmp_path: Path) -> None:
    make(tmp_path / "a", PASSAGES)
    whole = verify(tmp_path / "a", lambda *_: None)
    assert (whole.wrong, set(whole.rows.values())) == ((), {len(PASSAGES)})
    file = tmp_path / "a" / "dense.faiss"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    (tmp_path / "a" / "ids.npy").unlink()
    assert verify(tmp_path / "a", lambda *_: None).wrong == ("dense.faiss", "ids.npy")


def same(one: Path, two: Path) -> bool:
    files = ("passages.arrow", "ids.npy", "dense.faiss")
    queries = [passage.text for passage in MANY[::50]]
    found = [Index.open(path, encode, ENCODER).search_many(queries) for path in (one, two)]
    equal = all((one / name).read_bytes() == (two / name).read_bytes() for name in files)
    alike = [[(hit.passage, hit.score) for hits in all_ for hit in hits] for all_ in found]
    return equal and alike[0] == alike[1] and Manifest.load(one).id == Manifest.load(two).id


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
