"""The unit of retrieval: a passage of about 100 words, cut on sentence borders."""

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
