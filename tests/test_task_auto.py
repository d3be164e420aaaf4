"""A mixed response is checked by all the tasks that know a part of it."""

import asyncio
from dataclasses import replace

from fakes import facts, kind, letter, tools

from models.fake import Answer
from verifier import pipeline
from verifier.tasks import TASKS
from verifier.values import Label, Report, Response

TEXT = """The Nile is 7,088 km long. Twice that is 2 * 7,088 = 14,000 km.

```python
print(1)
```
"""

ANSWERS: dict[str, Answer] = {
    "<sentence>The Nile": facts("The Nile is 7,088 km long."),
    "<claim>The Nile": letter("A"),
    "<sentence>": kind("other"),
}


def check(text: str, answers: dict[str, Answer], prompt: str = "") -> Report:
    made = replace(tools(answers), sandbox=None)
    return asyncio.run(pipeline.verify(Response("1", text, prompt), TASKS["auto"], made))


def test_each_part_goes_to_the_task_that_knows_how() -> None:
    found = {one.claim.fields["task"]: one.label for one in check(TEXT, ANSWERS).verdicts}
    assert found["kbqa"] is Label.SUPPORTED
    assert found["math"] is Label.REFUTED
    assert found["code"] in (Label.FAILED, Label.NOT_CHECKWORTHY)


def test_a_sentence_that_is_a_calculation_is_not_looked_up_as_well() -> None:
    tasks = [one.claim.fields["task"] for one in check("2 + 2 = 5.", {}).verdicts]
    assert tasks == ["math"]


def test_claims_are_numbered_in_the_order_of_the_response() -> None:
    report = check(TEXT, ANSWERS)
    assert [one.claim.id for one in report.verdicts] == [
        str(n) for n in range(1, len(report.verdicts) + 1)
    ]
    starts = [one.claim.start or 0 for one in report.verdicts]
    assert starts == sorted(starts)


def test_without_a_papers_index_a_reference_is_undecided_and_says_how_to_get_one() -> None:
    text = 'See Kingma and Ba (2014), "Adam: A Method for Stochastic Optimization".'
    (verdict,) = check(text, {}).verdicts
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert "index build papers" in verdict.reason
