"""Passages -> an index directory. Killed at any moment, run again, it goes on and ends the same.

Work happens in `<out>.building`, which holds the future `index` and the `shards`: vectors saved a
few hundred at a time under a hash of the encoder and their texts, so a shard is used again exactly
when it would come out the same. The index gets its name when everything in it is finished, and
only then the shards go; a half-made index never opens.
"""

import errno
import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import numpy as np

from corpora.passage import Passage
from index_builder import dense, lexical, store
from index_builder.errors import BadIndex, IndexMissing
from index_builder.manifest import FORMAT, Counts, EncoderInfo, Manifest, SourceInfo, survey
from index_builder.swap import recover, swap

SHARD = 512
"""Passages encoded and saved at once."""

Encode = Callable[[Sequence[str]], dense.Vectors]
Progress = Callable[[str, int, int], None]
"""Gets the stage, what is done and the total (0 while unknown). The stages are `reading`,
`lucene`, `encoding`, `faiss`, `finishing`, or `already built` alone."""


def build(
    passages: Iterable[Passage],
    encode: Encode,
    out: Path,
    *,
    encoder: EncoderInfo,
    source: SourceInfo,
    progress: Progress = lambda stage, done, total: None,  # noqa: ARG005
    force: bool = False,
    factory: str | None = None,
) -> Manifest:
    """Build an index, or finish one that was interrupted.

    Args:
        passages: Read once, in order; ids must differ.
        encode: Texts to vectors of shape (texts, dimension), any prefix already its business.
        out: The index directory; its name becomes the index's name.
        encoder: What `encode` is, for the manifest.
        source: Where the passages are from, for the manifest.
        progress: Told how far it is.
        force: Replace an index that is there and differs.
        factory: FAISS factory string; by the size of the corpus if None.

    Returns:
        The manifest of the finished index, also if it was there already.

    Raises:
        BadIndex: Another index is there, another process builds it, the disk refuses, or the
            encoder does not return what `encoder` says.
    """
    from filelock import FileLock, Timeout

    out = out.absolute()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(out.parent / f".{out.name}.lock", timeout=0):
            job = _Job(out, encode, encoder, source, progress, factory)
            return job.run(passages, force)
    except Timeout as error:
        raise BadIndex(f"Another process is building {out}. Wait until it is done.") from error
    except OSError as error:
        cure = "Make room" if error.errno == errno.ENOSPC else "Mend that"
        raise BadIndex(
            f"Could not write the index {out}: {error}. {cure} and run the same command again: "
            "what is encoded so far is kept."
        ) from error


