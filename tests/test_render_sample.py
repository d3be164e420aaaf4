"""The report the render tests share: nine claims on three places, as a real run would end."""

from verifier.values import (
    Claim,
    Evidence,
    Label,
    Provenance,
    Query,
    Report,
    Response,
    Status,
    Usage,
    Verdict,
    Why,
)

TEXT = (
    "The Taj Mahal stands in Agra, on the bank of the Yamuna. It was commissioned by Shah Jahan "
    "in memory of his wife Mumtaz Mahal and completed in 1790.\n\n"
    "The Statue of Liberty was a gift of France, dedicated on 28 October 1886, and its copper "
    "skin was designed by Gustave Eiffel. About four million people visit it every year.\n\n"
    "Mount Everest, at 8,849 metres, is the highest mountain above sea level. It was first "
    "climbed by Edmund Hillary and Tenzing Norgay in 1953."
)
TAJ = (
    "The Taj Mahal is an ivory-white marble mausoleum on the right bank of the river Yamuna in "
    "Agra, Uttar Pradesh, India. It was commissioned in 1631 by the fifth Mughal emperor, Shah "
    "Jahan, to house the tomb of his beloved wife, Mumtaz Mahal. The construction of the entire "
    "complex was completed in 1653."
)
LIBERTY = (
    "The copper-clad statue, a gift to the United States from the people of France, was designed "
    "by the French sculptor Frédéric Auguste Bartholdi and its metal framework was built by "
    "Gustave Eiffel. The statue was dedicated on October 28, 1886."
)
EVEREST = (
    "Mount Everest is Earth's highest mountain above sea level. Its elevation of 8,848.86 m was "
    "most recently established in 2020 by the Chinese and Nepali authorities. Edmund Hillary and "
    "Tenzing Norgay made the first documented ascent in 1953."
)


def evidence(title: str, text: str, quote: str, score: float = 21.5) -> Evidence:
    """A passage with its quote located, if it is there."""
    at = text.find(quote)
    return Evidence(
        kind="passage",
        text=text,
        origin=f"wikipedia:{title}:0",
        title=title,
        url=f"https://en.wikipedia.org/wiki/{title.replace(' ', '_')}",
        date="2025-11-03",
        query=title.lower(),
        score=score,
        quote=quote,
        quote_start=at if at >= 0 else None,
    )


def verdict(words: str, text: str, label: Label, found: Evidence, **more: object) -> Verdict:
    """A verdict on the claim taken from `words` of TEXT, resting on one passage of two."""
    start = TEXT.index(words)
    fields: dict[str, object] = {
        "probability": 0.97,
        "evidence": (evidence("Agra", "Agra is a city in India.", "", 9.1), found),
        "cited": (1,),
        "queries": (Query(text, "wikipedia-vital"),),
    }
    claim = Claim(text[:8], text, start, start + len(words))
    return Verdict(claim, label, **{**fields, **more})  # type: ignore[arg-type]


def taj_verdicts() -> tuple[Verdict, ...]:
    """Two supported claims, then a refuted one that shares its sentence with the second."""
    memory = "It was commissioned by Shah Jahan in memory of his wife Mumtaz Mahal"
    return (
        verdict(
            "The Taj Mahal stands in Agra, on the bank of the Yamuna.",
            "The Taj Mahal stands in Agra, on the bank of the Yamuna.",
            Label.SUPPORTED,
            evidence("Taj Mahal", TAJ, TAJ[:116]),
            probability=0.998,
        ),
        verdict(
            memory,
            "The Taj Mahal was commissioned by Shah Jahan in memory of his wife Mumtaz Mahal.",
            Label.SUPPORTED,
            evidence("Taj Mahal", TAJ, "It was commissioned in 1631 for his wife."),
        ),
        verdict(
            memory + " and completed in 1790.",
            "The Taj Mahal was completed in 1790.",
            Label.REFUTED,
            evidence(
                "Taj Mahal", TAJ, "The construction of the entire complex was completed in 1653."
            ),
            probability=0.94,
            reason="The passage says that the entire complex was completed in 1653, not in 1790.",
            correction="The Taj Mahal was completed in 1653.",
        ),
    )


