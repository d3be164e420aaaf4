"""Input of all kinds; bad input is one line that says where."""

import pytest

from verifier.errors import InputError
from verifier.inputs import read


def test_plain_text_is_one_response() -> None:
    ((response, task),) = read(b"The Nile is long.", "a.txt", prompt="Rivers?")
    assert (response.text, response.prompt, task.name) == ("The Nile is long.", "Rivers?", "auto")


def test_json_lines_are_sniffed_from_their_beginning() -> None:
    raw = b'{"id": "a", "response": "x"}\n\n{"id": 7, "response": "y", "source": "z"}\n'
    jobs = read(raw, "standard input")
    assert [one.id for one, _ in jobs] == ["a", "7"]
    assert jobs[1][0].fields == {"source": "z"}


def test_prose_in_braces_is_text() -> None:
    assert read(b"{curly} words", "-")[0][0].text == "{curly} words"


def test_a_task_of_the_command_wins_over_the_row() -> None:
    raw = b'{"response": "x", "task": "longfact"}'
    assert read(raw, "a.json", task="kbqa")[0][1].name == "kbqa"


@pytest.mark.parametrize(
    ("raw", "name", "said"),
    [
        (b"caf\xe9", "a.txt", "0xe9 at offset 3"),
        (b"a\0b", "a.txt", "NUL"),
        (b'{"response": "a"}\n{"response": \n', "a.jsonl", "line 2: not JSON"),
        (b'{"response": "a"}\n[1]\n', "a.jsonl", "line 2: a row must be a JSON object"),
        (b'{"text": "a"}', "a.json", "no 'response'"),
        (b'{"response": 5}', "a.json", "'response' must be text, not int"),
        (b'{"response": "a", "task": "poetry"}', "a.json", "no task is called 'poetry'"),
        (b'{"response": "\\ud800"}', "a.json", "surrogate"),
        (b"[" * 100_000, "a.json", "nested too deeply"),
        (b'{"response": "a"}\n{"response": "a", "task": "x"}', "a.jsonl", "line 2: no task"),
    ],
)
def test_bad_input_is_one_line_that_says_where(raw: bytes, name: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(raw, name)
    assert said in str(caught.value)
    assert str(caught.value).startswith(name)
    assert "\n" not in str(caught.value)
