r"""What a response is made of: prose, headings, list items, tables, quotes, code and formulas.

Blocks are found by markdown-it-py (CommonMark with tables), with the rules switched off that read
chat text wrongly: indented code, headings by underlining, raw HTML and link definitions would all
make words vanish. Every block keeps the exact place it stands at in the response.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from verifier.words import LONGEST, Span, sentences

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LINE = re.compile(r"\r\n?|\n")

WRAPPED = 60
"""Characters of a line from which on its end is taken for a wrapped line, not for a border."""

FORMULA = re.compile(r"\s*(?:\$\$.*\$\$|\\\[.*\\\]|\\begin\{(\w+\*?)\}.*\\end\{\1\})\s*", re.DOTALL)

MARKER = re.compile(r"(?:[\u2022\u25cf\u25aa\u2043\u2013*+-]|\(?\d{1,3}[.)])\s+")
"""Begins a line of a list, also where Markdown sees none."""

ABBREVIATION = re.compile(
    r"\b(?:approx|ca?|circa|est|fig|figs|max|min|no|nos|nr|p|pp|par|sec|temp|vol|vols)\.$",
    re.IGNORECASE,
)
"""Ends no sentence where a number follows."""

LINK = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*\)")
MARKS = re.compile(r"(\*{1,3}|_{1,3}|~~|`)(?=\S)(.+?)(?<=\S)\1(?!\w)")
"""Emphasis and inline code; what is marked is kept."""


class BlockKind(StrEnum):
    """What a block of a response is."""

    PROSE = "prose"
    HEADING = "heading"
    ITEM = "item"
    """An item of a list."""
    TABLE = "table"
    """One row of a table below its header."""
    QUOTE = "quote"
    CODE = "code"
    MATH = "math"
    """A displayed formula."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block and where it stands; `start` and `end` are half-open offsets into the response."""

    kind: BlockKind
    start: int
    end: int
    text: str
    """Its words, as long as its span: marks of lists and quotes inside it are blanks. For a row
    of a table, a line such as `Lyon: country France; people 520,000`; for code, the code alone."""
    info: str = ""
    """The language that a fence names."""
    heading: str = ""
    """The heading it stands under."""
    lead: str = ""
    """The line that introduces the list or table it belongs to."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, an item or a row: the least that is asked about, and what it stands under."""

    kind: BlockKind
    span: Span
    """Its place, and its words without marks."""
    block: int = 0
    """Number of the block that it was cut from."""
    heading: str = ""
    lead: str = ""


def blocks(text: str) -> tuple[Block, ...]:
    r"""The blocks of a Markdown text, in order. Plain text is one block of prose a paragraph.

    >>> [(one.kind.value, one.text) for one in blocks("# Fish\nCod swim.\n- It is **old**.")]
    [('heading', 'Fish'), ('prose', 'Cod swim.'), ('item', 'It is **old**.')]
    """
    return tuple(_Walker(text).walk())


def pieces(text: str, language: str = "en") -> list[Piece]:
    """Sentences, items, rows, code and formulas; headings only where they state something.

    >>> [one.span.text for one in pieces("Dr. Li left. See **p. 3** of it.")]
    ['Dr. Li left.', 'See p. 3 of it.']
    """
    found = []
    for number, block in enumerate(blocks(text)):
        if block.kind is BlockKind.HEADING and not block.text.rstrip().endswith((".", "!")):
            continue
        for span in _spans(block, language):
            found.append(Piece(block.kind, span, number, block.heading, block.lead))
    return found


def plain(text: str) -> str:
    """Text without emphasis marks, inline code marks and addresses of links.

    >>> plain("**Lyon** is [big](https://a.b) and `old`, 2 * 3 * 4")
    'Lyon is big and old, 2 * 3 * 4'
    """
    return MARKS.sub(r"\2", LINK.sub(r"\1", text)) if len(text) < 4000 else text


