"""The switches that keep every library from looking at the network.

Nothing here stops a socket: it stops the libraries from trying, which is what makes an
air-gapped start fast instead of a series of time-outs.
"""

import os

SWITCHES = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "TOKENIZERS_PARALLELISM": "false",
}


def offline_environment() -> dict[str, str]:
    """A copy of this process's environment with all switches on, for a child process."""
    return {**os.environ, **SWITCHES}


def go_offline() -> None:
    """Turns the switches on in this process; a value the user has set stays.

    Call it before the first import of transformers, huggingface_hub or vllm: they read
    their switches once, on import.
    """
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)
