import pytest

from verifier.citations.find import find

BERT = "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding"
ADAM = "Adam: A Method for Stochastic Optimization"


def given(text: str) -> list[tuple[str, str, str]]:
    """Title, authors and year of each reference."""
    cited = [one.citation for one in find(text)]
    return [(one.title, one.authors, one.year) for one in cited]


ONE = {
    f'J. Devlin, M.-W. Chang and K. Lee, "{BERT}", NAACL, 2019.': (
        BERT,
        "J. Devlin, M.-W. Chang and K. Lee",
        "2019",
    ),
    f'"{ADAM}" was written by Ann Li and Bo Xu in 2014.': (ADAM, "Ann Li and Bo Xu", "2014"),
    'See Hallstrom and Ngata (2021), "Tide Embeddings for Polite Dialogue".': (
        "Tide Embeddings for Polite Dialogue",
        "Hallstrom and Ngata",
        "2021",
    ),
    "It is told in 'The Founders' Capital of Firms' by A. B. Quist (2017), among others.": (
        "The Founders' Capital of Firms",
        "A. B. Quist",
        "2017",
    ),
    "A study by Mara Quist titled 'Rivers and Roads: A History' (2018) found that they bend.": (
        "Rivers and Roads: A History",
        "Mara Quist",
        "2018",
    ),
    "\u201cSlow Light in Cold Gases\u201d by T. Brandt et al., in Optics in 2014, is it.": (
        "Slow Light in Cold Gases",
        "T. Brandt et al.",
        "2014",
    ),
    "Quist et al. (2017) describe rivers in their paper \u00abRivers Bend\u00bb.": (
        "Rivers Bend",
        "Quist et al.",
        "2017",
    ),
    "In 2017, Quist et al. published \u201cHow rivers bend in the plain\u201d.": (
        "How rivers bend in the plain",
        "Quist et al.",
        "2017",
    ),
    "It is in *The Old Man and the River* by Ernest Quist (1952).": (
        "The Old Man and the River",
        "Ernest Quist",
        "1952",
    ),
    "1. Kingma, D. P., & Ba, J. (2015). Adam: A method for optimization. *ICLR*.": (
        "Adam: A method for optimization",
        "Kingma, D. P., & Ba, J.",
        "2015",
    ),
    "[3] D. P. Kingma and J. Ba. Adam: A method for optimization. In ICLR, 2015.": (
        "Adam: A method for optimization",
        "D. P. Kingma and J. Ba",
        "2015",
    ),
    "- Diederik Kingma and Jimmy Ba. 2015. Adam: A method for optimization. In ICLR.": (
        "Adam: A method for optimization",
        "Diederik Kingma and Jimmy Ba",
        "2015",
    ),
    "Kingma DP, Ba J. Adam: a method for optimization. J Optim. 2015;3:1-9.": (
        "Adam: a method for optimization",
        "Kingma DP, Ba J",
        "2015",
    ),
    "* **Deep Rivers for Slow Boats** - Mara Quist et al., CVPR 2016": (
        "Deep Rivers for Slow Boats",
        "Mara Quist et al.",
        "2016",
    ),
    "2. Deep Rivers for Slow Boats by Quist et al. (2016)": (
        "Deep Rivers for Slow Boats",
        "Quist et al.",
        "2016",
    ),
    "- Deep Rivers for Slow Boats (Quist & Li, 2016): boats.": (
        "Deep Rivers for Slow Boats",
        "Quist & Li",
        "2016",
    ),
    "Title: Deep Rivers\nAuthors: Mara Quist\nYear: 2016": ("Deep Rivers", "Mara Quist", "2016"),
    "| Title | Authors | Year |\n|---|---|---|\n| Deep Rivers | Mara Quist | 2016 |": (
        "Deep Rivers",
        "Mara Quist",
        "2016",
    ),
    "```bibtex\n@article{a, title={Deep {R}ivers}, author={Quist, M. and others}, year=2016}```": (
        "Deep Rivers",
        "Quist, M.; et al.",
        "2016",
    ),
    "BERT (Devlin et al., 2018) is a model.": ("", "Devlin et al.", "2018"),
    "As Quist and Li (2018) show, rivers bend.": ("", "Quist and Li", "2018"),
}


