"""A response -> claims: each a statement that stands alone, with where it was said.

Each sentence is asked about on its own, with what comes before it, all at once: the fixed part
of the prompt is cached, answers are short, and the engine batches them (SAFE, arXiv 2403.18802,
section 3, splits and then revises; here both are one step).

A small model drops or "corrects" things. What a sentence names must come back in its claims, and
nothing may come that was not there; otherwise the sentence itself is the claim.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from verifier.ask import ask
from verifier.errors import PartFailed
from verifier.faithful import is_faithful, is_named, is_own, locate
from verifier.language import detect
from verifier.references import dated, unresolved, vague
from verifier.revise import Shown, revised
from verifier.structure import BlockKind, Piece, pieces
from verifier.task import Tools
from verifier.values import Claim, Response
from verifier.words import Span, folded
from verifier.worth import SUSPECTED, is_opinion

BEFORE = 400
"""Characters of the text before a sentence that go with it at most."""

NEAR = 30
"""Sentences before one that are looked at."""

ARTICLES = frozenset(("a", "an", "the"))

QUESTION = 200
"""Characters of the prompt that go with a sentence."""

MAX_TOKENS = 256
"""Of one answer: about six claims."""


class Kind(StrEnum):
    """What a sentence is; only facts are checked."""

    FACT = "fact"
    OPINION = "opinion"
    REFUSAL = "refusal"
    OTHER = "other"
    UNREAD = "unread"
    """The sentence could not be split; its claim ends as `failed`."""


class Facts(BaseModel):
    """The answer for a sentence that states facts."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["fact"]
    about: Annotated[str, Field(max_length=80)]
    claims: Annotated[list[str], Field(min_length=1, max_length=6)]


class NoFacts(BaseModel):
    """The answer for a sentence with nothing to check."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["opinion", "refusal", "other"]


class SentenceReply(RootModel[Facts | NoFacts]):
    """What the model says of one sentence."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim before it is numbered."""

    text: str
    span: Span
    kind: Kind = Kind.FACT
    fields: Mapping[str, str] = field(default_factory=dict)


async def split(
    response: Response, tools: Tools, *, task: str, without: Sequence[tuple[int, int]] = ()
) -> list[Claim]:
    """All claims of a response, in its order; every sentence gives at least one.

    A sentence without facts gives a claim with another `kind`, so that it is shown and counted.
    Where the index does not hold the language, sentences are taken as they are: nothing could
    be looked up for finer claims.

    Args:
        response: what is split.
        tools: the model, and the index for its languages.
        task: whose claims they are; their field `task`.
        without: half-open spans of sentences that other tasks take care of.
    """
    language = detect(response.text)
    found = pieces(response.text, language)
    wanted = [n for n, one in enumerate(found) if not _is_within(one.span, without)]
    if language not in tools.search.languages:
        drafts = [_whole(found[n]) for n in wanted]
    else:
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(_split_piece(response, found, n, tools)) for n in wanted]
        drafts = [made for one in asked for made in one.result()]
    fields = {"task": task, "language": language}
    return _marked(_claim(number, draft, fields) for number, draft in enumerate(drafts, 1))


def is_abstention(claims: Sequence[Claim]) -> bool:
    """True if the response only declines to answer.

    >>> is_abstention([Claim("1", "I do not know.", fields={"kind": "refusal"})])
    True
    """
    kinds = {claim.fields.get("kind") for claim in claims}
    return Kind.REFUSAL in kinds and kinds <= {Kind.REFUSAL, Kind.OTHER}


def context(before: Sequence[Span]) -> str:
    """What the pronouns of the next sentence may stand for: back to a sentence without any.

    Not further: a small model takes the first name it sees, not the nearest.

    >>> context([Span(0, 6, "Li ran."), Span(7, 14, "Bo sat."), Span(15, 27, "He was tired.")])
    'Bo sat. He was tired.'
    """
    taken: list[str] = []
    for sentence in reversed(before):
        if taken and len(sentence.text) + sum(map(len, taken)) > BEFORE:
            break
        taken.insert(0, sentence.text[-BEFORE:])
        if not (unresolved(sentence.text) or vague(sentence.text)):
            break
    return " ".join(taken)


