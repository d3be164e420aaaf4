"""What can go wrong with a sandbox. What goes wrong in a run is its outcome, never an error."""

from typing import ClassVar


class SandboxMissing(Exception):  # noqa: N818 - reads better where it is caught
    """There is no sandbox on this machine; says how to get one."""

    exit_code: ClassVar[int] = 3


class SandboxFailed(Exception):  # noqa: N818 - reads better where it is caught
    """The sandbox itself broke: it was killed from outside, or told what it never should."""

    exit_code: ClassVar[int] = 3


class SandboxOverrun(SandboxFailed):
    """All processes of a sandbox together used too much, and were ended."""
