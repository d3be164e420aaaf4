import gzip
from pathlib import Path

import pytest

from corpora.errors import CorpusError, CorpusMissing
from corpora.readers import sniff

XML = '<mediawiki xmlns="x" version="0.11">'


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (XML.encode(), "dump"),
        (f'<?xml version="1.0"?>\n{XML}'.encode("utf-16"), "dump"),
        (f'<?xml version="1.0"?>\n{XML}'.encode("utf-16-be"), "dump"),
        (gzip.compress(XML.encode(), mtime=0), "dump"),
        (b"ZIM\x04\x06\0", "zim"),
        (b"PAR1\x15", "parquet"),
        (b"SQLite format 3\0", "sqlite"),
        (b'"id"\t"text"\t"title"\n', "dpr"),
        (b'{"_id": "1", "text": "x"}', "jsonl"),
        (b'{oops\n{"text": "x"}', "jsonl"),
        (b'{\n "A": {\n  "extract": "x"}}', "vital"),
    ],
)
def test_sniff_tells_a_format_by_its_content(tmp_path: Path, content: bytes, key: str) -> None:
    (tmp_path / "file").write_bytes(content)
    assert sniff(tmp_path / "file") == key


@pytest.mark.parametrize(
    "content",
    [
        "title\tyear\nFish\t2019\n",
        "% mine\n@inproceedings{a,\n title={Fish}}",
        '{"id": "0704.0001", "title": "Fish", "abstract": "x"}',
        '<?xml version="1.0"?><OAI-PMH xmlns="x"><ListRecords/></OAI-PMH>',
        '<collection id="2020.acl"><volume id="1"/></collection>',
        '[{"scope": "http://a", "response": "x"}]',
    ],
)
def test_a_catalogue_of_papers_is_sent_to_its_own_command(tmp_path: Path, content: str) -> None:
    (tmp_path / "file").write_text(content, "utf-8")
    with pytest.raises(CorpusError, match="verifier index build papers"):
        sniff(tmp_path / "file")


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.pdf", b"%PDF-1.7", "is a PDF"),
        ("a.zip", b"PK\x03\x04", "unpack it"),
        ("a.txt", b"Fish swim.", "begins with 'Fish swim.'"),
        ("a.xml", b"", "is empty"),
        ("a.bin", bytes(range(256)), "unknown format"),
        ("a.zimab", b"\0\1", "first part, .zimaa"),
    ],
)
def test_sniff_says_what_it_found_and_what_it_accepts(
    tmp_path: Path, name: str, content: bytes, found: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=found):
        sniff(tmp_path / name)


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CorpusMissing, match="does not exist"):
        sniff(tmp_path / "absent.jsonl")
    with pytest.raises(CorpusMissing, match="is a folder"):
        sniff(tmp_path)


def test_a_broken_7z_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.xml.7z"
    path.write_bytes(b"7z\xbc\xaf\x27\x1c\0\4")
    with pytest.raises(CorpusError, match="cannot be unpacked"):
        sniff(path)
