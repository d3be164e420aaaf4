"""What a reader sees of an HTML article with digits is in its text; what nobody sees is not."""

import pytest

from corpora.html import article, sections


def _text(html: str) -> str:
    return "\n".join(one.text for one in sections(html))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>1,642&nbsp;m (<span>5,387&#8239;ft</span>)", "1,642 m (5,387 ft)"),
        ("<p><span class=nowrap>31,722 km<sup>2</sup></span>", "31,722 km^2"),
        ("<p>6.02 × 10<sup>23</sup> mol<sup>−1</sup>", "6.02 × 10^23 mol^−1"),
        ("<p><sup>14</sup>C and H<sub>2</sub>O", "14C and H2O"),
        ("<p>101<sub>2</sub> is 5", "101_2 is 5"),
        ("<p>the 19<sup>th</sup> century", "the 19th century"),
        ("<p>5<span class=frac><sup>1</sup>⁄<sub>2</sub></span> in", "5 1/2 in"),
        ("<p>299<span style='margin-left:.25em'>792</span> km/s", "299792 km/s"),
        ("<p>1951.<sup class=reference><a>[12]</a></sup> Then", "1951. Then"),
        ("<p>born <span style='display:none'>(<span>1930-09-23</span>)</span>1930", "born 1930"),
        ("<p>about <span style='visibility:hidden'>0</span>7 km", "about 7 km"),
        ("<p>a<br>b<p>c<wbr>d&shy;e", "a\nb\ncde"),
        ("<ul><li>One<ul><li>Two 2</li></ul></li><li>Three</li></ul>", "One\nTwo 2\nThree"),
        ("<dl><dt>Ob<dd>3,650 km</dl>", "Ob\n3,650 km"),
        ("<pre>a = 1\nb = 2</pre>", "a = 1\nb = 2"),
        ("<p>Old <style>.a1{}</style><script>2</script><sup>[<i>when?</i>]</sup>", "Old [when?]"),
        ("<ol class=references><li>Note 1999</ol><p>Text", "Text"),
        ("<div class=navbox>Lakes 1900</div><p>Text", "Text"),
        ("<h2>A<span class=mw-editsection>[edit 3]</span></h2><p>Text", "Text"),
    ],
)
def test_what_is_seen_is_written(html: str, text: str) -> None:
    assert _text(html) == text


def test_headings_are_told_with_those_above() -> None:
    html = "<h1>Ob</h1>Lead.<h2>Use</h2><h3>Fish</h3>47 kinds.<h3>Ships</h3>9.<h2>Age</h2>Old."
    assert [(one.heading, one.text) for one in sections(html, "Ob")] == [
        ("", "Lead."),
        ("Use > Fish", "47 kinds."),
        ("Use > Ships", "9."),
        ("Age", "Old."),
    ]


def test_headings_in_a_table_that_places_sections_are_headings() -> None:
    html = "<table><tr><td><h3>1962</h3>Berlin<td><h3>1964</h3>Tokyo</table>"
    assert [(one.heading, one.text) for one in sections(html, "x")] == [
        ("1962", "Berlin"),
        ("1964", "Tokyo"),
    ]


def test_a_table_is_a_row_a_line() -> None:
    html = (
        "<table class=wikitable><caption>Rivers</caption><tr><th>Name<th>Length"
        "<tr><td>Ob<td>3,650&nbsp;km<tr><td>Lena<td>4,294 km<br>(2,668 mi)</table>"
    )
    assert _text(html) == "Rivers\nName | Length\nOb | 3,650 km\nLena | 4,294 km, (2,668 mi)"


def test_an_infobox_is_fields_behind_the_lead() -> None:
    html = (
        "<table class='infobox vcard'><tr><th colspan=2>Baikal<tr><th>Depth<td>1,642 m"
        "<tr><th>Islands:<td><ul><li>27</li><li>Olkhon</li></ul></table><p>A lake."
    )
    lead, box = sections(html)
    assert (lead.text, box.heading) == ("A lake.", "Infobox")
    assert box.text == "Baikal\nDepth: 1,642 m\nIslands: 27, Olkhon"


def test_a_formula_is_kept_once() -> None:
    tex = r"{\displaystyle E=mc^{2}}"
    html = (
        f"<p>So <span class=mwe-math-element><span style='display:none'><math alttext='{tex}'>"
        f"<mi>E</mi><annotation>{tex}</annotation></math></span><img alt='{tex}'></span> holds."
    )
    assert _text(html) == "So E=mc^{2} holds."


def test_only_the_article_of_a_page_is_read() -> None:
    html = (
        "<title>Ob</title><div>Menu 1</div><div id=mw-content-text><p>3,650 km</div><footer>2020"
        "</footer>"
    )
    page = article(html)
    assert (page.title, [one.text for one in page.sections]) == ("Ob", ["3,650 km"])


def test_a_page_nested_without_end_is_read() -> None:
    assert "1,642" in _text("<div>" * 3000 + "1,642 m" + "</div>" * 3000)
