"""What kinds of values a function takes: from its annotations, its task's words, and examples."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.coding.source import Function


@dataclass(frozen=True, slots=True)
class Type:
    """A type as far as inputs are made by it."""

    name: str
    """int, float, str, bool, bytes, None, list, tuple, set, dict, or any."""
    parts: tuple["Type", ...] = ()
    """Of a list or set its items; of a dict keys and values; of a tuple each."""
    optional: bool = False
    """None is allowed too."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function."""

    name: str
    type: Type
    has_default: bool = False
    guessed: bool = False
    """True if its type is only what its name and the task's words suggest."""


ANY, INT, FLOAT, STR, BOOL = (Type(name) for name in ("any", "int", "float", "str", "bool"))

NAMED = {
    "int": INT, "float": FLOAT, "str": STR, "bool": BOOL, "bytes": Type("bytes"),
    "None": Type("None"), "complex": FLOAT, "Number": FLOAT, "Decimal": FLOAT,
}  # fmt: skip

CONTAINERS = {
    "list": "list", "List": "list", "Sequence": "list", "Iterable": "list", "Collection": "list",
    "tuple": "tuple", "Tuple": "tuple", "set": "set", "Set": "set", "frozenset": "set",
    "FrozenSet": "set", "dict": "dict", "Dict": "dict", "Mapping": "dict",
}  # fmt: skip

WORDS = (
    (r"(?:list|array|sequence)s? of (?:lists|arrays)|nested list|matrix|grid|2[- ]?d\w*",
     Type("list", (Type("list", (INT,)),))),
    (r"(?:list|array|sequence)s? of (?:strings|words|names|str)", Type("list", (STR,))),
    (r"(?:list|array|sequence)s? of (?:floats|real|decimal)", Type("list", (FLOAT,))),
    (r"(?:list|array|sequence|collection)s?\b", Type("list", (INT,))),
    (r"dict(?:ionar(?:y|ies))?|mapping", Type("dict", (STR, INT))),
    (r"strings?|text|word|sentence|characters?", STR),
    (r"float|real number|decimal number", FLOAT),
    (r"bool(?:ean)?", BOOL),
    (r"integers?|int|number|numeral", INT),
)  # fmt: skip
"""Phrases that tell a type, the most telling first."""

HABITS = (
    (r"words|strings|strs|names", Type("list", (STR,))),
    (r"grid|matrix|board", Type("list", (Type("list", (INT,)),))),
    (r"l|lst|arr|array|nums?s|numbers|values?s|items|xs|ys|data|elements|operands?|list\w*|seq",
     Type("list", (INT,))),
    (r"s|st|string\w*|text|txt|word|str\d?|sentence|message|name|path|char|prefix|suffix|pattern",
     STR),
    (r"n|k|m|i|j|p|q|x|y|z|a|b|c|h|w|r|num\w*|count|index|size|length|width|height|year|age|amount"
     r"|total|target|step|start|end|limit", INT),
    (r"d|dic|dict\w*|mapping", Type("dict", (STR, INT))),
    (r"flag|is_\w+|reverse|descending", BOOL),
)  # fmt: skip
"""What programmers call values of a type, for want of anything better."""


def parameters(
    function: Function, task: str = "", examples: Sequence[Sequence[object]] = ()
) -> list[Parameter]:
    """The parameters that a call gives by position, each with what it takes.

    Args:
        function: a definition.
        task: what it was asked to do, read where there is no annotation.
        examples: arguments that it is called with somewhere.

    >>> tree = ast.parse("def f(xs: list[str], n, flag=False): ...")
    >>> [one.type.name for one in parameters(tree.body[0])]
    ['list', 'int', 'bool']
    """
    named = [*function.args.posonlyargs, *function.args.args]
    defaults = len(named) - len(function.args.defaults)
    found = []
    for number, one in enumerate(named):
        shown = [args[number] for args in examples if number < len(args)]
        sure = _sure(one, shown)
        kind = _guessed(one, sure, task, alone=len(named) == 1)
        found.append(Parameter(one.arg, kind, number >= defaults, guessed=not _is_full(sure)))
    return found


