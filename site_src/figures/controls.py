"""Controls: what guards the numbers of an experiment, held, failed or missing, check by check.

It shows no estimate: a control holds or fails, so there is no interval. Bars are drawn in counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metrics_core.results import Control, ControlCheck
from metrics_core.text import visible
from site_src.drawing import DrawnRow, Figure, RowCell, RowFigure, RowGroup, RowHead, RowTable, chart, strip
from site_src.marks import StateName, short, swatch
from site_src.wording import (
    FigureContext,
    Line,
    Span,
    TextTable,
    captions,
    count,
    fraction,
    sentence_case,
    svg_markup,
    titles,
)

KIND = "controls"

STATES: dict[str, StateName] = {
    "held": "true",
    "failed": "false",
    "missing": "missing",
    "not applicable": "still-in",
}


READS = (Span("A group is one control, a bar the checks of one kind that came out as they must."),)


def draw(
    found: Sequence[Control], *, figure_id: str, context: FigureContext, facts: Sequence[Line] = (),
    title: str = "",
) -> Figure:  # fmt: skip
    """Draw controls.

    Args:
        found: Controls of one experiment, in the order of their rows.
        figure_id: Id of the figure on its page.
        context: Links and build.
        facts: Contracts and data that were controlled, for the caption.
        title: In place of the one made from the data.

    Raises:
        ValueError: No control.
    """
    controls = tuple(found)
    if not controls:
        raise ValueError(f"figure {figure_id}: no control to draw")
    title = title or titles.controls(controls)
    caption = captions.controls_caption(controls, context, facts=facts, reads=READS)
    desc = "; ".join(captions.text(line) for line in caption.lines)
    table = _table(controls)
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, rows=_rows(controls, figure_id),
        caption=caption, table=table, csv=table, spec=_specification(controls), controls=controls,
    )  # fmt: skip


def _most(controls: Sequence[Control]) -> float:
    return float(max((check.N for control in controls for check in control.checks), default=1) or 1)


def _pieces(check: ControlCheck) -> list[tuple[StateName, int]]:
    untried = len(check.untried)
    pieces: tuple[tuple[StateName, int], ...] = (
        ("true", check.n), ("false", check.N - check.n - untried), ("missing", untried),
    )  # fmt: skip
    return [(state, size) for state, size in pieces if size]


def _guards(control: Control) -> str:
    """Whose numbers it guards; with the contract's digest where it guards one contract only."""
    one = f" under {short(control.contract)}" if control.contract else ""
    return f"guards {visible(control.guards)}{one}"


def _check_words(check: ControlCheck) -> str:
    return f"{visible(check.name)} must {visible(check.must)}"


def _rows(controls: Sequence[Control], figure_id: str) -> RowFigure:
    most = _most(controls)
    table = RowTable(
        of="amounts",
        whose="Check",
        heads=(RowHead(kind="counted", words="As it must"),),
        scale=strip.scale(((0.0, "0"), (most, count(round(most))))),
        groups=tuple(_group(control, most) for control in controls),
    )
    return RowFigure(id=figure_id, tables=(table,))


def _group(control: Control, most: float) -> RowGroup:
    """A control with its checks; of one without any, what is said of it stands in their place."""
    found = sentence_case(visible(control.detail))
    state = Span(control.told, "state", mark=svg_markup(swatch(STATES[control.state])))
    told: Line = (state, *((Span(f" {found}"),) if found else ()))
    return RowGroup(
        head=sentence_case(visible(control.title)),
        gloss=_guards(control),
        rows=tuple(_row(check, most) for check in control.checks),
        told=told if control.checks else (),
        instead=() if control.checks else told,
    )


def _row(check: ControlCheck, most: float) -> DrawnRow:
    marks = strip.Strip(0.0, most)
    at = 0
    for state, size in _pieces(check):
        marks.part(at, at + size, state)
        at += size
    share = fraction(check.n, check.N)
    words = _check_words(check)
    return DrawnRow(
        name=(Span(sentence_case(words)),),
        marks=marks.markup,
        cells=(RowCell(kind="counted", words=(Span(share, "plain" if check.held else "strong"),)),),
        arms="",
        says=f"{words}: {share}",
    )


def _specification(controls: Sequence[Control]) -> dict[str, Any]:
    bars: list[dict[str, Any]] = []
    for control in controls:
        for check in control.checks:
            at = 0
            for state, size in _pieces(check):
                bars.append({
                    "stage": f"{visible(control.title)}: {_check_words(check)}", "state": state,
                    "start": at, "end": at + size, "n": check.n, "N": check.N,
                })  # fmt: skip
                at += size
    return chart.in_bars(KIND, bars)


def _table(controls: Sequence[Control]) -> TextTable:
    rows = []
    for control in controls:
        about = (visible(control.title), control.told, visible(control.guards))
        if not control.checks:
            rows.append((*about, "none recorded", "", "", visible(control.detail)))
        rows += [
            (*about, visible(c.name), visible(c.must), fraction(c.n, c.N), visible(control.detail))
            for c in control.checks
        ]
    header = ("Control", "State", "Guards", "Check", "Must", "As it must", "Found")
    return TextTable(header, tuple(rows), (5,))
