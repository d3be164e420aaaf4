"""The code task with a fake model and a fake sandbox that runs what the test trusts."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from models.errors import ModelMissing
from models.fake import Answer, FakeModel
from tests.fakes import tools as plain_tools
from verifier.pipeline import verify
from verifier.sandbox import Limits, Outcome, Program, Ran, Run, Sandbox
from verifier.sandbox.inside.encode import Encoder
from verifier.sandbox.wire import decode
from verifier.task import Tools
from verifier.tasks import TASKS, code
from verifier.values import Label, Response, Verdict, Why

MEDIAN = "Write median(xs) for a non-empty list of numbers."

WRONG = "```python\ndef median(xs):\n    xs = sorted(xs)\n    return xs[len(xs) // 2]\n```"

RIGHT = (
    "```python\ndef median(xs):\n    xs = sorted(xs)\n    n = len(xs)\n"
    "    return xs[n // 2] if n % 2 else (xs[n // 2 - 1] + xs[n // 2]) / 2\n```"
)

LISTS = ([1, 2], [3], [5, 1, 4], [1, 2, 3, 4], [7, 7], [9, 8, 1])

INPUTS = json.dumps({"inputs": [{"xs": one} for one in LISTS]})

ANSWERS: Mapping[str, Answer] = {
    "Parameters:": INPUTS,
    "Write the function": RIGHT,
    "Complete this function": RIGHT,
}


class FakeSandbox(Sandbox):
    """Evaluates the sources of this file, which are trusted, in this process."""

    async def run(self, program: Program, limits: Limits | None = None) -> Ran:  # noqa: ARG002
        names: dict[str, object] = {}
        try:
            exec(program.source, names)
        except Exception as error:  # noqa: BLE001
            broken = Run(Outcome.ERROR, error=f"{type(error).__name__}: {error}", loaded=False)
            return Ran(broken, tuple(broken for _ in program.calls), "fake")
        return Ran(
            Run(Outcome.OK), tuple(self._call(str(one), names) for one in program.calls), "fake"
        )

    @staticmethod
    def _call(expression: str, names: dict[str, object]) -> Run:
        try:
            return Run(Outcome.OK, decode(Encoder()(eval(expression, names))))
        except Exception as error:  # noqa: BLE001
            return Run(Outcome.ERROR, error=f"{type(error).__name__}: {error}")


def tools(answers: Mapping[str, Answer] = ANSWERS, sandbox: Sandbox | None = None) -> Tools:
    return replace(plain_tools(FakeModel(answers)), sandbox=sandbox or FakeSandbox(None, "fake"))


def checked(text: str, prompt: str = MEDIAN, with_tools: Tools | None = None) -> list[Verdict]:
    response = Response("1", text, prompt)
    report = asyncio.run(verify(response, TASKS["code"], with_tools or tools()))
    return list(report.verdicts)


def the(text: str, prompt: str = MEDIAN, with_tools: Tools | None = None) -> Verdict:
    (verdict,) = checked(text, prompt, with_tools)
    return verdict


def test_code_that_agrees_with_the_solutions_is_supported() -> None:
    assert the(RIGHT).label is Label.SUPPORTED


def test_code_that_differs_is_refuted_with_input_expected_and_got() -> None:
    verdict = the(WRONG)
    assert verdict.label is Label.REFUTED
    assert verdict.reason.startswith("median([1, 2]) gives 2; it should give 1.5")
    assert verdict.correction == "median([1, 2]) gives 1.5."


def test_the_evidence_names_the_sandbox_that_was_used() -> None:
    assert {(one.kind, one.origin) for one in the(RIGHT).evidence} == {("run", "sandbox:fake")}


def test_a_claim_is_the_code_inside_the_fence() -> None:
    text = f"Here you are:\n\n{RIGHT}\n\nHave fun."
    (claim,) = asyncio.run(code.split(Response("1", text, MEDIAN), tools()))
    assert text[claim.start : claim.end] == RIGHT.split("\n", 1)[1].removesuffix("\n```")
    assert claim.fields["entry_point"] == "median"


def test_solutions_that_all_differ_decide_nothing() -> None:
    made = iter(range(100))
    model = FakeModel(
        lambda text: INPUTS if "Parameters:" in text else f"def median(xs): return {next(made)}"
    )
    verdict = the(RIGHT, with_tools=replace(tools(), model=model))
    assert (verdict.label, verdict.why) == (Label.NOT_ENOUGH_EVIDENCE, Why.SILENT)


def test_solutions_that_mostly_raise_decide_nothing() -> None:
    answers = {**ANSWERS, "Write the function": "def median(xs): raise ValueError"}
    assert the(RIGHT, with_tools=tools(answers)).label is Label.NOT_ENOUGH_EVIDENCE


def test_a_failing_example_of_the_prompt_refutes_without_a_model() -> None:
    silent = tools({"": ModelMissing("no model")})
    verdict = the(WRONG, f"{MEDIAN} For example median([1, 2]) returns 1.5.", silent)
    assert verdict.label is Label.REFUTED
    assert "as the task says" in verdict.reason
    assert not silent.meter.usage().calls


def test_examples_outrank_the_solutions() -> None:
    prompt = f"{MEDIAN}\n>>> median([1, 2])\n2\n>>> median([1, 2, 3, 4])\n3\n"
    assert the(WRONG, prompt).label is not Label.REFUTED


def test_without_a_model_what_passed_is_told_and_the_claim_has_failed() -> None:
    silent = tools({"": ModelMissing("no model is here")})
    verdict = the(RIGHT, f"{MEDIAN}\nassert median([1, 2]) == 1.5", silent)
    assert (verdict.label, verdict.failed_part) == (Label.FAILED, "inputs")
    assert verdict.reason == "It passes 1 tests of the task; what is missing: no model is here"


def test_python_that_does_not_parse_is_refuted_with_its_line() -> None:
    verdict = the("```python\ndef median(xs):\n    return xs[\n```")
    assert (verdict.label, verdict.reason) == (
        Label.REFUTED,
        "It is not valid Python: line 2: '[' was never closed.",
    )


def test_another_language_is_not_checked() -> None:
    verdict = the("```javascript\nfunction median(xs) { return xs[0]; }\n```")
    assert verdict.label is Label.NOT_CHECKWORTHY
    assert "javascript" in verdict.reason


def test_code_without_a_function_is_not_checked() -> None:
    assert the("```python\nprint(1 + 1)\n```").label is Label.NOT_CHECKWORTHY


def test_code_that_fails_when_it_is_loaded_is_refuted() -> None:
    verdict = the("```python\nimport os\nos.nothing\ndef median(xs):\n    return xs\n```")
    assert verdict.label is Label.REFUTED
    assert "before anything is called" in verdict.reason


def test_a_package_that_is_not_there_is_not_held_against_the_code() -> None:
    verdict = the("```python\nimport numpyx\ndef median(xs):\n    return numpyx.median(xs)\n```")
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE


def test_code_that_nobody_described_is_not_judged() -> None:
    assert the(RIGHT, prompt="").label is Label.NOT_ENOUGH_EVIDENCE


class Forbidding(FakeSandbox):
    """Tells of a forbidden attempt in every run."""

    async def run(self, program: Program, limits: Limits | None = None) -> Ran:
        ran = await super().run(program, limits)
        return replace(ran, load=Run(Outcome.OK, events=("deleting files: /home",)))


def test_a_forbidden_act_is_refuted_with_the_event() -> None:
    verdict = the(RIGHT, with_tools=tools({}, Forbidding(None, "fake")))
    assert verdict.label is Label.REFUTED
    assert verdict.evidence[0].text == "The sandbox stopped deleting files: /home"


def test_a_forbidden_act_that_was_asked_for_is_not_held_against_the_code() -> None:
    prompt = f"{MEDIAN} Then delete the file."
    verdict = the(RIGHT, prompt, tools({}, Forbidding(None, "fake")))
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE


def test_without_a_sandbox_the_claim_fails_and_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from verifier.sandbox import sandbox

    monkeypatch.setenv("PATH", "/nowhere")
    sandbox.find.cache_clear()
    verdict = the(RIGHT, with_tools=replace(tools(), sandbox=None))
    assert (verdict.label, verdict.failed_part) == (Label.FAILED, "sandbox")
    assert "apt-get install bubblewrap" in verdict.reason


def test_a_few_solutions_are_enough_where_they_agree() -> None:
    with_tools = tools()
    the(RIGHT, with_tools=with_tools)
    assert isinstance(with_tools.model, FakeModel)
    assert len(with_tools.model.calls) == 1 + code.FIRST


def test_more_solutions_are_asked_for_where_the_code_differs() -> None:
    with_tools = tools()
    the(WRONG, with_tools=with_tools)
    assert isinstance(with_tools.model, FakeModel)
    assert len(with_tools.model.calls) == 1 + with_tools.settings.code.solutions


def test_a_response_without_code_makes_no_claim() -> None:
    assert checked("There is no code here, only 3 words (and a bracket).") == []


@pytest.mark.sandbox
def test_real_code_that_deletes_is_refuted_in_the_real_sandbox() -> None:
    text = (
        "```python\nimport os, shutil\ndef tidy(path):\n"
        "    shutil.rmtree(os.path.expanduser('~'), ignore_errors=True)\n    return 0\n```"
    )
    prompt = "Write tidy(path) returning the number of files in path."
    verdict = the(text, prompt, tools({}, Sandbox.open()))
    assert verdict.label is Label.REFUTED
    assert verdict.evidence[0].origin.startswith("sandbox:strong")


@pytest.mark.sandbox
def test_weak_tests_are_found_out_in_the_real_sandbox() -> None:
    verdict = the(WRONG, with_tools=tools(sandbox=Sandbox.open()))
    assert verdict.label is Label.REFUTED
