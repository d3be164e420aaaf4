"""Reads DPR's passages of Wikipedia (`psgs_w100.tsv`): columns id, text and title.

They were cut to 100 words by others and keep their ids, so that published figures can be compared
with ours. Quoted as Python's csv module writes it; a row of one line that is quoted otherwise is
taken as it stands.
"""

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from corpora.document import Document, Section
from corpora.passage import Passage
from corpora.reading import Reading, Skipped
from corpora.rows import rows
from corpora.tables import whole
from corpora.told import Told

COLUMNS = ("id", "text", "title")

LINES = 50
"""As many lines a quoted text may have before its end is given up."""

Line = tuple[int, str]


def read(path: Path, reading: Reading) -> Iterator[Passage]:
    """Passages of the file, in its order and with its ids.

    Raises:
        CorpusError: no line of the file is a passage; says what is wrong with the first.
    """
    name, told, found = path.name.split(".")[0], Told(reading), False
    for number, cells in _cells(rows(path, replace(reading, skip=told))):
        if number == 1 and [cell.strip().lower() for cell in cells] == list(COLUMNS):
            continue
        if len(cells) != len(COLUMNS) or not cells[0].strip() or not cells[1].strip():
            problem = f"{len(cells)} cells, not {', '.join(COLUMNS)}"
            if len(cells) == len(COLUMNS):
                problem = "no id or no text"
            told(Skipped(f"{path.name}, line {number}", problem))
            continue
        found = True
        key, text, title = cells
        language = reading.language or "en"
        one = Document(key, title, (Section(text),), language=language)
        yield from whole(one, key.strip(), name, reading.words)
    if not found:
        raise told.nothing(path, "A line holds an id, a text and a title, with tabs between.")


def _cells(lines: Iterator[Line]) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row; a quoted text may go over several lines."""
    waiting: deque[Line] = deque()
    while waiting or (fresh := next(lines, None)):
        if not waiting and fresh:
            waiting.append(fresh)
        number, line = waiting.popleft()
        cells = _row(line)
        if len(cells) != len(COLUMNS) and '"' in line:
            cells = _longer(line, waiting, lines) or cells
        yield number, cells


def _longer(line: str, waiting: deque[Line], lines: Iterator[Line]) -> list[str]:
    """The cells of a row that goes on in the next lines; empty if it does not."""
    text = line
    for count in range(LINES):
        if count == len(waiting):
            following = next(lines, None)
            if following is None:
                return []
            waiting.append(following)
        alone = _row(waiting[count][1])
        if len(alone) == len(COLUMNS) and alone[0].isdecimal():
            return []
        text += "\n" + waiting[count][1]
        cells = _strict(text)
        if len(cells) == len(COLUMNS):
            for _ in range(count + 1):
                waiting.popleft()
            return cells
    return []


def _row(line: str) -> list[str]:
    """The cells of a line; as they stand if the quotes do not close."""
    return (_strict(line) if '"' in line else []) or line.rstrip("\r").split("\t")


def _strict(text: str) -> list[str]:
    """The cells of quoted text; none if the quotes are not as the csv module writes them."""
    try:
        return next(csv.reader([text.rstrip("\r")], delimiter="\t", strict=True), [])
    except csv.Error:
        return []
