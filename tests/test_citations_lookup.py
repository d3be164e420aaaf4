from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from corpora import papers
from corpora.record import Person, Record
from index_builder.manifest import SourceInfo
from index_builder.records import PaperIndex
from index_builder.records_build import Counted, Plan, build
from index_builder.records_manifest import Coverage
from verifier.citations.citation import Citation
from verifier.citations.lookup import look_up
from verifier.values import Label, Why

EXAMPLE = Path(__file__).parent.parent / "examples" / "papers.bib"

REAL = """
A Mathematical Theory of Communication
On Computable Numbers, with an Application to the Entscheidungsproblem
Reducibility Among Combinatorial Problems
A Relational Model of Data for Large Shared Data Banks
Time, Clocks, and the Ordering of Events in a Distributed System
New Directions in Cryptography
A Method for Obtaining Digital Signatures and Public-Key Cryptosystems
Go To Statement Considered Harmful
The Complexity of Theorem-Proving Procedures
Learning Representations by Back-Propagating Errors
Gradient-Based Learning Applied to Document Recognition
Random Forests of Decision Trees
Support-Vector Networks
Latent Dirichlet Allocation
Maximum Likelihood from Incomplete Data via the EM Algorithm
Dropout: A Simple Way to Prevent Neural Networks from Overfitting
Batch Normalization: Accelerating Deep Network Training by Reducing Internal Covariate Shift
Generative Adversarial Nets
Auto-Encoding Variational Bayes
Neural Machine Translation by Jointly Learning to Align and Translate
Sequence to Sequence Learning with Neural Networks
Distributed Representations of Words and Phrases and their Compositionality
U-Net: Convolutional Networks for Biomedical Image Segmentation
Playing Atari with Deep Reinforcement Learning
Proximal Policy Optimization Algorithms
MapReduce: Simplified Data Processing on Large Clusters
The Google File System
Bigtable: A Distributed Storage System for Structured Data
Dynamo: Amazon's Highly Available Key-value Store
The PageRank Citation Ranking: Bringing Order to the Web
A Fast Learning Algorithm for Deep Belief Nets
Reducing the Dimensionality of Data with Neural Networks
Visualizing Data using t-SNE
Xgboost: A Scalable Tree Boosting System
Scikit-learn: Machine Learning in Python
Rapid Object Detection using a Boosted Cascade of Simple Features
Distinctive Image Features from Scale-Invariant Keypoints
Bleu: a Method for Automatic Evaluation of Machine Translation
Building a Large Annotated Corpus of English: The Penn Treebank
Class-Based n-gram Models of Natural Language
""".strip().splitlines()

INVENTED = """
A Mathematical Theory of Polite Conversation
On Computable Rivers, with an Application to the Drainage Problem
Reducibility Among Musical Problems
A Relational Model of Grief for Large Shared Houses
Time, Clocks, and the Ordering of Meals in a Distributed Family
New Directions in Cartography
A Method for Obtaining Digital Perfume and Public-Nose Systems
Go To Bed Considered Harmful
The Complexity of Bread-Proving Procedures
Learning Representations by Back-Propagating Rumours
Gradient-Based Learning Applied to Cheese Recognition
Random Deserts of Decision Cacti
Support-Kitten Networks
Latent Dirichlet Relocation
Maximum Likelihood from Incomplete Diaries via the GM Algorithm
Dropout: A Simple Way to Prevent Students from Overworking
Batch Cooking: Accelerating Dinner by Reducing Internal Kitchen Shift
Generative Adversarial Vets
Auto-Encoding Variational Bakeries
Neural Machine Translation by Jointly Learning to Sing and Dance
Sequence to Sequence Learning with Wooden Networks
Distributed Representations of Birds and Breezes and their Migration
V-Net: Convolutional Networks for Agricultural Image Segmentation
Playing Chess with Deep Reinforcement Learning
Proximal Parking Optimization Algorithms
MapReduce: Simplified Bird Counting on Large Clusters
The Google Fish System
Bigtable: A Distributed Seating System for Structured Dinners
Dynamo: Finland's Highly Available Bicycle Light
The PageRank Recipe Ranking: Bringing Order to the Kitchen
A Fast Learning Algorithm for Deep Fishing Nets
Reducing the Dimensionality of Cities with Neural Networks
Visualizing Storms using t-SNE
Xgboost: A Scalable Ladder Boosting System
Scikit-garden: Machine Watering in Python
Rapid Squirrel Detection using a Boosted Cascade of Nuts
Distinctive Wine Features from Scale-Invariant Bottles
Blau: a Method for Automatic Evaluation of Swimming Pools
Building a Large Annotated Corpus of Whistling: The Penn Songbook
Class-Based Timetables of Natural Languor
""".strip().splitlines()

