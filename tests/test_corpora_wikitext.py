"""What a reader of a page sees is what is read of it."""

import pint
import pytest

from corpora.document import Section
from corpora.template_call import Arguments, Page
from corpora.template_unit_names import OTHER, UNITS
from corpora.wikitext import ENGLISH, links, sections
from corpora.wikitext_markup import plain
from corpora.wikitext_render import render


def text(wikitext: str, title: str = "", day: str = "") -> str:
    return "\n".join(one.text for one in sections(wikitext, title, date=day))


SHOWN = {
    "{{convert|5|km|mi}}": "5 kilometres (3.1 mi)",
    "{{convert|1642|m|ft|abbr=on}}": "1,642 m (5,387 ft)",
    "{{convert|6|ft|2|in|m|2}}": "6 ft 2 in (1.88 m)",
    "{{convert|10|to|20|acre|ha}}": "10 to 20 acres (4.0–8.1 ha)",
    "{{convert|150|ft|m|adj=on}} tower": "150-foot (46 m) tower",
    "{{convert|−40|C|F}}": "−40 °C (−40 °F)",
    "{{convert|5|furlongs-of-mars}}": "5 furlongs-of-mars",
    "{{convert|about 5|km}}": "about 5 km",
    "{{cvt|3,500|sqmi}}": "3,500 sq mi (9,100 km^2)",
    "{{formatnum:1234567.5}}": "1,234,567.5",
    "{{#expr: 1310 / 156.9 round 1}}": "8.3",
    "{{#expr: 9^9^9}}": "",
    "{{#if: |a|b}}{{#ifeq:x|x|c|d}}{{#switch:2|1=e|2=f|g}}": "bcf",
    "{{val|1.2345|0.0005|e=6|u=kg}}": "1.2345±0.0005×10^6 kg",
    "{{birth date|1947|3|5}}": "March 5, 1947",
    "{{birth date and age|1947|3|5|df=y}}": "5 March 1947 (age 52)",
    "{{death date and age|2000|3|4|1947|3|5}}": "March 4, 2000 (aged 52)",
    "{{start date|2008|5|12|df=y}}": "12 May 2008",
    "{{start-date|July 16, 1969, 13:32|timezone=yes}}": "July 16, 1969, 13:32",
    "{{age|1947|3|5|2000|3|4}}": "52",
    "{{As of|2015|3}}": "As of March 2015",
    "{{film date|2010|9|1|Nice|2010|12|3}}": "September 1, 2010 (Nice), December 3, 2010",
    "{{coord|51|30|26|N|0|7|39|W|display=title}}": "51°30′26″N 0°7′39″W",
    "{{coord|55.75|37.62}}": "55.75, 37.62",
    "{{lang|de|Straße}} and {{lang-ru|Москва}}": "Straße and Russian: Москва",
    "{{nowrap|3 {{small|(1999)}}}}": "3 (1999)",
    "{{frac|3|1|2}} and {{frac|7}}": "3 1/2 and 1/7",
    "{{height|ft=6|in=2}} {{height|m=1.77}}": "6 ft 2 in (1.88 m) 1.77 m",
    "{{US$|5 million}}, {{circa|1850}}, {{nts|1234}}": "US$5 million, c. 1850, 1,234",
    "a {{Never heard of it|12 May|17 goals}} b": "a 12 May 17 goals b",
    "{{cite web|title=x|date=1999}}{{Foo-stub}}{{Use dmy dates|date=May 2011}}": "",
    "{{ubl|1 one|2 two}}": "1 one\n2 two",
    "10<sup>6</sup> m<sup>2</sup>, H<sub>2</sub>O, 4<sup>th</sup>": "10^6 m^2, H2O, 4th",
    "5&nbsp;km&ndash;6&#160;km": "5 km–6 km",
    "<math>x_2 = 3</math> <nowiki>[[no]]</nowiki>": "x_2 = 3 [[no]]",
    '<span style="display:none">99</span>1': "1",
    "[http://a.b/2001 5 km] http://c.d/77": "5 km",
    "[[File:A 3.jpg|thumb|200px|Cap [[of]] 4]][[Category:1999 births]][[de:Fünf]]": "Cap of 4",
    "[[Lake B|the lake]], [[Lake L]], [[:Category:Lakes]]": "the lake, Lake L, Category:Lakes",
    "* one\n** two\n# three\n; four\n: five": "one\ntwo\nthree\nfour\nfive",
    "It is (; {{IPA-xx}}) deep ( ) .": "It is deep.",
    "{{PAGENAME}}": "Page",
    "a<ref>1</ref> b<ref name=x/> c<!-- 2 -->": "a b c",
    "a<ref>open b<ref>1</ref> c": "aopen b c",
}


