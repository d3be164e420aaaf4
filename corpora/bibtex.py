"""Reads BibTeX with bibtexparser, entry by entry, so that a broken one costs only itself."""

import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from corpora.identifiers import arxiv_id, arxiv_year, doi
from corpora.latex import plain
from corpora.lines import lines
from corpora.reading import Skipped
from corpora.record import Record, people

if TYPE_CHECKING:
    from collections.abc import Mapping

ENTRY = re.compile(r"\s*@\s*[A-Za-z]+\s*[{(]")

COMMENT = re.compile(r"\s*@\s*(?:comment|preamble)", re.IGNORECASE)

LONGEST = 100_000
"""Characters of one entry; what is longer has lost its end."""

PREPRINT = re.compile(r"arxiv|corr\b|preprint", re.IGNORECASE)

AND = re.compile(r"\s+and\s+", re.IGNORECASE)

Skip = Callable[[Skipped], None]


def read(path: Path, skip: Skip) -> Iterator[Record]:
    """Records of a BibTeX file, in its order.

    Args:
        path: the file.
        skip: told of each entry that is no usable record.

    Raises:
        CorpusError: the file cannot be read.
    """
    strings: dict[str, str] = {}
    for number, text in _entries(path):
        for record in parse(text, f"{path.name}, line {number}", skip, strings):
            yield replace(record, id=f"{path.name.split('.')[0]}:{record.id}")


def parse(
    text: str, place: str, skip: Skip, strings: dict[str, str] | None = None
) -> Iterator[Record]:
    """Records of BibTeX text.

    Args:
        text: a few entries.
        place: how to call the text when something is wrong with it.
        skip: told of each entry that is no usable record.
        strings: what `@string` defined before; gets what it defines here.

    >>> [record] = parse("@misc{a, title={{Adam}}, author={Ba, Jimmy}, year=2014}", "", print)
    >>> record.title, record.authors[0].family, record.years
    ('Adam', 'Ba', (2014,))
    """
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.middlewares import RemoveEnclosingMiddleware

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    if len(text) > LONGEST:
        skip(Skipped(place, f"more than {LONGEST:,} characters without a new entry; the rest"))
        text = text[:LONGEST]
    if "=" not in text:
        if not COMMENT.match(text) and text.lstrip().startswith("@"):
            skip(Skipped(place, "an entry without fields"))
        return
    known = {} if strings is None else strings
    library = parse_string(text, parse_stack=[RemoveEnclosingMiddleware(False)])
    for one in library.strings:
        known[one.key.lower()] = str(one.value)
    for block in library.failed_blocks:
        problem = str(getattr(block, "error", "")).strip().splitlines() or ["broken"]
        skip(Skipped(place, f"not read: {problem[-1].strip()[:200]}"))
    for entry in library.entries:
        fields = {one.key.lower(): _value(one.value, known) for one in entry.fields}
        record = _record(entry.key, fields)
        if record.title:
            yield record
        else:
            skip(Skipped(f"{place}, entry {entry.key[:80]}", "it has no title"))


def _record(key: str, fields: "Mapping[str, str]") -> Record:
    venue = next(
        (fields[one] for one in ("journal", "booktitle", "publisher") if fields.get(one)), ""
    )
    eprint = fields.get("eprint", "")
    is_arxiv = "arxiv" in fields.get("archiveprefix", fields.get("eprinttype", "")).lower()
    arxiv = arxiv_id(eprint) if is_arxiv else ""
    if not arxiv and (
        found := re.search(r"arxiv[:.\s/]\S*", f"{venue} {fields.get('url', '')}", re.I)
    ):
        arxiv = arxiv_id(found[0].lower())
    year = _year(fields.get("year") or fields.get("date", ""))
    is_preprint = bool(PREPRINT.search(venue)) or (not venue and bool(arxiv))
    names = AND.split(fields.get("author", "") or fields.get("editor", ""))
    authors, complete = people(
        plain(name.replace("{", "").replace("}", "") if "\\" not in name else name)
        for name in names
    )
    return Record(
        id=key,
        title=plain(fields.get("title", "")),
        authors=authors,
        all_authors=complete,
        preprint=arxiv_year(arxiv) or (year if is_preprint else None),
        published=() if is_preprint or year is None else (year,),
        venue=plain(venue),
        abstract=plain(fields.get("abstract", "")),
        arxiv=arxiv,
        doi=doi(fields.get("doi", "")),
        url=fields.get("url", ""),
    )


def _value(value: object, strings: "Mapping[str, str]") -> str:
    text = str(value)
    parts = [part.strip() for part in text.split("#")]
    if len(parts) > 1 and any(part.lower() in strings for part in parts):
        text = "".join(strings.get(part.lower(), part.strip('"{}')) for part in parts)
    return strings.get(text.strip().lower(), text)


def _year(text: str) -> int | None:
    found = re.search(r"\b(1[5-9]\d\d|20\d\d)", text)
    return int(found[1]) if found else None


def _entries(path: Path) -> Iterator[tuple[int, str]]:
    """Line number and text of each entry: from a line that begins one to the next such line."""
    kept: list[str] = []
    begun, size = 1, 0
    for number, line in lines(path):
        if ENTRY.match(line):
            if any(one.strip() for one in kept):
                yield begun, "".join(kept)
            begun, kept, size = number, [], 0
        size += len(line)
        if size <= LONGEST + 1:
            kept.append(line)
        elif sum(map(len, kept)) <= LONGEST:
            kept.append(line[: LONGEST + 1])
    if any(one.strip() for one in kept):
        yield begun, "".join(kept)
