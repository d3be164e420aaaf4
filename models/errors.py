"""What can go wrong with a model, in two classes.

ModelError (exit 2)         what was asked cannot be done as asked
└── ModelMissing (exit 3)   a needed part is not here: not fetched, or no server is up
"""

from typing import ClassVar


class ModelError(Exception):
    """Says what happened, with the value, and what to do next."""

    exit_code: ClassVar[int] = 2


class ModelMissing(ModelError):  # noqa: N818 - reads better where it is caught
    """A part that is needed is not here yet."""

    exit_code: ClassVar[int] = 3
