"""One run of building: parts -> text, Lucene, vectors, FAISS -> the finished index."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import numpy as np

from index_builder import dense, lexical, store, tune
from index_builder.aliases import Aliases
from index_builder.errors import BadIndex
from index_builder.gather import Part, Progress, combined, latest
from index_builder.known import VECTORS
from index_builder.manifest import FORMAT, Counts, EncoderInfo, Manifest, SourceInfo, survey
from index_builder.merge import Chosen, Merged, merge
from index_builder.shards import SHARD, Encode, Known, Shards, Writer
from index_builder.swap import swap
from index_builder.text import contents, searched


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run made."""

    manifest: Manifest
    chosen: Chosen


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be built, under its lock."""

    out: Path
    encode: Encode
    encoder: EncoderInfo
    source: SourceInfo
    progress: Progress
    faiss: str | int
    """FAISS factory string, or the bytes that it may take."""

    @property
    def root(self) -> Path:
        """Where the work is done."""
        return self.out.with_name(self.out.name + ".building")

    @property
    def work(self) -> Path:
        """The future index."""
        return self.root / "index"

    @property
    def shards(self) -> Path:
        """Where vectors are saved."""
        return self.root / "shards"

    def kind(self, passages: int) -> str:
        """The FAISS type for so many."""
        if isinstance(self.faiss, str):
            return self.faiss
        return dense.kind(passages, self.encoder.dimension, self.faiss)

    @contextmanager
    def folder(self) -> Iterator[None]:
        """The folder of the work; it stays after an error if something in it is worth keeping."""
        self.shards.mkdir(parents=True, exist_ok=True)
        self.work.mkdir(exist_ok=True)
        finished = False
        try:
            yield
            finished = True
        finally:
            parts = self.root.glob("parts/[0-9]*-*")
            if finished or not any(chain(self.shards.glob("*.npy"), parts)):
                shutil.rmtree(self.root)

    def run(
        self,
        parts: Sequence[Part],
        there: Manifest | None,
        words: int,
        *,
        known: Known | None = None,
        older: int = 0,
        force: bool = False,
    ) -> Finished:
        """Build of the parts what is not built yet.

        Args:
            parts: What was read; an index that is added to is the first.
            there: The index that lies at `out`.
            words: Wanted words in a passage, for the manifest.
            known: Vectors that need not be encoded; None for a new index.
            older: Documents that were left out before.
            force: Replace an index that is there and differs.

        Raises:
            BadIndex: Another index is there, or a part refuses.
        """
        merged = merge(parts, self.work, self.root / "text.done")
        source = self._source(parts, merged.written)
        factory = self.kind(merged.written.passages)
        identity = self._identity(merged, factory, source.languages[0])
        if there and there.id == identity and not force:
            self.progress("already built", there.counts.passages, there.counts.passages)
            return Finished(there, merged.chosen)
        if there and not force and known is None:
            raise BadIndex(
                f"{self.out} already holds another index: {there.counts.passages:,} passages of "
                f"{there.source.name}, encoder {there.encoder}. Choose another --name, or replace "
                "it with --force."
            )
        text = store.Store.open(self.work)
        self._lucene(text, merged, source.languages[0])
        tuned = self._faiss(self._vectors(text, factory, known), factory)
        made = self._manifest(parts, merged, identity, factory, tuned)
        made = replace(made, source=source, analyzer=lexical.analyzer(source.languages[0]))
        counts = replace(made.counts, superseded=made.counts.superseded + older)
        return Finished(self._finish(replace(made, counts=counts, words=words)), merged.chosen)

    def _manifest(
        self,
        parts: Sequence[Part],
        merged: Merged,
        identity: str,
        factory: str,
        tuned: tune.Tuned,
    ) -> Manifest:
        written = merged.written
        return Manifest(
            format=FORMAT,
            id=identity,
            name=self.out.name,
            source=self.source,
            counts=Counts(
                *(written.passages, written.documents, merged.named.aliases),
                superseded=merged.chosen.superseded,
            ),
            encoder=self.encoder,
            faiss=factory,
            analyzer="",
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            packages={name: version(name) for name in ("faiss-cpu", "pyarrow", "pyserini")},
            files={},
            search=tuned.parameters,
            recall_at_10=tuned.recall_at_10,
            skipped=combined(parts),
            languages=written.languages,
            memory=0 if isinstance(self.faiss, str) else self.faiss,
        )

    def _identity(self, merged: Merged, factory: str, language: str) -> str:
        about = [merged.written.hash, merged.named.hash, asdict(self.encoder), factory]
        settings = json.dumps([*about, lexical.analyzer(language), FORMAT])
        return hashlib.sha256(settings.encode()).hexdigest()[:16]

    def _source(self, parts: Sequence[Part], written: store.Written) -> SourceInfo:
        """The source with what reading it has told."""
        said = sorted(written.languages, key=lambda code: (-written.languages[code], code))
        # Text that does not say its language is read by English rules.
        codes = tuple(dict.fromkeys(code or "en" for code in said))
        return replace(
            self.source,
            snapshot_date=latest(part.snapshot_date for part in parts),
            languages=codes if any(said) else self.source.languages,
        )

    def _lucene(self, text: store.Store, merged: Merged, language: str) -> None:
        """Before the encoding: if Java is broken, that shows in seconds, not in hours."""
        note = self.root / "lucene.done"
        key = f"{merged.written.hash} {merged.named.hash} {lexical.analyzer(language)}"
        self.progress("lucene", 0, len(text))
        if not note.is_file() or note.read_text("utf-8") != key:
            note.unlink(missing_ok=True)
            lexical.build(self._counted(text), self.work / lexical.FOLDER, language)
            note.write_text(key, "utf-8")
        self.progress("lucene", len(text), len(text))

    def _counted(self, text: store.Store) -> Iterator[str]:
        with closing(Aliases.open(self.work)) as names:
            for row, passage in enumerate(text):
                if row % store.ROWS_PER_BATCH == 0:
                    self.progress("lucene", row, len(text))
                # Only the first passage of a document: a name is no reason to find all of them.
                is_first = passage.id.endswith(":0")
                yield searched(passage, names.of(passage.title) if is_first else ())

    def _vectors(self, text: store.Store, factory: str, known: Known | None) -> Shards:
        # What FAISS keeps in a byte or less needs no more than two of the encoder's four.
        kind = np.float32 if dense.lossless(factory) else np.float16
        writer = Writer(self.shards, self.encode, self.encoder, kind, known)
        files = []
        self.progress("encoding", 0, len(text))
        for start in range(0, len(text), SHARD):
            end = min(start + SHARD, len(text))
            texts = [contents(passage) for passage in text.rows(start, end)]
            files.append(writer.shard(start, texts))
            self.progress("encoding", end, len(text))
        return Shards(files, len(text))

    def _faiss(self, vectors: Shards, factory: str) -> tune.Tuned:
        def counted() -> Iterator[dense.Vectors]:
            for number, shard in enumerate(vectors):
                self.progress("faiss", number * SHARD, len(vectors))
                yield shard

        self.progress("faiss", 0, len(vectors))
        # At least one, for its dimension.
        sample = vectors.take(vectors.draw(max(1, dense.training(factory)), tune.SEED))
        index = dense.make(counted(), sample, factory)
        tuned = tune.tune(index, factory, vectors)
        dense.save(index, self.work / dense.FILE)
        if not dense.lossless(factory):
            vectors.save(self.work / VECTORS)
        self.progress("faiss", len(vectors), len(vectors))
        return tuned

    def _finish(self, made: Manifest) -> Manifest:
        self.progress("finishing", 0, 0)
        if dense.lossless(made.faiss):
            # Of a build that was killed and is finished with more memory.
            (self.work / VECTORS).unlink(missing_ok=True)
        made = replace(made, files=survey(self.work))
        made.write(self.work)
        swap(self.work, self.out)
        return made
