"""Fits the calibration of the label judge and writes it beside the judge.

    .venv/bin/python scripts/calibrate.py --data DIR [--endpoint URL --model NAME] [--size 100]

Takes three classes of `size` claims each from labelled sets in DIR: supported and refuted claims
of Fool Me Twice and of Sufficient Facts with their evidence and two other passages in random order,
and undecided ones: half from Sufficient Facts with a part of the evidence removed, the others with
other passages of the page, or about something else. Prints the cross-validated balanced accuracy;
what is fitted here must not be evaluated on the same claims.
"""

import asyncio
import gzip
import hashlib
import json
import random
from dataclasses import replace
from datetime import date
from pathlib import Path

import click
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, confusion_matrix
from sklearn.model_selection import cross_val_predict

from verifier.ask import choose
from verifier.assemble import open_model
from verifier.judges import calibration, label
from verifier.meter import Meter
from verifier.prompt import load
from verifier.retrieval import NoIndex
from verifier.settings import Settings
from verifier.settings import load as load_settings
from verifier.task import Tools
from verifier.values import Evidence

SETS = "Fool Me Twice, Sufficient Facts (claims; parts removed)"


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def passage(title: str, text: str) -> Evidence:
    return Evidence("passage", text, origin=f"{title}:{text[:40]}", title=title)


def examples(data: Path, size: int, seed: int) -> list[tuple[str, list[Evidence], str]]:
    """Claims with passages and the class they belong to, a third each."""
    rng = random.Random(seed)
    held = {row["pid"]: row for row in rows(data / "corpora/wiki_passages.jsonl.gz")}
    passages = [passage(row["title"], row["text"]) for row in held.values()]
    made = []
    for name in ("fm2", "sufficient_facts_claims"):
        claims = rows(data / f"{name}.jsonl.gz")
        rng.shuffle(claims)
        for wanted in ("supported", "refuted"):
            for row in [row for row in claims if row["label"] == wanted][: size // 2]:
                found = [passage(one["title"], one["text"]) for one in row["evidence"]]
                found += _others(row, held, 2) or rng.sample(passages, 2)
                rng.shuffle(found)
                made.append((row["claim"], found, wanted))
        for row in claims[-size // 4 :]:
            found = _others(row, held, 3) or rng.sample(passages, 3)
            made.append((row["claim"], found, "not_enough_evidence"))
    removed = rows(data / "sufficient_facts_removed.jsonl.gz")
    rng.shuffle(removed)
    for row in [row for row in removed if row["label_after"] == "NOT ENOUGH"][: size // 2]:
        found = [passage(one["title"], one["text"]) for one in row["evidence"]]
        made.append((row["claim"], found, "not_enough_evidence"))
    return made


def _others(row: dict, held: dict, count: int) -> list[Evidence]:
    """Passages of the same page that are not the evidence, where the set names some."""
    gold = {one["pid"] for one in row["evidence"]}
    near = [held[pid] for pid in row.get("retrieved_pids", []) if pid in held and pid not in gold]
    return [passage(one["title"], one["text"]) for one in near[:count]]


async def judged(made: list, settings: Settings) -> tuple[str, list[tuple[float, ...]]]:
    """Model name, and the log-probabilities of the letters for every example."""
    async with open_model(settings) as model:
        tools = Tools(model, NoIndex(), label.judge, settings, Meter())

        async def one(claim: str, found: list[Evidence]) -> tuple[float, ...]:
            said = await choose(tools, "label", list(label.LETTERS), claim=claim, passages=found)
            return tuple(said[letter] for letter in label.LETTERS)

        values = await asyncio.gather(*(one(claim, found) for claim, found, _ in made))
        return model.name, list(values)


@click.command(help=__doc__)
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--endpoint", default="")
@click.option("--model", "name", default="")
@click.option("--as-model", default="", help="Registry name, if the endpoint calls it otherwise.")
@click.option("--size", default=100, help="Claims of each class.")
@click.option("--seed", default=0)
@click.option(
    "--keep", type=click.Path(path_type=Path), help="Keep the answers here, or use those."
)
def main(
    data: Path, endpoint: str, name: str, as_model: str, size: int, seed: int, keep: Path | None
) -> None:
    settings = load_settings(None)
    settings = replace(settings, model=replace(settings.model, endpoint=endpoint, name=name))
    made = examples(data, size, seed)
    asked = hashlib.sha256(repr((made, load("label").digest)).encode()).hexdigest()
    kept = json.loads(keep.read_text("utf-8")) if keep and keep.exists() else None
    if kept and kept["asked"] != asked:
        raise click.UsageError(f"{keep} answers other examples or another prompt; name a new file")
    model, said = (kept["model"], kept["said"]) if kept else asyncio.run(judged(made, settings))
    if keep and not kept:
        answers = {"asked": asked, "model": model, "said": said}
        keep.write_text(json.dumps(answers), encoding="utf-8")
    values = [
        calibration.features(claim, found, dict(zip(calibration.CLASSES, one, strict=True)))
        for (claim, found, _), one in zip(made, said, strict=True)
    ]
    names = [str(one) for one in calibration.CLASSES]
    x, y = np.array(values), np.array([names.index(wanted) for _, _, wanted in made])
    for columns, title in ((3, "letters alone"), (x.shape[1], "with the features of the code")):
        guessed = cross_val_predict(LogisticRegression(max_iter=5000), x[:, :columns], y, cv=5)
        print(f"{title}: balanced accuracy {balanced_accuracy_score(y, guessed):.3f} (5-fold)")
        print(confusion_matrix(y, guessed))
    print(f"most likely letter as it is: {balanced_accuracy_score(y, x[:, :3].argmax(1)):.3f}")
    fit = LogisticRegression(max_iter=5000).fit(x, y)
    write(as_model or model, fit, len(made), seed)


def write(model: str, fit: LogisticRegression, size: int, seed: int) -> None:
    """Put the fit in the place of an older one of the same model."""
    head, *kept = calibration.FILE.read_text("utf-8").split("[[label]]")
    kept = [row for row in kept if f'model = "{model}"' not in row]
    numbers = [[round(float(one), 4) for one in row] for row in fit.coef_]
    row = (
        f'\nmodel = "{model}"\nprompt = "{load("label").digest}"\n'
        f'data = "{SETS}, {size} claims, seed {seed}"\n'
        f'date = "{date.today().isoformat()}"\nweights = {json.dumps(numbers)}\n'
        f"bias = {json.dumps([round(float(one), 4) for one in fit.intercept_])}\n"
    )
    calibration.FILE.write_text("[[label]]".join([head, *kept, row]), encoding="utf-8")


if __name__ == "__main__":
    main()
