"""Whether a claim says what its sentence says, and where in the sentence it is said.

A small model drops or "corrects" things. These rules are what its claims have to pass.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from verifier.references import POSSESSIVES, SUBJECTS, pointing
from verifier.words import Span, fold, folded, is_number, names, telling, words

QUOTE = re.compile(r"[\"\u201c]([^\"\u201c\u201d]{3,})[\"\u201d]")


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
    come back, and the words that it quotes. Names of the claims must occur in the source; numbers
    need not, since "two years later" is to be worked out.

    >>> is_faithful(["The tower opened in 1889."], "It opened in 1902.", "The tower. It opened")
    False
    """
    said = [word for claim in claims for word in folded(claim)]
    known = folded(source)
    wanted = [
        *names(sentence),
        *(one for quote in QUOTE.findall(sentence) for one in folded(quote)),
    ]
    kept = all(any(one.startswith(name) for one in said) for name in wanted)
    claimed = (name for claim in claims for name in names(claim) if not is_number(name))
    return kept and all(any(one.startswith(name[:5]) for one in known) for name in claimed)


def is_named(about: str, source: str) -> bool:
    """True if every word of a name occurs in the source.

    >>> is_named("the Volga", "Of the Danube and the Volga"), is_named("Oslo", "Rome")
    (True, False)
    """
    known = set(folded(source))
    return bool(about.strip()) and all(word in known for word in folded(about))


def resolved(claim: str, about: str) -> str:
    """A claim with its first open subject or owner replaced by what the sentence is about.

    >>> resolved("It has 53 parks.", "Oslo"), resolved("Its port is old.", "Oslo")
    ('Oslo has 53 parks.', "Oslo's port is old.")
    """
    open_ = [one for one in pointing(claim) if fold(one.text) in SUBJECTS | POSSESSIVES]
    name = about.strip()
    if not (name and open_):
        return claim
    first = open_[0]
    if fold(first.text) in POSSESSIVES:
        name += "'" if name.endswith("s") else "'s"
    if not first.start:
        name = f"{name[0].upper()}{name[1:]}"
    return f"{claim[: first.start]}{name}{claim[first.end :]}"


def is_own(claim: str, sentence: str, before: str) -> bool:
    """True if a claim states something of its sentence, not only of the text before it.

    >>> is_own("Oslo is in Norway.", "It has 53 parks.", "Oslo is in Norway.")
    False
    """
    new = telling(sentence) - telling(before)
    return bool(claim.strip()) and (not new or bool(new & telling(claim)))
