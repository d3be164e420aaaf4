"""The page: nothing loads from elsewhere, nothing in a report becomes markup, all is there."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from test_render_sample import TEXT, evidence, report

from verifier.render import html, words
from verifier.values import Claim, Evidence, Label, Report, Response, Status, Verdict

HOSTILE = "</style><script>alert(1)</script><img src=//e.com/x onerror=a>\"'\x1b[2J\u202e\x00\ud800"
VOID = {"meta", "input", "br", "img", "link"}
LOADING = {"src", "srcset", "data", "poster", "action", "formaction", "background", "style", "ping"}


class Page(HTMLParser):
    """All elements of a page, with the text inside each, and a check that they nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.open: list[int] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        self.texts.append("")
        if tag not in VOID:
            self.open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self.open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        for place in self.open:
            self.texts[place] += data

    def find(self, tag: str, kind: str = "") -> list[tuple[dict[str, str], str]]:
        pairs = zip(self.elements, self.texts, strict=True)
        return [
            (attributes, text)
            for (name, attributes), text in pairs
            if name == tag and (not kind or kind in attributes.get("class", "").split())
        ]


def page(*reports: Report) -> Page:
    return Page(html.render(reports))


def response(text: str, *verdicts: Verdict, **more: Any) -> Report:
    return Report(Response("r", text), "kbqa", Status.CHECKED, verdicts=verdicts, **more)


def hostile_report() -> Report:
    found = Evidence("passage", HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, quote=HOSTILE)
    claim = Claim(HOSTILE, HOSTILE, 0, 20)
    verdict = Verdict(claim, Label.REFUTED, 0.5, {HOSTILE: 0.5}, HOSTILE, None, HOSTILE, HOSTILE)
    verdict = replace(verdict, evidence=(found, found), cited=(0,))
    made = replace(report().provenance, settings={HOSTILE: HOSTILE}, model=HOSTILE)  # type: ignore[type-var]
    more = {"scores": {HOSTILE: 1}, "notes": (HOSTILE,), "error": HOSTILE, "method": HOSTILE}
    subject = Response(HOSTILE, HOSTILE, HOSTILE)
    return replace(response(""), response=subject, verdicts=(verdict,), provenance=made, **more)


def outside(found: Page) -> Sequence[str]:
    """What could load something, or run something, other than the page's own two blocks."""
    return [
        f"{tag} {key}"
        for tag, attributes in found.elements
        for key in attributes
        if key in LOADING or key.startswith("on") or (key == "href" and tag != "a")
    ]


@pytest.mark.parametrize("subject", [report(), hostile_report()], ids=["sample", "hostile"])
def test_the_page_loads_nothing_from_outside(subject: Report) -> None:
    found = page(subject, subject)
    assert not outside(found)
    tags = {tag for tag, _ in found.elements}
    assert not tags & {"img", "link", "iframe", "object", "embed", "base", "form", "image", "use"}
    assert "url(" not in found.find("style")[0][1]
    assert "@import" not in found.find("style")[0][1]


def test_the_policy_forbids_loading_and_allows_exactly_the_blocks_of_the_page() -> None:
    found = page(report())
    policy = next(a["content"] for a, _ in found.find("meta") if "http-equiv" in a)
    ((_, css),) = found.find("style")
    ((_, script),) = found.find("script")
    assert policy.startswith("default-src 'none'; ")
    assert f"style-src '{html._digest(css)}'; script-src '{html._digest(script)}'" in policy
    assert "unsafe" not in policy


def test_hostile_text_stays_text_in_every_field() -> None:
    written = html.render([hostile_report()])
    assert [text for _, text in Page(written).find("script")] == [html._packaged("report.js")]
    assert not re.search("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", written)
    assert written.encode()


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "java\nscript:x",
        "data:text/html,x",
        "file:///etc/passwd",
        "//e.com",
        " https://e.com",
        "https://e.com/\nx",
        'https://e.com/"x',
        "https://",
    ],
)
def test_an_address_that_is_not_a_web_address_is_text(url: str) -> None:
    found = replace(evidence("T", "A.", "A."), url=url)
    verdict = Verdict(Claim("c", "x"), Label.SUPPORTED, evidence=(found,), cited=(0,))
    shown = page(response("x", verdict))
    assert not [a for a, _ in shown.find("a") if not a["href"].startswith("#")]
    assert words.one_line(url) in " ".join(text for _, text in shown.find("p", "source"))


