"""Catalogues of papers: OAI-PMH answers that hold none, recordings, the ACL Anthology."""

import json
from pathlib import Path

import pytest

from corpora import papers
from corpora.errors import CorpusError
from corpora.reading import Skipped
from corpora.record import Person, Record

OAI = '<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">{}</OAI-PMH>'

RECORD = """<record><header><identifier>oai:arXiv.org:1412.8544</identifier></header><metadata>
<arXiv><id>1412.8544</id><created>2014-12-29</created><authors><author><keyname>Uijlen</keyname>
</author></authors><title>On vectors</title></arXiv></metadata></record>"""

LISTED = OAI.format(f"<ListRecords>{RECORD}</ListRecords>")

ACL = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="{}">
  <volume id="1"><meta><booktitle>Proceedings of <fixed-case>ACL</fixed-case></booktitle>
    <year>2019</year><editor><first>Ed</first><last>Itor</last></editor></meta>
    <frontmatter><url>P19-1000</url></frontmatter>
    <paper id="1"><title><fixed-case>F</fixed-case>ish and <i>Chips</i></title>
      <author><first>Chee Wee (Ben)</first><last>Leong</last></author>
      <author><last>Plato</last></author><doi>10.18653/v1/P19-1001</doi><abstract/></paper>
    <paper id="2"><author><last>Nobody</last></author></paper>
  </volume>
</collection>"""

ACL_BIB = """@inproceedings{leong-2019-fish,
    title = "{F}ish and Chips",
    author = "Leong, Chee Wee (Ben)  and
      Plato",
    booktitle = "Proceedings of ACL",
    year = "2019",
    url = "https://aclanthology.org/P19-1001",
    doi = "10.18653/v1/P19-1001",
}"""


def read(path: Path, text: str) -> tuple[list[Record], list[Skipped]]:
    path.write_text(text, "utf-8")
    skipped: list[Skipped] = []
    return list(papers.READERS[papers.sniff(path)](path, skipped.append)), skipped


def test_an_error_of_the_server_is_said_with_its_code(tmp_path: Path) -> None:
    text = OAI.format('<error code="noRecordsMatch">No  such day</error>')
    with pytest.raises(CorpusError, match="error noRecordsMatch: No such day"):
        read(tmp_path / "a.xml", text)


@pytest.mark.parametrize("verb", ["Identify", "ListSets", "ListIdentifiers"])
def test_an_answer_without_records_says_what_to_ask(tmp_path: Path, verb: str) -> None:
    text = OAI.format(f"<{verb}><header><identifier>x</identifier></header></{verb}>")
    with pytest.raises(CorpusError, match=f"answer to {verb}. Ask .*verb=ListRecords"):
        read(tmp_path / "a.xml", text)


def test_a_deleted_record_is_told(tmp_path: Path) -> None:
    gone = '<record><header status="deleted"><identifier>oai:1</identifier></header></record>'
    records, skipped = read(
        tmp_path / "a.xml", OAI.format(f"<ListRecords>{gone}{RECORD}</ListRecords>")
    )
    assert len(records) == 1
    assert skipped == [Skipped("a.xml, oai:1", "it is deleted")]


def test_a_recording_is_read_and_its_busy_answers_are_told(tmp_path: Path) -> None:
    rows = [{"status": 503, "response": "<html>Retry"}, {"status": 200, "response": LISTED}]
    records, skipped = read(tmp_path / "a.json", json.dumps(rows))
    assert [one.arxiv for one in records] == ["1412.8544"]
    assert skipped == [Skipped("a.json, answer 1", "no OAI-PMH answer (status 503)")]


@pytest.mark.parametrize(
    ("rows", "words"),
    [([], "no recorded answer"), ([{"status": 500}], "status 500"), ([1], "none")],
)
def test_a_recording_without_records_is_refused(tmp_path: Path, rows: object, words: str) -> None:
    with pytest.raises(CorpusError, match=words):
        read(tmp_path / "a.json", json.dumps(rows))


def test_the_anthologys_xml_is_read(tmp_path: Path) -> None:
    [record], skipped = read(tmp_path / "P19.xml", ACL.format("P19"))
    assert record == Record(
        "acl:P19-1001",
        "Fish and Chips",
        (Person("Leong", "Chee Wee (Ben)"), Person("Plato")),
        published=(2019,),
        venue="Proceedings of ACL",
        doi="10.18653/v1/p19-1001",
        url="https://aclanthology.org/P19-1001",
    )
    assert skipped == [Skipped("P19.xml, paper P19-1002", "it has no title")]


def test_the_anthologys_newer_ids_are_made_of_their_parts(tmp_path: Path) -> None:
    [record], _ = read(tmp_path / "2020.acl.xml", ACL.format("2020.acl"))
    assert record.id == "acl:2020.acl-1.1"


def test_the_anthologys_bibtex_is_read(tmp_path: Path) -> None:
    [record], _ = read(tmp_path / "acl.bib", ACL_BIB)
    assert (record.title, record.published, record.venue) == (
        "Fish and Chips",
        (2019,),
        "Proceedings of ACL",
    )
    assert record.authors == (Person("Leong", "Chee Wee (Ben)"), Person("Plato"))


def test_a_dump_given_as_a_catalogue_is_sent_to_its_own_command(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"MediaWiki dump.*verifier index build"):
        read(tmp_path / "a.xml", '<mediawiki version="0.11"></mediawiki>')
