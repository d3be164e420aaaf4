"""What can go wrong here. The command line shows each as one line, without a traceback.

InputError (exit 2): the user can mend it: a file, an option, a setting.
ReplyError: a model's answer could not be used; it ends as a `failed` verdict, never as a guess.
PartFailed: which part of a check failed, and how; made from the errors of the parts.
"""

from typing import ClassVar


class InputError(Exception):
    """What was asked for cannot be done as it was asked."""

    exit_code: ClassVar[int] = 2


class ReplyError(Exception):
    """A model gave no usable answer, also when asked a second time."""

    exit_code: ClassVar[int] = 3


class PartFailed(Exception):  # noqa: N818 - it says what happened, like its siblings elsewhere
    """One part of one check failed; the rest goes on."""

    exit_code: ClassVar[int] = 3

    def __init__(self, part: str, cause: Exception) -> None:
        """Name the part and keep what it said."""
        super().__init__(str(cause))
        self.part = part
