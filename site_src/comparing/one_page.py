"""A comparison as one HTML file: no script, nothing outside, small enough for a mail.

Does: set the facts, the two intervals, the difference and the tasks that changed as a page of its own. Does
not: link to runs; they are not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from markupsafe import Markup
from msgspec import Struct

from metrics_core.comparison import Compared, Comparing, TaskOutcome
from metrics_core.results import Comparison, Separation
from metrics_core.text import visible
from site_src.comparing.facts import Fact, facts_of
from site_src.drawing import SHARE_TICKS, difference_ticks, strip
from site_src.installed import VERSION, assets_folder
from site_src.pages import assets, render
from site_src.wording import (
    count,
    lost_by_state,
    many,
    number,
    paired_words,
    sentence,
    spans,
    strict_words,
    svg_markup,
    value_runs,
)

MOST_TASKS: Final = 200
"""Tasks of one sort that are listed; the rest are counted."""


class VerdictLine(Struct, frozen=True, kw_only=True):
    """One rule of separation and what it says."""

    rule: str
    words: str


class ArmRow(Struct, frozen=True, kw_only=True):
    """One line of the drawing: whose, its marks, its value in words, and what is not known."""

    name: str
    marks: Markup
    value: str
    lost: str


class TaskRow(Struct, frozen=True, kw_only=True):
    """One task that changed: its name, both means with their runs, and the change."""

    name: str
    a: str
    b: str
    change: str


class TaskGroup(Struct, frozen=True, kw_only=True):
    """Tasks that changed the same way; ``rest`` says how many more there are."""

    title: str
    rows: tuple[TaskRow, ...]
    rest: str


class OnePage(Struct, frozen=True, kw_only=True):
    """Everything that the template prints."""

    template: ClassVar[str] = "compare/one-page.html"
    title: str
    finding: str
    style: Markup
    verdicts: tuple[VerdictLine, ...]
    scale: Markup
    arms: tuple[ArmRow, ...]
    difference_scale: Markup
    difference: tuple[ArmRow, ...]
    facts: tuple[Fact, ...]
    baseline: str
    candidate: str
    tasks: tuple[TaskGroup, ...]
    digests: tuple[str, ...]
    problems: tuple[str, ...]


def html_file(c: Comparing) -> str:
    """The page.

    Args:
        c: As it was compared.
    """
    template = render.environment().get_template(OnePage.template)
    return template.render(view=_view(c))


def _view(c: Comparing) -> OnePage:
    first = c.first
    pair = first.comparison
    told = facts_of(c)
    rules = [file.data.decode() for file in assets() if file.path.endswith(".css")]
    rules.append((assets_folder() / "one-page.css").read_text("utf-8"))
    shares = first.a.unit == "fraction" and first.b.unit == "fraction"
    return OnePage(
        title=told[0].words,
        finding=f"{spans.text(sentence(pair))}.",
        style=svg_markup(f"<style>{chr(10).join(rules)}</style>"),
        verdicts=tuple(_verdicts(first)),
        scale=strip.scale(SHARE_TICKS),
        arms=tuple(_arms(first)) if shares else (),
        difference_scale=strip.scale(_ticks(pair)),
        difference=tuple(_difference(pair)),
        facts=tuple(told[1:]),
        baseline=visible(pair.a),
        candidate=visible(pair.b),
        tasks=tuple(_tasks(first)),
        digests=tuple(_digests(c)),
        problems=tuple(_problems(c)),
    )


def _verdicts(c: Compared) -> Iterator[VerdictLine]:
    if c.comparison.outcome is Separation.NOT_COMPARABLE:
        return
    yield VerdictLine(rule="By their own intervals", words=strict_words(c.comparison))
    if not c.comparison.unpaired:
        on = many(c.comparison.paired_on or 0, "task")
        yield VerdictLine(rule=f"On the same {on}", words=paired_words(c.comparison))


def _arms(c: Compared) -> Iterator[ArmRow]:
    for name, e, health in zip((c.comparison.a, c.comparison.b), (c.a, c.b), c.health, strict=True):
        row = strip.Strip(0.0, 1.0)
        row.grid([at for at, _ in SHARE_TICKS])
        row.estimate(e)
        never = f"{count(health.never_recorded)} never recorded" if health.never_recorded else ""
        lost = lost_by_state(e)
        yield ArmRow(
            name=visible(name),
            marks=row.markup,
            value=spans.text(value_runs(e)),
            lost=lost if "never recorded" in lost else ", ".join(filter(None, (lost, never))),
        )


def _ticks(pair: Comparison) -> Sequence[tuple[float, str]]:
    lo, hi = pair.interval.lo, pair.interval.hi
    return difference_ticks([] if lo is None or hi is None else [lo, hi])


def _difference(pair: Comparison) -> Iterator[ArmRow]:
    lo, hi = pair.interval.lo, pair.interval.hi
    if pair.difference is None or lo is None or hi is None:
        return
    ticks = _ticks(pair)
    row = strip.Strip(ticks[0][0], ticks[-1][0])
    row.grid([at for at, _ in ticks], strong=(0.0,))
    row.interval(lo, hi)
    shade = {Separation.SEPARATED: "full", Separation.SAME_TASKS_ONLY: "half"}.get(pair.outcome, "hollow")
    row.point(pair.difference, shade=shade)  # type: ignore[arg-type]
    yield ArmRow(name=f"{visible(pair.a)} − {visible(pair.b)}", marks=row.markup, value="", lost="")


def _tasks(c: Compared) -> Iterator[TaskGroup]:
    if c.tasks is None:
        return
    name = visible(c.comparison.b)
    for word, found in (("worse", c.tasks.worse), ("better", c.tasks.better)):
        if found:
            rest = len(found) - MOST_TASKS
            yield TaskGroup(
                title=f"{many(len(found), 'task')} on which {name} is {word}",
                rows=tuple(_task(t, c.a.unit) for t in found[:MOST_TASKS]),
                rest=f"and {count(rest)} more" if rest > 0 else "",
            )


def _task(t: TaskOutcome, unit: str) -> TaskRow:
    def side(mean: float, runs: int) -> str:
        return f"{number(mean, unit)} over {many(runs, 'run')}"

    change = f"{t.change:+.2f}".replace("-", "−")
    return TaskRow(name=visible(t.task), a=side(t.a, t.runs[0]), b=side(t.b, t.runs[1]), change=change)


def _digests(c: Comparing) -> Iterator[str]:
    contract = c.first.a.contract
    yield f"contract {visible(contract.id)} v{visible(contract.version)} {contract.digest}"
    for side in c.things:
        yield f"data of {visible(side.name)} {side.report.data_digest}"
    yield f"pack {c.first.a.pack or 'none'}"
    yield f"assay {VERSION}"


def _problems(c: Comparing) -> Iterator[str]:
    for side in c.things:
        for problem in (*side.report.problems, *side.report.findings):
            yield f"{visible(side.name)}: {visible(str(problem))}"
