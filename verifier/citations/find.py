"""All references of a text, by grammar: no model, the same every time.

The kinds are tried from the surest to the least sure, each on what the ones before left: BibTeX,
titles in quotation marks, lines of a bibliography, titles in italics, identifiers, and marks such
as `(Devlin et al., 2018)`, which repeat a reference of the same text where there is one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from corpora import bibtex
from corpora.identifiers import ARXIV, DOI, arxiv_id, doi
from index_builder.records_titles import family_key
from verifier.citations import names
from verifier.citations.citation import Citation, Found
from verifier.citations.find_lines import labelled, listed, tabled
from verifier.citations.find_quoted import marked, quoted
from verifier.citations.grammar import NAMES, YEAR, is_title_case, last_names, trimmed
from verifier.structure import Block, BlockKind, blocks

BEHIND = 120
"""Characters after a reference in its line in which an identifier still belongs to it."""

ENTRY = re.compile(
    r"@(?:article|inproceedings|conference|book|misc|incollection|phdthesis|mastersthesis|techreport|"
    r"inbook|proceedings|unpublished|online|preprint)\s*\{",
    re.IGNORECASE,
)
ENTRY_LONGEST = 5000

IDENTIFIER = re.compile(
    r"(?:arXiv\s?:\s?|arxiv\.org/(?:abs|pdf)/|arXiv\s(?:preprint\s)?(?:arXiv:)?)"
    rf"(?P<arxiv>{ARXIV.pattern})|(?P<doi>{DOI.pattern})",
    re.IGNORECASE,
)

BRACKETED = re.compile(r"\((?P<all>[^()\n]{4,400})\)")
MARK = re.compile(
    rf"(?:(?:see|e\.g\.|cf\.|see also|also)[,\s]+)*(?P<names>{NAMES}),?\s+(?P<year>{YEAR})[a-z]?\s*"
    r"(?:,\s*p{1,2}\.\s*[\d-]+)?"
)
BRACKETED_YEAR = re.compile(rf"\s?\((?P<year>{YEAR})[a-z]?\)")
NAMES_NEAR = 200
"""Characters before a year in brackets in which its authors stand."""


def find(text: str) -> list[Found]:
    """The references of a text in its order, with exact half-open offsets; they do not overlap.

    >>> [one.citation.title for one in find("See 'Deep Fish Learning' by Li et al. (2019).")]
    ['Deep Fish Learning']
    """
    found = list(_entries(text))
    parts = [one for one in blocks(text) if one.kind not in (BlockKind.CODE, BlockKind.MATH)]
    rows = [one for one in parts if one.kind is BlockKind.TABLE]
    found += _free([*labelled(text), *(one for row in rows for one in tabled(row))], found)
    for read in (quoted, listed, marked):
        found += _free(_of(parts, text, read), found)
    found = _identified(text, parts, sorted(found, key=lambda one: one.start))
    found += _free(_marks(text, parts, found), found)
    return sorted(found, key=lambda one: one.start)


def _of(
    parts: Sequence[Block], text: str, read: Callable[[str, int], list[Found]]
) -> Iterator[Found]:
    """What a reader finds in the blocks; the block's text as it stands in the response."""
    for block in parts:
        yield from read(text[block.start : block.end], block.start)


def _free(new: Iterable[Found], taken: Sequence[Found]) -> list[Found]:
    """Those of the new references that overlap none that is there, nor each other."""
    kept: list[Found] = []
    held = sorted((one.start, one.end) for one in taken)
    for one in sorted(new, key=lambda found: (found.start, -found.end)):
        over = any(start < one.end and end > one.start for start, end in held)
        if not over and (not kept or kept[-1].end <= one.start):
            kept.append(one)
    return kept


def _entries(text: str) -> Iterator[Found]:
    """BibTeX entries, fenced or not."""
    begun = [*ENTRY.finditer(text)]
    borders = [one.start() for one in begun[1:]] + [len(text)]
    for begin, border in zip(begun, borders, strict=False):
        end = _closed(text, begin.end() - 1, border)
        if end is None:
            continue
        for record in bibtex.parse(text[begin.start() : end], "", lambda _: None):
            people = "; ".join(f"{one.family}, {one.given}".strip(", ") for one in record.authors)
            years = record.years
            yield Found(
                begin.start(),
                end,
                Citation(
                    record.title,
                    people if record.all_authors else f"{people}; et al.",
                    str(years[0]) if years else "",
                    record.arxiv,
                    record.doi,
                    record.venue,
                ),
            )


