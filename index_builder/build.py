"""Text -> an index directory. Killed at any moment, run again, it goes on and ends the same.

Work happens in `<out>.building`: `parts` holds each file as it was read (see `gather`), `shards`
the vectors (see `shards`), `index` the future index. The index gets its name when everything in it
is finished, and only then the rest goes; a half-made index never opens.
"""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from corpora.passage import Passage
from index_builder import dense, lexical
from index_builder.errors import BadIndex, IndexMissing
from index_builder.gather import Files, Part, Progress, latest, parts
from index_builder.job import Job
from index_builder.known import KnownVectors
from index_builder.manifest import EncoderInfo, Manifest, SourceInfo
from index_builder.shards import SHARD, Encode
from index_builder.swap import recover
from index_builder.text import contents

__all__ = ["SHARD", "Added", "Encode", "Progress", "add", "build"]


@dataclass(frozen=True, slots=True)
class Added:
    """What came of adding to an index."""

    manifest: Manifest
    added: int = 0
    """Documents that were not there."""
    replaced: int = 0
    """Documents that were there and older."""
    kept: int = 0
    """Documents of the new files that were there as new, or newer."""


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


def build(
    text: Files | Iterable[Passage],
    encode: Encode,
    out: Path,
    *,
    encoder: EncoderInfo,
    source: SourceInfo,
    progress: Progress = _silent,
    force: bool = False,
    faiss: str | int = dense.MEMORY,
) -> Manifest:
    """Build an index, or finish one that was interrupted.

    Args:
        text: Files, or passages that are read once, in order; their ids must differ.
        encode: Texts to vectors of shape (texts, dimension), any prefix already its business.
        out: The index directory; its name becomes the index's name.
        encoder: What `encode` is, for the manifest.
        source: Where the text is from; `Files.source`, if it is from files.
        progress: Told how far it is. The stages are `reading`, `lucene`, `encoding`, `faiss`,
            `finishing`, or `already built` alone.
        force: Replace an index that is there and differs.
        faiss: Bytes that FAISS may take, by which and by the corpus its type is chosen; or the
            type, as a factory string.

    Returns:
        The manifest of the finished index, also if it was there already.

    Raises:
        BadIndex: Another index is there, another process builds it, the disk refuses, or the
            encoder does not return what `encoder` says.
        CorpusError: Nothing of a file could be read.
    """
    with _alone(out) as out:
        there = _existing(out, force)
        made = Job(out, encode, encoder, source, progress, faiss)
        if there and not force and isinstance(text, Files) and _same(made, there):
            return _told(there, progress)
        words = text.reading.words if isinstance(text, Files) else 0
        with made.folder():
            read = parts(text, source, made.root / "parts", progress)
            finished = made.run(read, there, words, force=force)
        return finished.manifest


def add(
    text: Files | Iterable[Passage],
    encode: Encode,
    out: Path,
    *,
    encoder: EncoderInfo,
    source: SourceInfo,
    progress: Progress = _silent,
) -> Added:
    """Put new text into an index: it becomes what building it of all the text would give.

    Only texts that are new are encoded. A document that is there already is replaced by a newer
    one of the same id. An interrupted call goes on where it was; until it is done, the index stays
    as it is.

    Args:
        text: As for `build`, read with as many words a passage as the index has.
        encode: As for `build`.
        out: An index directory.
        encoder: Must be that of the index.
        source: Of the new text.
        progress: As for `build`.

    Raises:
        IndexMissing: There is no index.
        BadIndex: It is damaged, its encoder is another, or what `build` raises.
        CorpusError: Nothing of a file could be read.
    """
    with _alone(out) as out:
        there = Manifest.load(out)
        if encoder != there.encoder:
            raise BadIndex(
                f"The index {out} was built with the encoder {there.encoder}; text that is encoded "
                f"with {encoder} cannot be added. Use the first."
            )
        if isinstance(text, Files):
            text, source = _new(text, there)
            if not text.files:
                return Added(_told(there, progress))
        both = _together(there.source, source)
        job = Job(out, encode, encoder, both, progress, there.memory or there.faiss)
        old = Part(out, there.id, there.source.snapshot_date, there.skipped)
        with job.folder():
            read = [old, *parts(text, source, job.root / "parts", progress)]
            known = KnownVectors(out, there, contents)
            done = job.run(read, there, there.words, known=known, older=there.counts.superseded)
        chosen = done.chosen
        return Added(done.manifest, chosen.added, chosen.replaced, chosen.kept)


@contextmanager
def _alone(out: Path) -> Iterator[Path]:
    """The absolute path of an index, under its lock; errors of the system become ours."""
    from filelock import FileLock, Timeout

    out = out.absolute()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(out.parent / f".{out.name}.lock", timeout=0):
            recover(out)
            yield out
    except Timeout as error:
        raise BadIndex(f"Another process is building {out}. Wait until it is done.") from error
    except OSError as error:
        cure = "Make room" if error.errno == errno.ENOSPC else "Mend that"
        raise BadIndex(
            f"Could not write the index {out}: {error}. {cure} and run the same command again: "
            "what is encoded so far is kept."
        ) from error


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


def _same(job: Job, there: Manifest) -> bool:
    """True if the same files were built in the same way; they need not be read to know it."""
    analyzer = lexical.analyzer(there.source.languages[0])
    wanted = (job.source.files, job.encoder, analyzer, job.kind(there.counts.passages))
    return wanted == (there.source.files, there.encoder, there.analyzer, there.faiss)


def _told(there: Manifest, progress: Progress) -> Manifest:
    progress("already built", there.counts.passages, there.counts.passages)
    return there


def _new(text: Files, there: Manifest) -> tuple[Files, SourceInfo]:
    """The files that are not in the index yet, read as those were."""
    words = there.words or text.reading.words
    text = replace(text, reading=replace(text.reading, words=words))
    held = {one.fingerprint for one in there.source.files}
    new = [one for one in text.files if text.described(one).fingerprint not in held]
    text = replace(text, files=tuple(new))
    return text, text.source()


def _together(old: SourceInfo, new: SourceInfo) -> SourceInfo:
    """What is said of an index with the text of both."""
    names = dict.fromkeys((*old.name.split(", "), *new.name.split(", ")))
    licences = dict.fromkeys((*old.licence.split("; "), *new.licence.split("; ")))
    return SourceInfo(
        name=", ".join(names),
        licence="; ".join(licences),
        snapshot_date=latest((old.snapshot_date, new.snapshot_date)),
        languages=old.languages,
        files=(*old.files, *new.files),
    )
