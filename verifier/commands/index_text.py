"""`verifier index build` and `add` of text: files and named corpora -> an index of passages."""

import functools
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.commands.index_progress import stages

if TYPE_CHECKING:
    from corpora.sources import Source
    from index_builder.build import Added
    from index_builder.gather import File, Files
    from index_builder.manifest import Manifest
    from models.encoder import Encoder


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user says about the files and how to read them."""

    language: str = ""
    snapshot_date: str = ""
    licence: str = ""
    workers: int = 1
    words: int = 100
    memory: int = 0
    """Bytes; 0 for the default."""


class Size(click.ParamType[int]):
    """A number of bytes, such as 8GiB."""

    name = "size"

    def convert(
        self,
        value: object,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        """Read it."""
        from pydantic import ByteSize, TypeAdapter, ValidationError

        try:
            return int(TypeAdapter(ByteSize).validate_python(value))
        except ValidationError:
            return self.fail(f"{value!r} is no size such as 8GiB", param, ctx)


def _date(_: click.Context, param: click.Parameter, value: str) -> str:
    if value and not re.fullmatch(r"\d{4}(-\d{2}){0,2}", value):
        raise click.BadParameter(f"{value!r} is no date such as 2024-05-01", param=param)
    return value


ABOUT = (
    click.option("--language", default="", metavar="CODE", help="Of text that says none, e.g. de."),
    click.option(
        "--snapshot-date",
        default="",
        metavar="DATE",
        callback=_date,
        help="Nothing in the files is newer; that of the newest page, if all have one.",
    ),
    click.option("--licence", default="", help="Of the text."),
    click.option(
        "--workers",
        default=len(os.sched_getaffinity(0)),
        type=click.IntRange(1),
        help="Processes to read with; all cores if not given.",
    ),
)
LAYOUT = (
    click.option(
        "--words", default=100, show_default=True, type=click.IntRange(10, 1000), help="A passage."
    ),
    click.option(
        "--memory",
        default="8GiB",
        show_default=True,
        type=Size(),
        help="What FAISS may take: exact while it is little, else the more exact the more it is.",
    ),
)


def wanted(*options: Callable[..., Any]) -> Callable[[Callable[..., None]], Any]:
    """Give a command options whose values it gets together, as the argument `wanted`."""

    def decorate(command: Callable[..., None]) -> Any:  # noqa: ANN401 - click's own
        @functools.wraps(command)
        def gathered(*args: Any, **given: Any) -> None:  # noqa: ANN401 - any command's
            names = Wanted.__dataclass_fields__
            values = {name: given.pop(name) for name in names if name in given}
            command(*args, wanted=Wanted(**values), **given)

        return functools.reduce(lambda made, option: option(made), reversed(options), gathered)

    return decorate


def build(
    sources: tuple[str, ...], name: str | None, encoder: str, wanted: Wanted, force: bool
) -> tuple["Manifest", Path]:
    """Build the index of some sources; its manifest and where it lies."""
    from index_builder import dense
    from index_builder.build import build as build_index
    from verifier import retrieval, settings

    text = files(sources, wanted)
    first = text.files[0]
    out = settings.home() / "indexes" / checked(name or first.name or first.path.name.split(".")[0])
    model = retrieval.open_encoder(encoder)
    with stages() as progress:
        made = build_index(
            text,
            model.encode_passages,
            out,
            encoder=retrieval.encoder_info(model),
            source=text.source(),
            progress=progress,
            force=force,
            faiss=wanted.memory or dense.MEMORY,
        )
    made = audited(made, out, text)
    _tell(made, model)
    return made, out


def add(out: Path, sources: tuple[str, ...], wanted: Wanted) -> "Added":
    """Add some sources to the index at `out`."""
    from index_builder.build import add as add_to_index
    from index_builder.manifest import Manifest
    from verifier import retrieval

    text, there = files(sources, wanted), Manifest.load(out)
    model = retrieval.open_encoder(there.encoder.name)
    with stages() as progress:
        made = add_to_index(
            text,
            model.encode_passages,
            out,
            encoder=retrieval.encoder_info(model),
            source=text.source(),
            progress=progress,
        )
    _tell(made.manifest, model, there.skipped.count)
    return made


AUDITED = 100
"""Articles of each dump that are compared with pandoc's reading of them."""


