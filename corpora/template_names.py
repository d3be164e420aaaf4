"""The lists of templates in templates.toml."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files


def names(group: str) -> frozenset[str]:
    """The names of a group, e.g. `plain`.

    >>> "nowrap" in names("plain")
    True
    """
    return frozenset(_lists()[group])


def is_silent(key: str) -> bool:
    """Whether a template, by its key, shows nothing that is part of the article's text.

    >>> is_silent("cite book"), is_silent("australia-stub"), is_silent("infobox lake")
    (True, True, False)
    """
    exact, begins, ends = _silent()
    return key in exact or key.startswith(begins) or key.endswith(ends)


@lru_cache(maxsize=1)
def _silent() -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]:
    lists = _lists()
    return frozenset(lists["silent"]), tuple(lists["silent_begins"]), tuple(lists["silent_ends"])


@lru_cache(maxsize=1)
def _lists() -> Mapping[str, list[str]]:
    return tomllib.loads(files("corpora").joinpath("templates.toml").read_text("utf-8"))