LI = (Person("Quist", "Mara"), Person("Li", "Wei"))


def opened(folder: Path, records: Iterable[Record], **plan: Any) -> PaperIndex:
    plan = Plan(folder / "papers", SourceInfo("x", snapshot_date="2023-05-01"), **plan)
    build(records, plan, skipped=Counted())
    return PaperIndex.open(folder / "papers")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> PaperIndex:
    return opened(tmp_path_factory.mktemp("a"), papers.READERS["bibtex"](EXAMPLE, pytest.fail))


@pytest.fixture(scope="module")
def forty(tmp_path_factory: pytest.TempPathFactory) -> PaperIndex:
    records = [Record(str(n), one, LI, published=(2001,)) for n, one in enumerate(REAL)]
    return opened(tmp_path_factory.mktemp("b"), records)


def misspelt(title: str) -> str:
    """The longest word without its fourth letter."""
    word = max((one for one in title.split() if one.isalpha()), key=len)
    return title.replace(word, word[:3] + word[4:], 1)


@pytest.mark.parametrize("title", REAL)
def test_a_real_title_is_found_however_it_is_written(forty: PaperIndex, title: str) -> None:
    accents = title.replace("e", "\u00e9", 1).replace("o", "\u00f6", 1)
    for written in (
        title.upper(),
        misspelt(title),
        f"{{{title}}}.",
        title.replace("-", " "),
        accents,
    ):
        found = look_up(Citation(written, "Quist and Li", "2001"), forty)
        assert (found.label, found.records[0].record.title) == (Label.SUPPORTED, title)


@pytest.mark.parametrize("title", [one for one in REAL if ":" in one])
def test_a_title_is_found_without_its_subtitle(forty: PaperIndex, title: str) -> None:
    found = look_up(Citation(title.partition(":")[0], "M. Quist et al.", "2001"), forty)
    assert (found.label, found.records[0].record.title) == (Label.SUPPORTED, title)


@pytest.mark.parametrize("title", INVENTED)
def test_an_invented_title_is_never_matched_to_a_real_paper(forty: PaperIndex, title: str) -> None:
    for citation in (Citation(title), Citation(title, "Hallstrom and Ngata", "2001")):
        found = look_up(citation, forty)
        assert (found.label, found.why) == (Label.NOT_ENOUGH_EVIDENCE, Why.NOT_IN_CORPUS)
        assert not found.cited


def test_the_nearest_titles_are_shown_with_their_likeness(forty: PaperIndex) -> None:
    found = look_up(Citation("The Google Fish System"), forty)
    assert "The nearest titles are \u201cThe Google File System\u201d (0.9" in found.reason
    assert len(found.records) == 3


ADAM = "Adam: A Method for Stochastic Optimization"
BERT = "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding"


@pytest.mark.parametrize(
    ("citation", "reason"),
    [
        (Citation(ADAM, "Hinton and LeCun", "2014"), "Diederik P. Kingma and Jimmy Ba did"),
        (Citation(ADAM, "Kingma and LeCun", "2014"), "LeCun is not among its authors"),
        (Citation(ADAM, "Ba et al.", "2014"), "its first author is Diederik P. Kingma"),
        (Citation(ADAM, "Kingma and Ba", "2011"), "its year is 2014 or 2015, not 2011"),
        (
            Citation(BERT.replace("Language", "Speech"), "Devlin et al.", "2018"),
            "its title is \u201cBERT",
        ),
        (Citation(ADAM, arxiv="1810.04805"), "arXiv:1810.04805 is another paper, \u201cBERT"),
        (Citation(ADAM, arxiv="1412.9999"), "its arXiv id is 1412.6980, not 1412.9999"),
        (Citation(BERT, doi="10.1/x"), "its DOI is 10.18653/v1/n19-1423"),
    ],
)
def test_a_paper_that_exists_but_is_cited_wrongly_is_refuted_with_the_right_one(
    example: PaperIndex, citation: Citation, reason: str
) -> None:
    found = look_up(citation, example)
    assert found.label is Label.REFUTED
    assert reason in found.reason
    assert ("Kingma" if citation.title == ADAM else "Devlin") in found.correction


