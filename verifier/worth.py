"""Whether a statement is worth checking: a fact, not a taste; and one that the question is about.

One letter each, read by its log-probability. In doubt a statement is checked: leaving out a false
fact is worse than looking up an opinion. (SAFE, arXiv 2403.18802, section 3, asks for relevance;
VeriScore, arXiv 2406.19276, for what can be verified.)
"""

import math

from verifier.ask import choose
from verifier.task import Tools
from verifier.words import is_number, words

QUESTION = 500
"""Characters of the prompt that a statement is compared with."""

OPINION = 0.93
"""Probability from which a statement is an opinion."""

SUSPECTED = 0.9
"""The same for a sentence that was called an opinion when it was split."""

IRRELEVANT = 0.75
"""Probability from which a statement has nothing to do with the question."""


async def is_opinion(statement: str, tools: Tools, at: float = OPINION) -> bool:
    """True if a statement only gives a taste, a feeling, a wish or praise.

    Args:
        statement: a sentence; one with a number in it is never an opinion.
        tools: the model.
        at: probability from which it is one.

    Raises:
        ReplyError, ModelError: the model gave no usable answer.
    """
    if any(is_number(one.text) for one in words(statement)):
        return False
    scores = await choose(tools, "opinion", ["F", "O"], statement=statement)
    return math.exp(scores["O"]) >= at


async def is_beside(statement: str, question: str, tools: Tools) -> bool:
    """True if a statement has nothing to do with the question; without one, never.

    Raises:
        ReplyError, ModelError: the model gave no usable answer.
    """
    if not question.strip():
        return False
    scores = await choose(
        tools, "relevance", ["Y", "N"], question=question[:QUESTION], statement=statement
    )
    return math.exp(scores["N"]) >= IRRELEVANT
