"""The command line: `verifier check | corpus | eval | index | models`.

Groups are imported when they are called for, so `verifier --help` loads none of them. Errors of
ours end as one line and an exit code: 2 the user can mend it, 3 a needed part is missing or
failed, 1 a bug (which shows a traceback), 130/143 stopped by Ctrl-C/SIGTERM.
"""

import importlib
import os
import sys
from typing import Any, NoReturn

import click

from verifier.version import __version__

COMMANDS = {
    "check": ("verifier.commands.check:check", "Check whether a text is true."),
    "corpus": ("verifier.commands.corpus:corpus", "Fetch, look at and audit sources of text."),
    "eval": ("verifier.commands.eval:eval_", "Run a benchmark."),
    "index": ("verifier.commands.index:index", "Build, describe and search indexes."),
    "models": ("verifier.commands.models:models", "List, fetch, verify and serve models."),
}


class LazyGroup(click.Group):
    """Knows its commands by name and help; imports one when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, from our own texts, so that none is imported."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="verifier")
def cli() -> None:
    """Check whether machine-written text is true: locally, without a network.

    Models and indexes live in VERIFIER_HOME (default: your data folder).
    """


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    try:
        sys.exit(cli.main(standalone_mode=False, prog_name="verifier") or 0)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _say("stopped")
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # Whoever read our output has gone; python must not complain about it on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except _known() as error:
        _say(_line(error))
        sys.exit(getattr(error, "exit_code", 2))


def _known() -> tuple[type[Exception], ...]:
    """Errors that are said in one line; looked up only when something went wrong."""
    from corpora.errors import CorpusError, CorpusMissing
    from index_builder.errors import BadIndex, IndexMissing
    from models.errors import ModelError
    from verifier.errors import InputError, PartFailed
    from verifier.sandbox.errors import SandboxMissing

    return (
        *(CorpusError, CorpusMissing, BadIndex, IndexMissing, ModelError),
        *(InputError, PartFailed, SandboxMissing, OSError),
    )


def _line(error: Any) -> str:  # noqa: ANN401 - one of `_known`
    if isinstance(error, OSError):
        name = f" {error.filename}" if error.filename else ""
        return f"the system refused:{name} {error.strerror or error}"
    # Only errors of the models room have several lines: the end of a server's log.
    return str(error) or type(error).__name__


def _say(text: str) -> None:
    click.echo(f"verifier: {text}", err=True)


if __name__ == "__main__":
    main()
