"""The small words of references: names, lists of names, years, identifiers, as patterns.

Every pattern is bounded and runs on short stretches, so that no text takes long.
"""

import re

UPPER = r"[A-Z\u00c0-\u00de\u0100-\u017d\u0391-\u03a9\u0410-\u042f]"
INITIALS = rf"{UPPER}\.(?:[ -]?{UPPER}\.){{0,4}}"
SURNAME = rf"(?:[OD]['\u2019])?{UPPER}[\w'\u2019-]{{1,40}}"
SMALL = r"(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|ten|ter|zu|al|bin|ibn|el)"
RUN_TOGETHER = r"[A-Z]{1,3}(?=\s*[,.;&]|\s+(?:et|and)\b)"
TOKEN = rf"(?:{INITIALS}|{SURNAME}|{SMALL}(?=\s)|{RUN_TOGETHER}|[JS]r\.)"
BETWEEN = r"(?:\s{0,3}[,;]\s{0,3}(?:and\s|&\s{0,3})?|\s{1,3}(?:and|&|und|y)\s{1,3}|\s{1,3})"
ET_AL = (
    r"(?:[,;]?\s{0,3}(?:et\.?\s?al\b\.?|and\s(?:others|colleagues|co-?workers)\b"
    r"|(?:,\s?)?(?:\.\.\.|\u2026)\s?&?\s?[\w. ]{0,40}))"
)
NAMES = rf"{TOKEN}(?:{BETWEEN}{TOKEN}){{0,80}}{ET_AL}?"

YEAR = r"(?:1[5-9]\d\d|20\d\d)"

IS_NAMES = re.compile(NAMES)

NO_NAME = frozenset(
    (
        *(
            "a",
            "according",
            "additionally",
            "all",
            "also",
            "although",
            "an",
            "and",
            "another",
            "as",
        ),
        *(
            "at",
            "authors",
            "both",
            "but",
            "by",
            "cf",
            "cite",
            "consider",
            "early",
            "example",
            "finally",
        ),
        *(
            "first",
            "for",
            "from",
            "further",
            "furthermore",
            "here",
            "how",
            "however",
            "in",
            "indeed",
        ),
        *(
            "it",
            "its",
            "later",
            "many",
            "moreover",
            "one",
            "other",
            "our",
            "paper",
            "papers",
            "prior",
        ),
        *(
            "read",
            "recall",
            "recent",
            "recently",
            "references",
            "second",
            "see",
            "several",
            "similarly",
        ),
        *(
            "since",
            "some",
            "specifically",
            "studies",
            "study",
            "such",
            "that",
            "the",
            "their",
            "then",
        ),
        *(
            "there",
            "to",
            "these",
            "they",
            "third",
            "this",
            "those",
            "two",
            "three",
            "under",
            "unlike",
            "we",
        ),
        *("what", "when", "while", "with", "work", "works", "title", "author", "year", "published"),
    )
)
"""Capitalised words that begin a sentence, not a list of names."""


def trimmed(text: str) -> str:
    """A list of names without words before it that are none, and punctuation around it.

    >>> trimmed("See Hallstrom and Ngata"), trimmed("In the Paper"), trimmed("According to Li, A.")
    ('Hallstrom and Ngata', '', 'Li, A.')
    """
    text = text.strip(" ,;:\n\t*_")
    while text:
        word = re.match(r"[\w'\u2019-]+", text)
        is_initial = text[1:2] == "."
        if not word or is_initial or word[0].lower() not in NO_NAME:
            return text
        text = text[word.end() :].lstrip(" ,;:.\n\t")
    return ""


def last_names(text: str) -> tuple[int, str]:
    """The list of names that a text ends with, and where it begins; (-1, "") if there is none.

    >>> last_names("As shown by Devlin et al."), last_names("in a paper.")
    ((12, 'Devlin et al.'), (-1, ''))
    """
    found = None
    for one in IS_NAMES.finditer(text):
        found = one
    if found is None or text[found.end() :].strip(" ,.;:"):
        return -1, ""
    names = trimmed(found[0])
    return (found.start() + found[0].rfind(names), names) if names else (-1, "")


def is_names(text: str) -> bool:
    """True if a whole text is a list of names.

    >>> is_names("Kingma, D. P., & Ba, J."), is_names("Deep Learning for Cats (2)")
    (True, False)
    """
    found = IS_NAMES.match(text.strip())
    return bool(found) and not text.strip()[found.end() :].strip(" ,.;:*_") if found else False


def is_title(text: str) -> bool:
    """True if a text can be a title: it has a word, and is not a sentence of its own.

    >>> is_title("Adam: A Method"), is_title("..."), is_title("x" * 500)
    (True, False, False)
    """
    return 2 < len(text) <= 300 and any(one.isalpha() for one in text)


def is_title_case(text: str) -> bool:
    """True if most of its longer words begin with a capital.

    >>> is_title_case("Recursive Tide Embeddings for Polite Dialogue")
    True
    >>> is_title_case("I think there is a world market for maybe five computers")
    False
    """
    words = [word for word in re.findall(r"[^\W\d_][\w'\u2019-]*", text) if len(word) > 3]
    capital = sum(word[0].isupper() for word in words)
    return bool(words) and capital >= 0.6 * len(words)
