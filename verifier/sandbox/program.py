"""What is run in a sandbox, and what became of it."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How one call ended."""

    OK = "ok"
    """It returned a value."""
    ERROR = "error"
    """It raised."""
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    """It wrote or returned more than is allowed."""
    EXITED = "exited"
    """It ended its process before it returned."""
    CRASHED = "crashed"
    """A signal ended it: a segmentation fault, a CPU limit, a forbidden system call."""
    FORGED = "forged"
    """It wrote to the channel that its result is told on."""
    UNRUN = "unrun"
    """The time of the whole program was used up before."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value of a type that has no literal; equal only if type and text are equal."""

    type: str
    text: str

    def __repr__(self) -> str:
        """As the value showed itself."""
        return self.text


@dataclass(frozen=True, slots=True)
class Items:
    """What an iterator gave until it ended: not a list, so not equal to one."""

    values: tuple[object, ...]

    def __repr__(self) -> str:
        """Marked, so that nobody takes it for a list."""
        return f"<iterator over {list(self.values)!r}>"


@dataclass(frozen=True, slots=True)
class Call:
    """One thing to evaluate in the names of the source.

    Either `entry` is called with the values of `arguments`, a tuple in literals such as
    `([1, 2], 3)`, or the expression in `expression` is evaluated.
    """

    entry: str = ""
    arguments: str = "()"
    expression: str = ""

    def __str__(self) -> str:
        """As it would be written in Python.

        >>> str(Call("f", "(1,)")), str(Call(expression="f(1)"))
        ('f(1)', 'f(1)')
        """
        if self.expression:
            return self.expression
        inside = self.arguments.strip()[1:-1].strip().removesuffix(",")
        return f"{self.entry}({inside})"


@dataclass(frozen=True, slots=True)
class Program:
    """Untrusted Python source and the calls to make, each in a process of its own."""

    source: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may use."""

    seconds: float = 2.0
    """Wall and CPU seconds of one call."""
    total: float = 10.0
    """Wall seconds of all calls together."""
    memory: int = 512 << 20
    """Bytes of address space of one process; resident bytes of all together."""
    processes: int = 16
    """Processes and threads at a time."""
    file: int = 1 << 20
    """Bytes of one file."""
    folder: int = 8 << 20
    """Bytes of the private /tmp."""
    output: int = 256 << 10
    """Bytes that one call may write or return."""


@dataclass(frozen=True, slots=True)
class Run:
    """What became of one call."""

    outcome: Outcome
    value: object = None
    """Plain values of builtin types, Opaque and Items; None unless the outcome is `ok`."""
    after: object = None
    """The arguments after a call that returned None: a list, to see what was changed in place."""
    error: str = ""
    """What was raised: its type, and what it says. For `exited` and `crashed`, how."""
    line: int = 0
    """Line of the source where it was raised; 0 if not known."""
    loaded: bool = True
    """False if the source itself failed, before any call."""
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0
    events: tuple[str, ...] = ()
    """Forbidden things it tried, such as `deleting files: /home/me`."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a program."""

    load: Run
    """The source alone, without any call."""
    runs: tuple[Run, ...]
    """One for each call, in their order."""
    strength: str
    """What stood around it, such as `strong+seccomp`."""

    @property
    def events(self) -> tuple[str, ...]:
        """All forbidden attempts, each once."""
        return tuple(dict.fromkeys(e for run in (self.load, *self.runs) for e in run.events))
