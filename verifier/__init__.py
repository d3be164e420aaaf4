"""Checks whether machine-written text is true, on your own machine, without a network.

>>> from verifier import check
>>> report = check("The Eiffel Tower was built in 1902.")  # doctest: +SKIP
>>> report.verdicts[0].label  # doctest: +SKIP
<Label.REFUTED: 'refuted'>
"""

from verifier.api import acheck, check
from verifier.version import __version__

__all__ = ["__version__", "acheck", "check"]
