#!/usr/bin/env python3
"""Batched search beside raw FAISS and raw Lucene, on the same queries to the same depth.

    scripts/bench/search.py --index claims [--queries 1000] [--rounds 5]

Queries are texts of the index with their own vectors looked up: encoding costs far more than
searching and is measured by `dense_build.py`. Raw Lucene is Anserini's batch_search with rows and
scores read from each hit, raw FAISS one call of index.search; both give 100 rows a query. Our
search gives the 5 best passages with their text. The sides take turns; a figure is the median of
the rounds.
"""

import argparse
import json
import statistics
import time

import faiss
import numpy as np

from index_builder import lexical
from index_builder.fold import fold
from index_builder.search import DEPTH, Index
from verifier.retrieval import index_path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--index", default="wikipedia-vital")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    path = index_path(args.index)
    near = faiss.read_index(str(path / "dense.faiss"))
    opened = Index.open(path, None, None)
    rows = np.linspace(0, len(opened._store) - 1, args.queries).astype(int)
    # Twelve words: as long as a claim.
    queries = [" ".join(opened._store[int(row)].text.split()[:12]) + f" {row}" for row in rows]
    vectors = np.stack([near.reconstruct(int(row)) for row in rows])
    at = dict(zip(queries, vectors, strict=True))
    manifest = opened.manifest
    opened.close()
    opened = Index.open(
        path, lambda texts: np.stack([at[text] for text in texts]), manifest.encoder
    )
    lucene = lexical.Lexical.open(path / lexical.FOLDER)
    folded = [fold(query) for query in queries]

    def raw_lucene() -> None:
        texts, keys = lexical._list(folded), lexical._list([str(n) for n in range(len(folded))])
        found = lucene._searcher.batch_search(texts, keys, DEPTH, lexical.threads())
        for key in range(len(folded)):
            [(int(hit.docid), hit.score) for hit in found.get(str(key))]

    sides = {
        "raw FAISS": lambda: near.search(vectors, DEPTH),
        "raw Lucene": raw_lucene,
        "dense": lambda: opened.search_many(queries, 5, "dense"),
        "bm25": lambda: opened.search_many(queries, 5, "bm25"),
        "hybrid": lambda: opened.search_many(queries, 5, "hybrid"),
    }
    speed: dict[str, list[float]] = {name: [] for name in sides}
    for side in sides.values():
        side()  # Java and the page cache warm up.
    for _ in range(args.rounds):
        for name, side in sides.items():
            start = time.perf_counter()
            side()
            speed[name].append(len(queries) / (time.perf_counter() - start))
    median = {name: statistics.median(values) for name, values in speed.items()}
    slower = min(median["raw FAISS"], median["raw Lucene"])
    result = {"queries_per_s": median, "ratio": median["hybrid"] / slower}
    if args.json:
        print(json.dumps(result))
        return
    for name, value in median.items():
        print(f"{name:11} {value:9.0f} queries/s")
    print(f"hybrid of the slower raw one: {result['ratio']:.3f}   (bar 0.9)")


if __name__ == "__main__":
    main()
