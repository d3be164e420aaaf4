"""A second rendering of wikitext: pandoc for the markup, and plain splitting for templates.

Nothing of our reader is used here, so that what it loses cannot be lost on both sides. Which
templates are no part of the article's text is decided by a list of its own.
"""

import json
import re
from calendar import month_name
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

DEPTH = 6
"""Templates inside templates are followed so deep."""

NOT_TEXT = re.compile(
    r"v?cite|citation|citeer|sfn|harv|efn|refn|ref\b|r$|rp$|note|reflist|references?\b|bron"
    r"|navbox|portal|commons|wiki(?:quote|source|news|voyage)|wiktionary|sister|authority"
    r"|short desc|defaultsort|displaytitle|use |engvar|pp-|featured|good article|link [fg]a"
    r"|dead link|wayback|webarchive|coord|main$|main article|see also|further|about|for$"
    r"|other ?uses|distinguish|hatnote|redirect|details|isbn|issn|oclc|doi|pmid|pmc|bibcode"
    r"|arxiv|imdb|official|url|respell|find a grave|persondata|legend|location map|superimpose"
    r"|flagicon|fbicon|s-|succession|ipac?\b|multiple issues|unreferenced|refimprove"
    r"|more citations|cleanup|failed verif|clarify|who$|cn$|when$|which$|where$|by whom|update"
    r"|fact$|div col|col-|end$|clear|anchor|toc|audio|listen|user |#invoke|#tag|ntsh|hs$"
    r"|subst:|r:|inflation-|.* stub$|.*-stub$|.*needed$|.*sidebar$|.*-inline$"
)
"""Names of templates for notes, sources, navigation and notices, in lower case."""

LITERAL: Mapping[str, Callable[[Any], Iterator[tuple[str, str]]]] = {
    "Str": lambda content: iter([("text", content)]),
    **dict.fromkeys(("RawInline", "RawBlock"), lambda content: iter([("raw", content[1])])),
    **dict.fromkeys(("Code", "CodeBlock", "Math"), lambda content: iter([("text", content[1])])),
}
BEFORE = {"Superscript": "^"}
WITHIN_WORDS = frozenset(
    ("Str", "Emph", "Strong", "Superscript", "Subscript", "Strikeout", "Span", "Quoted")
)

NOT_SHOWN = re.compile(
    r".*(?:image|img|photo|file|filename|logo|flag|signature|picture|size|width|height_px|align|style"
    r"|colou?r|class|upright|alt|zoom|format|lang|type|link|refs?|footnotes?|url|website|homepage"
    r"|display|scale)\d*|map.*|pushpin.*|coordinates_.*|bg.*|embed|child|df|mf|ref\w*|pattern_.*"
    r"|(?:left|right)arm\d*|body\d*|shorts\d*|socks\d*|access-?date|archive-?(?:url|date)|nocat|state"
    r"|categor(?:y|ies)|collapsed?|sort|sortkey|sigfig|abbr|adj|disp|order|round|sp|lk|debug|\d*px"
)
"""Names of values that set how something looks or where it is found."""

FILE_OR_SIZE = re.compile(
    r"\d+(?:\.\d+)?\s*(?:px|em)|x\d+px|#[0-9a-f]{3,8}|\S*://\S+"
    r"|[^\n]+\.(?:jpe?g|png|svg|gif|tiff?|webp|og[gav]|webm|mp3|pdf|stl)",
    re.IGNORECASE,
)


HIDDEN_TARGET = re.compile(
    r"(?:category|categorie|kategorija):|(?!https?:|mailto:|ftp:)[a-z-]{2,12}:", re.I
)
ADDRESS = re.compile(r"https?:|mailto:|ftp:", re.I)
GALLERY = re.compile(r"<gallery[^<>]*>(.*?)</gallery\s*>", re.IGNORECASE | re.DOTALL)
CHART = re.compile(
    r"<(timeline|score|graph|templatestyles)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL
)
UNREAD = re.compile(
    r"\{\{\s*#\w+:[^{}]*|\|?\s*x?\d+(?:x\d+)?\s*px\b\|?|\|\s*[\w ]*\w+\s*=|\b[a-z]+=\"[^\"]*\""
    r"|\b[a-z]+=\d+%?(?=[\s|])",
)
"""Markup that pandoc shows as text: functions, sizes of pictures, attributes of broken tables."""
NOTE = re.compile(r"<!--.*?-->|<ref[^<>]*/>|<ref.*?</ref\s*>|</ref>", re.IGNORECASE | re.DOTALL)


class Unreadable(Exception):  # noqa: N818 - what the page is
    """Pandoc cannot read a page; says why."""


def visible(wikitext: str, title: str) -> str:
    """What a reader sees of a page, as far as its numbers are concerned.

    Args:
        wikitext: The page.
        title: For templates that show it.

    Raises:
        Unreadable: Pandoc gives up.
        FileNotFoundError: There is no pandoc.
    """
    shown: list[str] = []
    # Pandoc stops at notes that hold lists or are not closed; no note is text of the article.
    todo = [GALLERY.sub(_captions, CHART.sub("", NOTE.sub("", wikitext)))]
    for _ in range(DEPTH):
        if not todo:
            break
        words, templates = _by_pandoc("\n\n".join(todo))
        shown.append(words)
        todo = [value for one in templates for value in _values(one)]
    return UNREAD.sub(" ", "\n".join(shown)).replace("{{PAGENAME}}", title)


