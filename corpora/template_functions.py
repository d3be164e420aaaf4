"""Parser functions of MediaWiki: `{{formatnum:1234}}`, `{{#if:a|b|c}}`."""

import ast
import operator
import re
from collections.abc import Callable, Mapping

from corpora.template_call import Arguments, Page

Function = Callable[[str, list[str], Page], str]


def show(name: str, arguments: Arguments, page: Page) -> str | None:
    """What a call shows, None if it is no parser function.

    >>> show("formatnum:1234567.5", Arguments([], {}), Page())
    '1,234,567.5'
    """
    head, _, value = name.partition(":")
    function = FUNCTIONS.get(head.strip().lower())
    if function is None:
        return None
    named = [f"{field}={text}" for field, text in arguments.named.items()]
    return function(value.strip(), [text.strip() for text in (*arguments.listed, *named)], page)


def grouped(number: str) -> str:
    """A number with commas between thousands; anything else unchanged.

    >>> grouped("-1234567.25"), grouped("1234"), grouped("12a")
    ('-1,234,567.25', '1,234', '12a')
    """
    found = re.fullmatch(r"([-−+]?)(\d+)(\.\d+)?", number.strip())
    return f"{found[1]}{int(found[2]):,}{found[3] or ''}" if found else number.strip()


def _formatted(value: str, options: list[str], _: Page) -> str:
    return value.replace(",", "") if "R" in options else grouped(value)


def _chosen(value: str, options: list[str], _: Page) -> str:
    return (*options, "", "")[0 if value else 1]


def _equal(value: str, options: list[str], _: Page) -> str:
    other, then, otherwise = (*options, "", "", "")[:3]
    return then if value == other else otherwise


def _switch(value: str, options: list[str], _: Page) -> str:
    default, matched = "", False
    for option in options:
        case, equals, shown = option.partition("=")
        matched = matched or case.strip() == value
        if equals and matched:
            return shown.strip()
        if case.strip() == "#default":
            default = shown.strip()
    if options and "=" not in options[-1]:
        default = options[-1]
    return default


def expression(text: str) -> str:
    """What `#expr` works out; empty where it needs more than the four operations and `round`.

    >>> expression("1310 / 156.9 round 1"), expression("(2+3)*4"), expression("2^1000")
    ('8.3', '20', '')
    """
    sum_, rounds, places = text.replace("−", "-").partition("round")
    if not _SUM.fullmatch(sum_) or (rounds and not places.strip().lstrip("-").isdecimal()):
        return ""
    try:
        value = _worked_out(ast.parse(sum_.strip(), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, ValueError, OverflowError, RecursionError):
        return ""
    if rounds:
        value = round(value, int(places))
    return f"{value:.{max(0, int(places))}f}" if rounds and int(places) > 0 else f"{value:g}"


def _worked_out(node: ast.expr) -> float:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_worked_out(node.left), _worked_out(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_worked_out(node.operand)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    raise ValueError(ast.dump(node))


_SUM = re.compile(r"[\d.+\-*/()\s]{1,200}")
_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _expression(value: str, _: list[str], __: Page) -> str:
    return expression(value)


def _plural(value: str, options: list[str], _: Page) -> str:
    return (*options, "")[0] if value == "1" else (options or [""])[-1]


def _title(_: str, __: list[str], page: Page) -> str:
    return page.title


def _same(value: str, _: list[str], __: Page) -> str:
    return value


def _nothing(_: str, __: list[str], ___: Page) -> str:
    return ""


FUNCTIONS: Mapping[str, Function] = {
    "formatnum": _formatted,
    "lc": lambda value, _, __: value.lower(),
    "uc": lambda value, _, __: value.upper(),
    "lcfirst": lambda value, _, __: value[:1].lower() + value[1:],
    "ucfirst": lambda value, _, __: value[:1].upper() + value[1:],
    "#expr": _expression,
    "#if": _chosen,
    "#ifeq": _equal,
    "#ifexist": lambda _, options, __: (*options, "")[0],
    "#iferror": lambda value, options, __: (*options[1:], value)[0],
    "#switch": _switch,
    "plural": _plural,
    "pagename": _title,
    "fullpagename": _title,
    "urlencode": _same,
    "anchorencode": _same,
    "nowrap": _same,
    **dict.fromkeys(("defaultsort", "displaytitle", "#tag", "#invoke", "#time"), _nothing),
    **dict.fromkeys(
        ("#ifexpr", "#titleparts", "#property", "#related", "#ask", "int", "ns"), _nothing
    ),
    **dict.fromkeys(
        ("fullurl", "localurl", "canonicalurl", "filepath", "subst", "safesubst"), _nothing
    ),
}
"""What depends on the day, on Lua modules or on another page shows nothing."""
