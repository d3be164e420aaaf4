"""Which entries of a ZIM file are articles, in the order they lie in it, and their other names."""

from array import array
from collections.abc import Callable
from pathlib import Path

import numpy as np
from libzim.reader import Archive
from numpy.typing import NDArray

from corpora.errors import CorpusError
from corpora.zim_layout import BrokenError, Entry, Layout

FAILURES = (RuntimeError, LookupError, ValueError, OSError, MemoryError)
"""What libzim raises where it cannot read."""

HTML = frozenset(("text/html", "application/xhtml+xml"))
PLAIN = "text/plain"

LISTING = "listing/titleOrdered/v1"
"""In the new format: indices of the entries that are articles."""

HOPS = 8
"""Redirects that are followed one after the other."""

Problem = Callable[[str, str], None]
"""Told of an entry, and what is wrong with it."""


def opened(path: Path) -> Archive:
    """Open a file with libzim.

    Raises:
        CorpusError: libzim refuses it.
    """
    try:
        return Archive(path)
    except FAILURES as error:
        why = " ".join(str(error).split())
        raise CorpusError(
            f"{path} cannot be opened: libzim says {why!r}. Get it again; it is damaged, or of a "
            "later format than this libzim reads."
        ) from error


class Contents:
    """The table of contents.

    Args:
        layout: Of the file.
        archive: The same file.
        skip: Told of entries that cannot be read.
    """

    def __init__(self, layout: Layout, archive: Archive, skip: Problem) -> None:
        self._layout = layout
        self._skip = skip
        self._is_new = bool(archive.has_new_namespace_scheme)
        self._listed = self._listing(archive) if self._is_new else None

    def articles(self, alias: Callable[[str, str], None]) -> NDArray[np.uint32]:
        """Cluster and index of each article, in the order of the file.

        Args:
            alias: Told the title of each redirect to an article, and the title of that.
        """
        where = array("I")
        for entry in self._layout.entries():
            if isinstance(entry, BrokenError):
                self._skip("table of contents", str(entry))
            elif entry.target >= 0 and entry.namespace == self._namespace:
                self._follow(entry, alias)
            elif self._is_article(entry):
                where.extend((entry.cluster, entry.blob, entry.index))
        rows = np.frombuffer(where, np.uint32).reshape(-1, 3)
        ordered: NDArray[np.uint32] = rows[np.lexsort((rows[:, 1], rows[:, 0]))][:, (0, 2)]
        return ordered

    @property
    def _namespace(self) -> str:
        return "C" if self._is_new else "A"

    def _is_article(self, entry: Entry) -> bool:
        if entry.namespace != self._namespace:
            return False
        if self._listed is not None:
            at = int(np.searchsorted(self._listed, entry.index))
            listed = at < self._listed.size and int(self._listed[at]) == entry.index
            return listed and (entry.mime in HTML or entry.mime == PLAIN)
        # In the old format only articles are in this namespace; in the new one everything is.
        return entry.mime in HTML or (entry.mime == PLAIN and not self._is_new)

    def _follow(self, entry: Entry, alias: Callable[[str, str], None]) -> None:
        target = entry
        for _ in range(HOPS):
            if target.target < 0:
                break
            try:
                target = self._layout.entry(target.target)
            except BrokenError:
                return  # It is told of by itself.
        name, title = entry.title or entry.path, target.title or target.path
        if target.target >= 0:
            self._skip(repr(entry.path), "a redirect that leads to no page, but in a circle")
        elif self._is_article(target) and name != title:
            alias(name, title)

    def _listing(self, archive: Archive) -> NDArray[np.uint32] | None:
        """Indices of the articles, in their order; None where the file doesn't list them."""
        try:
            found = self._layout.find("X", LISTING)
            if found is None:
                return None
            raw = bytes(archive._get_entry_by_id(found.index).get_item().content)
            listed = np.unique(np.frombuffer(raw, "<u4"))
        except (*FAILURES, BrokenError) as error:
            self._skip(LISTING, f"the list of articles cannot be read, all HTML is taken ({error})")
            return None
        return listed if listed.size else None
