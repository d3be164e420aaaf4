"""Reads Wikipedia as it is published on the hub: Parquet with columns id, url, title and text.

Row group by row group and a few rows at a time, so that memory does not grow with the file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.document import passages
from corpora.errors import CorpusError
from corpora.layouts import Unusable, document
from corpora.passage import Passage
from corpora.reading import Reading, Skipped
from corpora.tables import Numbers
from corpora.told import Told

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "_id", "page_id", "docid"),
    "title": ("title",),
    "text": ("text", "contents"),
    "url": ("url",),
    "revision": ("revision", "revision_id", "revid"),
    "date": ("date", "timestamp", "revision_timestamp", "date_modified"),
    "language": ("language", "lang"),
}
"""What a column may be called; the first that is there is read."""

ROWS = 256
"""Rows in memory at once."""


def read(path: Path, reading: Reading) -> Iterator[Passage]:
    """Passages of the file, in its order; ids are `<file>:<id, else title, else row>:<n>`.

    Raises:
        CorpusError: it is not Parquet, has no column of text, or no row could be read.
    """
    name, numbers, told, found = path.name.split(".")[0], Numbers(), Told(reading), False
    for number, row in _rows(path, replace(reading, skip=told)):
        try:
            one = document(row, reading.language)
        except Unusable as error:
            told(Skipped(f"{path.name}, row {number}", str(error)))
            continue
        found = True
        key = one.id or one.title or str(number)
        for passage in passages(replace(one, id=key), name, reading.words):
            yield replace(passage, id=f"{name}:{key}:{numbers.next(key)}")
    if not found:
        raise told.nothing(path, "Expected are rows with columns id, url, title and text.")


def _rows(path: Path, reading: Reading) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number, counted from 1, and values of each row; a damaged row group is passed over."""
    from pyarrow import ArrowException

    file, size = _opened(path), path.stat().st_size
    with file:
        names = _names(path, file)
        begin = 1
        for group in range(file.num_row_groups):
            reading.progress(size * group // file.num_row_groups, size)
            number = begin
            try:
                for batch in file.iter_batches(ROWS, [group], list(names.values())):
                    for row in batch.to_pylist():
                        yield number, {key: _plain(row[column]) for key, column in names.items()}
                        number += 1
            except (ArrowException, OSError, UnicodeDecodeError) as error:
                place = f"{path.name}, row group {group}, from row {number}"
                reading.skip(Skipped(place, f"damaged ({str(error)[:100]})"))
            begin += file.metadata.row_group(group).num_rows
        reading.progress(size, size)


def _opened(path: Path) -> "ParquetFile":
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(path, buffer_size=2**20, pre_buffer=False)
    except (ArrowException, OSError) as error:
        raise CorpusError(
            f"{path} cannot be read as Parquet: {str(error)[:200]}. Get the file again."
        ) from error


def _names(path: Path, file: "ParquetFile") -> dict[str, str]:
    """Our names of the columns that are there, and the file's."""
    there = file.schema_arrow.names
    names = {
        key: column
        for key, choices in COLUMNS.items()
        for column in [next((one for one in choices if one in there), "")]
        if column
    }
    if "text" not in names:
        raise CorpusError(
            f"{path} has the columns {', '.join(there[:10])}, but none called text. "
            "Expected are id, url, title and text."
        )
    return names


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime | date) else value
