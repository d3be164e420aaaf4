"""What a papers index is: written last when it is built, checked first when it is opened."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from index_builder import manifest
from index_builder.errors import BadIndex, IndexMissing
from index_builder.manifest import EncoderInfo, FileInfo, SourceInfo

KIND = "papers"
FORMAT = 1
"""Version of the layout; raised when older code could not read a newer index."""

AGAIN = "Build it again with `verifier index build papers FILE... --force`."

EVERYTHING = "*"
"""As the field of a coverage: papers of any field."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """A field and years of which the index holds every paper. Who builds it says so."""

    field: str
    """A venue such as `ACL`, an arXiv category such as `cs.CL`, `arxiv`, or `*` for everything."""
    first: int
    last: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `FIELD:YEARS`, where years are `2019` or `2015-2023`.

        Raises:
            ValueError: it is written otherwise.

        >>> Coverage.parse("ACL:2015-2019")
        Coverage(field='ACL', first=2015, last=2019)
        """
        found = re.fullmatch(r"\s*(\S.*?)\s*:\s*(\d{4})(?:\s*[-\u2013]\s*(\d{4}))?\s*", text)
        if not found or int(found[3] or found[2]) < int(found[2]):
            raise ValueError(f"expected FIELD:YEARS, such as ACL:2015-2019 or *:2020, not {text!r}")
        return cls(found[1], int(found[2]), int(found[3] or found[2]))

    def __str__(self) -> str:
        """As it is written on the command line."""
        return f"{self.field}:{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class PaperCounts:
    """How much is in the index."""

    papers: int
    merged: int
    """Records that were another's of the same paper."""
    skipped: int
    """Entries of the files that were no usable records."""


@dataclass(frozen=True, slots=True)
class PapersManifest:
    """The contents of manifest.json."""

    kind: str
    format: int
    id: str
    """First 16 hex digits of a hash over all records in order, what is declared, and the format."""
    name: str
    source: SourceInfo
    counts: PaperCounts
    complete: tuple[Coverage, ...]
    encoder: EncoderInfo | None
    """Of the vectors of titles; None if there are none."""
    created: str
    """ISO time in UTC."""
    packages: Mapping[str, str]
    files: Mapping[str, FileInfo]

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read and check the manifest; sizes of its files included, hashes not.

        Raises:
            IndexMissing: there is no manifest.
            BadIndex: it is one of another kind or version, or damaged.
        """
        from pydantic import TypeAdapter, ValidationError

        path = folder / manifest.FILE
        table = read(folder)
        if table.get("kind") != KIND:
            raise BadIndex(
                f"{folder} is an index of passages, not of papers. Name one that "
                "`verifier index build papers` built."
            )
        if table.get("format") != FORMAT:
            raise BadIndex(
                f"{path} has format {table.get('format')!r}; this version of offline-verifier "
                f"reads {FORMAT}. {AGAIN}"
            )
        try:
            found = TypeAdapter(cls).validate_python(table)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "its top level"
            raise BadIndex(f"{path}: {where}: {first['msg']}. {AGAIN}") from error
        for name, info in found.files.items():
            file = folder / name
            size = file.stat().st_size if file.is_file() else None
            if size != info.size:
                there = "is missing" if size is None else f"has {size:,} bytes"
                raise BadIndex(f"{file} {there}, expected {info.size:,} bytes. {AGAIN}")
        return found

    def write(self, folder: Path) -> None:
        """Write manifest.json into `folder`."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=2)
        (folder / manifest.FILE).write_text(text + "\n", "utf-8")

    def damaged(self, folder: Path) -> tuple[str, ...]:
        """Names of the files whose SHA-256 is not the one written down; reads every byte."""
        return tuple(
            name
            for name, info in self.files.items()
            if manifest.digest(folder / name) != info.sha256
        )


def read(folder: Path) -> Mapping[str, object]:
    """The manifest of any kind of index, unchecked.

    Raises:
        IndexMissing: there is none.
        BadIndex: it cannot be read.
    """
    path = folder / manifest.FILE
    try:
        table = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise IndexMissing(
            f"There is no papers index at {folder}. Build one with "
            "`verifier index build papers FILE...`."
        ) from error
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise BadIndex(f"{path} cannot be read: {error}. {AGAIN}") from error
    if not isinstance(table, dict):
        raise BadIndex(f"{path} holds no JSON object. {AGAIN}")
    return table
