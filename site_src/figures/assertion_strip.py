"""Assertion strip: which named assertions fail, by model, drawn in counts on one scale.

Assertions that never fail are counted, not drawn; those that fail most stand first.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import CheckRow, Estimate, Keys, Tally
from metrics_core.text import visible
from site_src.drawing import NARROW, WIDE, Figure, Sheet, pictures, width
from site_src.marks import StateName
from site_src.wording import (
    FigureContext,
    ReviewFilter,
    TextTable,
    captions,
    count,
    fraction,
    of_words,
    ratio_words,
    titles,
)

KIND = "assertion-strip"
LAYERS = ("boxes", "bars", "paths", "rules", "overlays", "labels")
MOST_ROWS, MOST_MODELS = 20, 5
MOST_BARS = 240
"""Bars of a picture: of many models fewer assertions are drawn, and five at least."""

NAME_ROOM = 330
BAR = 14

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
    rendered = pictures(
        KIND, LAYERS, _wide(failing, models, found, context, hidden), _narrow(failing, models, found,
                                                                              context, hidden),
        figure_id=figure_id, title=title, desc=(desc := _desc(found, failing)), memo=context.memo,
    )  # fmt: skip
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(found, context, reads=() if hidden else reads, notes=notes),
        table=_table(rows, models, hidden),
        csv=_csv(rows, hidden), spec=rendered.spec, estimates=found,
    )  # fmt: skip


def _failing(rows: Sequence[CheckRow]) -> list[Failing]:
    found = [(r.scenario, r.name, dict(r.by_model)) for r in rows if any(t.false for _, t in r.by_model)]
    return sorted(found, key=lambda r: (-sum(t.false for t in r[2].values()), r[0], r[1]))


def _desc(found: Sequence[Estimate], failing: Sequence[Failing]) -> str:
    sentences = [
        f"{visible(name)} of {visible(scenario)}: "
        + ", ".join(f"{visible(m)} {fraction(t.true, t.known)}" for m, t in sorted(tallies.items()))
        for scenario, name, tallies in failing
    ]
    return "; ".join((captions.described(found), *sentences))


def _bar(sheet: Sheet, tally: Tally, x: float, y: float, unit: float) -> None:
    pieces: tuple[tuple[StateName, int], ...] = (
        ("true", tally.true), ("false", tally.false), ("unknown", tally.unknown), ("error", tally.error),
        ("invalid", tally.invalid),
    )  # fmt: skip
    for state, size in pieces:
        if size:
            sheet.state_box(x + 0.5, y + 0.5, size * unit, BAR - 1, state)
            x += size * unit


def _key(failing: Sequence[Failing]) -> list[tuple[StateName, str]]:
    tallies = [t for _, _, by_model in failing for t in by_model.values()]
    words: tuple[tuple[StateName, str, bool], ...] = (
        ("true", "holds", any(t.true for t in tallies)), ("false", "fails", True),
        ("unknown", "unknown", any(t.unknown for t in tallies)), ("error", "error",
                                                                  any(t.error for t in tallies)),
    )  # fmt: skip
    return [(state, word) for state, word, there in words if there]


def _most(failing: Sequence[Failing]) -> int:
    return max((t.attempts for _, _, by_model in failing for t in by_model.values()), default=1) or 1


def _nothing(sheet: Sheet, hidden: str | None) -> Sheet:
    """What stands there where no assertion fails, or where none may be shown."""
    if hidden is not None:
        sheet.notice(hidden)
    else:
        sheet.label(0, 20, "No named assertion fails.", fill="ink2")
        sheet.height = 32
    return sheet


def _href(found: Sequence[Estimate], model: str, scenario: str, name: str, context: FigureContext) -> str:
    e = found[0]
    group = Keys({"model": model, "scenario": scenario})
    return context.links.reviews(
        ReviewFilter(experiment=e.experiment, family=e.family, group=group, stratum=e.stratum, assertion=name)
    )


def _own(found: Sequence[Estimate], model: str) -> str:
    """n/N of a model's own estimate, to stand under its name."""
    mine = next((e for e in found if e.group.get("model") == model), None)
    return "" if mine is None else f"{ratio_words(mine)} {of_words(mine)}"


def _wide(
    failing: Sequence[Failing], models: Sequence[str], found: Sequence[Estimate], context: FigureContext,
    hidden: str | None,
) -> Sheet:  # fmt: skip
    sheet = Sheet(WIDE)
    if not failing:
        return _nothing(sheet, hidden)
    y = sheet.key(0, 12, _key(failing), WIDE) + 10
    for at in range(0, len(models), MOST_MODELS):
        y = _panel(sheet, failing, models[at : at + MOST_MODELS], found, context, y) + 14
    sheet.height = y - 10
    return sheet


