"""Turns a returned value into text that cannot lie about what it is."""

from collections.abc import Iterator
from typing import Any

DEEPEST = 40
"""Levels of nested values."""

NODES = 20_000
"""Values inside one returned value."""


class TooLarge(Exception):  # noqa: N818 - it says what is the matter
    """A returned value has too many parts, or is nested too deeply."""


class Encoder:
    """Turns a value into nested lists of texts, each with a letter for its type.

    Methods of the builtin types are called by their own names, so that a subclass cannot answer
    for its contents.

    >>> Encoder()([1, "a", 0.5, None])
    ['l', [['i', '0x1'], ['s', 'a'], ['f', '0.5'], ['n']]]
    """

    def __init__(self) -> None:
        """Count from nothing."""
        self._nodes = 0

    def __call__(self, value: object, depth: int = 0) -> list[Any]:
        """Encode a value.

        Raises:
            TooLarge: more than `NODES` parts, or more than `DEEPEST` levels.
        """
        self._nodes += 1
        if self._nodes > NODES or depth > DEEPEST:
            raise TooLarge
        if (simple := self._simple(value)) is not None:
            return simple
        if isinstance(value, dict):
            pairs = [[self(k, depth + 1), self(v, depth + 1)] for k, v in dict.items(value)]
            return ["d", pairs]
        for letter, kind in (("l", list), ("t", tuple), ("S", (set, frozenset))):
            if isinstance(value, kind):
                return [letter, [self(one, depth + 1) for one in self._parts(value)]]
        if hasattr(value, "__next__"):
            return ["g", [self(one, depth + 1) for one in value]]  # type: ignore[attr-defined]
        name = f"{type(value).__module__}.{type(value).__qualname__}"
        return ["o", name[:200], repr(value)[:500]]

    def _simple(self, value: object) -> list[Any] | None:
        if value is None:
            return ["n"]
        if isinstance(value, bool):
            return ["b", value is True]
        if isinstance(value, int):
            return ["i", hex(int.__index__(value))]
        if isinstance(value, float):
            return ["f", float.__repr__(value)]
        if isinstance(value, complex):
            return ["c", complex.__repr__(value)]
        if isinstance(value, str):
            return ["s", str.__str__(value)]
        if isinstance(value, (bytes, bytearray)):
            return ["y", bytes(value).hex()]
        return None

    @staticmethod
    def _parts(value: Any) -> Iterator[Any]:  # noqa: ANN401 - one of four builtin types
        kinds: tuple[Any, ...] = (list, tuple, set, frozenset)
        kind = next(one for one in kinds if isinstance(value, one))
        parts: Iterator[Any] = kind.__iter__(value)
        return parts
