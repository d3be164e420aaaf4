#!/usr/bin/env python3
"""Reading a MediaWiki dump: MB/s beside the WikiExtractor package, and the numbers both keep.

    pip install --no-deps --target DIR wikiextractor==3.1.0
    WIKIEXTRACTOR=DIR scripts/bench/read_dump.py DUMP [--repeat 5] [--workers 2]

Both write the text of every article as JSON lines and cut no passages (`--passages`: ours does).
The sides take turns; a figure is the median of the rounds.
"""

import argparse
import bz2
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

OURS = """
import json, sys
from pathlib import Path
from corpora.reading import Reading
from corpora import wikipedia
if __name__ == "__main__":
    path, out, words, workers = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with open(out, "w", encoding="utf-8") as file:
        for one in wikipedia.read(path, Reading(words=words, workers=workers)):
            row = {"title": one.title, "section": one.section, "text": one.text}
            file.write(json.dumps(row, ensure_ascii=False) + "\\n")
"""

WHOLE = 10**9
"""Words in a passage that no section has: sections stay whole."""


def grown(dump: Path, repeat: int, out: Path) -> Path:
    """The dump with its pages several times, under new titles and numbers."""
    opened = bz2.open if dump.suffix == ".bz2" else open
    with opened(dump, "rt", encoding="utf-8") as file:
        text = file.read()
    head, body = text.split("<page>", 1)
    body = "<page>" + body.rpartition("</mediawiki>")[0]
    named = re.compile(r"(<title>)(.*?)(</title>.*?<id>)(\d+)", re.DOTALL)

    def pages(round_: int) -> str:
        def again(found: re.Match[str]) -> str:
            number = int(found[4]) + round_ * 10**8
            return f"{found[1]}{found[2]} {round_}{found[3]}{number}"

        return "".join(
            named.sub(again, page, count=1) if round_ else page
            for page in re.split(r"(?=<page>)", body)
        )

    out.write_text(head + "".join(map(pages, range(repeat))) + "</mediawiki>\n", "utf-8")
    return out


def timed(command: list[str], **env: str) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **env})
    if done.returncode:
        raise SystemExit(f"{command[:4]} failed: {done.stderr[-500:]}")
    return time.perf_counter() - start


def numbers(dump: Path, texts: dict[str, str]) -> tuple[int, int]:
    """Numbers and dates that pandoc shows of the articles, and how many of them a text keeps."""
    from corpora.audit_pandoc import Unreadable, visible
    from corpora.audit_sources import sources
    from corpora.numbers import tokens
    from corpora.reading import Reading

    shown, kept = 0, 0
    for page in sources(dump, Reading()):
        try:
            wanted = tokens(visible(page.wikitext, page.title))
        except Unreadable:
            continue
        found = tokens(f"{page.title}\n{texts.get(page.title, '')}")
        shown += wanted.total()
        kept += (wanted & found).total()
    return shown, kept


def read(folder: Path) -> dict[str, str]:
    texts: Counter[str] = Counter()
    joined: dict[str, list[str]] = {}
    for file in [folder] if folder.is_file() else sorted(folder.rglob("wiki_*")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            part = f"{row.get('section', '')}\n{row['text']}"
            joined.setdefault(row["title"], []).append(part)
            texts[row["title"]] += 1
    return {title: "\n".join(parts) for title, parts in joined.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--passages", action="store_true", help="ours cuts passages as well")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    words = "100" if args.passages else str(WHOLE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        big = grown(args.dump, args.repeat, folder / "dump.xml")
        size = big.stat().st_size / 1e6
        (folder / "ours.py").write_text(OURS)
        workers = str(args.workers)

        def ours(dump: Path, out: str) -> float:
            command = [sys.executable, str(folder / "ours.py"), str(dump), str(folder / out)]
            return timed([*command, words, workers], PYTHONPATH=str(Path.cwd()))

        def theirs(dump: Path, out: str) -> float:
            command = [sys.executable, "-m", "wikiextractor.WikiExtractor", "--json", "-q"]
            command += ["--processes", workers, "-o", str(folder / out), str(dump)]
            return timed(command, PYTHONPATH=os.environ.get("WIKIEXTRACTOR", ""))

        sides = {"ours": [], "wikiextractor": []}
        for _ in range(args.rounds):
            sides["ours"].append(size / ours(big, "ours.jsonl"))
            sides["wikiextractor"].append(size / theirs(big, "theirs"))
        speed = {side: statistics.median(values) for side, values in sides.items()}
        once = grown(args.dump, 1, folder / "once.xml")
        ours(once, "once.jsonl"), theirs(once, "once")
        shown, kept = numbers(once, read(folder / "once.jsonl"))
        _, others = numbers(once, read(folder / "once"))
    result = {
        "dump_mb": size,
        "workers": args.workers,
        "mb_per_s": speed,
        "ratio": speed["ours"] / speed["wikiextractor"],
        "numbers": {"shown": shown, "ours": kept / shown, "wikiextractor": others / shown},
    }
    if args.json:
        print(json.dumps(result))
        return
    print(f"dump of {size:.1f} MB, {args.workers} workers, median of {args.rounds} rounds")
    for side, value in speed.items():
        share = result["numbers"][side]
        print(f"{side:14} {value:6.2f} MB/s   {share:7.2%} of {shown:,} numbers kept")
    print(f"ratio          {result['ratio']:6.2f}        (bar 2)")


if __name__ == "__main__":
    main()
