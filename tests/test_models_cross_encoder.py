"""Cross-encoders: a graph made here that counts tokens, a tiny network, and the real model.

The graph's two labels are the sum of the token ids and the number of tokens that are not padding.
"""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from models import fetch, lock, registry
from models.cross_encoder import CrossEncoder
from models.errors import ModelError, ModelMissing
from verifier.settings import home

LENGTH = 10
WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "the", "lake", "is", "deep", "wide", "blue"]
ID = {word: number for number, word in enumerate(WORDS)}
MARKS = ID["[CLS]"] + 2 * ID["[SEP]"]
ONNX = registry.Row("tiny", "nli", 1, "MIT", "cpu", "onnx", 1, "o/tiny", hub="o/tiny")
TORCH = dataclasses.replace(ONNX, role="reranker", format="safetensors", max_tokens=LENGTH)


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value // 128)


def field(number: int, *values: bytes | str | int) -> bytes:
    """Protocol buffers, as much as an ONNX file needs."""
    out = b""
    for value in values:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            raw = value.encode() if isinstance(value, str) else value
            out += varint(number << 3 | 2) + varint(len(raw)) + raw
    return out


def node(kind: str, inputs: list[str], output: str, **ints: int) -> bytes:
    made = field(1, *inputs) + field(2, output) + field(4, kind)
    for name, value in ints.items():
        many = name == "axes"
        body = field(1, name) + field(8 if many else 3, value) + field(20, 7 if many else 2)
        made += field(5, body)
    return field(1, made)


def tensor(slot: int, name: str, kind: int, width: int | str) -> bytes:
    last = field(1, width) if isinstance(width, int) else field(2, width)
    shape = field(1, field(2, "batch")) + field(1, last)
    return field(slot, field(1, name) + field(2, field(1, field(1, kind) + field(2, shape))))


def graph(width: int | str = LENGTH, mask: str = "attention_mask") -> bytes:
    nodes = b""
    for name in ("input_ids", mask):
        nodes += node("Cast", [name], f"{name}_f", to=1)
        nodes += node("ReduceSum", [f"{name}_f"], f"{name}_s", axes=1, keepdims=1)
    nodes += node("Concat", ["input_ids_s", f"{mask}_s"], "logits", axis=1)
    ends = tensor(11, "input_ids", 7, width) + tensor(11, mask, 7, width)
    body = nodes + field(2, "counts") + ends + tensor(12, "logits", 1, 2)
    return field(1, 7) + field(8, field(2, 11)) + field(7, body)


def tokenizer(folder: Path) -> None:
    made = Tokenizer(models.WordLevel(ID, "[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    marks = [("[CLS]", ID["[CLS]"]), ("[SEP]", ID["[SEP]"])]
    made.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", marks
    )
    made.enable_truncation(LENGTH)
    made.save(str(folder / "tokenizer.json"))


def installed(row: registry.Row, home: Path, files: dict[str, bytes]) -> registry.Row:
    folder = lock.folder(row.name, home)
    folder.mkdir(parents=True)
    tokenizer(folder)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    source = {"hub": row.hub, "revision": "0123456789abcdef"}
    lock.write(lock.Lock(row.name, source, lock.scan(folder), "", "2026-01-01"), folder)
    return row


@pytest.fixture
def tiny(tmp_path: Path) -> CrossEncoder:
    return CrossEncoder.load(installed(ONNX, tmp_path, {"a.onnx": graph()}), tmp_path)


def test_a_pair_is_scored_by_all_its_tokens_and_no_padding(tiny: CrossEncoder) -> None:
    scores = tiny.score([("lake deep", "the lake is blue")])
    assert scores.tolist() == [[MARKS + 5 + 7 + 4 + 5 + 6 + 9, 9]]
    assert (scores.dtype, tiny.labels, tiny.revision) == (np.float32, 2, "0123456789ab")


def test_only_the_passage_is_cut_and_that_is_counted(tiny: CrossEncoder) -> None:
    short, long = tiny.score([("deep deep", "the"), ("deep deep deep deep", "blue " * 50)])
    assert short.tolist() == [MARKS + 2 * 7 + 4, 6]
    assert long.tolist() == [MARKS + 4 * 7 + 3 * 9, LENGTH]
    assert tiny.truncated == 1


def test_scores_come_in_the_order_of_the_pairs(tiny: CrossEncoder) -> None:
    pairs = [("lake", "blue " * (number % 6)) for number in range(40)]
    assert tiny.score(pairs)[:, 1].tolist() == [4 + number % 6 for number in range(40)]


def test_no_pairs_give_no_rows(tiny: CrossEncoder) -> None:
    assert tiny.score([]).shape == (0, 2)


def test_a_claim_that_does_not_fit_is_refused_not_cut(tiny: CrossEncoder) -> None:
    with pytest.raises(ModelError, match="reads 10 tokens, and the claim 'deep deep"):
        tiny.score([("lake", "blue"), ("deep " * 7, "blue")])


def test_a_graph_of_any_length_is_cut_at_the_rows(tmp_path: Path) -> None:
    row = dataclasses.replace(ONNX, max_tokens=8)
    model = CrossEncoder.load(installed(row, tmp_path, {"a.onnx": graph("n")}), tmp_path)
    assert model.score([("lake", "blue"), ("lake", "blue " * 9)])[:, 1].tolist() == [5, 8]


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({}, r"0 files \*.onnx"),
        ({"a.onnx": graph(), "b.onnx": graph()}, r"2 files \*.onnx"),
        ({"a.onnx": graph(mask="pixels")}, "wants the input 'pixels'"),
        ({"a.onnx": graph("n")}, "max_tokens"),
        ({"a.onnx": b"<html>"}, "fetch --again tiny"),
    ],
)
def test_a_folder_that_is_not_such_a_model_is_refused(
    tmp_path: Path, files: dict[str, bytes], complaint: str
) -> None:
    with pytest.raises(ModelError, match=complaint):
        CrossEncoder.load(installed(ONNX, tmp_path, files), tmp_path)


