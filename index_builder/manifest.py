"""What an index is: written last when it is built, checked first when it is opened.

Two files: `manifest.json` is the same for the same text and settings, but for `created`;
`checksums.json` tells the files of this very copy, of which Lucene's are never twice the same.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

from corpora.reading import Skipped
from index_builder.errors import BadIndex, IndexMissing

FORMAT = 2
"""Version of the directory's layout; raised when older code could not read a newer index."""
FILE = "manifest.json"
SUMS = "checksums.json"


@dataclass(frozen=True, slots=True)
class EncoderInfo:
    """Which encoder made the vectors. Queries must be encoded by the same one."""

    name: str
    revision: str
    dimension: int
    query_prefix: str = ""
    passage_prefix: str = ""

    def __str__(self) -> str:
        """Name, revision and dimension, for messages."""
        return f"{self.name} (revision {self.revision}, {self.dimension} dimensions)"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that the text was read from."""

    name: str
    bytes: int
    reader: str
    """Key of `corpora.readers.READERS`."""
    fingerprint: str
    """Hash of its name, size, time and both ends, and of how it was read."""


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """Where the text comes from and what may be done with it."""

    name: str
    licence: str = ""
    snapshot_date: str = ""
    """ISO date the text is no newer than; empty if unknown."""
    languages: tuple[str, ...] = ("en",)
    """ISO 639-1 codes, the most frequent first."""
    files: tuple[SourceFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Skips:
    """What the readers could not read."""

    KEPT: ClassVar[int] = 20

    count: int = 0
    examples: tuple[Skipped, ...] = ()
    """The first `KEPT`."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is in the index."""

    passages: int
    documents: int
    aliases: int = 0
    """Other names of documents."""
    superseded: int = 0
    """Documents of a file that another file has newer; they are left out."""


@dataclass(frozen=True, slots=True)
class FileInfo:
    """A file as it was when the index was finished."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of manifest.json."""

    format: int
    id: str
    """First 16 hex digits of a hash over all passages and the settings; the same text with the
    same encoder gives the same id on any machine."""
    name: str
    source: SourceInfo
    counts: Counts
    encoder: EncoderInfo
    faiss: str
    """FAISS index factory string, e.g. `Flat`."""
    analyzer: str
    """Lucene analysis and ranking function."""
    created: str
    """ISO time in UTC."""
    packages: Mapping[str, str]
    files: Mapping[str, FileInfo]
    """By path relative to the index, `/` between folders; the manifest itself is not listed."""
    search: Mapping[str, int] = field(default_factory=dict)
    """FAISS's search parameters, which lie in its file; empty for Flat."""
    recall_at_10: float = 1.0
    """Of FAISS against exact search, measured when it was built."""
    numbers_kept: float | None = None
    """Share of the numbers of the source that are in the text; None if it was not measured."""
    skipped: Skips = field(default_factory=Skips)
    languages: Mapping[str, int] = field(default_factory=dict)
    """Passages by ISO 639-1 code; under the empty string those that say none."""
    words: int = 0
    """Wanted words in a passage; 0 if the passages were given."""
    memory: int = 0
    """Bytes that FAISS was allowed; 0 if its type was given."""

    @classmethod
    def load(cls, folder: Path, *, sizes: bool = True) -> Self:
        """Read and check the manifest of an index.

        Args:
            folder: Where the index is.
            sizes: Also look whether its files are there and of the size they had.

        Raises:
            IndexMissing: There is no manifest.
            BadIndex: The manifest, its version or a file is not as it must be.
        """
        from pydantic import TypeAdapter, ValidationError

        path = folder / FILE
        try:
            raw = path.read_text("utf-8")
        except (FileNotFoundError, NotADirectoryError) as error:
            raise IndexMissing(
                f"There is no index at {folder}. Build it with `verifier index build`."
            ) from error
        except (OSError, UnicodeDecodeError) as error:
            raise BadIndex(f"{path} cannot be read: {error}. {_AGAIN}") from error
        table = _check_version(raw, path)
        table["files"] = _sums(folder)
        try:
            found = TypeAdapter(cls).validate_python(table)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "its top level"
            raise BadIndex(f"{path}: {where}: {first['msg']}. {_AGAIN}") from error
        if sizes:
            found._check_sizes(folder)
        return found

    def write(self, folder: Path) -> None:
        """Write both files into `folder`, the manifest last."""
        table = asdict(self)
        for name, half in ((SUMS, table.pop("files")), (FILE, table)):
            text = json.dumps(half, ensure_ascii=False, indent=2)
            part = folder / f"{name}.part"
            part.write_text(text + "\n", "utf-8")
            part.replace(folder / name)

    def damaged(
        self,
        folder: Path,
        progress: Callable[[str, int, int], None] = lambda stage, done, total: None,  # noqa: ARG005
    ) -> tuple[str, ...]:
        """Names of the files whose SHA-256 is not the one written down; reads every byte.

        Args:
            folder: Where the index is.
            progress: Told `checking` and how many bytes of how many are done.
        """
        total, done, bad = sum(info.size for info in self.files.values()), 0, []
        for name, info in self.files.items():
            progress("checking", done, total)
            if digest(folder / name) != info.sha256:
                bad.append(name)
            done += info.size
        progress("checking", done, total)
        return tuple(bad)

    def _check_sizes(self, folder: Path) -> None:
        for name, info in self.files.items():
            file = folder / name
            size = file.stat().st_size if file.is_file() else None
            if size != info.size:
                found = "is missing" if size is None else f"has {size:,} bytes"
                raise BadIndex(f"{file} {found}, expected {info.size:,} bytes. {_AGAIN}")


_AGAIN = "Build the index again with `verifier index build --force`."


def _check_version(raw: str, path: Path) -> dict[str, Any]:
    try:
        table = json.loads(raw)
    except json.JSONDecodeError as error:
        raise BadIndex(f"{path} is not JSON ({error}). {_AGAIN}") from error
    if isinstance(table, dict) and table.get("kind") == "papers":
        raise BadIndex(
            f"{path.parent} is an index of papers, not of passages. Name it with --papers, or "
            "name an index of passages."
        )
    version = table.get("format") if isinstance(table, dict) else None
    if version != FORMAT:
        raise BadIndex(
            f"{path} has format {version!r}; this version of offline-verifier reads {FORMAT}. "
            f"{_AGAIN}"
        )
    assert isinstance(table, dict)
    return table


def _sums(folder: Path) -> object:
    try:
        return json.loads((folder / SUMS).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadIndex(f"{folder / SUMS} cannot be read ({error}). {_AGAIN}") from error


def digest(path: Path) -> str:
    """SHA-256 of a file in hex, empty if there is no such file."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def survey(folder: Path) -> Mapping[str, FileInfo]:
    """Size and hash of every file under `folder` but these two, ordered by name."""
    return {
        file.relative_to(folder).as_posix(): FileInfo(file.stat().st_size, digest(file))
        for file in sorted(_files(folder))
    }


def _files(folder: Path) -> Iterator[Path]:
    told = {folder / FILE, folder / SUMS}
    return (file for file in folder.rglob("*") if file.is_file() and file not in told)
