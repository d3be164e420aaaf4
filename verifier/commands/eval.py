"""`verifier eval`: benchmarks, printed as tables or JSON."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from verifier.evals.result import Result

Existing = click.Path(path_type=Path, exists=True)


@click.command("eval")
@click.argument("bench", required=False)
@click.option("--data", type=Existing, help="Folder (or file) that holds the labelled data.")
@click.option("--gold-claims", is_flag=True, help="Judge the claims of the data; split nothing.")
@click.option(
    "--split", type=click.Choice(["dev", "test", "all"]), default="all", show_default=True
)
@click.option("--limit", type=click.IntRange(1), help="Rows at most.")
@click.option("--only", multiple=True, metavar="PREFIX", help="Cases whose id begins so.")
@click.option("--out", type=click.Path(path_type=Path), help="Also write a JSON line a row here.")
@click.option("--index", "index", default="", help="Index to search (name or path).")
@click.option("--papers", default="", help="Index of papers (name or path).")
@click.option("--model", default="", help="Model that splits and judges.")
@click.option("--endpoint", default="", help="OpenAI-compatible URL that is already there.")
@click.option("--set", "overrides", multiple=True, metavar="SECTION.KEY=VALUE", help="A setting.")
@click.option("--json", "as_json", is_flag=True, help="Figures as JSON.")
@click.option("--quiet", is_flag=True, help="No progress.")
def eval_(bench: str | None, **options: Any) -> int:  # noqa: ANN401 - click's own values
    """Run the benchmark BENCH; without one, list those there are.

    Data sets are not part of this package; --data names the folder that holds them. Of each set,
    `dev` is the half to look at while something is built, `test` the half to report.
    """
    from verifier.errors import InputError
    from verifier.evals.table import BENCHES

    if bench is None:
        for one in BENCHES.values():
            click.echo(f"{one.name:16} {one.about}")
        return 0
    if bench not in BENCHES:
        raise InputError(f"no benchmark is called {bench!r}; there are: {', '.join(BENCHES)}")
    if BENCHES[bench].needs_data and options["data"] is None:
        raise InputError(f"{bench} needs --data DIR, the folder that holds its rows")
    result = asyncio.run(_run(bench, options))
    if options["out"]:
        lines = (json.dumps(row, ensure_ascii=False) for row in result.rows)
        options["out"].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    _print(result, options["as_json"])
    return 0 if result.passed else 1


async def _run(bench: str, options: dict[str, Any]) -> "Result":
    from verifier.assemble import open_tools
    from verifier.evals.benchmark import Asked
    from verifier.evals.table import BENCHES
    from verifier.progress import shown
    from verifier.settings import load

    named = {
        "index.name": options["index"],
        "papers.name": options["papers"],
        "model.name": options["model"],
        "model.endpoint": options["endpoint"],
    }
    settings = load(None, [*options["overrides"], *(f"{k}={v}" for k, v in named.items() if v)])
    asked = Asked(
        options["data"],
        options["gold_claims"],
        options["split"],
        options["limit"],
        tuple(options["only"]),
    )
    chosen = BENCHES[bench]
    with shown(options["quiet"]) as progress:
        async with open_tools(settings, progress, needs=chosen.needs(asked)) as tools:
            tell: Callable[[int, int], None] = lambda done, total: progress(bench, done, total)  # noqa: E731
            return await chosen.run(asked, tools, tell)


def _print(result: "Result", as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(result.figures, ensure_ascii=False, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    for one in result.tables:
        table = Table(title=one.title, title_justify="left", box=None, pad_edge=False)
        for number, column in enumerate(one.columns):
            table.add_column(column, justify="left" if number == 0 else "right", overflow="fold")
        for row in one.rows:
            table.add_row(*(cell.replace("[", "\\[") for cell in row))
        console.print(table)
        console.print()
    for note in result.notes:
        console.print(note, markup=False)
