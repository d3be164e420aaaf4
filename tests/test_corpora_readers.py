import gzip
import json
from pathlib import Path

import pytest

from corpora import tables, vital
from corpora.errors import CorpusError, CorpusMissing
from corpora.readers import READERS, sniff

LAKE = {"title": "Lake Baikal", "extract": "It is deep ( ).\nIt  is\xa0old.", "topic": "Geography"}


def lines(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


def test_vital_passages_are_tidied_and_have_stable_ids(tmp_path: Path) -> None:
    path = tmp_path / "summaries.json"
    path.write_text(json.dumps({"Lake Baikal": LAKE}), "utf-8")
    (passage,) = vital.read(path)
    assert passage.text == "It is deep. It is old."
    assert passage.id == "wikipedia-vital:Lake Baikal:0"
    assert passage.url == "https://en.wikipedia.org/wiki/Lake_Baikal"


def test_vital_names_the_article_without_text(tmp_path: Path) -> None:
    path = lines(tmp_path / "v.json", {"Lake Baikal": {"title": "Lake Baikal"}})
    with pytest.raises(CorpusError, match="'Lake Baikal' has no text"):
        list(vital.read(path))


def test_a_line_keeps_its_id_and_fields(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "own.jsonl", {"id": 7, "title": "T", "text": "Hello.", "date": "2020-01-02"}
    )
    (passage,) = tables.read(path)
    assert (passage.id, passage.title, passage.date) == ("own:7:0", "T", "2020-01-02")


def test_lines_of_one_title_get_different_ids(tmp_path: Path) -> None:
    path = lines(tmp_path / "own.jsonl", {"title": "T", "text": "A."}, {"title": "T", "text": "B."})
    assert [passage.id for passage in tables.read(path)] == ["own:T:0", "own:T:1"]


@pytest.mark.parametrize("bad", ["{oops", "[1]", '{"title": "no text"}', '{"text": " "}'])
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(f'{{"text": "fine"}}\n\n{bad}\n', "utf-8")
    with pytest.raises(CorpusError, match="line 3"):
        list(tables.read(path))


def test_gzip_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl.gz"
    path.write_bytes(gzip.compress('\ufeff{"text": "Grüße."}\n'.encode()))
    assert [passage.text for passage in READERS[sniff(path)](path)] == ["Grüße."]


def test_a_torn_gzip_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"text": "x"}\n' * 1000)[:40])
    with pytest.raises(CorpusError, match="cannot be read"):
        list(tables.read(path))


def test_sniff_tells_the_readers_apart(tmp_path: Path) -> None:
    article = tmp_path / "v.json"
    article.write_text(json.dumps({"Lake Baikal": LAKE}, indent=1), "utf-8")
    assert sniff(article) == "vital"
    assert sniff(lines(tmp_path / "any.txt", {"text": "x"})) == "jsonl"


def test_sniff_says_what_it_knows(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    with pytest.raises(CorpusError, match="jsonl, vital"):
        sniff(tmp_path / "a.pdf")
    with pytest.raises(CorpusMissing):
        sniff(tmp_path / "absent.jsonl")
