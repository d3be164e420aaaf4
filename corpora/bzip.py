"""bzip2 with all cores: rapidgzip decodes its blocks at once, whether or not there are streams."""

import bz2
from pathlib import Path
from typing import IO


class Bzip:
    """An open file; where rapidgzip gives up, the standard library goes on from there.

    Rapidgzip throws away the blocks that it decoded ahead when one is damaged. Read again one by
    one, all that lies before the damage comes out.
    """

    def __init__(self, raw: IO[bytes], path: Path, workers: int) -> None:
        import rapidgzip

        self._raw = raw
        self._done = 0
        self._slow: bz2.BZ2File | None = None
        self._fast = rapidgzip.IndexedBzip2File(str(path), parallelization=workers)

    def read1(self, size: int, /) -> bytes:
        """Bytes that are there; empty at the end.

        Raises:
            OSError, EOFError: The rest is torn off or damaged.
        """
        if self._slow is None:
            try:
                found = bytes(self._fast.read(size))
            except (RuntimeError, ValueError, OSError):
                self._slow = self._again()
            else:
                self._done += len(found)
                # Behind the scenes only the packed position of the fast reader moves.
                self._raw.seek(min(self._fast.tell_compressed() // 8, self._size()))
                return found
        return self._slow.read1(size)

    def _again(self) -> bz2.BZ2File:
        self._raw.seek(0)
        slow = bz2.BZ2File(self._raw)
        left = self._done
        while left and (skipped := slow.read1(min(left, 1 << 20))):
            left -= len(skipped)
        return slow

    def _size(self) -> int:
        import os

        return os.fstat(self._raw.fileno()).st_size
