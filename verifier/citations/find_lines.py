"""References that fill a line: bibliographies, numbered lists, `Title by Authors (Year)`."""

import re
from collections.abc import Iterator

from verifier.citations.citation import Citation, Found
from verifier.citations.grammar import (
    NAMES,
    SURNAME,
    YEAR,
    is_names,
    is_title,
    is_title_case,
    trimmed,
)
from verifier.structure import Block

LONGEST = 1500
"""Characters of a line that is read; nothing longer is one reference."""

MARKER = re.compile(r"\s{0,12}(?:[-*+\u2022\u2013]\s+|\[\d{1,4}\]\s*|\(?\d{1,3}[.)]\s+|#{1,6}\s+)*")

QUOTE = re.compile(r"[\"\u201c\u201d\u00ab\u2018]|(?<!\w)'|``")

YEARED = re.compile(
    rf"(?P<names>{NAMES})[,.]?\s{{0,2}}(?:\((?P<y1>{YEAR})[a-z]?(?:,\s\w+(?:\s\d+)?)?\)[.,:]?|,\s(?P<y2>{YEAR})[a-z]?[.,:]|"
    rf"\.?\s(?P<y3>{YEAR})[a-z]?\.|\((?P<y4>{YEAR})[a-z]?\)\.?)\s+(?P<rest>\S.*)"
)
"""Authors (2018). Title. Venue. - with variants."""

DOTTED = re.compile(rf"(?P<names>{NAMES})[.:]?\s+(?P<rest>[^\s].*?\b(?P<year>{YEAR})\b.*)")
"""Authors. Title. Venue, 2018."""

VANCOUVER = re.compile(
    rf"(?P<names>{SURNAME}(?:\s{SURNAME})?\s[A-Z]{{1,3}}(?:,\s{SURNAME}(?:\s{SURNAME})?\s[A-Z]{{1,3}}){{0,80}}"
    rf"(?:,\s(?:et al|and others))?)\.\s+(?P<rest>[^\s].*?\b(?P<year>{YEAR})\b.*)"
)
"""Li AB, Xu C. Title. Venue. 2018."""

NO_TITLE = re.compile(
    r"[.!]\s+[A-Z]|\b(?:was|were|introduc|propos|arXiv|shown?|has|have)", re.IGNORECASE
)
"""Makes a line a sentence."""

BEFORE_TITLE = re.compile(
    r"^(?:In\s)?(?:The|This|A|An|Another|One)?\s?(?:\w+\s){0,2}?(?:paper|article|study|book|survey|preprint)s?[\s,:]+",
    re.IGNORECASE,
)

TITLED = re.compile(
    rf"[*_]{{0,3}}(?P<title>[^*_\n]{{6,300}}?)[*_]{{0,3}}[,.]?(?:\s[*_]{{0,3}}\((?P<y0>{YEAR})\)[*_]{{0,3}})?"
    rf"(?:,?\sby\s|\s?[\u2013\u2014]\s?|\s-{{1,2}}\s|\s\()[*_]{{0,3}}(?P<names>{NAMES})[*_]{{0,3}}"
    rf"(?:(?:,\s|\s\(|\.\s|\s)(?:[^\n()]{{0,80}}?[\s,(])?\(?(?P<y1>{YEAR})[a-z]?\)?)?"
)
"""Title by Authors (2018); Title - Authors, Venue 2018; Title (Authors, 2018)."""

END = re.compile(
    r"(?<=[\w)\]\"'\u2019])[.?!](?=\s+(?:[\"*_(\[]?[A-Z0-9]|arXiv|bioRxiv|in\s)|\s*$)|(?<=[\w)])\.\s*(?=\*|_)"
)
"""The full stop behind a title."""

ABBREVIATED = re.compile(r"\b(?:vs|vol|no|pp|ed|eds|al|etc|[A-Z])$")


def listed(text: str, start: int) -> list[Found]:
    """References that fill lines of a block.

    Args:
        text: the block.
        start: where it begins in the response.

    >>> [found] = listed("1. Kingma, D. P., & Ba, J. (2015). Adam: A method. ICLR.", 0)
    >>> found.citation.title, found.citation.year, found.citation.venue
    ('Adam: A method', '2015', 'ICLR')
    """
    found = []
    for begin, line in _lines(text):
        if (one := _reference(line)) is not None:
            found.append(Found(start + begin + one.start, start + begin + one.end, one.citation))
    return found


def tabled(block: Block) -> list[Found]:
    """The reference in a row of a table whose header names authors or year.

    Args:
        block: a row; its text has the names of the columns.
    """
    cells = block.text.replace(": ", "; ", 1).split("; ")
    named = {}
    for cell in cells[1:]:
        name, _, value = cell.partition(" ")
        named[name.lower().rstrip("s").removesuffix("(")] = value.strip()
    title = named.get("title") or named.get("paper") or cells[0]
    people, year = named.get("author", ""), named.get("year") or named.get("date", "")
    if not people or not is_title(title):
        return []
    found = re.search(YEAR, year)
    venue = named.get("venue", "") or named.get("journal", "")
    citation = Citation(
        title.strip(' *_"\u201c\u201d'), people, found[0] if found else "", venue=venue
    )
    return [Found(block.start, block.end, citation)]


