"""Which benchmarks there are."""

from verifier.evals import (
    cases,
    extraction,
    factool_code,
    factool_kbqa,
    factool_math,
    factool_scilit,
)
from verifier.evals.benchmark import Benchmark
from verifier.evals.labelled import Labelled


def _of(bench: Labelled, about: str) -> Benchmark:
    return Benchmark(bench.name, about, bench.needs, bench.run)


BENCHES: dict[str, Benchmark] = {
    "factool-kbqa": _of(factool_kbqa.BENCH, "claims of answers to questions"),
    "factool-math": _of(factool_math.BENCH, "calculations of answers to word problems"),
    "factool-code": _of(factool_code.BENCH, "functions written for a description"),
    "factool-scilit": _of(factool_scilit.BENCH, "references of literature reviews"),
    "cases": cases.BENCH,
    "extraction": extraction.BENCH,
}
