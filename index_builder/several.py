"""Several indexes searched as one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from corpora.passage import Passage
from index_builder.batcher import Batcher
from index_builder.errors import BadIndex
from index_builder.only import EVERYTHING, Only
from index_builder.search import Hit, How, Index, Retriever, answer, search_all


@dataclass(frozen=True, slots=True)
class Several:
    """Open indexes; the same searches as one `Index`."""

    indexes: tuple[Index, ...]
    _batchers: list[Batcher[tuple[str, How], tuple[Hit, ...]]] = field(default_factory=list)

    @classmethod
    def of(cls, indexes: Sequence[Index]) -> Self:
        """Put open indexes together.

        Raises:
            BadIndex: They have different encoders, so that their cosines mean different things.
        """
        encoders = {str(index.manifest.encoder) for index in indexes}
        if len(encoders) > 1:
            raise BadIndex(
                f"Indexes that are searched together must have one encoder, not "
                f"{' and '.join(sorted(encoders))}. Build one of them again with --encoder."
            )
        made = cls(tuple(indexes))
        made._batchers.append(Batcher(made._answer))
        return made

    def search_many(
        self,
        queries: Sequence[str],
        k: int = 5,
        retriever: Retriever = "hybrid",
        only: Only = EVERYTHING,
    ) -> list[tuple[Hit, ...]]:
        """Search for several queries at once; see `Index.search_many`."""
        return search_all(self.indexes, queries, How(k, retriever, only))

    async def search(
        self,
        query: str,
        k: int = 5,
        retriever: Retriever = "hybrid",
        only: Only = EVERYTHING,
    ) -> tuple[Hit, ...]:
        """Search for one query; concurrent calls share batches."""
        return await self._batchers[0]((query, How(k, retriever, only)))

    def passage(self, key: str) -> Passage:
        """The passage with an id, of the first index that has it.

        Raises:
            KeyError: None has it.
        """
        for index in self.indexes:
            try:
                return index.passage(key)
            except KeyError:
                continue
        raise KeyError(key)

    def close(self) -> None:
        """Close all of them."""
        for index in self.indexes:
            index.close()

    def _answer(self, asks: Sequence[tuple[str, How]]) -> list[tuple[Hit, ...]]:
        return answer(self.indexes, asks)
