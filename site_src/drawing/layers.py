"""Layers that charts are made of: each draws the rows of one named dataset, in Altair's words.

Does: declare marks and how fields become positions and colours. Does not: hold data, nor choose places;
`site_src.drawing.sheet` collects rows, each figure lays them out. Altair is imported when a chart is
first built, never before.

Positions named ``x``, ``y`` are px of the picture. Positions on an axis (``at``, ``lo``, ``hi``, ``value``,
``from``, ``to``) are data, on a scale whose domain and range are the chart's parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

PARAMETERS: Final = ("low", "high", "start", "end", "floor", "ceiling", "top", "bottom")
"""``low``..``high`` on the value axis is drawn from ``start`` to ``end``; a second value axis, upright, from
``floor`` at ``bottom`` to ``ceiling`` at ``top``."""


def _axis(channel: Callable[..., Any], field: str, domain: tuple[str, str], reach: tuple[str, str]) -> Any:
    import altair as alt

    scale = alt.Scale(
        domain=[alt.ExprRef(name) for name in domain],
        range=[alt.ExprRef(name) for name in reach],
        zero=False, nice=False, clamp=False,
    )  # fmt: skip
    return channel(f"{field}:Q", scale=scale, axis=None)


def _along(field: str) -> Any:
    import altair as alt

    return _axis(alt.X, field, ("low", "high"), ("start", "end"))


def _upright(field: str) -> Any:
    import altair as alt

    return _axis(alt.Y, field, ("floor", "ceiling"), ("bottom", "top"))


def _px(channel: Callable[..., Any], field: str) -> Any:
    return channel(f"{field}:Q", scale=None, axis=None)


def _own(*names: str) -> dict[str, Any]:
    """Mark properties that each row brings along."""
    import altair as alt

    spelled = {"strokeWidth": "width", "strokeDash": "dash", "fontSize": "size", "fontWeight": "weight"}
    return {name: alt.ExprRef(f"datum.{spelled.get(name, name)}") for name in names}


def _rows(dataset: str) -> Any:
    import altair as alt

    return alt.Chart(alt.NamedData(name=dataset))


def grid() -> Any:
    """Rows ``at, y, y2, stroke, width, dash``: lines across a value axis."""
    import altair as alt

    return (
        _rows("grid")
        .mark_rule(**_own("stroke", "strokeWidth", "strokeDash"))
        .encode(x=_along("at"), y=_px(alt.Y, "y"), y2="y2:Q")
    )


def levels() -> Any:
    """Rows ``at, x, x2, stroke, width, dash``: lines across an upright value axis."""
    import altair as alt

    return (
        _rows("levels")
        .mark_rule(**_own("stroke", "strokeWidth", "strokeDash"))
        .encode(y=_upright("at"), x=_px(alt.X, "x"), x2="x2:Q")
    )


def boxes() -> Any:
    """Rows ``x, x2, y, y2, fill, stroke, width, dash``: swatches, strips, cells."""
    import altair as alt

    return (
        _rows("boxes")
        .mark_rect(**_own("fill", "stroke", "strokeWidth", "strokeDash"))
        .encode(x=_px(alt.X, "x"), x2="x2:Q", y=_px(alt.Y, "y"), y2="y2:Q")
    )


def tiles() -> Any:
    """Rows ``x, x2, y, y2, fill, strength``: cells whose colour is as strong as their value, from 0 to 1."""
    import altair as alt

    return (
        _rows("tiles")
        .mark_rect(**_own("fill"), fillOpacity=alt.ExprRef("datum.strength"))
        .encode(x=_px(alt.X, "x"), x2="x2:Q", y=_px(alt.Y, "y"), y2="y2:Q")
    )


def paths() -> Any:
    """Rows ``x, y, d, stroke, fill, width, dash``: outlines whose data are px from (x, y)."""
    import altair as alt

    own = _own("stroke", "fill", "strokeWidth", "strokeDash")
    return (
        _rows("paths")
        .mark_point(**own, filled=False, opacity=1, size=4)
        .encode(x=_px(alt.X, "x"), y=_px(alt.Y, "y"), shape=alt.Shape("d:N", scale=None))
    )  # an outline is scaled by half the root of its size: 4 leaves px as they are


def rules() -> Any:
    """Rows ``x, y, x2, y2, stroke, width, dash``: lines that belong to no axis."""
    import altair as alt

    return (
        _rows("rules")
        .mark_rule(**_own("stroke", "strokeWidth", "strokeDash"))
        .encode(x=_px(alt.X, "x"), x2="x2:Q", y=_px(alt.Y, "y"), y2="y2:Q")
    )


def bands() -> Any:
    """Rows ``x, lo, hi, run``: areas between limits, one a run of points that may be joined."""
    import altair as alt

    return (
        _rows("bands")
        .mark_area(fill="var(--band)", opacity=1)
        .encode(x=_px(alt.X, "x"), y=_upright("lo"), y2="hi:Q", detail="run:N")
    )


def lines() -> Any:
    """Rows ``x, value, run``: lines through points that may be joined."""
    import altair as alt

    return (
        _rows("lines")
        .mark_line(stroke="var(--ink)", strokeWidth=1.5)
        .encode(x=_px(alt.X, "x"), y=_upright("value"), detail="run:N", order=alt.Order("x:Q"))
    )


def intervals() -> Any:
    """Rows ``lo, hi, y, stroke, width, dash``: intervals and bounds along a value axis."""
    import altair as alt

    return (
        _rows("intervals")
        .mark_rule(**_own("stroke", "strokeWidth", "strokeDash"))
        .encode(x=_along("lo"), x2="hi:Q", y=_px(alt.Y, "y"))
    )


def caps() -> Any:
    """Rows ``at, y, y2, stroke, width``: ends of an interval along a value axis."""
    import altair as alt

    return (
        _rows("caps")
        .mark_rule(**_own("stroke", "strokeWidth"))
        .encode(x=_along("at"), y=_px(alt.Y, "y"), y2="y2:Q")
    )


def _moved(*ends: str) -> dict[str, Any]:
    """Mark properties of panels below one another: a row's ``down``, in px, where it has one."""
    import altair as alt

    return {end: alt.ExprRef("datum.down || 0") for end in ends}


