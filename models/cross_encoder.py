"""Scores for pairs of a claim and a passage, from a small model in this process.

Such a model reads both texts at once, so it sees more than two vectors can, and has to be run once
a pair. Knows nothing of verdicts or of hits: it gives the model's raw numbers.
"""

import json
import os
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from models import lock
from models.errors import ModelError, ModelMissing
from models.offline import go_offline
from models.registry import Row

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

BATCH = 16
"""Pairs at once, where the model takes several."""

Pair = tuple[str, str]
Logits = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in memory: what the two formats have in common."""

    tokenizer: "Tokenizer"
    """Neither cuts nor pads."""
    limit: int
    """Tokens of a pair that the model reads, special ones included."""
    labels: int
    run: Callable[[list[Pair]], Logits]
    """Pairs in the model's order, none over the limit, to shape (pairs, labels)."""


class CrossEncoder:
    """A cross-encoder that is loaded. Get one with `CrossEncoder.load`."""

    def __init__(self, row: Row, revision: str, loaded: Loaded) -> None:
        self._loaded = loaded
        # Entailment is asked as premise, hypothesis; relevance as query, document.
        self._passage_first = row.role == "nli"
        self.name = row.name
        self.revision = revision
        """Of the weights; scores of different revisions don't compare."""
        self.labels = loaded.labels
        """Numbers per pair: 1 for most rerankers, 2 or 3 for entailment."""
        self.truncated = 0
        """Pairs so far whose passage was longer than the model reads, and was cut."""

    @classmethod
    def load(cls, row: Row, home: Path) -> "CrossEncoder":
        """Loads the weights, without a look at the network.

        Args:
            row: Of role `nli` or `reranker`; format `onnx`, or safetensors with a head for
                sequence classification.
            home: Where models are kept.

        Raises:
            ModelMissing: The model is not fetched.
            ModelError: It is no cross-encoder, or its files are not what they should be.
        """
        if row.role not in ("nli", "reranker"):
            raise ModelError(f"{row.name} is a {row.role}, not a cross-encoder; name another.")
        if row.format == "gguf":
            raise ModelError(f"{row.name} is a gguf, which no cross-encoder is; name another.")
        if not lock.installed(row, home):
            raise ModelMissing(
                f"The {row.role} {row.name!r} is not complete in {home / 'models'}. "
                f"Run `verifier models fetch {row.name}`."
            )
        go_offline()
        folder = lock.folder(row.name, home)
        loaded = _onnx(row, folder) if row.format == "onnx" else _transformer(row, folder)
        return cls(row, lock.revision(row, home), loaded)

    def score(self, pairs: Sequence[Pair]) -> Logits:
        """Scores pairs; what does not fit is cut from the passage, never from the claim.

        Args:
            pairs: (claim or query, passage). Always so: the order that the model wants, passage
                first for entailment, is made here.

        Returns:
            Raw logits, no softmax or sigmoid, of shape (len(pairs), labels), in the order of the
            model's labels.

        Raises:
            ModelError: A claim alone is longer than the model reads, or a score is not a number.
        """
        fitted = [self._fitted(claim, passage) for claim, passage in pairs]
        out = np.empty((len(fitted), self.labels), dtype=np.float32)
        # Alike in length, so that little is padded.
        order = sorted(range(len(fitted)), key=lambda at: -sum(map(len, fitted[at])))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            out[batch] = self._loaded.run([fitted[at] for at in batch])
        if not np.isfinite(out).all():
            raise ModelError(
                f"{self.name} gave a score that is not a number for "
                f"{int((~np.isfinite(out)).any(axis=1).sum())} of {len(out)} pairs. "
                f"Run `verifier models verify {self.name}`."
            )
        return out

    def _fitted(self, claim: str, passage: str) -> Pair:
        """The pair in the model's order, the passage cut at a token where it is too long."""
        limit, tokenizer = self._loaded.limit, self._loaded.tokenizer
        room = limit - tokenizer.num_special_tokens_to_add(True)
        room -= len(_tokens(tokenizer, claim))
        if room < 1:
            raise ModelError(
                f"{self.name} reads {limit} tokens, and the claim {claim[:60]!r}... alone has "
                "more. Split it, or name a model with a larger max_tokens."
            )
        cut = _cut(tokenizer, passage, room)
        self.truncated += cut != passage
        passage = cut
        return (passage, claim) if self._passage_first else (claim, passage)


def _cut(tokenizer: "Tokenizer", text: str, room: int) -> str:
    """The start of `text` that is at most `room` tokens."""
    spans = _tokens(tokenizer, text)
    keep = room
    # The start alone may be other tokens than it was within the whole, and more.
    while len(spans) > room:
        text = text[: spans[keep - 1][1]] if keep else ""
        spans, keep = _tokens(tokenizer, text), keep - 1
    return text