LABELLED = re.compile(
    rf"\bTitle\W{{0,4}}:\W{{0,4}}(?P<title>[^\n]{{4,300}})\n[^\n]{{0,6}}?\bAuthors?\b\W{{0,4}}:\W{{0,4}}(?P<names>[^\n]{{2,500}})"
    rf"(?:\n[^\n]{{0,200}}){{0,2}}?\n[^\n]{{0,6}}?\b(?:Year|Published|Date|Publication)\b[^\n]{{0,40}}?\b(?P<year>{YEAR})\b",
    re.IGNORECASE,
)


def labelled(text: str) -> list[Found]:
    r"""References as lines with names: `Title: ...`, `Authors: ...`, `Year: ...`.

    >>> labelled("Title: Deep Fish\nAuthors: J. Li\nYear: 2019")[0].citation.authors
    'J. Li'
    """
    marks = " *_,.\"'\u201c\u201d"
    return [
        Found(
            one.start("title") + len(one["title"]) - len(one["title"].lstrip(marks)),
            one.end("year"),
            Citation(one["title"].strip(marks), one["names"].strip(" *_"), one["year"]),
        )
        for one in LABELLED.finditer(text)
    ]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.splitlines(keepends=True):
        body = line.rstrip()
        if 12 < len(body) <= LONGEST:
            begin = MARKER.match(body)
            skip = begin.end() if begin else 0
            yield at + skip, body[skip:]
        at += len(line)


def _reference(line: str) -> Found | None:
    for read in (_yeared, _dotted, _titled):
        if (citation := read(line)) is not None:
            return Found(0, len(line), citation) if read is not _titled else _cut(line, citation)
    return None


def _yeared(line: str) -> Citation | None:
    found = YEARED.match(line)
    if not found or QUOTE.match(found["rest"]) or found["rest"][0].islower():
        return None
    year = next(found[key] for key in ("y1", "y2", "y3", "y4") if found[key])
    title, venue = _parted(found["rest"])
    names = trimmed(found["names"])
    if not names or not is_title(title) or len(title.split()) < 2:
        return None
    # A sentence that begins with its source is none: "Li (2018) Found that fish swim".
    is_closed = line[found.start("rest") - 2 : found.start("rest")].strip() in (".", ",", ":", ")")
    return Citation(title, names, year, venue=venue) if is_closed else None


def _dotted(line: str) -> Citation | None:
    found = VANCOUVER.match(line) or DOTTED.match(line)
    if not found or QUOTE.match(found["rest"]):
        return None
    names = found["names"]
    stop = line[found.end("names") : found.start("rest")]
    if not (names.endswith(".") or "." in stop or ":" in stop) or not re.search(
        r"[.,&;]|\sand\s", names
    ):
        return None
    title, venue = _parted(found["rest"])
    if len(title.split()) < 3 or not venue or not re.search(rf"\b{YEAR}\b", venue):
        return None
    venue = re.sub(rf"[,(]?\s?\b{YEAR}\b.*", "", venue).strip(" ,.;(*_").removeprefix("In ")
    return Citation(title, trimmed(names), found["year"], venue=venue) if trimmed(names) else None


def _titled(line: str) -> Citation | None:
    found = TITLED.match(line)
    if not found or QUOTE.search(found["title"]):
        return None
    year = found["y0"] or found["y1"] or ""
    names, title = trimmed(found["names"]), found["title"].strip(" *_,.:")
    title = BEFORE_TITLE.sub("", title)
    if NO_TITLE.search(title):
        return None
    if not names or not year or not is_title_case(title) or len(title.split()) < 2:
        return None
    return None if is_names(title) and "," in title else Citation(title, names, year)


def _cut(line: str, citation: Citation) -> Found:
    found = TITLED.match(line)
    return Found(0, found.end() if found else len(line), citation)


def _parted(rest: str) -> tuple[str, str]:
    """A title and what follows its full stop."""
    rest = rest.lstrip("*_ ")
    for stop in END.finditer(rest):
        if ABBREVIATED.search(rest[: stop.start()]) and stop[0][0] == ".":
            continue
        title = rest[: stop.start()] + (stop[0][0] if stop[0][0] in "?!" else "")
        return title.strip(" *_"), _venue(rest[stop.end() :])
    return rest.strip(" *_."), ""


def _venue(text: str) -> str:
    text = re.sub(r"\bhttps?://\S+|\bdoi:\s?\S+|\barXiv:\s?\S+", "", text, flags=re.IGNORECASE)
    return (
        " ".join(text.replace("*", "").replace("_", "").split())
        .strip(" .,;")
        .removeprefix("In ")[:200]
    )
