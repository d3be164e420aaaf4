"""Texts to vectors with a small sentence encoder, in this process.

Does no searching: the index takes `encode_passages` and `encode_queries` as plain functions.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models import lock
from models.errors import ModelError, ModelMissing
from models.offline import go_offline
from models.progress import Progress, silent
from models.registry import Row

BATCH = 16
"""Texts at once: larger batches are slower on a CPU, where padding costs more than it saves."""

STEP = 64 * BATCH
"""Texts between two reports of progress; sorted by length within."""


class Encoder:
    """An encoder that is loaded. Get one with `Encoder.load`."""

    def __init__(self, row: Row, revision: str, model: Any) -> None:  # noqa: ANN401 - untyped
        self._model = model
        self.name = row.name
        self.revision = revision
        """Of the weights; vectors of different revisions don't mix."""
        self.dimension = int(row.dimension or 0)
        self.query_prefix = row.query_prefix
        self.passage_prefix = row.passage_prefix
        self.truncated = 0
        """Texts so far that were longer than the model reads, and were cut."""

    @classmethod
    def load(cls, row: Row, home: Path) -> "Encoder":
        """Loads the weights, without a look at the network.

        Raises:
            ModelMissing: The model is not fetched.
            ModelError: It is no encoder, or its vectors are not of the registry's dimension.
        """
        if row.role != "encoder":
            raise ModelError(f"{row.name} is a {row.role}, not an encoder; name another model.")
        if not lock.installed(row, home):
            raise ModelMissing(
                f"Encoder {row.name!r} is not complete in {home / 'models'}. "
                f"Run `verifier models fetch {row.name}`."
            )
        revision = lock.revision(row, home)
        go_offline()
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()

        device = "cuda" if torch.cuda.is_available() else "cpu"
        model = SentenceTransformer(
            str(lock.folder(row.name, home)),
            device=device,
            local_files_only=True,
            trust_remote_code=row.remote_code,
            model_kwargs={"dtype": _dtype(torch, device)},
        )
        if row.max_tokens:
            model.max_seq_length = min(row.max_tokens, model.max_seq_length or row.max_tokens)
        size = model.get_embedding_dimension()
        if size != row.dimension:
            raise ModelError(
                f"{row.name} gives vectors of {size}, the registry says {row.dimension}. "
                "Correct `dimension` in its row."
            )
        return cls(row, revision, model)

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encodes what is searched for.

        Args:
            texts: Without the model's prefix; it is put before them here.

        Returns:
            Shape (len(texts), dimension), rows of unit length.
        """
        return self._encode([self.query_prefix + text for text in texts], silent)

    def encode_passages(
        self, texts: Sequence[str], progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """Encodes what is found.

        Args:
            texts: Without the model's prefix; it is put before them here.
            progress: Told how many texts are done.

        Returns:
            Shape (len(texts), dimension), rows of unit length.
        """
        return self._encode([self.passage_prefix + text for text in texts], progress or silent)

    def _encode(self, texts: list[str], progress: Progress) -> NDArray[np.float32]:
        out = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), STEP):
            step = texts[start : start + STEP]
            self.truncated += self._too_long(step)
            vectors = self._model.encode(
                step, batch_size=BATCH, convert_to_numpy=False, show_progress_bar=False
            )
            for offset, vector in enumerate(vectors):
                out[start + offset] = vector.float().cpu().numpy()
            progress("encoding", start + len(step), len(texts))
        # Unit length in bfloat16 is unit length to two digits only.
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        out /= np.maximum(lengths, np.float32(1e-12))
        return out

    def _too_long(self, texts: list[str]) -> int:
        limit = self._model.max_seq_length
        # A token is at least a character, so most texts need no counting.
        suspects = [text for text in texts if limit and len(text) >= limit - 2]
        if not suspects:
            return 0
        tokens = self._model.tokenizer(suspects, truncation=False, verbose=False)["input_ids"]
        return sum(len(ids) > limit for ids in tokens)


def _dtype(torch: Any, device: str) -> Any:  # noqa: ANN401 - torch is imported late
    """The fastest type that ranks the same: bfloat16 where the hardware multiplies it."""
    if device == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    cpuinfo = Path("/proc/cpuinfo")
    flags = cpuinfo.read_text() if cpuinfo.exists() else ""
    # Intel's AVX-512 multiplies bfloat16 at half the speed of float32; its AMX, and AMD's
    # AVX-512, at more than twice.
    fast = "amx_bf16" in flags or ("avx512_bf16" in flags and "AuthenticAMD" in flags)
    return torch.bfloat16 if fast else torch.float32
