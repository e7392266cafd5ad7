"""Assertion strip: which named assertions fail, by model, drawn in counts on one scale.

Assertions that never fail are counted, not drawn; those that fail most stand first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from metrics_core.results import CheckRow, Estimate, Keys, Tally
from site_src.drawing import (
    LONG,
    DrawnRow,
    Figure,
    RowCell,
    RowFigure,
    RowGroup,
    RowHead,
    RowTable,
    arm_rows,
    chart,
    strip,
    value_ticks,
)
from site_src.marks import StateName, swatch
from site_src.wording import (
    FigureContext,
    Line,
    ReviewFilter,
    Span,
    TextTable,
    captions,
    count,
    fraction,
    group_words,
    metric_words,
    sentence_case,
    shown_name,
    svg_markup,
    titles,
)

KIND = "assertion-strip"
MOST_ROWS = 20
MOST_BARS = 240
"""Bars of a picture: of many models fewer assertions are drawn, and five at least."""

Failing = tuple[str, str, dict[str, Tally]]
"""Scenario, assertion, and its tally by model."""


def draw(
    rows: Sequence[CheckRow], estimates: Sequence[Estimate], *, figure_id: str, context: FigureContext,
    title: str = "",
) -> Figure:  # fmt: skip
    """Draw failing assertions.

    Args:
        rows: Every named assertion of one stratum.
        estimates: What the assertions add up to, by model.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate or no assertion.
    """
    found = tuple(estimates)
    if not found or not rows:
        raise ValueError(f"figure {figure_id}: {len(rows)} assertions behind {len(found)} estimates")
    hidden = next((e.withheld for e in found if e.withheld is not None), None)
    failing = [] if hidden is not None else _failing(rows)
    models = sorted({model for row in rows for model, _ in row.by_model})
    title = title or (
        titles.fitting("which assertions fail is withheld") if hidden else titles.assertion_strip(rows)
    )
    never = len(rows) - len(failing)
    notes = [] if hidden is not None else [f"assertions that never fail: {fraction(never, len(rows))}"]
    notes += captions.beside_notes(found)
    room = min(MOST_ROWS, max(5, MOST_BARS // max(1, len(models))))
    cut = f"Of those that fail, the first {count(room)} are drawn." if len(failing) > room else ""
    failing = failing[:room]
    reads = ("A row is one named assertion, a bar its runs of one model; what fails most comes first.", cut)
    tables = (
        (arm_rows.hidden(found, context),)
        if hidden is not None
        else (_whole(found, context), _checks(failing, models, found, context))
    )
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=_desc(found, failing),
        rows=RowFigure(id=figure_id, key=tuple(_key(failing)), tables=tables),
        caption=captions.caption(found, context, reads=() if hidden else reads, notes=notes),
        table=_table(rows, models, hidden),
        csv=_csv(rows, hidden), spec=_specification(failing), estimates=found,
    )  # fmt: skip


def _failing(rows: Sequence[CheckRow]) -> list[Failing]:
    found = [(r.scenario, r.name, dict(r.by_model)) for r in rows if any(t.false for _, t in r.by_model)]
    return sorted(found, key=lambda r: (-sum(t.false for t in r[2].values()), r[0], r[1]))


def _desc(found: Sequence[Estimate], failing: Sequence[Failing]) -> str:
    sentences = [
        f"{shown_name(name)} of {shown_name(scenario)}: "
        + ", ".join(f"{shown_name(m)} {fraction(t.true, t.known)}" for m, t in sorted(tallies.items()))
        for scenario, name, tallies in failing
    ]
    return "; ".join((captions.described(found), *sentences))


def _pieces(tally: Tally) -> list[tuple[StateName, int]]:
    pieces: tuple[tuple[StateName, int], ...] = (
        ("true", tally.true), ("false", tally.false), ("unknown", tally.unknown), ("error", tally.error),
        ("invalid", tally.invalid),
    )  # fmt: skip
    return [(state, size) for state, size in pieces if size]


_KEY: dict[StateName, str] = {
    "true": "holds", "false": "fails", "unknown": "unknown", "error": "error", "invalid": "invalid record",
}  # fmt: skip


def _key(failing: Sequence[Failing]) -> Iterator[Line]:
    states = {state for _, _, by_model in failing for t in by_model.values() for state, _ in _pieces(t)}
    for state, words in _KEY.items():
        if state in states:
            yield (Span(words, mark=svg_markup(swatch(state))),)


def _most(failing: Sequence[Failing]) -> int:
    return max((t.attempts for _, _, by_model in failing for t in by_model.values()), default=1) or 1


def _href(found: Sequence[Estimate], model: str, scenario: str, name: str, context: FigureContext) -> str:
    e = found[0]
    group = Keys({"model": model, "scenario": scenario})
    return context.links.reviews(
        ReviewFilter(experiment=e.experiment, family=e.family, group=group, stratum=e.stratum, assertion=name)
    )


# ---------------------------------------------------------------------------------------------------- rows


def _whole(found: Sequence[Estimate], context: FigureContext) -> RowTable:
    """What the assertions add up to, by model, and below it what is always read with it."""
    ticks = value_ticks(found[0].unit, [v for e in found for v in (e.value, e.interval.hi) if v is not None])
    names = [
        shown_name(model) if (model := e.group.get("model")) else group_words(e.group, e.words) for e in found
    ]
    metrics = tuple(dict.fromkeys(e.metric for e in found))
    groups = (
        RowGroup(
            head=sentence_case(metric_words(metric, found[0].words)) if len(metrics) > 1 else "",
            rows=tuple(
                arm_rows.row(e, (Span(name),), name, ticks, context)
                for name, e in zip(names, found, strict=True)
                if e.metric == metric
            ),
        )
        for metric in metrics
    )
    return RowTable(
        name="All assertions, by model", of="arms", whose="Model", heads=arm_rows.heads(context),
        scale=strip.scale(ticks), groups=tuple(groups), long=_long(names),
    )  # fmt: skip


def _checks(
    failing: Sequence[Failing], models: Sequence[str], found: Sequence[Estimate], context: FigureContext
) -> RowTable:
    """Each assertion that fails, a bar a model."""
    most = _most(failing)
    groups = (
        RowGroup(
            head=shown_name(name),
            gloss=shown_name(scenario),
            rows=tuple(
                _row(model, tallies.get(model), most, _href(found, model, scenario, name, context))
                for model in models
            ),
        )
        for scenario, name, tallies in failing
    )
    nothing = (RowGroup(instead=(Span("No named assertion fails."),)),)
    return RowTable(
        name="Assertions that fail", of="checks", whose="Assertion, task",
        heads=(RowHead(kind="counted", words="n/N", defined=context.links.term("n-of-n")),),
        scale=Markup(), groups=tuple(groups) or nothing, long=_long(models),
    )  # fmt: skip


def _long(names: Sequence[str]) -> bool:
    return any(len(shown_name(name)) > LONG for name in names)


def _row(model: str, tally: Tally | None, most: int, href: str) -> DrawnRow:
    marks = strip.Strip(0.0, float(most))
    words: Line = (Span("not run", "quiet", mark=svg_markup(swatch("missing"))),)
    says = f"{shown_name(model)}: not run"
    if tally is not None and tally.attempts:
        at = 0
        for state, size in _pieces(tally):
            marks.part(at, at + size, state)
            at += size
        held = fraction(tally.true, tally.known)
        words = (Span(held, "strong" if tally.false else "plain", href),)
        says = f"{shown_name(model)}: holds in {held}; {count(tally.attempts - tally.known)} not known"
    return DrawnRow(
        name=(Span(shown_name(model)),), marks=marks.markup, cells=(RowCell(kind="counted", words=words),),
        arms=shown_name(model), says=says,
    )  # fmt: skip


def _specification(failing: Sequence[Failing]) -> dict[str, Any]:
    bars: list[dict[str, Any]] = []
    for scenario, name, tallies in failing:
        for model, tally in sorted(tallies.items()):
            at = 0
            for state, size in _pieces(tally):
                bars.append({
                    "stage": f"{shown_name(name)}, {shown_name(scenario)}: {shown_name(model)}",
                    "state": state, "start": at, "end": at + size, "n": tally.true, "N": tally.known,
                })  # fmt: skip
                at += size
    return chart.in_bars(KIND, bars)


def _table(rows: Sequence[CheckRow], models: Sequence[str], hidden: str | None) -> TextTable:
    header = ("Task", "Assertion", *(shown_name(m) for m in models))
    numeric = tuple(range(2, 2 + len(models)))
    if hidden is not None:
        return TextTable(header, (("all", "withheld", *("withheld" for _ in models)),), numeric)
    out = []
    for row in sorted(rows, key=lambda r: (r.scenario, r.name)):
        tallies = dict(row.by_model)
        cells = (fraction(tallies[m].true, tallies[m].known) if m in tallies else "not run" for m in models)
        out.append((shown_name(row.scenario), shown_name(row.name), *cells))
    return TextTable(header, tuple(out), numeric)


def _csv(rows: Sequence[CheckRow], hidden: str | None) -> TextTable:
    header = ("scenario", "assertion", "model", "true", "false", "unknown", "invalid", "error")
    out = [
        (row.scenario, row.name, model, *(str(v) for v in (t.true, t.false, t.unknown, t.invalid, t.error)))
        for row in rows if hidden is None for model, t in row.by_model
    ]  # fmt: skip
    return TextTable(header, tuple(out))
