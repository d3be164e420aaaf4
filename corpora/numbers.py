"""Numbers and names of months in a text, written one way, to be counted."""

import re
from calendar import month_name
from collections import Counter

MONTHS = tuple(name.lower() for name in month_name if name)

_TOKEN = re.compile(rf"\d+(?:[,.]\d+)*|\b(?:{'|'.join(MONTHS)})\b", re.IGNORECASE)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def tokens(text: str) -> Counter[str]:
    """How often each number and each English name of a month occurs.

    Thousands are written without commas and whole numbers without leading zeros, so that `1,642`
    is `1642` and `05` is `5`.

    >>> sorted(tokens("On 05 May it was 1,642.5 m, and 3,4 or 2.50.").items())
    [('1642.5', 1), ('2.50', 1), ('3', 1), ('4', 1), ('5', 1), ('may', 1)]
    """
    found: Counter[str] = Counter()
    for token in _TOKEN.findall(text):
        if not token[0].isdecimal():
            found[token.lower()] += 1
        elif _GROUPED.fullmatch(token):
            found[re.sub(r"[^\d.]", "", token).lstrip("0") or "0"] += 1
        else:
            for part in token.split(","):
                found[part.lstrip("0") if part.isdecimal() and part.strip("0") else part] += 1
    return found
