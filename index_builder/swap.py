"""Giving a finished directory its name, so that a half-made one never has it."""

import shutil
from pathlib import Path


def swap(work: Path, out: Path) -> None:
    """Give the finished directory its name; what it replaces is kept until then."""
    if out.exists():
        out.rename(_old(out))
    work.rename(out)
    shutil.rmtree(_old(out), ignore_errors=True)


def recover(out: Path) -> None:
    """Put back what a kill between the two renames of `swap` left aside."""
    old = _old(out)
    if old.exists() and not out.exists():
        old.rename(out)
    elif old.exists():
        shutil.rmtree(old)


def _old(out: Path) -> Path:
    return out.with_name(out.name + ".old")
