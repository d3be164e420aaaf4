"""The real encoder and the real server; both need models that were fetched."""

import signal
import subprocess
import sys
import time

import numpy as np
import psutil
import pytest

from models import lock, quantize, registry
from models.encoder import Encoder
from verifier.settings import home

HOME = home()


def fetched(name: str) -> registry.Row:
    row = registry.get(name)
    assert lock.installed(row, HOME), f"run `verifier models fetch {name}`"
    return row


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder.load(fetched("all-minilm-l6-v2"), HOME)


@pytest.mark.weights
def test_a_query_is_nearest_to_its_passage(encoder: Encoder) -> None:
    query = encoder.encode_queries(["deepest lake"])
    passages = encoder.encode_passages(["Paris is in France.", "Baikal is the deepest lake."])
    assert np.argmax(passages @ query[0]) == 1


@pytest.mark.weights
def test_vectors_are_of_unit_length_in_float32(encoder: Encoder) -> None:
    vectors = encoder.encode_passages(["one", "two words", "three words here"] * 20)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@pytest.mark.weights
def test_no_texts_give_no_rows(encoder: Encoder) -> None:
    assert encoder.encode_passages([]).shape == (0, encoder.dimension)


@pytest.mark.weights
def test_a_text_that_is_cut_is_counted(encoder: Encoder) -> None:
    before = encoder.truncated
    encoder.encode_passages(["short", "word " * 1000])
    assert encoder.truncated == before + 1


@pytest.mark.weights
def test_rounded_weights_come_back_within_half_a_step() -> None:
    import torch  # not above: the fast tier reads this file too

    weight = torch.tensor([[1.0, -2.54, 0.013], [0.0, 0.0, 0.0]])
    integers, scale = quantize.rounded(weight)
    assert integers.tolist() == [[50, -127, 1], [0, 0, 0]]
    assert torch.all((integers * scale - weight).abs() <= scale / 2 + 1e-6)


@pytest.mark.weights
def test_only_the_layers_are_quantized() -> None:
    import torch

    state = {"a.q_proj.weight": torch.ones(2, 3), "embed.weight": torch.ones(2, 3)}
    made = quantize.tensors(state)
    assert made["a.q_proj.weight"].dtype == torch.int8
    assert made["a.q_proj.weight_scale"].shape == (2, 1)
    assert made["embed.weight"].dtype == torch.float32


OWNER = """
import asyncio, sys
from pathlib import Path
from models import registry
from models.serve import running
async def main():
    async with running(registry.get("smollm2-135m-instruct"), Path(sys.argv[1])) as server:
        print(server.pid, flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""


@pytest.mark.vllm
def test_no_process_is_left_of_a_server_whose_owner_was_killed() -> None:
    fetched("smollm2-135m-instruct")
    command = [sys.executable, "-c", OWNER, str(HOME)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        supervisor = psutil.Process(int(owner.stdout.readline()))
        family = [supervisor, *supervisor.children(recursive=True)]
        owner.send_signal(signal.SIGKILL)
    assert len(family) >= 3
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(one.is_running() for one in family):
        time.sleep(0.1)
    assert not [one for one in family if one.is_running()]