def _captions(gallery: re.Match[str]) -> str:
    """Pandoc shows the names of a gallery's files; a page shows the captions only."""
    return "\n\n".join(line.partition("|")[2] for line in gallery[1].split("\n"))


def _by_pandoc(wikitext: str) -> tuple[str, list[str]]:
    """The text pandoc shows, and the templates it leaves as they are."""
    import pypandoc

    try:
        tree = json.loads(pypandoc.convert_text(wikitext, "json", format="mediawiki"))
    except OSError as error:
        raise FileNotFoundError(str(error)) from error
    except RuntimeError as error:
        raise Unreadable(" ".join(str(error).split())[:200]) from error
    words: list[str] = []
    templates: list[str] = []
    for kind, content in _leaves(tree["blocks"]):
        if kind == "raw":
            templates += [content] if content.startswith("{{") else []
        else:
            words.append(content)
    return "".join(words), templates


def _leaves(node: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - pandoc's JSON
    """Texts and raw pieces in order; notes, targets of links and attributes left out."""
    if isinstance(node, list):
        for one in node:
            yield from _leaves(one)
    elif isinstance(node, dict) and not _is_hidden(node):
        kind, content = str(node.get("t")), node.get("c")
        if kind in LITERAL:
            yield from LITERAL[kind](content)
        elif isinstance(content, list):
            yield "text", BEFORE.get(kind, "")
            yield from _leaves(content)
        if kind not in WITHIN_WORDS:
            yield "text", "\n"


def _is_hidden(node: Any) -> bool:  # noqa: ANN401 - pandoc's JSON
    """Whether this is a note, a picture without a caption, or a link that shows nothing.

    Of a link that pandoc gave a number or its own address as words, nothing is shown either; and
    in the place of a caption that is not there pandoc puts the file's name.
    """
    kind, content = node.get("t"), node.get("c")
    if kind == "Link":
        words, target = _words(content[1]), content[2][0]
        if HIDDEN_TARGET.match(target):
            return True
        return ADDRESS.match(target) is not None and (words == target or words.isdecimal())
    if kind in ("Image", "Figure"):
        names = re.findall(r"\['([^']+\.\w{3,4})', '", str(node))
        shown = _words(content[1])
        return not shown or shown.replace(" ", "_") in {name.replace(" ", "_") for name in names}
    return bool(kind == "Note")


def _words(node: Any) -> str:  # noqa: ANN401 - pandoc's JSON
    return "".join(text for _, text in _leaves(node)).strip()


def _values(template: str) -> Iterator[str]:
    """Wikitext of the values of a template that its reader sees."""
    name, *parts = _split(template[2:-2])
    known = " ".join(name.replace("_", " ").lower().split())
    if NOT_TEXT.match(known):
        return
    if known.startswith("formatnum:"):
        yield known.partition(":")[2]
        return
    if known in ("age", "age in years") or known.startswith("#expr"):
        return  # What is shown is worked out of the values.
    if known.startswith("#") or known.startswith("convert") or known == "cvt":
        parts = parts[:1]
    if len(parts) == 1 and re.fullmatch(r"\s*date\s*=.*", parts[0]):
        return  # A notice to editors, and since when it stands there.
    values = [value for value in map(_value, parts) if value]
    if known.startswith(("death date and age", "death-date and age", "dda")):
        values = values[:3]  # The day of birth is only the base of the age.
    if re.search(r"\bdate|^age|^dts$|^as of$|^bda|^dda", known):
        values = list(_months(values))
    yield from values


def _value(part: str) -> str:
    field, equals, value = part.partition("=")
    named = equals and re.fullmatch(r"[\w \-./()']*", field.strip())
    if not named:
        return "" if FILE_OR_SIZE.fullmatch(part.strip()) else part
    if NOT_SHOWN.fullmatch(field.strip().lower()) or FILE_OR_SIZE.fullmatch(value.strip()):
        return ""
    return value


def _months(values: Sequence[str]) -> Iterator[str]:
    """A number behind a year is a month there, and shown by its name."""
    year = False
    for value in values:
        number = value.strip()
        if year and number.isdecimal() and 1 <= int(number) <= 12:
            yield month_name[int(number)]
        else:
            yield value
        year = bool(re.fullmatch(r"\d{4}", number))


def _split(inside: str) -> list[str]:
    """The parts of a template between its outermost bars."""
    parts, depth, start = [], 0, 0
    for found in re.finditer(
        r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}(?!\})|<nowiki>.*?</nowiki>|\|", inside, re.S
    ):
        sign = found[0]
        if sign == "|" and not depth:
            parts.append(inside[start : found.start()])
            start = found.end()
        elif sign in ("{{", "[[", "{|"):
            depth += 1
        elif sign in ("}}", "]]", "|}"):
            depth -= 1
    return [*parts, inside[start:]]
