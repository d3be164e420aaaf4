"""Reads the ACL Anthology's XML: `<collection><volume><meta/><paper/>...`.

Its BibTeX is read by `bibtex`. Format: the folder data/xml of github.com/acl-org/acl-anthology
(Bollmann et al., 2023, https://aclanthology.org/2023.nlposs-1.7).
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from corpora.identifiers import doi
from corpora.lines import opened
from corpora.reading import Skipped
from corpora.record import Person, Record, person
from corpora.xmlfile import drop, name, walk, words

Skip = Callable[[Skipped], None]

OLD = re.compile(r"[A-Z]\d\d")
"""Collections until 2019, such as P19; their ids are written together: P19-1001."""

URL = "https://aclanthology.org/{key}"


def read(path: Path, skip: Skip) -> Iterator[Record]:
    """Papers of a collection, in its order; ids are `acl:<Anthology id>`.

    Args:
        path: the file.
        skip: told of each paper that has no title.

    Raises:
        CorpusError: it cannot be read, is not XML, or declares entities; names the place.
    """
    with opened(path) as file:
        for element, within in walk(file, path):
            if name(element) != "paper" or not within or name(within[-1]) != "volume":
                continue
            volume = within[-1]
            collection = within[-2].get("id", "") if len(within) > 1 else ""
            key = identifier(collection, volume.get("id", ""), element.get("id", ""))
            if words(element.find("title")):
                yield _paper(element, volume.find("meta"), key)
            else:
                skip(Skipped(f"{path.name}, paper {key}", "it has no title"))
            drop(element, within)


def identifier(collection: str, volume: str, paper: str) -> str:
    """The Anthology id of a paper.

    >>> identifier("2020.acl", "main", "7"), identifier("P19", "1", "7")
    ('2020.acl-main.7', 'P19-1007')
    >>> identifier("W19", "2", "7"), identifier("D19", "57", "2")
    ('W19-0207', 'D19-5702')
    """
    if not OLD.fullmatch(collection) or not volume.isdecimal() or not paper.isdecimal():
        return f"{collection}-{volume}.{paper}"
    late = collection == "D19" and int(volume) >= 5
    if collection.startswith("W") or collection == "C69" or late:
        return f"{collection}-{int(volume):02}{int(paper):02}"
    return f"{collection}-{int(volume)}{int(paper):03}"


def _paper(element: Element, meta: Element | None, key: str) -> Record:
    def said(tag: str) -> str:
        """Of the paper, else of its volume."""
        return words(element.find(tag)) or (words(meta.find(tag)) if meta is not None else "")

    found = re.search(r"\b(19|20)\d\d\b", said("year"))
    venue = said("journal-title") or said("booktitle")
    return Record(
        id=f"acl:{key}",
        title=words(element.find("title")),
        authors=tuple(one for one in map(_person, element.findall("author")) if one is not None),
        published=(int(found[0]),) if found else (),
        venue=venue,
        abstract=words(element.find("abstract")),
        doi=doi(words(element.find("doi"))),
        url=URL.format(key=key),
    )


def _person(element: Element) -> Person | None:
    family, given = words(element.find("last")), words(element.find("first"))
    if family:
        return Person(family, given)
    alone = given or words(element)
    return person(alone) if alone else None
