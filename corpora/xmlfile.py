"""Walks through XML one element at a time; refuses document types and entities."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element, ParseError

from corpora.errors import CorpusError


def name(element: Element) -> str:
    """The name of an element, without its namespace.

    >>> name(Element("{http://purl.org/dc/elements/1.1/}title"))
    'title'
    """
    return element.tag.rpartition("}")[2]


def words(element: Element | None) -> str:
    """All text in an element, in one line; empty if there is none."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def walk(file: IO[bytes], path: Path) -> Iterator[tuple[Element, tuple[Element, ...]]]:
    """Each element when it ends, and those it stands in, the outermost first.

    What a caller is done with, it must take out of its parent with `drop`.

    Raises:
        CorpusError: it is not well-formed, or declares entities; names the place.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    within: list[Element] = []
    try:
        for event, element in iterparse(file, events=("start", "end"), forbid_dtd=True):
            if event == "start":
                within.append(element)
            else:
                within.pop()
                yield element, tuple(within)
    except ParseError as error:
        line, column = error.position
        raise CorpusError(
            f"{path}, line {line}, column {column}: not well-formed XML ({error})."
        ) from error
    except DefusedXmlException as error:
        raise CorpusError(
            f"{path} declares a document type or entities, which are not read ({error})."
        ) from error


def drop(element: Element, within: tuple[Element, ...]) -> None:
    """Forget an element, so that memory stays bounded."""
    element.clear()
    if within:
        within[-1].remove(element)