@pytest.mark.parametrize("wikitext", SHOWN)
def test_what_a_page_shows_is_read(wikitext: str) -> None:
    assert text(wikitext, "Page", "2000-03-04") == SHOWN[wikitext]


# Notes are taken out before either way; signs of lists and bare addresses only by the short one.
BOTH = [one for one in SHOWN if "<ref" not in one and not one.startswith(("*", "[http"))]


@pytest.mark.parametrize("wikitext", BOTH)
def test_the_short_way_reads_what_the_tokens_say(wikitext: str) -> None:
    page = Page("Page", "2000-03-04")
    ways = (plain(wikitext, page, ENGLISH), render(wikitext, page, ENGLISH))
    assert " ".join(ways[0].split()) == " ".join(ways[1].split())


def test_rows_of_a_table_stay_together() -> None:
    table = '{| class="wikitable"\n|+ Depth\n! Lake !! m\n|-\n| Baikal || 1,642\n|-\n|Van\n|451\n|}'
    assert text(table) == "Depth\nLake | m\nBaikal | 1,642\nVan | 451"


def test_a_box_stands_behind_the_lead_as_fields() -> None:
    page = "{{Infobox lake\n| name = Baikal\n| max_depth = {{convert|1642|m|ft}}\n}}\nOld."
    lead, box = sections(page)
    assert (lead, box.heading) == (Section("Old."), "Infobox")
    assert box.text == "name: Baikal\nmax depth: 1,642 metres (5,387 ft)"


def test_headings_say_what_they_stand_under() -> None:
    found = sections("Lead.\n== A ==\nx\n=== B ===\ny\n== C ==\nz\n=== D ===\n")
    assert [one.heading for one in found] == ["", "A", "A > B", "C"]


def test_a_wiki_s_own_names_of_namespaces_are_known() -> None:
    dutch = links({6: "Bestand", 14: "Categorie"})
    page = "[[Bestand:A.jpg|thumb|Een meer]][[Categorie:Meer]]x"
    assert [one.text for one in sections(page, known=dutch)] == ["Een meer\nx"]


@pytest.mark.parametrize(
    "broken", ["{{convert|5", "{| a", "[[x", "{{{", "<b", "}}", "|}", "[[a|b", "<ref>x"]
)
def test_broken_markup_stays_text_and_nothing_fails(broken: str) -> None:
    assert text(f"Before 1. {broken} After 2.").startswith("Before 1.")


@pytest.mark.parametrize(
    "deep", ["{{a|" * 500, "[[" * 5000, "{|\n" * 500, "<b>" * 3000, "(" * 9999]
)
def test_deep_nesting_ends_soon(deep: str) -> None:
    assert text(f"Start. {deep} end").startswith("Start.")


@pytest.mark.parametrize("name", UNITS)
def test_each_unit_has_the_size_that_pint_knows(name: str) -> None:
    ours = UNITS[name]
    wanted = PINT.get(name, name if name in SAME_IN_PINT else "")
    size = REGISTRY.Quantity(1.0, wanted).to_base_units().magnitude if wanted else ours.factor
    assert ours.factor == pytest.approx(size, rel=1e-6)


REGISTRY = pint.UnitRegistry()
PINT = {
    "LT": "long_ton", "ST": "short_ton", "l": "liter", "t": "metric_ton", "USgal": "gallon",
    "sqmi": "mile**2", "sqft": "foot**2", "ha": "hectare", "acre": "acre", "st": "stone",
    "impgal": "imperial_gallon", "cuft": "foot**3", "mph": "mile/hour", "kn": "knot",
    "km/h": "km/hour", "PD/sqmi": "1/mile**2", "lb.ft": "foot*pound_force", "ly": "light_year",
    "inHg": "inch_Hg", "PS": "metric_horsepower", "in": "inch", "lbf": "pound_force",
}  # fmt: skip
SAME_IN_PINT = frozenset(("mm", "cm", "m", "km", "ft", "yd", "mi", "nmi", "kg", "lb", "hp", "kPa"))


@pytest.mark.parametrize(("name", "other"), OTHER.items())
def test_units_are_turned_into_others_of_their_kind(name: str, other: str) -> None:
    assert other not in UNITS or UNITS[name].kind == UNITS[other].kind


def test_an_age_is_never_worked_out_for_today() -> None:
    assert text("{{birth date and age|1947|3|5}}") == "March 5, 1947"


def test_a_value_is_found_by_its_number_or_name() -> None:
    given = Arguments(["1", " "], {"3": "x"})
    assert [given.get(1), given.get(2, 3), given.get(4)] == ["1", "x", ""]
