#!/usr/bin/env python3
"""A big index: what building, opening and searching it cost.

    scripts/bench/million.py --index claims --passages 1000000 --memory 1GiB

Passages are made by recombining sentences of an index, with real titles; a vector is that of a real
passage moved a little, since encoding a million takes hours on two cores (`dense_build.py` says how
many). All else is the real builder. Searching is measured in a process of its own without encoder.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from pydantic import ByteSize, TypeAdapter

from corpora.passage import Passage
from index_builder.build import build
from index_builder.manifest import EncoderInfo, SourceInfo
from index_builder.store import Store
from verifier.retrieval import index_path

ENCODER = EncoderInfo("moved", "1", 384)
WORDS = 90

SEARCH = """
import json, resource, sys, time
import numpy as np
from pathlib import Path
import faiss, pyarrow, jnius_config  # what is loaded whatever the index holds
from index_builder import java
java.autoclass("java.util.ArrayList")
from index_builder.manifest import Manifest
from index_builder.search import Index
path = Path(sys.argv[1])
def resident():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024
before = resident()
vectors = np.load(sys.argv[2])
start = time.perf_counter()
encoder = Manifest.load(path).encoder
index = Index.open(path, lambda texts: vectors[: len(texts)], encoder)
opened = time.perf_counter() - start
queries = Path(sys.argv[3]).read_text().splitlines()
index.search_many(queries[:10])
start = time.perf_counter()
index.search_many(queries)
speed = len(queries) / (time.perf_counter() - start)
print(json.dumps({"open_s": opened, "queries_per_s": speed, "resident_mib": resident(),
                  "resident_before_mib": before}))
"""


def made(store: Store, count: int) -> Iterator[Passage]:
    """Passages of sentences drawn from all over, under real titles."""
    draw = random.Random(0)
    texts = [passage for _, passage in zip(range(20_000), store, strict=False)]
    for number in range(count):
        head = texts[number % len(texts)]
        words: list[str] = []
        while len(words) < WORDS:
            words += draw.choice(texts).text.split()
        text = " ".join(words[:WORDS])
        yield Passage(f"made:{number // 10}:{number % 10}", text, head.title, source="made")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--index", default="wikipedia-vital", help="where sentences are from")
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--memory", default="1GiB")
    parser.add_argument("--queries", type=int, default=500)
    args = parser.parse_args()
    path = index_path(args.index)
    store = Store.open(path)
    real = _vectors(path, len(store))
    draw = np.random.default_rng(0)
    stages: dict[str, float] = {}
    began = [time.perf_counter(), ""]

    def encode(texts: Sequence[str]) -> np.ndarray:
        noise = draw.normal(size=(len(texts), real.shape[1])).astype(np.float32)
        moved = real[draw.integers(0, len(real), len(texts))] + 0.02 * noise
        return moved / np.linalg.norm(moved, axis=1, keepdims=True)

    def progress(stage: str, _done: int, _total: int) -> None:
        now = time.perf_counter()
        if stage != began[1]:
            if began[1]:
                stages[str(began[1])] = now - float(began[0])
            began[:] = [now, stage]
            print(f"{stage} ...", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "million"
        manifest = build(
            made(store, args.passages),
            encode,
            out,
            encoder=ENCODER,
            source=SourceInfo("made", snapshot_date="2026-01-01"),
            progress=progress,
            faiss=int(TypeAdapter(ByteSize).validate_python(args.memory)),
        )
        progress("done", 0, 0)
        queries = [
            " ".join(one.text.split()[:12])
            for one, _ in zip(store, range(args.queries), strict=False)
        ]
        (Path(folder) / "queries").write_text("\n".join(queries))
        np.save(Path(folder) / "vectors.npy", encode(queries))
        command = [sys.executable, "-c", SEARCH, str(out), f"{folder}/vectors.npy"]
        searched = subprocess.run(
            [*command, f"{folder}/queries"], capture_output=True, text=True, check=False
        )
        if searched.returncode:
            raise SystemExit(searched.stderr[-2000:])
        sizes: dict[str, int] = {}
        for name, info in manifest.files.items():
            part = name.split("/")[0]
            sizes[part] = sizes.get(part, 0) + info.size
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    result = {
        "passages": manifest.counts.passages,
        "faiss": manifest.faiss,
        "recall_at_10": manifest.recall_at_10,
        "stages_s": {name: round(value, 1) for name, value in stages.items()},
        "build_peak_mib": round(peak),
        "mb": {name: round(size / 1e6, 1) for name, size in sizes.items()},
        **json.loads(searched.stdout.splitlines()[-1]),
    }
    print(json.dumps(result, indent=2))


def _vectors(path: Path, count: int) -> np.ndarray:
    import faiss

    near = faiss.read_index(str(path / "dense.faiss"))
    return near.reconstruct_n(0, min(count, 20_000))


if __name__ == "__main__":
    main()
