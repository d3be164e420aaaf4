"""Room on the disk, and what to say when there is none."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models.errors import ModelError


def require(path: Path, needed: int, what: str) -> None:
    """Raises ModelError if the disk that holds `path` lacks `needed` bytes for `what`."""
    free = shutil.disk_usage(path).free
    if free < needed:
        raise _full(path, free, needed, what)


@contextmanager
def explained(path: Path, needed: int, what: str) -> Iterator[None]:
    """Turns a disk that runs full inside the block into a ModelError."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise _full(path, shutil.disk_usage(path).free, needed, what) from error


def _full(path: Path, free: int, needed: int, what: str) -> ModelError:
    return ModelError(
        f"The disk that holds {path} is too full for {what}: {free:,} bytes are free and "
        f"about {needed:,} are needed. Free some, or set VERIFIER_HOME to a larger disk."
    )
