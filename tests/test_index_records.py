import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

from corpora import papers
from corpora.record import Person, Record
from index_builder import records_store
from index_builder.errors import BadIndex, IndexMissing
from index_builder.manifest import EncoderInfo, SourceInfo
from index_builder.records import PaperIndex
from index_builder.records_build import Counted, Plan, build
from index_builder.records_manifest import Coverage, PapersManifest
from index_builder.records_merge import is_same, merged
from verifier.commands.index import index as command

EXAMPLE = Path(__file__).parent.parent / "examples" / "papers.bib"

LI = Record("1", "Deep Fish Learning", (Person("Li", "Ann"),), preprint=2018, arxiv="1801.00001")


def made(folder: Path, records: Iterable[Record] | None = None, **plan: Any) -> PapersManifest:
    if records is None:
        records = papers.READERS["bibtex"](EXAMPLE, pytest.fail)
    force = plan.pop("force", False)
    source = SourceInfo("papers.bib", snapshot_date="2020-01-01")
    return build(records, Plan(folder, source, **plan), skipped=Counted(), force=force)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PaperIndex]:
    folder = tmp_path_factory.mktemp("index") / "papers"
    made(folder, complete=(Coverage("NAACL", 2019, 2019),))
    with_index = PaperIndex.open(folder)
    yield with_index
    with_index.close()


@pytest.mark.parametrize(
    "name", ["1810.04805", "arXiv:1810.04805v2", "https://arxiv.org/abs/1810.04805"]
)
def test_a_paper_is_found_by_its_arxiv_id(index: PaperIndex, name: str) -> None:
    assert index.by_arxiv(name).title.startswith("BERT")


def test_a_paper_is_found_by_its_doi_in_any_case(index: PaperIndex) -> None:
    assert index.by_doi("https://doi.org/10.18653/V1/N19-1423").title.startswith("BERT")
    assert index.by_doi("10.1/none") is None


@pytest.mark.parametrize(
    "title",
    [
        "attention is all you need",
        "Attention is all you need.",
        "ATTENTION-IS ALL YOU NEED",
        "Åttention is all yöu need",
    ],
)
def test_case_accents_and_punctuation_of_a_title_do_not_count(
    index: PaperIndex, title: str
) -> None:
    assert [one.arxiv for one in index.titled(title)] == ["1706.03762"]


def test_all_papers_with_one_title_are_found(index: PaperIndex) -> None:
    assert [one.years for one in index.titled("Deep Learning")] == [(2015,), (2016,)]


def test_a_paper_is_found_without_its_subtitle(index: PaperIndex) -> None:
    assert [one.title[:6] for one in index.headed("GloVe")] == ["GloVe:"]


def test_the_most_alike_title_comes_first(index: PaperIndex) -> None:
    near = index.similar("Deep residual learnin for image recognition")
    assert near[0].record.authors[0].family == "He"
    assert near[0].similarity > 0.97
    assert near[0].similarity > near[1].similarity


@pytest.mark.parametrize(
    "title", ["", "...", "\0", "x" * 100_000, "\u202e\u202d", '"OR" NEAR( *', "' OR 1=1 --"]
)
def test_any_title_can_be_looked_up(index: PaperIndex, title: str) -> None:
    assert index.titled(title) == ()
    assert index.headed(title) == ()
    assert all(one.similarity < 0.5 for one in index.similar(title))


def test_papers_are_found_by_author_and_year(index: PaperIndex) -> None:
    assert [one.title for one in index.by_author("Ba", 2014)] == [
        "Adam: A Method for Stochastic Optimization"
    ]
    assert index.by_author("Ba", 2011) == ()


def test_the_manifest_says_what_is_complete(index: PaperIndex) -> None:
    assert index.complete == (Coverage("NAACL", 2019, 2019),)
    assert (len(index), index.name, index.snapshot_date) == (10, "papers", "2020-01-01")


def test_preprint_and_publication_become_one_paper(tmp_path: Path) -> None:
    published = Record(
        "2", "Deep fish learning.", (Person("Li", "A."),), published=(2019,), venue="ACL"
    )
    counts = made(tmp_path / "p", [LI, published]).counts
    [one] = PaperIndex.open(tmp_path / "p").titled("deep fish learning")
    assert (counts.papers, counts.merged) == (1, 1)
    assert (one.years, one.venue, one.authors) == ((2018, 2019), "ACL", LI.authors)


def test_one_title_by_others_stays_another_paper(tmp_path: Path) -> None:
    other = Record("2", "Deep Fish Learning", (Person("Bo"),), published=(2019,))
    assert made(tmp_path / "p", [LI, other]).counts.papers == 2


def test_one_arxiv_id_under_two_titles_is_one_paper_found_by_both(tmp_path: Path) -> None:
    renamed = Record("2", "Learning of Deep Fish", arxiv="1801.00001", published=(2019,))
    made(tmp_path / "p", [LI, renamed])
    index = PaperIndex.open(tmp_path / "p")
    assert index.titled("Learning of deep fish") == index.titled(LI.title)
    assert index.similar("Learning of deeep fish")[0].similarity > 0.9


def test_two_arxiv_ids_are_two_papers() -> None:
    assert not is_same(LI, Record("2", LI.title, LI.authors, arxiv="1802.00002"))


def test_merging_keeps_the_fuller_list_of_authors() -> None:
    both = (Person("Li", "A."), Person("Bo", "B."))
    assert merged(LI, Record("2", LI.title, both)).authors == both


