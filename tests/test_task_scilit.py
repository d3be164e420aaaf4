import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import tools

from corpora import papers
from index_builder.manifest import SourceInfo
from index_builder.records import PaperIndex
from index_builder.records_build import Counted, Plan, build
from models.errors import ModelError
from models.fake import Answer, FakeModel
from verifier.pipeline import verify
from verifier.task import Part, Task
from verifier.tasks import scilit
from verifier.values import Claim, Label, Response, Verdict, Why

EXAMPLE = Path(__file__).parent.parent / "examples" / "papers.bib"
TASK = Task("scilit", scilit.split, scilit.check, needs=frozenset({Part.PAPERS}))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> PaperIndex:
    folder = tmp_path_factory.mktemp("index") / "papers"
    records = papers.READERS["bibtex"](EXAMPLE, pytest.fail)
    build(records, Plan(folder, SourceInfo("papers.bib")), skipped=Counted())
    return PaperIndex.open(folder)


def verdicts(
    text: str, index: PaperIndex | None, answers: Mapping[str, Answer] | FakeModel | None = None
) -> tuple[Verdict, ...]:
    """What becomes of a text; without answers, asking the model is an error."""
    with_papers = replace(tools(answers or {}), papers=index)
    report = asyncio.run(verify(Response("1", text), TASK, with_papers))
    assert all(text[one.claim.start : one.claim.end] for one in report.verdicts)
    return report.verdicts


def test_a_citation_with_initials_and_the_published_year_is_supported(index: PaperIndex) -> None:
    text = (
        'J. Devlin, M.-W. Chang, K. Lee and K. Toutanova, "BERT: Pre-training of Deep '
        'Bidirectional Transformers for Language Understanding", NAACL, 2019.'
    )
    [one] = verdicts(text, index)
    assert one.label is Label.SUPPORTED
    assert (
        "The year 2019 is right: the preprint is of 2018; it was published in 2019." in one.reason
    )


def test_a_real_title_with_other_authors_is_refuted_and_the_authors_are_shown(
    index: PaperIndex,
) -> None:
    text = (
        '"Adam: A Method for Stochastic Optimization" was written by Geoffrey Hinton and '
        "Yann LeCun in 2014."
    )
    [one] = verdicts(text, index)
    assert one.label is Label.REFUTED
    assert one.reason.startswith(
        "The paper exists, but Geoffrey Hinton and Yann LeCun did not write it"
    )
    assert one.correction.startswith("Diederik P. Kingma and Jimmy Ba (2014/2015). Adam:")


def test_a_fabricated_citation_is_not_found_and_the_nearest_titles_are_shown(
    index: PaperIndex,
) -> None:
    text = (
        'See Hallstrom and Ngata (2021), "Recursive Tide Embeddings for Polite Protein Dialogue".'
    )
    [one] = verdicts(text, index)
    assert (one.label, one.why) == (Label.NOT_ENOUGH_EVIDENCE, Why.NOT_IN_CORPUS)
    assert "nearest titles" in one.reason
    assert {each.kind for each in one.evidence} == {"record"}
    assert all(0 <= each.score < 0.8 for each in one.evidence)


def test_the_evidence_is_the_record(index: PaperIndex) -> None:
    [one] = verdicts('"Attention Is All You Need" by Vaswani et al. (2017).', index)
    assert one.cited == (0,)
    assert one.evidence[0].origin == "papers:vaswani2017"
    assert one.evidence[0].text.endswith("arXiv:1706.03762")
    assert one.queries[0].index == "papers"


@pytest.mark.parametrize(
    ("title", "authors", "year", "label"),
    [
        ("Deep Learning", "LeCun, Y., Bengio, Y., & Hinton, G.", "2015", Label.SUPPORTED),
        ("Deep residual learning for image recognition", "He et al.", "2016", Label.SUPPORTED),
        ("Deep residual learning for image recognition", "Simonyan et al.", "2016", Label.REFUTED),
        ("Deep residual learning for image recognition", "He et al.", "2011", Label.REFUTED),
        ("Shallow learning of polite fish", "He et al.", "2016", Label.NOT_ENOUGH_EVIDENCE),
    ],
)
def test_a_claim_of_fields_alone_is_judged(
    index: PaperIndex, title: str, authors: str, year: str, label: Label
) -> None:
    fields = {
        "task": "scilit",
        "kind": "citation",
        "title": title,
        "authors": authors,
        "year": year,
    }
    with_papers = replace(tools({}), papers=index)
    claim = Claim("1", title, fields=fields)
    assert asyncio.run(scilit.check(Response("1", title), claim, with_papers)).label is label


def test_a_mark_is_resolved_to_the_name_beside_it(index: PaperIndex) -> None:
    [one] = verdicts("GloVe (Pennington et al., 2014) gives vectors.", index)
    assert one.label is Label.SUPPORTED
    assert one.claim.fields["authors"] == "Pennington et al."


ANSWER = json.dumps({"title": "Long Short-Term Memory", "authors": "", "year": "1997"})
UNQUOTED = "In 1997 the paper Long Short-Term Memory introduced a network."


def test_the_model_is_asked_where_no_rule_finds_the_title(index: PaperIndex) -> None:
    [one] = verdicts(UNQUOTED, index, {UNQUOTED: ANSWER})
    assert one.label is Label.SUPPORTED
    assert one.claim.text == "Long Short-Term Memory"


@pytest.mark.parametrize("title", ["Deep Learning of Cats", "", "1997"])
def test_a_title_that_the_sentence_does_not_have_is_not_taken(
    index: PaperIndex, title: str
) -> None:
    answer = json.dumps({"title": title, "authors": "", "year": ""})
    assert verdicts(UNQUOTED, index, {UNQUOTED: answer}) == ()


def test_a_sentence_that_could_not_be_read_ends_as_failed(index: PaperIndex) -> None:
    [one] = verdicts(UNQUOTED, index, FakeModel({UNQUOTED: ModelError("the server is gone")}))
    assert (one.label, one.failed_part) == (Label.FAILED, "split")


def test_a_text_without_references_gives_no_claims_and_asks_nobody(index: PaperIndex) -> None:
    assert verdicts("The Nile is 7,088 km long.", index) == ()


def test_without_a_papers_index_nothing_is_decided() -> None:
    [one] = verdicts('"Attention Is All You Need" by Vaswani et al. (2017).', None)
    assert (one.label, one.why) == (Label.NOT_ENOUGH_EVIDENCE, Why.NOT_IN_CORPUS)
    assert "verifier index build papers" in one.reason


def test_a_damaged_index_ends_as_a_failed_search(index: PaperIndex, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    records = papers.READERS["bibtex"](EXAMPLE, pytest.fail)
    build(records, Plan(folder, SourceInfo("x")), skipped=Counted())
    broken = PaperIndex.open(folder)
    broken.close()
    [one] = verdicts('"Attention Is All You Need" by Vaswani et al. (2017).', broken)
    assert (one.label, one.failed_part) == (Label.FAILED, "search")


def test_what_threads_use_is_imported_before_they_start() -> None:
    # Two threads that import rapidfuzz first and at once see it half made (ImportError).
    code = "import sys, verifier.citations.lookup as _; print('rapidfuzz.fuzz' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
