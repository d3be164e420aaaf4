"""Reads text files, gzip or not, with errors that name the file."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from corpora.errors import CorpusError


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked if its name ends in .gz.

    Raises:
        CorpusError: it cannot be read; also while it is being read.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield file  # type: ignore[misc]
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path} cannot be read: {error}.") from error


def lines(path: Path, longest: int = 4_000_000) -> Iterator[tuple[int, str]]:
    """Line number, counted from 1, and line; bytes that are not UTF-8 become U+FFFD.

    A line of more than `longest` bytes is cut into several: memory stays bounded.

    Raises:
        CorpusError: the file cannot be read.
    """
    with opened(path) as file:
        number = 1
        while raw := file.readline(longest):
            yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8", "replace")
            number += raw.endswith(b"\n")
