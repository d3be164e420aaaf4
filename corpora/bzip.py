"""bzip2 with all cores: streams on threads, or the blocks of a single stream by rapidgzip.

Neither rapidgzip nor the standard library is asked to go from stream to stream: the first passes
over a stream whose head is damaged and goes on behind it, the second takes it for the end.
"""

import bz2
import os
import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO

CHUNK = 262_144

PIECE = 16 * 2**20
"""Packed bytes handed to a thread at most; in so many a second stream must begin."""

STEP = 8192

START = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
"""Head of a stream and of its first block, or of its end if it is empty; ten bytes."""


class Bzip:
    """An open file; where rapidgzip gives up, the streams are read one by one from there.

    Rapidgzip throws away the blocks that it decoded ahead when one is damaged. Read again one by
    one, all that lies before the damage comes out.
    """

    def __init__(self, raw: IO[bytes], path: Path, workers: int) -> None:
        self._raw = raw
        self._size = os.fstat(raw.fileno()).st_size
        self._done = 0
        several = START.search(raw.read(PIECE), 1)
        raw.seek(0)
        self._slow: Iterator[bytes] | None = None
        if several or workers < 2:
            self._slow = _streams(raw, workers)
        else:
            import rapidgzip

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
                # The fast reader opens the file itself; this one only shows how far it is.
                self._raw.seek(min(self._fast.tell_compressed() // 8, self._size))
                return found
        return next(self._slow, b"")

    def _again(self) -> Iterator[bytes]:
        self._raw.seek(0)
        left = self._done
        for chunk in _streams(self._raw, 1):
            if left < len(chunk):
                yield chunk[left:]
            left = max(0, left - len(chunk))


def _streams(raw: IO[bytes], workers: int) -> Iterator[bytes]:
    """All that is in the streams, in their order."""
    waiting: deque[tuple[bytes, Future[_Piece]]] = deque()
    stream: bz2.BZ2Decompressor | None = None
    pieces = _pieces(raw)
    with ThreadPoolExecutor(workers) as pool:
        while True:
            while len(waiting) <= workers and (data := next(pieces, b"")):
                waiting.append((data, pool.submit(_Piece, data)))
            if not waiting:
                break
            data, future = waiting.popleft()
            if stream and not stream.eof:
                # The stream goes on in this piece: it is long, or the cut was none.
                yield from _unpack(stream, data)
            else:
                piece = future.result()
                stream = piece.stream
                yield from piece.all()
    if stream and not stream.eof:
        raise EOFError("the last stream has no end")


class _Piece:
    """A piece that is unpacked by itself, but not beyond a bound: a little may become very much."""

    def __init__(self, data: bytes) -> None:
        self.stream = bz2.BZ2Decompressor()
        self._chunks: list[bytes] = []
        self._rest = _unpack(self.stream, data)
        self._error: OSError | None = None
        size = 0
        try:
            while size < 4 * PIECE and (chunk := next(self._rest, b"")):
                self._chunks.append(chunk)
                size += len(chunk)
        except OSError as error:
            self._error = error

    def all(self) -> Iterator[bytes]:
        """What is unpacked and the rest, and then what is wrong with it."""
        yield from self._chunks
        if self._error:
            raise self._error
        yield from self._rest


def _unpack(stream: bz2.BZ2Decompressor, data: bytes) -> Iterator[bytes]:
    """In small steps: the one that meets damage loses all that it unpacked."""
    for start in range(0, len(data), STEP):
        if stream.eof:
            _must_be_nothing(data[start:])
            return
        left = data[start : start + STEP]
        while chunk := stream.decompress(left, CHUNK):
            yield chunk
            left = b""
            if stream.eof or stream.needs_input:
                break
        _must_be_nothing(stream.unused_data)


def _must_be_nothing(data: bytes) -> None:
    if data.strip(b"\0"):
        raise OSError("what follows the end of a stream is none")


def _pieces(raw: IO[bytes]) -> Iterator[bytes]:
    """The packed file, cut where streams begin."""
    rest = b""
    while block := raw.read(CHUNK):
        at = max(1, len(rest) - 9)
        rest += block
        while found := START.search(rest, at):
            yield rest[: found.start()]
            rest, at = rest[found.start() :], 1
        if len(rest) > PIECE:
            yield rest
            rest = b""
    if rest:
        yield rest
