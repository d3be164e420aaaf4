"""Pages of MediaWiki dumps of our own: each is read once, the rest is told and passed over."""

import bz2
from pathlib import Path

import pytest
from dumps import dump, page, read, revision, simple, text

from corpora.dump import LONGEST, Page
from corpora.errors import CorpusError


def test_head_tells_the_site(tmp_path: Path) -> None:
    site = read(tmp_path, dump(simple("A"))).site
    assert (site.language, site.name) == ("de", "dewiki")
    assert site.base == "https://de.wikipedia.org/wiki/"
    assert site.namespaces == {-1: "Spezial", 0: "", 1: "Diskussion"}


def test_base_may_be_a_query(tmp_path: Path) -> None:
    content = dump(simple("A")).replace("wiki/A&amp;B", "w/index.php?title=Main")
    assert read(tmp_path, content).site.base == "https://de.wikipedia.org/w/index.php?title="


def test_page_says_all_that_is_asked_of_it(tmp_path: Path) -> None:
    found = read(tmp_path, dump(page("A &amp; B", revision(text("x &lt;b&gt;"), 7), number=12)))
    assert found.pages == [
        Page("12", "A & B", 0, "", "7", "2020-01-02", "wikitext", "x <b>"),
    ]


def test_offset_is_where_the_page_stands_in_the_unpacked_stream(tmp_path: Path) -> None:
    content = dump(simple("Ä"), simple("B"), simple("C")).encode()
    for one in read(tmp_path, bz2.compress(content)).raws:
        assert content[one.offset :].startswith(one.data)


def test_small_pages_keep_their_offsets_over_many_reads(tmp_path: Path) -> None:
    content = dump(*(simple(f"P{number}") for number in range(6000))).encode()
    found = read(tmp_path, content)
    assert found.titles == [f"P{number}" for number in range(6000)]
    assert all(content.startswith(one.data, one.offset) for one in found.raws)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_newest_revision_is_taken_in_any_order(tmp_path: Path, order: tuple[int, ...]) -> None:
    all_three = (
        revision(text("old"), 9, "2019-12-31T23:59:59Z"),
        revision(text("new, smaller number"), 10, "2020-01-01T00:00:00Z"),
        revision(text("new"), 11, "2020-01-01T00:00:00Z"),
    )
    found = read(tmp_path, dump(page("A", *(all_three[one] for one in order))))
    assert [(one.text, one.revision) for one in found.pages] == [("new", "11")]


def test_redirects_lead_to_their_title(tmp_path: Path) -> None:
    element = page('A</title><redirect title="B &amp; C" /><title>', revision(text("#W [[X]]")))
    element = element.replace("<title></title>", "")
    bare = page("D", "<redirect />", revision(text("#WEITERLEITUNG [[:E_f#g|h]]")))
    old = page("I", revision(text("#redirect: [[J]]")))
    found = read(tmp_path, dump(element, bare, old, page("K", revision(text("# [[L]]")))))
    assert [one.redirect for one in found.pages] == ["B & C", "E f", "J", ""]


def test_old_dumps_show_the_namespace_in_the_title_only(tmp_path: Path) -> None:
    pages = (page(title, revision(text("x")), ns="") for title in ("Diskussion:A", "Film: B", "C"))
    found = read(tmp_path, dump(*pages, version="0.3"))
    assert [one.namespace for one in found.pages] == [1, 0, 0]


def test_main_slot_is_read_of_several(tmp_path: Path) -> None:
    slots = (
        "<origin>5</origin>" + text("main") + "<content><role>extra</role><origin>4</origin>"
        '<model>json</model><text bytes="2">{}</text></content><sha1>x</sha1>'
    )
    found = read(tmp_path, dump(page("A", revision(slots)), version="0.11"))
    assert [(one.text, one.model) for one in found.pages] == [("main", "wikitext")]


def test_0_8_has_no_model_and_format_behind_the_text(tmp_path: Path) -> None:
    shape = revision(f"<sha1>x</sha1>{text('old')}<format>text/x-wiki</format>")
    shape = shape.replace("<model>wikitext</model>", "")
    found = read(tmp_path, dump(page("A", shape), version="0.8"))
    assert [(one.text, one.model) for one in found.pages] == [("old", "wikitext")]


def test_empty_page_is_no_fault(tmp_path: Path) -> None:
    found = read(tmp_path, dump(page("A", revision('<text bytes="0" />'))))
    assert ([one.text for one in found.pages], found.skipped) == ([""], [])


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('<text deleted="deleted" />', "was deleted"),
        ('<text bytes="512" id="7" />', "text of 512 bytes is left out"),
        ("", "newest revision has no text"),
        ("<text>one <ref>two</ref> three</text>", "holds an element <ref>"),
        ("<text>&nbsp;</text>", "undefined entity"),
        ("<text>a < b</text>", "not well-formed"),
        ("<text>\0</text>", "not well-formed"),
    ],
)
def test_text_that_is_missing_or_broken_is_told(tmp_path: Path, content: str, problem: str) -> None:
    found = read(tmp_path, dump(simple("A"), page("Q &quot;", revision(content)), simple("C")))
    assert found.titles == ["A", "C"]
    assert len(found.skipped) == 1
    assert problem in found.problems
    assert f"wiki.xml, page 'Q \"', byte {found.raws[1].offset:,}" in found.problems


