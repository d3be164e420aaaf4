"""Records -> a papers index directory. It gets its name only when everything in it is finished."""

import errno
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import islice
from pathlib import Path

import numpy as np

from corpora.reading import Skipped
from corpora.record import Record
from index_builder import dense, records_store
from index_builder.build import Progress
from index_builder.errors import BadIndex, IndexMissing
from index_builder.manifest import EncoderInfo, SourceInfo, survey
from index_builder.records import FACTORY, VECTORS, Encode
from index_builder.records_manifest import (
    FORMAT,
    KIND,
    Coverage,
    PaperCounts,
    PapersManifest,
)
from index_builder.records_manifest import read as read_manifest
from index_builder.swap import recover, swap

BATCH = 512
"""Titles encoded at once."""

TOLD = 5_000
"""Records between two words on progress."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is built, and what is said about it."""

    out: Path
    source: SourceInfo
    complete: tuple[Coverage, ...] = ()
    encode: Encode | None = None
    """Titles to vectors; None for an index without."""
    encoder: EncoderInfo | None = None


def build(
    records: Iterable[Record],
    plan: Plan,
    *,
    skipped: "Counted",
    progress: Progress = lambda stage, done, total: None,  # noqa: ARG005
    force: bool = False,
) -> PapersManifest:
    """Build a papers index. It is fast enough to begin again after an interruption.

    Args:
        records: read once, in order.
        plan: where it goes and what is said about it.
        skipped: what the readers count as they go.
        progress: told how far it is.
        force: replace an index that is there and differs.

    Returns:
        The manifest of the finished index, also if it was there already.

    Raises:
        BadIndex: another index is there, another process builds it, there are no records, or the
            disk refuses.
    """
    from filelock import FileLock, Timeout

    out = plan.out.absolute()
    work = out.with_name(out.name + ".building")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(out.parent / f".{out.name}.lock", timeout=0):
            recover(out)
            there = _existing(out, force)
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir()
            try:
                return _build(records, plan, work, there, skipped, progress, force=force)
            finally:
                shutil.rmtree(work, ignore_errors=True)
    except Timeout as error:
        raise BadIndex(f"Another process is building {out}. Wait until it is done.") from error
    except (OSError, sqlite3.Error) as error:
        full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        cure = "Make room" if full or "full" in str(error) else "Mend that"
        raise BadIndex(
            f"Could not write the index {out}: {error}. {cure} and run it again."
        ) from error


class Counted:
    """Counts what was skipped and keeps the first few."""

    KEPT = 5

    def __init__(self) -> None:
        self.number = 0
        self.first: list[Skipped] = []

    def __call__(self, what: Skipped) -> None:
        """Count one."""
        self.number += 1
        if self.number <= self.KEPT:
            self.first.append(what)


def _build(
    records: Iterable[Record],
    plan: Plan,
    work: Path,
    there: PapersManifest | None,
    skipped: Counted,
    progress: Progress,
    *,
    force: bool,
) -> PapersManifest:
    writer = records_store.Writer(work)
    try:
        for number, record in enumerate(records):
            if number % TOLD == 0:
                progress("reading", number, 0)
            writer.add(record)
        if not writer.papers:
            raise BadIndex("There is nothing to index: the files hold no usable record.")
        content = writer.finish()
    finally:
        writer.close()
    identity = _identity(content, plan)
    if there and there.id == identity and not force:
        progress("already built", there.counts.papers, there.counts.papers)
        return there
    if there and not force:
        raise BadIndex(
            f"{plan.out} already holds another index: {there.counts.papers:,} papers of "
            f"{there.source.name}. Choose another --name, or replace it with --force."
        )
    if plan.encode is not None:
        _encode(work, plan, writer.papers, progress)
    progress("finishing", 0, 0)
    made = PapersManifest(
        kind=KIND,
        format=FORMAT,
        id=identity,
        name=plan.out.name,
        source=plan.source,
        counts=PaperCounts(writer.papers, writer.merged, skipped.number),
        complete=plan.complete,
        encoder=plan.encoder,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        packages={"rapidfuzz": version("rapidfuzz"), "sqlite": sqlite3.sqlite_version},
        files=survey(work),
    )
    made.write(work)
    swap(work, plan.out.absolute())
    return made


def _identity(content: str, plan: Plan) -> str:
    said = [content, [str(one) for one in plan.complete], plan.source.snapshot_date, FORMAT]
    said.append(asdict(plan.encoder) if plan.encoder else None)
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]


def _encode(work: Path, plan: Plan, total: int, progress: Progress) -> None:
    """Write the vectors of all titles, in row order."""
    assert plan.encode is not None
    assert plan.encoder is not None
    tables = sqlite3.connect(work / records_store.FILE)
    titles = (title for _, title in records_store.every(tables))
    shards, done = [], 0
    while batch := list(islice(titles, BATCH)):
        progress("encoding", done, total)
        vectors = np.asarray(plan.encode(batch), dtype=np.float32)
        dense.check(vectors, len(batch), plan.encoder.dimension)
        shards.append(vectors)
        done += len(batch)
    tables.close()
    progress("encoding", total, total)
    dense.build(iter(shards), shards[0], FACTORY, work / VECTORS)


def _existing(out: Path, force: bool) -> PapersManifest | None:
    """The papers index at `out`, if any.

    Raises:
        BadIndex: there is something else, or something damaged and `force` is off.
    """
    try:
        if (kind := read_manifest(out).get("kind")) != KIND:
            raise _Other(
                f"{out} is an index of passages ({kind or 'no kind'}). Choose another --name."
            )
        return PapersManifest.load(out)
    except IndexMissing as error:
        if out.exists() and not (out.is_dir() and not any(out.iterdir())):
            raise BadIndex(f"{out} is there and is not an index. Choose another name.") from error
        return None
    except _Other:
        raise
    except BadIndex:
        if not force:
            raise
        return None


class _Other(BadIndex):
    """An index of another kind is never replaced."""
