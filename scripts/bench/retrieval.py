#!/usr/bin/env python3
"""Recall@10 of the gold passages of three claim sets, by each retriever.

The first 600 claims of each are the figure; the weights of the fusion were fitted on the others
(`--rows 600:`). An index of the passages is needed:

    verifier index build DATA/corpora/wiki_passages.jsonl.gz wikipedia-vital --name claims
    scripts/bench/retrieval.py --data DATA --index claims
"""

import argparse
import gzip
import json
from pathlib import Path

from verifier.retrieval import open_search
from verifier.settings import IndexSettings

SETS = {"fm2": 0.87, "climate_fever": 0.47, "sufficient_facts_claims": 0.90}
"""The claim sets, and what hybrid search is to reach."""

RETRIEVERS = ("bm25", "dense", "hybrid")


def claims(data: Path, name: str, rows: slice) -> list[tuple[str, frozenset[str]]]:
    """Claims and the ids of their gold passages."""
    with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        read = [json.loads(line) for line in file][rows]
    gold = (frozenset(one["pid"] for one in row["evidence"] if one.get("pid")) for row in read)
    return [(row["claim"], pids) for row, pids in zip(read, gold, strict=True)]


def recall(found: list[list[str]], gold: list[frozenset[str]]) -> float:
    """Share of a claim's gold passages among those found; the mean over claims that have any."""
    shares = [
        len(wanted & set(ids)) / len(wanted)
        for ids, wanted in zip(found, gold, strict=True)
        if wanted
    ]
    return sum(shares) / len(shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the claim sets")
    parser.add_argument("--index", default="claims")
    parser.add_argument("--rows", default=":600", help="rows of each set, as a slice")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = slice(*(int(part) if part else None for part in args.rows.split(":")))
    opened = open_search(IndexSettings(name=args.index))
    known = opened.indexes[0]
    table: dict[str, dict[str, float]] = {}
    for name in SETS:
        # Some gold passages are in no corpus (VitaminC's); they can't be found by anyone.
        asked = [(claim, _there(known, pids)) for claim, pids in claims(args.data, name, rows)]
        queries, gold = [claim for claim, _ in asked], [pids for _, pids in asked]
        table[name] = {}
        for retriever in RETRIEVERS:
            hits = opened.search.search_many(queries, 10, retriever)
            ids = [[hit.passage.id for hit in some] for some in hits]
            table[name][retriever] = recall(ids, gold)
    opened.close()
    if args.json:
        print(json.dumps(table))
        return
    print(f"{'recall@10':24} " + " ".join(f"{name:>7}" for name in (*RETRIEVERS, "bar")))
    for name, row in table.items():
        values = " ".join(f"{row[one]:7.3f}" for one in RETRIEVERS)
        print(f"{name:24} {values} {SETS[name]:7.2f}")


def _there(index: object, pids: frozenset[str]) -> frozenset[str]:
    kept = set()
    for pid in pids:
        try:
            index.passage(pid)  # type: ignore[attr-defined]
            kept.add(pid)
        except KeyError:
            continue
    return frozenset(kept)


if __name__ == "__main__":
    main()
