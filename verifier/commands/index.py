"""`verifier index`: build an index, look at it, search in it."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verifier.commands import index_papers

if TYPE_CHECKING:
    from corpora.sources import Source
    from index_builder.build import Progress
    from index_builder.manifest import Manifest
    from index_builder.search import Hit, Retriever

DEFAULT = "wikipedia-vital"
PAPERS = "papers"
"""As the first SOURCE: what follows are catalogues of papers."""
WIDTH = 80

as_json = click.option("--json", "as_json", is_flag=True, help="Write JSON to standard output.")


@click.group()
def index() -> None:
    """Build and search the text that claims are checked against."""


@index.command()
@click.argument("source", nargs=-1)
@click.option("--name", help="Name of the index; that of the source if not given.")
@click.option("--encoder", default="all-minilm-l6-v2", show_default=True, help="Embedding model.")
@click.option("--force", is_flag=True, help="Replace an index of that name that differs.")
@click.option(
    "--complete",
    multiple=True,
    metavar="FIELD:YEARS",
    help="Papers: the files hold all of a venue, an arXiv category or * (everything) in these "
    "years, e.g. ACL:2015-2019. A citation of one that is not there is then called false.",
)
@click.option("--snapshot-date", default="", metavar="DATE", help="Papers: none is newer.")
@click.option(
    "--embed",
    is_flag=True,
    help="Papers: encode titles as well; about 2 minutes for 20,000 on 2 cores.",
)
@as_json
def build(
    source: tuple[str, ...],
    name: str | None,
    encoder: str,
    force: bool,
    complete: tuple[str, ...],
    snapshot_date: str,
    embed: bool,
    as_json: bool,
) -> None:
    """Build the index of SOURCE: a named corpus, or a JSON Lines file of yours.

    A line of the file looks like {"id": "1", "title": "Lake Baikal", "text": "..."}; only text
    must be there. An interrupted build goes on where it was: run the same command again.

    `build papers FILE...` builds an index of papers, in which citations are looked up, from BibTeX
    files, arXiv's snapshot (JSON), OAI-PMH answers (XML) or tab-separated rows; .gz too.
    """
    if source[:1] == (PAPERS,):
        declared = index_papers.Declared(complete, snapshot_date, encoder if embed else "")
        out_name = _checked(name or PAPERS)
        with _progress() as stages:
            index_papers.build(source[1:], out_name, declared, stages, force, as_json)
        return
    if complete or snapshot_date or embed:
        raise click.UsageError("--complete, --snapshot-date and --embed are for `build papers`.")
    if len(source) > 1:
        raise click.UsageError(f"one SOURCE, not {len(source)}; several files only for `papers`.")
    _build_passages(source[0] if source else DEFAULT, name, encoder, force, as_json)


def _build_passages(
    source: str, name: str | None, encoder: str, force: bool, as_json: bool
) -> None:
    from corpora.readers import READERS
    from corpora.reading import Reading
    from index_builder.build import build as build_index
    from index_builder.manifest import SourceInfo
    from verifier import assemble, settings

    home = settings.home()
    path, reader, named = _text(source, home)
    if named:
        about = SourceInfo(named.name, named.licence, named.snapshot_date, named.languages)
    else:
        about = SourceInfo(path.name, licence="not stated")
    out = home / "indexes" / _checked(name or (named.name if named else path.name.split(".")[0]))
    model = assemble.open_encoder(encoder)
    with _progress() as stages:
        manifest = build_index(
            READERS[reader](path, Reading()),
            model.encode_passages,
            out,
            encoder=assemble.encoder_info(model),
            source=about,
            progress=stages,
            force=force,
        )
    if model.truncated:
        click.echo(
            f"{model.truncated:,} passages are longer than {encoder} reads: it saw only their "
            "beginnings. BM25 sees all of them.",
            err=True,
        )
    _print_manifest(manifest, out, as_json)


@index.command()
@click.argument("name", required=False)
@click.option("--check", is_flag=True, help="Read every file and compare its SHA-256.")
@as_json
def info(name: str | None, check: bool, as_json: bool) -> None:
    """Say what the index NAME holds; all indexes if no name is given."""
    from index_builder.errors import BadIndex, IndexMissing
    from index_builder.manifest import Manifest
    from index_builder.records import PaperIndex
    from verifier import assemble, settings

    folder = settings.home() / "indexes"
    names = [name] if name else sorted(path.parent.name for path in folder.glob("*/manifest.json"))
    if not names:
        raise IndexMissing(f"There is no index in {folder}. Build one with `verifier index build`.")
    for one in names:
        path = assemble.index_path(one)
        if PaperIndex.is_at(path):
            index_papers.show(path, check, as_json)
            continue
        manifest = Manifest.load(path)
        if check and (bad := manifest.damaged(path)):
            raise BadIndex(
                f"The index {one} is damaged: {', '.join(bad)} changed since it was built. "
                "Build it again with `verifier index build --force`."
            )
        _print_manifest(manifest, path, as_json)


@index.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--index", "name", default=DEFAULT, show_default=True, help="Name or path.")
@click.option("-k", default=5, show_default=True, type=click.IntRange(1, 1000), help="Passages.")
@click.option(
    "--retriever",
    type=click.Choice(["hybrid", "bm25", "dense"]),
    default="hybrid",
    show_default=True,
    help="Words (bm25), meaning (dense), or both fused.",
)
@as_json
def search(
    query: tuple[str, ...], name: str, k: int, retriever: "Retriever", as_json: bool
) -> None:
    """Search for QUERY and show the passages a judge would get."""
    from verifier import assemble

    text = " ".join(query)
    opened = assemble.open_index(assemble.index_path(name), retriever)
    try:
        (hits,) = opened.search_many([text], k, retriever)
    finally:
        opened.close()
    if as_json:
        _echo_json(
            {
                "query": text,
                "index": opened.manifest.name,
                "index_id": opened.manifest.id,
                "retriever": retriever,
                "hits": [{"rank": rank, **asdict(hit)} for rank, hit in enumerate(hits, start=1)],
            }
        )
    else:
        _print_hits(hits, text)


def _text(source: str, home: Path) -> tuple[Path, str, "Source | None"]:
    """The file to index, the name of its reader, and the corpus if it is a named one."""
    from corpora import fetch, sources
    from corpora.readers import sniff

    path = Path(source)
    if source not in sources.load() and (path.exists() or path.suffix or len(path.parts) > 1):
        return path, sniff(path), None
    named = sources.named(source)
    if not named.file(home).is_file():
        click.echo(f"fetching {named.name}: {named.description}, {named.licence}", err=True)
    return fetch.fetch(named, home), named.reader, named


def _checked(name: str) -> str:
    if not name or name.startswith(".") or "/" in name or name.endswith((".building", ".old")):
        raise click.BadParameter(f"{name!r} cannot be the name of a folder of an index.")
    return name


@contextmanager
def _progress() -> Iterator["Progress"]:
    """Stages of a build on standard error: bars on a terminal, plain lines elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as Remaining

        columns = (TextColumn("{task.description:13}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, Remaining(), console=console) as bars:
            tasks = {}

            def draw(stage: str, done: int, total: int) -> None:
                if stage not in tasks:
                    tasks[stage] = bars.add_task(stage, total=total or None)
                bars.update(tasks[stage], completed=done, total=total or None)

            yield draw
    else:
        yield _plain_lines()


def _plain_lines() -> "Progress":
    """A line when a stage begins and ends, and every ten seconds in between."""
    from time import monotonic

    began: dict[str, tuple[float, int]] = {}
    said = 0.0

    def say(stage: str, done: int, total: int) -> None:
        nonlocal said
        now = monotonic()
        start, first = began.setdefault(stage, (now, done))
        if start != now and done != total and now - said < 10:
            return
        said = now
        left = ""
        if total > done > first:
            left = f", about {(now - start) * (total - done) / (done - first):.0f} s left"
        click.echo(f"{stage} {done:,} of {total:,}{left}" if total else stage, err=True)

    return say


def _print_manifest(manifest: "Manifest", path: Path, as_json: bool) -> None:
    size = sum(file.size for file in manifest.files.values())
    if as_json:
        _echo_json({"path": str(path), "bytes": size, **asdict(manifest)})
        return
    source, encoder = manifest.source, manifest.encoder
    rows = {
        "path": str(path),
        "id": manifest.id,
        "text": f"{manifest.counts.passages:,} passages of {manifest.counts.documents:,} documents",
        "source": f"{source.name}, licence {source.licence or 'not stated'}",
        "snapshot": source.snapshot_date or "not stated",
        "languages": ", ".join(source.languages),
        "encoder": str(encoder),
        "engines": f"FAISS {manifest.faiss}; Lucene BM25",
        "built": f"{manifest.created}, {size / 1e6:,.1f} MB",
    }
    click.echo(click.style(manifest.name, bold=True))
    for label, value in rows.items():
        click.echo(f"  {label:10} {value}")


def _print_hits(hits: "tuple[Hit, ...]", query: str) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from index_builder.snippet import snippet

    console = Console(width=WIDTH, highlight=False)
    if not hits:
        console.print(Text("Nothing was found."))
    for rank, hit in enumerate(hits, start=1):
        ranks = ", ".join(f"{name} #{at}" for name, at in hit.ranks.items())
        tail = f"  {hit.score:.4f} ({ranks})"
        console.print(Text.assemble(f"{rank}. ", (hit.passage.title, "bold"), tail))
        cut = snippet(hit.passage.text, query)
        body = Text(cut.text)
        for start, end in cut.words:
            body.stylize("bold yellow", start, end)
        console.print(Padding(body, (0, 0, 1, 3)))


def _echo_json(value: Mapping[str, object]) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))
