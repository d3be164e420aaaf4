"""Reads answers of an OAI-PMH server: XML in arXiv's own format or Dublin Core.

Also recordings of such answers, as nock writes them: a JSON list of requests, each with the
`response` it got. Protocol: https://www.openarchives.org/OAI/openarchivesprotocol.html
"""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element

from corpora.arxiv import record
from corpora.errors import CorpusError
from corpora.identifiers import arxiv_id
from corpora.latex import plain
from corpora.lines import opened
from corpora.reading import Skipped
from corpora.record import Person, Record, person
from corpora.xmlfile import drop, name, walk

Skip = Callable[[Skipped], None]

VERBS = frozenset(
    ("Identify", "ListIdentifiers", "ListMetadataFormats", "ListSets", "ListRecords", "GetRecord")
)

ASK = "Ask the server with verb=ListRecords&metadataPrefix=arXiv."

LARGEST = 64 * 2**20
"""Bytes of a recording, which is read as a whole."""


def read(path: Path, skip: Skip) -> Iterator[Record]:
    """Records of an answer, in its order.

    Args:
        path: the file.
        skip: told of each record that is deleted or has no title.

    Raises:
        CorpusError: it cannot be read, is not XML, declares entities, is an answer that says an
            error or one without records; names the place.
    """
    with opened(path) as file:
        yield from _answer(file, path, path.name, skip)


def read_recorded(path: Path, skip: Skip) -> Iterator[Record]:
    """Records of all answers in a recording.

    Args:
        path: the file.
        skip: told of each answer that is none, and each record that is deleted or has no title.

    Raises:
        CorpusError: it is no recording, or no answer in it holds records; says why.
    """
    problems: list[str] = []
    found = False
    for number, one in enumerate(_recorded(path), start=1):
        place = f"{path.name}, answer {number}"
        response = one.get("response") if isinstance(one, dict) else None
        if not isinstance(response, str) or not response.lstrip().startswith("<?xml"):
            status = one.get("status") if isinstance(one, dict) else "none"
            problems.append(f"{place}: no OAI-PMH answer (status {status})")
            skip(Skipped(place, f"no OAI-PMH answer (status {status})"))
            continue
        try:
            for record in _answer(io.BytesIO(response.encode()), path, place, skip):
                found = True
                yield record
        except CorpusError as error:
            problems.append(str(error))
            skip(Skipped(place, str(error)))
    if not found:
        raise CorpusError(problems[-1] if problems else f"{path} holds no recorded answer. {ASK}")


def _recorded(path: Path) -> list[object]:
    with opened(path) as file:
        text = file.read(LARGEST + 1)
    try:
        table = json.loads(text) if len(text) <= LARGEST else None
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path} is not JSON: {str(error)[:200]}.") from error
    if not isinstance(table, list):
        raise CorpusError(f"{path} is no recording of at most {LARGEST:,} bytes. {ASK}")
    return table


def _answer(file: IO[bytes], path: Path, place: str, skip: Skip) -> Iterator[Record]:
    kind, records = "", 0
    for element, within in walk(file, path):
        tag = name(element)
        if tag == "record":
            records += 1
            yield from _record(element, place, skip)
            drop(element, within)
        elif tag == "error" and len(within) == 1:
            code, text = element.get("code", ""), " ".join((element.text or "").split())
            raise CorpusError(f"{path} holds the server's error {code}: {text or 'no text'}. {ASK}")
        elif tag in VERBS and len(within) == 1:
            kind = tag
        elif tag == "header" and within and name(within[-1]) != "record":
            # A list of headers alone must not pile up.
            drop(element, within)
    if not records:
        what = f"an answer to {kind}" if kind else f"<{tag}>"
        raise CorpusError(f"{path} holds no record: it is {what}. {ASK}")


def _record(element: Element, place: str, skip: Skip) -> Iterator[Record]:
    identifier = _first(element, "identifier")
    header = next((one for one in element if name(one) == "header"), None)
    key = arxiv_id(identifier)
    title = _first(element, "title")
    if not key or not title.strip():
        deleted = header is not None and header.get("status") == "deleted"
        problem = "it is deleted" if deleted else "no arXiv id or no title"
        skip(Skipped(f"{place}, {identifier[:80] or 'a record'}", problem))
        return
    if full := _all(element, "author"):
        authors = tuple(
            Person(plain(_first(one, "keyname")), plain(_first(one, "forenames"))) for one in full
        )
    else:
        authors = tuple(person(plain(one.text or "")) for one in _all(element, "creator"))
    yield record(
        key,
        title=title,
        authors=tuple(one for one in authors if one.family),
        complete=True,
        created=_first(element, "created") or _first(element, "date"),
        reference=_first(element, "journal-ref"),
        name=_first(element, "doi"),
        abstract=_first(element, "abstract") or _first(element, "description"),
    )


def _all(element: Element, tag: str) -> list[Element]:
    return [one for one in element.iter() if name(one) == tag]


def _first(element: Element, tag: str) -> str:
    return next((one.text or "" for one in element.iter() if name(one) == tag), "")
