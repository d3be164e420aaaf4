"""A report for a terminal of any width, with or without colour, UTF-8 or not.

Everything from outside stands behind a gutter or an indent and is disarmed first, so a hostile
response can neither drive the terminal nor pass for a line of the report.
"""

from rich.console import Console
from rich.style import Style
from rich.text import Text

from verifier.render import spans, words
from verifier.values import Evidence, Label, Report, Status, Verdict

_COLOURS: dict[Label, str] = {
    Label.SUPPORTED: "green",
    Label.REFUTED: "red",
    Label.CONFLICTING: "magenta",
    Label.NOT_ENOUGH_EVIDENCE: "yellow",
    Label.NOT_CHECKWORTHY: "bright_black",
    Label.FAILED: "bold white on red",
}
# For terminals that cannot show the report's own symbols. Foreign text is transliterated.
_ASCII = str.maketrans("✓✗≠–│─·“”…", '+x~-|-."".')
_KEY_WIDTH = 12
_EXCERPT = 240
_LINES = 8


def render(report: Report, console: Console) -> None:
    """Prints a report: the response with its claims marked, each claim, then a summary.

    Words shared by several claims take the colour of the worst verdict. Without UTF-8 all
    symbols have an ASCII stand-in; colours never are the only signal.
    """
    page = _Page(console)
    _head(page, report)
    if report.status is Status.CHECKED:
        _response(page, report)
        for number, verdict in enumerate(report.verdicts, 1):
            _verdict(page, number, verdict)
    else:
        _not_checked(page, report)
    if report.notes:
        page.blank()
    for note in report.notes:
        page.row("Note", words.one_line(note), indent=0)
    _summary(page, report)