def test_the_same_records_give_the_same_id(tmp_path: Path) -> None:
    assert made(tmp_path / "a").id == made(tmp_path / "b").id
    assert made(tmp_path / "c", complete=(Coverage("*", 2000, 2001),)).id != made(tmp_path / "a").id


def test_building_again_leaves_the_index_as_it_is(tmp_path: Path) -> None:
    first = made(tmp_path / "p")
    assert made(tmp_path / "p") == first


def test_another_index_is_only_replaced_by_force(tmp_path: Path) -> None:
    made(tmp_path / "p")
    with pytest.raises(BadIndex, match="already holds another index: 10 papers"):
        made(tmp_path / "p", [LI])
    assert made(tmp_path / "p", [LI], force=True).counts.papers == 1
    assert sorted(one.name for one in tmp_path.iterdir()) == [".p.lock", "p"]


def test_no_records_make_no_index(tmp_path: Path) -> None:
    with pytest.raises(BadIndex, match="nothing to index"):
        made(tmp_path / "p", [])
    assert not PaperIndex.is_at(tmp_path / "p")


def test_a_reader_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[Record]:
        yield LI
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        made(tmp_path / "p", broken())
    assert [one.name for one in tmp_path.iterdir()] == [".p.lock"]


def test_an_index_that_is_not_there_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="verifier index build papers"):
        PaperIndex.open(tmp_path / "none")
    assert not PaperIndex.is_at(tmp_path / "none")


def test_an_index_of_passages_is_refused_and_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps({"format": 1, "id": "0"}))
    assert not PaperIndex.is_at(tmp_path)
    with pytest.raises(BadIndex, match="an index of passages, not of papers"):
        PaperIndex.open(tmp_path)
    with pytest.raises(BadIndex, match="an index of passages"):
        made(tmp_path, force=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 9}, "has format 9"),
        ({"counts": 3}, "counts"),
        ({"files": {"x": {"size": 1, "sha256": ""}}}, "is missing"),
    ],
)
def test_a_manifest_that_is_not_as_it_must_be_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    made(tmp_path / "p")
    file = tmp_path / "p" / "manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(BadIndex, match=message):
        PaperIndex.open(tmp_path / "p")


def test_damaged_tables_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    made(tmp_path / "p")
    file = tmp_path / "p" / records_store.FILE
    file.write_bytes(b"\xff" * file.stat().st_size)
    assert PapersManifest.load(tmp_path / "p").damaged(tmp_path / "p") == (records_store.FILE,)
    with pytest.raises(BadIndex, match=r"is damaged .*build papers"):
        PaperIndex.open(tmp_path / "p")


def test_an_open_index_is_never_written_to(index: PaperIndex) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        index._tables.execute("DELETE FROM papers")


@pytest.mark.parametrize("text", ["ACL", "ACL:", ":2019", "ACL:2019-2015", "ACL:19"])
def test_a_coverage_that_is_not_understood_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="FIELD:YEARS"):
        Coverage.parse(text)


def letters(titles: Sequence[str]) -> NDArray[np.float32]:
    """A toy encoder: which letters a title has."""
    vectors = np.array(
        [[one.lower().count(chr(97 + n)) for n in range(26)] for one in titles], np.float32
    )
    return vectors / np.maximum(1, np.linalg.norm(vectors, axis=1, keepdims=True))


@pytest.mark.jvm
def test_vectors_of_titles_find_what_no_word_does(tmp_path: Path) -> None:
    toy = EncoderInfo("letters", "1", 26)
    made(tmp_path / "p", encode=letters, encoder=toy)
    anagram = "Nooitnetta si lal ouy deen"
    assert PaperIndex.open(tmp_path / "p").similar(anagram) == ()
    index = PaperIndex.open(tmp_path / "p", letters, toy)
    assert "1706.03762" in [one.record.arxiv for one in index.similar(anagram)]
    with pytest.raises(BadIndex, match="were encoded by letters"):
        PaperIndex.open(tmp_path / "p", letters, EncoderInfo("other", "1", 26))


def run(*words: str) -> Result:
    return CliRunner().invoke(command, ["build", "papers", *words], catch_exceptions=False)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path))
    return tmp_path


def test_the_command_builds_an_index_and_says_what_it_holds(home: Path) -> None:
    done = run(str(EXAMPLE), "--complete", "NAACL:2019", "--snapshot-date", "2020-01-01", "--json")
    said = json.loads(done.stdout)
    assert said["counts"] == {"papers": 10, "merged": 0, "skipped": 0}
    assert said["complete"] == [{"field": "NAACL", "first": 2019, "last": 2019}]
    assert PaperIndex.open(home / "indexes" / "papers").snapshot_date == "2020-01-01"


def test_the_command_names_what_it_skipped(home: Path, tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@misc{a, title={Fish}}\n@misc{b, year=2019}\n")
    done = run(str(tmp_path / "a.bib"), "--name", "mine")
    assert "skipped: a.bib, line 2, entry b: it has no title" in done.stderr
    assert (home / "indexes" / "mine" / "manifest.json").is_file()


@pytest.mark.parametrize(
    "words", [(), ("x.bib", "--complete", "ACL"), ("x.bib", "--snapshot-date", "May")]
)
def test_what_the_command_cannot_do_is_a_usage_error(home: Path, words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2
    assert not (home / "indexes").exists()


def test_info_shows_papers_indexes_too(home: Path) -> None:
    run(str(EXAMPLE))
    done = CliRunner().invoke(command, ["info", "papers"], catch_exceptions=False)
    assert "10 papers; 0 records merged" in done.stdout
