"""Writes down the text of an HTML tree: blocks as lines, tables as rows, under its headings."""

import re

from selectolax.lexbor import LexborNode

from corpora.document import Section

INFOBOX = "Infobox"
"""Heading of the section for what boxes beside a page say; `corpora.wikitext` has the same."""

HEADINGS = {f"h{level}": level for level in range(1, 7)}

BLOCKS = (
    frozenset(("p", "div", "section", "article", "main", "header", "footer", "aside", "figure"))
    | {"ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "center", "address", "details"}
    | {"summary", "form", "fieldset", "hr", "caption", "figcaption", "tr", "td", "th", "body"}
)

BOXES = re.compile(r"\b(?:infobox|biota|taxobox)\b")
SPACES = re.compile(r"[ \t\r\n\f]+")
RAISED = re.compile(r"[+−-]?\d[\d.,]*")
FRACTION = re.compile(r"(?:(?<=\d)\^|(?<=\d) |\b)(\d+)\s*⁄\s*(\d+)")
LINE_ENDS = re.compile(r"(.)\n")
BEFORE_MARK = re.compile(r" (?=[,.;:)](?:\s|$))")
EMPTY = re.compile(r"\([\s,;:/]+\)")

LONG = 1000
"""Characters of a row whose cells are columns of text, not values; they are written one by one."""

DEEPEST = 120
"""Elements in one another that are told apart; deeper ones are read as one text."""

LINE = "\n"
RULED = "|-–;. "

SIGNS = str.maketrans(
    {
        **dict.fromkeys("\t\xa0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\xad", ""),
    }
)


def tidy(text: str) -> str:
    r"""One kind of space, no unseen signs, no empty brackets and lines; lines stay lines.

    >>> tidy("1,642\xa0m  ( ) deep .\n\n |\nOld")
    '1,642 m deep.\nOld'
    """
    text = FRACTION.sub(_fraction, text.translate(SIGNS))
    text = re.sub("  +", " ", EMPTY.sub("", text))
    lines = (BEFORE_MARK.sub("", line.strip()) for line in text.split(LINE))
    return LINE.join(line for line in lines if line.strip(RULED))


def _fraction(found: re.Match[str]) -> str:
    whole = found.start() and found.string[found.start() - 1].isdigit()
    return f"{' ' if whole else ''}{found[1]}/{found[2]}"


def _joined(found: re.Match[str]) -> str:
    """The end of a line in a cell."""
    return f"{found[1]} " if found[1] in ",;:.!?" else f"{found[1]}, "


class Writer:
    """Collects the text of a page.

    Args:
        titles: Headings of the first level that only repeat the title of the page.
    """

    def __init__(self, titles: set[str]) -> None:
        self._titles = titles
        self._above: list[tuple[int, str]] = []
        self._done: list[tuple[str, str]] = []
        self._box: list[str] = []
        self._text: list[str] = []
        self._held = 0  # Above 0 within a cell, where a heading begins no section.

    def sections(self) -> tuple[Section, ...]:
        """What was written, in the order of the page; the boxes behind the lead."""
        self._close()
        box = tidy(LINE.join(self._box))
        lead = [Section(text, heading) for heading, text in self._done if not heading]
        rest = [Section(text, heading) for heading, text in self._done if heading]
        return (*lead, *([Section(box, INFOBOX)] if box else []), *rest)

    def write(self, node: LexborNode, depth: int = 0) -> None:
        """Write down everything in an element."""
        child = node.first_child
        while child is not None:
            tag = child.tag
            if tag == "-text":
                self._text.append(SPACES.sub(" ", child.text_content or ""))
            elif tag and not tag.startswith("-"):
                self._element(child, tag, depth)
            child = child.next

    def _element(self, node: LexborNode, tag: str, depth: int) -> None:
        if depth >= DEEPEST:
            self._text.append(SPACES.sub(" ", node.text(separator=" ")))
        elif tag in HEADINGS and not self._held:
            self._heading(node, HEADINGS[tag], depth)
        elif tag == "table":
            self._table(node, depth)
        elif tag == "br":
            self._text.append(LINE)
        elif tag == "pre":
            self._text += (LINE, node.text(), LINE)
        elif tag in ("sup", "sub"):
            self._shifted(node, "^" if tag == "sup" else "_", depth)
        elif tag in BLOCKS or tag in HEADINGS:
            self._text.append(LINE)
            self.write(node, depth + 1)
            self._text.append(LINE)
        else:
            self.write(node, depth + 1)

    def _inner(self, node: LexborNode, depth: int) -> str:
        """The text of an element by itself."""
        outside, self._text = self._text, []
        self._held += 1
        self.write(node, depth + 1)
        self._held -= 1
        text, self._text = "".join(self._text), outside
        return text

    def _heading(self, node: LexborNode, level: int, depth: int) -> None:
        name = " ".join(tidy(self._inner(node, depth)).split())
        self._close()
        if level == 1 and (name in self._titles or not (self._above or self._done)):
            self._above = []
        elif name:
            self._above = [one for one in self._above if one[0] < level] + [(level, name)]

    def _close(self) -> None:
        """End a section."""
        if text := tidy("".join(self._text)):
            self._done.append((" > ".join(name for _, name in self._above), text))
        self._text = []

    def _shifted(self, node: LexborNode, sign: str, depth: int) -> None:
        """Raised or lowered text: numbers must not run into the number before them."""
        text = self._inner(node, depth).strip()
        before = next((one for one in reversed(self._text) if one), " ")[-1]
        apart = before.isdigit() if sign == "_" else before.isalnum() or before in ")]"
        self._text.append(f"{sign}{text}" if apart and RAISED.fullmatch(text) else text)

    def _table(self, node: LexborNode, depth: int) -> None:
        is_box = bool(BOXES.search(node.attributes.get("class") or ""))
        if not (is_box or self._held) and node.css_first(", ".join(HEADINGS)):
            self.write(node, depth + 1)  # It places sections side by side on the page.
            return
        lines: list[str] = []
        for row in _rows(node):
            if row.tag == "tr":
                lines.append(self._row(row, is_box, depth))
            else:  # A caption.
                lines.append(self._inner(row, depth))
        if is_box:
            self._box += lines
        else:
            self._text += (LINE, LINE.join(lines), LINE)

    def _row(self, row: LexborNode, is_box: bool, depth: int) -> str:
        cells: list[tuple[str, str]] = []
        child = row.first_child
        while child is not None:
            if (tag := child.tag) in ("td", "th") and (text := tidy(self._inner(child, depth))):
                cells.append((str(tag), text))
            child = child.next
        if len(cells) == 1:  # A table that only places things on the page.
            return cells[0][1]
        if sum(len(text) for _, text in cells) > LONG:
            return LINE.join(text for _, text in cells)
        texts = [LINE_ENDS.sub(_joined, text) for _, text in cells]
        if is_box and [tag for tag, _ in cells] in (["th", "td"], ["td", "td"]):
            return f"{texts[0].rstrip(':')}: {texts[1]}"
        return " | ".join(texts)


def _rows(table: LexborNode) -> list[LexborNode]:
    """Rows and captions of a table, without those of tables in it."""
    found: list[LexborNode] = []
    child = table.first_child
    while child is not None:
        if child.tag in ("tr", "caption"):
            found.append(child)
        elif child.tag in ("tbody", "thead", "tfoot"):
            found += _rows(child)
        child = child.next
    return found