@pytest.mark.parametrize("architecture", ["Qwen3ForCausalLM", "T5ForConditionalGeneration", ""])
def test_a_model_without_a_head_for_scores_is_refused(tmp_path: Path, architecture: str) -> None:
    config = json.dumps({"architectures": [architecture]} if architecture else {}).encode()
    with pytest.raises(ModelError, match="no head that scores pairs"):
        CrossEncoder.load(installed(TORCH, tmp_path, {"config.json": config}), tmp_path)


def test_what_is_not_fetched_or_of_another_role_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="verifier models fetch tiny"):
        CrossEncoder.load(ONNX, tmp_path)
    with pytest.raises(ModelError, match="is a judge"):
        CrossEncoder.load(dataclasses.replace(ONNX, role="judge"), tmp_path)


@pytest.fixture
def network(tmp_path: Path) -> CrossEncoder:
    """A network of random weights, three labels, 10 tokens."""
    import torch  # not above: the fast tier reads this file too
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(vocab_size=len(WORDS), num_labels=3, initializer_range=1.0, **sizes)
    work = tmp_path / "work"
    BertForSequenceClassification(config).save_pretrained(work)
    tokenizer(work)
    marks = {"pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(
        tokenizer_file=str(work / "tokenizer.json"), unk_token="[UNK]", **marks
    ).save_pretrained(work)
    files = {path.name: path.read_bytes() for path in work.iterdir()}
    return CrossEncoder.load(installed(TORCH, tmp_path, files), tmp_path)


@pytest.mark.weights
def test_a_network_scores_each_pair_as_alone(network: CrossEncoder) -> None:
    pairs = [("lake", "blue " * (number % 6)) for number in range(20)]
    together = network.score(pairs)
    alone = np.concatenate([network.score([pair]) for pair in pairs])
    np.testing.assert_allclose(together, alone, atol=1e-4)
    assert together.shape == (20, 3)
    assert network.score([]).shape == (0, 3)


@pytest.mark.weights
def test_a_network_reads_the_whole_claim_and_the_start_of_the_passage(
    network: CrossEncoder,
) -> None:
    claim = "deep wide deep wide"
    long, cut, other = network.score(
        [(claim, "blue " * 50), (claim, "blue " * 3), (claim, "blue " * 2)]
    )
    np.testing.assert_allclose(long, cut, atol=1e-5)
    assert not np.allclose(cut, other, atol=1e-3)
    assert network.truncated == 1


LAKE = "Lake Baikal. Lake Baikal is a rift lake in Siberia. It is 1,642 m deep."


@pytest.fixture(scope="module")
def nli() -> CrossEncoder:
    row = registry.get("deberta-v3-xsmall-nli-int8")
    fetch.fetch(row, home())
    return CrossEncoder.load(row, home())


def contradicted(logits: np.ndarray) -> list[float]:
    odds = np.exp(logits)
    return list(odds[:, 1] / odds.sum(axis=1))


@pytest.mark.weights
def test_the_real_model_tells_a_contradiction_from_another_subject(nli: CrossEncoder) -> None:
    pairs = [("Lake Baikal is in Africa.", LAKE), ("Mozart was born in Salzburg.", LAKE)]
    against, neither = contradicted(nli.score(pairs))
    assert against > 0.95
    assert neither < 0.3


@pytest.mark.weights
def test_the_real_models_score_is_the_same_beside_any_neighbour(nli: CrossEncoder) -> None:
    pairs = [("Lake Baikal is in Africa.", LAKE), ("Mozart was a composer.", "Vienna. " * 300)]
    before = nli.truncated
    assert np.array_equal(nli.score(pairs)[:1], nli.score(pairs[:1]))
    assert nli.truncated == before + 1