def _tokens(tokenizer: "Tokenizer", text: str) -> list[tuple[int, int]]:
    """Where each token begins and ends."""
    return tokenizer.encode(text, add_special_tokens=False).offsets


def _onnx(row: Row, folder: Path) -> Loaded:
    from tokenizers import Tokenizer

    session = _session(row, _only(folder, "*.onnx"))
    inputs, labels = session.get_inputs(), session.get_outputs()[0].shape[-1]
    names = {one.name for one in inputs}
    if unknown := names - {"input_ids", "attention_mask", "token_type_ids"}:
        raise ModelError(f"{row.name} wants the input {min(unknown)!r}, which is not known here.")
    if not isinstance(labels, int):
        raise ModelError(f"{row.name} does not say how many labels it has, but {labels!r}.")
    fixed = inputs[0].shape[-1] if isinstance(inputs[0].shape[-1], int) else 0
    tokenizer = Tokenizer.from_file(str(_only(folder, "tokenizer.json")))
    pad = tokenizer.padding["pad_id"] if tokenizer.padding else 0
    _plain(tokenizer)

    def run(pairs: list[Pair]) -> Logits:
        # One at a time: int8 activations are scaled by the largest of the batch, so a pair's
        # score would depend on its neighbours (by 0.05); and a CPU is no faster with several.
        feeds = (_feed(tokenizer.encode(*pair), fixed, pad, names) for pair in pairs)
        return np.concatenate([session.run(None, feed)[0] for feed in feeds])

    return Loaded(tokenizer, _limit(row, fixed), labels, run)


def _session(row: Row, path: Path) -> Any:  # noqa: ANN401 - onnxruntime is untyped
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _cores()
    # Threads that spin while they wait take the cores from a judge on the same machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"])
    except Exception as error:  # its errors have no class in common
        raise ModelError(
            f"{path} cannot be loaded: {error}. Run `verifier models fetch --again {row.name}`."
        ) from error


def _feed(
    encoded: "Encoding", length: int, pad: int, names: Set[str]
) -> dict[str, NDArray[np.int64]]:
    """What a session takes for one pair, padded to `length` if that is more."""
    padding = max(0, length - len(encoded.ids))
    fields = {
        "input_ids": encoded.ids + [pad] * padding,
        "attention_mask": encoded.attention_mask + [0] * padding,
        "token_type_ids": encoded.type_ids + [0] * padding,
    }
    return {name: np.array([fields[name]], dtype=np.int64) for name in sorted(names)}


def _transformer(row: Row, folder: Path) -> Loaded:
    made = json.loads(_only(folder, "config.json").read_text("utf-8")).get("architectures") or [""]
    # Others would load too, with a head of random numbers.
    if not made[0].endswith("ForSequenceClassification"):
        raise ModelError(
            f"{row.name} is a {made[0] or 'model of no stated kind'}, which has no head that "
            "scores pairs; name a model for sequence classification."
        )
    import sentence_transformers
    import torch
    from tokenizers import Tokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    cuda = torch.cuda.is_available()
    model = sentence_transformers.CrossEncoder(
        str(folder),
        device="cuda" if cuda else "cpu",
        local_files_only=True,
        trust_remote_code=row.remote_code,
        # Not bfloat16: its two digits would make ties of what a ranking is to tell apart.
        model_kwargs={"dtype": torch.float16 if cuda else torch.float32},
    )
    model.max_seq_length = limit = _limit(row, model.max_seq_length)
    tokenizer = Tokenizer.from_str(model.tokenizer.backend_tokenizer.to_str())
    _plain(tokenizer)

    def run(pairs: list[Pair]) -> Logits:
        found = model.predict(
            pairs, batch_size=BATCH, activation_fn=torch.nn.Identity(), show_progress_bar=False
        )
        return np.asarray(found, dtype=np.float32).reshape(len(pairs), -1)

    return Loaded(tokenizer, limit, int(model.num_labels), run)


def _limit(row: Row, own: int | None) -> int:
    """Tokens that are read: what the row says, and no more than the model itself can."""
    known = [length for length in (row.max_tokens, own) if length]
    if not known:
        raise ModelError(f"{row.name} has no length of its own: give its row max_tokens.")
    return min(known)


def _plain(tokenizer: "Tokenizer") -> None:
    """Makes it neither cut nor pad, whatever its file says."""
    tokenizer.no_truncation()
    tokenizer.no_padding()


def _only(folder: Path, pattern: str) -> Path:
    """The one file under `folder` with that name."""
    found = sorted(folder.glob(pattern)) or sorted(folder.rglob(pattern))
    if len(found) != 1:
        raise ModelError(
            f"{folder} has {len(found)} files {pattern}, and should have one. "
            f"Run `verifier models fetch --again {folder.name}`, or have its row ignore the others."
        )
    return found[0]


def _cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
