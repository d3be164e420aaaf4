"""`verifier index build papers`: catalogues of papers -> an index to look citations up in."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from corpora.record import Record
    from index_builder.build import Progress
    from index_builder.records_build import Counted, Plan
    from index_builder.records_manifest import PapersManifest


@dataclass(frozen=True, slots=True)
class Declared:
    """What the user says about the files."""

    complete: tuple[str, ...] = ()
    snapshot_date: str = ""
    encoder: str = ""
    """Name of the model that encodes titles; empty for none."""


def build(
    files: tuple[str, ...],
    name: str,
    declared: Declared,
    progress: "Progress",
    force: bool,
    as_json: bool,
) -> None:
    """Build the index of some catalogues and say what it holds."""
    from index_builder.records_build import Counted
    from index_builder.records_build import build as build_index

    if not files:
        raise click.UsageError("`build papers` needs a FILE: BibTeX, JSON, XML or TSV.")
    plan, counted = _plan(files, name, declared), Counted()
    readers = _readers([Path(one) for one in files], counted)
    made = build_index(readers, plan, skipped=counted, progress=progress, force=force)
    for one in counted.first:
        click.echo(f"skipped: {one.place}: {one.problem}", err=True)
    if counted.number > len(counted.first):
        click.echo(f"skipped: {counted.number - len(counted.first):,} more", err=True)
    _print(made, plan.out, as_json)


def show(path: Path, as_json: bool) -> None:
    """Say what a papers index holds.

    Raises:
        BadIndex: it is damaged.
    """
    from index_builder.records_manifest import PapersManifest

    _print(PapersManifest.load(path), path, as_json)


def verify(path: Path) -> tuple[tuple[str, ...], dict[str, object]]:
    """The damaged files of a papers index, and how many it has."""
    from index_builder.records_manifest import PapersManifest

    manifest = PapersManifest.load(path)
    return manifest.damaged(path), {"files": len(manifest.files)}


def _plan(files: tuple[str, ...], name: str, declared: Declared) -> "Plan":
    from index_builder.manifest import SourceInfo
    from index_builder.records_build import Plan
    from index_builder.records_manifest import Coverage
    from verifier import retrieval, settings

    try:
        complete = tuple(Coverage.parse(one) for one in declared.complete)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--complete") from error
    names = ", ".join(dict.fromkeys(Path(one).name for one in files))
    source = SourceInfo(names, licence="not stated", snapshot_date=declared.snapshot_date)
    out = settings.home() / "indexes" / name
    if not declared.encoder:
        return Plan(out, source, complete)
    model = retrieval.open_encoder(declared.encoder)
    info = retrieval.encoder_info(model)
    return Plan(out, source, complete, model.encode_passages, info)


def _readers(paths: list[Path], counted: "Counted") -> Iterator["Record"]:
    """The records of all files; every file is looked at before any is read."""
    from corpora.papers import READERS, sniff

    kinds = [(path, sniff(path)) for path in paths]
    return chain.from_iterable(READERS[kind](path, counted) for path, kind in kinds)


def _print(manifest: "PapersManifest", path: Path, as_json: bool) -> None:
    size = sum(file.size for file in manifest.files.values())
    if as_json:
        table = {"path": str(path), "bytes": size, **asdict(manifest)}
        click.echo(json.dumps(table, ensure_ascii=False))
        return
    counts = manifest.counts
    rows = {
        "path": str(path),
        "id": manifest.id,
        "holds": f"{counts.papers:,} papers; {counts.merged:,} records merged, "
        f"{counts.skipped:,} skipped",
        "source": manifest.source.name,
        "snapshot": manifest.source.snapshot_date or "not stated",
        "complete": ", ".join(map(str, manifest.complete)) or "nothing is declared to be",
        "titles": f"encoded by {manifest.encoder}" if manifest.encoder else "by words, not encoded",
        "built": f"{manifest.created}, {size / 1e6:,.1f} MB",
    }
    click.echo(click.style(manifest.name, bold=True))
    for label, value in rows.items():
        click.echo(f"  {label:10} {value}")
