"""References around a title in quotation marks or in italics: who and when stand beside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from verifier.citations.citation import Citation, Found
from verifier.citations.grammar import (
    IS_NAMES,
    NAMES,
    YEAR,
    is_title,
    is_title_case,
    last_names,
    trimmed,
)

NEAR = 260
"""Characters beside a title that are looked at."""

INNER = r"(?:(?!\s'\w)[^\n])"
"""A character of a title between single quotes: no quote opens in it."""

CLOSED = (
    r"(?=$|\n|[,.;:)]|\s(?:by|and|is|was|in|from|which|that|introduc|propos|publish)"
    r"|\s?[(\u2013\u2014-])"
)
"""What follows a quote that closes, and not an apostrophe as in `the founders' capital`."""

QUOTED = re.compile(
    r"\"(?P<a>[^\"\n]{3,300})\"|\u201c(?P<b>[^\u201c\u201d\n]{3,300})\u201d"
    r"|\u00ab\s?(?P<c>[^\u00ab\u00bb\n]{3,300}?)\s?\u00bb|``(?P<d>[^`\n]{3,300}?)''"
    rf"|(?<![\w'])'(?=[\w\"])(?P<e>{INNER}{{3,300}}?)(?<=[\w?!.,)\"])'{CLOSED}"
    rf"|(?<![\w'])'(?=[\w\"])(?P<g>{INNER}{{3,300}}?)(?<=[\w?!.,)\"])'(?=\s[a-z])"
    rf"|\u2018(?P<f>[^\u2018\n]{{3,300}}?)\u2019(?!\w)(?:{CLOSED}|(?=\s[a-z]))"
)

MARKED = re.compile(
    r"(?<![*\w])\*{1,3}(?P<a>[^*\n\s][^*\n]{2,300})\*{1,3}(?![*\w])"
    r"|(?<![_\w])_{1,2}(?P<b>[^_\n\s][^_\n]{2,300})_{1,2}(?![_\w])"
)

VENUE = r"(?:[\w &'\u2019:,-]|\.(?!\s[A-Z]))"
"""A character of what stands between authors and a year; no new sentence begins in it."""

BY = re.compile(
    rf"[\s,.]{{0,3}}(?:\((?P<y0>{YEAR})[a-z]?\)[\s,]{{0,2}})?"
    r"(?:(?:which |that )?(?:was|is|were)\s)?(?:first\s|originally\s)?"
    r"(?:written|published|introduced|proposed|authored|presented|developed|co-?authored|released)?"
    rf"(?:\sin\s(?P<y3>{YEAR}))?\s?\bby\s"
    rf"(?:(?:the )?(?:researchers?|authors?|scientists?|professors?)\s)?(?P<names>{NAMES})"
    rf"(?:\s?[,.]?\s?\(?(?:{VENUE}{{0,100}}?[\s,(])?(?P<y1>{YEAR})[a-z]?\b\)?)?"
)
IN_BRACKETS = re.compile(
    rf"[\s,.]{{0,3}}[(\[](?:by\s)?(?P<names>{NAMES}),?\s(?:{VENUE}{{0,100}}?\s)?(?P<y1>{YEAR})[a-z]?[)\]]"
)
DASHED = re.compile(
    rf"\s?[\u2013\u2014-]+\s?(?P<names>{NAMES})(?:\s?[,.]?\s?\(?(?:{VENUE}{{0,100}}?[\s,(])?(?P<y1>{YEAR})\)?)?"
)
YEAR_AFTER = re.compile(
    rf"[\s,.]{{0,3}}(?P<venue>[^\n\"\u201c\u201d;()]{{0,160}}?)\(?\b(?P<y1>{YEAR})\b[a-z]?\)?"
)

YEAR_NEAR = re.compile(rf"{VENUE}{{0,100}}?[\s(,](?P<y1>{YEAR})\b")

LEAD = re.compile(
    rf"\s?(?:\(?(?P<year>{YEAR})[a-z]?\)?)?(?:'s|\u2019s)?[\s,.:]{{0,3}}(?P<phrase>[^.\n\"\u201c\u201d()]{{0,80}})"
)
"""What stands between authors and the title that follows them."""

PHRASE = re.compile(
    r"(?:titled|entitled|called|named|papers?|articles?|stud(?:y|ies)|books?|works?|surveys?|review|in|"
    r"publish(?:ed)?|wrote|introduc\w+|propos\w+|present\w*|describ\w+|their|his|her|with)[\s,:]*$",
    re.IGNORECASE,
)
SEVERAL = re.compile(r"\s|[,&.]")
"""More than one word."""

CUE = re.compile(
    r"\b(?:papers?|articles?|stud(?:y|ies)|books?|titled|entitled|preprint|surveys?|thesis|monograph|"
    r"published|publication|cite[ds]?|reference|literature)\b[^.\n]{0,60}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Title:
    """A title and the text on both sides of it, up to its neighbours."""

    start: int
    end: int
    text: str
    before: str
    after: str
    strong: bool
    """False for italics, which mark much else."""


def quoted(text: str, start: int) -> list[Found]:
    """References of a block whose titles are in quotation marks.

    Args:
        text: the block.
        start: where it begins in the response.

    >>> text = "See Hallstrom and Ngata (2021), 'Tide Embeddings for Dialogue'."
    >>> found = quoted(text, 0)[0]
    >>> found.citation.authors, found.citation.year, found.start
    ('Hallstrom and Ngata', '2021', 4)
    """
    return _found(text, start, QUOTED, strong=True)


def marked(text: str, start: int) -> list[Found]:
    """References of a block whose titles are in italics or bold; see `quoted`."""
    return _found(text, start, MARKED, strong=False)


def _found(text: str, start: int, pattern: re.Pattern[str], *, strong: bool) -> list[Found]:
    made = []
    for title in _titles(text, pattern, strong=strong):
        if (one := _reference(title)) is not None:
            made.append(replace(one, start=one.start + start, end=one.end + start))
    return made


def _titles(text: str, pattern: re.Pattern[str], *, strong: bool) -> Iterator[_Title]:
    spans = []
    for one in pattern.finditer(text):
        name = one.lastgroup or "a"
        if is_title(one[name]) and len(one[name].split()) > 0:
            spans.append((one.start(), one.end(), one[name].strip(" ,.*_")))
    for number, (begin, end, title) in enumerate(spans):
        left = max(spans[number - 1][1] if number else 0, begin - NEAR)
        right = min(spans[number + 1][0] if number + 1 < len(spans) else len(text), end + NEAR)
        yield _Title(begin, end, title, _sentence(text[left:begin]), text[end:right], strong)


def _sentence(before: str) -> str:
    """What stands before a title in its own line."""
    return before.rpartition("\n")[2]


def _reference(title: _Title) -> Found | None:
    return _followed(title) or _led(title) or _listed(title) or _cued(title)


def _followed(title: _Title) -> Found | None:
    """`"Title" by J. Li (2019)`, `"Title" (Li, 2019)`, `"Title" - J. Li, 2019`."""
    for pattern in (IN_BRACKETS, BY, DASHED):
        found = pattern.match(title.after)
        if not found or not (names := trimmed(found["names"])):
            continue
        years = [value for key, value in found.groupdict().items() if key[0] == "y" and value]
        if not years and pattern is DASHED:
            continue
        if not years and (year := re.search(rf"\bin\s({YEAR}),?\s[^.]*$", title.before, re.I)):
            years = [year[1]]
        end = title.end + found.start("names") + len(found["names"])
        if found.groupdict().get("y1"):
            end = title.end + len(found[0].rstrip(" ,.;:"))
        return _made(title, title.start, end, names, years[0] if years else "")
    return None


def _led(title: _Title) -> Found | None:
    """`Li and Xu (2019), "Title"`, `a study by J. Li titled "Title" (2019)`."""
    for found in reversed(list(IS_NAMES.finditer(title.before))):
        lead = LEAD.fullmatch(title.before, found.end())
        names = trimmed(found[0])
        if lead is None or not names:
            continue
        phrase = lead["phrase"].strip()
        if (phrase and not PHRASE.search(phrase)) or not (phrase or lead["year"]):
            continue
        # One capitalised word alone, some words before the title, is more often a thing.
        if not lead["year"] and not SEVERAL.search(names) and len(phrase.split()) > 1:
            continue
        year, end = lead["year"] or "", title.end
        if not year and (
            there := re.search(rf"\bin\s({YEAR}),?\s$", title.before[: found.start()], re.I)
        ):
            year = there[1]
        if not year and (near := YEAR_NEAR.match(title.after)):
            year, end = near["y1"], title.end + near.end()
        if not year and not is_title_case(title.text):
            continue
        at = found.start() + found[0].rfind(names)
        return _made(title, title.start - len(title.before) + at, end, names, year)
    return None


def _listed(title: _Title) -> Found | None:
    """`J. Li and B. Xu, "Title," Venue, 2019`."""
    if not re.search(r"[,.:]\s{0,2}$", title.before):
        return None
    at, names = last_names(title.before.rstrip(" ,:"))
    after = YEAR_AFTER.match(title.after.partition("\n")[0])
    if not names or after is None:
        return None
    begin = title.start - len(title.before) + at
    found = _made(title, begin, title.end + after.end(), names, after["y1"])
    venue = after["venue"].strip(" ,.").removeprefix("in ").removeprefix("In ")
    return replace(found, citation=replace(found.citation, venue=venue)) if venue else found


def _cued(title: _Title) -> Found | None:
    """A title that is said to be one: `the paper "Title" (2017)`."""
    after = re.match(rf"\s?\((?P<y1>{YEAR})\)", title.after)
    cue = CUE.search(title.before)
    words = len(title.text.split())
    if not (cue or (after and title.strong)) or words < 3 or not is_title_case(title.text):
        return None
    near = after or re.search(rf"([^.\n]{{0,120}}?)\b(?P<y1>{YEAR})\b", title.after)
    people = re.search(rf"(?P<names>{NAMES})\s?\((?P<year>{YEAR})\)[^.\n]*$", title.before)
    if people and trimmed(people["names"]):
        begin = title.start - len(title.before) + people.start()
        return _made(title, begin, title.end, trimmed(people["names"]), people["year"])
    end = title.end + (near.end() if near is after and near else 0)
    return _made(title, title.start, end, "", near["y1"] if near else "")


def _made(title: _Title, start: int, end: int, names: str, year: str) -> Found:
    return Found(start, end, Citation(title=title.text, authors=names, year=year))
