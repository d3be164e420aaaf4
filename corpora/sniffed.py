"""Tells the format of a file by its content: which reader of passages it is for, if any."""

import json
import re
from pathlib import Path

from corpora.errors import CorpusError, CorpusMissing
from corpora.layouts import MARKS
from corpora.rows import decoded
from corpora.unpacked import head

MAGIC = (
    (b"PAR1", "parquet"),
    (b"SQLite format 3\0", "sqlite"),
    (b"ZIM\x04", "zim"),
)

FOREIGN = (
    (b"PK\x03\x04", "a zip archive; unpack it and give the file inside"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd; unpack it with `zstd -d`"),
    (b"%PDF", "a PDF"),
    (b"ARROW1", "an Arrow file; write it as Parquet"),
)

ACCEPTED = (
    "Accepted are MediaWiki dumps (.xml, also bz2, gz, xz, 7z), Kiwix ZIM files, JSON Lines with a "
    '"text" in each line (also BEIR and Pyserini), Wikipedia as Parquet, DPR\'s psgs_w100.tsv and '
    "FActScore's SQLite file."
)

PAPERS = (
    "{path} is a catalogue of papers ({what}), not text to cut into passages. "
    "Use `verifier index build papers {path}`."
)

DUMP = re.compile(r"<(?:\w+:)?mediawiki[\s>]")

CATALOGUE = (
    (re.compile(r"<(?:\w+:)?OAI-PMH[\s>]|<ListRecords[\s>]|<(?:\w+:)?dc[\s>]"), "OAI-PMH"),
    (re.compile(r"<collection\s[^>]*id="), "ACL Anthology"),
    (re.compile(r"^\s*@\s*[A-Za-z]+\s*[{(]", re.MULTILINE), "BibTeX"),
)


def sniff(path: Path) -> str:
    """Tell which reader a file is for.

    Returns:
        A key of `corpora.readers.READERS`.

    Raises:
        CorpusMissing: there is no such file.
        CorpusError: it cannot be read, or is for none of the readers; says what was found.
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise CorpusMissing(f"{path} {what}. Give the path of a file of text. {ACCEPTED}")
    start = head(path)
    for magic, key in MAGIC:
        if start.startswith(magic):
            return key
    if re.search(r"\.zim[a-z]{2}$", path.name):
        raise CorpusError(
            f"{path} is a later part of a split ZIM file. Give its first part, .zimaa."
        )
    for magic, what in FOREIGN:
        if start.startswith(magic):
            raise CorpusError(f"{path} is {what}. {ACCEPTED}")
    text = decoded(start)
    key = _of_text(path, text)
    if not key:
        raise CorpusError(f"{path} is for none of the readers: {_found(text)}. {ACCEPTED}")
    return key


def _of_text(path: Path, text: str) -> str:
    """The reader of a file of text; empty if there is none."""
    first = next((line for line in text.splitlines() if line.strip()), "").strip()
    if first.startswith("<") and DUMP.search(text):
        return "dump"
    if first.startswith("{"):
        return _of_json(path, first, text)
    cells = [cell.strip().strip('"').lower() for cell in first.split("\t")]
    if cells == ["id", "text", "title"]:
        return "dpr"
    if "title" in cells and len(cells) > 1:
        raise CorpusError(PAPERS.format(path=path, what="a table with a column `title`"))
    if first.startswith("[") and '"scope"' in text and '"response"' in text:
        raise CorpusError(PAPERS.format(path=path, what="recorded answers of a server"))
    for pattern, what in CATALOGUE:
        if pattern.search(text):
            raise CorpusError(PAPERS.format(path=path, what=what))
    return ""


def _of_json(path: Path, first: str, text: str) -> str:
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        row = {}
    if isinstance(row, dict) and any(mark in row for mark in MARKS):
        return "jsonl"
    if isinstance(row, dict) and "title" in row and ("abstract" in row or "authors" in row):
        raise CorpusError(PAPERS.format(path=path, what="arXiv's snapshot"))
    if '"extract"' in text:
        return "vital"
    # A first line may be broken, or longer than what was looked at.
    return "jsonl" if any(f'"{mark}"' in text for mark in MARKS) else ""


def _found(text: str) -> str:
    if not text.strip():
        return "it is empty"
    if text.count("\0") > 1 or text.count("\ufffd") > len(text) // 10:
        return "it holds bytes of an unknown format"
    return f"it begins with {text.strip()[:40]!r}"
