"""The tables of a ZIM file: its header, its entries, its clusters; checked before it is opened.

libzim reads the content. It tells neither where in the file an entry lies nor which cluster holds
it, and goes by the pointers of the file; here they are compared with the file's size first.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corpora.zim_parts import Parts

MAGIC = 72173914
HEADER = struct.Struct("<IHH16sIIQQQQIIQ")
ENTRY = struct.Struct("<HBBI")
REDIRECT = 0xFFFF
UNUSED = (0xFFFE, 0xFFFD)
"""Marks of link targets and deleted entries, in files of the old format."""

NO_TABLE = (0, 0xFFFFFFFFFFFFFFFF)
CHECKSUM_BYTES = 16
LONGEST = 1 << 16
"""Bytes of an entry in the table; its name and title are far shorter."""

AT_ONCE = 1 << 17
"""Pointers that are compared in one step."""


class BrokenError(ValueError):
    """The file, or one entry, is not as the format wants it; the message says where."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents."""

    index: int
    namespace: str
    path: str
    title: str
    """Empty if it is the path."""
    mime: str
    """In lower case, without parameters; empty for a redirect."""
    cluster: int
    blob: int
    """Place in the cluster."""
    target: int
    """Index of the entry that a redirect leads to; -1 for others."""


class Layout:
    """A ZIM file by its tables.

    Args:
        parts: The file.

    Raises:
        BrokenError: The file is cut off, or a table or pointer leads out of it.
    """

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        if parts.size < HEADER.size:
            raise BrokenError(
                f"the file is smaller than its header ({parts.size} bytes of {HEADER.size})"
            )
        (magic, major, minor, _, self.count, self.clusters, self._paths, self._titles) = (
            header := HEADER.unpack(parts.at(0, HEADER.size))
        )[:8]
        self._pointers, self._mimes, _, _, self.end = header[8:]
        if magic != MAGIC:
            raise BrokenError(f"it does not begin as a ZIM file (bad magic number {magic:#010x})")
        if major not in (5, 6):
            raise BrokenError(f"its format is version {major}.{minor}; 5 and 6 can be read")
        self._check_tables()

    def _check_tables(self) -> None:
        size = self.parts.size
        if self.end + CHECKSUM_BYTES != size:
            what = "cut off" if self.end + CHECKSUM_BYTES > size else "damaged or has bytes added"
            raise BrokenError(
                f"it is {what}: {size} bytes are here, "
                f"{self.end + CHECKSUM_BYTES} by its header (position of the checksum)"
            )
        self._check("pointers to entries", self._paths, self.count, "<u8")
        self._check("pointers to clusters", self._pointers, self.clusters, "<u8")
        if self._titles not in NO_TABLE:
            self._check("titles", self._titles, self.count, "<u4")
        if not self.mimes:
            raise BrokenError(f"its list of MIME types at byte {self._mimes} cannot be read")

    def _check(self, what: str, start: int, count: int, kind: str) -> None:
        """Whether a table lies in the file, and what it points to too."""
        width = np.dtype(kind).itemsize
        if not HEADER.size <= start <= self.end - width * count:
            raise BrokenError(f"its table of {what} is out of bounds (byte {start} of {self.end})")
        low, high = (HEADER.size, self.end) if width == 8 else (0, self.count)
        for done in range(0, count, AT_ONCE):
            rows = min(AT_ONCE, count - done)
            found = np.frombuffer(self.parts.read(start + width * done, width * rows), kind)
            wrong = np.flatnonzero((found < low) | (found >= high))
            if wrong.size:
                number = int(wrong[0])
                raise BrokenError(
                    f"number {done + number} in its table of {what} is out of bounds "
                    f"({int(found[number])}, must be below {high})"
                )

    @cached_property
    def mimes(self) -> tuple[str, ...]:
        """The MIME types that entries refer to; empty if the list cannot be read."""
        raw = self.parts.at(self._mimes, LONGEST) if self._mimes < self.end else b""
        listed, end, _ = raw.partition(b"\0\0")
        try:
            return tuple(listed.decode().split("\0")) if end and listed else ()
        except UnicodeDecodeError:
            return ()

    def place(self, index: int) -> int:
        """Byte offset of an entry in the table of contents."""
        return self._pointer(self._paths, index)

    def cluster_place(self, cluster: int) -> int:
        """Byte offset of a cluster."""
        return self._pointer(self._pointers, cluster)

    def entry(self, index: int) -> Entry:
        """One entry.

        Raises:
            BrokenError: It cannot be read.
        """
        place = self.place(index)
        raw = self.parts.at(place, 512)
        if raw.count(b"\0", 16) < 2:
            raw = self.parts.at(place, LONGEST)
        try:
            return self._entry(index, raw)
        except (struct.error, UnicodeDecodeError, ValueError) as error:
            raise BrokenError(f"entry {index} at byte {place} cannot be read ({error})") from error

    def entries(self) -> Iterator[Entry | BrokenError]:
        """All entries in the order of the table, or why one cannot be read."""
        for index in range(self.count):
            try:
                yield self.entry(index)
            except BrokenError as error:
                yield error

    def find(self, namespace: str, path: str) -> Entry | None:
        """The entry of a path; the table is sorted by namespace and path.

        Raises:
            BrokenError: An entry on the way to it cannot be read.
        """
        wanted, low, high = (namespace, path.encode()), 0, self.count
        while low < high:
            middle = (low + high) // 2
            entry = self.entry(middle)
            if (key := (entry.namespace, entry.path.encode())) == wanted:
                return entry
            low, high = (middle + 1, high) if key < wanted else (low, middle)
        return None

    def _entry(self, index: int, raw: bytes) -> Entry:
        kind, _, namespace, _ = ENTRY.unpack_from(raw)
        is_item = kind != REDIRECT and kind not in UNUSED
        named, _, rest = raw[16 if is_item else 12 :].partition(b"\0")
        titled, end, _ = rest.partition(b"\0")
        if not end:
            raise ValueError("its title has no end")
        path, title, letter = named.decode(), titled.decode(), chr(namespace)
        if not is_item:
            target = struct.unpack_from("<I", raw, 8)[0] if kind == REDIRECT else -1
            if target >= self.count:
                raise ValueError(f"{path!r} leads to entry {target} of {self.count}")
            return Entry(index, letter, path, title, "", 0, 0, target)
        cluster, blob = struct.unpack_from("<II", raw, 8)
        if kind >= len(self.mimes):
            raise ValueError(f"{path!r} has MIME type {kind} of {len(self.mimes)}")
        if cluster >= self.clusters:
            raise ValueError(f"{path!r} is in cluster {cluster} of {self.clusters}")
        mime = self.mimes[kind].partition(";")[0].strip().lower()
        return Entry(index, letter, path, title, mime, cluster, blob, -1)

    def _pointer(self, table: int, number: int) -> int:
        return int.from_bytes(self.parts.at(table + 8 * number, 8), "little")
