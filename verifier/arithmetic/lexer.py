"""A text -> tokens of arithmetic, each with its place. Words stay words; LaTeX becomes signs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache


class Kind(Enum):
    """What a token is."""

    NUMBER = auto()
    SHARE = auto()
    """A fraction in a word: half, third, quarter ..."""
    OPERATOR = auto()
    PERCENT = auto()
    POWER = auto()
    """A raised number such as a superscript two."""
    FACTORIAL = auto()
    OPEN = auto()
    CLOSE = auto()
    FUNCTION = auto()
    EQUAL = auto()
    WORD = auto()
    BORDER = auto()
    """The end of a sentence, a line or a clause."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its half-open place in the text."""

    kind: Kind
    text: str
    start: int
    end: int
    value: Fraction = Fraction(0)
    places: int = 0
    """Digits after the point that are shown; negative for a number in thousands or millions."""


DIGITS = 400
"""Digits of one number at most; more is no arithmetic."""

SPACE = r"(?:[ \t\u00a0\u2009\u202f]|\\[,;:! ]|\\q?quad\b|\\left\b|\\right\b|\\displaystyle\b)"

NUMBER = re.compile(
    r"(?:\d{1,3}(?:(?P<gap>[, _\u00a0\u2009\u202f']|\{,\})\d{3})(?:(?P=gap)\d{3})*(?!\d)|\d+)?"
    r"(?:\.\d+|(?<=\d)\.(?=\s*[-+*/=)]))?(?:(?<=\d)[eE][-+\u2212]?\d{1,3}(?!\w))?"
)
GOES_ON = re.compile(r"\.\d|,\d|[^\W\d_]{3,}\d|:\d")
SCALE = re.compile(r"[ \u00a0-]?(hundred|thousand|million|billion|trillion)\b", re.IGNORECASE)
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}

LATEX = {
    r"\times": "*",
    r"\cdot": "*",
    r"\ast": "*",
    r"\div": "/",
    r"\approx": "\u2248",
    r"\simeq": "\u2248",
    r"\pi": "\u03c0",
    r"\%": "%",
    r"\sqrt": "sqrt",
    r"\frac": "frac",
    r"\dfrac": "frac",
    r"\tfrac": "frac",
    r"\ne": "\u2260",
    r"\neq": "\u2260",
    r"\implies": ";",
    r"\Rightarrow": ";",
    r"\\": ";",
}
SIGNS = {
    **dict.fromkeys("*\u00d7\u00b7\u22c5\u2219\u2217", "*"),
    **dict.fromkeys("/\u00f7\u2215", "/"),
    **dict.fromkeys("-\u2212\u2013", "-"),
    "+": "+",
    "^": "^",
}
PHRASES = (
    (re.compile(r"(?:multiplied by|times)\b", re.IGNORECASE), "*"),
    (re.compile(r"divided by\b", re.IGNORECASE), "/"),
    (re.compile(r"(?:added to|plus)\b", re.IGNORECASE), "+"),
    (re.compile(r"minus\b", re.IGNORECASE), "-"),
    (re.compile(r"(?:raised )?to the power (?:of )?", re.IGNORECASE), "^"),
    (re.compile(r"of\b", re.IGNORECASE), "of"),
    (re.compile(r"increased by\b", re.IGNORECASE), "up"),
    (re.compile(r"(?:decreased|reduced) by\b", re.IGNORECASE), "down"),
)
EQUALS = re.compile(
    r"(?:which |that |this |it )?(?:(?:is|are) equal to|equals?|is the same as|comes to|makes?|"
    r"gives?|results? in|amounts? to|adds? up to|is|are|was|were)\b",
    re.IGNORECASE,
)
ABOUT = re.compile(
    r"[,\s]*(?:about|approximately|roughly|approx\.?|around|nearly|almost|~)", re.IGNORECASE
)
SHARES = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
WORDS = {
    "squared": (Kind.POWER, "", 2),
    "cubed": (Kind.POWER, "", 3),
    "pi": (Kind.WORD, "\u03c0", 0),
    "sqrt": (Kind.FUNCTION, "sqrt", 0),
    "abs": (Kind.FUNCTION, "abs", 0),
    "percent": (Kind.PERCENT, "%", 0),
    "twice": (Kind.SHARE, "", 2),
    "double": (Kind.SHARE, "", 2),
    "triple": (Kind.SHARE, "", 3),
    "thrice": (Kind.SHARE, "", 3),
}
"""Words and the kind, text (empty: their own) and value of their token."""

MARKS = {
    **dict.fromkeys("([{", Kind.OPEN),
    **dict.fromkeys(")]}", Kind.CLOSE),
    "%": Kind.PERCENT,
    "\u221a": Kind.FUNCTION,
}
EQUAL = re.compile(r"==?|[\u2248\u2245\u2243]|~=?(?=\s*[$\d])")
FACTORIAL = re.compile(r"!(?!=)(?=\s*[-+*/^=)\u00d7\u00f7\u00b7!])")
SUPERSCRIPTS = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-"
)
RAISED_MOST = 5
"""Raised digits in a row at most."""

