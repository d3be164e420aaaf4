"""The JSON form: there and back, against its schema, and safe to print."""

import dataclasses
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from test_render_sample import report

from verifier import values
from verifier.render import json_
from verifier.values import Claim, Label, Report, Response, Status, Usage, Verdict, Why

DOCS = Path(__file__).parent.parent / "docs"
SCHEMA = json.loads((DOCS / "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
NOUNS = ["Response", "Claim", "Query", "Evidence", "Verdict", "Provenance", "Usage"]


def bare(text: str = "x", **more: Any) -> Report:
    return Report(Response("r", text), "kbqa", Status.CHECKED, **more)


def labelled(label: Label) -> Verdict:
    why = Why.SILENT if label is Label.NOT_ENOUGH_EVIDENCE else None
    failed_part = "search" if label is Label.FAILED else ""
    return Verdict(Claim("c", "x"), label, why=why, failed_part=failed_part)


def test_a_report_comes_back_as_it_was() -> None:
    assert json_.from_dict(json_.to_dict(report())) == report()
    assert json_.from_dict(json.loads(json_.dumps(report()))) == report()


@pytest.mark.parametrize("status", Status)
def test_reports_of_every_status_come_back_and_fit_the_schema(status: Status) -> None:
    data = json_.to_dict(replace(bare(), status=status, error="why"))
    VALIDATOR.validate(data)
    assert json_.to_dict(json_.from_dict(data)) == data


@pytest.mark.parametrize("label", Label)
def test_verdicts_of_every_label_fit_the_schema(label: Label) -> None:
    data = json_.to_dict(bare(verdicts=(labelled(label),)))
    VALIDATOR.validate(data)
    assert data["verdicts"][0]["label"] == str(label)


def test_the_sample_report_fits_the_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    VALIDATOR.validate(json_.to_dict(report()))


def test_the_example_in_the_docs_fits_the_schema_and_can_be_read() -> None:
    page = (DOCS / "report-schema.md").read_text(encoding="utf-8")
    example = json.loads(re.search(r"```json\n(.*?)```", page, re.S)[1])  # type: ignore[index]
    VALIDATOR.validate(example)
    assert json_.to_dict(json_.from_dict(example)) == example


@pytest.mark.parametrize("noun", NOUNS)
def test_schema_docs_and_values_name_the_same_fields(noun: str) -> None:
    fields = [field.name for field in dataclasses.fields(getattr(values, noun))]
    definition = SCHEMA["$defs"][noun]
    assert list(definition["properties"]) == definition["required"] == fields
    section = (DOCS / "report-schema.md").read_text(encoding="utf-8").split(f"## {noun}\n")[1]
    assert all(f"`{name}`" in section.split("\n## ")[0] for name in fields)


def test_the_schema_refuses_an_unknown_field_and_a_failed_verdict_without_its_part() -> None:
    data = json_.to_dict(bare(verdicts=(labelled(Label.FAILED),)))
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate({**data, "extra": 1})
    data["verdicts"][0]["failed_part"] = ""
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(data)


def test_keys_come_in_the_order_of_the_fields() -> None:
    names = [field.name for field in dataclasses.fields(Report)]
    assert list(json_.to_dict(report())) == ["schema", *names]


def test_numbers_are_rounded_and_never_nan() -> None:
    usage = Usage(seconds={"total": float("inf")})
    data = json_.to_dict(bare(scores={"a": float("nan"), "b": 2 / 3, "c": 3}, usage=usage))
    assert data["scores"] == {"a": None, "b": 0.666667, "c": 3}
    assert data["usage"]["seconds"] == {"total": 0.0}


def test_a_hostile_text_is_safe_to_print_and_comes_back_exactly() -> None:
    text = "\x1b[2J\x9b2J\u202e\u2028\x85\ud800\x00富士"
    line = json_.dumps(bare(text))
    assert line.encode()
    assert len(line.splitlines()) == 1
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202e]", line)
    assert json_.from_dict(json.loads(line)).response.text == text


@pytest.mark.parametrize("found", [None, "offline-verifier/report/2", 1])
def test_another_schema_is_refused_by_name(found: object) -> None:
    with pytest.raises(json_.ReportFormatError, match=re.escape(repr(found))):
        json_.from_dict({**json_.to_dict(bare()), "schema": found})


def test_a_damaged_report_is_refused_with_the_place() -> None:
    data = json_.to_dict(report())
    data["verdicts"][3]["label"] = "true"
    with pytest.raises(json_.ReportFormatError, match=r"verdicts\.3\.label"):
        json_.from_dict(data)