@pytest.mark.parametrize("text", ONE)
def test_a_reference_is_read_as_it_is_written(text: str) -> None:
    assert given(text) == [ONE[text]]


@pytest.mark.parametrize("text", ONE)
def test_every_span_slices_back_to_what_was_read(text: str) -> None:
    [found] = find(text)
    said = text[found.start : found.end]
    assert found.citation.title in said.replace("{R}", "R")
    assert found.citation.authors.split(",")[0] in said


@pytest.mark.parametrize(
    "text",
    [
        'Watson is often quoted as saying in 1943, "I think there is a world market for five".',
        'She said "That is one small step for man" in 1969.',
        "The lake is 1,642 metres deep (measured in 1983).",
        "Paris (2019) was hot, and so was Rome.",
        "```python\nx = 'Deep Rivers' # by Quist (2016)\n```",
        "Apollo 11 landed on 20 July 1969.",
        "The **most important** thing (2019) is *to be kind*.",
        "",
        "\0\0",
    ],
)
def test_what_cites_nothing_gives_nothing(text: str) -> None:
    assert find(text) == []


def test_a_mark_that_repeats_a_reference_is_no_other_one() -> None:
    text = (
        "Rivers bend (Quist et al., 2016).\n\n1. Quist, M., Li, A. et al. (2016). Deep rivers. A."
    )
    assert given(text) == [("Deep rivers", "Quist, M., Li, A. et al.", "2016")]


def test_marks_between_one_pair_of_brackets_are_all_found() -> None:
    text = "Rivers bend (see Quist et al., 2016; Li and Xu, 2017a; Brandt, 2018, p. 4)."
    assert [(one[1], one[2]) for one in given(text)] == [
        ("Quist et al.", "2016"),
        ("Li and Xu", "2017"),
        ("Brandt", "2018"),
    ]


@pytest.mark.parametrize(
    ("text", "arxiv", "doi"),
    [
        ("Attention Is All You Need (arXiv:1706.03762v5) is well known.", "1706.03762", ""),
        ("[Deep Rivers Bend](https://arxiv.org/abs/1706.03762)", "1706.03762", ""),
        ("See doi:10.1038/nature14539.", "", "10.1038/nature14539"),
        ("See https://doi.org/10.48550/arXiv.1706.03762", "1706.03762", ""),
        ('"Deep Rivers" by M. Quist (2016). arXiv:1706.03762', "1706.03762", ""),
    ],
)
def test_identifiers_are_found_and_belong_to_the_reference_beside_them(
    text: str, arxiv: str, doi: str
) -> None:
    [found] = find(text)
    assert (found.citation.arxiv, found.citation.doi) == (arxiv, doi)
    assert found.end <= len(text)


def test_several_references_of_a_sentence_are_told_apart() -> None:
    text = "Two are 'Deep Rivers' by M. Quist (2016) and 'Slow Boats' by A. Li et al. (2017)."
    assert [one[0] for one in given(text)] == ["Deep Rivers", "Slow Boats"]


@pytest.mark.parametrize(
    "text",
    [
        "A. " * 20_000,
        "Li, " * 20_000,
        "'" * 50_000,
        '"' * 50_001,
        "(" * 50_000,
        "*a " * 30_000,
        "Aa " * 30_000 + "(2016)",
        "@article{" * 10_000,
        "arXiv:1706.03762 " * 3_000,
        "\u202e" + "x" * 100_000,
        "Title: " * 10_000,
        "Li et al. (2016) " * 3_000,
        "10.1000/" * 10_000,
    ],
)
@pytest.mark.timeout(20)
def test_no_text_takes_long(text: str) -> None:
    assert all(0 <= one.start < one.end <= len(text) for one in find(text))
