#!/usr/bin/env python3
"""Building Lucene's index beside Anserini's own IndexCollection, same texts and threads.

    scripts/bench/bm25_build.py --index claims [--repeat 5] [--rounds 3]

Each side runs in a process of its own, its Java and imports included: that is what a user waits
for. Ours is handed texts and folds them; Anserini reads them, folded before, from JSON files.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from index_builder.fold import fold
from index_builder.store import Store
from index_builder.text import contents
from verifier.retrieval import index_path

OURS = """
import json, sys
from pathlib import Path
from index_builder import lexical
lines = (json.loads(line)["contents"] for line in open(sys.argv[1] + "/texts.jsonl"))
lexical.build(lines, Path(sys.argv[2]))
"""

THEIRS = """
import sys
from index_builder import java, lexical
java.autoclass("io.anserini.index.IndexCollection").main([
    "-collection", "JsonCollection", "-input", sys.argv[1], "-index", sys.argv[2],
    "-generator", "DefaultLuceneDocumentGenerator", "-threads", str(lexical.threads()),
])
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--index", default="wikipedia-vital", help="where the texts are from")
    parser.add_argument("--repeat", type=int, default=5, help="the texts so many times")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    store = Store.open(index_path(args.index))
    speed: dict[str, list[float]] = {"ours": [], "anserini": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        total = 0
        for side, shape in (("ours", str), ("anserini", fold)):
            (folder / side).mkdir()
            with (folder / side / "texts.jsonl").open("w") as file:
                for total in range(args.repeat * len(store)):
                    text = shape(contents(store[total % len(store)]))
                    file.write(json.dumps({"id": f"{total:012d}", "contents": text}) + "\n")
        for number in range(args.rounds):
            for side, code in (("ours", OURS), ("anserini", THEIRS)):
                out = folder / f"{side}-{number}"
                command = [sys.executable, "-c", code, str(folder / side), str(out)]
                start = time.perf_counter()
                env = {**os.environ, "PYTHONPATH": str(Path.cwd())}
                done = subprocess.run(command, capture_output=True, text=True, env=env)
                if done.returncode or not list(out.glob("segments_*")):
                    raise SystemExit(f"{side} failed: {done.stdout[-300:]}{done.stderr[-500:]}")
                speed[side].append((total + 1) / (time.perf_counter() - start))
    median = {side: statistics.median(values) for side, values in speed.items()}
    result = {
        "texts": total + 1,
        "texts_per_s": median,
        "ratio": median["ours"] / median["anserini"],
    }
    if args.json:
        print(json.dumps(result))
        return
    print(f"{total + 1:,} texts, median of {args.rounds} rounds, Java's start included")
    for side, value in median.items():
        print(f"{side:9} {value:9.0f} texts/s")
    print(f"ratio     {result['ratio']:9.3f}   (bar 1)")


if __name__ == "__main__":
    main()
