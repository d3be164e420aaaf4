"""HTML article -> plain text under its headings, with the numbers that a reader of the page sees.

lexbor (selectolax) parses. What nobody sees, and what is not of the article, is cut out by
selectors; the rest is written down by `corpora.html_text`.
"""

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from corpora.document import Section
from corpora.html_text import Writer, tidy

ROOTS = ("#mw-content-text", "#bodyContent", "main", "[role=main]", "body")
"""Where the article may stand on the page, the surest first."""

UNSEEN = (
    "script, style, noscript, template, head, iframe, object, canvas, svg, audio, video, select, "
    "textarea, button, input, [hidden], .mw-empty-elt, .geo-nondefault, .geo-multi-punct, .sortkey"
)

NO_TEXT = (
    # Of the page and not of the article.
    "nav, footer, .toc, #toc, .tocright, .mw-editsection, .mw-jump-link, .printfooter, .catlinks, "
    ".mw-indicators, .mw-portlet, .mw-dismissable-notice, #siteSub, #contentSub, #jump-to-nav, "
    ".zim-footer, "
    # Links to other pages.
    ".navbox, .vertical-navbox, .navbar, .navbox-styles, .sidebar:not(.infobox), .sistersitebox, "
    ".portalbox, .portal-bar, .authority-control, .interlanguage-link, .ambox, .noprint, "
    # Footnotes, their markers and remarks of editors.
    "ol.references, .reflist, .mw-references, .mw-references-wrap, .mw-cite-backlink, "
    "sup.reference, sup.mw-ref, sup[id^=cite_ref], .mw-reflink-text, a[href^='#cite_note'], "
    ".Inline-Template"
)

HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
DISPLAYSTYLE = re.compile(r"^\{\\(?:display|text)style\s*(.*)\}$", re.DOTALL)
EDITED = re.compile(r"\d{4}-\d\d-\d\d")
REVISION = re.compile(r"[?&]oldid=(\d+)")


@dataclass(frozen=True, slots=True)
class Article:
    """What a page says, and says of itself."""

    title: str
    """Of the page's head; empty if it has none."""
    sections: tuple[Section, ...]
    language: str = ""
    """As the page gives it, e.g. `en-GB`."""
    url: str = ""
    revision: str = ""
    date: str = ""
    """ISO date of the last edit."""


def sections(text: str, title: str = "") -> tuple[Section, ...]:
    """The text of a page, section by section; see `article`.

    >>> sections("<p>1,642&nbsp;m deep.<sup class='reference'>[1]</sup></p><h2>Age</h2>Old.")
    (Section(text='1,642 m deep.', heading=''), Section(text='Old.', heading='Age'))
    """
    return article(text, title).sections


def article(text: str, title: str = "") -> Article:
    """Read an HTML page.

    Navigation, footnotes, edit links and hidden elements are left out. Lists have an entry a line,
    tables a row a line ("cell | cell"). Boxes beside the text become "field: value" lines in a
    section `Infobox` behind the lead. Formulas are kept once, as TeX; `10<sup>6</sup>` is `10^6`.

    Args:
        text: HTML.
        title: Title of the page if it is known; the same heading is not repeated.

    >>> article("<table class=infobox><tr><th>Depth<td>1,642 m</table>").sections
    (Section(text='Depth: 1,642 m', heading='Infobox'),)
    """
    tree = LexborHTMLParser(text)
    head = tree.css_first("title")
    name = tidy(head.text()) if head else ""
    url, revision, date = _provenance(tree)
    root = next((one for query in ROOTS if (one := tree.css_first(query))), None)
    html = tree.root
    language = (html.attributes.get("lang") if html else "") or ""
    if root is None:
        return Article(name, (), language, url, revision, date)
    _formulas(root)
    _cut(root)
    writer = Writer({title or name, name, ""})
    writer.write(root)
    return Article(name, writer.sections(), language, url, revision, date)


def _provenance(tree: LexborHTMLParser) -> tuple[str, str, str]:
    """URL, revision and date of the page; cuts out Kiwix's line that tells them."""
    link = tree.css_first("link[rel=canonical]")
    url = ((link.attributes.get("href") if link else "") or "").strip()
    for one in tree.css("a[href*='oldid=']"):
        line, href = one.parent, one.attributes.get("href") or ""
        found = REVISION.search(href)
        # Articles link to old revisions too; only Kiwix's line has the licence beside it.
        if found and line and line.css_first("a[href*='creativecommons.org/licenses']"):
            day = EDITED.search(one.attributes.get("title") or "")
            line.decompose()
            return url or href[: found.start()], found[1], day[0] if day else ""
    return (url if "://" in url else ""), "", ""


def _formulas(root: LexborNode) -> None:
    """Put the TeX of formulas in their place; pages hold them hidden, and again as a picture."""
    for one in root.css(".mwe-math-element"):
        inner = one.css_first("math[alttext]") or one.css_first("img[alt]")
        if inner is not None:
            one.replace_with(f" {_tex(inner)} ")
    for one in root.css("math[alttext], img.tex[alt], img[class*='math-fallback'][alt]"):
        one.replace_with(f" {_tex(one)} ")
    for one in root.css("math annotation, math annotation-xml"):
        one.decompose()


def _tex(node: LexborNode) -> str:
    raw = (node.attributes.get("alttext") or node.attributes.get("alt") or "").strip()
    found = DISPLAYSTYLE.match(raw)
    return (found[1] if found else raw).strip()


def _cut(root: LexborNode) -> None:
    """Remove what is not seen and not of the article."""
    for one in root.css("[style]"):
        if HIDDEN.search(one.attributes.get("style") or ""):
            one.decompose()
    for query in (UNSEEN, NO_TEXT):
        for one in root.css(query):
            one.decompose()
