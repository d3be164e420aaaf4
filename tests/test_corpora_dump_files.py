"""Packed, torn and damaged dumps, and those of VERIFIER_DATA: all is read, or told."""

import bz2
import gzip
import lzma
import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import py7zr
import pytest
from dumps import Read, dump, page, read, revision, simple, text

from corpora.errors import CorpusError

COPY = py7zr.FILTER_COPY


def streams(data: bytes) -> bytes:
    """As multistream dumps are packed."""
    cuts = range(0, len(data), 100)
    return b"".join(bz2.compress(data[start : start + 100]) for start in cuts)


def seven(data: bytes, **options: object) -> bytes:
    file = BytesIO()
    with py7zr.SevenZipFile(file, "w", **options) as archive:
        archive.writef(BytesIO(data), "wiki.xml")
    return file.getvalue()


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "bz2": lambda data: bz2.compress(data, 1),
    "streams of bz2": streams,
    "bz2 and an empty stream": lambda data: bz2.compress(data) + bz2.compress(b""),
    "gz": gzip.compress,
    "gz of two members": lambda data: gzip.compress(data[:90]) + gzip.compress(data[90:]),
    "xz": lzma.compress,
    "lzma": lambda data: lzma.compress(data, format=lzma.FORMAT_ALONE),
    "7z": seven,
}


@pytest.mark.parametrize("how", PACKED)
@pytest.mark.parametrize("workers", [1, 2])
def test_packing_is_told_by_the_first_bytes_not_the_name(
    tmp_path: Path, how: str, workers: int
) -> None:
    found = read(tmp_path, PACKED[how](dump(simple("A"), simple("Ä")).encode()), workers)
    assert (found.titles, found.skipped) == (["A", "Ä"], [])
    assert found.progress[-1] == ((tmp_path / "wiki.xml").stat().st_size,) * 2


