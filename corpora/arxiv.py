"""Reads arXiv's metadata as Kaggle serves it: JSON Lines. Its OAI-PMH answers: see `oai`."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from corpora.identifiers import arxiv_id, arxiv_year, doi
from corpora.latex import plain
from corpora.lines import lines
from corpora.reading import Skipped
from corpora.record import Person, Record, people

Skip = Callable[[Skipped], None]

YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")

BETWEEN = re.compile(r",\s*(?:and\s+)?|\s+and\s+")


def read_snapshot(path: Path, skip: Skip) -> Iterator[Record]:
    """Records of the snapshot that Kaggle serves: one JSON object a line.

    Args:
        path: the file.
        skip: told of each line that is no usable record.

    Raises:
        CorpusError: the file cannot be read.
    """
    for number, line in lines(path):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            skip(Skipped(f"{path.name}, line {number}", f"not JSON ({str(error)[:100]})"))
            continue
        if isinstance(row, dict) and arxiv_id(_text(row, "id")) and _text(row, "title").strip():
            yield _from_row(row)
        else:
            skip(Skipped(f"{path.name}, line {number}", "no object with an arXiv id and a title"))


def _from_row(row: Mapping[str, Any]) -> Record:
    key = arxiv_id(_text(row, "id"))
    parsed = row.get("authors_parsed")
    if isinstance(parsed, list) and parsed:
        names = [one for one in parsed if isinstance(one, list) and one and isinstance(one[0], str)]
        authors = tuple(
            Person(plain(one[0]), plain(str(one[1])) if len(one) > 1 else "") for one in names
        )
        complete = True
    else:
        authors, complete = people(BETWEEN.split(plain(_text(row, "authors"))))
    created = ""
    if isinstance(versions := row.get("versions"), list) and versions:
        created = str(versions[0].get("created", "")) if isinstance(versions[0], dict) else ""
    return record(
        key,
        title=_text(row, "title"),
        authors=authors,
        complete=complete,
        created=created,
        reference=_text(row, "journal-ref"),
        name=_text(row, "doi"),
        abstract=_text(row, "abstract"),
    )


def record(
    key: str,
    *,
    title: str,
    authors: tuple[Person, ...],
    complete: bool,
    created: str,
    reference: str,
    name: str,
    abstract: str,
) -> Record:
    """A paper of arXiv's from what the catalogue says of it.

    Args:
        key: arXiv id.
        title: may hold LaTeX, as may the reference.
        authors: in order.
        complete: no author is missing.
        created: date of the first version, in any layout.
        reference: journal reference; its last year is that of publication.
        name: DOI, or text that holds it.
        abstract: kept in one line.
    """
    years = [int(one) for one in YEAR.findall(reference)]
    first = YEAR.search(created)
    return Record(
        id=f"arxiv:{key}",
        title=plain(title),
        authors=authors,
        all_authors=complete,
        preprint=int(first[1]) if first else arxiv_year(key),
        published=(years[-1],) if years else (),
        venue=plain(reference),
        abstract=" ".join(abstract.split()),
        arxiv=key,
        doi=doi(name),
        url=f"https://arxiv.org/abs/{key}",
    )


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""
