import gzip
import json
from pathlib import Path

import pytest

from corpora import papers
from corpora.errors import CorpusError, CorpusMissing
from corpora.reading import Skipped
from corpora.record import Person, Record

EXAMPLE = Path(__file__).parent.parent / "examples" / "papers.bib"

ROW = {
    "id": "1810.04805",
    "title": "BERT: Pre-training\n  of Nets",
    "authors": "Jacob Devlin and Kenton Lee",
    "authors_parsed": [["Devlin", "Jacob", ""], ["Lee", "Kenton", ""]],
    "journal-ref": "NAACL 2019",
    "doi": "10.18653/V1/N19-1423",
    "versions": [{"version": "v1", "created": "Thu, 11 Oct 2018 00:50:01 GMT"}],
    "abstract": " Words. ",
}

ARXIV_XML = """<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>
<record><header><identifier>oai:arXiv.org:1412.8544</identifier></header><metadata>
<arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>1412.8544</id><created>2014-12-29</created><authors>
<author><keyname>Uijlen</keyname><forenames>Sander</forenames></author></authors>
<title>A system has 22 vectors</title><journal-ref>EPTCS 172, 2014</journal-ref></arXiv>
</metadata></record></ListRecords></OAI-PMH>"""

DC_XML = """<oai_dc:dc xmlns:oai_dc="x" xmlns:dc="y"><record><header>
<identifier>oai:arXiv.org:quant-ph/9601001</identifier></header><dc:title>On Fish</dc:title>
<dc:creator>Li, Ann</dc:creator><dc:date>1996-01-02</dc:date></record></oai_dc:dc>"""


def read(path: Path, text: str | bytes) -> tuple[list[Record], list[Skipped]]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    skipped: list[Skipped] = []
    return list(papers.READERS[papers.sniff(path)](path, skipped.append)), skipped


def test_the_snapshot_gives_preprint_and_published_year(tmp_path: Path) -> None:
    [record], _ = read(tmp_path / "a.json", json.dumps(ROW))
    assert (record.preprint, record.published) == (2018, (2019,))
    assert record.title == "BERT: Pre-training of Nets"
    assert record.authors == (Person("Devlin", "Jacob"), Person("Lee", "Kenton"))
    assert record.doi == "10.18653/v1/n19-1423"


def test_the_snapshot_without_parsed_authors_is_read(tmp_path: Path) -> None:
    [record], _ = read(tmp_path / "a.json", json.dumps({**ROW, "authors_parsed": None}))
    assert [one.family for one in record.authors] == ["Devlin", "Lee"]


def test_a_broken_line_is_counted_and_named(tmp_path: Path) -> None:
    records, skipped = read(tmp_path / "a.json", json.dumps(ROW) + '\n{"id": 1\n[]\n{}\n')
    assert len(records) == 1
    assert [one.place for one in skipped] == [f"a.json, line {n}" for n in (2, 3, 4)]


def test_a_deeply_nested_line_is_skipped(tmp_path: Path) -> None:
    _, skipped = read(tmp_path / "a.json", '{"a":' + "[" * 100_000 + "\n")
    assert "not JSON" in skipped[0].problem


def test_gzip_is_unpacked(tmp_path: Path) -> None:
    [record], _ = read(tmp_path / "a.json.gz", gzip.compress(json.dumps(ROW).encode()))
    assert record.arxiv == "1810.04805"


def test_damaged_gzip_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"a\.json\.gz cannot be read"):
        read(tmp_path / "a.json.gz", gzip.compress(json.dumps(ROW).encode() * 99)[:-20])


def test_oai_in_arxivs_own_format(tmp_path: Path) -> None:
    [record], _ = read(tmp_path / "a.xml", ARXIV_XML)
    assert record == Record(
        "arxiv:1412.8544",
        "A system has 22 vectors",
        (Person("Uijlen", "Sander"),),
        preprint=2014,
        published=(2014,),
        venue="EPTCS 172, 2014",
        arxiv="1412.8544",
        url="https://arxiv.org/abs/1412.8544",
    )


def test_oai_in_dublin_core(tmp_path: Path) -> None:
    [record], _ = read(tmp_path / "a.xml", DC_XML)
    assert (record.arxiv, record.authors, record.years) == (
        "quant-ph/9601001",
        (Person("Li", "Ann"),),
        (1996,),
    )


