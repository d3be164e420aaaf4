"""From runs to a finding: on which inputs the solutions say what is right, and where code differs.

CodeT (arXiv 2207.10397, section 2.2) ranks code by how many solutions agree with it on how many
inputs; here the snippet is held against what most solutions agree on, input by input.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.coding.compare import most_common, same
from verifier.coding.examples import Test
from verifier.sandbox import Call, Outcome, Run

REFUTERS = 3
"""Solutions that must agree to refute a snippet: two that make the same mistake are not rare."""


@dataclass(frozen=True, slots=True)
class Point:
    """One input: what the snippet made of it, and what is known to be right."""

    call: Call
    run: Run
    """Of the snippet."""
    got: object = None
    """What it gave: what it returned; its arguments afterwards where nothing returns anything."""
    expected: object = None
    votes: int = 0
    """Solutions that gave `expected`; 0 if nothing is known to be right."""
    voters: int = 0
    """Solutions that gave anything."""
    given: bool = False
    """True if `expected` comes from the task itself."""
    in_place: bool = False
    """True if `got` and `expected` are arguments afterwards."""

    @property
    def decisive(self) -> bool:
        """True if it is known what is right."""
        return self.given or self.votes > 0

    @property
    def agrees(self) -> bool:
        """True if the snippet gives what is right."""
        return self.run.outcome is Outcome.OK and same(self.got, self.expected)


def against_tests(tests: Sequence[Test], runs: Sequence[Run]) -> list[Point]:
    """A snippet's runs of the task's own tests; there may be further runs behind them."""
    rows = zip(tests, runs, strict=False)
    return [Point(one.call, run, run.value, one.expected, given=True) for one, run in rows]


def against_solutions(
    calls: Sequence[Call], runs: Sequence[Run], solutions: Sequence[Sequence[Run]]
) -> list[Point]:
    """A snippet's runs beside those of solutions to the same calls.

    The snippet is one voice among them. What it gives is right where it and the solutions that
    give the same are more than half of all voices; it is wrong where two thirds of all voices,
    at least half of the solutions, and `REFUTERS` of them, say one other thing. Anything else is
    not decisive.

    Args:
        calls: the inputs.
        runs: of the snippet, one for each.
        solutions: the runs of each solution, likewise.
    """
    rows = zip(calls, runs, zip(*solutions, strict=True) if solutions else [], strict=False)
    return [_point(call, run, beside) for call, run, beside in rows]


def _point(call: Call, run: Run, beside: Sequence[Run]) -> Point:
    ended = [one for one in beside if one.outcome is Outcome.OK]
    in_place = all(one.value is None for one in (run, *ended))
    gave = [_output(one, in_place=in_place) for one in ended]
    got, voices = _output(run, in_place=in_place), len(gave) + 1
    mine = sum(same(got, one) for one in gave) if run.outcome is Outcome.OK else 0
    expected, votes = most_common(gave)
    if mine and 2 * (mine + 1) > voices:
        expected, votes = got, mine
    elif (
        run.outcome is Outcome.UNRUN
        or 3 * votes < 2 * voices
        or votes < REFUTERS
        or 2 * len(gave) < len(beside)
    ):
        expected, votes = None, 0
    return Point(call, run, got, expected, votes, len(gave), in_place=in_place)


def _output(run: Run, *, in_place: bool) -> object:
    return run.after if in_place else run.value
