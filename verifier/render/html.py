"""Reports as one self-contained page: no script, style, font or picture comes from elsewhere.

The page forbids itself to load anything (Content-Security-Policy); its own style and script are
allowed by their hashes. It works without the script: links, check boxes and `details` suffice.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from verifier.render import json_, spans, words
from verifier.values import Label, Report, Status

_WEB_ADDRESS = re.compile(r"https?://[^\s\"'<>\\\x00-\x20\x7f-\x9f]+", re.IGNORECASE)


def render(reports: Sequence[Report]) -> str:
    """Writes one HTML page for any number of reports; several get an index at the top.

    Everything from the reports is escaped and disarmed; an evidence address becomes a link only
    if it is a web address.
    """
    css, script = _packaged("report.css"), _packaged("report.js")
    policy = (
        f"default-src 'none'; style-src '{_digest(css)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        _environment()
        .get_template("report.html.jinja")
        .render(
            reports=reports,
            # Our own files, not data; the hashes in the policy are of exactly these characters.
            css=Markup(css),  # noqa: S704
            script=Markup(script),  # noqa: S704
            policy=policy,
        )
    )


def web_address(url: str) -> str:
    """The address if a browser may be sent there, else nothing.

    >>> web_address("https://en.wikipedia.org/wiki/Agra"), web_address("javascript:alert(1)")
    ('https://en.wikipedia.org/wiki/Agra', '')
    """
    return url if _WEB_ADDRESS.fullmatch(url) else ""


@cache
def _environment() -> Environment:
    """The template's world: autoescape for HTML, `finalize` for what HTML does not escape."""
    environment = Environment(
        loader=PackageLoader("verifier", "render"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(
        around_quote=spans.around_quote,
        cited=spans.cited,
        counts=words.counts,
        split=spans.split,
        Label=Label,
        Status=Status,
        label_words=words.LABEL_WORDS,
        status_words=words.STATUS_WORDS,
        symbols=words.SYMBOLS,
        why_words=words.WHY_WORDS,
        amount=words.amount,
        sources=words.sources,
    )
    environment.filters.update(
        percent=words.percent,
        score=words.score,
        one_line=words.one_line,
        web_address=web_address,
        pretty=_pretty,
    )
    return environment


def _finalize(value: object) -> object:
    """Disarms each text on its way out, so that no place in the template can forget to."""
    is_data = isinstance(value, str) and not isinstance(value, Markup)
    return words.disarm(str(value)) if is_data else value


def _pretty(value: object) -> str:
    return json.dumps(json_.plain(value), indent=2, ensure_ascii=False)


def _packaged(name: str) -> str:
    return resources.files("verifier.render").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The hash source of a policy, e.g. `sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=`."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
