"""The unit of retrieval: a passage of about 100 words, cut on sentence borders."""

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a source document, small enough to be read by a judge.

    The id is stable: building again from the same source gives the same ids.
    """

    id: str
    """Unique within an index, e.g. `wikipedia-vital:Lake Baikal:0`."""
    text: str
    """What a judge may quote; never empty."""
    title: str
    """Title of the document it was cut from."""
    section: str = ""
    """Heading it stood under; empty for a lead."""
    source: str = ""
    """Name of the corpus, e.g. `wikipedia-vital`."""
    url: str = ""
    """Where a person can read the document; empty if unknown."""
    revision: str = ""
    """Revision of the document; empty if unknown."""
    date: str = ""
    """ISO date (YYYY-MM-DD) of the text; empty if unknown."""
    language: str = ""
    """ISO 639-1 code; empty if unknown."""


def spans(text: str, words: int = 100, language: str = "en") -> tuple[tuple[int, int], ...]:
    """Cut a text into pieces of about `words` words, on sentence borders.

    A sentence of more than `2 * words` words (a table, a list) is cut between words. A last piece
    shorter than a third of `words` joins the one before, so no judge sees a torn-off tail.

    Args:
        text: Any text.
        words: Wanted size of a piece in white-space separated words; at least 1.
        language: ISO 639-1 code, for the sentence rules.

    Returns:
        Half-open character spans that follow on each other and cover the whole text.

    >>> spans("One two three. Four five six. Seven eight nine ten.", words=4)
    ((0, 15), (15, 30), (30, 51))
    >>> spans("")
    ()
    """
    if text and len(text.split()) <= words:
        return ((0, len(text)),)
    pieces: list[tuple[int, int]] = []
    sizes: list[int] = []
    for start, end in _units(text, words, language):
        size = len(text[start:end].split())
        if pieces and (sizes[-1] + size <= words or not sizes[-1]):
            pieces[-1], sizes[-1] = (pieces[-1][0], end), sizes[-1] + size
        else:
            pieces.append((start, end))
            sizes.append(size)
    if len(pieces) > 1 and 3 * sizes[-1] < words:
        _, end = pieces.pop()
        pieces[-1] = (pieces[-1][0], end)
    return tuple(pieces)


def chunk(text: str, words: int = 100, language: str = "en") -> tuple[str, ...]:
    """Cut a text into passages; see `spans` for the rules.

    Returns:
        The pieces, stripped of white space at their ends; empty if the text is blank.

    >>> chunk("One two three. Four five six.", words=4)
    ('One two three.', 'Four five six.')
    """
    cut = (text[start:end].strip() for start, end in spans(text, words, language))
    return tuple(piece for piece in cut if piece)


def _units(text: str, words: int, language: str) -> Iterator[tuple[int, int]]:
    """Lines and sentences, the over-long ones cut between words; the spans cover the text.

    A line is a paragraph, an item of a list or a row of a table, whatever sign it ends with.
    """
    import sentencex

    start = 0
    for boundary in sentencex.get_sentence_boundaries(language, text):
        end = int(boundary["end_index"])
        while (line := text.find("\n", start, end - 1)) >= 0:
            yield from _between_words(text, start, line + 1, words)
            start = line + 1
        yield from _between_words(text, start, end, words)
        start = end
    if start < len(text):
        yield from _between_words(text, start, len(text), words)


def _between_words(text: str, start: int, end: int, words: int) -> Iterator[tuple[int, int]]:
    # Two characters a word at least: most sentences are too short to need counting.
    if end - start > 4 * words and len(text[start:end].split()) > 2 * words:
        starts = [start + found.start() for found in re.finditer(r"\S+", text[start:end])]
        for cut in starts[words::words]:
            yield start, cut
            start = cut
    yield start, end
