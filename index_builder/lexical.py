"""Lucene BM25 (k1 = 0.9, b = 0.4) through pyserini's bridge to Anserini."""

import os
import shutil
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Self

from index_builder import java
from index_builder.errors import BadIndex
from index_builder.fold import fold

FOLDER = "lucene"
ANALYZER = "Anserini DefaultEnglishAnalyzer (Porter, stop words) over fold() v1; BM25 k1=0.9 b=0.4"
"""Named in the manifest; change it whenever an index made before would no longer fit."""

QUERY_CHARACTERS = 20_000
"""Longer queries are cut here. A term has at least one character, so this is also as many clauses
as a query can have, and Lucene's limit is set to it (its default is 1,024)."""

DOCUMENTS_PER_CALL = 1_000


def threads() -> int:
    """Threads to index and to search with."""
    return min(8, len(os.sched_getaffinity(0)))


def build(contents: Iterable[str], folder: Path) -> None:
    """Index texts; the n-th, counted from 0, is row n. An index that is there is replaced.

    Raises:
        BadIndex: Lucene failed.
    """
    indexers = java.autoclass("io.anserini.index.SimpleIndexer")
    documents = java.autoclass("io.anserini.collection.JsonCollection$Document")
    shutil.rmtree(folder, ignore_errors=True)
    arguments = ["-index", str(folder), "-input", "", "-collection", "JsonCollection"]
    try:
        indexer = indexers([*arguments, "-threads", str(threads())])
        rows = enumerate(contents)
        while batch := list(islice(rows, DOCUMENTS_PER_CALL)):
            # Rows of equal width: Anserini breaks ties by the id's letters, here the row order.
            made = [documents.fromFields(f"{row:012d}", fold(text)) for row, text in batch]
            indexer.addJsonDocuments(made)
        indexer.close()
    except java.java_error() as error:
        raise BadIndex(f"Lucene could not index into {folder}: {error}.") from error
    (folder / "write.lock").unlink(missing_ok=True)


class Lexical:
    """An open Lucene index."""

    def __init__(self, searcher: Any) -> None:  # noqa: ANN401 - a Java object
        self._searcher = searcher

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the index in `folder`.

        Raises:
            BadIndex: Lucene cannot read it.
        """
        searchers = java.autoclass("io.anserini.search.SimpleSearcher")
        limits = java.autoclass("org.apache.lucene.search.IndexSearcher")
        limits.setMaxClauseCount(QUERY_CHARACTERS)
        try:
            return cls(searchers(str(folder)))
        except java.java_error() as error:
            raise BadIndex(
                f"Lucene cannot open {folder}: {error}. "
                "Build the index again with `verifier index build --force`."
            ) from error

    def search_many(self, queries: Sequence[str], k: int) -> list[list[tuple[int, float]]]:
        """Best rows of each query.

        Args:
            queries: Plain words; Lucene's syntax has no meaning here.
            k: Rows wanted per query; at least 1.

        Returns:
            Per query, (row, BM25 score) from the best down, ties in row order; empty where no
            word of the query occurs.

        Raises:
            BadIndex: Lucene failed on one of them.
        """
        if not queries:
            return []
        texts = _list([fold(query[:QUERY_CHARACTERS])[:QUERY_CHARACTERS] for query in queries])
        keys = _list([str(at) for at in range(len(queries))])
        try:
            found = self._searcher.batch_search(texts, keys, k, threads())
        except java.java_error() as error:
            raise BadIndex(f"Lucene failed on {len(queries)} queries: {error}.") from error
        results = [found.get(str(at)) for at in range(len(queries))]
        if any(result is None for result in results):
            raise BadIndex(f"Lucene left a query of {len(queries)} without an answer.")
        return [[(int(hit.docid), float(hit.score)) for hit in result] for result in results]

    def close(self) -> None:
        """Close the index's files."""
        self._searcher.close()


def _list(values: Iterable[object]) -> Any:  # noqa: ANN401 - a Java object
    made = java.autoclass("java.util.ArrayList")()
    for value in values:
        made.add(value)
    return made
