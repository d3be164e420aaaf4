"""Reads arXiv's metadata: the Kaggle snapshot (JSON Lines) and OAI-PMH answers (XML).

XML is read by defusedxml, which refuses document types and entities, one record at a time.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from corpora.errors import CorpusError
from corpora.identifiers import arxiv_id, arxiv_year, doi
from corpora.latex import plain
from corpora.lines import lines, opened
from corpora.reading import Skipped
from corpora.record import Person, Record, people, person

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


def read_oai(path: Path, skip: Skip) -> Iterator[Record]:
    """Records of an answer of an OAI-PMH server, in arXiv's own format or Dublin Core.

    Args:
        path: the file.
        skip: told of each record that is deleted or has no title.

    Raises:
        CorpusError: it cannot be read, is not XML, or declares entities; names the place.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    with opened(path) as file:
        try:
            depth: list[Element] = []
            for event, element in iterparse(file, events=("start", "end"), forbid_dtd=True):
                if event == "start":
                    depth.append(element)
                    continue
                depth.pop()
                if _name(element) == "record":
                    yield from _from_element(element, path, skip)
                    element.clear()
                    for parent in depth[-1:]:
                        parent.remove(element)
        except ParseError as error:
            line, column = error.position
            raise CorpusError(
                f"{path}, line {line}, column {column}: not well-formed XML ({error})."
            ) from error
        except DefusedXmlException as error:
            raise CorpusError(
                f"{path} declares a document type or entities, which are not read ({error})."
            ) from error


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
    return _record(
        key,
        title=_text(row, "title"),
        authors=authors,
        complete=complete,
        created=created,
        reference=_text(row, "journal-ref"),
        name=_text(row, "doi"),
        abstract=_text(row, "abstract"),
    )


def _from_element(element: Element, path: Path, skip: Skip) -> Iterator[Record]:
    identifier = _first(element, "identifier")
    key = arxiv_id(identifier)
    title = _first(element, "title")
    if not key or not title.strip():
        skip(Skipped(f"{path.name}, {identifier[:80] or 'a record'}", "no arXiv id or no title"))
        return
    if full := _all(element, "author"):
        authors = tuple(
            Person(plain(_first(one, "keyname")), plain(_first(one, "forenames"))) for one in full
        )
    else:
        authors = tuple(person(plain(one.text or "")) for one in _all(element, "creator"))
    yield _record(
        key,
        title=title,
        authors=tuple(one for one in authors if one.family),
        complete=True,
        created=_first(element, "created") or _first(element, "date"),
        reference=_first(element, "journal-ref"),
        name=_first(element, "doi"),
        abstract=_first(element, "abstract") or _first(element, "description"),
    )


def _record(
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


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _all(element: Element, name: str) -> list[Element]:
    return [one for one in element.iter() if _name(one) == name]


def _first(element: Element, name: str) -> str:
    return next((one.text or "" for one in element.iter() if _name(one) == name), "")
