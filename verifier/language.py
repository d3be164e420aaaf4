"""Which language a response is written in, told by py3langid (a small n-gram model, offline)."""

import unicodedata
from functools import cache
from typing import Any

SURE = 0.8
"""Probability that a guess between languages of the Latin script needs; names mislead it."""

READ = 5000
"""Characters that are looked at."""


@cache
def _identifier() -> Any:  # noqa: ANN401 - the library carries no types
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    # Two-letter codes only: short texts are else taken for a relative (Wu for Chinese).
    identifier.set_languages([one for one in identifier.labels if len(one) == 2])
    return identifier


def detect(text: str, default: str = "en") -> str:
    """ISO 639 code of the language a text is written in, `default` where it is not plain.

    >>> detect("长城位于中国北方。"), detect("Zhou Shuren")
    ('zh', 'en')
    """
    letters = [one for one in text[:READ] if one.isalpha()]
    if not letters:
        return default
    code, probability = _identifier().classify(text[:READ])
    latin = sum(unicodedata.name(one, "").startswith("LATIN") for one in letters)
    # A text in another script is certainly not in a Latin-script default.
    trusted = probability >= SURE or latin * 2 < len(letters)
    return str(code) if trusted else default
