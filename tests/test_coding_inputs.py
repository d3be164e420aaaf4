"""Inputs by rule, inputs by the model, and the tests that a prompt brings."""

import ast
import asyncio
import json

import pytest

from models.fake import FakeModel
from tests.fakes import tools
from verifier.coding import edges, solve
from verifier.coding.examples import find
from verifier.coding.problem import Problem, read
from verifier.coding.source import functions
from verifier.coding.types import Parameter, of_annotation, parameters


def kinds(source: str, task: str = "") -> list[str]:
    (function,) = functions(source).values()
    return [one.type.name for one in parameters(function, task)]


def made(annotation: str, task: str = "") -> list[object]:
    kind = of_annotation(ast.parse(annotation, mode="eval").body)
    return [row[0] for row in edges.inputs([Parameter("x", kind)], task, 40)]


def problem(source: str, prompt: str = "Do it.") -> Problem:
    (name,) = functions(source)
    found = read(source, name, prompt)
    assert found
    return found


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("int", "int"), ("List[str]", "list"), ("typing.List[int]", "list"),
        ("'list[int]'", "list"),
        ("Optional[str]", "str"), ("int | None", "int"), ("Union[int, float]", "float"),
        ("Dict[str, int]", "dict"), ("Tuple[int, ...]", "tuple"), ("Widget", "any"),
    ],
)  # fmt: skip
def test_annotations_are_read(annotation: str, kind: str) -> None:
    assert of_annotation(ast.parse(annotation, mode="eval").body).name == kind


@pytest.mark.parametrize(
    ("source", "task", "kind"),
    [
        ("def f(lst): ...", "", ["list"]),
        ("def f(s, n): ...", "", ["str", "int"]),
        ("def f(test): ...", "Given a string of letters, count them.", ["str"]),
        ("def f(a): ...", "Given a list of words a, sort it.", ["list"]),
        ("def f(zorp): ...", "Do it.", ["any"]),
    ],
)
def test_types_are_guessed_from_names_and_words(source: str, task: str, kind: list[str]) -> None:
    assert kinds(source, task) == kind


def test_examples_tell_types() -> None:
    found = problem("def f(zorp): ...", "For example f([1.5]) returns 2.")
    assert found.parameters()[0].type.name == "list"


def test_inputs_of_the_model_tell_types_that_were_only_guessed() -> None:
    found = problem("def f(n): ...")
    assert found.parameters([("a",)])[0].type.name == "str"


def test_lists_are_empty_single_odd_even_negative_repeated_and_long() -> None:
    lists = [one for one in made("List[int]") if isinstance(one, list)]
    assert {0, 1, 2, 3, 4} <= {len(one) for one in lists}
    assert any(min(one, default=0) < 0 for one in lists)
    assert any(len(set(one)) < len(one) for one in lists)
    assert max(map(len, lists)) > 10


def test_an_even_list_is_among_the_first() -> None:
    assert any(isinstance(one, list) and len(one) == 4 for one in made("List[int]")[:4])


def test_numbers_are_zero_negative_and_large() -> None:
    numbers = [one for one in made("int") if isinstance(one, int)]
    assert {0, 1, -1} <= set(numbers)
    assert max(numbers) > 1000


def test_texts_are_empty_single_and_unicode() -> None:
    texts = [one for one in made("str") if isinstance(one, str)]
    assert "" in texts
    assert any(not one.isascii() for one in texts)


def test_none_is_among_the_inputs_where_it_is_allowed() -> None:
    assert None in made("Optional[int]")
    assert None not in made("int")


@pytest.mark.parametrize(
    ("annotation", "task", "ruled_out"),
    [
        ("List[int]", "of a non-empty list", []), ("int", "a positive integer", 0),
        ("int", "a non-negative integer", -1), ("int", "for n > 1", 1),
        ("str", "of lowercase letters", "Hello World"),
        ("List[int]", "a list of distinct integers with distinct elements", [2, 2, 1, 2]),
    ],
)  # fmt: skip
def test_what_the_task_rules_out_is_left_out(annotation: str, task: str, ruled_out: object) -> None:
    assert ruled_out in made(annotation)
    assert ruled_out not in made(annotation, task)


