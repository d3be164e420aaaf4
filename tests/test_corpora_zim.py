"""ZIM files of our own, and those of VERIFIER_DATA: all is read, or refused with a reason."""

import hashlib
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from libzim.writer import Creator, Hint, Item, StringProvider

from corpora.errors import CorpusError, CorpusMissing
from corpora.passage import Passage
from corpora.reading import Reading, Skipped
from corpora.zim import read

PAGES = {
    "Lake_Baikal": ("Lake Baikal", "<h1>Lake Baikal</h1><p>It is 1,642 m deep.</p>"),
    "Lake_Onega": ("Lake Onega", "<p>It has 1,650 islands.</p><h2>Fish</h2><p>47 kinds.</p>"),
}


class _Page(Item):  # type: ignore[misc]
    def __init__(self, path: str, title: str, text: str, mime: str = "text/html") -> None:
        super().__init__()
        self._own = (path, title, text, mime)

    def get_path(self) -> str:
        return self._own[0]

    def get_title(self) -> str:
        return self._own[1]

    def get_mimetype(self) -> str:
        return self._own[3]

    def get_contentprovider(self) -> StringProvider:
        return StringProvider(self._own[2])

    def get_hints(self) -> dict[Hint, int]:
        return {Hint.FRONT_ARTICLE: self._own[3] == "text/html"}


def _made(path: Path, *more: _Page, language: str = "eng") -> Path:
    with Creator(path).config_indexing(False, "eng") as creator:
        for name, (title, text) in PAGES.items():
            creator.add_item(_Page(name, title, text))
        for page in more:
            creator.add_item(page)
        creator.add_item(_Page("a.png", "", "no text 12", "image/png"))
        creator.add_redirection("Baykal", "Baykal", "Lake_Baikal", {})
        for key, value in (("Date", "2024-05-01"), ("Language", language), ("Title", "Lakes")):
            creator.add_metadata(key, value)
    return path


def _read(path: Path, workers: int = 1) -> tuple[list[Passage], list[Skipped], list[str]]:
    skipped: list[Skipped] = []
    aliases: list[str] = []

    def alias(name: str, title: str) -> None:
        aliases.append(f"{name} -> {title}")

    found = read(path, Reading(skip=skipped.append, alias=alias, workers=workers))
    return list(found), skipped, aliases


@pytest.fixture
def lakes(tmp_path: Path) -> Path:
    return _made(tmp_path / "lakes.zim")


def _changed(path: Path, change: Callable[[bytearray], object], *, signed: bool = True) -> Path:
    """The file with other bytes, and a checksum that fits them if it is to be `signed`."""
    data = bytearray(path.read_bytes())
    change(data)
    if signed:
        data[-16:] = hashlib.md5(data[:-16], usedforsecurity=False).digest()
    path.write_bytes(data)
    return path


def test_articles_become_passages_with_what_the_file_says_of_them(lakes: Path) -> None:
    found, skipped, aliases = _read(lakes)
    assert [(one.id, one.title, one.section, one.text) for one in found] == [
        ("lakes:Lake_Baikal:0", "Lake Baikal", "", "It is 1,642 m deep."),
        ("lakes:Lake_Onega:0", "Lake Onega", "", "It has 1,650 islands."),
        ("lakes:Lake_Onega:1", "Lake Onega", "Fish", "47 kinds."),
    ]
    assert {(one.language, one.date, one.source) for one in found} == {
        ("en", "2024-05-01", "lakes")
    }
    assert (aliases, skipped) == (["Baykal -> Lake Baikal"], [])


def test_several_processes_find_the_same(lakes: Path) -> None:
    assert _read(lakes, workers=2) == _read(lakes)


def test_a_split_file_is_read_by_either_name(lakes: Path) -> None:
    whole, _, _ = _read(lakes)
    data = lakes.read_bytes()
    lakes.unlink()
    lakes.with_suffix(".zimaa").write_bytes(data[:700])
    lakes.with_suffix(".zimab").write_bytes(data[700:])
    assert _read(lakes)[0] == whole == _read(lakes.with_suffix(".zimaa"))[0]


