"""Passages for a claim: searched, merged, cut to what fits, with the sentence that matters."""

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from index_builder.fusion import rrf
from index_builder.search import Hit
from verifier.task import Tools
from verifier.values import Claim, Evidence
from verifier.words import Span, fold, folded, is_number, sentences, telling, words

NUMBER_WEIGHT = 1.5
"""A number that a sentence shares with the claim tells more than a word does."""


async def find(
    claim: Claim, queries: Sequence[str], before: Sequence[Evidence], tools: Tools
) -> tuple[Evidence, ...]:
    """The best passages for a claim over all queries, fused by rank, after those found before.

    Earlier ones stay first, in their order: the engine has cached the prompt as far as that.

    Args:
        claim: what the passages are cut around.
        queries: what to search for now; all at once.
        before: what earlier rounds found.
        tools: the index, and how many passages are wanted.

    Returns:
        At most `index.k` passages more than before; none twice.

    Raises:
        PartFailed: a search failed.
    """
    k = tools.settings.index.k
    with tools.meter.part("search"):
        answers = await asyncio.gather(*(_search(query, k, tools) for query in queries))
    known = {one.origin for one in before}
    found: dict[str, Evidence] = {}
    for query, hits in zip(queries, answers, strict=True):
        for hit in hits:
            if hit.passage.id not in known | found.keys():
                found[hit.passage.id] = _evidence(claim, query, hit, tools)
    ranked = [name for name, _ in rrf([[hit.passage.id for hit in hits] for hits in answers])]
    new = [found[name] for name in ranked if name in found]
    return (*before, *new[:k])


def quoted(claim: str, evidence: Evidence) -> Evidence:
    """The evidence with the sentence that says most about a claim marked in it.

    Sentences are weighed by the claim's words they share, rare words more (inverse document
    frequency over the passage's sentences), words of the title not at all.
    """
    spans = sentences(evidence.text)
    if not spans:
        return evidence
    best = max(spans, key=_weigher(claim, evidence.title, spans))
    return replace(evidence, quote=best.text, quote_start=best.start)


def focus(claim: str, title: str, text: str, limit: int) -> str:
    """A text of at most about `limit` words: the sentences around the one that matters most.

    Whole sentences, one unbroken stretch of the text, so that a quote from it is verbatim.

    >>> focus("Li won in 1990.", "Li", "Li is tall. Li won in 1990. Li lives in Rome.", 5)
    'Li won in 1990.'
    """
    spans = sentences(text)
    if len(text.split()) <= limit or not spans:
        return text
    weigh = _weigher(claim, title, spans)
    first = last = max(range(len(spans)), key=lambda n: weigh(spans[n]))
    size = len(spans[first].text.split())
    while True:
        around = [n for n in (first - 1, last + 1) if 0 <= n < len(spans)]
        fitting = [n for n in around if size + len(spans[n].text.split()) <= limit]
        if not fitting:
            return text[spans[first].start : spans[last].end]
        chosen = max(fitting, key=lambda n: (weigh(spans[n]), n))
        first, last = min(first, chosen), max(last, chosen)
        size += len(spans[chosen].text.split())


def coverage(claim: str, found: Sequence[Evidence]) -> float:
    """Share of the claim's telling words that the best passage holds.

    >>> coverage("Paris lies on the Seine.", [Evidence("passage", "On the Seine.", "1", "Paris")])
    0.6666666666666666
    """
    wanted = telling(claim)
    if not wanted:
        return 1.0
    held = (wanted & set(folded(f"{one.title} {one.text}")) for one in found)
    return max((len(shared) / len(wanted) for shared in held), default=0.0)


def lacking(claim: str, found: Sequence[Evidence]) -> list[str]:
    """The telling words of a claim that no passage holds, in the claim's order.

    >>> lacking("Paris lies on the Seine.", [Evidence("passage", "On the Seine.", "1")])
    ['Paris', 'lies']
    """
    held = set(folded(" ".join(f"{one.title} {one.text}" for one in found)))
    missing = telling(claim) - held
    return [one.text for one in words(claim) if fold(one.text) in missing]


async def _search(query: str, k: int, tools: Tools) -> Sequence[Hit]:
    tools.meter.count_search()
    return await tools.search(query, k)


def _evidence(claim: Claim, query: str, hit: Hit, tools: Tools) -> Evidence:
    passage = hit.passage
    limit = tools.settings.check.passage_words
    text = focus(claim.text, passage.title, passage.text, limit)
    made = Evidence(
        kind="passage",
        text=text,
        origin=passage.id,
        title=passage.title,
        url=passage.url,
        date=passage.date,
        query=query,
        score=hit.score,
        cut=len(text) < len(passage.text),
    )
    return quoted(claim.text, made)


def _weigher(claim: str, title: str, spans: Sequence[Span]) -> Callable[[Span], float]:
    """How much a sentence shares with a claim, per square root of its length."""
    wanted = set(folded(claim)) - set(folded(title))
    held = {span: set(folded(span.text)) for span in spans}
    frequency = Counter(word for said in held.values() for word in said & wanted)

    def weight(word: str) -> float:
        rarity = math.log((len(spans) + 1) / (frequency[word] + 0.5))
        return rarity * (NUMBER_WEIGHT if is_number(word) else 1.0)

    def weigh(span: Span) -> float:
        return sum(map(weight, held[span] & wanted)) / math.sqrt(len(held[span]) + 5)

    return weigh