def test_lists_that_must_be_of_equal_length_are() -> None:
    rows = problem("def f(xs: list[int], ys: list[int]): ...", "of equal length").edges(10)
    assert rows
    assert all(len(one) == len(other) for one, other in rows)  # type: ignore[arg-type]


def test_what_the_code_mentions_is_among_the_inputs() -> None:
    rows = problem("def f(s: str):\n    return s == '(' or s == ')'").edges(24)
    assert ("(())",) in rows


def test_inputs_are_the_same_each_time_and_none_comes_twice() -> None:
    found = problem("def f(s: str, n: int): ...")
    rows = [repr(one) for one in found.edges(24)]
    assert rows == [repr(one) for one in found.edges(24)]
    assert len(set(rows)) == len(rows) == 24


def test_a_function_without_parameters_is_called_once() -> None:
    assert problem("def f(): ...").edges(24) == [()]


@pytest.mark.parametrize(
    ("text", "call", "expected"),
    [
        (">>> f([1, 2])\n3", "f([1, 2])", 3),
        ("    >>> f('a')\n    'b'\n\n    More.", "f('a')", "b"),
        ("assert f(1) == 2, 'message'", "f(1)", 2),
        ("assert f(1)", "f(1)", True),
        ("assert not f(1)", "f(1)", False),
        ("assert f(1) is None", "f(1)", None),
        ("f(1, [2]) => [3]", "f(1, [2])", [3]),
        ("f(1) -> 2.5", "f(1)", 2.5),
        ("For example, f(3) should return 'x'.", "f(3)", "x"),
        ("`f(1)` returns `(1, 2)`", "f(1)", (1, 2)),
        ("f(f(1)) == 4", "f(f(1))", 4),
    ],
)
def test_tests_of_a_prompt_are_read(text: str, call: str, expected: object) -> None:
    (test,) = find(text, "f")
    assert (str(test.call), test.expected) == (call, expected)


@pytest.mark.parametrize(
    "text",
    ["def f(x): return 5", ">>> f(1)\nSomething", "assert f(1) > 2", "assert g(1) == 2",
     "call f(x) to get 5", "f(1) is nice", ">>> x = 1"],
)  # fmt: skip
def test_what_is_no_test_is_none(text: str) -> None:
    assert find(text, "f") == []


def test_the_model_gives_inputs_that_fit_the_parameters() -> None:
    rows = [{"xs": [1], "copy": "a"}, {"xs": [2], "copy": "b"}, {"xs": [1], "copy": "a"}]
    with_tools = tools(FakeModel(lambda _: json.dumps({"inputs": rows * 2})))
    found = problem("def f(xs: list[int], copy: str): ...")
    assert asyncio.run(solve.inputs(found, with_tools)) == [([1], "a"), ([2], "b")]


def test_inputs_that_do_not_fit_are_asked_for_again_and_then_left_out() -> None:
    with_tools = tools(FakeModel(lambda _: json.dumps({"inputs": [{"n": "text"}] * 6})))
    assert asyncio.run(solve.inputs(problem("def f(n: int): ..."), with_tools)) == []


def test_solutions_that_do_not_define_the_function_are_left_out() -> None:
    answers = iter(["```python\ndef f(n):\n    return n\n```", "I cannot.", "def g(n): return 1"])
    with_tools = tools(FakeModel(lambda _: next(answers)))
    made = asyncio.run(solve.solutions(problem("def f(n: int): ..."), range(3), with_tools))
    assert made == ["def f(n):\n    return n\n"]


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("def f(n: int):\n    'Double n.'", "Complete this function:"),
        ("Double n.", "Write the function `def f(n)"),
    ],
)
def test_code_is_completed_and_a_description_is_followed(prompt: str, asked: str) -> None:
    model = FakeModel(lambda _: "def f(n): return 2 * n")
    asyncio.run(solve.solutions(problem("def f(n): ...", prompt), range(1), tools(model)))
    assert asked in model.calls[0][-1].content
