"""What an expression is: numbers, names, and operations on them."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written."""

    value: Fraction
    places: int = 0
    text: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """A variable or a constant."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation on one or two trees: + - * / ^ neg % ! sqrt abs up down."""

    sign: str
    parts: "tuple[Tree, ...]"


Tree = Number | Name | Apply


def operators(tree: Tree) -> int:
    """How many operations a tree has; signs, and fractions such as 1/2, count too.

    >>> operators(Number(Fraction(3)))
    0
    """
    if not isinstance(tree, Apply):
        return 0
    return (tree.sign != "neg") + sum(operators(part) for part in tree.parts)


def names(tree: Tree) -> set[str]:
    """The variables of a tree."""
    if isinstance(tree, Name):
        return {tree.name}
    return set().union(*(names(part) for part in tree.parts)) if isinstance(tree, Apply) else set()
