"""Python source as text: what it defines, and what of a prompt belongs in front of it.

Nothing here runs code; sources are parsed, never evaluated.
"""

import ast
import textwrap
import warnings

Function = ast.FunctionDef | ast.AsyncFunctionDef

OPENS_CODE = ("def ", "async def ", "class ", "import ", "from ", "@")


def parsed(source: str) -> ast.Module | None:
    """The syntax tree of a source; None if it is not Python.

    >>> parsed("x =") is None
    True
    """
    return None if flaw(source) else _parse(source)


def flaw(source: str) -> str:
    """What keeps a source from being Python, with the line; empty if nothing does.

    >>> flaw("x = (1")
    "line 1: '(' was never closed"
    """
    try:
        _parse(source)
    except SyntaxError as error:
        return f"line {error.lineno or 1}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:  # a NUL; nested too deeply
        return f"line 1: {error or 'nested too deeply'}"
    return ""


def functions(source: str) -> dict[str, Function]:
    r"""Functions that a source defines at its top level, in their order.

    >>> list(functions("def f(x): return x\nclass C:\n    def g(self): pass"))
    ['f']
    """
    tree = parsed(source)
    found = (node for node in tree.body if isinstance(node, Function)) if tree else ()
    return {node.name: node for node in found}


def returns(function: Function) -> bool:
    r"""True if a function gives a value back anywhere.

    >>> returns(functions("def f(x):\n    print(x)\n    return")["f"])
    False
    """
    return any(
        isinstance(node, ast.Yield | ast.YieldFrom)
        or (isinstance(node, ast.Return) and node.value is not None)
        for node in ast.walk(function)
    )


def header(function: Function) -> str:
    r"""The first line of a definition.

    >>> header(functions("def f(x: int, y=2) -> int:\n    return x")["f"])
    'def f(x: int, y=2) -> int:'
    """
    gives = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"def {function.name}({ast.unparse(function.args)}){gives}:"


def as_code(text: str) -> str:
    r"""A text that is Python as a whole, a definition without a body included; else empty.

    >>> as_code("def f(x):")
    'def f(x):\n    pass\n'
    >>> as_code("Write f.")
    ''
    """
    body = textwrap.dedent(text.expandtabs(4)).strip() + "\n"
    if not body.startswith(OPENS_CODE):
        return ""
    return next((one for one in (body, f"{body}    pass\n") if parsed(one)), "")


def preamble(prompt: str, entry: str) -> str:
    r"""What of a prompt that is code belongs in front of an answer: imports, helpers, constants.

    >>> preamble("import math\ndef half(x):\n    return x / 2\ndef f(x):\n    'Do.'", "f")
    'import math\ndef half(x):\n    return x / 2\n'
    """
    tree = parsed(as_code(prompt))
    if tree is None:
        return ""
    kept = [node for node in tree.body if getattr(node, "name", None) != entry]
    return "".join(f"{ast.unparse(node)}\n" for node in kept if not _is_stub(node))


def defined(tree: ast.Module) -> set[str]:
    """Names that a module binds at its top level."""
    names = set()
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update((one.asname or one.name).split(".")[0] for one in node.names)
        else:
            names.update(
                one.id
                for one in ast.walk(node)
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            )
    return names


def used(tree: ast.Module) -> set[str]:
    """Names that a module reads anywhere in it."""
    names = (one for one in ast.walk(tree) if isinstance(one, ast.Name))
    return {one.id for one in names if isinstance(one.ctx, ast.Load)}


def _parse(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as an invalid escape: theirs, not ours
        return ast.parse(source)


def _is_stub(node: ast.stmt) -> bool:
    """True for a definition with nothing but a docstring, `pass` or `...` in it."""
    return isinstance(node, Function) and all(
        isinstance(one, ast.Pass)
        or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in node.body
    )
