"""What of a passage is searched."""

from corpora.passage import Passage


def contents(passage: Passage) -> str:
    """What is searched of a passage, by Lucene and by the encoder.

    >>> contents(Passage("1", "It is deep.", "Lake Baikal", section="Geography"))
    'Lake Baikal. Geography. It is deep.'
    """
    parts = (passage.title, passage.section, passage.text)
    return ". ".join(part for part in parts if part)


ALIASES = 30
"""Other names of a document that Lucene is told, the first by their letters."""


def searched(passage: Passage, aliases: tuple[str, ...]) -> str:
    """What Lucene sees of a passage: its contents, and other names behind the title.

    Args:
        passage: The passage.
        aliases: Other names of its document, for the first passage of it.

    >>> searched(Passage("1", "It is deep.", "Lake Baikal"), ("Baykal", "Baikalsee"))
    'Lake Baikal. Baykal. Baikalsee. It is deep.'
    """
    parts = (passage.title, *aliases[:ALIASES], passage.section, passage.text)
    return ". ".join(part for part in parts if part)
