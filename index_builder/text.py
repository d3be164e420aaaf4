"""What of a passage is searched."""

from corpora.passage import Passage


def contents(passage: Passage) -> str:
    """What is searched of a passage, by Lucene and by the encoder.

    >>> contents(Passage("1", "It is deep.", "Lake Baikal", section="Geography"))
    'Lake Baikal. Geography. It is deep.'
    """
    parts = (passage.title, passage.section, passage.text)
    return ". ".join(part for part in parts if part)
