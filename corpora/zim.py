"""Reads Kiwix ZIM files of any age with libzim: with and without namespaces, whole or split.

Articles are read cluster by cluster, as they lie in the file, so that each cluster is unpacked
once; until then an article costs 12 bytes of memory. The tables of a file are checked before
libzim sees it (see `zim_layout`), and the checksum at its end beside the reading.
"""

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
from libzim.reader import Archive
from numpy.typing import NDArray

from corpora.errors import CorpusError
from corpora.passage import Passage
from corpora.reading import Reading, Skipped
from corpora.told import Told
from corpora.zim_articles import Source, Unread, Where, read_batches
from corpora.zim_contents import Contents, opened
from corpora.zim_layout import BrokenError, Layout
from corpora.zim_parts import Checksum, Parts, name_for_libzim, parts_of

PATIENCE = 10.0
"""Seconds that the checksum may take before the reading begins without it."""

BATCH = 64
"""Articles that a process reads at once."""

WANTED = "Expected are articles of HTML, as Kiwix packs them."


def read(path: Path, reading: Reading) -> Iterator[Passage]:
    """Passages of the articles, cluster by cluster; ids are `<file>:<path of the entry>:<n>`.

    Args:
        path: Of the file; of a split one the first part, or `x.zim` for `x.zimaa`, `x.zimab`, ...
        reading: Told of redirects as aliases of titles, and of entries that cannot be read.

    Raises:
        CorpusMissing: There is no such file.
        CorpusError: It is no ZIM file, is damaged or has no article. That the checksum of a large
            file is wrong may be known only when passages have come.
    """
    files = parts_of(path)
    with ExitStack() as stack:
        parts = stack.enter_context(Parts(files))
        try:
            layout = Layout(parts)
        except BrokenError as error:
            raise _damaged(path, str(error)) from error
        checksum = Checksum(files, layout.end)
        checksum.start()
        stack.callback(checksum.give_up)
        name = path.name.split(".")[0]
        source = Source(name_for_libzim(files), name, reading.words, reading.language)
        archive = opened(source.path)  # Its reason says more than a wrong checksum.
        checksum.join(PATIENCE)
        _trust(path, checksum)
        told = Told(reading)
        where = _where(path, archive, layout, told)
        found = stack.enter_context(closing(_passages(path, source, layout, where, told)))
        for one in found:
            _trust(path, checksum)
            yield one
        checksum.join()
        _trust(path, checksum)


def _where(path: Path, archive: Archive, layout: Layout, told: Told) -> NDArray[np.uint32]:
    def skip(place: str, problem: str) -> None:
        told(Skipped(f"{path.name}, {place}", problem))

    return Contents(layout, archive, skip).articles(told.reading.alias)


def _passages(
    path: Path, source: Source, layout: Layout, where: NDArray[np.uint32], told: Told
) -> Generator[Passage]:
    has_text = False
    batches = [where[start : start + BATCH] for start in range(0, len(where), BATCH)]
    listed: Iterator[list[Where]] = ([(int(a), int(b)) for a, b in batch] for batch in batches)
    for number, batch in enumerate(read_batches(source, listed, told.reading.workers)):
        for one in batch:
            if isinstance(one, Unread):
                place = f"{one.path!r} in cluster {one.cluster}"
                offset = layout.cluster_place(one.cluster)
                told(Skipped(f"{path.name}, {place} at byte {offset}", one.problem))
                continue
            has_text = has_text or bool(one)
            yield from one
        done = layout.cluster_place(int(batches[number][-1][0]))
        told.reading.progress(done, layout.parts.size)
    if not has_text:
        raise told.nothing(path, WANTED)
    told.reading.progress(layout.parts.size, layout.parts.size)


def _trust(path: Path, checksum: Checksum) -> None:
    if checksum.problem:
        raise _damaged(path, checksum.problem)


def _damaged(path: Path, why: str) -> CorpusError:
    return CorpusError(
        f"{path} cannot be read: {why}. Get the file again, whole, and compare it with the "
        "checksum that its publisher gives."
    )
