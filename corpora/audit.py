"""How many of the numbers and dates that a page shows are still there after reading it.

The page is rendered a second time by pandoc, which shares no code with our reader; the values of
templates, which pandoc leaves as they are, are split here and rendered by pandoc in turn.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from corpora.audit_pandoc import Unreadable, visible
from corpora.document import Section
from corpora.errors import CorpusError, CorpusMissing
from corpora.numbers import tokens
from corpora.reading import Reading, Skipped

SHOWN = 5000
"""Lost values that are kept as examples."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A number or a month's name that the page shows and our text does not hold."""

    page: str
    value: str
    times: int


@dataclass(frozen=True, slots=True)
class Audit:
    """What came of comparing."""

    pages: int
    """Pages that were compared."""
    numbers: int
    """Numbers and names of months on them."""
    kept: int
    """Of these, in our text, each as often as on the page."""
    lost: tuple[Lost, ...]
    """The first of those that are not."""
    uncompared: tuple[Skipped, ...]
    """Pages that pandoc could not read."""

    @property
    def share(self) -> float:
        """Kept of all, from 0 to 1; 1 where there are none."""
        return self.kept / self.numbers if self.numbers else 1.0


@dataclass(frozen=True, slots=True)
class Source:
    """A page both ways: its wikitext, and what our reader made of it."""

    title: str
    wikitext: str
    sections: tuple[Section, ...]


def audit(path: Path, reading: Reading, pages: int | None = None) -> Audit:
    """Compare our reading of a dump, or of rows of wikitext, with pandoc's.

    Args:
        path: A MediaWiki dump or JSON Lines with `wikitext`.
        reading: Told of what could not be read, and of the progress.
        pages: Articles to compare, the first of the file; all if None.

    Raises:
        CorpusError: The file holds no wikitext.
        CorpusMissing: pandoc is not installed.
    """
    from corpora.audit_sources import sources

    return compare(islice(sources(path, reading), pages), reading)


def compare(pages: Iterable[Source], reading: Reading) -> Audit:
    """Compare pages one by one; see `audit`."""
    numbers = kept = compared = 0
    lost: list[Lost] = []
    uncompared: list[Skipped] = []
    with ThreadPoolExecutor(max(1, reading.workers)) as pool:
        for page, shown in _rendered(pages, pool):
            if isinstance(shown, Unreadable):
                uncompared.append(Skipped(page.title, str(shown)))
                continue
            wanted, found = tokens(shown), _ours(page)
            missing = wanted - found
            compared += 1
            numbers += wanted.total()
            kept += wanted.total() - missing.total()
            room = max(0, SHOWN - len(lost))
            lost += [Lost(page.title, *one) for one in islice(missing.items(), room)]
    if not compared and not uncompared:
        raise CorpusError("There is no article to compare: the file holds no page of wikitext.")
    return Audit(compared, numbers, kept, tuple(lost), tuple(uncompared))


def _ours(page: Source) -> Counter[str]:
    return tokens("\n".join([page.title, *(f"{one.heading}\n{one.text}" for one in page.sections)]))


def _rendered(
    pages: Iterable[Source], pool: ThreadPoolExecutor
) -> Iterator[tuple[Source, str | Unreadable]]:
    """Pages and what pandoc shows of them, some at once, in their order."""
    source = iter(pages)
    while batch := list(islice(source, 64)):
        yield from zip(batch, pool.map(_seen, batch), strict=True)


def _seen(page: Source) -> str | Unreadable:
    try:
        return visible(page.wikitext, page.title)
    except Unreadable as error:
        return error
    except FileNotFoundError as error:
        raise CorpusMissing(
            "The audit renders pages with pandoc, which is not here. "
            "Install it with `pip install offline-verifier[audit]`."
        ) from error
