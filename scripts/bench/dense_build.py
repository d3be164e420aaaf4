#!/usr/bin/env python3
"""Encoding in a build beside raw SentenceTransformer.encode: the same model, type, batch and texts.

    scripts/bench/dense_build.py --index claims [--passages 1024] [--rounds 3]

The build's side is the shard writer of `index_builder.shards`: it counts tokens that are cut,
normalises, checks and saves. The sides take turns; a figure is the median of the rounds.
"""

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from index_builder.shards import SHARD, Writer
from index_builder.store import Store
from index_builder.text import contents
from models.encoder import BATCH
from verifier.retrieval import encoder_info, index_path, open_encoder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--index", default="wikipedia-vital", help="where the texts are from")
    parser.add_argument("--passages", type=int, default=2 * SHARD)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    store = Store.open(index_path(args.index))
    rows = np.linspace(0, len(store) - 1, args.passages).astype(int)
    texts = [contents(store[int(row)]) for row in rows]
    encoder = open_encoder()
    raw = encoder._model

    def ours() -> None:
        with tempfile.TemporaryDirectory() as folder:
            writer = Writer(
                Path(folder), encoder.encode_passages, encoder_info(encoder), np.float32
            )
            for start in range(0, len(texts), SHARD):
                writer.shard(start, texts[start : start + SHARD])

    def theirs() -> None:
        raw.encode(texts, batch_size=BATCH, show_progress_bar=False, convert_to_tensor=True)

    theirs()  # The first call warms up.
    speed: dict[str, list[float]] = {"build": [], "raw": []}
    for _ in range(args.rounds):
        for name, side in (("build", ours), ("raw", theirs)):
            start = time.perf_counter()
            side()
            speed[name].append(len(texts) / (time.perf_counter() - start))
    median = {name: statistics.median(values) for name, values in speed.items()}
    result = {"passages_per_s": median, "ratio": median["build"] / median["raw"]}
    if args.json:
        print(json.dumps(result))
        return
    for name, value in median.items():
        print(f"{name:6} {value:8.1f} passages/s")
    print(f"ratio  {result['ratio']:8.3f}   (bar 0.95)")


if __name__ == "__main__":
    main()