RAISED = re.compile(r"[\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
VULGAR = {
    "\u00bd": (1, 2),
    "\u00bc": (1, 4),
    "\u00be": (3, 4),
    "\u2153": (1, 3),
    "\u2154": (2, 3),
    "\u215b": (1, 8),
}
WORD = re.compile(r"(?:\u00b0\s?)?[^\W\d_]+(?:['\u2019][^\W\d_]+)*(?:/[^\W\d_]+)*['\u2019]?|\u00b0")
JOINED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf|operatorname)\s*\{([^{}]*)\}")
BOXED = re.compile(r"\\boxed\s*")
MONEY = re.compile(r"(?:US|A|C|NZ|HK)?\\?\$+|[\u20ac\u00a3\u00a5\u20b9]|\\[()\[\]]")
SKIPPED = re.compile(rf"(?:{SPACE}|(?<=[^\W\d_])-(?=[^\W\d_])|[\"\u201c\u201d`&])")


def tokens(text: str) -> list[Token]:
    """All tokens of a text, in order; currency signs and formula marks are passed over.

    >>> [one.text for one in tokens("3 x $4 = 12.")]
    ['3', '*', '4', '=', '12', '.']
    """
    made: list[Token] = []
    at = 0
    while at < len(text):
        token, at = _next(text, at, made)
        if token is not None:
            made.append(token)
    return made


def _next(text: str, at: int, before: list[Token]) -> tuple[Token | None, int]:
    """The token at a place, if one begins there, and the place behind it."""
    character = text[at]
    if character == "\n":
        return Token(Kind.BORDER, "\n", at, at + 1), at + 1
    if found := MONEY.match(text, at) or BOXED.match(text, at):
        return None, found.end()
    if found := TEXT.match(text, at):
        return Token(Kind.WORD, found[1].strip() or "text", at, found.end()), found.end()
    if token := _number(text, at):
        return token, token.end
    if character == "\\":
        return _latex(text, at)
    if text.startswith("**", at) and not (_is_operand(before) and _is_power(text, at)):
        return None, at + 2
    if found := SKIPPED.match(text, at):
        return None, found.end()
    if token := _sign(text, at, before) or _word(text, at, before):
        return token, token.end
    return Token(Kind.BORDER, character, at, at + 1), at + 1


def _number(text: str, at: int) -> Token | None:
    if text[at] in VULGAR:
        return Token(Kind.NUMBER, text[at], at, at + 1, Fraction(*VULGAR[text[at]]))
    found = NUMBER.match(text, at)
    if not found or not found[0].strip("., ") or found[0][0] not in ".0123456789":
        return None
    end = found.end()
    # 3.2.1 is a version, 12:05 a time, 3,5 a number as others write it: all of them are words.
    if GOES_ON.match(text, end) or len(found[0]) > DIGITS:
        end = re.compile(r"[\w.:,]*\w").match(text, at).end()  # type: ignore[union-attr]
        return Token(Kind.WORD, text[at:end], at, end)
    digits, _, power = found[0].lower().replace("\u2212", "-").partition("e")
    whole, _, part = re.sub(r"[^\d.]", "", digits).partition(".")
    shift = int(power or 0)
    value, places = Fraction(f"{whole or 0}.{part or 0}") * Fraction(10) ** shift, len(part) - shift
    if scale := SCALE.match(text, end):
        zeros = SCALES[scale[1].lower()]
        value, places, end = value * 10**zeros, places - zeros, scale.end()
    return Token(Kind.NUMBER, text[at:end], at, end, value, places)


def _latex(text: str, at: int) -> tuple[Token | None, int]:
    found = re.compile(r"\\(?:[A-Za-z]+|.)?", re.DOTALL).match(text, at)
    end = found.end() if found else at + 1
    sign = LATEX.get(text[at:end])
    if sign is None:
        is_space = re.fullmatch(SPACE, text[at:end]) is not None
        return None if is_space else Token(Kind.BORDER, text[at:end], at, end), end
    if sign in ("sqrt", "frac"):
        return Token(Kind.FUNCTION, sign, at, end), end
    kinds = {"%": Kind.PERCENT, "\u2248": Kind.EQUAL, "\u03c0": Kind.WORD}
    kind = kinds.get(sign, Kind.OPERATOR if sign in "*/" else Kind.BORDER)
    return Token(kind, sign, at, end), end


