"""A call of a template: its name and values, and where it stands."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """Where a template stands."""

    title: str = ""
    date: str = ""
    """ISO date of the revision; ages are worked out for that day."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """Values of a call, already plain text."""

    listed: list[str]
    named: dict[str, str]

    def get(self, *names: str | int) -> str:
        """The first of these that is there and not blank; numbers count listed values from 1.

        >>> Arguments(["a", " "], {"3": "c", "x": "d"}).get(2, 3, "x")
        'c'
        """
        for name in names:
            listed = isinstance(name, int) and 0 < name <= len(self.listed)
            value = self.listed[int(name) - 1] if listed else self.named.get(str(name), "")
            if value.strip():
                return value.strip()
        return ""

    def texts(self) -> list[str]:
        """All listed values that are not blank, those named by a number included."""
        named = [value for name, value in self.named.items() if name.isdigit()]
        return [value for value in (one.strip() for one in (*self.listed, *named)) if value]


Show = Callable[[Arguments, Page], str]
"""What a template shows."""


def key(name: str) -> str:
    """How a template's name is looked up.

    >>> key(" Template:Birth_date and age ")
    'birth date and age'
    """
    return " ".join(name.replace("_", " ").lower().split()).removeprefix("template:").strip()