class _Page:
    """Prints wrapped lines behind a margin; the only place that writes to the console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._ascii = console.options.ascii_only
        self.width = min(100, max(40, console.width))  # longer lines are hard to read

    def text(self, text: str, style: str | Style = "") -> Text:
        """Makes a styled text that this terminal can show; markup in it has no effect."""
        return Text(self._shown(words.disarm(text)), style=style)

    def hang(self, body: Text, margin: str, first: Text | None = None) -> None:
        """Prints a text wrapped behind a margin; `first` takes its place on the first line."""
        margin_text = self.text(margin, "bright_black")
        for line in body.wrap(self._console, max(20, self.width - len(margin)), tab_size=4):
            line.rstrip()
            start = margin_text if first is None else first
            joined = start + line
            joined.rstrip()
            # Wrapped already, by cells and not by characters: Rich must not do it again.
            self._console.print(joined, no_wrap=True, overflow="ignore", crop=False)
            first = None

    def row(self, key: str, value: str, style: str = "", indent: int = 4) -> None:
        """Prints `key  value`, the value wrapped in its own column."""
        first = self.text(" " * indent + key.ljust(_KEY_WIDTH), "bright_black")
        self.hang(self.text(value, style), " " * (indent + _KEY_WIDTH), first)

    def rule(self) -> None:
        """Prints a line across the page."""
        self.hang(self.text("─" * self.width, "bright_black"), "")

    def blank(self) -> None:
        """Prints an empty line."""
        self._console.print()

    def _shown(self, text: str) -> str:
        if not self._ascii or text.isascii():
            return text
        from anyascii import anyascii  # its tables are only needed on such terminals

        return anyascii(text.translate(_ASCII).replace("\ufffd", "?"))


def _head(page: _Page, report: Report) -> None:
    parts = [words.one_line(report.response.id), report.task, words.one_line(report.method)]
    page.hang(page.text(" · ".join(filter(None, parts)), "bold"), "")
    if report.response.prompt:
        page.row("Prompt", _excerpt(report.response.prompt), indent=0)
    page.rule()


def _not_checked(page: _Page, report: Report) -> None:
    bad = report.status is Status.FAILED
    line = f"{'! FAILED' if bad else '– ' + report.status}: {words.STATUS_WORDS[report.status]}"
    if report.error:
        line += f" {words.one_line(report.error)}"
    page.hang(page.text(line, _COLOURS[Label.FAILED] if bad else ""), "")


def _response(page: _Page, report: Report) -> None:
    body = Text()
    for run in spans.split(report.response.text, report.verdicts):
        body.append_text(page.text(run.text, _words_style(run.label)))
        if run.ends:
            marks = [_mark(page, n, report.verdicts[n - 1].label) for n in run.ends]
            body.append_text(Text("[") + Text(" ").join(marks) + Text("]"))
    page.hang(body, "│ ")
    if not report.verdicts:
        page.blank()
        page.hang(page.text("No claims were found in this response."), "")
    if report.error:
        page.row("Error", words.one_line(report.error), _COLOURS[Label.FAILED], indent=0)


def _words_style(label: Label | None) -> str:
    if label is Label.FAILED:
        return "underline"
    return "" if label is None else _COLOURS[label]


def _mark(page: _Page, number: int, label: Label) -> Text:
    return page.text(f"{number}{words.SYMBOLS[label]}", f"bold {_COLOURS[label]}")


def _verdict(page: _Page, number: int, verdict: Verdict) -> None:
    page.blank()
    label = verdict.label
    chance = words.percent(verdict.probability)
    name = words.LABEL_WORDS[label]
    title = f"{words.SYMBOLS[label]} {name.upper() if label is Label.FAILED else name} {chance}"
    head = page.text(f"[{number}] ", "bold") + page.text(title.rstrip(), _COLOURS[label])
    page.hang(head, "")
    page.hang(page.text(words.one_line(verdict.claim.text), "bold"), "    ")
    if verdict.failed_part:
        part = words.one_line(verdict.failed_part)
        page.row("Failed in", f"{part}; this claim has not been checked")
    if verdict.why:
        page.row("Why", words.WHY_WORDS[verdict.why])
    if verdict.correction:
        page.row("Correction", words.one_line(verdict.correction), "bold")
    if verdict.reason:
        page.row("Reason", words.one_line(verdict.reason))
    _evidence(page, verdict)


def _evidence(page: _Page, verdict: Verdict) -> None:
    """Prints the best cited evidence, or that there was none to cite."""
    best = spans.cited(verdict)[:1]
    if not best and verdict.evidence:
        page.row("Evidence", f"{words.amount(len(verdict.evidence), 'passage')} read, none cited")
    for evidence in best:
        page.row("Evidence", _source(evidence))
        if not evidence.quote:
            for line in _shown(evidence):
                page.row("", line)
            continue
        if spans.around_quote(evidence):
            page.row("", f"“{words.one_line(evidence.quote)}”", "italic")
        else:
            page.row("", words.one_line(evidence.quote))
            page.row("", "! not a verbatim quote: the source does not hold these words", "yellow")


def _shown(evidence: Evidence) -> list[str]:
    """A passage as one excerpt; what a run did line by line."""
    if evidence.kind != "run":
        return [_excerpt(evidence.text)]
    return [_excerpt(line) for line in evidence.text.splitlines()[:_LINES]]


def _source(evidence: Evidence) -> str:
    title = words.one_line(evidence.title) or words.one_line(evidence.origin) or evidence.kind
    return " · ".join(filter(None, [title, words.one_line(evidence.date)]))


def _excerpt(text: str) -> str:
    line = words.one_line(text)
    return line if len(line) <= _EXCERPT else line[:_EXCERPT].rstrip() + "…"


def _summary(page: _Page, report: Report) -> None:
    page.rule()
    counted = words.counts(report.verdicts)
    parts = [
        page.text(f"{words.SYMBOLS[label]} {n} {words.LABEL_WORDS[label]}", _COLOURS[label])
        for label, n in counted.items()
    ]
    if report.status is Status.CHECKED:
        line = page.text("   ").join(parts) if parts else page.text("no claims")
        page.hang(line, " " * _KEY_WIDTH, page.text("Claims".ljust(_KEY_WIDTH), "bright_black"))
    if failed := counted.get(Label.FAILED):
        loud = f"{words.amount(failed, 'claim')} could not be checked: read as unverified"
        page.row("FAILED", loud, _COLOURS[Label.FAILED], indent=0)
    if report.scores:
        scores = (f"{words.one_line(k)} {words.score(v)}" for k, v in report.scores.items())
        page.row("Scores", " · ".join(scores), indent=0)
    _sources(page, report)


def _sources(page: _Page, report: Report) -> None:
    """Prints what the report rests on and what it cost."""
    if made := report.provenance:
        for key, value in words.sources(made):
            page.row(key, words.one_line(value), indent=0)
    if made and report.usage.calls:
        digits, dash, kind = made.model_revision.partition("-")  # cc324af070c2-int8
        revision = f" @ {digits[:12]}{dash}{kind}" if digits else ""
        page.row("Model", words.one_line(made.model + revision), indent=0)
    used = report.usage
    tokens = words.amount(used.prompt_tokens + used.completion_tokens, "token")
    if used.cached_tokens:
        tokens += f" ({used.cached_tokens:,} cached)"
    cost = [words.amount(used.calls, "call"), tokens, words.amount(used.searches, "search")]
    if (total := used.seconds.get("total")) is not None:
        cost.insert(0, f"{total:.1f} s")
    page.row("Cost", " · ".join(cost), indent=0)