@pytest.mark.parametrize("code", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_other_encodings_are_read(tmp_path: Path, code: str) -> None:
    head = f'<?xml version="1.0" encoding="{code[:6]}"?>' if code != "utf-8-sig" else ""
    found = read(tmp_path, (head + dump(simple("Ä"), simple("日本"))).encode(code))
    assert (found.titles, found.skipped) == (["Ä", "日本"], [])
    assert found.pages[1].text == "Of 日本."


CHANCE = Random(4)

MANY = dump(
    *(page(f"P{n}", revision(text(CHANCE.randbytes(600).hex()))) for n in range(300))
).encode()


@pytest.mark.parametrize("how", ["plain", "bz2", "gz", "xz", "lzma"])
def test_a_torn_dump_is_read_up_to_the_break_and_the_byte_is_told(tmp_path: Path, how: str) -> None:
    packed = PACKED[how](MANY)
    found = read(tmp_path, packed[: -len(packed) // 4], workers=2)
    whole = [f"P{number}" for number in range(300)]
    assert found.titles == whole[: len(found.titles)]
    assert len(found.titles) > 100
    assert len(found.skipped) == 1
    assert "byte " in found.skipped[0].problem


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("place", [20, 2000, 15_000])
def test_a_damaged_stream_of_bz2_keeps_those_before_it(
    tmp_path: Path, place: int, workers: int
) -> None:
    parts = [bz2.compress(MANY[start : start + 50_000]) for start in range(0, len(MANY), 50_000)]
    parts[4] = parts[4][:place] + bytes(50) + parts[4][place + 50 :]
    found = read(tmp_path, b"".join(parts), workers)
    assert found.titles == [f"P{number}" for number in range(len(found.titles))]
    assert found.raws[-1].offset > 190_000
    assert len(found.skipped) == 1
    assert "byte 200,000 " in found.skipped[0].problem


def test_a_stream_of_bz2_with_a_damaged_head_is_told(tmp_path: Path) -> None:
    head, *pages = (dump(*(simple(f"P{n}") for n in range(9)))).partition("<page>")
    cuts = "".join(pages).split("</mediawiki>")[0].replace("</page>\n", "</page>\n|").split("|")
    parts = [bz2.compress(one.encode()) for one in (head, *cuts, "</mediawiki>")]
    parts[4] = parts[4][:5] + bytes(10) + parts[4][15:]
    found = read(tmp_path, b"".join(parts), workers=2)
    assert len(found.titles) < 9
    assert found.skipped != []


def test_a_dump_cut_between_streams_is_told(tmp_path: Path) -> None:
    content = dump(simple("A"), end="").encode()
    found = read(tmp_path, bz2.compress(content) + b"BZ", workers=2)
    assert found.titles == ["A"]
    assert f"the file ends at byte {len(content):,} without </mediawiki>" in found.problems


def test_a_torn_7z_is_refused(tmp_path: Path) -> None:
    packed = seven(MANY)
    with pytest.raises(CorpusError, match="7z"):
        read(tmp_path, packed[: len(packed) // 2])


def test_a_damaged_7z_is_refused(tmp_path: Path) -> None:
    packed = bytearray(seven(MANY))
    packed[len(packed) // 2] ^= 0x55
    with pytest.raises(CorpusError, match="the 7z archive cannot be unpacked"):
        read(tmp_path, bytes(packed))


def test_7z_whose_sum_is_wrong_is_told(tmp_path: Path) -> None:
    packed = seven(dump(simple("A"), simple("B")).encode(), filters=[{"id": COPY}])
    found = read(tmp_path, packed.replace(b"Of A.", b"Of X."))
    assert "the 7z archive cannot be unpacked" in found.problems


ROOT = Path(os.environ.get("VERIFIER_DATA", "")) / "corpora" / "dumps"

shared = pytest.mark.skipif(
    not os.environ.get("VERIFIER_DATA"), reason="VERIFIER_DATA names no folder of corpora"
)

PEAR, PYRUS = (1, "Pear", "Pear"), (1, "Pyrus", "Pyrus")

SHARED = {
    "aawiki-507pages-v0.11.xml.bz2": (507, "Main Page", "User talk:Ameisenigel"),
    "enwiki-11pages-v0.10.xml": (11, "Konica Minolta Cup", "Category:Amblyornis"),
    "enwiki-196pages-v0.10.xml.bz2": (
        196,
        "Wikipedia:Articles for deletion/Domotic maid",
        "Wikipedia:Articles for deletion/Yotoshi",
    ),
    "enwiki-206pages-v0.10.xml.bz2": (206, "AccessibleComputing", "Algorithm"),
    "enwiki-44pages-v0.8.xml.bz2": (44, "Potential difference", "Product of rings"),
    "ltgwiki-2004pages-v0.10.xml.bz2": (2004, "Suoku puslopa", "Bangkoka masu ātrais transports"),
    "nlwiki-21pages-v0.9.xml.bz2": (21, "Albert Speer", "Architekt"),
    "pywikibot/article-pear-0.10.xml": PEAR,
    "pywikibot/article-pear.xml": PEAR,
    "pywikibot/article-pyrus-utf16.xml": PYRUS,
    "pywikibot/article-pyrus-utf16.xml.bz2": PYRUS,
    "pywikibot/article-pyrus.xml": PYRUS,
    "pywikibot/article-pyrus.xml.7z": PYRUS,
    "pywikibot/article-pyrus.xml.bz2": PYRUS,
    "pywikibot/article-pyrus.xml.gz": PYRUS,
    "pywikibot/article-pyrus.xml.lzma": PYRUS,
    "pywikibot/article-pyrus.xml.xz": PYRUS,
    "pywikibot/dummy-reflinks.xml": (2, "Fake page", "Talk:Fake page"),
    "pywikibot/dummy-template.xml": (3, "Fake page with msg", "Fake page with nested template"),
    "pywikibot/pair-0.10.xml": (2, "Çullu, Agdam", "Talk:Çullu, Agdam"),
    "simplewiki-7pages-v0.10.xml.bz2": (7, "April", "Autonomous communities of Spain"),
    "synthetic-pages_test.xml": (5, "Talk:Title Test Value", "Moar Tests"),
    "tinywiki-8pages-duplicates-redirects.xml": (8, "Hello", "Bodmin"),
}

INVALID = "pywikibot/article-pyrus.xml_invalid.7z"


@shared
@pytest.mark.parametrize("name", SHARED)
def test_shared_dumps_are_read_whole(name: str) -> None:
    found = Read(ROOT / name, workers=2)
    assert (len(found.titles), found.titles[0], found.titles[-1]) == SHARED[name]
    assert found.skipped == []


def unpack(path: Path) -> bytes:
    """By the standard library alone."""
    how = {".bz2": bz2.decompress, ".gz": gzip.decompress, ".xz": lzma.decompress}
    return how.get(path.suffix, lzma.decompress if path.suffix == ".lzma" else bytes)(
        path.read_bytes()
    )


@shared
@pytest.mark.parametrize("name", [one for one in SHARED if not one.endswith(".7z")])
def test_shared_dumps_agree_with_another_parser(name: str) -> None:
    root = ElementTree.fromstring(unpack(ROOT / name))
    expected = []
    for element in root.iterfind("{*}page"):
        newest = max(
            element.iterfind("{*}revision"), key=lambda one: one.findtext("{*}timestamp", "")
        )
        expected.append(
            (element.findtext("{*}title"), element.findtext("{*}id"), newest.findtext("{*}text"))
        )
    assert [(one.title, one.id, one.text) for one in Read(ROOT / name).pages] == expected


@shared
def test_the_shared_file_that_is_no_7z_is_refused() -> None:
    with pytest.raises(CorpusError, match="begins with 'This file is not"):
        Read(ROOT / INVALID)


@shared
def test_no_shared_dump_is_forgotten() -> None:
    there = {str(one.relative_to(ROOT)) for one in ROOT.rglob("*") if one.is_file()}
    assert there == {*SHARED, INVALID}