@pytest.mark.parametrize(
    "citation",
    [
        Citation(ADAM, "D. Kingma and J. Ba", "2014"),
        Citation(ADAM, "Kingma, Diederik P., and Jimmy Ba", "2015"),
        Citation(ADAM),
        Citation(ADAM, "Kingma et al."),
        Citation(ADAM, "Kingma and Ba", "2015", venue="Science"),
        Citation(arxiv="1412.6980"),
        Citation(ADAM, arxiv="1412.6980"),
        Citation("Adam", "Kingma and Ba", "2015"),
        Citation("Deep Learning", "Goodfellow, Bengio, Courville", "2016"),
        Citation("Deep Learning", "LeCun et al.", "2015"),
    ],
)
def test_a_paper_that_exists_as_cited_is_supported(example: PaperIndex, citation: Citation) -> None:
    assert look_up(citation, example).label is Label.SUPPORTED


def test_of_two_papers_with_one_title_the_authors_decide(example: PaperIndex) -> None:
    found = look_up(Citation("Deep learning", "Y. LeCun, Y. Bengio, G. Hinton", "2016"), example)
    assert found.records[0].record.venue == "Nature"


@pytest.mark.parametrize(
    "citation",
    [
        Citation("Deep Learning", "Mara Quist", "2019"),
        Citation("Adam", "Mara Quist", "2015"),
        Citation("Long Short Memory", "Quist", "1997"),
        Citation("Deep Residual Learning for Cat Recognition", "Kaiming He et al.", "2016"),
        Citation("Attention Is All You Want", "Quist and Li", "2017"),
        Citation("Attention Is", "Vaswani et al.", "2017"),
    ],
)
def test_a_short_or_changed_title_is_not_taken_for_the_nearest_paper(
    example: PaperIndex, citation: Citation
) -> None:
    found = look_up(citation, example)
    assert (found.label, found.cited) == (Label.NOT_ENOUGH_EVIDENCE, False)


def test_a_subtitle_that_the_index_lacks_is_left_open(example: PaperIndex) -> None:
    title = "The Anatomy of a Large-Scale Hypertextual Web Search Engine: A Study"
    found = look_up(Citation(title, "Brin and Page", "1998"), example)
    assert (found.label, found.why) == (Label.NOT_ENOUGH_EVIDENCE, Why.SILENT)


def test_authors_and_year_alone_mean_the_paper_that_the_sentence_names(example: PaperIndex) -> None:
    mark = Citation(authors="Devlin et al.", year="2018")
    assert look_up(mark, example, "We use BERT (Devlin et al., 2018)").label is Label.SUPPORTED
    found = look_up(mark, example, "We use a model (Devlin et al., 2018)")
    assert (found.label, found.why) == (Label.NOT_ENOUGH_EVIDENCE, Why.SILENT)
    assert "BERT" in found.reason


@pytest.mark.parametrize(
    ("coverage", "label"),
    [
        ("ACL:2015-2019", Label.REFUTED),
        ("*:2018", Label.REFUTED),
        ("ACL:2015-2017", Label.NOT_ENOUGH_EVIDENCE),
        ("EMNLP:2018", Label.NOT_ENOUGH_EVIDENCE),
    ],
)
def test_what_is_not_there_is_false_only_where_the_index_is_complete(
    tmp_path: Path, coverage: str, label: Label
) -> None:
    index = opened(tmp_path, [Record("1", "Fish", LI)], complete=(Coverage.parse(coverage),))
    found = look_up(Citation("Slow Boats in Deep Water", year="2018", venue="Proc. ACL"), index)
    assert found.label is label
    assert (coverage[:3] in found.reason) is (label is Label.REFUTED)


def test_a_citation_newer_than_the_index_is_outside_the_snapshot(forty: PaperIndex) -> None:
    assert look_up(Citation("Slow Boats", year="2024"), forty).why is Why.OUTSIDE_SNAPSHOT


@pytest.mark.parametrize("title", ["\0", "x" * 100_000, "\u202e\u05d0", "' OR 1", '"'])
def test_hostile_titles_end_as_not_found(example: PaperIndex, title: str) -> None:
    assert look_up(Citation(title, title, title), example).label is Label.NOT_ENOUGH_EVIDENCE
