"""Looks whether an index is still what was built: its bytes, and that its parts fit together."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from index_builder import dense, java, lexical
from index_builder.errors import BadIndex
from index_builder.gather import Progress
from index_builder.manifest import Manifest
from index_builder.store import Store


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of looking."""

    files: int
    damaged: tuple[str, ...]
    """Files that are not as they were when the index was finished."""
    rows: Mapping[str, int]
    """Of each part of the index; not counted where files are damaged."""
    expected: int
    """Rows that each part must have."""

    @property
    def wrong(self) -> tuple[str, ...]:
        """What is damaged, in words; nothing if the index is whole."""
        counted = (
            f"{part} ({rows:,} rows, not {self.expected:,})"
            for part, rows in self.rows.items()
            if rows != self.expected
        )
        return (*self.damaged, *counted)


def verify(index: Path, progress: Progress) -> Checked:
    """Read every file of an index and count the rows of its parts.

    Raises:
        IndexMissing: There is no index.
        BadIndex: Its manifest is damaged.
    """
    manifest = Manifest.load(index, sizes=False)
    damaged = manifest.damaged(index, progress)
    # What is damaged is not opened: neither Lucene nor FAISS promises to survive it.
    rows = {} if damaged else _rows(index, manifest)
    return Checked(len(manifest.files), damaged, rows, manifest.counts.passages)


def _rows(index: Path, manifest: Manifest) -> Mapping[str, int]:
    return {
        "text": len(Store.open(index)),
        "lucene": _documents(index / lexical.FOLDER),
        "faiss": len(dense.Dense.open(index / dense.FILE, manifest.faiss)),
    }


def _documents(folder: Path) -> int:
    readers = java.autoclass("io.anserini.index.IndexReaderUtils")
    try:
        reader = readers.getReader(str(folder))
        count = int(reader.numDocs())
        reader.close()
    except java.java_error() as error:
        raise BadIndex(
            f"Lucene cannot open {folder}: {error}. "
            "Build the index again with `verifier index build --force`."
        ) from error
    return count
