"""`verifier check`: texts in, reports out."""

import asyncio
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

Folder = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command()
@click.argument("source", metavar="FILE|-", required=False)
@click.option("--text", help="The text to check, in place of a file.")
@click.option("--prompt", default="", help="What the text answers (for a plain text).")
@click.option("--task", default="", help="Task for all, over what a row says (default: auto).")
@click.option("--recipe", default="", help="A published method in place of a task.")
@click.option("--prompts", type=Folder, help="Folder of prompt files that replace ours.")
@click.option("--entry-point", default="", help="Function that code is called by.")
@click.option(
    "--input-format",
    "kind",
    type=click.Choice(["auto", "text", "json", "jsonl"]),
    default="auto",
    help="How the input is written.",
)
@click.option("--index", multiple=True, help="Index to search (name or path); several as one.")
@click.option("--as-of", default="", metavar="DATE", help="Judge by text no newer than that.")
@click.option("--rerank", default="", metavar="MODEL", help="Cross-encoder for what is found.")
@click.option("--papers", default="", help="Index of papers for citations (name or path).")
@click.option("--model", default="", help="Model that splits and judges (a registry name).")
@click.option("--endpoint", default="", help="OpenAI-compatible URL that is already there.")
@click.option("--judge", default="", help="How claims are judged.")
@click.option("--k", default="", metavar="K[,K]", help="K of recall at K and F1@K (64,178).")
@click.option(
    "--sandbox",
    type=click.Choice(["strong", "weak"]),
    help="weak: run code without bubblewrap, at your own risk.",
)
@click.option(
    "--format",
    "output",
    type=click.Choice(["terminal", "json", "factool", "safe"]),
    default="terminal",
    help="How reports are printed; factool and safe: in those programs' own JSON.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--html", type=click.Path(path_type=Path), help="Also write a page to this file.")
@click.option("--config", type=click.Path(path_type=Path), help="Settings file (TOML).")
@click.option("--set", "overrides", multiple=True, metavar="SECTION.KEY=VALUE", help="A setting.")
@click.option("--quiet", is_flag=True, help="No progress.")
def check(source: str | None, **options: Any) -> int:  # noqa: ANN401 - click's own values
    """Check whether a text is true.

    FILE is plain text, JSON ({"response": ..., "prompt": ...}) or JSON Lines; - is standard
    input. Reports in JSON are one a line if there are several. Exit code: 0 checked, 2 bad input,
    3 a part is missing or failed.
    """
    from verifier.settings import load

    named = {
        "index.name": ",".join(options["index"]),
        "index.as_of": options["as_of"],
        "index.rerank": options["rerank"],
        "papers.name": options["papers"],
        "model.name": options["model"],
        "model.endpoint": options["endpoint"],
        "check.judge": options["judge"],
        "code.sandbox": options["sandbox"],
        "longform.k": options["k"],
    }
    overrides = [f"{key}={value}" for key, value in named.items() if value]
    settings = load(options["config"], [*options["overrides"], *overrides])
    jobs = _jobs(source, options)
    if options["html"]:
        _writable(options["html"])
    return asyncio.run(_run(jobs, settings, options))


def _jobs(source: str | None, options: dict[str, Any]) -> list[Any]:
    from verifier.errors import InputError
    from verifier.inputs import read

    if (source is None) == (options["text"] is None):
        raise InputError("give a FILE, - for standard input, or --text TEXT (one of them)")
    wanted = {name: options[name] for name in ("kind", "prompt", "task", "recipe", "entry_point")}
    if options["text"] is not None:
        raw = options["text"].encode("utf-8", "surrogateescape")
        return read(raw, "--text", **{**wanted, "kind": "text"})
    if source == "-":
        return read(sys.stdin.buffer.read(), "standard input", **wanted)
    try:
        return read(Path(str(source)).read_bytes(), str(source), **wanted)
    except OSError as error:
        raise InputError(f"cannot read {source}: {error.strerror}") from error


async def _run(jobs: Sequence[Any], settings: Any, options: dict[str, Any]) -> int:  # noqa: ANN401
    from verifier import pipeline
    from verifier.assemble import open_tools
    from verifier.progress import shown

    reports = []
    needs = frozenset().union(*(task.needs for _, task in jobs))
    with _stoppable(), shown(options["quiet"]) as progress:
        opened = open_tools(settings, progress, needs=needs, prompts=options["prompts"])
        async with opened as tools:
            async for report in pipeline.verify_many(jobs, tools, _Count(progress)):
                reports.append(report)
                _print(report, options, many=len(jobs) > 1)
    if options["html"]:
        from verifier.render import html

        options["html"].write_text(html.render(reports), encoding="utf-8")
    return _exit_code(reports)


class _Count:
    """Claims of all responses as one stage of the progress display."""

    def __init__(self, progress: Any) -> None:  # noqa: ANN401
        self._progress = progress
        self._found = self._decided = 0

    def __call__(self, found: int, decided: int) -> None:
        self._found += found
        self._decided += decided
        self._progress("checking claims", self._decided, self._found)


def _print(report: Any, options: dict[str, Any], many: bool) -> None:  # noqa: ANN401
    output = "json" if options["as_json"] else options["output"]
    if output == "terminal":
        from rich.console import Console

        from verifier.render import terminal

        terminal.render(report, Console(file=sys.stdout))
        return
    from verifier.render.table import DUMPS

    click.echo(DUMPS[output](report, None if many else 2))


def _exit_code(reports: Sequence[Any]) -> int:
    """3 and a line on standard error if any part of any report failed."""
    failed = [one for one in reports if one.status == "failed"]
    claims = [one for report in reports for one in report.verdicts if one.label == "failed"]
    if not (failed or claims):
        return 0
    first = failed[0].error if failed else f"{claims[0].failed_part}: {claims[0].reason}"
    what = f"{len(failed)} responses failed" if failed else f"{len(claims)} claims failed"
    click.echo(f"verifier: {what}; the first: {first}", err=True)
    return 3


def _writable(path: Path) -> None:
    """Find out before the work, not after it, that a file cannot be written."""
    from verifier.errors import InputError

    try:
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


@contextmanager
def _stoppable() -> Iterator[None]:
    """SIGTERM ends the command as Ctrl-C does: the server is stopped, then we leave."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    stopped = []

    def stop() -> None:
        stopped.append(True)
        if task is not None:
            task.cancel()

    loop.add_signal_handler(signal.SIGTERM, stop)
    try:
        yield
    except asyncio.CancelledError:
        if not stopped:
            raise
        raise click.exceptions.Exit(143) from None
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
