"""How words are written before Lucene sees them: one function for passages and for queries."""

import re
import unicodedata

_APOSTROPHES = "ʻʼʽʾʿ"
"""Letters of transliteration that writers leave out: Hawaiʻi, Kaʿba."""

_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


class _Table(dict[int, str]):
    """Filled as characters are met, so that `str.translate` runs in C."""

    def __missing__(self, point: int) -> str:
        self[point] = folded = _fold_letter(chr(point))
        return folded


def _fold_letter(letter: str) -> str:
    if "\u0300" <= letter <= "\u036f" or letter in _APOSTROPHES:
        return ""
    if letter == "\u2019":
        return "'"
    if not letter.isascii() and unicodedata.name(letter, "").startswith("LATIN "):
        from anyascii import anyascii

        return str(anyascii(letter))
    return letter


_TABLE = _Table()


def fold(text: str) -> str:
    """Write Latin letters without diacritics and numbers without grouping commas.

    Letters of other scripts stay as they are. Case is left to Lucene.

    >>> fold("Antonín Dvořák, Łódź, Straße, Ærø, ﬁn")
    'Antonin Dvorak, Lodz, Strasse, Aero, fin'
    >>> fold("3,182 lines; Hawaiʻi; Москва́; 東京; हिन्दी")
    '3182 lines; Hawaii; Москва; 東京; हिन्दी'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_TABLE)
    return _GROUPED.sub("", text) if "," in text else text