def _spans(block: Block, language: str) -> Iterator[Span]:
    """What a block is cut into; the offsets index the response."""
    if block.kind in (BlockKind.CODE, BlockKind.MATH, BlockKind.TABLE):
        yield Span(block.start, block.end, block.text)
        return
    for start, end in _lines(block.text):
        for one in _joined(sentences(block.text[start:end], language)):
            at = block.start + start
            yield Span(at + one.start, at + one.end, plain(_one_line(one.text)))


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Sentences, with those put together that a splitter cut after an abbreviation or a number."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        torn = last is not None and (
            span.text[0].islower()
            or (span.text[0].isdigit() and ABBREVIATION.search(last.text))
            or not any(one.isalpha() for one in last.text)
        )
        if last is not None and torn and span.end - last.start <= LONGEST:
            gap = " " * (span.start - last.end)
            joined[-1] = Span(last.start, span.end, f"{last.text}{gap}{span.text}")
        else:
            joined.append(span)
    return joined


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Ranges of a block between line ends that are borders.

    A line end is one if the line is short or finished, or if the next begins like an item.
    """
    start = begin = 0
    for found in LINE.finditer(text):
        line = text[begin : found.start()]
        rest = text[found.end() : found.end() + WRAPPED].lstrip()
        wrapped = len(line) >= WRAPPED or rest[:1].islower()
        if (not wrapped and line.strip()) or MARKER.match(rest):
            yield start, found.start()
            start = found.end()
        begin = found.end()
    yield start, len(text)


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Walker:
    """Goes through the tokens of a text and tells where each block stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        ends = [(one.start(), one.end()) for one in LINE.finditer(text)]
        self._lines = list(
            zip([0, *(end for _, end in ends)], [*(at for at, _ in ends), len(text)], strict=True)
        )
        self._heading = self._lead = ""
        self._inside: list[str] = []
        """Kinds of the containers around the current token."""
        self._header: list[str] = []
        self._row: list[str] = []

    def walk(self) -> Iterator[Block]:
        """All blocks with something in them."""
        tokens = _parser().parse(self._text)
        yield from sorted([*self._read(tokens), *self._unread(tokens)], key=lambda one: one.start)

    def _unread(self, tokens: "Sequence[Token]") -> Iterator[Block]:
        """Lines that the parser gave up on, such as those nested too deeply, as prose."""
        read: set[int] = set()
        for token in tokens:
            if token.map and token.type in ("inline", "fence", "table_open", "hr"):
                read.update(range(*token.map))
        for number, (start, end) in enumerate(self._lines):
            line = self._text[start:end]
            if number not in read and any(one.isalnum() for one in line):
                yield Block(BlockKind.PROSE, start, end, line)

    def _read(self, tokens: "Sequence[Token]") -> Iterator[Block]:
        for token in tokens:
            if token.nesting:
                self._step(token)
                if token.type == "tr_close":
                    yield from self._table_row()
                elif token.type == "tr_open" and token.map:
                    self._at = token.map[0]
            elif token.type == "fence":
                yield from self._fence(token)
            elif token.type == "inline" and token.content.strip():
                if "table" in self._inside:
                    self._row.append(plain(token.content))
                else:
                    yield self._inline(token)

    def _step(self, token: "Token") -> None:
        name = token.type.removesuffix("_open").removesuffix("_close")
        if token.nesting > 0:
            self._inside.append(name)
            if name == "tr":
                self._row = []
            if name == "table":
                self._header = []
        else:
            self._inside.pop()

    def _inline(self, token: "Token") -> Block:
        start, end, text = self._place(token)
        kind = self._kind(text)
        if kind is BlockKind.HEADING:
            self._heading, self._lead = plain(text), ""
            return Block(kind, start, end, text)
        lead = self._lead if kind is BlockKind.ITEM else ""
        if kind is BlockKind.PROSE:
            self._lead = plain(_one_line(text)[-200:]) if text.rstrip().endswith(":") else ""
        return Block(kind, start, end, text, heading=self._heading, lead=lead)

    def _kind(self, text: str) -> BlockKind:
        if "heading" in self._inside:
            return BlockKind.HEADING
        if FORMULA.fullmatch(text):
            return BlockKind.MATH
        for name in reversed(self._inside):
            if name in ("list_item", "blockquote"):
                return BlockKind.ITEM if name == "list_item" else BlockKind.QUOTE
        return BlockKind.PROSE

    def _place(self, token: "Token") -> tuple[int, int, str]:
        """Span of an inline token, and its words with blanks for the marks between its lines."""
        first, _ = token.map or [0, 0]
        contents = token.content.split("\n")
        begins, ends = [], []
        for number, content in enumerate(contents):
            start, end = self._lines[first + number]
            at = self._text.rfind(content, start, end) if content else end
            # The parser may have changed what it does not keep, such as a NUL: take the line.
            begins.append(at if at >= 0 else start)
            ends.append(begins[-1] + len(content) if at >= 0 else end)
        parts = [self._text[begins[0] : ends[0]]]
        for n in range(1, len(contents)):
            gap = self._text[ends[n - 1] : begins[n]]
            parts.append("".join(one if one in "\r\n" else " " for one in gap))
            parts.append(self._text[begins[n] : ends[n]])
        return begins[0], ends[-1], "".join(parts)

    def _fence(self, token: "Token") -> Iterator[Block]:
        first, last = token.map or [0, 0]
        closed = last - first >= 2 + len(token.content.splitlines())
        inside = range(first + 1, last - 1 if closed else last)
        if not (inside and token.content.strip()):
            return
        start, end = self._lines[inside[0]][0], self._lines[inside[-1]][1]
        kind = BlockKind.MATH if token.info.strip() in ("math", "latex") else BlockKind.CODE
        info = token.info.strip().split(" ")[0].lower()
        yield Block(kind, start, end, token.content, info, self._heading)

    def _table_row(self) -> Iterator[Block]:
        if not self._header:
            self._header = self._row
            return
        start, end = self._lines[self._at]
        line = self._text[start:end]
        start, end = start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        names = [*self._header, *[""] * len(self._row)]
        cells = [
            f"{name} {cell}".strip() for name, cell in zip(names[1:], self._row[1:], strict=False)
        ]
        text = f"{self._row[0] if self._row else ''}: {'; '.join(cells)}"
        if self._row:
            yield Block(BlockKind.TABLE, start, end, text, "", self._heading, self._lead)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    off = ["code", "lheading", "html_block", "reference"]
    return MarkdownIt("commonmark", {"maxNesting": 20}).enable("table").disable(off)