def _closed(text: str, at: int, border: int) -> int | None:
    """Behind the brace that closes the one at `at`; None if none does before the next entry."""
    depth = 0
    for brace in re.finditer(r"[{}]", text[at : min(border, at + ENTRY_LONGEST)]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return at + brace.end()
    return None


def _identified(text: str, parts: Sequence[Block], found: Sequence[Found]) -> list[Found]:
    """The references with the identifiers that belong to them, and those that are alone."""
    made = list(found)
    for block in parts:
        for one in IDENTIFIER.finditer(text, block.start, block.end):
            arxiv = arxiv_id(one["arxiv"]) if one["arxiv"] else ""
            name = "" if arxiv else doi(one["doi"])
            if name.startswith("10.48550/arxiv."):
                arxiv, name = arxiv_id(name.removeprefix("10.48550/arxiv.")), ""
            at = next((n for n, ref in enumerate(made) if _belongs(text, ref, one)), None)
            if at is None:
                made.append(_alone(text, block, one, arxiv, name))
                continue
            ref = made[at]
            has = ref.citation
            new = replace(has, arxiv=has.arxiv or arxiv, doi=has.doi or name)
            made[at] = Found(ref.start, max(ref.end, one.end() if one.end() > ref.end else 0), new)
    return _free(made, ())


def _belongs(text: str, ref: Found, identifier: re.Match[str]) -> bool:
    start = identifier.start()
    if ref.start <= start < ref.end:
        return True
    between = text[ref.end : start]
    return (
        0 <= start - ref.end <= BEHIND
        and "\n\n" not in between
        and not re.search(r"[.;]\s+[A-Z]\w+\s\w+\s\w+|\n\s*(?:[-*]|\d+\.|\[\d)", between)
    )


def _alone(text: str, block: Block, one: re.Match[str], arxiv: str, name: str) -> Found:
    """An identifier with the title before it, if there is one: `Deep Fish Learning (arXiv:...)`."""
    before = text[max(block.start, one.start() - 200) : one.start()]
    run = re.search(
        r"((?:[A-Z][\w'\u2019:-]*|of|the|for|and|in|on|with|to|a|an|is)(?:\s|:\s)){2,30}[(\[,]?\s?$",
        before,
    )
    title = run[0].strip(" ([,:") if run else ""
    words = title.split()
    while words and words[0].lower() in (
        "in",
        "the",
        "see",
        "of",
        "and",
        "for",
        "on",
        "with",
        "to",
        "a",
    ):
        words.pop(0)
    title = " ".join(words)
    if len(words) < 3 or not is_title_case(title):
        return Found(one.start(), one.end(), Citation(arxiv=arxiv, doi=name))
    start = one.start() - len(before) + before.rfind(words[0], run.start() if run else 0)
    return Found(start, one.end(), Citation(title, arxiv=arxiv, doi=name))


def _marks(text: str, parts: Sequence[Block], found: Sequence[Found]) -> Iterator[Found]:
    """Marks of authors and year that repeat no reference of the text."""
    known = [(_first(one.citation.authors), one.citation.number) for one in found]
    for block in parts:
        for start, end, people, year in _block_marks(text[block.start : block.end]):
            mark = (_first(people), int(year))
            if mark not in known:
                known.append(mark)
                citation = Citation(authors=people, year=year)
                yield Found(block.start + start, block.start + end, citation)


def _block_marks(text: str) -> Iterator[tuple[int, int, str, str]]:
    for one in BRACKETED.finditer(text):
        at = one.start("all")
        for part in one["all"].split(";"):
            bare = part.strip()
            found = MARK.fullmatch(bare)
            if found and (people := trimmed(found["names"])):
                start = at + part.find(bare) + found.start("names")
                yield start, at + part.find(bare) + len(bare), people, found["year"]
            at += len(part) + 1
    for one in BRACKETED_YEAR.finditer(text):
        window = max(0, one.start() - NAMES_NEAR)
        at, people = last_names(text[window : one.start()])
        # One name alone is often a place or a thing with a year: "Titanic (1997)".
        if people and re.search(r"\bet\.?\s?al|\sand\s|&|,", people):
            yield window + at, one.end(), people, one["year"]


def _first(authors: str) -> str:
    read = names.readings(authors)
    return family_key(read[0].people[0].family) if read else ""