def _panel(
    sheet: Sheet, failing: Sequence[Failing], models: Sequence[str], found: Sequence[Estimate],
    context: FigureContext,
    y: float,
) -> float:  # fmt: skip
    """A column a model; gives the y below."""
    step = min(200.0, (WIDE - NAME_ROOM - 20) / len(models))
    unit = (step - 70) / _most(failing)
    sheet.label(0, y, "Assertion, task", size=12, fill="ink3")
    for i, model in enumerate(models):
        x = NAME_ROOM + 20 + i * step
        sheet.label(x, y, model, bold=True, room=step - 16)
        sheet.label(x, y + 16, _own(found, model), size=12, fill="ink2", room=step - 16)
    y += 26
    for scenario, name, tallies in failing:
        sheet.rule(0, y + 0.5, WIDE, y + 0.5)
        sheet.label(0, y + 18, name, size=12, mono=True, room=NAME_ROOM)
        sheet.label(0, y + 33, scenario, size=12, fill="ink2", room=NAME_ROOM)
        for i, model in enumerate(models):
            x = round(NAME_ROOM + 20 + i * step)
            tally = tallies.get(model)
            if tally is None or not tally.attempts:
                sheet.swatch(x + 0.5, y + 14.5, "missing")
                sheet.label(x + 20, y + 24, "not run", size=12, fill="ink2")
                continue
            _bar(sheet, tally, x, y + 13, unit)
            sheet.label(x + round(tally.attempts * unit) + 8, y + 24.5, fraction(tally.true, tally.known),
                        size=12,
                        bold=bool(tally.false), href=_href(found, model, scenario, name,
                                                           context))  # fmt: skip
        y += 42
    return y


def _narrow(
    failing: Sequence[Failing], models: Sequence[str], found: Sequence[Estimate], context: FigureContext,
    hidden: str | None,
) -> Sheet:  # fmt: skip
    sheet = Sheet(NARROW)
    if not failing:
        return _nothing(sheet, hidden)
    y = sheet.key(0, 12, _key(failing), NARROW) + 4
    names = min(110.0, max(width(visible(m), size=12) for m in models)) + 12
    unit = (NARROW - names - 60) / _most(failing)
    for model in models:
        own = _own(found, model)
        sheet.label(0, y, model, size=12, bold=True, room=NARROW - width(own, size=12) - 10)
        sheet.label(NARROW, y, own, size=12, fill="ink2", align="right")
        y += 17
    for scenario, name, tallies in failing:
        sheet.rule(0, y - 3.5, NARROW, y - 3.5)
        sheet.label(0, y + 16, name, size=12, mono=True, room=NARROW)
        sheet.label(0, y + 32, scenario, size=12, fill="ink2", room=NARROW)
        y += 52
        for model in models:
            sheet.label(0, y, model, size=12, room=names - 8)
            tally = tallies.get(model)
            if tally is None or not tally.attempts:
                sheet.label(names, y, "not run", size=12, fill="ink2")
            else:
                _bar(sheet, tally, names, y - 11, unit)
                sheet.label(NARROW, y, fraction(tally.true, tally.known), size=12, bold=bool(tally.false),
                            align="right",
                            href=_href(found, model, scenario, name, context))  # fmt: skip
            y += 20
        y += 4
    sheet.height = y - 6
    return sheet


def _table(rows: Sequence[CheckRow], models: Sequence[str], hidden: str | None) -> TextTable:
    header = ("Task", "Assertion", *(visible(m) for m in models))
    numeric = tuple(range(2, 2 + len(models)))
    if hidden is not None:
        return TextTable(header, (("all", "withheld", *("withheld" for _ in models)),), numeric)
    out = []
    for row in sorted(rows, key=lambda r: (r.scenario, r.name)):
        tallies = dict(row.by_model)
        cells = (fraction(tallies[m].true, tallies[m].known) if m in tallies else "not run" for m in models)
        out.append((visible(row.scenario), visible(row.name), *cells))
    return TextTable(header, tuple(out), numeric)


def _csv(rows: Sequence[CheckRow], hidden: str | None) -> TextTable:
    header = ("scenario", "assertion", "model", "true", "false", "unknown", "invalid", "error")
    out = [
        (row.scenario, row.name, model, *(str(v) for v in (t.true, t.false, t.unknown, t.invalid, t.error)))
        for row in rows if hidden is None for model, t in row.by_model
    ]  # fmt: skip
    return TextTable(header, tuple(out))
