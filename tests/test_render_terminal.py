"""The terminal report: its exact look, and that foreign text cannot drive the terminal."""

import io
import re
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from test_render_sample import TEXT, report, taj_verdicts

from verifier.render import terminal, words
from verifier.values import Claim, Evidence, Label, Report, Response, Status, Verdict, Why

GOLDEN = """\
places-1 · kbqa · cascade
Prompt      Tell me about three famous places.
────────────────────────────────────────────────────────────────────────────────
│ The Taj Mahal stands in Agra, on the bank of the Yamuna.[1✓] It was
│ commissioned by Shah Jahan in memory of his wife Mumtaz Mahal[2✓] and
│ completed in 1790.[3✗]

[1] ✓ supported >99%
    The Taj Mahal stands in Agra, on the bank of the Yamuna.
    Evidence    Taj Mahal · 2025-11-03
                “The Taj Mahal is an ivory-white marble mausoleum on the right
                bank of the river Yamuna in Agra, Uttar Pradesh, India”

[2] ✓ supported 97%
    The Taj Mahal was commissioned by Shah Jahan in memory of his wife Mumtaz
    Mahal.
    Evidence    Taj Mahal · 2025-11-03
                It was commissioned in 1631 for his wife.
                ! not a verbatim quote: the source does not hold these words

[3] ✗ refuted 94%
    The Taj Mahal was completed in 1790.
    Correction  The Taj Mahal was completed in 1653.
    Reason      The passage says that the entire complex was completed in 1653,
                not in 1790.
    Evidence    Taj Mahal · 2025-11-03
                “The construction of the entire complex was completed in 1653.”

Note        Prices and records change: the index was made on 2025-11-03.
────────────────────────────────────────────────────────────────────────────────
Claims      ✓ 2 supported   ✗ 1 refuted
Scores      precision 0.71 · recall@K n/a · checked 8
Index       wikipedia-vital, snapshot 2025-11-03
Model       Qwen/Qwen3-8B @ b968826d9c46
Cost        12.3 s · 31 calls · 43,070 tokens (30,100 cached) · 12 searches
"""
HOSTILE = "\x1b]0;t\x07\x1b[2J\x9b31m\u202e[red]x[/red] [link=http://e]y[/link]\r\x08\ud800\x00"


def shown(subject: Report, width: int = 80, encoding: str = "utf-8", **more: Any) -> str:
    raw = io.BytesIO()
    console = Console(file=io.TextIOWrapper(raw, encoding, newline=""), width=width, **more)
    terminal.render(subject, console)
    console.file.flush()
    return raw.getvalue().decode(encoding)


def response(text: str, *verdicts: Verdict, **more: Any) -> Report:
    return Report(Response("r", text), "kbqa", Status.CHECKED, verdicts=verdicts, **more)


def test_the_report_looks_as_agreed_at_80_columns() -> None:
    first = TEXT[: TEXT.index("\n")]
    subject = replace(
        report(),
        response=replace(report().response, text=first),
        verdicts=taj_verdicts(),
    )
    assert shown(subject) == GOLDEN


def test_quantized_weights_are_named_as_such() -> None:
    made = report().provenance
    assert made is not None
    subject = replace(report(), provenance=replace(made, model_revision="cc324af070c2-int8"))
    assert "@ cc324af070c2-int8" in shown(subject)


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    wide = "富士山は日本一高い山で、標高は3776メートルです。" * 9 + "x" * 300
    subject = response(wide, Verdict(Claim("c", wide, 3, 200), Label.SUPPORTED, reason=wide))
    lines = shown(subject, width).splitlines()
    assert max(map(cell_len, lines)) <= max(40, min(width, 100))


def test_the_words_of_the_response_all_arrive() -> None:
    lines = shown(report()).splitlines()
    body = " ".join(line.lstrip("│ ") for line in lines if line.startswith("│"))
    assert re.sub(r"\[\d[^]]*\]", "", body).split() == TEXT.split()


@pytest.mark.parametrize("more", [{}, {"force_terminal": True, "color_system": None}])
def test_hostile_text_cannot_drive_the_terminal_in_any_field(more: dict[str, Any]) -> None:
    found = Evidence("passage", HOSTILE, HOSTILE, HOSTILE, date=HOSTILE, quote=HOSTILE)
    claim = Claim("c", HOSTILE, 0, 9)
    verdict = Verdict(
        claim, Label.REFUTED, 0.5, {}, HOSTILE, None, HOSTILE, HOSTILE, (found,), (0,)
    )
    subject = response(HOSTILE, verdict, method=HOSTILE, error=HOSTILE, notes=(HOSTILE,))
    text = shown(replace(subject, scores={HOSTILE: 1}), **more)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert "[red]x[/red] [link=http://e]y[/link]" in text


def test_a_response_cannot_pass_for_a_line_of_the_report() -> None:
    text = shown(response("Fine.\n[1] ✓ supported 100%\nClaims      ✓ 9 supported"))
    assert "\n│ [1] ✓ supported 100%\n│ Claims " in text


def test_without_colour_there_are_no_escapes_and_with_colour_the_words_are_the_same() -> None:
    coloured = shown(report(), force_terminal=True, color_system="standard")
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == shown(report())


def test_a_terminal_without_utf8_gets_ascii_only() -> None:
    text = shown(response("Frédéric, 富士山 ✓", *taj_verdicts()), encoding="ascii")
    assert "[3] x refuted 94%" in text
    assert "Frederic" in text


@pytest.mark.parametrize("label", Label)
def test_every_label_is_shown_with_symbol_and_name(label: Label) -> None:
    text = shown(response("One.", Verdict(Claim("c", "One.", 0, 4), label)))
    assert f"One.[1{words.SYMBOLS[label]}]" in text
    assert f"{words.SYMBOLS[label]} 1 {words.LABEL_WORDS[label]}" in text


@pytest.mark.parametrize("why", Why)
def test_every_why_is_told(why: Why) -> None:
    text = shown(response("One.", Verdict(Claim("c", "One."), Label.NOT_ENOUGH_EVIDENCE, why=why)))
    assert f"Why         {words.WHY_WORDS[why]}" in text


def test_a_failed_claim_is_loud_in_the_claim_and_in_the_summary() -> None:
    text = shown(report())
    assert "[9] ! FAILED" in text
    assert "Failed in   judge; this claim has not been checked" in text
    assert "FAILED      1 claim could not be checked" in text


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (Status.EMPTY, "– empty: The response is empty; there is nothing to check. Why."),
        (
            Status.ABSTAINED,
            "– abstained: The response declines to answer; it makes no claim to check. Why.",
        ),
        (Status.FAILED, "! FAILED: The response could not be checked. Why."),
    ],
)
def test_a_response_that_was_not_checked_says_so_in_one_line(status: Status, line: str) -> None:
    text = shown(replace(response("x", error="Why."), status=status), width=100)
    assert line in text.splitlines()


def test_a_response_without_claims_says_so() -> None:
    assert "No claims were found in this response." in shown(response("Hello!"))


def test_a_cited_passage_without_a_quote_is_shown_shortened() -> None:
    found = Evidence("run", "ok " * 500, "run-1")
    text = shown(
        response("x", Verdict(Claim("c", "x"), Label.SUPPORTED, evidence=(found,), cited=(0,)))
    )
    assert "Evidence    run-1" in text
    assert "ok…" in text


def test_a_long_response_arrives_whole() -> None:
    text = shown(response("word " * 6000))
    assert text.count("word") == 6000
