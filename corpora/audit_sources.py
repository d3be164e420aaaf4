"""Articles both ways: the wikitext of a dump or of rows, and what our reader makes of it."""

import json
from collections.abc import Iterator
from pathlib import Path

from corpora.audit import Source
from corpora.dump import BadPage, Raw, Site, parse, place, raw_pages
from corpora.errors import CorpusError
from corpora.reading import Reading, Skipped
from corpora.rows import rows
from corpora.sniffed import sniff
from corpora.wikipedia import document
from corpora.wikitext import sections


def sources(path: Path, reading: Reading) -> Iterator[Source]:
    """Articles of a file, in its order; redirects and other namespaces are passed over.

    Raises:
        CorpusError: It is neither a dump nor rows with `wikitext`.
    """
    kind = sniff(path)
    if kind == "dump":
        return _of_dump(path, reading)
    if kind == "jsonl":
        return _of_rows(path, reading)
    raise CorpusError(
        f"{path} holds no wikitext ({kind}). Give a MediaWiki dump or JSON Lines with `wikitext`."
    )


def _of_dump(path: Path, reading: Reading) -> Iterator[Source]:
    site = Site()
    for one in raw_pages(path, reading):
        if not isinstance(one, Raw):
            site = one
            continue
        try:
            page = parse(one, site)
        except BadPage as error:
            reading.skip(Skipped(place(one, path), str(error)))
            continue
        if page.namespace == 0 and not page.redirect and page.text.strip():
            yield Source(page.title, page.text, document(page, site).sections)


def _of_rows(path: Path, reading: Reading) -> Iterator[Source]:
    for number, line in rows(path, reading):
        try:
            row = json.loads(line)
            title, wikitext = str(row.get("title", "")), row["wikitext"]
        except (ValueError, KeyError, AttributeError, RecursionError):
            reading.skip(Skipped(f"{path.name}, line {number}", "no row with `wikitext`"))
            continue
        yield Source(title, str(wikitext), sections(str(wikitext), title))
