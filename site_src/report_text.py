"""A report for a terminal: each number under its metric and stratum, each difference under the same heading.

Does: choose the numbers of the whole experiment and of each arm, and lay them out for a width, or one line
each where there is none. Does not: print, or spell a number; `site_src.wording` does.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from metrics_core.results import STAGE, Comparison, Estimate, Keys, Report, Vocabulary, told_together
from metrics_core.text import visible
from site_src.console import safe
from site_src.wording import (
    arm_of,
    count,
    few_words,
    group_words,
    is_mean,
    left_out_words,
    listed,
    many,
    metric_words,
    missing,
    number,
    numbers,
    of_words,
    over_words,
    p_words,
    ratio,
    reason_words,
    signed,
    span,
    stratum_words,
    unequal_words,
    verdict_words,
    why_bounds,
)

Subject = tuple[str, str, Keys]
"""Family, metric and stratum: what a heading names."""

NO_BREAK: Final = "\u00a0"

_VALUE: Final = 1
"""The column of values, which stand below each other by their last digit."""

_LONGEST_VALUE: Final = 24
"""Characters of a stratum's digest in a heading."""


class TextRow(Struct, frozen=True):
    """One number in a table: cells that stand below each other, and words that follow them."""

    cells: tuple[str, ...]
    note: str = ""


def report_text(report: Report, width: int | None = None, description: str = "") -> str:
    """A report in lines of text without a control character.

    Args:
        report: As computed.
        width: Columns of the terminal; None leaves each number in one line, however long.
        description: What the experiment says of itself, such as how a table was read that it was made from.
    """
    lines = [
        f"{report.experiment} ({', '.join(report.families)}): {many(report.records, 'record')}",
        f"data {report.data_digest}",
    ]
    if description:
        lines.append(f"said of it: {description}")
    if report.controls:
        lines += ["", "controls"]
        lines += laid_out([TextRow((c.state,), f"{c.title}: {c.detail}") for c in report.controls], width)
    sections = list(_sections(report))
    for subject, estimates, comparisons in sections:
        lines += [
            "",
            *_wrapped(
                _heading(subject, report.words_of(subject[0]), several=len(report.families) > 1), width, 0
            ),
        ]
        lines += laid_out([_estimate(e) for e in estimates], width)
        lines += laid_out([_comparison(c) for c in comparisons], width)
    lines += ["", *_wrapped(_further(report, [e for _, shown, _ in sections for e in shown]), width, 0)]
    for word, found in (("invalid", report.problems), ("finding", report.findings)):
        lines += [line for p in told_together(found) for line in _wrapped(f"{word}: {p}", width, 2)]
    return "\n".join(safe(line) for line in lines)


def laid_out(rows: Sequence[TextRow], width: int | None) -> list[str]:
    """Rows as lines: in columns where these fit, else each row by itself; notes go below where they must.

    >>> laid_out([TextRow(("all", "0.5", "2/4")), TextRow(("alpha", "1", "2/2"), "few")], None)
    ['  all    0.5  2/4', '  alpha    1  2/2  few']
    >>> laid_out([TextRow(("alpha", "0.5", "2/4 known verdicts"), "few runs")], 26)
    ['  alpha  0.5', '      2/4 known verdicts', '      few runs']
    """
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(*(row.cells for row in rows), strict=True)]
    used = [at for at, size in enumerate(widths) if size]
    aligned = width is None or sum(2 + widths[at] for at in used) <= width
    lines: list[str] = []
    for row in rows:
        if aligned:
            right = {_VALUE} if len(widths) > 2 else set()
            line = "  ".join(
                (str.rjust if at in right else str.ljust)(row.cells[at], widths[at]) for at in used
            )
        else:  # a line breaks between two cells, and within one only where it is longer than a line
            line = "  ".join(_glued(cell, width) for cell in row.cells if cell)
        if not row.note or not row.cells[-1]:
            line = line.rstrip()
        if row.note and (width is None or 4 + len(line) + len(row.note) <= width):
            line = f"{line}  {row.note}"
            lines += _wrapped(line, width, 2)
        else:
            lines += _wrapped(line, width, 2)
            lines += _wrapped(row.note, width, 6) if row.note else []
    return lines


def _glued(cell: str, width: int | None) -> str:
    """A cell that stays in one line where it fits into one."""
    return cell if width is not None and len(cell) > width - 6 else cell.replace(" ", NO_BREAK)


def _wrapped(text: str, width: int | None, indent: int) -> list[str]:
    """A text in lines of a width; a name that is wider stays whole. Further lines stand deeper."""
    if width is None or indent + len(text) <= width:
        return [" " * indent + text.replace(NO_BREAK, " ").rstrip()]
    lines = textwrap.wrap(
        text,
        max(width, 20),
        initial_indent=" " * indent,
        subsequent_indent=" " * max(indent, 6),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(NO_BREAK, " ") for line in lines]


