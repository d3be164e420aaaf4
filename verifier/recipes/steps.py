"""Steps that several published methods share."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from verifier.ask import ask
from verifier.errors import PartFailed
from verifier.faithful import locate
from verifier.structure import pieces
from verifier.task import Tools
from verifier.values import Claim, Evidence, Label, Query, Response, Verdict
from verifier.words import Span, telling

FACTS_TOKENS = 384
REASON_TOKENS = 320


class FactsReply(BaseModel):
    """The facts of one sentence; none if it states none."""

    model_config = ConfigDict(extra="forbid")

    facts: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=10)]


class ReasonedReply(BaseModel):
    """A judgement with the thought that led to it."""

    model_config = ConfigDict(extra="forbid")

    reason: Annotated[str, Field(max_length=800)]
    answer: Literal["true", "false"]


async def atomic_facts(response: Response, prompt: str, tools: Tools) -> list[Claim]:
    """The facts of each sentence, all sentences at once (FActScore, arXiv 2305.14251, section 3.1).

    A sentence that could not be split becomes a claim of the kind `unread`.
    """
    sentences = [one.span for one in pieces(response.text)]
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(_facts(one, prompt, tools)) for one in sentences]
    found: list[Claim] = []
    for sentence, task in zip(sentences, asked, strict=True):
        facts, error = task.result()
        place = Span(sentence.start, sentence.end, response.text[sentence.start : sentence.end])
        for fact in facts:
            span = place if error else locate(fact, place, facts)
            fields = {"kind": "unread", "error": error} if error else {"kind": "fact"}
            fields |= {"sentence": sentence.text}
            found.append(Claim(str(len(found) + 1), fact, span.start, span.end, fields))
    return found


def placed(claims: Sequence[str], response: Response) -> list[Claim]:
    """Claims of a whole response, each at the words of the sentence that shares most with it."""
    sentences = [one.span for one in pieces(response.text)]
    made = []
    for number, text in enumerate(claims, 1):
        best = max(sentences, key=lambda one: len(telling(one.text) & telling(text)), default=None)
        start, end = (best.start, best.end) if best else (None, None)
        made.append(Claim(str(number), text, start, end, {"kind": "fact"}))
    return made


def unread(claim: Claim) -> Verdict | None:
    """The verdict on a sentence that could not be split."""
    if claim.fields["kind"] != "unread":
        return None
    return Verdict(claim, Label.FAILED, reason=claim.fields["error"], failed_part="split")


async def reasoned(tools: Tools, prompt: str, **values: Any) -> ReasonedReply:  # noqa: ANN401
    """One call that thinks and then answers true or false."""
    with tools.meter.part("judge"):
        return await ask(tools, prompt, ReasonedReply, max_tokens=REASON_TOKENS, **values)


def judged(
    claim: Claim,
    reply: ReasonedReply,
    found: Sequence[Evidence] = (),
    asked: Sequence[Query] = (),
) -> Verdict:
    """The verdict of a method that knows true and false only; false is `refuted`."""
    label = Label.SUPPORTED if reply.answer == "true" else Label.REFUTED
    cited = tuple(range(len(found)))
    return Verdict(
        claim, label, reason=reply.reason, evidence=tuple(found), cited=cited, queries=tuple(asked)
    )


async def _facts(sentence: Span, prompt: str, tools: Tools) -> tuple[list[str], str]:
    """Facts of a sentence and an empty string, or the sentence and what went wrong."""
    try:
        with tools.meter.part("split"):
            reply = await ask(
                tools, prompt, FactsReply, max_tokens=FACTS_TOKENS, sentence=sentence.text
            )
    except PartFailed as error:
        return [sentence.text], str(error)
    return list(dict.fromkeys(one.strip() for one in reply.facts if one.strip())), ""
