"""`verifier index info`: the card of an index of passages."""

import json
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from index_builder.manifest import FileInfo, Manifest, SourceInfo

WIDTH = 80
LABEL = 11

PARTS = {
    "text": "passages.arrow ids.npy titles.npy",
    "aliases": "aliases.sqlite",
    "lucene": "lucene/",
    "faiss": "dense.faiss",
    "vectors": "vectors.npy",
}
"""Parts of an index, by the names that their files begin with."""

LISTED = 5
"""Files and skipped places that are named; JSON has all of them."""


def show(manifest: "Manifest", path: Path, as_json: bool) -> None:
    """Print it."""
    if as_json:
        click.echo(json.dumps(table(manifest, path), ensure_ascii=False))
        return
    click.echo(click.style(manifest.name, bold=True))
    for label, values in _rows(manifest, path).items():
        for number, value in enumerate(values):
            head = f"  {label if number == 0 else '':{LABEL}}"
            after = " " * (LABEL + 2)
            click.echo(textwrap.fill(value, WIDTH, initial_indent=head, subsequent_indent=after))


def table(manifest: "Manifest", path: Path) -> dict[str, object]:
    """All that is known about an index, for JSON."""
    sizes = parts(manifest.files)
    return {"path": str(path), "bytes": sum(sizes.values()), "parts": sizes, **asdict(manifest)}


def parts(files: "Mapping[str, FileInfo]") -> dict[str, int]:
    """Bytes of each part of an index."""
    sizes = {
        part: sum(info.size for name, info in files.items() if name.startswith(tuple(own.split())))
        for part, own in PARTS.items()
    }
    return {part: size for part, size in sizes.items() if size}


def _rows(manifest: "Manifest", path: Path) -> dict[str, list[str]]:
    counts, source = manifest.counts, manifest.source
    each = counts.passages / counts.documents
    kept = manifest.numbers_kept
    sizes = parts(manifest.files)
    return {
        "path": [str(path)],
        "id": [manifest.id],
        "source": list(_files(source)) or [source.name],
        "licence": [source.licence or "not stated"],
        "snapshot": [source.snapshot_date or "not stated"],
        "holds": [
            f"{counts.documents:,} documents, {counts.passages:,} passages "
            f"({each:.1f} a document), {counts.aliases:,} aliases"
        ],
        "languages": [_languages(manifest)],
        "left out": _left_out(manifest),
        "numbers": ["not measured" if kept is None else f"{100 * kept:.2f} % of the source's kept"],
        "encoder": [str(manifest.encoder)],
        "FAISS": [_faiss(manifest)],
        "Lucene": [manifest.analyzer],
        "size": [
            f"{_size(sum(sizes.values()))}: "
            + ", ".join(f"{part} {_size(size)}" for part, size in sizes.items())
        ],
        "built": [manifest.created],
    }


def _files(source: "SourceInfo") -> Iterable[str]:
    for one in source.files[:LISTED]:
        yield f"{one.name} ({one.reader}, {_size(one.bytes)})"
    if len(source.files) > LISTED:
        yield f"and {len(source.files) - LISTED:,} more files"


def _languages(manifest: "Manifest") -> str:
    counted = sorted(manifest.languages.items(), key=lambda one: (-one[1], one[0]))
    if not any(code for code, _ in counted):
        return ", ".join(manifest.source.languages)
    named = [f"{code or 'not stated'} {count:,}" for code, count in counted]
    more = f" and {len(named) - 8} more" if len(named) > 8 else ""
    return ", ".join(named[:8]) + more


def _left_out(manifest: "Manifest") -> list[str]:
    skipped, older = manifest.skipped, manifest.counts.superseded
    said = [f"{skipped.count:,} places could not be read, {older:,} documents were older copies"]
    return said + [f"{one.place}: {one.problem}" for one in skipped.examples[:LISTED]]


def _faiss(manifest: "Manifest") -> str:
    how = "".join(f", {name} {value}" for name, value in manifest.search.items())
    return f"{manifest.faiss}{how}; recall@10 {manifest.recall_at_10:.3f} of exact search"


def _size(size: int) -> str:
    if size < 1e6:
        return f"{size / 1e3:,.1f} kB"
    return f"{size / 1e6:,.1f} MB" if size < 1e9 else f"{size / 1e9:,.2f} GB"