def test_page_that_is_not_utf8_is_told_and_the_next_is_read(tmp_path: Path) -> None:
    content = dump(simple("A"), simple("XX"), simple("C")).encode().replace(b"Of XX", b"Of \xff")
    found = read(tmp_path, content)
    assert (found.titles, len(found.skipped)) == (["A", "C"], 1)
    assert "page 'XX'" in found.problems


@pytest.mark.parametrize("cut", ["</page>", "</text></revision></page>"])
def test_page_without_an_end_is_told_and_the_next_is_read(tmp_path: Path, cut: str) -> None:
    found = read(tmp_path, dump(simple("A"), simple("B").replace(cut, ""), simple("C")))
    assert (found.titles, len(found.skipped)) == (["A", "C"], 1)
    assert "page 'B', byte" in found.problems
    assert "has no end" in found.problems


def test_page_without_a_beginning_costs_only_itself(tmp_path: Path) -> None:
    found = read(tmp_path, dump(simple("A"), simple("B").replace("<page>", ""), simple("C")))
    assert found.titles == ["A", "C"]


@pytest.mark.parametrize("missing", ["<title>A</title>", "<id>1</id>", "<revision>"])
def test_page_without_title_number_or_revision_is_told(tmp_path: Path, missing: str) -> None:
    broken = (
        simple("A")
        .replace(missing, "")
        .replace("</revision>", "" if "rev" in missing else "</revision>")
    )
    found = read(tmp_path, dump(broken, simple("B")))
    assert (found.titles, len(found.skipped)) == (["B"], 1)


def test_page_that_is_too_long_is_told_and_the_next_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, dump(page("A", revision(text("x" * LONGEST))), simple("B")))
    assert found.titles == ["B"]
    assert "page 'A'" in found.problems
    assert "more than 67,108,864 bytes" in found.problems


FAKE = simple("Fake")


def test_pages_written_in_a_text_are_text(tmp_path: Path) -> None:
    escaped = FAKE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    found = read(tmp_path, dump(page("A", revision(text(escaped))), simple("B")))
    assert (found.titles, found.pages[0].text, found.skipped) == (["A", "B"], FAKE, [])


def test_pages_written_in_cdata_are_text(tmp_path: Path) -> None:
    content = text(f"<![CDATA[x {FAKE} y]]> z")
    found = read(tmp_path, dump(page("A", revision(content)), simple("B")))
    assert (found.titles, found.skipped) == (["A", "B"], [])
    assert found.pages[0].text == f"x {FAKE} y z"


def test_pages_in_comments_are_none(tmp_path: Path) -> None:
    inside = page("A", f"<!-- {FAKE} -->", revision(text("a")))
    found = read(tmp_path, f"<!-- {FAKE} -->" + dump(f"<!-- {FAKE} -->", inside, simple("B")))
    assert (found.titles, found.skipped) == (["A", "B"], [])


@pytest.mark.parametrize("mark", ["<!-- x", "<![CDATA[ x"])
def test_a_comment_without_an_end_hides_only_its_page(tmp_path: Path, mark: str) -> None:
    found = read(tmp_path, dump(simple("A"), page("B", revision(text(mark))), simple("C")))
    assert (found.titles, len(found.skipped)) == (["A", "C"], 1)
    assert "page 'B'" in found.problems


def test_references_are_resolved_once(tmp_path: Path) -> None:
    content = text("&amp;lt; &#38;lt; &#x1F600; &amp;nbsp; &quot;&apos; &amp;amp;")
    found = read(tmp_path, dump(page("A", revision(content))))
    assert found.pages[0].text == "&lt; &lt; 😀 &nbsp; \"' &amp;"


@pytest.mark.parametrize(
    "entity",
    [
        '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">',
        f'<!ENTITY b "{FAKE}">',
        '<!ENTITY b SYSTEM "file:///etc/passwd">',
    ],
)
def test_document_types_are_refused(tmp_path: Path, entity: str) -> None:
    bomb = page("A", revision(text("&b;")))
    with pytest.raises(CorpusError, match="declares a document type"):
        read(tmp_path, dump(bomb).replace("<siteinfo>", f"<!DOCTYPE m [{entity}]><siteinfo>"))
    with pytest.raises(CorpusError):
        read(tmp_path, f"<!DOCTYPE m [{entity}]>" + dump(bomb))


def test_a_document_type_in_a_page_declares_nothing(tmp_path: Path) -> None:
    bomb = page("A", '<!DOCTYPE m [<!ENTITY b "x">]>', revision(text("&b;")))
    found = read(tmp_path, dump(bomb, simple("B")))
    assert (found.titles, len(found.skipped)) == (["B"], 1)


def test_deep_nesting_breaks_nothing(tmp_path: Path) -> None:
    deep = "<z>" * 100_000 + "</z>" * 100_000
    found = read(tmp_path, dump(page("A", revision(text("a")), deep), simple("B")))
    assert found.titles == ["A", "B"]


@pytest.mark.parametrize("content", ["", "no dump", "<html><page></page></html>", "\0" * 99])
def test_what_is_no_dump_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(CorpusError, match="no MediaWiki dump that can be read"):
        read(tmp_path, content)


def test_a_dump_without_pages_is_told(tmp_path: Path) -> None:
    assert read(tmp_path, dump()).problems == "wiki.xml: it holds no page"
