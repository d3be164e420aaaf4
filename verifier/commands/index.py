"""`verifier index`: build an index, add to it, look at it, search in it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from verifier.commands import index_card, index_papers, index_text
from verifier.commands.index_progress import stages

if TYPE_CHECKING:
    from index_builder.search import Hit

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
@click.option("--name", help="Name of the index; that of the first source if not given.")
@click.option("--encoder", default="all-minilm-l6-v2", show_default=True, help="Embedding model.")
@click.option("--force", is_flag=True, help="Replace an index of that name that differs.")
@index_text.wanted(*index_text.ABOUT, *index_text.LAYOUT)
@click.option(
    "--complete",
    multiple=True,
    metavar="FIELD:YEARS",
    help="Papers: the files hold all of a venue, an arXiv category or * (everything) in these "
    "years, e.g. ACL:2015-2019. A citation of one that is not there is then called false.",
)
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
    wanted: index_text.Wanted,
    complete: tuple[str, ...],
    embed: bool,
    as_json: bool,
) -> None:
    """Build one index of each SOURCE: a named corpus, or a file of yours.

    Files are MediaWiki dumps, Kiwix ZIM files, JSON Lines, Parquet, SQLite and more. A line of
    JSON looks like {"id": "1", "title": "Lake Baikal", "text": "..."}; only text must be there.
    An interrupted build goes on where it was: run the same command again.

    `build papers FILE...` builds an index of papers, in which citations are looked up, from BibTeX
    files, arXiv's snapshot (JSON), OAI-PMH answers (XML) or tab-separated rows; .gz too.
    """
    if source[:1] == (PAPERS,):
        if wanted.language or wanted.licence:
            raise click.UsageError("--language and --licence are for text, not for `build papers`.")
        declared = index_papers.Declared(complete, wanted.snapshot_date, encoder if embed else "")
        out_name = index_text.checked(name or PAPERS)
        with stages() as progress:
            index_papers.build(source[1:], out_name, declared, progress, force, as_json)
        return
    if complete or embed:
        raise click.UsageError("--complete and --embed are for `build papers`.")
    made, out = index_text.build(source or (DEFAULT,), name, encoder, wanted, force)
    index_card.show(made, out, as_json)


@index.command()
@click.argument("name")
@click.argument("source", nargs=-1, required=True)
@index_text.wanted(*index_text.ABOUT)
@as_json
def add(name: str, source: tuple[str, ...], wanted: index_text.Wanted, as_json: bool) -> None:
    """Add each SOURCE to the index NAME, which becomes what building it of all would give.

    Only new text is encoded. A page that is there already is replaced if the new one is no older.
    """
    from verifier import retrieval

    path = retrieval.index_path(name)
    made = index_text.add(path, source, wanted)
    counts = {"added": made.added, "replaced": made.replaced, "kept": made.kept}
    if as_json:
        _echo_json({**counts, **index_card.table(made.manifest, path)})
        return
    click.echo(
        f"{made.added:,} documents added, {made.replaced:,} replaced, "
        f"{made.kept:,} kept as they were."
    )
    index_card.show(made.manifest, path, as_json=False)


@index.command()
@click.argument("name", required=False)
@as_json
def info(name: str | None, as_json: bool) -> None:
    """Say what the index NAME holds; all indexes if no name is given."""
    from index_builder.errors import IndexMissing
    from index_builder.manifest import Manifest
    from index_builder.records import PaperIndex
    from verifier import retrieval, settings

    folder = settings.home() / "indexes"
    names = [name] if name else sorted(path.parent.name for path in folder.glob("*/manifest.json"))
    if not names:
        raise IndexMissing(f"There is no index in {folder}. Build one with `verifier index build`.")
    for one in names:
        path = retrieval.index_path(one)
        if PaperIndex.is_at(path):
            index_papers.show(path, as_json)
        else:
            index_card.show(Manifest.load(path), path, as_json)


@index.command()
@click.argument("name")
@as_json
def verify(name: str, as_json: bool) -> None:
    """Read every file of the index NAME, compare its checksum, and count the rows of each part."""
    from index_builder.errors import BadIndex
    from index_builder.records import PaperIndex
    from index_builder.verify import verify as look
    from verifier import retrieval

    path = retrieval.index_path(name)
    with stages() as progress:
        if PaperIndex.is_at(path):
            wrong, said = index_papers.verify(path)
        else:
            checked = look(path, progress)
            wrong, said = checked.wrong, {"files": checked.files, "rows": dict(checked.rows)}
    if as_json:
        _echo_json({"path": str(path), "whole": not wrong, "damaged": wrong, **said})
    elif not wrong:
        click.echo(f"{name} is whole: {said['files']} files are as they were when it was built.")
    if wrong:
        raise BadIndex(
            f"The index {name} is damaged: {', '.join(wrong)} changed since it was built. "
            "Build it again with `verifier index build --force`."
        )


@index.command()
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--index",
    "names",
    multiple=True,
    default=(DEFAULT,),
    show_default=True,
    help="Name or path; several are searched as one.",
)
@click.option("-k", default=5, show_default=True, type=click.IntRange(1, 1000), help="Passages.")
@click.option(
    "--retriever",
    type=click.Choice(["hybrid", "bm25", "dense"]),
    default="hybrid",
    show_default=True,
    help="Words (bm25), meaning (dense), or both fused.",
)
@click.option("--as-of", default="", metavar="DATE", help="Nothing that may be newer.")
@click.option("--language", default="", metavar="CODE", help="Only passages in it, e.g. en.")
@click.option("--source", default="", metavar="NAME", help="Only passages of this corpus.")
@click.option("--rerank", default="", metavar="MODEL", help="Cross-encoder for the 30 best.")
@as_json
def search(query: tuple[str, ...], names: tuple[str, ...], as_json: bool, **options: Any) -> None:  # noqa: ANN401
    """Search for QUERY and show the passages a judge would get."""
    import asyncio

    from verifier import retrieval, settings

    text, k = " ".join(query), options.pop("k")
    given = {"name": ",".join(names), **options}
    wanted = settings.load(None, [f"index.{key}={value}" for key, value in given.items() if value])
    opened = retrieval.open_search(wanted.index)
    try:
        hits = asyncio.run(opened(text, k))
    finally:
        opened.close()
    if as_json:
        ranked = [{"rank": rank, **asdict(hit)} for rank, hit in enumerate(hits, start=1)]
        about = {"index": opened.name, "index_id": opened.id, **options}
        _echo_json({"query": text, **about, "hits": ranked})
    else:
        _print_hits(hits, text)


def _print_hits(hits: "Sequence[Hit]", query: str) -> None:
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
