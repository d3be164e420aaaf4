import gzip
import json
import sqlite3
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora import sqlite
from corpora.errors import CorpusError
from corpora.passage import Passage
from corpora.readers import READERS, sniff
from corpora.reading import Reading, Skipped

LAKE = {"title": "Lake Baikal", "extract": "It is deep ( ).\nIt  is\xa0old.", "topic": "Geography"}

DPR = 'id\ttext\ttitle\n1\t"The ""Sea"" is\tdeep."\tBaikal\n2\tPlain "words" here.\tNile\n'


def lines(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


def read(path: Path, **options: object) -> tuple[list[Passage], list[Skipped]]:
    skipped: list[Skipped] = []
    reading = Reading(skip=skipped.append, **options)  # type: ignore[arg-type]
    return list(READERS[sniff(path)](path, reading)), skipped


def database(path: Path, *rows: tuple[object, object]) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE documents (title PRIMARY KEY, text)")
        connection.executemany("INSERT INTO documents VALUES (?, ?)", rows)
    connection.close()
    return path


def test_vital_passages_are_tidied_and_have_stable_ids(tmp_path: Path) -> None:
    [passage], _ = read(lines(tmp_path / "summaries.json", {"Lake Baikal": LAKE}))
    assert passage.text == "It is deep. It is old."
    assert passage.id == "wikipedia-vital:Lake Baikal:0"
    assert (passage.url, passage.language) == ("https://en.wikipedia.org/wiki/Lake_Baikal", "en")


def test_a_vital_article_without_text_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    found, skipped = read(lines(tmp_path / "v.json", {"Nile": {"title": "Nile"}, "Baikal": LAKE}))
    assert len(found) == 1
    assert skipped[0].place == "v.json, article 'Nile'"


def test_a_line_keeps_its_id_and_fields(tmp_path: Path) -> None:
    row = {"id": 7, "title": "T", "text": "Hello.", "date": "2020-01-02T10:00:00Z"}
    [passage], _ = read(lines(tmp_path / "own.jsonl", row), language="de")
    assert (passage.id, passage.title, passage.date) == ("own:7:0", "T", "2020-01-02")
    assert (passage.source, passage.language) == ("own", "de")


def test_lines_of_one_title_get_different_ids(tmp_path: Path) -> None:
    rows = [
        {"title": "T", "text": "A."},
        {"title": "U", "text": "B."},
        {"title": "T", "text": "C."},
    ]
    found, _ = read(lines(tmp_path / "own.jsonl", *rows))
    assert [one.id for one in found] == ["own:T:0", "own:U:0", "own:T:1"]


@pytest.mark.parametrize(
    "bad",
    ["{oops", "[1]", '{"title": "no text"}', '{"text": " "}', "[" * 9999, r'{"text":"\ud800"}'],
)
def test_a_bad_line_is_named_by_its_number_and_passed_over(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(f'{{"text": "fine"}}\n\n{bad}\n{{"text": "well"}}\n', "utf-8")
    found, skipped = read(path)
    assert [one.text for one in found] == ["fine", "well"]
    assert [one.place for one in skipped] == ["own.jsonl, line 3"]


def test_a_line_that_is_no_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_bytes(b'{"text": "fine"}\n{"text": "caf\xe9"}\n')
    found, skipped = read(path)
    assert len(found) == 1
    assert skipped == [
        Skipped("own.jsonl, line 2, byte 14 of it", "not UTF-8: invalid continuation byte")
    ]


def test_a_file_without_one_good_line_is_an_error_that_names_the_first(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"line 1: no text.*A line looks like"):
        read(lines(tmp_path / "own.jsonl", {"text": ""}, {"text": ""}))


def test_gzip_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl.gz"
    path.write_bytes(gzip.compress('\ufeff{"text": "Grüße."}\n'.encode()))
    assert [one.text for one in read(path)[0]] == ["Grüße."]


def test_utf16_is_read_and_packing_is_told_by_content(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_bytes(gzip.compress('{"text": "Grüße."}\n{"text": "Ċ"}\n'.encode("utf-16")))
    assert [one.text for one in read(path)[0]] == ["Grüße.", "Ċ"]


def test_a_torn_gzip_gives_what_comes_before_and_names_the_place(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl.gz"
    rows = "".join(f'{{"text": "Number {n * n * n}"}}\n' for n in range(5000))
    path.write_bytes(gzip.compress(rows.encode())[:-3000])
    found, skipped = read(path)
    assert found[1].text == "Number 1"
    assert skipped[0].place.startswith(f"own.jsonl.gz, behind line {len(found)}, byte ")


def test_a_gzip_torn_before_the_first_line_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"text": "x"}\n' * 1000)[:15])
    with pytest.raises(CorpusError, match="damaged"):
        read(path)


def test_beir_rows_are_read(tmp_path: Path) -> None:
    row = {
        "_id": "d1",
        "title": "T",
        "text": "A.",
        "metadata": {"url": "https://de.wikipedia.org/T"},
    }
    [one], _ = read(lines(tmp_path / "corpus.jsonl", row))
    assert (one.id, one.url, one.language) == ("corpus:d1:0", "https://de.wikipedia.org/T", "de")


def test_pyserini_rows_have_their_title_in_the_first_line(tmp_path: Path) -> None:
    rows = [{"id": "1", "contents": '"Baikal"\nA lake.'}, {"id": "2", "contents": "Just text."}]
    found, _ = read(lines(tmp_path / "docs.jsonl", *rows))
    assert [(one.title, one.text) for one in found] == [("Baikal", "A lake."), ("", "Just text.")]


def test_rows_in_sections_keep_their_headings(tmp_path: Path) -> None:
    row = {
        "title": "T",
        "sections": [{"section": None, "text": "A."}, {"section": "S", "text": "B."}],
    }
    found, _ = read(lines(tmp_path / "articles.jsonl", row))
    assert [(one.id, one.section) for one in found] == [("articles:T:0", ""), ("articles:T:1", "S")]


def test_passages_that_are_cut_already_keep_their_ids_and_stay_whole(tmp_path: Path) -> None:
    long, short = "One two three four. " * 60, "One two three four. " * 40
    rows = [
        {"pid": "p-1", "title": None, "text": short},
        {"pid": "p-2", "title": "T", "text": long},
    ]
    found, _ = read(lines(tmp_path / "passages.jsonl", *rows))
    assert [one.id for one in found] == ["p-1", "p-2", "p-2:1", "p-2:2"]
    assert found[0].text == short.strip()


def test_dpr_rows_are_unquoted_and_keep_their_ids(tmp_path: Path) -> None:
    (tmp_path / "psgs_w100.tsv.gz").write_bytes(gzip.compress(DPR.encode()))
    found, _ = read(tmp_path / "psgs_w100.tsv.gz")
    assert [one.id for one in found] == ["1", "2"]
    assert [one.text for one in found] == ['The "Sea" is\tdeep.', 'Plain "words" here.']


def test_a_bad_dpr_row_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "psgs.tsv"
    path.write_text(DPR + '3\t"open\n4\t"two\nlines"\tT\n5\t"open\tT\n6\tfine\tT\n', "utf-8")
    found, skipped = read(path)
    assert [(one.id, one.text) for one in found[2:]] == [
        ("4", "two\nlines"),
        ("5", '"open'),
        ("6", "fine"),
    ]
    assert [one.place for one in skipped] == ["psgs.tsv, line 4"]


def test_parquet_of_the_hub_is_read_in_groups(tmp_path: Path) -> None:
    urls = [f"https://nl.wikipedia.org/wiki/{n}" for n in range(5)]
    table = {
        "id": [str(n) for n in range(5)],
        "url": urls,
        "title": list("abcde"),
        "text": ["T."] * 5,
    }
    pq.write_table(pa.table(table), tmp_path / "train-0.parquet", row_group_size=2)
    found, _ = read(tmp_path / "train-0.parquet")
    assert [one.id for one in found] == [f"train-0:{n}:0" for n in range(5)]
    assert (found[4].title, found[4].url, found[4].language) == ("e", urls[4], "nl")


def test_a_damaged_row_group_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pa.table(
        {"title": [str(n) for n in range(40)], "text": [f"Text {n}." for n in range(40)]}
    )
    pq.write_table(table, path, row_group_size=20, compression="gzip", use_dictionary=False)
    column = pq.ParquetFile(path).metadata.row_group(0).column(1)
    data, begin = bytearray(path.read_bytes()), column.data_page_offset
    data[begin : begin + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(bytes(data))
    found, skipped = read(path)
    assert [one.title for one in found] == [str(n) for n in range(20, 40)]
    assert skipped[0].place == "a.parquet, row group 0, from row 1"


def test_parquet_without_text_and_torn_parquet_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"title": ["a"]}), tmp_path / "a.parquet")
    with pytest.raises(CorpusError, match="columns title, but none called text"):
        read(tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:-9])
    with pytest.raises(CorpusError, match="cannot be read as Parquet"):
        read(tmp_path / "b.parquet")


def test_factscores_database_is_read_without_its_marks(tmp_path: Path) -> None:
    text = f"<s>Baikal is a lake.</s><s>It is{sqlite.SEPARATOR} deep.</s>"
    found, skipped = read(database(tmp_path / "wiki.db", ("Baikal", text), ("Nile", None)))
    assert [(one.id, one.text) for one in found] == [
        ("wiki:Baikal:0", "Baikal is a lake. It is deep.")
    ]
    assert skipped == [Skipped("wiki.db, row 2", "no title or no text")]


def test_another_database_is_refused_and_not_changed(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE birds (name)")
    before = (tmp_path / "a.db").read_bytes()
    with pytest.raises(CorpusError, match="tables birds"):
        read(tmp_path / "a.db")
    assert (tmp_path / "a.db").read_bytes() == before


def test_progress_ends_with_all_bytes(tmp_path: Path) -> None:
    path, told = lines(tmp_path / "own.jsonl", {"text": "x"}), []
    list(READERS["jsonl"](path, Reading(progress=lambda done, total: told.append((done, total)))))
    assert told[-1] == (path.stat().st_size, path.stat().st_size)