def _sign(text: str, at: int, before: list[Token]) -> Token | None:
    if text.startswith("**", at) and _is_power(text, at):
        return Token(Kind.OPERATOR, "^", at, at + 2)
    if found := EQUAL.match(text, at):
        return _equal(text, at, found.end(), "=", "\u2248", about=found[0] not in ("=", "=="))
    if (found := RAISED.match(text, at)) and len(found[0]) <= RAISED_MOST:
        value = Fraction(int(found[0].translate(SUPERSCRIPTS)))
        return Token(Kind.POWER, found[0], at, found.end(), value)
    # An exclamation mark is a factorial only where the arithmetic goes on.
    if FACTORIAL.match(text, at) and before and before[-1].end == at and _is_operand(before):
        return Token(Kind.FACTORIAL, "!", at, at + 1)
    if text[at] in SIGNS:
        return Token(Kind.OPERATOR, SIGNS[text[at]], at, at + 1)
    kind = MARKS.get(text[at])
    return Token(kind, "sqrt" if kind is Kind.FUNCTION else text[at], at, at + 1) if kind else None


def _is_power(text: str, at: int) -> bool:
    """True for `2**3` and `2 ** 3`; `**5** + 3` is bold."""
    before, after = text[at - 1 : at].isspace(), text[at + 2 : at + 3]
    return before == after.isspace() and after not in ("", "*")


def _equal(text: str, at: int, end: int, sign: str, nearly: str, *, about: bool) -> Token:
    """A sign of equality, or another one if the text says that it is only nearly right."""
    if more := ABOUT.match(text, end):
        about, end = True, more.end()
    return Token(Kind.EQUAL, nearly if about else sign, at, end)


def _word(text: str, at: int, before: list[Token]) -> Token | None:
    if text[at] in "xX" and _is_times(text, at, before):
        return Token(Kind.OPERATOR, "*", at, at + 1)
    if not (found := WORD.match(text, at)):
        return None
    for pattern, sign in PHRASES:
        if phrase := pattern.match(text, at):
            return Token(Kind.OPERATOR, sign, at, phrase.end())
    if phrase := EQUALS.match(text, at):
        return _equal(text, at, phrase.end(), "is", "is about", about=False)
    if (joined := JOINED.match(text, at)) and (token := _joined(joined, at)):
        return token
    return _meaning(found[0].lower(), Token(Kind.WORD, found[0], at, found.end()))


def _joined(found: re.Match[str], at: int) -> Token | None:
    """A number or a share in joined words: `twenty-five`, `two-thirds`."""
    word = found[0].lower()
    first, _, last = word.rpartition("-")
    count, share = _spelled(first), SHARES.get(last.removesuffix("s")) or SHARES.get(last)
    if count and share:
        return Token(Kind.SHARE, found[0], at, found.end(), Fraction(count, share))
    value = _spelled(word)
    return None if value is None else Token(Kind.NUMBER, found[0], at, found.end(), Fraction(value))


def _meaning(word: str, token: Token) -> Token:
    """A word as what it means in arithmetic, if anything."""
    if word in WORDS:
        kind, text, value = WORDS[word]
        return replace(token, kind=kind, text=text or token.text, value=Fraction(value))
    for share in (word, word.removesuffix("s")):
        if share in SHARES:
            return replace(token, kind=Kind.SHARE, value=Fraction(1, SHARES[share]))
    spelled = _spelled(word)
    return token if spelled is None else replace(token, kind=Kind.NUMBER, value=Fraction(spelled))


@lru_cache(maxsize=4096)
def _spelled(word: str) -> int | None:
    """The number that one word spells, such as `five`; None for other words.

    >>> _spelled("twelve"), _spelled("apples")
    (12, None)
    """
    from text_to_num import text2num

    try:
        return int(text2num(word, "en"))
    except ValueError:
        return None


def _is_operand(before: list[Token]) -> bool:
    """True if what was read last can stand before an operator."""
    kinds = (Kind.NUMBER, Kind.CLOSE, Kind.PERCENT, Kind.POWER, Kind.FACTORIAL)
    if not before:
        return False
    last = before[-1]
    return last.kind in kinds or (last.kind is Kind.WORD and len(last.text) == 1)


def _is_times(text: str, at: int, before: list[Token]) -> bool:
    """True if an x between two operands means multiplication: `3 x 4`, `2.5 x $6`, `(1) x (2)`.

    >>> _is_times("3 x 4", 2, tokens("3 ")), _is_times("3x + 4", 1, tokens("3"))
    (True, False)
    """
    follows = re.compile(r"[xX]\s*(?:\\?\$\s*|[\u20ac\u00a3]\s*)?[\d.(\\]").match(text, at)
    spaced = text[at + 1 : at + 2] in " \t" and text[at - 1 : at] in " \t"
    adjacent = text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit()
    operand = bool(before) and before[-1].kind in (Kind.NUMBER, Kind.CLOSE, Kind.PERCENT, Kind.WORD)
    return follows is not None and operand and (spaced or adjacent or text[at + 1] in "($")


def numbers(text: str) -> Iterator[Token]:
    """The numbers of a text."""
    return (one for one in tokens(text) if one.kind is Kind.NUMBER)
