"""Isolated runs of untrusted Python."""

from verifier.sandbox.errors import SandboxFailed, SandboxMissing
from verifier.sandbox.program import (
    Call,
    Items,
    Limits,
    Opaque,
    Outcome,
    Program,
    Ran,
    Run,
)
from verifier.sandbox.sandbox import Sandbox

__all__ = [
    "Call",
    "Items",
    "Limits",
    "Opaque",
    "Outcome",
    "Program",
    "Ran",
    "Run",
    "Sandbox",
    "SandboxFailed",
    "SandboxMissing",
]
