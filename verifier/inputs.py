"""Files and standard input -> responses. Bad input is one InputError that says where and what."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from verifier.errors import InputError
from verifier.recipes import RECIPES
from verifier.task import Task
from verifier.tasks import TASKS
from verifier.values import Response

FORMATS = ("auto", "text", "json", "jsonl")

ROW = '{"response": "..."}'


def find_task(name: str) -> Task:
    """The task of that name.

    Raises:
        InputError: there is none; lists those there are.
    """
    if name not in TASKS:
        raise InputError(f"no task is called {name!r}; there are: {', '.join(TASKS)}")
    return TASKS[name]


def find_recipe(name: str) -> Task:
    """The published method of that name.

    Raises:
        InputError: there is none; lists those there are.
    """
    if name not in RECIPES:
        raise InputError(f"no recipe is called {name!r}; there are: {', '.join(RECIPES)}")
    return RECIPES[name]


def read(
    raw: bytes,
    origin: str,
    *,
    kind: str = "auto",
    prompt: str = "",
    task: str = "",
    recipe: str = "",
    entry_point: str = "",
) -> list[tuple[Response, Task]]:
    """All responses of one input.

    Args:
        raw: the bytes as they were read.
        origin: name of the file, for messages and ids.
        kind: one of `FORMATS`; auto goes by the name's ending, then by how the text begins.
        prompt: what a plain text answers.
        task: a task for all, over what a row says.
        recipe: a published method for all, in place of a task.
        entry_point: the function that code is called by, for rows that name none.

    Raises:
        InputError: not UTF-8, not JSON, an unknown task or a row without a response; the
            message names the line.
    """
    if task and recipe:
        raise InputError(f"give a task ({task}) or a recipe ({recipe}), not both")
    text = decode(raw, origin)
    kind = _sniff(text, origin) if kind == "auto" else kind
    if kind == "text":
        row = {"response": text, "prompt": prompt}
        rows: Iterable[tuple[str, object]] = [(origin, row)]
    elif kind == "json":
        whole = _parse(text, origin)
        many = whole if isinstance(whole, list) else [whole]
        rows = [
            (f"{origin}: item {n}" if len(many) > 1 else origin, one)
            for n, one in enumerate(many, 1)
        ]
    else:
        rows = list(_lines(text, origin))
    if not rows:
        raise InputError(f"{origin} holds no response; a row is {ROW}")
    jobs = [_row(where, one, number, task) for number, (where, one) in enumerate(rows, 1)]
    if entry_point:
        jobs = [(_with_field(one, "entry_point", entry_point), job) for one, job in jobs]
    return [(one, find_recipe(recipe)) for one, _ in jobs] if recipe else jobs


def decode(raw: bytes, origin: str) -> str:
    r"""Bytes as UTF-8 text, a byte order mark taken off.

    >>> decode(b"\xef\xbb\xbfhello", "example")
    'hello'
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{origin} is not UTF-8 text: byte 0x{raw[error.start]:02x} at offset {error.start};"
            " convert it first, for example with iconv"
        ) from error


def response(row: dict[str, object], where: str, number: int = 1) -> Response:
    """A row of JSON as a Response; keys that are not known become its fields if they are text.

    Raises:
        InputError: a value is missing, is not text, or holds a NUL character.
    """
    values: dict[str, str] = {}
    for key in ("id", "response", "prompt", "task"):
        value = row.get(key)
        value = str(value) if key == "id" and isinstance(value, int) else value
        if value is not None and not isinstance(value, str):
            raise InputError(f"{where}: {key!r} must be text, not {type(value).__name__}")
        if value is not None and "\0" in value:
            raise InputError(f"{where}: {key!r} holds a NUL character; that is not text")
        if value is not None:
            values[key] = _encodable(value, key, where)
    if "response" not in values:
        raise InputError(f"{where}: there is no 'response' in it; a row is {ROW}")
    known = {"id", "response", "prompt", "task"}
    return Response(
        id=values.get("id", str(number)),
        text=values["response"],
        prompt=values.get("prompt", ""),
        task=values.get("task", "auto"),
        fields={key: one for key, one in row.items() if key not in known and isinstance(one, str)},
    )


def _with_field(response: Response, name: str, value: str) -> Response:
    return replace(response, fields={name: value, **response.fields})


def _encodable(value: str, key: str, where: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{where}: {key!r} holds half a surrogate pair at {error.start}"
        ) from error
    return value


def _row(where: str, row: object, number: int, task: str) -> tuple[Response, Task]:
    if not isinstance(row, dict):
        raise InputError(f"{where}: a row must be a JSON object, not {type(row).__name__}")
    made = response({**row, "task": task} if task else row, where, number)
    try:
        return made, find_task(made.task)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


def _sniff(text: str, origin: str) -> str:
    ending = Path(origin).suffix.lower()
    if ending in (".json", ".jsonl", ".ndjson"):
        return "json" if ending == ".json" else "jsonl"
    if not text.lstrip().startswith("{"):
        return "text"
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        first = text.lstrip().splitlines()[0]
        # Several objects, or one broken row of several: "response" tells it from prose in braces.
        return "jsonl" if error.msg == "Extra data" or '"response"' in first else "text"
    return "json"


def _parse(text: str, where: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{where}: not JSON: {error.msg} at {at}") from error
    except RecursionError as error:
        raise InputError(f"{where}: not usable JSON: nested too deeply") from error


def _lines(text: str, origin: str) -> Iterator[tuple[str, object]]:
    # split("\n"), not splitlines(): JSON strings may hold U+2028 and its like unescaped.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{origin}: line {number}"
            try:
                yield where, json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(
                    f"{where}: not JSON: {error.msg} at column {error.colno}"
                ) from error
            except RecursionError as error:
                raise InputError(f"{where}: not usable JSON: nested too deeply") from error
