"""Templates around words: languages, lists, links, sorting keys, signs."""

import re
from collections.abc import Mapping

from corpora.template_call import Arguments, Page, Show
from corpora.template_names import names


def first(arguments: Arguments, _: Page) -> str:
    """The first value as it is: templates that change only how it looks."""
    return arguments.get(1, "text", "content", "1")


def _second(arguments: Arguments, _: Page) -> str:
    """The second value; the first is a language or a key."""
    return arguments.get(2, "text", 1)


def _last(arguments: Arguments, _: Page) -> str:
    texts = arguments.texts()
    return texts[-1] if texts else ""


def _joined(between: str) -> Show:
    def show(arguments: Arguments, _: Page) -> str:
        return between.join(arguments.texts())

    return show


def _sign(text: str) -> Show:
    def show(_: Arguments, __: Page) -> str:
        return text

    return show


def _before(sign: str) -> Show:
    def show(arguments: Arguments, _: Page) -> str:
        value = arguments.get(1)
        return sign + value if value else sign

    return show


def _lines(arguments: Arguments, _: Page) -> str:
    return "\n" + "\n".join(arguments.texts()) + "\n"


def _language(name: str) -> Show:
    def show(arguments: Arguments, _: Page) -> str:
        kept = [arguments.get(1), arguments.get(2, "translit"), arguments.get(3, "lit")]
        return f"{name}: " + ", ".join(value for value in kept if value)

    return show


def _language_in(arguments: Arguments, _: Page) -> str:
    """`lang-xx` by another name: the language's code first."""
    kept = [arguments.get(2), arguments.get(3, "translit"), arguments.get(4, "lit")]
    return ", ".join(value for value in kept if value)


def _names(arguments: Arguments, _: Page) -> str:
    return " ".join(
        value for value in (arguments.get(1, "first"), arguments.get(2, "last")) if value
    )


def _quote(arguments: Arguments, _: Page) -> str:
    said = arguments.get("text", "quote", 1)
    by = [arguments.get("author", "sign", 2), arguments.get("source", "title", 3)]
    return "\n" + " — ".join([said, *filter(None, by)]) + "\n"


def _nihongo(arguments: Arguments, _: Page) -> str:
    named, *others = (arguments.get(number) for number in (1, 2, 3, 4))
    inside = ", ".join(value for value in others if value)
    return f"{named} ({inside})" if named and inside else named or inside


def _chinese(arguments: Arguments, _: Page) -> str:
    return "; ".join([*arguments.named.values(), *arguments.texts()])


def _formula(arguments: Arguments, _: Page) -> str:
    return re.sub(r"\s+", "", "".join(value for value in arguments.listed))


def _quotient(arguments: Arguments, _: Page) -> str:
    """`{{frac|1|2|3}}` is one and two thirds."""
    texts = arguments.texts()
    if len(texts) == 1:
        return f"1/{texts[0]}"
    whole = f"{texts[0]} " if len(texts) == 3 else ""
    return whole + "/".join(texts[-2:])


def _age_group(arguments: Arguments, _: Page) -> str:
    return " ".join(arguments.texts())


def _flag(arguments: Arguments, _: Page) -> str:
    return arguments.get("name", 1)


def _score(arguments: Arguments, _: Page) -> str:
    return " out of ".join(arguments.texts()[:2])


def _page(_: Arguments, page: Page) -> str:
    return page.title


