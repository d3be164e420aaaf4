"""Weights from a Hugging Face hub: safetensors, configurations and tokenizers only.

Pickled weights (`.bin`, `.pt`) are never fetched: loading one runs whatever code is in it.
The commit that the main branch points to is recorded in the lock, not chosen here.

Runs as a process of its own, `python -m models.hub ID INTO`, because huggingface_hub reads
its offline switch once, on import, and everything else here stays offline.
"""

import errno
import fnmatch
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from models import disk
from models.errors import ModelError
from models.progress import Progress
from models.registry import Row

WANTED = ("*.safetensors", "*.json", "*.jinja", "*.txt", "*.model", "*.tiktoken")
UNWANTED = ("onnx/*", "openvino/*", "original/*", "metal/*", "gguf/*", "*.gguf")
LIFTED = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


@dataclass(frozen=True, slots=True)
class Repository:
    """What a hub offers of a model."""

    commit: str
    files: dict[str, int]
    """Path -> size in bytes."""


def wanted(row: Row, paths: Iterable[str]) -> list[str]:
    """Which of the repository's files are needed to run the model.

    Raises:
        ModelError: There are no safetensors among them.
    """
    take = WANTED + (("*.py",) if row.remote_code else ())
    leave = UNWANTED + row.ignore
    kept = [path for path in paths if _any(path, take) and not _any(path, leave)]
    if not any(path.endswith(".safetensors") for path in kept):
        raise ModelError(
            f"The hub's {row.hub} holds no safetensors weights, and pickled ones are not loaded, "
            "as they can run code. Choose another model: `verifier models list`."
        )
    return kept


def download(row: Row, into: Path, progress: Progress) -> str:
    """Brings the files of `row` into the folder `into`, going on from an earlier try.

    Returns:
        The commit they belong to.

    Raises:
        ModelError: The hub does not answer or refuses, or the disk is too full.
    """
    into.mkdir(parents=True, exist_ok=True)
    offer = Repository(**json.loads(_child(["list", row.hub])))
    files = wanted(row, offer.files)
    total = sum(offer.files[path] for path in files)
    disk.require(into, total - _size(into), f"{row.name}, {total:,} bytes")
    command = ["fetch", row.hub, offer.commit, str(into), *files]
    _child(command, poll=lambda: progress("downloading", min(_size(into), total), total))
    progress("downloading", total, total)
    return offer.commit


def _any(path: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def _size(root: Path) -> int:
    total = 0
    for path in root.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:  # a finished download has just been moved
            continue
    return total


def _child(args: list[str], poll: Callable[[], None] | None = None) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in LIFTED}
    environment["PYTHONPATH"] = str(Path(__file__).resolve().parent.parent)
    environment["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    command = [sys.executable, "-m", "models.hub", *args]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            while True:
                try:
                    out, err = process.communicate(timeout=0.5)
                    break
                except subprocess.TimeoutExpired:
                    if poll:
                        poll()
        except BaseException:
            process.kill()
            raise
    if process.returncode == 0:
        return out
    last = (err.strip().splitlines() or ["no output"])[-1]
    raise ModelError(f"{args[1]} could not be fetched: {last} Fetch again to go on.")


def _main(action: str, hub: str, *rest: str) -> None:
    from huggingface_hub import HfApi, errors, snapshot_download

    # Of whichever HTTP client it is built on; not in its list of exports.
    http_error: type[Exception] = errors.HTTPError  # type: ignore[attr-defined]
    try:
        if action == "list":
            info = HfApi().model_info(hub, files_metadata=True)
            sizes = {file.rfilename: file.size or 0 for file in info.siblings or ()}
            print(json.dumps({"commit": info.sha, "files": sizes}))  # noqa: T201 - to our parent
        else:
            commit, into, *files = rest
            snapshot_download(hub, revision=commit, local_dir=into, allow_patterns=list(files))
    except errors.GatedRepoError:
        sys.exit(
            f"its licence must be accepted first; do so at the hub's page of {hub} and run "
            "`hf auth login`."
        )
    except errors.RepositoryNotFoundError:
        sys.exit("the hub knows no such model, or not for this user.")
    except (http_error, OSError) as error:
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
        sys.exit(f"{'the disk is full' if full else 'the hub does not answer'} ({reason}).")


if __name__ == "__main__":
    _main(*sys.argv[1:])