def upright_intervals() -> Any:
    """Rows ``x, lo, hi, stroke, width, dash`` and maybe ``down``: intervals along an upright value axis."""
    import altair as alt

    own = _own("stroke", "strokeWidth", "strokeDash") | _moved("yOffset", "y2Offset")
    return _rows("upright_intervals").mark_rule(**own).encode(y=_upright("lo"), y2="hi:Q", x=_px(alt.X, "x"))


def upright_caps() -> Any:
    """Rows ``at, x, x2, stroke, width`` and maybe ``down``: ends of an upright interval."""
    import altair as alt

    own = _own("stroke", "strokeWidth") | _moved("yOffset")
    return _rows("upright_caps").mark_rule(**own).encode(y=_upright("at"), x=_px(alt.X, "x"), x2="x2:Q")


def upright_points() -> Any:
    """Rows ``x, value, fill, stroke, size`` and maybe ``down``: points on an upright value axis."""
    import altair as alt

    own = _own("fill", "stroke", "size") | _moved("yOffset")
    return (
        _rows("upright_points")
        .mark_circle(**own, strokeWidth=1.5, opacity=1)
        .encode(x=_px(alt.X, "x"), y=_upright("value"))
    )


def crossings() -> Any:
    """Rows ``across, value, fill, stroke, size``: points on both axes."""
    return (
        _rows("crossings")
        .mark_circle(**_own("fill", "stroke", "size"), strokeWidth=1.5, opacity=1)
        .encode(x=_along("across"), y=_upright("value"))
    )


def labels() -> Any:
    """Rows ``x, y, text, align, size, weight, fill``: one line of text each; y is its base line."""
    import altair as alt

    return (
        _rows("labels")
        .mark_text(**_own("align", "fontSize", "fontWeight", "fill"), baseline="alphabetic")
        .encode(x=_px(alt.X, "x"), y=_px(alt.Y, "y"), text="text:N")
    )


LAYERS: Final[dict[str, Callable[[], Any]]] = {
    "tiles": tiles, "boxes": boxes, "bands": bands, "grid": grid, "levels": levels,
    "paths": paths, "rules": rules, "lines": lines,
    "intervals": intervals, "caps": caps,
    "upright_intervals": upright_intervals, "upright_caps": upright_caps, "upright_points": upright_points,
    "crossings": crossings, "labels": labels,
}  # fmt: skip
"""Every layer by its dataset, from the lowest to the topmost."""
