"""A response -> claims: each a statement that stands alone, with where it was said.

Each sentence is asked about on its own, with what comes before it, all at once: the fixed part
of the prompt is cached, answers are short, and the engine batches them (SAFE, arXiv 2403.18802,
section 3, splits and then revises; here both are one step).

A small model drops or "corrects" things. What a sentence names must come back in its claims, and
nothing may come that was not there; otherwise the sentence itself is the claim.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from verifier.ask import ask
from verifier.errors import PartFailed
from verifier.language import detect
from verifier.task import Tools
from verifier.values import Claim, Response
from verifier.words import Span, fold, folded, is_number, names, sentences, telling, words

BEFORE = 400
"""Characters of the text before a sentence that go with it at most."""

SUBJECTS = frozenset(("he", "she", "it", "they"))
POSSESSIVES = frozenset(("his", "her", "its", "their"))
"""Words of English that, first in a claim, stand for something that it does not name."""

PRONOUNS = (
    SUBJECTS
    | POSSESSIVES
    | {"him", "hers", "them", "theirs", "this", "that", "these", "those", "there"}
)
"""Words of English that stand for something named before."""

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
    error: str = ""


async def split(response: Response, tools: Tools) -> list[Claim]:
    """All claims of a response, in its order; every sentence gives at least one.

    A sentence without facts gives a claim with another `kind`, so that it is shown and counted.
    Where the index does not hold the language, sentences are taken as they are: nothing could
    be looked up for finer claims.
    """
    language = detect(response.text)
    found = sentences(response.text, language)
    if language not in tools.search.languages:
        drafts = [Draft(one.text, one) for one in found]
    else:
        async with asyncio.TaskGroup() as group:
            asked = [
                group.create_task(_split_sentence(response, one, context(found[:n]), tools))
                for n, one in enumerate(found)
            ]
        drafts = [made for one in asked for made in one.result()]
    return [_claim(number, draft, language) for number, draft in enumerate(drafts, 1)]


def is_abstention(claims: Sequence[Claim]) -> bool:
    """True if the response only declines to answer.

    >>> is_abstention([Claim("1", "I do not know.", fields={"kind": "refusal"})])
    True
    """
    kinds = {claim.fields.get("kind") for claim in claims}
    return Kind.REFUSAL in kinds and kinds <= {Kind.REFUSAL, Kind.OTHER}


def locate(claim: str, sentence: Span, others: Sequence[str]) -> Span:
    """The words of a sentence that a claim rests on.

    They reach from the first to the last word that the claim shares with the sentence and that
    not all claims of the sentence share; the whole sentence if there is none.

    >>> sentence = Span(10, 46, "The tower is tall and stands in Lyon.")
    >>> claims = ["The tower is tall.", "The tower stands in Lyon."]
    >>> locate(claims[1], sentence, claims).text
    'stands in Lyon'
    """
    spans = words(sentence.text)
    theirs = [fold(one.text) for one in spans]
    mine = folded(claim)
    shared = set(mine).intersection(*(folded(other) for other in others))
    blocks = SequenceMatcher(None, theirs, mine, autojunk=False).get_matching_blocks()
    matched = [n for block in blocks for n in range(block.a, block.a + block.size)]
    own = [n for n in matched if theirs[n] not in shared or len(others) == 1]
    if len(others) == 1 or not own:
        return sentence
    start, end = spans[own[0]].start, spans[own[-1]].end
    return Span(sentence.start + start, sentence.start + end, sentence.text[start:end])


def is_faithful(claims: Sequence[str], sentence: str, source: str) -> bool:
    """True if the claims keep what the sentence names, and name nothing that is not in the source.

    Numbers and names (capitalised words, but for the first of a sentence) of the sentence must
    come back. Names of the claims must occur in the source; numbers need not, since "two years
    later" is to be worked out.

    >>> is_faithful(["The tower opened in 1889."], "It opened in 1902.", "The tower. It opened")
    False
    """
    said = [word for claim in claims for word in folded(claim)]
    known = folded(source)
    kept = all(any(one.startswith(name) for one in said) for name in names(sentence))
    claimed = (name for claim in claims for name in names(claim) if not is_number(name))
    return kept and all(any(one.startswith(name[:5]) for one in known) for name in claimed)


def resolved(claim: str, about: str) -> str:
    """A claim with the pronoun that it begins with replaced by what the sentence is about.

    >>> resolved("It has 53 parks.", "Oslo"), resolved("Its port is old.", "Oslo")
    ('Oslo has 53 parks.', "Oslo's port is old.")
    """
    found = words(claim)
    if not (about.strip() and found and fold(found[0].text) in SUBJECTS | POSSESSIVES):
        return claim
    first = found[0]
    name = about.strip() + ("'s" if fold(first.text) in POSSESSIVES else "")
    return f"{claim[: first.start]}{name[0].upper()}{name[1:]}{claim[first.end :]}"


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
        if not PRONOUNS.intersection(folded(sentence.text)):
            break
    return " ".join(taken)


def is_own(claim: str, sentence: str, before: str) -> bool:
    """True if a claim states something of its sentence, not only of the text before it.

    >>> is_own("Oslo is in Norway.", "It has 53 parks.", "Oslo is in Norway.")
    False
    """
    new = telling(sentence) - telling(before)
    return bool(claim.strip()) and (not new or bool(new & telling(claim)))


async def _split_sentence(
    response: Response, sentence: Span, before: str, tools: Tools
) -> list[Draft]:
    question = response.prompt[:QUESTION]
    try:
        with tools.meter.part("split"):
            reply = await ask(
                tools.model,
                "claims",
                SentenceReply,
                meter=tools.meter,
                max_tokens=MAX_TOKENS,
                seed=tools.settings.model.seed,
                question=question,
                before=before,
                sentence=sentence.text,
            )
    except PartFailed as error:
        return [Draft(sentence.text, sentence, Kind.UNREAD, str(error))]
    if isinstance(reply.root, NoFacts):
        return [Draft(sentence.text, sentence, Kind(reply.root.kind))]
    facts = reply.root
    own = [text.strip() for text in facts.claims if is_own(text, sentence.text, before)]
    claims = list(dict.fromkeys(resolved(text, facts.about) for text in own))
    source = f"{question}\n{before}\n{sentence.text}"
    if not claims or not is_faithful(claims, sentence.text, source):
        return [Draft(resolved(sentence.text, facts.about), sentence)]
    return [Draft(text, locate(text, sentence, claims)) for text in claims]


def _claim(number: int, draft: Draft, language: str) -> Claim:
    fields = {"kind": str(draft.kind), "language": language}
    if draft.error:
        fields["error"] = draft.error
    return Claim(str(number), draft.text, draft.span.start, draft.span.end, fields)