def test_a_web_address_is_a_link_that_tells_the_site_nothing() -> None:
    links = [a for a, _ in page(report()).find("a") if not a["href"].startswith("#")]
    assert links
    assert all(a["href"].startswith("https://") for a in links)
    assert {a["rel"] for a in links} == {"noreferrer noopener"}


@pytest.mark.parametrize("text", [TEXT, "", "a\n\n  b\tc ", "富士山 <b>&amp; {{ 7*7 }}"])
def test_the_words_of_the_response_stand_on_the_page_character_for_character(text: str) -> None:
    subject = replace(report(), response=Response("r", text))
    found = page(subject)
    ((_, shown),) = found.find("div", "response")
    assert re.sub(r"\d[✓✗?!]", "", shown) == text


def test_every_link_inside_the_page_leads_somewhere_and_ids_are_unique() -> None:
    found = page(report(), report())
    ids = [a["id"] for _, a in found.elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert {a["href"][1:] for a, _ in found.find("a") if a["href"].startswith("#")} <= set(ids)


def test_every_claim_has_a_marker_and_a_card() -> None:
    found = page(report())
    marks = " ".join(text for _, text in found.find("a", "mark"))
    assert marks == "1✓ 2✓ 3✗ 4✓ 5✓ 6✗ 7? 8✓ 9!"
    cards = [text for _, text in found.find("section", "card")]
    assert all(v.claim.text in card for v, card in zip(report().verdicts, cards, strict=True))


def test_a_card_holds_correction_reason_query_and_the_marked_quote() -> None:
    card = page(report()).find("section", "card")[2][1]
    assert "The Taj Mahal was completed in 1653." in card
    assert "not in 1790." in card
    assert "Searched wikipedia-vital for" in card
    marks = [text for _, text in page(report()).find("mark")]
    assert "The construction of the entire complex was completed in 1653." in marks


def test_a_quote_that_is_not_verbatim_is_marked_as_such() -> None:
    ((_, warning),) = page(report()).find("p", "warning")
    assert warning.startswith("! Not a verbatim quote.")
    assert warning.endswith("It was commissioned in 1631 for his wife.")


@pytest.mark.parametrize("label", Label)
def test_every_label_can_be_filtered_without_script(label: Label) -> None:
    found = page(response("One.", Verdict(Claim("c", "One.", 0, 4), label)))
    ((box, _),) = found.find("input")
    assert box["value"] == str(label)
    assert f':has([value="{label}"]:not(:checked)) .card.{label}' in found.find("style")[0][1]


def test_failed_claims_are_told_at_the_top() -> None:
    ((_, loud),) = page(report()).find("p", "loud")
    assert loud == "! 1 claim could not be checked. Read it as unverified."


@pytest.mark.parametrize("status", [Status.EMPTY, Status.ABSTAINED, Status.FAILED])
def test_a_response_that_was_not_checked_says_so(status: Status) -> None:
    found = page(replace(response("x", error="Because."), status=status))
    ((_, line),) = found.find("p", "status")
    assert line == f"{status.upper()} {words.STATUS_WORDS[status]}"
    assert found.find("p", "loud")[0][1] == "Error Because."


def test_several_reports_get_an_index_and_one_does_not() -> None:
    assert not page(report()).find("nav")
    ((_, index),) = page(report(), response("Hello!")).find("nav")
    assert "places-1" in index
    assert "Hello!" in index


def test_no_reports_are_a_page_too() -> None:
    assert "No reports." in html.render([])


def test_a_long_response_arrives_whole() -> None:
    assert html.render([response("word " * 6000)]).count("word ") >= 6000
