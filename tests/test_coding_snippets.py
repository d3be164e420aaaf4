"""Which stretches of a response are code, and which function was asked for."""

import pytest

from verifier.coding.snippets import Snippet, entry_point, find
from verifier.coding.source import as_code, flaw, functions, preamble

DEF = "def f(x):\n    return x\n"

STUB = 'from typing import List\n\n\ndef f(x: List[int]) -> int:\n    """ Count x. """\n'


def only(text: str, prompt: str = "") -> Snippet:
    (snippet,) = find(text, prompt)
    return snippet


@pytest.mark.parametrize("info", ["python", "py", "python3", "Python", ""])
def test_a_fence_of_python_is_python(info: str) -> None:
    assert only(f"Here:\n```{info}\n{DEF}```\nDone.").language == "python"


@pytest.mark.parametrize("info", ["javascript", "java", "bash", "text"])
def test_another_language_is_named(info: str) -> None:
    assert only(f"```{info}\n{DEF}```").language == info


@pytest.mark.parametrize("text", ["$ ls -l\ntotal 0", "42", "Hello there", "{'a': 1}"])
def test_a_fence_without_language_that_is_no_program_is_not_python(text: str) -> None:
    assert only(f"```\n{text}\n```").language == ""


def test_broken_python_in_a_fence_is_still_python() -> None:
    assert only("```\ndef f(x:\n    return x\n```").language == "python"


def test_a_session_is_no_definition() -> None:
    assert only("```\n>>> f(1)\n1\n```").language == "a session"


@pytest.mark.parametrize(
    "text",
    [
        f"Here:\n```python\n{DEF}```\nDone.",
        f"```py\n{DEF}```\nand\n```py\ndef g(): pass\n```",
        DEF,
        f"Sure, here it is:\n\n{DEF}\nThis function returns what it is given.",
    ],
)
def test_spans_slice_back_to_the_code(text: str) -> None:
    for one in find(text):
        assert text[one.start : one.end].strip() == one.code.strip()


def test_a_response_that_is_code_as_a_whole_is_found() -> None:
    assert only(DEF) == Snippet(0, len(DEF) - 1, DEF)


def test_a_stray_bracket_after_the_code_belongs_to_it() -> None:
    assert flaw(only(f"{DEF}}}\n").code) == "line 3: unmatched '}'"


def test_prose_around_bare_code_is_left_out() -> None:
    text = f"Here is the function:\n{DEF}It works for every number you give it."
    assert only(text).code == DEF


@pytest.mark.parametrize(
    "text",
    ["There is no code here.", "import taxes are high", "from here to there", "x = 5 is a result"],
)
def test_prose_is_no_code(text: str) -> None:
    assert find(text) == []


def test_the_body_of_the_prompts_function_is_put_into_it() -> None:
    snippet = only("    return len(x)\n", STUB)
    assert functions(snippet.code)["f"].body[-1].lineno
    assert (snippet.start, snippet.end) == (0, 17)


def test_a_later_fence_gets_the_earlier_one_that_it_uses() -> None:
    _, second = find(f"```python\n{DEF}```\n```python\ndef g(x):\n    return f(x)\n```")
    assert list(functions(second.code)) == ["f", "g"]


@pytest.mark.parametrize(
    ("code", "prompt", "given", "entry"),
    [
        ("def a(): ...\ndef b(): ...", "", "a", "a"),
        ("def a(): ...\ndef b(): ...", "Write a() for me.", "", "a"),
        ("def a(): ...\ndef b(): ...", "def a():\n    'Do.'", "", "a"),
        ("def a(): ...\ndef b(): ...", "a function called a", "", "a"),
        ("def a(): ...\ndef b(): ...", "Do something.", "", "b"),
        ("def a(): ...\ndef _b(): ...\ndef main(): ...", "", "", "a"),
        ("x = 1", "", "", ""),
    ],
)
def test_the_entry_point_is_found(code: str, prompt: str, given: str, entry: str) -> None:
    assert entry_point(code, prompt, given) == entry


def test_the_prompts_imports_and_helpers_go_in_front() -> None:
    prompt = f"import math\n\ndef help(x):\n    return x\n\n{STUB}"
    front = preamble(prompt, "f")
    assert "import math" in front
    assert "def help" in front
    assert "def f" not in front


def test_a_prompt_in_prose_puts_nothing_in_front() -> None:
    assert preamble("Write f(x).", "f") == ""


def test_a_definition_without_a_body_is_code() -> None:
    assert "f" in functions(as_code("def f(x):"))


@pytest.mark.parametrize("source", ["x = (", "\0", "(" * 500 + ")" * 500, "def f(:"])
def test_what_is_no_python_has_a_flaw(source: str) -> None:
    assert flaw(source).startswith("line ")