def liberty_verdicts() -> tuple[Verdict, ...]:
    """Supported twice, refuted, and not enough evidence."""
    sentence = TEXT[TEXT.index("The Statue of Liberty") : TEXT.index(" About four")]
    found = evidence("Statue of Liberty", LIBERTY, LIBERTY[: LIBERTY.index(" The statue was")])
    dedicated = evidence(
        "Statue of Liberty", LIBERTY, "The statue was dedicated on October 28, 1886."
    )
    visits = "About four million people visit it every year."
    silent = {"cited": (), "why": Why.SILENT, "probability": 0.71}
    return (
        verdict(sentence, "The Statue of Liberty was a gift of France.", Label.SUPPORTED, found),
        verdict(
            sentence,
            "The Statue of Liberty was dedicated on 28 October 1886.",
            Label.SUPPORTED,
            dedicated,
        ),
        verdict(
            sentence,
            "The copper skin of the Statue of Liberty was designed by Gustave Eiffel.",
            Label.REFUTED,
            found,
            probability=0.88,
            reason="Bartholdi designed the statue; Eiffel built its metal framework.",
            correction="The statue was designed by Bartholdi; Eiffel built the framework inside.",
        ),
        verdict(
            visits,
            "About four million people visit the Statue of Liberty every year.",
            Label.NOT_ENOUGH_EVIDENCE,
            found,
            **silent,
        ),
    )


def everest_verdicts() -> tuple[Verdict, ...]:
    """Supported, and one whose judge could not be read."""
    first = "It was first climbed by Edmund Hillary and Tenzing Norgay in 1953."
    failed = {"evidence": (), "cited": (), "probability": None, "failed_part": "judge"}
    return (
        verdict(
            "Mount Everest, at 8,849 metres, is the highest mountain above sea level.",
            "Mount Everest is the highest mountain above sea level.",
            Label.SUPPORTED,
            evidence("Mount Everest", EVEREST, EVEREST[:57]),
            probability=1.0,
        ),
        verdict(
            first,
            "Mount Everest was first climbed by Edmund Hillary and Tenzing Norgay in 1953.",
            Label.FAILED,
            evidence("Mount Everest", EVEREST, ""),
            reason="The judge's answer was cut off at 256 tokens.",
            **failed,
        ),
    )


def report() -> Report:
    """The whole report."""
    return Report(
        response=Response("places-1", TEXT, "Tell me about three famous places."),
        task="kbqa",
        status=Status.CHECKED,
        method="cascade",
        verdicts=taj_verdicts() + liberty_verdicts() + everest_verdicts(),
        scores={"precision": 0.714286, "recall@K": None, "checked": 8},
        provenance=Provenance(
            version="0.1.0",
            model="Qwen/Qwen3-8B",
            model_revision="b968826d9c46dd6066d109eabc6255188de91218",
            index="wikipedia-vital",
            index_id="4f1c09d2a7be",
            snapshot_date="2025-11-03",
            encoder="intfloat/e5-small-v2",
            prompts={"kbqa_split.jinja": "0a1b2c3d4e5f", "judge_label.jinja": "99aabbccddee"},
            settings={"index": {"k": 10}, "judge": {"name": "cascade", "steps": 3}},
        ),
        usage=Usage(31, 41_200, 30_100, 1_870, 12, {"split": 1.9, "judge": 24.6, "total": 12.3}),
        notes=("Prices and records change: the index was made on 2025-11-03.",),
    )


def test_the_claims_of_the_sample_are_words_of_its_response() -> None:
    spans = [(v.claim.start, v.claim.end) for v in report().verdicts]
    assert all(TEXT[start:end].strip() for start, end in spans)
    assert len(spans) == 9
