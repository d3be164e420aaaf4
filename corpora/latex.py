"""LaTeX in titles and names -> plain text, by pylatexenc."""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

MARKUP = re.compile(r"[\\{}$~]|--|``|''")

LONGEST = 3000
"""Characters from which on a text is no title or name, and only loses its marks."""

DEEPEST = 20
"""Braces in braces from which on the same holds: the parser is recursive."""


def plain(text: str) -> str:
    r"""Text without LaTeX, in one line.

    >>> plain("{BERT}: G\\\"odel and $D^2$ ---\n  {\\'E}tudes")
    'BERT: Gödel and D^2 — Études'
    """
    text = text.replace("\0", "")
    if MARKUP.search(text):
        text = _stripped(text) if _is_too_much(text) else _decoded(text)
    return " ".join(text.split())


def _decoded(text: str) -> str:
    from pylatexenc.latexwalker import LatexWalkerError

    try:
        return str(_decoder().latex_to_text(text))
    except (LatexWalkerError, ValueError, IndexError):
        return _stripped(text)


def _stripped(text: str) -> str:
    return re.sub(r"\\[A-Za-z]+\s?|[\\{}$]", "", text)


def _is_too_much(text: str) -> bool:
    depth = deepest = 0
    for mark in re.findall(r"[{}]", text):
        depth += 1 if mark == "{" else -1
        deepest = max(deepest, depth)
    return len(text) > LONGEST or deepest > DEEPEST or text.count("\\") > 200


@cache
def _decoder() -> "LatexNodes2Text":
    import logging

    from pylatexenc.latex2text import LatexNodes2Text

    # It reports every macro that it does not know; a title is read as well as can be.
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    return LatexNodes2Text(math_mode="text", keep_comments=True, strict_latex_spaces=False)
