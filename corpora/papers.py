"""The table of readers of paper catalogues, and the one for tables. A new one is one line here."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from corpora import anthology, arxiv, bibtex, oai, sniffed
from corpora.errors import CorpusError, CorpusMissing
from corpora.identifiers import arxiv_id, arxiv_year, doi
from corpora.latex import plain
from corpora.lines import lines, opened
from corpora.reading import Skipped
from corpora.record import Record, people

Skip = Callable[[Skipped], None]

FIRST_AUTHORS = 10
"""As many authors as tables often stop at; a list of exactly that many may go on."""

YEARS = range(1500, 2100)

SNIFFED_BYTES = 65_536


def read_table(path: Path, skip: Skip) -> Iterator[Record]:
    """Records of a table: tab-separated, names of the columns in the first line.

    There must be a column `title`; `year`, `venue`, `authors` (`;` between), `arxiv`, `doi`,
    `url`, `abstract` and `id` are read where they are there.

    Args:
        path: the file.
        skip: told of each row that is no usable record.

    Raises:
        CorpusError: the file cannot be read, or has no column `title`.
    """
    names: list[str] = []
    for number, line in lines(path):
        cells = line.rstrip("\r\n").split("\t")
        if not names:
            names = [cell.strip().lower() for cell in cells]
            if "title" not in names:
                raise CorpusError(f"{path}, line 1: no column `title` among {names[:10]}.")
            continue
        row = dict(zip(names, cells, strict=False))
        if len(cells) > len(names):
            skip(Skipped(f"{path.name}, line {number}", f"{len(cells)} cells, not {len(names)}"))
        elif not row["title"].strip():
            skip(Skipped(f"{path.name}, line {number}", "no title"))
        else:
            yield _from_row(row, row.get("id") or f"{path.name.split('.')[0]}:{number}")


def _from_row(row: Mapping[str, str], key: str) -> Record:
    found = re.search(r"\d{4}", row.get("year", ""))
    year = int(found[0]) if found and int(found[0]) in YEARS else None
    authors, complete = people(plain(one) for one in row.get("authors", "").split(";"))
    is_preprint = bool(bibtex.PREPRINT.search(row.get("venue", "")))
    arxiv = arxiv_id(row.get("arxiv", ""))
    return Record(
        id=key,
        title=plain(row["title"]),
        authors=authors,
        all_authors=complete and len(authors) != FIRST_AUTHORS,
        preprint=arxiv_year(arxiv) or (year if is_preprint else None),
        published=() if is_preprint or year is None else (year,),
        venue=plain(row.get("venue", "")),
        abstract=row.get("abstract", ""),
        arxiv=arxiv,
        doi=doi(row.get("doi", "")),
        url=row.get("url", ""),
    )


Read = Callable[[Path, Skip], Iterator[Record]]

READERS: Mapping[str, Read] = {
    "arxiv": arxiv.read_snapshot,
    "bibtex": bibtex.read,
    "oai": oai.read,
    "table": read_table,
    "anthology": anthology.read,
    "recorded": oai.read_recorded,
}


def sniff(path: Path) -> str:
    """Tell which reader a file is for, from its first bytes.

    Returns:
        A key of `READERS`.

    Raises:
        CorpusMissing: there is no such file.
        CorpusError: the file is for none of the readers.
    """
    if not path.is_file():
        raise CorpusMissing(f"There is no file {path}. Give the path of a catalogue of papers.")
    with opened(path) as file:
        head = file.read(SNIFFED_BYTES).decode("utf-8-sig", "replace")
    first = head.lstrip().partition("\n")[0]
    if first.startswith("{"):
        return "arxiv"
    if first.startswith("["):
        return "recorded"
    if first.startswith("<"):
        return _of_xml(path, head)
    if "\t" in first and "title" in first.lower().split("\t"):
        return "table"
    if any(bibtex.ENTRY.match(line) for line in head.splitlines()):
        return "bibtex"
    raise CorpusError(
        f"{path} is for none of the readers ({', '.join(READERS)}). Give a BibTeX file, arXiv's "
        "snapshot (.json), an OAI-PMH answer or the ACL Anthology's collection (.xml), or "
        "tab-separated rows with a line of names."
    )


def _of_xml(path: Path, head: str) -> str:
    if sniffed.DUMP.search(head):
        raise CorpusError(
            f"{path} is a MediaWiki dump, not a catalogue of papers. "
            f"Use `verifier index build {path}`."
        )
    return "anthology" if re.search(r"<(?:collection|volume)[\s>]", head) else "oai"
