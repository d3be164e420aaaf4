"""How a report is written for programs: one file each, and its line here."""

from collections.abc import Callable, Mapping

from verifier.render import factool, json_, safe
from verifier.values import Report

DUMPS: Mapping[str, Callable[[Report, int | None], str]] = {
    "json": json_.dumps,
    "factool": factool.dumps,
    "safe": safe.dumps,
}
"""Report and indent (None: one line) -> JSON."""
