"""Which passages may be found: by date, language and source."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Only:
    """What a search is held to; an empty value allows all."""

    as_of: str = ""
    """ISO date (YYYY-MM-DD): no passage that may be newer."""
    language: str = ""
    """ISO 639-1 code."""
    source: str = ""
    """Name of the corpus, `Passage.source`."""

    def __bool__(self) -> bool:
        """Whether anything is left out."""
        return bool(self.as_of or self.language or self.source)

    def allows(self, batches: list[Any], snapshot: str) -> NDArray[np.bool_]:
        """Which rows may be found.

        A passage that has no date is as old as the snapshot it is from; where that has none either
        it may be newer than any day, and is left out. One that says no language is left out of a
        search by language too.

        Args:
            batches: Record batches of the store.
            snapshot: ISO date of the index's text; empty if unknown.

        Returns:
            A truth value a row.
        """
        parts = [self._batch(batch, snapshot) for batch in batches]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)

    def _batch(self, batch: Any, snapshot: str) -> NDArray[np.bool_]:  # noqa: ANN401 - Arrow
        import pyarrow.compute as pc

        allowed = np.ones(batch.num_rows, dtype=np.bool_)
        if self.language:
            allowed &= np.asarray(pc.equal(batch.column("language"), self.language))
        if self.source:
            allowed &= np.asarray(pc.equal(batch.column("source"), self.source))
        if self.as_of:
            dates = batch.column("date")
            known = np.asarray(pc.not_equal(dates, ""))
            old = np.asarray(pc.less_equal(dates, self.as_of))
            allowed &= np.where(known, old, bool(snapshot) and snapshot <= self.as_of)
        return allowed


EVERYTHING = Only()
