"""A report and an experiment as a notebook shows them: a line, or a small table of escaped HTML.

Does: show what is there, withheld and unknown said. Does not: round by unit or make captions; the site does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from metrics_core.estimate import Estimate
from metrics_core.interval import four_digits
from metrics_core.keys import Keys
from metrics_core.text import visible

if TYPE_CHECKING:
    from metrics_core.folder import Experiment
    from metrics_core.report import Report

MOST_ROWS: Final = 40
"""A table shows the first of this many estimates, those over the fewest keys first."""

_HEADS: Final = ("metric", "stratum", "group", "value", "n/N", "interval", "attempts")


def report_line(report: Report) -> str:
    """A report in one line: name, families, and how many estimates, comparisons, controls and problems."""
    return (
        f"<Report {visible(report.experiment, escaped=True)} ({_names(report.families)}): {_counts(report)}>"
    )


def report_html(report: Report) -> str:
    """A report as HTML: its line, each control that failed or is missing, and a table of estimates."""
    about = f"({_names(report.families)}): {_counts(report)}"
    lines = [f"<p><b>{_html(report.experiment)}</b> {_html(about)}</p>"]
    unheld = [c for c in report.controls if c.state in ("failed", "missing")]
    lines += [f"<p>{_html(f'{c.title} {c.state}: {c.detail}')}</p>" for c in unheld]
    shown = sorted(report.estimates, key=lambda e: (len(e.group), e.family, e.metric, e.stratum, e.group))[
        :MOST_ROWS
    ]
    if shown:
        lines.append(_table(_HEADS, [_row(e) for e in shown]))
    if more := len(report.estimates) - len(shown):
        lines.append(f"<p>{more} more estimates: <code>report.frame()</code></p>")
    return "\n".join(lines)


def experiment_line(experiment: Experiment) -> str:
    """An experiment in one line: name, and how many files each family has."""
    files = ", ".join(f"{name} {_many(len(paths), 'file')}" for name, paths in experiment.families.items())
    problems = _many(len(experiment.problems), "problem")
    name = visible(experiment.slug, escaped=True)
    return f"<Experiment {name}: {visible(files, escaped=True)}; {problems}; not measured>"


def experiment_html(experiment: Experiment) -> str:
    """An experiment as HTML: title, description, and what its folder holds."""
    brought = [
        *((name, _many(len(paths), "file")) for name, paths in experiment.families.items()),
        ("read through", experiment.adapter.title if experiment.adapter else ""),
        ("contracts", ", ".join(contract.file for contract in experiment.contracts)),
        ("price tables", str(len(experiment.prices) or "")),
        ("recorded controls", ", ".join(experiment.controls)),
        ("eval pack", "yes" if experiment.pack else ""),
        ("not read", str(len(experiment.unread) or "")),
        ("problems", str(len(experiment.problems) or "")),
    ]
    about = f": {_html(experiment.description)}" if experiment.description else ""
    return f"<p><b>{_html(experiment.title)}</b> ({_html(experiment.slug)}){about}</p>\n" + _table(
        ("holds", ""), [row for row in brought if row[1]]
    )


def _counts(report: Report) -> str:
    states = Counter(control.state for control in report.controls)
    controls = ", ".join(f"{number} {state}" for state, number in sorted(states.items())) or "none"
    return (
        f"{_many(len(report.estimates), 'estimate')}, {_many(len(report.comparisons), 'comparison')}; "
        f"controls: {controls}; {_many(len(report.problems), 'problem')}"
    )


def _row(e: Estimate) -> tuple[str, ...]:
    lost = [f"{n} {word}" for n, word in
            ((e.unknown, "unknown"), (e.errors, "error"), (e.invalid, "invalid")) if n]  # fmt: skip
    attempts = f"{e.attempts} ({', '.join(lost)})" if lost else str(e.attempts)
    named = (e.metric, _pairs(e.stratum), _pairs(e.group) or "all")
    if e.withheld is not None:
        return (*named, "withheld", "", e.withheld, attempts)
    value = "unknown" if e.value is None else f"{four_digits(e.value)} {e.unit}"
    return (*named, value, f"{e.n}/{e.N} {e.of}", str(e.interval), attempts)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{_html(word)}</th>" for word in heads)
    body = "\n".join(f"<tr>{''.join(f'<td>{_html(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _pairs(keys: Keys) -> str:
    return ", ".join(f"{key} {value}" for key, value in keys)


def _names(names: Sequence[str]) -> str:
    return visible(", ".join(names) or "no family", escaped=True)


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _html(text: str) -> str:
    return escape(visible(text, escaped=True))
