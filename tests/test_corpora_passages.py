import pytest

from corpora.passage import chunk, spans

TEXTS = [
    "",
    "   ",
    "One.",
    "Dr. Smith was born in 1901. He died in 1990 (aged 89).\n\nHe wrote a book. " * 20,
    "word " * 1000,
    " Lake Baikal is 1,642 m deep. " * 30,
    "贝加尔湖位于俄罗斯。它是最深的湖。" * 50,
    "Wer hat das gesagt? Herr Dr. Müller am 3. Mai.\r\nDanach nichts mehr.",
]


@pytest.mark.parametrize("words", [1, 7, 100])
@pytest.mark.parametrize("text", TEXTS)
def test_spans_follow_on_each_other_and_cover_the_text(text: str, words: int) -> None:
    cut = spans(text, words)
    assert "".join(text[start:end] for start, end in cut) == text
    assert all(start < end for start, end in cut)


@pytest.mark.parametrize("text", TEXTS)
def test_chunks_lose_no_word(text: str) -> None:
    assert "".join("".join(chunk(text, words=20)).split()) == "".join(text.split())


def test_pieces_end_where_sentences_end() -> None:
    text = " ".join(f"Sentence number {n} has six words." for n in range(40))
    assert all(piece.endswith(".") for piece in chunk(text, words=20))


def test_a_short_tail_joins_the_piece_before() -> None:
    text = "A sentence of exactly six words. " * 16 + "Tail."
    assert len(chunk(text, words=96)) == 1


def test_an_endless_sentence_is_cut_between_words() -> None:
    assert [len(piece.split()) for piece in chunk("word " * 350, words=100)] == [100, 100, 100, 50]
