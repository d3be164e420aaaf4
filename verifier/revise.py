"""Making a claim stand alone: what it points to outside of itself is written into it.

SAFE revises every fact (arXiv 2403.18802, section 3); here only those in which `references` finds
something, and what comes back is used only if it is better and names nothing new.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from verifier.ask import ask
from verifier.errors import ReplyError
from verifier.faithful import is_faithful, resolved
from verifier.references import unresolved, vague
from verifier.task import Tools
from verifier.words import words

MAX_TOKENS = 96

TRIES = 2
"""A small model often puts in one name at a time."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the model is shown of a response to make claims of one sentence."""

    question: str
    before: str
    sentence: str

    @property
    def source(self) -> str:
        """All of it: what a claim may name."""
        return "\n".join((self.question, self.before, self.sentence))

    def values(self) -> dict[str, Any]:
        """The values of a prompt file."""
        return {"question": self.question, "before": self.before, "sentence": self.sentence}


class RevisedReply(BaseModel):
    """A claim that stands alone."""

    model_config = ConfigDict(extra="forbid")

    claim: Annotated[str, Field(min_length=1, max_length=300)]


async def revised(claim: str, about: str, shown: Shown, tools: Tools) -> str:
    """A claim with what it points to written out; as it was where that cannot be done.

    Args:
        claim: a statement made of the sentence.
        about: whom the sentence is about; takes the place of a pronoun that is left.
        shown: the sentence and what comes before it.
        tools: the model.

    Raises:
        ModelError: the call failed.
    """
    for _ in range(TRIES):
        better = await _once(claim, shown, tools)
        if better == claim:
            break
        claim = better
    return resolved(claim, about)


async def _once(claim: str, shown: Shown, tools: Tools) -> str:
    """The claim with fewer words that point out of it, or as it was."""
    pointing = unresolved(claim)
    named = vague(claim) and any(one.text[0].isupper() for one in words(shown.before))
    if not (pointing or named):
        return claim
    try:
        reply = await ask(
            tools,
            "revise",
            RevisedReply,
            max_tokens=MAX_TOKENS,
            claim=claim,
            words=pointing or [" ".join(claim.split()[:2])],
            **shown.values(),
        )
    except ReplyError:
        return claim
    text = reply.claim.strip()
    better = len(unresolved(text)) < len(pointing) or (not pointing and not vague(text))
    return text if better and is_faithful([text], claim, shown.source) else claim
