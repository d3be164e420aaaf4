"""Weights to 8-bit integers, in the layout that vLLM reads (compressed-tensors, W8A8).

Round to nearest, one scale an output channel; activations get a scale a token while serving
(vector-wise quantization: Dettmers et al., arXiv 2208.07339, section 2.1). That needs no data. A
CPU multiplies 8-bit integers faster than bfloat16, and the folder is half as large.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

LAYERS = "_proj.weight"
"""How the names of the layers end that are quantized: attention and MLP projections. Embeddings
and the output layer stay as they are; they are small in work and matter most."""

SCALE = "_scale"
"""vLLM looks for the scales of `x.weight` under `x.weight_scale`."""


def config() -> dict[str, Any]:
    """The `quantization_config` that tells vLLM what the tensors are."""
    from compressed_tensors.quantization import QuantizationConfig, preset_name_to_scheme

    made = QuantizationConfig(
        config_groups={"group_0": preset_name_to_scheme("W8A8", ["Linear"])},
        format="int-quantized",
        quantization_status="compressed",
        ignore=["lm_head"],
    )
    return dict(made.to_dict())


def tensors(state: "Mapping[str, torch.Tensor]") -> "dict[str, torch.Tensor]":
    """A model's tensors with the layers' weights as integers, and their scales.

    A weight of shape (out, in) becomes int8 of that shape and a scale of shape (out, 1).
    """
    made: dict[str, torch.Tensor] = {}
    for name, value in state.items():
        if name.endswith(LAYERS):
            made[name], made[name + SCALE] = rounded(value)
        else:
            made[name] = value.contiguous()
    return made


def rounded(weight: "torch.Tensor") -> "tuple[torch.Tensor, torch.Tensor]":
    """Integers from -127 to 127 and the scales (out, 1) that turn them back, in `weight`'s type."""
    import torch

    exact = weight.float()
    scale = exact.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
    integers = (exact / scale).round().clamp(-127, 127).to(torch.int8)
    return integers, scale.to(weight.dtype)
