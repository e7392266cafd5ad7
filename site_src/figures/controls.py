"""Controls: what guards the numbers of an experiment, held, failed or missing, check by check.

It shows no estimate: a control holds or fails, so there is no interval. Bars are drawn in counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import Control, ControlCheck
from metrics_core.text import visible
from site_src.drawing import NARROW, WIDE, Figure, Sheet, pictures, width, wrap
from site_src.marks import StateName, short
from site_src.wording import FigureContext, Line, Span, TextTable, captions, fraction, sentence_case, titles

KIND = "controls"
LAYERS = ("boxes", "bars", "paths", "rules", "overlays", "labels")
BAR = 14

STATES: dict[str, StateName] = {
    "held": "true",
    "failed": "false",
    "missing": "missing",
    "not applicable": "still-in",
}


READS = (Span("A row is one control, its bar the checks that came out as they must."),)


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
    rendered = pictures(
        KIND,
        LAYERS,
        _wide(controls),
        _narrow(controls),
        figure_id=figure_id,
        title=title,
        desc=desc,
        memo=context.memo,
    )
    table = _table(controls)
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=caption, table=table, csv=table, spec=rendered.spec, controls=controls,
    )  # fmt: skip


def _most(controls: Sequence[Control]) -> float:
    return float(max((check.N for control in controls for check in control.checks), default=1) or 1)


def _bar(sheet: Sheet, check: ControlCheck, y: float) -> None:
    untried = len(check.untried)
    sheet.stack((("true", check.n), ("false", check.N - check.n - untried), ("missing", untried)), y, BAR)


def _state(sheet: Sheet, control: Control, x: float, y: float) -> None:
    sheet.swatch(x + 0.5, y - 10.5, STATES[control.state])
    sheet.label(x + 18, y, control.told, bold=True)


def _guards(control: Control) -> str:
    """Whose numbers it guards; with the contract's digest where it guards one contract only."""
    one = f" under {short(control.contract)}" if control.contract else ""
    return f"guards {visible(control.guards)}{one}"


def _check_words(check: ControlCheck) -> str:
    return f"{visible(check.name)} must {visible(check.must)}"


def _wide(controls: Sequence[Control]) -> Sheet:
    sheet = Sheet(WIDE)
    sheet.parameters = {"left": 672.5, "right": WIDE - 0.5, "counts": _most(controls)}
    y = 12.0
    heads = (
        (0, "Control"),
        (220, "State"),
        (360, "What was found, check by check"),
        (672, "checks, counted as they must be"),
    )
    for x, words in heads:
        sheet.label(x, y, words, size=12, fill="ink3")
    y += 10
    for control in controls:
        sheet.rule(0, y + 0.5, WIDE, y + 0.5)
        sheet.label(0, y + 24, sentence_case(visible(control.title)), bold=True, room=205)
        sheet.label(0, y + 41, _guards(control), size=12, fill="ink2", room=205)
        _state(sheet, control, 220, y + 24)
        at = y + 24
        for words in wrap(sentence_case(visible(control.detail)), WIDE - 360, size=13, lines=3):
            sheet.label(360, at, words, fill="ink2")
            at += 18
        at += 2
        for check in control.checks:
            sheet.label(360, at, _check_words(check), size=12, fill="ink2", room=240)
            _bar(sheet, check, at - 11)
            sheet.label(660, at, fraction(check.n, check.N), bold=not check.held, align="right")
            at += 20
        y = max(y + 54, at - 6)
    sheet.height = y
    return sheet


def _narrow(controls: Sequence[Control]) -> Sheet:
    sheet = Sheet(NARROW)
    sheet.parameters = {"left": 0.5, "right": NARROW - 0.5, "counts": _most(controls)}
    y = 0.0
    for control in controls:
        sheet.rule(0, y + 0.5, NARROW, y + 0.5)
        state = 18 + width(control.told, bold=True)
        sheet.label(0, y + 22, sentence_case(visible(control.title)), bold=True, room=NARROW - state - 12)
        _state(sheet, control, round(NARROW - state), y + 22)
        sheet.label(0, y + 39, _guards(control), size=12, fill="ink2", room=NARROW)
        y += 57
        for words in wrap(sentence_case(visible(control.detail)), NARROW, size=12, lines=5):
            sheet.label(0, y, words, size=12, fill="ink2")
            y += 15
        for check in control.checks:
            share = fraction(check.n, check.N)
            sheet.label(0, y + 6, _check_words(check), size=12, room=NARROW - width(share, bold=True) - 12)
            sheet.label(NARROW, y + 6, share, bold=not check.held, align="right")
            _bar(sheet, check, y + 11)
            y += 36
        y += 4
    sheet.height = y
    return sheet


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
