"""Templates that show dates and ages."""

from calendar import month_name
from collections.abc import Mapping
from datetime import date

from corpora.template_call import Arguments, Page, Show


def dated(year: str, month: str, day: str, *, day_first: bool) -> str:
    """A date in words; what is no number stays as it is written.

    >>> dated("1947", "3", "5", day_first=False), dated("1947", "03", "", day_first=True)
    ('March 5, 1947', 'March 1947')
    """
    named = month_name[int(month)] if month.isdecimal() and 1 <= int(month) <= 12 else month
    day = day.lstrip("0")
    if named and day:
        return f"{day} {named} {year}".strip() if day_first else f"{named} {day}, {year}"
    return " ".join(part for part in (named, day, year) if part)


def whole(year: str, month: str, day: str) -> date | None:
    """The date, if there is one of these numbers."""
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def years_between(start: date, end: date) -> int:
    """Completed years.

    >>> years_between(date(1947, 3, 5), date(2000, 3, 4))
    52
    """
    return end.year - start.year - ((end.month, end.day) < (start.month, start.day))


def _parts(arguments: Arguments, first: int) -> tuple[str, str, str]:
    numbers = (first, first + 1, first + 2)
    year, month, day = (arguments.get(number) for number in numbers)
    return year, month, day


def _day_first(arguments: Arguments) -> bool:
    return arguments.named.get("df", "").strip().lower() in ("y", "yes", "1", "true")


def _on(arguments: Arguments, _: Page) -> str:
    texts = arguments.texts()
    if texts and not texts[0].lstrip("-").isdecimal():
        return " ".join(texts[:1])
    shown = dated(*_parts(arguments, 1), day_first=_day_first(arguments))
    clock = ":".join(part.zfill(2) for part in texts[3:5] if part.isdecimal())
    return f"{clock}, {shown}" if ":" in clock else shown


def _birth(arguments: Arguments, page: Page) -> str:
    shown = _on(arguments, page)
    born, now = whole(*_parts(arguments, 1)), _iso(page.date)
    return f"{shown} (age {years_between(born, now)})" if born and now else shown


def _death(arguments: Arguments, page: Page) -> str:
    """`year|month|day` of death, then of birth."""
    shown = _on(Arguments(arguments.listed[:3], arguments.named), page)
    died, born = whole(*_parts(arguments, 1)), whole(*_parts(arguments, 4))
    if died and born:
        return f"{shown} (aged {years_between(born, died)})"
    years = arguments.get(1), arguments.get(4)
    if all(year.isdecimal() for year in years):
        most = int(years[0]) - int(years[1])
        return f"{shown} (aged {most - 1}–{most})"
    return shown


def _year_death(arguments: Arguments, page: Page) -> str:
    """`year of death|year of birth`."""
    died, born = arguments.get(1), arguments.get(2)
    if died.isdecimal() and born.isdecimal():
        most = int(died) - int(born)
        return f"{died} (aged {most - 1}–{most})"
    return _on(Arguments(arguments.listed[:1], {}), page)


def _birth_year(arguments: Arguments, page: Page) -> str:
    born, now = arguments.get(1), _iso(page.date)
    if born.isdecimal() and now:
        most = now.year - int(born)
        return f"{born} (age {most - 1}–{most})"
    return born


def _age(arguments: Arguments, page: Page) -> str:
    start = whole(*_parts(arguments, 1))
    end = whole(*_parts(arguments, 4)) if arguments.get(4) else _iso(page.date)
    return str(years_between(start, end)) if start and end else ""


def _as_of(arguments: Arguments, _: Page) -> str:
    if alternative := arguments.get("alt"):
        return alternative
    since = (arguments.named.get("since", "") and "since") or "as of"
    said = since if arguments.named.get("lc") else since.capitalize()
    shown = dated(*_parts(arguments, 1), day_first=_day_first(arguments))
    return f"{said} {shown}"


def _films(arguments: Arguments, _: Page) -> str:
    """`year|month|day|place` several times."""
    texts = [value.strip() for value in arguments.listed]
    day_first = _day_first(arguments)
    shown = []
    for at in range(0, len(texts), 4):
        year, month, day, place = (*texts[at : at + 4], "", "", "")[:4]
        if year:
            where = f" ({place})" if place else ""
            shown.append(dated(year, month, day, day_first=day_first) + where)
    return ", ".join(shown)


def _since(arguments: Arguments, page: Page) -> str:
    """`start date and age`: the date, and how many years ago."""
    shown = _on(arguments, page)
    year, now = arguments.get(1), _iso(page.date)
    start = whole(year, arguments.get(2) or "1", arguments.get(3) or "1")
    return f"{shown} ({years_between(start, now)} years ago)" if start and now else shown


def _table_date(arguments: Arguments, _: Page) -> str:
    texts = arguments.texts()
    if len(texts) == 1:
        return texts[0]
    return dated(*_parts(arguments, 1), day_first=True)


def _circa(arguments: Arguments, _: Page) -> str:
    return "c. " + " – c. ".join(arguments.texts()[:2]) if arguments.texts() else "c."


def _span(before: str) -> Show:
    def show(arguments: Arguments, _: Page) -> str:
        return f"{before} " + "–".join(arguments.texts()[:2])

    return show


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


DATES: Mapping[str, Show] = {
    **dict.fromkeys(("birth date", "birth-date", "bda0", "dob", "geboren"), _on),
    **dict.fromkeys(("birth date and age", "birth-date and age", "bda", "age of"), _birth),
    **dict.fromkeys(
        ("death date", "death-date", "start date", "end date", "date", "release date"), _on
    ),
    **dict.fromkeys(("death date and age", "death-date and age", "dda", "ddda"), _death),
    **dict.fromkeys(("death year and age",), _year_death),
    **dict.fromkeys(("birth year and age",), _birth_year),
    **dict.fromkeys(("birth year", "death year", "start year", "year"), _on),
    **dict.fromkeys(("age", "age in years", "aeta", "alter", "leeftijd"), _age),
    **dict.fromkeys(("as of", "asof", "as of?"), _as_of),
    **dict.fromkeys(("film date", "television date"), _films),
    **dict.fromkeys(("start date and age", "start date and years ago", "start-date"), _since),
    **dict.fromkeys(("dts", "datesort", "date table sorting", "sort date"), _table_date),
    **dict.fromkeys(("circa", "c.", "ca", "ca."), _circa),
    **dict.fromkeys(("floruit", "fl.", "fl"), _span("fl.")),
    **dict.fromkeys(("reign", "r."), _span("r.")),
}
"""By `template_call.key`; names as on Wikipedia, with some of their redirects."""