def test_broken_xml_is_an_error_that_names_the_place(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"a\.xml, line 1, column \d+: not well-formed"):
        read(tmp_path / "a.xml", "<a><b></a>")


def test_xml_entities_are_not_expanded(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    with pytest.raises(CorpusError, match="entities"):
        read(tmp_path / "a.xml", bomb)


def test_an_xml_record_without_title_is_skipped(tmp_path: Path) -> None:
    records, skipped = read(tmp_path / "a.xml", "<a><record><x/></record></a>")
    assert records == []
    assert len(skipped) == 1


def test_the_example_catalogue_has_both_years_of_a_preprint() -> None:
    records = list(papers.READERS["bibtex"](EXAMPLE, pytest.fail))
    bert = next(one for one in records if one.id == "papers:devlin2019")
    assert bert.years == (2018, 2019)
    assert str(bert.authors[1]) == "Ming-Wei Chang"


def test_a_broken_bibtex_entry_costs_only_itself(tmp_path: Path) -> None:
    text = "@article{a, title={One fish}}\n@article{b, title={Two\n@article{c, title={Red fish}}\n"
    records, skipped = read(tmp_path / "a.bib", text)
    assert [one.title for one in records] == ["One fish", "Red fish"]
    assert skipped[0].place == "a.bib, line 2"


def test_bibtex_strings_are_put_in(tmp_path: Path) -> None:
    text = '@string{acl = "Proc. of ACL"}\n@article{a, title={Fish}, journal = acl # " 2019"}\n'
    [record], _ = read(tmp_path / "a.bib", text)
    assert record.venue == "Proc. of ACL 2019"


def test_others_means_that_authors_are_missing(tmp_path: Path) -> None:
    [record], _ = read(tmp_path / "a.bib", "@misc{a, title={Fish}, author={Li, Bo and others}}")
    assert not record.all_authors


@pytest.mark.parametrize(
    "garbage", ["@" * 100_000, "{" * 100_000, "@a{" * 30_000, "\0" * 1000, "@a{b, title={" * 5000]
)
@pytest.mark.timeout(20)
def test_bibtex_garbage_ends_soon_without_a_traceback(tmp_path: Path, garbage: str) -> None:
    records, _ = read(tmp_path / "a.bib", "@misc{a, title={Fish}}\n" + garbage)
    assert [one.title for one in records][:1] == ["Fish"]


def test_a_table_is_read_by_the_names_of_its_columns(tmp_path: Path) -> None:
    text = "year\ttitle\tauthors\tvenue\n2019\tFish\tLi, Ann; Bo Xu\tACL\n"
    [record], _ = read(tmp_path / "a.tsv", text)
    assert record.authors == (Person("Li", "Ann"), Person("Xu", "Bo"))
    assert (record.years, record.venue) == ((2019,), "ACL")


def test_ten_authors_may_be_the_first_ten_only(tmp_path: Path) -> None:
    names = "; ".join(f"A. Name{n}" for n in range(10))
    [record], _ = read(tmp_path / "a.tsv", f"title\tauthors\nFish\t{names}\n")
    assert not record.all_authors


def test_rows_without_title_or_with_too_many_cells_are_skipped(tmp_path: Path) -> None:
    records, skipped = read(tmp_path / "a.tsv", "title\tyear\n\t2019\na\t1\t2\nFish\n")
    assert [one.title for one in records] == ["Fish"]
    assert [one.place for one in skipped] == ["a.tsv, line 2", "a.tsv, line 3"]


def test_bytes_that_are_no_utf8_and_nul_do_not_stop_the_reader(tmp_path: Path) -> None:
    records, _ = read(tmp_path / "a.tsv", b"title\tyear\nFi\xffsh \x00 \xe2\x80\xaecod\t2019\n")
    assert len(records) == 1


def test_an_unknown_file_is_an_error_that_lists_the_readers(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="arxiv, bibtex, oai, table"):
        read(tmp_path / "a.txt", "Fish swim.")


def test_a_missing_file_is_an_error() -> None:
    with pytest.raises(CorpusMissing, match="no file"):
        papers.sniff(Path("/nowhere.bib"))
