"""GGUF to safetensors, in a folder that vLLM can serve: bfloat16, or 8-bit integers.

vLLM's CPU build cannot read GGUF. transformers can, and knows each architecture's names and
layouts; so it does the work, once, when a model is fetched. Runs as a process of its own,
`python -m models.convert GGUF OUT [int8]`, so that its gigabytes go back when it is done.
"""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from models import quantize
from models.errors import ModelError
from models.offline import go_offline, offline_environment
from models.progress import Progress
from models.registry import Quantize

if TYPE_CHECKING:
    from transformers import PreTrainedModel

STAGES = {
    "Converting and de-quantizing GGUF tensors...": "converting",
    "Loading weights": "loading",
    "Writing model shards": "writing",
}
"""transformers' progress bars, and what they are called here."""

BAR = re.compile(rf"({'|'.join(map(re.escape, STAGES))}):.*?\| (\d+)/(\d+) \[")


def version() -> str:
    """What does the converting, for the lock."""
    return f"transformers {importlib.metadata.version('transformers')}"


def convert(gguf: Path, out: Path, kind: Quantize, progress: Progress) -> None:
    """Writes the model in `gguf` to the new folder `out` as safetensors, with its tokenizer.

    `out` appears only when it is complete.

    Args:
        gguf: The file to read.
        out: The folder to make.
        kind: What the weights become: "int8", or "" for bfloat16.
        progress: Told how many tensors are done.

    Raises:
        ModelError: The converting process failed; holds its last lines.
    """
    command = [sys.executable, "-m", "models.convert", str(gguf), str(out), kind]
    root = str(Path(__file__).resolve().parent.parent)
    last: list[str] = []
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,  # also turns the carriage returns of progress bars into line ends
        errors="replace",
        env={**offline_environment(), "PYTHONPATH": root},
    ) as process:
        try:
            for line in process.stdout or ():
                if bar := BAR.match(line):
                    progress(STAGES[bar[1]], int(bar[2]), int(bar[3]))
                elif line.strip():
                    last = [*last[-9:], line.rstrip()]
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        why = "killed, probably short of memory" if process.returncode == -9 else "see below"
        tail = "\n".join(last)
        raise ModelError(f"Converting {gguf.name} failed ({why}). Fetch again to retry.\n{tail}")


def _main(gguf: Path, out: Path, kind: str) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    part = out.with_name(out.name + ".part")
    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.bfloat16)
    # transformers refuses to save a model it believes to be quantized; this one no longer is.
    model.hf_quantizer = None
    model.is_quantized = False
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    if kind:
        _save_quantized(model, part)
    else:
        model.save_pretrained(part)
    AutoTokenizer.from_pretrained(**source).save_pretrained(part)
    part.replace(out)


def _save_quantized(model: "PreTrainedModel", folder: Path) -> None:
    from safetensors.torch import save_file

    folder.mkdir(parents=True)
    state = model.state_dict()
    if model.config.tie_word_embeddings:
        state.pop("lm_head.weight", None)
    save_file(quantize.tensors(state), folder / "model.safetensors", metadata={"format": "pt"})
    model.config.quantization_config = quantize.config()
    model.config.save_pretrained(folder)
    model.generation_config.save_pretrained(folder)


if __name__ == "__main__":
    go_offline()
    _main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