def contents(passage: Passage) -> str:
    """What is searched of a passage, by Lucene and by the encoder.

    >>> contents(Passage("1", "It is deep.", "Lake Baikal", section="Geography"))
    'Lake Baikal. Geography. It is deep.'
    """
    parts = (passage.title, passage.section, passage.text)
    return ". ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class _Job:
    """One call of `build`, under its lock."""

    out: Path
    encode: Encode
    encoder: EncoderInfo
    source: SourceInfo
    progress: Progress
    factory: str | None

    @property
    def root(self) -> Path:
        return self.out.with_name(self.out.name + ".building")

    @property
    def work(self) -> Path:
        return self.root / "index"

    @property
    def shards(self) -> Path:
        return self.root / "shards"

    def run(self, passages: Iterable[Passage], force: bool) -> Manifest:
        recover(self.out)
        self.shards.mkdir(parents=True, exist_ok=True)
        self.work.mkdir(exist_ok=True)
        finished = False
        try:
            made = self._run(passages, force)
            finished = True
        finally:
            if finished or not any(self.shards.glob("*.npy")):
                shutil.rmtree(self.root)
        return made

    def _run(self, passages: Iterable[Passage], force: bool) -> Manifest:
        written = store.write(self._counted(passages), self.work)
        factory = self.factory or dense.kind(written.passages)
        identity = self._identity(written, factory)
        there = _existing(self.out, force)
        if there and there.id == identity and not force:
            self.progress("already built", there.counts.passages, there.counts.passages)
            return there
        if there and not force:
            raise BadIndex(
                f"{self.out} already holds another index: {there.counts.passages:,} passages of "
                f"{there.source.name}, encoder {there.encoder}. Choose another --name, or replace "
                "it with --force."
            )
        text = store.Store.open(self.work)
        self._lucene(text, written)
        files = [self._shard(text, start) for start in range(0, len(text), SHARD)]
        self._faiss(files, factory, len(text))
        return self._finish(written, factory, identity)

    def _counted(self, passages: Iterable[Passage]) -> Iterator[Passage]:
        for done, passage in enumerate(passages):
            if done % store.ROWS_PER_BATCH == 0:
                self.progress("reading", done, 0)
            yield passage

    def _identity(self, written: store.Written, factory: str) -> str:
        settings = [written.hash, asdict(self.encoder), factory, lexical.ANALYZER, FORMAT]
        return hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:16]

    def _lucene(self, text: store.Store, written: store.Written) -> None:
        """Before the encoding: if Java is broken, that shows in seconds, not in hours."""
        note, key = self.root / "lucene.done", f"{written.hash} {lexical.ANALYZER}"
        self.progress("lucene", 0, len(text))
        if not note.is_file() or note.read_text("utf-8") != key:
            note.unlink(missing_ok=True)
            lexical.build(map(contents, text), self.work / lexical.FOLDER)
            note.write_text(key, "utf-8")
        self.progress("lucene", len(text), len(text))

    def _shard(self, text: store.Store, start: int) -> Path:
        """The file of the vectors of a shard, encoded now or before."""
        end = min(start + SHARD, len(text))
        texts = [contents(passage) for passage in text.rows(start, end)]
        key = json.dumps([asdict(self.encoder), texts]).encode()
        file = self.shards / f"{start:012d}-{hashlib.sha256(key).hexdigest()[:16]}.npy"
        if not _whole(file, (end - start, self.encoder.dimension)):
            self.progress("encoding", start, len(text))
            vectors = np.asarray(self.encode(texts), dtype=np.float32)
            dense.check(vectors, len(texts), self.encoder.dimension)
            part = file.with_suffix(".part.npy")
            np.save(part, vectors)
            part.replace(file)
        self.progress("encoding", end, len(text))
        return file

    def _faiss(self, files: Sequence[Path], factory: str, total: int) -> None:
        self.progress("faiss", 0, total)
        shards = (np.load(file, mmap_mode="r") for file in files)
        dense.build(shards, _sample(files, factory), factory, self.work / dense.FILE)
        self.progress("faiss", total, total)

    def _finish(self, written: store.Written, factory: str, identity: str) -> Manifest:
        self.progress("finishing", 0, 0)
        made = Manifest(
            format=FORMAT,
            id=identity,
            name=self.out.name,
            source=self.source,
            counts=Counts(written.passages, written.documents),
            encoder=self.encoder,
            faiss=factory,
            analyzer=lexical.ANALYZER,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            packages={name: version(name) for name in ("faiss-cpu", "pyarrow", "pyserini")},
            files=survey(self.work),
        )
        made.write(self.work)
        swap(self.work, self.out)
        return made


def _whole(file: Path, shape: tuple[int, int]) -> bool:
    try:
        return bool(np.load(file, mmap_mode="r").shape == shape)
    except (OSError, ValueError, EOFError):
        return False


def _sample(files: Sequence[Path], factory: str) -> dense.Vectors:
    """Vectors to train on: the first ones of every shard, as many as the lists need."""
    lists = int(factory[3:].split(",")[0]) if factory.startswith("IVF") else 0
    each = max(1, -(-lists * dense.TRAINING_PER_LIST // len(files)))
    return np.concatenate([np.load(file, mmap_mode="r")[:each] for file in files])


def _existing(out: Path, force: bool) -> Manifest | None:
    """The index at `out`, if any.

    Raises:
        BadIndex: There is something else, or something damaged and `force` is off.
    """
    try:
        return Manifest.load(out)
    except IndexMissing as error:
        if out.exists() and not (out.is_dir() and not any(out.iterdir())):
            raise BadIndex(f"{out} is there and is not an index. Choose another name.") from error
        return None
    except BadIndex:
        if not force:
            raise
        return None