def _sections(report: Report) -> Iterator[tuple[Subject, list[Estimate], list[Comparison]]]:
    """The numbers of each subject, in order of families and metrics."""
    shown = [e for e in report.estimates if e.metric != STAGE]
    subjects = {*map(_subject, shown), *map(_subject, report.comparisons)}
    for subject in sorted(subjects, key=lambda each: _place(each, report)):
        mine = [e for e in shown if _subject(e) == subject]
        yield subject, _chosen(mine), [c for c in report.comparisons if _subject(c) == subject]


def _place(subject: Subject, report: Report) -> tuple[str, int, Subject]:
    """Sorts subjects: a family's metrics as it names them, so that its first stands first; then the rest."""
    words = report.words_of(subject[0])
    named = [metric.name for metric in words.metrics] if words is not None else []
    return subject[0], named.index(subject[1]) if subject[1] in named else len(named), subject


def _subject(x: Estimate | Comparison) -> Subject:
    return x.family, x.metric, x.stratum


def _chosen(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Those of the whole experiment and of each arm; a key that every one of them has chooses none."""
    common = set.intersection(*(set(e.group.names) for e in estimates)) if estimates else set()
    free = [(e.group.without(*common), e) for e in estimates]
    chosen = [(keys, e) for keys, e in free if not keys or arm_of(keys, e.words) is not None]
    return [e for _, e in sorted(chosen, key=lambda pair: (pair[0], pair[1].group))]


def _heading(subject: Subject, words: Vocabulary | None, *, several: bool) -> str:
    """Metric and stratum, also those parts of a stratum that captions give in full elsewhere."""
    family, metric, stratum = subject
    where = stratum_words(stratum, words)
    rest = [f"{key} {visible(value)[:_LONGEST_VALUE]}" for key, value in stratum
            if not stratum_words([(key, value)], words)]  # fmt: skip
    shown = ", ".join(filter(None, (metric_words(metric, words), where, *rest)))
    return f"{shown} ({visible(family)})" if several else shown


def _estimate(e: Estimate) -> TextRow:
    """Whose, value, n/N, interval and attempts; then why a number is missing, or what it is a mean of."""
    whose = group_words(e.group, e.words)
    if e.withheld is not None:
        return TextRow((whose, "withheld", "", "", ""), visible(e.withheld))
    counted = f"{ratio(e)} {of_words(e, brief=False)}"
    lost = missing(e)
    if e.headline == "bounds" and e.bounds:
        lo, hi = (number(limit, e.unit) for limit in e.bounds)
        decides = f"interval of what is known {found}" if (found := numbers.limits(e)) else ""
        further = [f"in place of a point: {why_bounds(e)}", decides, unequal_words(e), left_out_words(e)]
        return TextRow((whose, "-", counted, f"bounds {lo} to {hi}", lost), ", ".join(filter(None, further)))
    if e.headline in ("counts", "nothing") or e.value is None:
        only = few_words(e) if e.N else "no interval"
        return TextRow(
            (whose, "-", counted, only, lost), ", ".join((reason_words(e.interval), *map(visible, e.notes)))
        )
    notes = []
    if e.summary is not None:
        p90 = number(e.summary.p90, e.unit, places=numbers.places(e))
        notes = ["median", f"90th percentile {p90}", f"total {number(e.summary.total, e.unit)}"]
    elif is_mean(e):
        notes = [over_words(e)]
    limits = numbers.limits(e)
    notes += [] if limits else [reason_words(e.interval)]
    notes += [words for words in (unequal_words(e), left_out_words(e), *map(visible, e.notes)) if words]
    return TextRow((whose, numbers.value(e), counted, limits or "no interval", lost), ", ".join(notes))


def _comparison(c: Comparison) -> TextRow:
    """Who less whom, the difference, its interval, what it rests on, and what follows from it."""
    pair = " − ".join(group_words(Keys({c.over: arm}), c.words) for arm in (c.a, c.b))
    pair += f", {group_words(c.group, c.words)}" if c.group else ""
    if c.difference is None:
        return TextRow((pair, "-", "", "", ""), verdict_words(c))
    limits = span(c.interval, "fraction", difference=True)
    over = "different tasks" if c.unpaired else f"{many(c.paired_on or 0, 'task')} in common"
    p = "" if c.p_adjusted is None else f"p {p_words(c.p_adjusted)} after Holm over {count(c.holm_size)}"
    why = "" if limits else f"; no interval: {reason_words(c.interval)}"
    return TextRow((pair, signed(c.difference), limits or "no interval", over, p), verdict_words(c) + why)


def _further(report: Report, printed: Sequence[Estimate]) -> str:
    """What is not printed: numbers by further keys."""
    ids = {e.id for e in printed}
    more = [e for e in report.estimates if e.id not in ids]
    if not more:
        return "every number of the report is printed above"
    keys = sorted({key for e in more for key in e.group.names if arm_of(Keys({key: ""}), e.words) is None})
    by = f" by {listed([visible(key).replace('_', ' ') for key in keys])}" if keys else ""
    return f"{many(len(more), 'more number')}{by}: --json gives every one"
