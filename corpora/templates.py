"""What templates show: the facts in them, as a reader of the page sees them.

A dump holds calls of templates, not what they make. Those that carry facts are worked out by the
tables of `template_dates`, `template_units`, `template_words` and `template_functions`; those that
are no part of the article's text (templates.toml) show nothing; any other shows its values,
so that no number is lost of a template that nobody listed.
"""

import re
from collections.abc import Mapping

from corpora import template_functions
from corpora.template_call import Arguments, Page, Show
from corpora.template_dates import DATES
from corpora.template_names import is_silent
from corpora.template_units import QUANTITIES
from corpora.template_words import WORDS, in_language

BOX_START, BOX_END = "\x1c", "\x1d"

BOX_FIELDS = 4
"""Named values from which on an unknown template is a box, and not words of a sentence."""

SHOWN: Mapping[str, Show] = {**WORDS, **DATES, **QUANTITIES}


def shows_nothing(key: str) -> bool:
    """Whether a template, by its key, shows nothing that is part of the article's text.

    >>> shows_nothing("cite web"), shows_nothing("convert"), shows_nothing("end date")
    (True, False, False)
    """
    return key not in SHOWN and is_silent(key)


def show(name: str, key: str, arguments: Arguments, page: Page) -> str:
    """The text that a template shows.

    Args:
        name: As it was written.
        key: `template_call.key(name)`.
        arguments: Its values.
        page: Where it stands.

    >>> show("birth date", "birth date", Arguments(["1947", "3", "5"], {}), Page())
    'March 5, 1947'
    """
    if ":" in name:
        function = template_functions.show(name, arguments, page)
        if function is not None:
            return function
    if shape := SHOWN.get(key) or in_language(key):
        return shape(arguments, page)
    if not arguments.listed and not arguments.named:
        return ""
    if _BOX_NAME.search(key):
        lines = _fields(arguments)
        return BOX_START + "\n".join(lines) + BOX_END if lines else ""
    if len(arguments.named) >= BOX_FIELDS:
        return "\n" + "; ".join(_fields(arguments)) + "\n"
    return _values(arguments)


def _fields(arguments: Arguments) -> list[str]:
    lines = [f"{_field(name)}: {_flat(value)}" for name, value in _visible(arguments)]
    return lines + [_flat(value) for value in arguments.texts() if _is_said(value)]


def _values(arguments: Arguments) -> str:
    values = [value for value in arguments.texts() if _is_said(value)]
    values += [value for name, value in _visible(arguments) if not name.isdigit()]
    return " ".join(_flat(value) for value in values)


def _visible(arguments: Arguments) -> list[tuple[str, str]]:
    return [
        (name, value)
        for name, value in arguments.named.items()
        if _is_said(value) and not name.isdigit() and not _UNSEEN_FIELD.fullmatch(name.lower())
    ]


def _field(name: str) -> str:
    """A field's name in words, without the number of its row.

    >>> _field("birth_date"), _field("years12"), _field("area_total_km2")
    ('birth date', 'years', 'area total km2')
    """
    words = name.replace("_", " ").strip()
    return words if words.endswith("km2") else words.rstrip("0123456789 ") or words


def _is_said(value: str) -> bool:
    """Whether a value is for readers, and not a switch or the name of a file or colour."""
    return bool(value.strip()) and not _SWITCH.fullmatch(value.strip())


def _flat(value: str) -> str:
    value = value.strip()
    return _BREAK.sub(", ", value) if "\n" in value else value


_BREAK = re.compile(r"\s*\n\s*")
_BOX_NAME = re.compile(
    r"infobox|taxobox|geobox|speciesbox|chembox|drugbox|starbox|info ?box|automatic taxobox"
    r"|inligtingskas|infokast|infolentelė|lentelė|^(?:gnf )?protein box$|^enzyme$|^ficha "
)
_SWITCH = re.compile(
    r"(?:auto|yes|no|y|n|on|off|none|left|right|center|inline|title|inline, ?title|#[0-9a-f]{3,8}"
    r"|\d+(?:\.\d+)?\s*(?:px|em)|https?://\S+"
    r"|[^\n]+\.(?:jpe?g|png|svg|gif|tiff?|webp|ogg|oga|ogv|webm|mp3|pdf|stl))",
    re.IGNORECASE,
)
_UNSEEN_FIELD = re.compile(
    r".*(?:image|img|photo|file(?:name)?|logo|flag|signature|picture)[ _]?\d*"
    r"|.*(?:size|width|align|style|colou?r|class|upright|alt|zoom|format|lang"
    r"|[ _]type|[ _]link|[ _]refs?|footnotes?|url|website|homepage|display|scale)[ _]?\d*"
    r"|map.*|pushpin.*|coordinates_.*|bg.*|text_?colou?r.*|embed|child|df|mf|ref|name_?list_?style"
    r"|pattern_.*|leftarm\d*|body\d*|rightarm\d*|shorts\d*|socks\d*|access-?date"
    r"|archive-?(?:url|date)|nocat|categor(?:y|ies)|state|collapsed?|sort|sortkey",
)
