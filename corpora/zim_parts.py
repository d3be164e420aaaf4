"""The bytes of a ZIM file, also of one that is split into .zimaa, .zimab and so on."""

import hashlib
import os
import re
import threading
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path
from string import ascii_lowercase
from typing import Self

from corpora.errors import CorpusError, CorpusMissing

BLOCK = 1 << 16
BLOCKS = 256
"""Blocks that are kept; 16 MiB."""

STEP = 1 << 20
SPLIT = re.compile(r"\.zim([a-z]{2})$")


def parts_of(path: Path) -> tuple[Path, ...]:
    """The files that make up a ZIM file, in order.

    Args:
        path: Of the file; of a split one its first part, or `x.zim` for `x.zimaa`, `x.zimab`, ...

    Raises:
        CorpusMissing: There is no such file.
        CorpusError: It is a later part, or a part in the middle is missing.
    """
    found = SPLIT.search(path.name)
    if not found and path.is_file():
        return (path,)
    if found and found[1] != "aa":
        raise CorpusError(f"{path} is a later part of a split ZIM file. Give its first, .zimaa.")
    bare = path.with_name(path.name[:-2]) if found else path
    names = [bare.with_name(bare.name + one) for one in _suffixes()]
    count = next(n for n, one in enumerate([*names, None]) if one is None or not one.is_file())
    if not count:
        raise CorpusMissing(f"{path} does not exist. Give the path of a ZIM file.")
    if any(one.is_file() for one in names[count + 1 :]):
        raise CorpusError(f"{names[count]} is missing; parts before and behind it are here.")
    return tuple(names[:count])


def name_for_libzim(parts: tuple[Path, ...]) -> Path:
    """What libzim opens: a split file by the name without the letters of the part.

    >>> name_for_libzim((Path("x.zimaa"), Path("x.zimab")))
    PosixPath('x.zim')
    """
    first = parts[0]
    if SPLIT.search(first.name):
        bare = first.with_name(first.name[:-2])
        return first if bare.exists() else bare
    return first


class Parts:
    """Files read as one.

    Args:
        paths: In order.

    Raises:
        CorpusError: One cannot be opened.
    """

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._files: list[int] = []
        self._starts: list[int] = []
        self.size = 0
        for path in paths:
            try:
                self._files.append(os.open(path, os.O_RDONLY))
            except OSError as error:
                self.close()
                raise CorpusError(f"{path} cannot be opened: {error.strerror}.") from error
            self._starts.append(self.size)
            self.size += os.fstat(self._files[-1]).st_size
        self._block = lru_cache(BLOCKS)(lambda number: self.read(number * BLOCK, BLOCK))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the files."""
        while self._files:
            os.close(self._files.pop())

    def read(self, start: int, size: int) -> bytes:
        """Bytes from an offset; fewer at the end."""
        pieces: list[bytes] = []
        while size > 0 and start < self.size:
            part = bisect_right(self._starts, start) - 1
            while self._starts[part] == self.size:  # Empty parts at the end.
                part -= 1
            if not (piece := os.pread(self._files[part], size, start - self._starts[part])):
                break
            pieces.append(piece)
            start += len(piece)
            size -= len(piece)
        return b"".join(pieces)

    def at(self, start: int, size: int) -> bytes:
        """The same for small pieces, which often lie side by side: blocks are kept."""
        first, last = start // BLOCK, (start + size - 1) // BLOCK
        if first == last:
            return self._block(first)[start % BLOCK : start % BLOCK + size]
        whole = b"".join(self._block(number) for number in range(first, last + 1))
        return whole[start - first * BLOCK :][:size]


class Checksum(threading.Thread):
    """Compares a file with the MD5 sum at its end, beside other work.

    Args:
        paths: Of the parts.
        end: Where the sum stands.
    """

    def __init__(self, paths: tuple[Path, ...], end: int) -> None:
        super().__init__(name="zim-checksum", daemon=True)
        self._paths = paths
        self._end = end
        self._given_up = threading.Event()
        self.problem = ""
        """Why the file is not to be trusted; empty if it is, or so long as it isn't known."""

    def run(self) -> None:
        """Read the whole file once."""
        try:
            with Parts(self._paths) as parts:
                found = hashlib.md5(usedforsecurity=False)
                for step in range(0, self._end, STEP):
                    if self._given_up.is_set():
                        return
                    found.update(parts.read(step, min(STEP, self._end - step)))
                wanted = parts.read(self._end, found.digest_size)
        except (OSError, CorpusError) as error:
            self.problem = f"it could not be read to its end ({error})"
            return
        if found.digest() != wanted:
            self.problem = (
                f"its content has the MD5 checksum {found.hexdigest()}, "
                f"and at its end {wanted.hex()} is written"
            )

    def give_up(self) -> None:
        """Stop soon; nobody waits for the answer."""
        self._given_up.set()


def _suffixes() -> Iterator[str]:
    return ("".join(pair) for pair in product(ascii_lowercase, repeat=2))
