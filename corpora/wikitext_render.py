"""Renders the tokens of mwparserfromhell as plain text, in one pass.

Templates are handed to `corpora.templates`. Three control characters, which wikitext cannot hold,
mark headings and boxes for `corpora.wikitext` to take apart.
"""

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mwparserfromhell import parser
from mwparserfromhell.parser import tokens
from mwparserfromhell.parser.tokenizer import Tokenizer

from corpora import templates
from corpora.template_call import Arguments, Page
from corpora.template_call import key as key_of

HEADING = "\x1e"

SKIPPED_TAGS = frozenset(
    ("ref", "references", "templatestyles", "timeline", "score", "graph", "mapframe", "maplink")
) | {"style", "script", "includeonly", "imagemap", "section", "inputbox", "categorytree"}

BLOCKS = frozenset(("p", "div", "blockquote", "center", "ul", "ol", "dl", "pre", "poem", "hr"))

OPTIONS = re.compile(
    r"(?:thumb|thumbnail|frame|framed|frameless|border|right|left|center|none|upright|baseline|middle"
    r"|sub|super|top|text-top|bottom|text-bottom|\d*(?:x\d+)?\s*px)"
    r"|(?:thumb|upright|link|alt|lang|page|class|start|end|thumbtime)\s*=.*",
    re.IGNORECASE | re.DOTALL,
)
"""What stands in a link to a file and is not its caption."""

LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)*")
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
POWER = re.compile(r"[−-]?\d+")


@dataclass(frozen=True, slots=True)
class Links:
    """Names of namespaces whose links show no text, or only a caption; in lower case."""

    files: frozenset[str] = frozenset(("file", "image", "media"))
    hidden: frozenset[str] = frozenset(("category",))


Token = Any
"""mwparserfromhell has no types for its tokens."""


def render(text: str, page: Page, links: Links) -> str:
    """Plain text of wikitext, by the tokens of all its markup.

    Args:
        text: Without footnotes and comments, and without control characters.
        page: Where it stands.
        links: Names of the wiki's namespaces.

    Returns:
        Text with `HEADING level title HEADING` for headings and BOX_START, BOX_END around boxes.
    """
    return _Renderer(_tokens(text), page, links).all()


def _tokens(text: str) -> list[Token]:
    """All tokens; marks of bold and italics stay text."""
    fast: Any = parser  # Its tokenizer in C is not there on every platform.
    made: Any = fast.CTokenizer if fast.use_c else Tokenizer
    return list(made().tokenize(text, 0, True))


def link_text(target: str, label: str | None, links: Links) -> str:
    r"""What a link shows.

    >>> link_text("Lake Baikal", None, Links()), link_text("File:a.jpg", "thumb|A lake", Links())
    ('Lake Baikal', '\nA lake\n')
    >>> link_text("Category:Lakes", None, Links()), link_text("de:Baikalsee", None, Links())
    ('', '')
    """
    name = target.strip()
    space = name.partition(":")[0].strip().lower() if ":" in name else ""
    if space in links.files:
        return _caption(label or "")
    if space in links.hidden or (space and label is None and LANGUAGE.fullmatch(space)):
        return ""
    return name.removeprefix(":").replace("_", " ") if label is None else label