def test_a_later_part_or_a_lost_one_is_refused(tmp_path: Path) -> None:
    for letters in ("aa", "ac"):
        (tmp_path / f"x.zim{letters}").write_bytes(b"ZIM\x04")
    with pytest.raises(CorpusError, match=r"x\.zimab is missing"):
        _read(tmp_path / "x.zimaa")
    with pytest.raises(CorpusError, match="later part"):
        _read(tmp_path / "x.zimac")
    with pytest.raises(CorpusMissing):
        _read(tmp_path / "y.zim")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.__delitem__(slice(40, None)), "smaller than its header"),
        (lambda data: data.__delitem__(slice(-100, None)), "cut off"),
        (lambda data: data.__setitem__(0, 0), "bad magic number"),
        (lambda data: data.__setitem__(4, 9), r"format is version 9"),
        (lambda data: struct.pack_into("<Q", data, 32, 1 << 40), "entries is out of bounds"),
        (lambda data: struct.pack_into("<Q", data, 48, 1 << 40), "clusters is out of bounds"),
        (lambda data: struct.pack_into("<Q", data, 56, 1 << 40), "MIME types at byte"),
        (lambda data: data.__setitem__(200, data[200] ^ 1), "MD5 checksum"),
    ],
)
def test_a_broken_file_is_refused_with_the_reason(
    lakes: Path, change: Callable[[bytearray], object], reason: str
) -> None:
    _changed(lakes, change, signed=False)
    with pytest.raises(CorpusError, match=reason):
        _read(lakes)


def test_an_entry_that_leads_nowhere_is_told_and_the_others_are_read(lakes: Path) -> None:
    def lead_away(data: bytearray) -> None:
        name = data.index(b"Lake_Onega\0")
        struct.pack_into("<I", data, name - 8, 99)  # Its cluster.

    found, skipped, _ = _read(_changed(lakes, lead_away))
    assert [one.title for one in found] == ["Lake Baikal"]
    (one,) = skipped
    assert one.problem.startswith("entry 2 at byte ")
    assert "'Lake_Onega' is in cluster 99 of 2" in one.problem


def test_an_entry_that_libzim_cannot_read_is_told_with_its_place(lakes: Path) -> None:
    def no_such_blob(data: bytearray) -> None:
        struct.pack_into("<I", data, data.index(b"Lake_Onega\0") - 4, 77)

    found, skipped, _ = _read(_changed(lakes, no_such_blob))
    assert [one.title for one in found] == ["Lake Baikal"]
    assert skipped[0].place.startswith("lakes.zim, 'Lake_Onega' in cluster 0 at byte ")


def test_what_is_called_html_but_is_none_is_told(tmp_path: Path) -> None:
    path = _made(tmp_path / "x.zim", _Page("s", "s", "(function() {})"), _Page("e", "e", "  "))
    assert [one.problem for one in _read(path)[1]] == [
        "it is no HTML but begins with '(function() {})'",
        "empty",
    ]


def test_a_file_without_articles_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zim"
    with Creator(path).config_indexing(False, "eng") as creator:
        creator.add_item(_Page("a.png", "", "no text 12", "image/png"))
    with pytest.raises(CorpusError, match="nothing that can be read"):
        _read(path)


def test_language_that_the_file_does_not_tell_is_the_readers(tmp_path: Path) -> None:
    path = _made(tmp_path / "x.zim", language="eng,fra")
    found = list(read(path, Reading(language="fr")))
    assert {one.language for one in found} == {"fr"}


def test_page_tells_its_own_address_revision_and_date(tmp_path: Path) -> None:
    text = (
        "<link rel=canonical href='https://en.wikipedia.org/wiki/Ob'><p>3,650 km</p><div>Issued "
        "from <a title='Last edited on 2019-10-02' href='https://en.wikipedia.org/?oldid=12'>here"
        "</a> under <a href='https://creativecommons.org/licenses/by-sa/4.0/'>it</a></div>"
    )
    found, _, _ = _read(_made(tmp_path / "x.zim", _Page("Ob", "Ob", text)))
    one = next(one for one in found if one.title == "Ob")
    assert (one.url, one.revision, one.date) == (
        "https://en.wikipedia.org/wiki/Ob",
        "12",
        "2019-10-02",
    )
    assert one.text == "3,650 km"


