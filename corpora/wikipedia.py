"""Reads MediaWiki dumps: articles become passages, redirects other names of their titles.

Pages are cut out of the stream here and handed in batches to processes of their own, which parse
them and render their wikitext; batches come back in the order of the dump.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import quote

from corpora.document import Document, passages
from corpora.dump import BadPage, Page, Raw, Site, parse, place, raw_pages
from corpora.errors import CorpusError
from corpora.passage import Passage
from corpora.reading import Reading, Skipped
from corpora.told import Told
from corpora.wikitext import links, sections

BATCH = 2**20
"""Bytes of pages handed to a process at once."""

ALONE = 4 * 2**20
"""Bytes of pages up to which no processes are started: that would take longer than reading."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """What came of some pages."""

    passages: tuple[Passage, ...]
    aliases: tuple[tuple[str, str], ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    """What a process must know."""

    path: Path
    site: Site
    source: str
    words: int

    def __call__(self, batch: list[Raw]) -> _Batch:
        """Read a batch of pages."""
        made: list[Passage] = []
        aliases: list[tuple[str, str]] = []
        skipped: list[Skipped] = []
        for raw in batch:
            try:
                page = parse(raw, self.site)
                if page.namespace:
                    continue
                if page.redirect:
                    aliases.append((page.title, page.redirect))
                elif page.model in TEXT:
                    whole = document(page, self.site)
                    if raw.repeated:
                        whole = replace(whole, id=f"{page.id}-{page.title}")
                    made += passages(whole, self.source, self.words)
                else:
                    skipped.append(Skipped(place(raw, self.path), f"its model is {page.model}"))
            except (BadPage, RecursionError, MemoryError) as error:
                skipped.append(Skipped(place(raw, self.path), str(error) or type(error).__name__))
        return _Batch(tuple(made), tuple(aliases), tuple(skipped))


TEXT = frozenset(("", "wikitext"))


def read(path: Path, reading: Reading) -> Iterator[Passage]:
    """Passages of a dump's articles, in its order; ids are `<wiki>:<page number>:<n>`.

    Args:
        path: The dump, plain or packed.
        reading: Told of pages that could not be read, of redirects (the title that leads, and the
            one it leads to) and of the progress.

    Raises:
        CorpusError: It is no dump, or holds no page that can be read.
    """
    told, seen = Told(reading), _Numbers()
    stream = raw_pages(path, Reading(workers=reading.workers, skip=told, progress=reading.progress))
    site = next(stream)
    if not isinstance(site, Site):
        raise CorpusError(f"{path} has no head.")
    job = _Job(path, site, source(path, site), reading.words)
    pages = (page for page in stream if isinstance(page, Raw))
    found = False
    for batch in _read(job, seen.marked(pages, path, told), reading.workers):
        for skipped in batch.skipped:
            told(skipped)
        for alias, title in batch.aliases:
            reading.alias(alias, title)
        found = found or bool(batch.passages or batch.aliases)
        yield from batch.passages
    if not found and told.first:
        raise told.nothing(path, "Get the dump again, or give another.")


def source(path: Path, site: Site) -> str:
    """Name of the corpus: the wiki's, which is the same in its next dump, or else the file's.

    >>> source(Path("enwiki-20260901.xml.bz2"), Site()), source(Path("x.xml"), Site(name="enwiki"))
    ('enwiki-20260901', 'enwiki')
    """
    return site.name or path.name.split(".")[0]


def document(page: Page, site: Site) -> Document:
    """An article under its headings."""
    known = links(site.namespaces)
    title = quote(page.title.replace(" ", "_"), safe="_(),:'!*/")
    return Document(
        id=page.id,
        title=page.title,
        sections=sections(page.text, page.title, known, page.date),
        url=site.base + title if site.base else "",
        revision=page.revision,
        date=page.date,
        language=site.language.partition("-")[0],
    )


class _Numbers:
    """Page numbers that were seen, a bit each: a dump of a whole wiki has tens of millions."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self._repeated: set[bytes] = set()

    def marked(self, pages: Iterable[Raw], path: Path, told: Told) -> Iterator[Raw]:
        """Pages; those whose number came before are marked, the same page twice is told."""
        for raw in pages:
            number, title = _NUMBER.search(raw.data), _TITLE.search(raw.data)
            if number and title and self._is_seen(int(number[1])):
                if title[1] in self._repeated:
                    problem = f"a page {int(number[1])} of that title came before"
                    told(Skipped(place(raw, path), problem))
                    continue
                self._repeated.add(title[1])
                raw = replace(raw, repeated=True)
            yield raw

    def _is_seen(self, number: int) -> bool:
        at, bit = number >> 3, 1 << (number & 7)
        if at >= len(self._bits):
            self._bits.extend(bytes(at + 2**16 - len(self._bits)))
        seen = bool(self._bits[at] & bit)
        self._bits[at] |= bit
        return seen


_NUMBER = re.compile(rb"<id>\s*(\d{1,10})\s*</id>")
_TITLE = re.compile(rb"<title>(.*?)</title>", re.DOTALL)


def _read(job: _Job, pages: Iterator[Raw], workers: int) -> Iterator[_Batch]:
    first: list[Raw] = []
    size = 0
    for raw in pages:
        first.append(raw)
        size += len(raw.data)
        if size > ALONE:
            break
    batches = _batches(chain(first, pages))
    if workers < 2 or size <= ALONE:
        yield from map(job, batches)
        return
    with _processes(workers, job.path) as pool:
        waiting: deque[Future[_Batch]] = deque()
        for batch in batches:
            waiting.append(pool.submit(job, batch))
            # Two a process keep all busy; more would only fill the memory.
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _processes(workers: int, path: Path) -> Iterator[Executor]:
    """Processes made anew: what runs in this one (Java, FAISS) may not be forked."""
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield pool
    except BrokenProcessPool as error:
        raise CorpusError(
            f"A process that read {path} was killed, perhaps for want of memory. Run the same "
            "command again, with --workers 1 if it happens again."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _batches(pages: Iterable[Raw]) -> Iterator[list[Raw]]:
    batch: list[Raw] = []
    size = 0
    for raw in pages:
        batch.append(raw)
        size += len(raw.data)
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
