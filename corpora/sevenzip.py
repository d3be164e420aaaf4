"""The first file inside a 7z archive, as a stream: py7zr writes into a pipe that we read."""

import os
import threading
from pathlib import Path
from typing import IO


class SevenZip:
    """An open archive. Only a pipe's worth of it is in memory."""

    def __init__(self, path: Path) -> None:
        self._error: Exception | None = None
        reading, self._writing = os.pipe()
        self._pipe: IO[bytes] = os.fdopen(reading, "rb")
        self._thread = threading.Thread(target=self._unpack, args=(path,), daemon=True)
        self._thread.start()

    def read1(self, size: int, /) -> bytes:
        """Bytes that are there; empty at the end.

        Raises:
            OSError: The archive is damaged or holds no file.
        """
        found = self._pipe.read1(size)  # type: ignore[attr-defined]
        if not found:
            self._thread.join()
            if self._error:
                raise OSError(f"the 7z archive cannot be unpacked: {self._error}")
        return bytes(found)

    def close(self) -> None:
        """Stop unpacking."""
        self._pipe.close()

    def _unpack(self, path: Path) -> None:
        import py7zr

        try:
            with os.fdopen(self._writing, "wb") as sink, py7zr.SevenZipFile(path) as archive:
                names = archive.getnames()[:1]
                if not names:
                    raise py7zr.Bad7zFile("it holds no file")
                archive.extract(targets=names, factory=_factory(sink))
        except BrokenPipeError:
            return  # The reader has seen enough.
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader tells it
            self._error = error


def _factory(sink: IO[bytes]) -> object:
    from py7zr.io import Py7zIO, WriterFactory

    class Sink(Py7zIO):  # type: ignore[misc]
        """Passes on what is written."""

        written = 0

        def write(self, s: bytes | bytearray) -> int:
            self.written += len(s)
            return sink.write(s)

        def read(self, size: int | None = None) -> bytes:  # noqa: ARG002
            return b""

        def seek(self, offset: int, whence: int = 0) -> int:  # noqa: ARG002
            return 0

        def flush(self) -> None:
            sink.flush()

        def size(self) -> int:
            return self.written

    class Sinks(WriterFactory):  # type: ignore[misc]
        """Makes one for the file that is taken out."""

        def create(self, filename: str, mode: str = "wb") -> Py7zIO:  # noqa: ARG002
            return Sink()

    return Sinks()