def before(found: Sequence[Piece], n: int) -> str:
    """What a piece refers back to: its heading, and the sentences before it.

    An item of a list or a row of a table goes on from the line that introduces it, not from the
    item before it.
    """
    piece, near = found[n], found[max(0, n - NEAR) : n]
    earlier = [one for one in near if one.kind not in (BlockKind.CODE, BlockKind.MATH)]
    if piece.kind in (BlockKind.ITEM, BlockKind.TABLE):
        beside = (BlockKind.ITEM, BlockKind.TABLE)
        earlier = [one for one in earlier if one.kind not in beside or one.block == piece.block]
    said = context([one.span for one in earlier])
    lead = piece.lead if piece.lead not in said else ""
    return "\n".join(one for one in (piece.heading, lead, said) if one)


async def _split_piece(
    response: Response, found: Sequence[Piece], n: int, tools: Tools
) -> list[Draft]:
    piece, place = found[n], found[n].span
    if piece.kind in (BlockKind.CODE, BlockKind.MATH):
        return [_whole(piece)]
    said = before(found, n)
    shown = Shown(response.prompt[:QUESTION], said, dated(place.text, said))
    try:
        with tools.meter.part("split"):
            reply = await ask(
                tools, "claims", SentenceReply, max_tokens=MAX_TOKENS, **shown.values()
            )
            drafts = await _drafts(reply.root, shown, tools)
    except PartFailed as error:
        return [Draft(shown.sentence, place, Kind.UNREAD, {"error": str(error)})]
    # What is shown is without marks; where a claim stands is found in the response as it is.
    words = replace(place, text=response.text[place.start : place.end])
    claims = [one.text for one in drafts]
    return [replace(one, span=locate(one.text, words, claims)) for one in drafts]


async def _drafts(reply: Facts | NoFacts, shown: Shown, tools: Tools) -> list[Draft]:
    """The claims of an answer if they can be trusted, else the sentence itself."""
    nowhere = Span(0, 0, "")
    if isinstance(reply, NoFacts):
        kind = Kind(reply.kind)
        if kind is not Kind.OPINION or await is_opinion(shown.sentence, tools, SUSPECTED):
            return [Draft(shown.sentence, nowhere, kind)]
        return [Draft(await revised(shown.sentence, "", shown, tools), nowhere)]
    about = reply.about.strip() if is_named(reply.about, shown.source) else ""
    claims = [text.strip() for text in reply.claims if is_own(text, shown.sentence, shown.before)]
    if not claims or not is_faithful(claims, shown.sentence, shown.source):
        claims = [shown.sentence]
    texts = await asyncio.gather(*(revised(text, about, shown, tools) for text in claims))
    fields = {"about": about} if about else {}
    return [Draft(text, nowhere, fields=fields) for text in dict.fromkeys(texts)]


def _whole(piece: Piece) -> Draft:
    """A piece as it is, where it is not split: code and formulas are no prose."""
    is_prose = piece.kind not in (BlockKind.CODE, BlockKind.MATH)
    if is_prose:
        return Draft(piece.span.text, piece.span)
    what = "code" if piece.kind is BlockKind.CODE else "a formula"
    reason = f"It is {what}, which no reference work can confirm."
    return Draft(piece.span.text, piece.span, Kind.OTHER, {"reason": reason})


def _is_within(span: Span, without: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in without)


def _claim(number: int, draft: Draft, fields: Mapping[str, str]) -> Claim:
    fields = {**fields, "kind": str(draft.kind), **draft.fields}
    return Claim(str(number), draft.text, draft.span.start, draft.span.end, fields)


def _marked(claims: Iterable[Claim]) -> list[Claim]:
    """The claims, each that repeats an earlier one with its number in the field `repeats`."""
    first: dict[tuple[str, ...], str] = {}
    marked = []
    for claim in claims:
        said = tuple(word for word in folded(claim.text) if word not in ARTICLES)
        known = first.setdefault(said, claim.id)
        repeats = {"repeats": known} if known != claim.id else {}
        marked.append(replace(claim, fields={**claim.fields, **repeats}))
    return marked
