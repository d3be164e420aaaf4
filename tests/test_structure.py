"""A response is taken apart as what it is, and every part keeps its place."""

import pytest

from verifier.structure import BlockKind, blocks, pieces

MIXED = """# The Nile

The Nile is long. It is in
Africa.

Its **lakes** are:
- Lake *Victoria*
  in the south
- Lake Tana.

> Egypt is the gift of the Nile,
> said Herodotus.

| River | Length | Mouth |
|---|---|---|
| Nile | 6,650 km | Rosetta |

1. Run this:
   ```python
   print(1)
   ```

\\[ 1 + 1 = 2 \\]

Done.
"""


def test_each_block_is_what_it_is() -> None:
    kinds = [one.kind.value for one in blocks(MIXED)]
    assert kinds == [
        *("heading", "prose", "prose", "item", "item", "quote", "table", "item", "code"),
        *("math", "prose"),
    ]


def test_a_row_is_read_with_its_header() -> None:
    (row,) = (one for one in blocks(MIXED) if one.kind is BlockKind.TABLE)
    assert row.text == "Nile: Length 6,650 km; Mouth Rosetta"
    assert MIXED[row.start : row.end] == "| Nile | 6,650 km | Rosetta |"


def test_an_item_knows_its_heading_and_the_line_that_introduces_it() -> None:
    item = next(one for one in pieces(MIXED) if one.kind is BlockKind.ITEM)
    assert (item.span.text, item.heading) == ("Lake Victoria in the south", "The Nile")
    assert item.lead == "Its lakes are:"


def test_code_is_the_code_alone_with_its_language() -> None:
    (code,) = (one for one in blocks(MIXED) if one.kind is BlockKind.CODE)
    assert (code.info, code.text) == ("python", "print(1)\n")


def test_spans_hold_the_words_of_their_piece() -> None:
    for piece in pieces(MIXED):
        held = MIXED[piece.span.start : piece.span.end]
        assert piece.span.text.split()[-1].strip(".") in held


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. King was born on Jan. 15, 1929, in Atlanta, Ga. He took his Ph.D. in 1955.", 2),
        ("It cost approx. 5 million. It lay in Oxford, Eng. until 1973.", 2),
        ("Name: Li Wei\nBorn: 1990\nHome: Lyon", 3),
        ("A sentence that goes on for so long that it was wrapped by an editor at\nColumn 72.", 1),
        ("\u2022 First fact\n\u2022 Second fact", 2),
        ("First.\n---\nSecond.", 2),
        ("    Indented prose is prose.", 1),
        ("<b>Bold</b> is prose.\n\n[x]: The Nile is long.", 2),
        ("# A heading\n\n## Another", 0),
        ("# A heading that states something.", 1),
    ],
)
def test_sentences_are_neither_torn_nor_lost(text: str, count: int) -> None:
    assert len(pieces(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "\r\n\r\n",
            "```",
            "```\n",
            "- ",
            "> " * 300 + "x",
            "|" * 500,
            "[" * 2000,
            "*a" * 2000,
        ),
        *("a\rb\r\nc\nd", "\ufeffx", "| a |\n|---|\n| |", "- a\n\n  b\n> c\nd", "\u2028x\x0cy"),
    ],
)
def test_odd_input_keeps_its_places(text: str) -> None:
    for block in blocks(text):
        assert 0 <= block.start < block.end <= len(text)


@pytest.mark.parametrize(
    "text", ["> " * 300 + "Li ran.", "- " * 300 + "Li ran.", "1. " * 90 + "Li ran."]
)
def test_words_nested_too_deeply_for_the_parser_are_not_lost(text: str) -> None:
    assert "Li ran." in pieces(text)[-1].span.text