WORDS: Mapping[str, Show] = {
    **dict.fromkeys(names("plain"), first),
    **dict.fromkeys(
        ("lang", "langx0", "wikt-lang", "color", "colour", "font color", "fontcolor"), _second
    ),
    **dict.fromkeys(
        ("resize", "font", "background color", "bg", "sort", "sortkey", "ruby-ja"), _second
    ),
    **dict.fromkeys(("transl", "transliteration", "rtl-lang", "script/arabic", "nq"), _last),
    **dict.fromkeys(("langx", "lang-x"), _language_in),
    **dict.fromkeys(("sortname", "given name"), _names),
    **dict.fromkeys(
        ("unbulleted list", "ubl", "unbulleted", "bulleted list", "ublist", "ordered list"), _lines
    ),
    **dict.fromkeys(("plain list", "tree list", "list", "collapsible list"), _lines),
    **dict.fromkeys(
        ("hlist", "flat list", "cslist", "comma separated entries", "hlist-comma"), _joined(", ")
    ),
    **dict.fromkeys(
        ("quote", "cquote", "quotation", "blockquote", "quote box", "rquote", "bq"), _quote
    ),
    **dict.fromkeys(("nihongo", "nihongo3", "nihongo krt", "korean", "contains special"), _nihongo),
    **dict.fromkeys(("zh", "zh-cpl", "zh-full", "chinese"), _chinese),
    **dict.fromkeys(("chem", "chem2", "chemf", "ce", "su"), _formula),
    **dict.fromkeys(("frac", "sfrac", "fraction", "tfrac", "frac2"), _quotient),
    **dict.fromkeys(
        ("flag", "flagcountry", "flagu", "flaglist", "flagathlete", "flagdeco0", "country"), _flag
    ),
    **dict.fromkeys(
        ("fb", "fbw", "nft", "cr", "ru", "flag team", "flag+link", "bk", "ih", "nbaf"), _flag
    ),
    **dict.fromkeys(("rating", "stars", "rating-5"), _score),
    **dict.fromkeys(
        ("pagename", "page name", "fullpagename", "subpagename", "pagename base"), _page
    ),
    **dict.fromkeys(
        ("spaced ndash", "snd", "spnd", "sndash", "spaced en dash", "dash"), _sign(" – ")
    ),
    **dict.fromkeys(("ndash", "en dash", "nsndns"), _sign("–")),
    **dict.fromkeys(("mdash", "em dash", "spaced mdash", "spaced em dash"), _sign("—")),
    **dict.fromkeys(("·", "•", "dot", "middot", "bull", "bullet", "\\", "pipe"), _sign(" · ")),
    **dict.fromkeys(("'", "`", "apostrophe", "'s0"), _sign("'")),
    **dict.fromkeys(("'s",), _sign("'s")),
    **dict.fromkeys(("=", "equals"), _sign("=")),
    **dict.fromkeys(("!", "!!", "(!", "!)"), _sign(" | ")),
    **dict.fromkeys(("±", "plusminus", "+-"), _before("±")),
    **dict.fromkeys(("−", "minus"), _before("−")),
    **dict.fromkeys(
        ("nbsp", "space", "spaces", "nb5", "thinsp", "thin space", "hair space", "0", "sp"),
        _sign(" "),
    ),
    **dict.fromkeys(("£", "gbp", "pound sterling", "gb£"), _before("£")),
    **dict.fromkeys(("us$", "usd", "$", "us dollar"), _before("US$")),
    **dict.fromkeys(("a$", "aud", "au$"), _before("A$")),
    **dict.fromkeys(("c$", "cad", "canadian dollar"), _before("C$")),
    **dict.fromkeys(("€", "euro", "eur"), _before("€")),
    **dict.fromkeys(("¥", "jpy", "yen"), _before("¥")),
    **dict.fromkeys(("inr", "indian rupee", "rupee", "₹", "indian rupees"), _before("₹")),
    **dict.fromkeys(
        ("increase", "profit", "gain", "up", "decrease", "loss", "steady", "down"), first
    ),
    **dict.fromkeys(
        ("won", "nom", "pending", "yes", "no", "unknown", "n/a", "partial", "maybe", "dunno"), first
    ),
}
"""By `template_call.key`."""

LANGUAGES: Mapping[str, str] = {
    "ar": "Arabic", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "ga": "Irish", "grc": "Ancient Greek", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "la": "Latin", "lt": "Lithuanian",
    "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sa": "Sanskrit", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian",
    "zh": "Chinese",
}  # fmt: skip
"""Names of languages that `{{lang-xx|...}}` shows before the words."""


def in_language(known: str) -> Show | None:
    """The renderer of `lang-xx`, by the template's key."""
    code = known.removeprefix("lang-")
    if code == known:
        return None
    name = LANGUAGES.get(code)
    return _language(name) if name else first