def audited(made: "Manifest", out: Path, text: "Files") -> "Manifest":
    """Write into the manifest how many numbers the reader kept, where that can be measured.

    That is for dumps, and where pandoc is installed (`offline-verifier[audit]`).
    """
    from corpora import audit
    from corpora.errors import CorpusError
    from corpora.reading import Reading

    dumps = [file.path for file in text.files if file.reader == "dump"]
    if made.numbers_kept is not None or not dumps or not find_spec("pypandoc"):
        return made
    click.echo(f"comparing up to {AUDITED} articles of each dump with pandoc", err=True)
    try:
        reading = Reading(workers=text.reading.workers)
        found = [audit.audit(path, reading, AUDITED) for path in dumps]
    except CorpusError as error:
        click.echo(f"number retention is not measured: {error}", err=True)
        return made
    if not (shown := sum(one.numbers for one in found)):
        return made
    made = replace(made, numbers_kept=sum(one.kept for one in found) / shown)
    made.write(out)
    return made


def files(sources: tuple[str, ...], wanted: Wanted) -> "Files":
    """The files of some sources and how they are to be read; each is looked at."""
    from corpora.reading import Reading
    from index_builder.gather import Files
    from verifier import settings

    found = [_file(source, settings.home(), wanted) for source in sources]
    languages = [code for _, named in found if named for code in named.languages]
    reading = Reading(words=wanted.words, workers=wanted.workers, language=wanted.language)
    codes = tuple(dict.fromkeys([wanted.language] if wanted.language else languages or ["en"]))
    return Files(tuple(file for file, _ in found), reading, codes)


def checked(name: str) -> str:
    """The name, if a folder of an index can have it.

    Raises:
        BadParameter: it cannot.
    """
    if not name or name.startswith(".") or "/" in name or name.endswith((".building", ".old")):
        raise click.BadParameter(f"{name!r} cannot be the name of a folder of an index.")
    return name


def _file(source: str, home: Path, wanted: Wanted) -> "tuple[File, Source | None]":
    """The file of a source, and the corpus if it is a named one."""
    from corpora import fetch, sources
    from corpora.readers import sniff
    from index_builder.gather import NOT_STATED, File

    path = Path(source)
    if source not in sources.load() and (path.exists() or path.suffix or len(path.parts) > 1):
        licence = wanted.licence or NOT_STATED
        return File(path, sniff(path), "", licence, wanted.snapshot_date), None
    named = sources.named(source)
    if not named.file(home).is_file():
        click.echo(f"fetching {named.name}: {named.description}, {named.licence}", err=True)
    path = fetch.fetch(named, home)
    licence, date = wanted.licence or named.licence, wanted.snapshot_date or named.snapshot_date
    return File(path, named.reader, named.name, licence, date), named


def _tell(made: "Manifest", model: "Encoder", before: int = 0) -> None:
    """Say what a reader of the card would want to know at once; not what was skipped before."""
    examples = made.skipped.examples[before:]
    for one in examples:
        click.echo(f"skipped: {one.place}: {one.problem}", err=True)
    if more := made.skipped.count - before - len(examples):
        click.echo(f"skipped: {more:,} more", err=True)
    if made.counts.superseded:
        click.echo(
            f"{made.counts.superseded:,} documents are in several files; the newest of each is "
            "kept.",
            err=True,
        )
    if model.truncated:
        click.echo(
            f"{model.truncated:,} passages are longer than {model.name} reads: it saw only their "
            "beginnings. BM25 sees all of them.",
            err=True,
        )
