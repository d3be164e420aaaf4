"""What an index is: written last when it is built, checked first when it is opened."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from index_builder.errors import BadIndex, IndexMissing

FORMAT = 1
"""Version of the directory's layout; raised when older code could not read a newer index."""
FILE = "manifest.json"


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
class SourceInfo:
    """Where the text comes from and what may be done with it."""

    name: str
    licence: str = ""
    snapshot_date: str = ""
    """ISO date the text is no newer than; empty if unknown."""
    languages: tuple[str, ...] = ("en",)


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is in the index."""

    passages: int
    documents: int


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

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read and check the manifest of an index; sizes of its files included, hashes not.

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
        _check_version(raw, path)
        try:
            found = TypeAdapter(cls).validate_json(raw)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "its top level"
            raise BadIndex(f"{path}: {where}: {first['msg']}. {_AGAIN}") from error
        found._check_sizes(folder)
        return found

    def write(self, folder: Path) -> None:
        """Write manifest.json into `folder`."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=2)
        (folder / FILE).write_text(text + "\n", "utf-8")

    def damaged(self, folder: Path) -> tuple[str, ...]:
        """Names of the files whose SHA-256 is not the one written down; reads every byte."""
        return tuple(
            name for name, info in self.files.items() if digest(folder / name) != info.sha256
        )

    def _check_sizes(self, folder: Path) -> None:
        for name, info in self.files.items():
            file = folder / name
            size = file.stat().st_size if file.is_file() else None
            if size != info.size:
                found = "is missing" if size is None else f"has {size:,} bytes"
                raise BadIndex(f"{file} {found}, expected {info.size:,} bytes. {_AGAIN}")


_AGAIN = "Build the index again with `verifier index build --force`."


def _check_version(raw: str, path: Path) -> None:
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


def digest(path: Path) -> str:
    """SHA-256 of a file in hex, empty if there is no such file."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def survey(folder: Path) -> Mapping[str, FileInfo]:
    """Size and hash of every file under `folder` but the manifest, ordered by name."""
    return {
        file.relative_to(folder).as_posix(): FileInfo(file.stat().st_size, digest(file))
        for file in sorted(_files(folder))
    }


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file() and file.name != FILE)
