"""Code in a response: fenced blocks, a response that is all code, or a function's body alone."""

import ast
import re
import textwrap
from dataclasses import dataclass, replace

from verifier.coding.source import (
    OPENS_CODE,
    as_code,
    defined,
    flaw,
    functions,
    parsed,
    used,
)
from verifier.structure import BlockKind, blocks

PYTHON = frozenset(("python", "py", "python3", "py3"))

LOOKS_PYTHON = re.compile(
    r"^[ \t]*(?:(?:async )?def \w+\s*\(|class \w+.*:\s*$"
    r"|from [\w.]+ import |import [\w.]+(?:,| as |\s*$))",
    re.MULTILINE,
)

SESSION = re.compile(r"^>>> ", re.MULTILINE)

WORDS_OF_PROSE = 4
"""Words that a line needs to be taken for a sentence rather than for broken code."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A stretch of code in a response; `start` and `end` are half-open offsets into it."""

    start: int
    end: int
    code: str
    """Its source, with what it needs of earlier ones or of the prompt in front."""
    language: str = "python"
    """`python`, or what else the fence names; empty if neither is known."""


def find(text: str, prompt: str = "") -> list[Snippet]:
    r"""All code of a response, in order.

    >>> [one.code for one in find("Use this:\n```py\ndef f(x):\n    return x\n```\n")]
    ['def f(x):\n    return x\n']
    """
    fenced = [one for one in blocks(text) if one.kind is BlockKind.CODE]
    if not fenced:
        return _unfenced(text, prompt)
    found: list[Snippet] = []
    for one in fenced:
        code = textwrap.dedent(text[one.start : one.end]) + "\n"
        snippet = Snippet(one.start, one.end, code, _language(one.info, code))
        found.append(_completed(snippet, found, prompt))
    return found


def entry_point(code: str, prompt: str, given: str = "") -> str:
    r"""The function of a source that a prompt asked for.

    In this order: the one that was given, one that the prompt defines, one that it mentions, the
    last public one. Empty if there is no function.

    >>> entry_point("def helper(x): ...\ndef area(r): ...\ndef main(): ...", "Write area(r).")
    'area'
    """
    if given:
        return given
    names = list(functions(code))
    stubs: list[str] = re.findall(r"\bdef (\w+)\s*\(", prompt)
    mentioned: list[str] = re.findall(r"\b(\w+)\s*\(", prompt) + re.findall(
        r"[`'\"](\w+)[`'\"]", prompt
    )
    called: list[str] = re.findall(r"\b(?:called|named) (\w+)", prompt)
    called += re.findall(r"\b(?:function|method) (\w+)", prompt)
    for wanted in (*reversed(stubs), *mentioned, *called):
        if wanted in names:
            return wanted
    public: list[str] = [name for name in names if not name.startswith("_") and name != "main"]
    return (public or names or [""])[-1]


def _language(info: str, code: str) -> str:
    if info in PYTHON:
        return "python"
    if info:
        return info
    if SESSION.search(code):
        return "a session"
    tree = parsed(code)
    is_python = bool(LOOKS_PYTHON.search(code)) if tree is None else _does_something(tree)
    return "python" if is_python else ""


def _does_something(tree: ast.Module) -> bool:
    """False for text that only happens to be Python, such as a number or a word."""
    return any(not isinstance(node, ast.Expr) for node in tree.body)


def _completed(snippet: Snippet, earlier: list[Snippet], prompt: str) -> Snippet:
    """A snippet with the earlier ones in front whose names it uses, or as the body it is."""
    if snippet.language != "python":
        return snippet
    tree = parsed(snippet.code)
    if tree is None:
        return replace(snippet, code=_body(snippet.code, prompt) or snippet.code)
    wanted, front = used(tree) - defined(tree), ""
    for one in reversed(earlier):
        other = parsed(one.code) if one.language == "python" else None
        if other and (names := defined(other) & wanted):
            front, wanted = one.code + front, wanted - names
    return replace(snippet, code=front + snippet.code)


def _unfenced(text: str, prompt: str) -> list[Snippet]:
    """A response without fences: code as a whole, with prose around it, or a function's body."""
    start = len(text) - len(text.lstrip("\r\n"))
    body = text[start:].rstrip()
    if (whole := _body(body, prompt)) and body[:1].isspace():
        return [Snippet(start, start + len(body), whole)]
    lines = body.splitlines(keepends=True)
    first = next((n for n, line in enumerate(lines) if line.startswith(OPENS_CODE)), None)
    if first is None or not LOOKS_PYTHON.search(body):
        return []
    start += len("".join(lines[:first]))
    code = _without_prose(lines[first:])
    is_code = functions(code) or parsed(code) is None
    if not is_code or (first and not functions(code)):
        return []
    return [Snippet(start, start + len(code.rstrip()), code.rstrip() + "\n")]


def _without_prose(lines: list[str]) -> str:
    """The lines up to the first that is prose; all of them if none is."""
    for number, line in enumerate(lines):
        words = re.findall(r"[^\W\d_]{2,}", line)
        prose = line[:1].isupper() and len(words) >= WORDS_OF_PROSE
        if prose and flaw(line) and not flaw("".join(lines[:number])):
            return "".join(lines[:number])
    return "".join(lines)


def _body(code: str, prompt: str) -> str:
    """The prompt's function with `code` as its body; empty if it is none."""
    opened = as_code(prompt).removesuffix("    pass\n")
    if not opened or not code[:1].isspace() or not functions(opened + "    pass\n"):
        return ""
    inside = textwrap.indent(textwrap.dedent(code), "    ")
    whole = f"{opened.rstrip()}\n{inside}\n"
    return whole if parsed(whole) else ""