class _Renderer:
    """A position in a list of tokens."""

    def __init__(
        self,
        stream: list[Token],
        page: Page,
        links: Links,
    ) -> None:
        self._tokens = stream
        self._at = 0
        self._page = page
        self._links = links

    def all(self) -> str:
        """Everything to the end."""
        return self._until(_NOTHING)[0]

    def _until(self, stops: frozenset[type]) -> tuple[str, type | None]:
        """The text up to a token of one of these classes, and that class; stands behind it then."""
        stream, text = self._tokens, tokens.Text
        at = self._at
        # Names and most values are a single token of text.
        if at + 1 < len(stream) and type(stream[at]) is text and type(stream[at + 1]) in stops:
            self._at = at + 2
            return stream[at]["text"], type(stream[at + 1])
        pieces: list[str] = []
        while self._at < len(stream):
            token = stream[self._at]
            self._at += 1
            kind = type(token)
            if kind is text:
                pieces.append(token["text"])
            elif kind in stops:
                return "".join(pieces), kind
            elif kind in _RENDER:
                pieces.append(_RENDER[kind](self, token))
        return "".join(pieces), None

    def _skip(self, opening: type, closing: type) -> None:
        """Go behind the close of what is open, whatever is in it."""
        depth = 1
        while depth and self._at < len(self._tokens):
            kind = type(self._tokens[self._at])
            depth += (kind is opening) - (kind is closing)
            self._at += 1

    def _template(self, _: Token) -> str:
        name, stop = self._until(_AFTER_NAME)
        key = key_of(name)
        if stop is not tokens.TemplateClose and templates.shows_nothing(key):
            self._skip(tokens.TemplateOpen, tokens.TemplateClose)
            return ""
        listed: list[str] = []
        named: dict[str, str] = {}
        while stop not in (tokens.TemplateClose, None):
            value, stop = self._until(_AFTER_PARAMETER)
            if stop is tokens.TemplateParamEquals:
                field, (value, stop) = value.strip(), self._until(_AFTER_VALUE)
                named[field] = value.strip()
            else:
                listed.append(value)
        return templates.show(name, key, Arguments(listed, named), self._page)

    def _argument(self, _: Token) -> str:
        _, stop = self._until(_AFTER_ARGUMENT)
        default = ""
        while stop not in (tokens.ArgumentClose, None):
            default, stop = self._until(_AFTER_ARGUMENT)
        return default

    def _link(self, _: Token) -> str:
        target, stop = self._until(_AFTER_TARGET)
        label = self._until(_LINK_END)[0] if stop is tokens.WikilinkSeparator else None
        return link_text(target, label, self._links)

    def _external(self, _: Token) -> str:
        _, stop = self._until(_AFTER_URL)
        return self._until(_URL_END)[0] if stop is tokens.ExternalLinkSeparator else ""

    def _entity(self, _: Token) -> str:
        sign, kind = "", None
        while self._at < len(self._tokens) and kind is not tokens.HTMLEntityEnd:
            token = self._tokens[self._at]
            kind = type(token)
            if kind is tokens.HTMLEntityNumeric:
                sign += "#"
            elif kind is tokens.HTMLEntityHex:
                sign += token.char
            elif kind is tokens.Text:
                sign += token["text"]
            self._at += 1
        return html.unescape(f"&{sign};")

    def _heading(self, token: Token) -> str:
        heading = self._until(_HEADING_END)[0].strip().replace("\n", " ")
        return f"{HEADING}{token.level}{heading}{HEADING}"

    def _comment(self, _: Token) -> str:
        self._skip(tokens.CommentStart, tokens.CommentEnd)
        return ""

    def _attributes(self) -> tuple[str, type | None]:
        """The words in the attributes of a tag, and the class of the token that ends them."""
        words: list[str] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if type(token) is tokens.Text:
                words.append(token["text"])
            elif type(token) in _TAG_OPENED:
                return "".join(words), type(token)
        return "".join(words), None

    def _tag(self, token: Token) -> str:
        name, stop = self._until(_AFTER_TAG)
        name = name.strip().lower()
        hidden = False
        if stop is tokens.TagAttrStart:
            attributes, stop = self._attributes()
            hidden = bool(HIDDEN.search(attributes)) or "sortkey" in attributes
        if stop is tokens.TagCloseSelfclose:
            return _single(name, getattr(token, "wiki_markup", "") or "")
        if name in SKIPPED_TAGS or hidden:
            self._skip(tokens.TagOpenOpen, tokens.TagCloseClose)
            return ""
        content, _ = self._until(_TAG_CLOSING)
        while self._at < len(self._tokens):
            self._at += 1
            if type(self._tokens[self._at - 1]) is tokens.TagCloseClose:
                break
        return _element(name, content)


