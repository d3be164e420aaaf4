"""What can go wrong with an index.

BadIndex               exit 2: damaged, of another version, or asked for what it cannot do
└── IndexMissing       exit 3: there is no index at that path yet
"""

from typing import ClassVar


class BadIndex(Exception):  # noqa: N818 - reads as what is wrong: the index
    """An index cannot be built, opened or searched; the message says what to do."""

    exit_code: ClassVar[int] = 2


class IndexMissing(BadIndex):
    """No finished index lies at the path."""

    exit_code: ClassVar[int] = 3
