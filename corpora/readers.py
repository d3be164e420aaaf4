"""The table of readers: how a file becomes passages. A new one is one file and one line here."""

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from corpora.passage import Passage
from corpora.reading import Read, Reading
from corpora.sniffed import sniff

__all__ = ["READERS", "sniff"]


def _in(module: str) -> Read:
    """The function `read` of a module, which is imported when it is called."""

    def read(path: Path, reading: Reading) -> Iterator[Passage]:
        found: Read = importlib.import_module(module).read
        return found(path, reading)

    return read


READERS: Mapping[str, Read] = {
    "dpr": _in("corpora.dpr"),
    "dump": _in("corpora.wikipedia"),
    "jsonl": _in("corpora.tables"),
    "parquet": _in("corpora.parquet"),
    "sqlite": _in("corpora.sqlite"),
    "vital": _in("corpora.vital"),
    "zim": _in("corpora.zim"),
}
