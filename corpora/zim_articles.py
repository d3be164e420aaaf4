"""Entries of a ZIM file as passages; by several processes if wanted, each with its own libzim."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from libzim.reader import Entry, set_cluster_cache_max_size

from corpora import html
from corpora.document import Document, Section, passages
from corpora.errors import CorpusError
from corpora.passage import Passage
from corpora.zim_contents import FAILURES, HTML, opened

CACHE = 64 << 20
"""Bytes of unpacked clusters that libzim keeps; they are read in their order."""

LARGEST = 64 << 20
"""Bytes of an article; the longest pages of Wikipedia have 5 MB."""

CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
DATE = re.compile(r"\d{4}-\d\d-\d\d")
WIKI = re.compile(r"(?:https?://)?((?:[\w-]+\.)+(?:wik\w+|wikimedia)\.org)\b/?")

Where = tuple[int, int]
"""Cluster and index of an entry."""


@dataclass(frozen=True, slots=True)
class Unread:
    """An article that could not be read."""

    path: str
    cluster: int
    problem: str


Read = list[Passage] | Unread


@dataclass(frozen=True, slots=True)
class Source:
    """A ZIM file, and how it is to be read."""

    path: Path
    name: str
    """Name of the corpus, in the ids."""
    words: int
    """Wanted words in a passage."""
    language: str
    """ISO 639-1 code; taken if the file tells none."""


class Articles:
    """A file that is open.

    Raises:
        CorpusError: libzim cannot open it.
    """

    def __init__(self, source: Source) -> None:
        set_cluster_cache_max_size(CACHE)
        self._source = source
        self.archive = opened(source.path)
        self._date = next(iter(DATE.findall(self._metadata("Date"))), "")
        self._language = iso_639_1(self._metadata("Language")) or source.language
        site = WIKI.match(self._metadata("Source"))
        self._site = f"https://{site[1]}/wiki/" if site else ""

    def passages(self, where: Iterable[Where]) -> list[Read]:
        """What the articles of some entries say, in their order."""
        return [self._read(cluster, index) for cluster, index in where]

    def _read(self, cluster: int, index: int) -> Read:
        found = self._document(cluster, index)
        if isinstance(found, Unread):
            return found
        return list(passages(found, self._source.name, self._source.words))

    def _document(self, cluster: int, index: int) -> Document | Unread:
        path = f"entry {index}"
        try:
            entry = self.archive._get_entry_by_id(index)
            path = str(entry.path)
            item = entry.get_item()
            if item.size > LARGEST:
                return Unread(
                    path, cluster, f"it has {item.size} bytes, at most {LARGEST} are read"
                )
            raw, mime = bytes(item.content), str(item.mimetype)
        except FAILURES as error:
            return Unread(path, cluster, " ".join(str(error).split()) or type(error).__name__)
        text = decoded(raw, mime)
        if mime.partition(";")[0].strip().lower() not in HTML:
            return self._plain(entry, cluster, text)
        if not text.lstrip("\ufeff \t\r\n").startswith("<"):
            what = (
                f"it is no HTML but begins with {text.strip()[:40]!r}" if text.strip() else "empty"
            )
            return Unread(path, cluster, what)
        return self._page(entry, cluster, text)

    def _page(self, entry: Entry, cluster: int, text: str) -> Document | Unread:
        path, title = self._named(entry)
        page = html.article(text, "" if title == path else title)
        if not page.sections:
            return Unread(entry.path, cluster, "no text")
        return Document(
            id=path,
            title=title if title != path else page.title or path,
            sections=page.sections,
            url=page.url or (self._site + path.replace(" ", "_") if self._site else ""),
            revision=page.revision,
            date=page.date or self._date,
            language=self._language or iso_639_1(page.language),
        )

    def _plain(self, entry: Entry, cluster: int, text: str) -> Document | Unread:
        path, title = self._named(entry)
        if not text.strip():
            return Unread(entry.path, cluster, "no text")
        return Document(path, title, (Section(text.strip()),), "", "", self._date, self._language)

    def _named(self, entry: Entry) -> tuple[str, str]:
        """Path without the letter of a namespace, the same in old and new files, and title."""
        path = str(entry.path)
        if not self.archive.has_new_namespace_scheme:
            path = path.partition("/")[2] or path
        return path, str(entry.title) or path

    def _metadata(self, name: str) -> str:
        try:
            return bytes(self.archive.get_metadata(name)).decode(errors="replace").strip()
        except FAILURES:
            return ""


def read_batches(
    source: Source, batches: Iterable[list[Where]], workers: int
) -> Iterator[list[Read]]:
    """What the articles of batches of entries say, in their order.

    Args:
        source: The file.
        batches: Entries that lie side by side.
        workers: Processes; with 1 it is done in this one.

    Raises:
        CorpusError: The file cannot be opened, or a process died.
    """
    if workers <= 1:
        yield from map(Articles(source).passages, batches)
        return
    waiting: deque[Future[list[Read]]] = deque()
    # Not forked: other threads of this process (torch, the JVM) may hold locks.
    pool = ProcessPoolExecutor(workers, get_context("forkserver"))
    try:
        rest = iter(batches)
        waiting.extend(pool.submit(_in_worker, source, one) for one in islice(rest, 2 * workers))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(_in_worker, source, one) for one in islice(rest, 1))
    except BrokenProcessPool as error:
        raise CorpusError(
            f"A process that read {source.path} died: the file may be damaged, memory short, or a "
            "script started it without `if __name__ == '__main__'`. Read it with one process."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def iso_639_1(code: str) -> str:
    """The two-letter code of a language.

    Args:
        code: ISO 639-3, 639-2 or 639-1, with a region or not. Several have no one code.

    >>> [iso_639_1(one) for one in ("eng", "ger", "en-GB", "eng,fra", "ceb", "=en")]
    ['en', 'de', 'en', '', '', '']
    """
    import pycountry

    name = re.split(r"[-_]", code.strip().lower())[0]
    if not name.isalpha():
        return ""
    for key in ("alpha_2", "alpha_3", "bibliographic"):
        if found := pycountry.languages.get(**{key: name}):
            return str(getattr(found, "alpha_2", ""))
    return ""


def decoded(raw: bytes, mime: str = "") -> str:
    r"""Text of an entry: UTF-8, or in the encoding that it names.

    >>> decoded(b"<meta charset=latin-1>\xe9")[-1], decoded("é".encode())
    ('é', 'é')
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        named = CHARSET.search(mime.encode() + b" " + raw[:2048])
        try:
            return raw.decode(named[1].decode() if named else "utf-8", errors="replace")
        except LookupError:
            return raw.decode(errors="replace")


@lru_cache(maxsize=1)
def _articles(source: Source) -> Articles:
    return Articles(source)


def _in_worker(source: Source, where: list[Where]) -> list[Read]:
    return _articles(source).passages(where)
