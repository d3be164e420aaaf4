"""Benchmarks count what is right, name what is wrong, and never count in our favour."""

import asyncio
import gzip
import json
from pathlib import Path

import pytest
from fakes import FakeSearch, facts, letter, tools

from models.fake import Answer
from verifier.errors import InputError
from verifier.evals import cases, extraction, factool_kbqa, factool_math
from verifier.evals.benchmark import Asked
from verifier.evals.counts import count, interval
from verifier.evals.data import half
from verifier.evals.labelled import Judged, Row
from verifier.evals.result import Result
from verifier.values import Claim, Label, Response, Verdict

MATH = {
    "id": "m1",
    "prompt": "?",
    "response": "2 + 2 = 4, and 3 * 3 = 10.",
    "label": False,
    "claims": [
        {"label": True, "claim": {"math_calculation": "2 + 2", "calculated_answer": "4"}},
        {"label": False, "claim": {"math_calculation": "3 * 3", "calculated_answer": "10"}},
        {"label": None, "claim": {"math_calculation": "x", "calculated_answer": "y"}},
    ],
}


def silent(done: int, total: int) -> None:
    """Nobody watches."""


def written(folder: Path, name: str, *rows: object) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / name).write_bytes(
        gzip.compress(text.encode()) if name.endswith(".gz") else text.encode()
    )
    return folder


def run_math(asked: Asked) -> Result:
    return asyncio.run(factool_math.BENCH.run(asked, tools({}), silent))


@pytest.mark.parametrize("name", ["factool_math.jsonl.gz", "math.jsonl"])
def test_gold_claims_are_judged_one_by_one(tmp_path: Path, name: str) -> None:
    result = run_math(Asked(written(tmp_path, name, MATH), gold_claims=True))
    scores = result.figures["scores"]
    assert isinstance(scores, dict)
    assert (scores["claims"]["n"], scores["claims"]["f1"], scores["claims"]["f1_false"]) == (
        2,
        1,
        1,
    )


def test_a_response_is_checked_as_a_users_would_be(tmp_path: Path) -> None:
    result = run_math(Asked(written(tmp_path, "math.jsonl", MATH)))
    scores = result.figures["scores"]
    assert isinstance(scores, dict)
    assert scores["responses, true if nothing is refuted"]["accuracy"] == 1


def test_what_is_published_stands_apart_with_its_source(tmp_path: Path) -> None:
    result = run_math(Asked(written(tmp_path, "math.jsonl", MATH)))
    assert result.tables[1].title == "published by others, not measured here"
    assert all("2307.13528" in row[-1] for row in result.tables[1].rows)


def test_undecided_and_failed_claims_are_not_true(tmp_path: Path) -> None:
    row = {
        "id": "k1",
        "response": "x",
        "label": True,
        "claims": [
            {"claim": "The Nile is blue.", "label": True},
            {"claim": "The Nile is long.", "label": True},
        ],
    }
    answers: dict[str, Answer] = {"<claim>The Nile is blue": letter("C"), "<claim>": "no letter"}
    asked = Asked(written(tmp_path, "knowledge_qa.jsonl", row), gold_claims=True)
    result = asyncio.run(factool_kbqa.BENCH.run(asked, tools(answers), silent))
    scores = result.figures["scores"]
    assert isinstance(scores, dict)
    assert scores["claims"]["recall"] == 0


@pytest.mark.parametrize(
    ("text", "match"),
    [("{", "line 1: not JSON"), ("[]", "not an object"), ('{"id": "1"}', "no 'response'")],
)
def test_bad_data_is_named_with_its_line(tmp_path: Path, text: str, match: str) -> None:
    (tmp_path / "math.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=match):
        list(factool_math.load(tmp_path))


def test_missing_data_says_what_is_looked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"factool_math\.jsonl\.gz or"):
        list(factool_math.load(tmp_path))


def test_the_halves_do_not_depend_on_the_order() -> None:
    names = [f"row-{n}" for n in range(200)]
    assert 60 < sum(half(one) == "dev" for one in names) < 140


def test_counts_by_hand() -> None:
    gold, said = [True, True, True, False, False], [True, True, False, True, False]
    true, false = count(gold, said), count(gold, said, of=False)
    assert (true.precision, true.recall, true.accuracy) == (2 / 3, 2 / 3, 3 / 5)
    assert false.f1 == 0.5


def test_an_interval_holds_its_figure_and_nothing_is_not_a_number() -> None:
    low, high = interval([True, False] * 20, [True, True] * 20)
    assert low <= count([True, False] * 20, [True, True] * 20).f1 <= high
    assert interval([], []) == (0.0, 0.0)


CASE = {
    "id": "math-x",
    "task": "math",
    "response": "2 + 2 = 5",
    "expect": {"verdicts": [{"about": "2 + 2", "label": "refuted"}], "must": ["look at it"]},
}


def test_a_case_passes_if_its_labels_are_as_expected(tmp_path: Path) -> None:
    asked = Asked(written(tmp_path, "cases.jsonl", CASE))
    result = asyncio.run(cases.BENCH.run(asked, tools({}), silent))
    assert (result.passed, result.figures["passed"]) == (True, 1)
    assert "math-x: read whether look at it" in result.notes


@pytest.mark.parametrize(
    "expect",
    [
        {"verdicts": [{"about": "2 + 2", "label": "supported"}]},
        {"status": "empty"},
        {"claims": 3},
        {"must": ["correction names 20 July 1969"]},
        {"must": ["exactly two sentences"]},
        {"must": ["sandbox event recorded"]},
        {"must": ["opinion left out of the precision denominator"]},
    ],
)
def test_a_case_fails_with_what_is_wrong(tmp_path: Path, expect: object) -> None:
    asked = Asked(written(tmp_path, "cases.jsonl", {**CASE, "expect": expect}))
    result = asyncio.run(cases.BENCH.run(asked, tools({}), silent))
    assert not result.passed


def test_a_case_brings_its_own_passages(tmp_path: Path) -> None:
    corpus = [{"id": "1", "title": "Oslo", "text": "Oslo is in Norway."}]
    case = {
        "id": "kb-x",
        "task": "kbqa",
        "response": "Oslo is in Norway.",
        "expect": {
            "verdicts": [{"about": "Oslo", "label": "supported"}],
            "setup": {"corpus": corpus},
        },
    }
    answers: dict[str, Answer] = {"<sentence>": facts("Oslo is in Norway."), "<claim>": letter("A")}
    asked = Asked(written(tmp_path, "cases.jsonl", case))
    made = tools(answers, FakeSearch(broken=True))
    assert asyncio.run(cases.BENCH.run(asked, made, silent)).passed


def test_the_extraction_set_is_sound() -> None:
    rows = extraction._rows()
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["response"].strip()
        for groups in row["facts"]:
            assert all(isinstance(one, str) and one for group in groups for one in group)
        for opinion in row["opinions"]:
            assert opinion in row["response"]


def test_a_failed_claim_makes_no_response_true() -> None:
    failed = Verdict(Claim("1", "x"), Label.FAILED, failed_part="judge")
    judged = Judged(Row(Response("1", "x"), True), (failed,))
    assert (judged.unrefuted, judged.supported) == (False, False)
