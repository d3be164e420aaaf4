"""Lucene BM25 (k1 = 0.9, b = 0.4) through pyserini's bridge to Anserini."""

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, Self

import numpy as np

from index_builder import java
from index_builder.errors import BadIndex
from index_builder.fold import fold
from index_builder.fusion import Rows, Scores

FOLDER = "lucene"

LANGUAGES = frozenset(
    ("ar", "bn", "da", "de", "en", "es", "fa", "fi", "fr", "hi", "hu", "id", "it", "ja", "ko")
) | {"nl", "no", "pt", "ru", "sv", "te", "th", "tr", "uk", "zh"}
"""ISO 639-1 codes of the languages that Anserini has an analyser for: stemming, stop words, and
cutting into words where none are written apart."""

QUERY_CHARACTERS = 20_000
"""Longer queries are cut here. A term has at least one character, so this is also as many clauses
as a query can have, and Lucene's limit is set to it (its default is 1,024)."""

DOCUMENTS_PER_CALL = 1_000


def threads() -> int:
    """Threads to index and to search with."""
    return min(8, len(os.sched_getaffinity(0)))


def analysed(language: str) -> str:
    """The language whose analyser is used for text in `language`.

    Text in a language that Anserini has none for is cut into words, and no more (`none`).

    >>> analysed("de"), analysed(""), analysed("ltg")
    ('de', 'en', 'none')
    """
    return language if language in LANGUAGES else ("none" if language else "en")


def analyzer(language: str = "en") -> str:
    """How text is analysed and ranked, for the manifest; two that differ make another index.

    >>> analyzer()
    'Anserini en over fold() v1; BM25 k1=0.9 b=0.4'
    """
    return f"Anserini {analysed(language)} over fold() v1; BM25 k1=0.9 b=0.4"


def build(contents: Iterable[str], folder: Path, language: str = "en") -> None:
    """Index texts; the n-th, counted from 0, is row n. An index that is there is replaced.

    Args:
        contents: What is searched of each row.
        folder: Where the index goes.
        language: ISO 639-1 code of most of the text.

    Raises:
        BadIndex: Lucene failed.
    """
    indexers = java.autoclass("io.anserini.index.SimpleIndexer")
    shutil.rmtree(folder, ignore_errors=True)
    arguments = ["-index", str(folder), "-input", "", "-collection", "JsonCollection"]
    arguments += _language_options(language)
    try:
        indexer = indexers([*arguments, "-threads", str(threads())])
        rows = enumerate(contents)
        with ThreadPoolExecutor(1) as java_side:
            # Java indexes a batch while the next one is folded.
            last = java_side.submit(indexer.addRawDocuments, [])
            while batch := list(islice(rows, DOCUMENTS_PER_CALL)):
                # Rows of equal width: Anserini breaks ties by the id's letters, here the row order.
                # JSON text crosses to Java far sooner than objects are made there.
                made = [{"id": f"{row:012d}", "contents": fold(text)} for row, text in batch]
                texts = [json.dumps(one, ensure_ascii=False) for one in made]
                last.result()
                last = java_side.submit(indexer.addRawDocuments, texts)
            last.result()
        indexer.close()
    except java.java_error() as error:
        raise BadIndex(f"Lucene could not index into {folder}: {error}.") from error
    (folder / "write.lock").unlink(missing_ok=True)


class Lexical:
    """An open Lucene index."""

    def __init__(self, searcher: Any) -> None:  # noqa: ANN401 - a Java object
        self._searcher = searcher

    @classmethod
    def open(cls, folder: Path, language: str = "en") -> Self:
        """Open the index in `folder`, built for a language.

        Raises:
            BadIndex: Lucene cannot read it.
        """
        searchers = java.autoclass("io.anserini.search.SimpleSearcher")
        limits = java.autoclass("org.apache.lucene.search.IndexSearcher")
        limits.setMaxClauseCount(QUERY_CHARACTERS)
        try:
            searcher = searchers(str(folder))
            if analysed(language) == "none":
                searcher.set_analyzer(_plain())
            elif analysed(language) != "en":
                searcher.set_language(analysed(language))
            return cls(searcher)
        except java.java_error() as error:
            raise BadIndex(
                f"Lucene cannot open {folder}: {error}. "
                "Build the index again with `verifier index build --force`."
            ) from error

    def search_many(self, queries: Sequence[str], k: int) -> list[tuple[Rows, Scores]]:
        """Best rows of each query.

        Args:
            queries: Plain words; Lucene's syntax has no meaning here.
            k: Rows wanted per query; at least 1.

        Returns:
            Per query, rows and BM25 scores from the best down, ties in row order; empty where no
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
        return [_arrays(result) for result in results]

    def close(self) -> None:
        """Close the index's files."""
        self._searcher.close()


def _arrays(hits: Any) -> tuple[Rows, Scores]:  # noqa: ANN401 - a Java array
    rows = np.fromiter((int(hit.docid) for hit in hits), dtype=np.int64)
    scores = np.fromiter((hit.score for hit in hits), dtype=np.float32)
    return rows, scores


def _language_options(language: str) -> list[str]:
    wanted = analysed(language)
    if wanted == "none":
        return ["-stemmer", "none", "-keepStopwords"]
    return [] if wanted == "en" else ["-language", wanted]


def _plain() -> Any:  # noqa: ANN401 - a Java object
    """Words in lower case, neither stemmed nor left out."""
    no_words = java.autoclass("org.apache.lucene.analysis.CharArraySet").EMPTY_SET
    english = java.autoclass("io.anserini.analysis.DefaultEnglishAnalyzer")
    return english.newNonStemmingInstance(no_words)


def _list(values: Iterable[object]) -> Any:  # noqa: ANN401 - a Java object
    made = java.autoclass("java.util.ArrayList")()
    for value in values:
        made.add(value)
    return made
