"""Inputs at the edges of what a function takes, by rule: the same ones each time.

Empty, one, odd and even length, negative, zero, duplicates, large, unsorted, Unicode, and None
where it is allowed; without those that the task rules out.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice, zip_longest

from verifier.coding.types import Parameter, Type

INTS = (3, 0, 1, 2, 7, 10, 5, 4, 12, 13, 25, 100, 97, 360, 9, 8, -1, -5, 1024, -12, 12345)
FLOATS = (1.5, 0.0, 2.0, 3.25, -1.5, 10.0, 0.1, 100.75, -3.0, 2.5)
STRINGS = (
    *("abc", "", "a", "Hello World", "aab", "racecar", "ab", "aAbBcC", "hello", "zyx", "12a3"),
    *("the quick brown fox", "aaaa", "XyZ 123!", "()", "one,two", "é ü ß", "  two  spaces ", "7"),
)
LENGTHS = (3, 4, 1, 2, 5, 6, 0, 7, 10)

RULES: Sequence[tuple[str, Callable[[object], bool]]] = (
    (r"non-?empty|at least one|not empty", lambda one: not _is_empty(one)),
    (
        r"positive (?:int|number|float|value)|natural number|greater than (?:0|zero)|> ?0\b",
        lambda one: all(n > 0 for n in _numbers(one)),
    ),
    (
        r"non-?negative|unsigned|>= ?0\b|\b0 ?(?:<=|≤)|prime|factorial|fibonacci|[ni]-?th\b"
        r"|length of|sides?\b",
        lambda one: all(n >= 0 for n in _numbers(one)),
    ),
    (
        r"> ?1\b|greater than (?:1|one)\b|at least (?:2|two)\b",
        lambda one: all(n > 1 for n in _numbers(one)),
    ),
    (
        r"lower-?case (?:letters|string|characters|word)",
        lambda one: all(s == s.lower() for s in _texts(one)),
    ),
    (
        r"upper-?case (?:letters|string|characters|word)",
        lambda one: all(s == s.upper() for s in _texts(one)),
    ),
    (
        r"only (?:letters|alphabets?) and spaces",
        lambda one: all(c.isalpha() or c == " " for s in _texts(one) for c in s),
    ),
    (
        r"(?:unique|distinct) (?:elements|integers|numbers|values)|no duplicates",
        lambda one: not isinstance(one, list) or len({repr(part) for part in one}) == len(one),
    ),
)
"""What a task says of its inputs, and what an input must be then."""

SAME_LENGTH = re.compile(r"\b(?:equal|same|identical) (?:length|size)", re.IGNORECASE)

MEETINGS = 12
"""How many rows are looked at for each that is wanted."""


def inputs(
    parameters: Sequence[Parameter], task: str, most: int, constants: Sequence[object] = ()
) -> list[tuple[object, ...]]:
    """Argument tuples for a function, the plainest first, none twice.

    Args:
        parameters: what it takes.
        task: what it is to do; says which inputs are not allowed.
        most: inputs at most.
        constants: texts and numbers that its code mentions; where it branches, mistakes are.

    >>> from verifier.coding.types import INT, STR
    >>> inputs([Parameter("s", STR), Parameter("n", INT)], "", 2)
    [('abc', 3), ('', 0)]
    """
    allowed = [rule for form, rule in RULES if re.search(form, task, re.IGNORECASE)]
    columns = []
    for number, one in enumerate(parameters):
        made = [
            value
            for value in _woven(values(one.type), mentioned(one.type, constants))
            if all(rule(value) for rule in allowed)
        ]
        if not made:
            return []
        # Columns of different lengths meet in new pairs each time they come around.
        columns.append(made[: len(made) - (number and not len(made) % 2 and len(made) > 2)])
    met = islice(zip(*(cycle(one) for one in columns), strict=True), MEETINGS * most)
    rows = (one for one in met if not SAME_LENGTH.search(task) or len({*_lengths(one)}) < 2)
    found = {repr(row): row for row in rows}
    return list(found.values())[:most]


def values(kind: Type) -> list[object]:
    """Values of a type, the plainest first."""
    made = _MAKERS.get(kind.name, _anything)(kind)
    return [*made[:3], None, *made[3:]] if kind.optional else made


def mentioned(kind: Type, constants: Sequence[object]) -> list[object]:
    """Values of a type made of what the code mentions.

    >>> from verifier.coding.types import INT, STR
    >>> mentioned(STR, ["(", ")"])[:4], mentioned(INT, [9])
    (['(', ')', '()', '(())'], [9, 8, 10])
    """
    if kind.name == "int":
        numbers = [one for one in constants if isinstance(one, int)]
        return [near for one in numbers for near in (one, one - 1, one + 1)]
    texts = [one for one in constants if isinstance(one, str)]
    if kind.name == "list" and kind.parts and kind.parts[0].name == "str":
        return [texts, texts[:1], texts[::-1]] if texts else []
    if kind.name != "str" or not texts:
        return []
    first, second = texts[0], texts[1 % len(texts)]
    both = first + second
    woven = [both, first * 2 + second * 2, both * 2, f"{first}{both}{second}{both}"]
    return [*texts[:2], *woven, " ".join(texts), " ".join((*texts[::-1], first)), *texts[2:]]


def _woven(some: Sequence[object], others: Sequence[object]) -> list[object]:
    """Both, in turns."""
    pairs = zip_longest(some, others, fillvalue=_NOTHING)
    return [one for pair in pairs for one in pair if one is not _NOTHING]


_NOTHING = object()


def _lists(kind: Type) -> list[object]:
    item = kind.parts[0] if kind.parts else Type("int")
    if item.name == "int":
        return [
            *([3, 1, 2], [4, 1, 3, 2], [], [1], [2, 1], [1, 2, 3, 4, 5], [2, 2, 1, 2]),
            *([5, -3, 0, 8, -7, 2], [-1, -2, -3], [0], [10, 20, 15, 20, 5, 5], [0, 0]),
            *(list(range(12, 0, -1)), [100, 7, 23, 46, 9, 15, 78], [1, 3, 5, 7], [2, 4, 6, 8]),
            [11, 22, 33, 40, 57, 68, 71, 86, 99, 100, 123],
        ]
    items = values(item)
    sized = [list(islice(cycle(items[at:] + items[:at]), size)) for at, size in enumerate(LENGTHS)]
    repeated = [items[0]] * 3 + items[1:2]
    return [*sized[:6], repeated, *sized[6:], list(reversed(items[:5]))]


def _tuples(kind: Type) -> list[object]:
    parts = kind.parts or (Type("int"), Type("int"))
    return [
        tuple(row) for row in zip(*(_turned(one, n) for n, one in enumerate(parts)), strict=False)
    ]


def _turned(kind: Type, by: int) -> list[object]:
    made = values(kind)
    return made[by:] + made[:by]


def _sets(kind: Type) -> list[object]:
    return [set(one) for one in _lists(kind) if isinstance(one, list) and _is_hashable(one)]


def _dicts(kind: Type) -> list[object]:
    keys, items = (kind.parts + (Type("str"), Type("int"))[len(kind.parts) :])[:2]
    names = [one for one in values(keys) if _is_hashable([one])]
    given = values(items)
    return [
        dict(zip(names[at : at + size], islice(cycle(given), at, at + size), strict=False))
        for at, size in enumerate((2, 3, 0, 1, 5))
    ]


def _anything(_: Type) -> list[object]:
    return [*INTS[:6], *STRINGS[:4], *_lists(Type("list"))[:6]]


_MAKERS: Mapping[str, Callable[[Type], list[object]]] = {
    "int": lambda _: list(INTS),
    "float": lambda _: list(FLOATS),
    "str": lambda _: list(STRINGS),
    "bool": lambda _: [True, False],
    "bytes": lambda _: [one.encode() for one in STRINGS[:6]],
    "None": lambda _: [None],
    "list": _lists,
    "tuple": _tuples,
    "set": _sets,
    "dict": _dicts,
}


def _is_hashable(parts: Sequence[object]) -> bool:
    return not any(isinstance(one, list | dict | set) for one in parts)


def _is_empty(value: object) -> bool:
    return isinstance(value, str | list | tuple | dict | set) and not value


def _numbers(value: object) -> list[float]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [value]
    if isinstance(value, list | tuple | set):
        return [number for one in value for number in _numbers(one)]
    return []


def _texts(value: object) -> list[str]:
    if isinstance(value, list | tuple | set):
        return [text for one in value for text in _texts(one)]
    return [value] if isinstance(value, str) else []


def _lengths(row: Sequence[object]) -> list[int]:
    return [len(one) for one in row if isinstance(one, list | tuple | str)]