def of_annotation(node: ast.expr | None) -> Type:
    """The type that an annotation says.

    >>> of_annotation(ast.parse("Optional[List[int]]", mode="eval").body)
    Type(name='list', parts=(Type(name='int', parts=(), optional=False),), optional=True)
    """
    if isinstance(node, ast.Constant):
        return _written(node.value)
    if isinstance(node, ast.Name | ast.Attribute):
        return _plain(node.id if isinstance(node, ast.Name) else node.attr)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([of_annotation(node.left), of_annotation(node.right)])
    if isinstance(node, ast.Subscript):
        name = ast.unparse(node.value).rpartition(".")[2]
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        parts = [of_annotation(one) for one in inner if not _is_ellipsis(one)]
        if name in ("Optional", "Union"):
            return _union([*parts, Type("None")] if name == "Optional" else parts)
        if name in CONTAINERS and parts:
            repeated = (
                parts * 2 if CONTAINERS[name] == "tuple" and len(parts) < len(inner) else parts
            )
            return Type(CONTAINERS[name], tuple(repeated))
    return ANY


def of_value(value: object) -> Type:
    """The type of an example.

    >>> of_value([1.5, 2]).parts[0].name
    'float'
    """
    name = type(value).__name__
    if isinstance(value, dict):
        return Type("dict", (_common(list(value)), _common(list(value.values()))))
    if isinstance(value, list | set | frozenset):
        return Type("set" if name == "frozenset" else name, (_common(list(value)),))
    if isinstance(value, tuple):
        return Type("tuple", tuple(of_value(one) for one in value))
    return NAMED.get("None" if value is None else name, ANY)


def _sure(arg: ast.arg, shown: Sequence[object]) -> Type:
    """What the annotation and the examples of a parameter say; perhaps only a part of it."""
    annotated, seen = of_annotation(arg.annotation), _common(shown)
    fits = annotated.name in ("any", seen.name)
    return seen if fits and not _is_full(annotated) and seen.name != "any" else annotated


def _guessed(arg: ast.arg, sure: Type, task: str, *, alone: bool) -> Type:
    """A type in full: where it is not known, what is likely."""
    if _is_full(sure):
        return sure
    told = _told(arg.arg, task, alone=alone)
    return told if sure.name in ("any", told.name) else Type(sure.name, (), sure.optional)


def _told(name: str, task: str, *, alone: bool) -> Type:
    """The type that the words of a task tell for a parameter, or its name does."""
    near = re.search(rf"([^.\n]*)\b{re.escape(name)}\b([^.\n]*)", _prose(task), re.IGNORECASE)
    habit = next((kind for form, kind in HABITS if re.fullmatch(form, name, re.IGNORECASE)), ANY)
    texts = [_prose(task)] if alone else [near.group(0)] if near and habit is ANY else []
    for text in texts:
        places = [
            (match.start(), order, kind)
            for order, (form, kind) in enumerate(WORDS)
            if (match := re.search(rf"\b(?:{form})\b", text, re.IGNORECASE))
        ]
        kinds = [kind for _, _, kind in sorted(places, key=lambda one: one[:2])]
        agreed = [kind for kind in kinds if kind.name == habit.name]
        if kinds:
            return (agreed or kinds)[0]
    return habit


def _prose(task: str) -> str:
    """A task without its code: what stands in docstrings, or all of it where there are none."""
    quoted = re.findall(r"\"\"\"(.*?)\"\"\"|\'\'\'(.*?)\'\'\'", task, re.DOTALL)
    return " ".join("".join(one) for one in quoted[-1:]) or task


def _common(values: Sequence[object]) -> Type:
    kinds = list(dict.fromkeys(of_value(one) for one in values if one is not None))
    if {one.name for one in kinds} == {"int", "float"}:
        return FLOAT
    kinds.sort(key=_is_full, reverse=True)
    return kinds[0] if kinds and len({one.name for one in kinds}) == 1 else ANY


def _is_full(kind: Type) -> bool:
    return (
        kind.name != "any"
        and all(_is_full(part) for part in kind.parts)
        and (bool(kind.parts) or kind.name not in ("list", "set", "dict", "tuple"))
    )


def _plain(name: str) -> Type:
    if name in CONTAINERS:
        return Type(CONTAINERS[name], ())
    return NAMED.get(name, ANY)


def _written(value: object) -> Type:
    """An annotation that is None, or one in quotes."""
    if value is None:
        return Type("None")
    try:
        return of_annotation(ast.parse(str(value), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return ANY


def _union(kinds: Sequence[Type]) -> Type:
    real = [one for one in kinds if one.name != "None"]
    first = FLOAT if {one.name for one in real} == {"int", "float"} else (real or [ANY])[0]
    return Type(first.name, first.parts, len(real) < len(kinds) or first.optional)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