def _single(name: str, markup: str) -> str:
    """A tag without content: list items in wikitext are such."""
    if name in ("br", "hr"):
        return "\n"
    if name == "dd" and markup == ":":
        return " "
    return ""


def _element(name: str, content: str) -> str:
    if shape := _ELEMENTS.get(name):
        return shape(content)
    return f"\n{content}\n" if name in BLOCKS else content


def _row(content: str) -> str:
    cells = (" ".join(cell.split()) for cell in content.split(_CELL)[1:])
    return "\n" + " | ".join(cell for cell in cells if cell) + "\n"


def _cell(content: str) -> str:
    if content.startswith(("+", "}")):
        return "\n" + content[1:].rpartition("|")[2] + "\n"
    content = content.strip()
    return _CELL + (_LINES.sub(", ", content) if "\n" in content else content)


def _table(content: str) -> str:
    """Its rows; cells before the first mark of a row are a row too."""
    return "\n" + _CELLS.sub(lambda found: _row(found[0]), content) + "\n"


def _gallery(content: str) -> str:
    captions = (line.partition("|")[2] for line in content.split("\n"))
    return "\n".join(["", *filter(None, captions), ""])


def _raised(content: str) -> str:
    return f"^{content}" if POWER.fullmatch(content) else content


def _caption(label: str) -> str:
    parts = [part.strip() for part in label.split("|")]
    kept = [part for part in parts if part and not OPTIONS.fullmatch(part)]
    return f"\n{kept[-1]}\n" if kept else ""


_CELL = "\x1f"
_LINES = re.compile(r"\s*\n\s*")
_CELLS = re.compile(f"(?:{_CELL}[^{_CELL}\\n]*)+")
_NOTHING: frozenset[type] = frozenset()
_AFTER_NAME = frozenset((tokens.TemplateParamSeparator, tokens.TemplateClose))
_AFTER_PARAMETER = _AFTER_NAME | {tokens.TemplateParamEquals}
_AFTER_VALUE = _AFTER_NAME
_AFTER_ARGUMENT = frozenset((tokens.ArgumentSeparator, tokens.ArgumentClose))
_AFTER_TARGET = frozenset((tokens.WikilinkSeparator, tokens.WikilinkClose))
_LINK_END = frozenset((tokens.WikilinkClose,))
_AFTER_URL = frozenset((tokens.ExternalLinkSeparator, tokens.ExternalLinkClose))
_URL_END = frozenset((tokens.ExternalLinkClose,))
_HEADING_END = frozenset((tokens.HeadingEnd,))
_TAG_OPENED = frozenset((tokens.TagCloseOpen, tokens.TagCloseSelfclose))
_AFTER_TAG = _TAG_OPENED | {tokens.TagAttrStart}
_TAG_CLOSING = frozenset((tokens.TagOpenClose,))
_RENDER: Mapping[type, Callable[[_Renderer, Token], str]] = {
    tokens.TemplateOpen: _Renderer._template,
    tokens.ArgumentOpen: _Renderer._argument,
    tokens.WikilinkOpen: _Renderer._link,
    tokens.ExternalLinkOpen: _Renderer._external,
    tokens.HTMLEntityStart: _Renderer._entity,
    tokens.HeadingStart: _Renderer._heading,
    tokens.CommentStart: _Renderer._comment,
    tokens.TagOpenOpen: _Renderer._tag,
}
_ELEMENTS: Mapping[str, Callable[[str], str]] = {
    "tr": _row,
    "td": _cell,
    "th": _cell,
    "table": _table,
    "gallery": _gallery,
    "sup": _raised,
    "li": lambda content: f"\n{content}\n",
}