ROOT = Path(os.environ.get("VERIFIER_DATA", "")) / "corpora" / "zim"

shared = pytest.mark.skipif(
    not os.environ.get("VERIFIER_DATA"), reason="VERIFIER_DATA names no folder of corpora"
)

EXAMPLE = "FreedomBox for Communities/Offline Wikipedia - Wikibooks, open books for an open world"
POOR = "Test ZIM file - Main page"
BOOKS = (66, 3, "Індыйская кухня", "Эспэранта/Суфіксы")
OLD_BOOKS = (66, 3, "Італьянская мова/Урок 5", "Нямецкая кухня")
SMALL = (1, 0, "Test ZIM file", "Test ZIM file")

READ = {
    "kiwix-corner_cases.zim": (1, 2, "C#", "C#"),
    "kiwix-example.zim": (2, 0, "Wikibooks", EXAMPLE),
    "kiwix-poor.zim": (5, 0, POOR, POOR),
    "kiwix-raycharles-zimfile.zim": (129, 155, "Main Page", "Soul Brothers"),
    "kiwixjs-foo-zstd.zim": (16, 0, "10", "1"),
    "wikipedia_en_ray_charles_2015-06.zim": (85, 151, "A Fool for You", "Summary"),
    "suite/noTitleListingV0-small.zim": SMALL,
    "suite/noTitleListingV0-wikibooks_be_all_nopic_2017-02.zim": BOOKS,
    "suite/nons-small.zim": SMALL,
    "suite/nons-wikibooks_be_all_nopic_2017-02.zim": BOOKS,
    "suite/withns-small.zim": SMALL,
    "suite/withns-wikibooks_be_all_nopic_2017-02.zim": OLD_BOOKS,
    "suite/split-wikibooks_be.zimaa": OLD_BOOKS,
    "suite/split-wikibooks_be.zim": OLD_BOOKS,
}
"""Articles, aliases, and the titles of the first and the last, as they lie in the file."""

INVALID = {
    "bad_mimetype_in_dirent": "MD5 checksum",
    "bad_mimetype_list": "MIME types",
    "invalid_checksumpos": "position of the checksum",
    "invalid_mimelistpos": "MIME types at byte 0",
    "nonsorted_dirent_table": "not properly sorted",
    "nonsorted_title_index": "MD5 checksum",
    "offset_in_cluster": "Offsets are not ordered",
    "outofbounds_clusterptrpos": "pointers to clusters is out of bounds",
    "outofbounds_first_clusterptr": "number 0 in its table of pointers to clusters",
    "outofbounds_first_direntptr": "number 0 in its table of pointers to entries",
    "outofbounds_first_title_entry": "number 0 in its table of titles",
    "outofbounds_last_direntptr": "number 15 in its table of pointers to entries",
    "outofbounds_last_title_entry": "number 15 in its table of titles",
    "outofbounds_titleptrpos": "table of titles is out of bounds",
    "outofbounds_urlptrpos": "pointers to entries is out of bounds",
    "smaller_than_header": "smaller than its header",
}


@shared
@pytest.mark.parametrize("name", READ)
def test_shared_files_are_read(name: str) -> None:
    found, _, aliases = _read(ROOT / name)
    documents = {one.id.rpartition(":")[0] for one in found}
    counted = (len(documents), len(aliases), found[0].title, found[-1].title)
    assert counted == READ[name]
    assert len({one.id for one in found}) == len(found)


@shared
@pytest.mark.parametrize("name", INVALID)
def test_shared_broken_files_are_refused(name: str) -> None:
    with pytest.raises(CorpusError, match=INVALID[name]):
        _read(ROOT / "suite" / "invalid" / f"invalid.{name}.zim")


@shared
def test_no_shared_file_is_forgotten() -> None:
    later = {f"suite/split-wikibooks_be.zima{letter}" for letter in "bc"}
    listed = {*READ, *later, *(f"suite/invalid/invalid.{name}.zim" for name in INVALID)}
    here = {str(one.relative_to(ROOT)) for one in ROOT.rglob("*.zim*")}
    assert here - listed == set()
