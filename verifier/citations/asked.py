"""References that no rule finds: a sentence that seems to cite something, shown to the model.

What it answers must stand in the sentence, word for word; else there is no reference.
"""

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from verifier.ask import ask
from verifier.citations.citation import Citation, Found
from verifier.citations.grammar import YEAR
from verifier.task import Tools
from verifier.words import Span, words

CITING = re.compile(
    r"\b(?:papers?|articles?|preprint|monograph|thesis|book|survey)\b.*\b(?:by|titled|entitled|called|"
    r"wrote|written|published|appeared|introduc\w+|propos\w+)\b"
    r"|\b(?:titled|entitled|wrote|written|published)\b.*\b(?:papers?|articles?|preprint|thesis|book)\b",
    re.IGNORECASE,
)

RUN = re.compile(
    r"(?:\b[A-Z][\w'\u2019-]*[\s:,]+(?:(?:of|the|and|for|in|on|to|a|with)\s){0,2}){2,}[A-Z]\w*"
)
"""Three capitalised words or more in a row, small words between them: perhaps a title."""

MAX_TOKENS = 160


class TitleReply(BaseModel):
    """What a sentence cites."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(max_length=300)]
    authors: Annotated[str, Field(max_length=200)]
    year: Annotated[str, Field(max_length=10)]


def seems_to_cite(sentence: str) -> bool:
    """True if a sentence speaks of a publication and holds what may be its title.

    >>> seems_to_cite("The paper Deep Fish Learning Revisited was written by J. Li.")
    True
    >>> seems_to_cite("The paper was written by J. Li.")
    False
    """
    return bool(CITING.search(sentence) and RUN.search(sentence))


async def asked(sentence: Span, tools: Tools) -> Found | None:
    """The reference of a sentence, as the model reads it; None if it names none.

    Args:
        sentence: its words and its place in the response.
        tools: the model.

    Raises:
        ReplyError, ModelError: the model gave no usable answer.
    """
    reply = await ask(
        tools, "scilit_title", TitleReply, max_tokens=MAX_TOKENS, sentence=sentence.text
    )
    title = reply.title.strip(" \"'\u201c\u201d.")
    at = sentence.text.find(title)
    if at < 0 or len(words(title)) < 2:
        return None
    authors = reply.authors.strip() if reply.authors.strip() in sentence.text else ""
    is_year = re.fullmatch(YEAR, reply.year.strip()) and reply.year.strip() in sentence.text
    citation = Citation(title, authors, reply.year.strip() if is_year else "")
    return Found(sentence.start + at, sentence.start + at + len(title), citation)
