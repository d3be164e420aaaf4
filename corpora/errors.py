"""What can go wrong with a corpus.

CorpusError            exit 2: the file, the download or the disk is not as it must be
└── CorpusMissing      exit 3: the text is not here and could not be fetched

Messages say what happened, with the value, and what to do next.
"""

from typing import ClassVar


class CorpusError(Exception):
    """A source of text cannot be read; the message says what to do."""

    exit_code: ClassVar[int] = 2


class CorpusMissing(CorpusError):  # noqa: N818 - named after what is missing, as in the design
    """A source of text is not on this machine and could not be fetched."""

    exit_code: ClassVar[int] = 3
