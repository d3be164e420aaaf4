"""A report as plain JSON values, and back. `docs/report-schema.md` explains every field.

Laws: `to_dict(from_dict(d)) == d`; `from_dict(to_dict(r)) == r` up to 6 decimals, where the
settings of `r` are plain JSON values.
"""

import dataclasses
import enum
import json
import math
import numbers
import re
from collections.abc import Mapping, Set
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from verifier.values import Report

SCHEMA_VERSION = "offline-verifier/report/1"
"""Value of the `schema` field. The last number changes when a field changes its meaning."""

_DIGITS = 6
_NEVER_NULL = frozenset({"score", "probabilities", "seconds"})
# JSON escapes C0 itself. These would also act on a terminal, break a line of a JSONL file for
# `str.splitlines`, or not be UTF-8 at all. In JSON text they can only stand inside a string.
_TO_ESCAPE = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class ReportFormatError(ValueError):
    """The data is not a report of a version this package reads."""


def to_dict(report: Report) -> dict[str, Any]:
    """Turns a report into dicts, lists, strings, numbers, booleans and None.

    Keys are in the order of the fields in `verifier.values`; None and empty values are kept.
    A number that is not finite becomes None, or 0.0 where the field has to be a number.
    """
    return {"schema": SCHEMA_VERSION, **plain(report)}


def dumps(report: Report, indent: int | None = None) -> str:
    """Writes a report as JSON: one line if `indent` is None, fit to be a line of a JSONL file.

    The text is valid UTF-8 and safe to print, whatever the response holds.
    """
    text = json.dumps(to_dict(report), ensure_ascii=False, allow_nan=False, indent=indent)
    return _TO_ESCAPE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def from_dict(data: Mapping[str, Any]) -> Report:
    """Reads a report back.

    Raises:
        ReportFormatError: the `schema` is another one, or a field is missing or of a wrong type.
    """
    found = data.get("schema")
    if found != SCHEMA_VERSION:
        raise ReportFormatError(
            f"The report has schema {found!r}, but this version reads {SCHEMA_VERSION!r}. "
            "Read it with the version of offline-verifier that wrote it, or verify again."
        )
    fields = {key: value for key, value in data.items() if key != "schema"}
    try:
        return _adapter().validate_python(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ReportFormatError(
            f"The report is damaged at {where!r}: {first['msg']}. "
            "docs/report-schema.md says what belongs there."
        ) from error


@cache
def _adapter() -> TypeAdapter[Report]:
    """Built at the first use: it takes some milliseconds."""
    return TypeAdapter(Report)


def plain(value: object, unknown: float | None = None) -> Any:  # noqa: ANN401
    """Turns any value into JSON values; what JSON does not know is written as its `str`.

    `unknown` stands in for numbers that are not finite.

    >>> from verifier.values import Status
    >>> plain({"k": (1, float("inf"), Status.EMPTY)})
    {'k': [1, None, 'empty']}
    """
    if isinstance(value, enum.Enum):
        return value.value
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, numbers.Real):
        return _number(value, unknown)
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {n: plain(getattr(value, n), 0.0 if n in _NEVER_NULL else None) for n in names}
    if isinstance(value, Mapping):
        return {str(key): plain(item, unknown) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item, unknown) for item in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(item, unknown) for item in value]
    return str(value)


def _number(value: numbers.Real, unknown: float | None) -> float | int | None:
    """Integers stay integers; NumPy's numbers become Python's."""
    if isinstance(value, numbers.Integral):
        return int(value)
    number = float(value)
    return round(number, _DIGITS) if math.isfinite(number) else unknown
