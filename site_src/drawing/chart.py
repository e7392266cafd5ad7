"""One chart a kind of figure, of layers that Altair validated once; figures swap their data into it.

Does: build the specification, compile it once, put a figure's rows and parameters into a copy, and have
it drawn. Does not: lay out, and it does not touch the drawn markup; `site_src.drawing.svg` does. Nothing
is measured by the renderer, so its fonts do not matter.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from msgspec import Struct

from metrics_core.memo import Memo
from metrics_core.results import Estimate
from site_src.drawing import made_charts
from site_src.drawing.layers import LAYERS, PARAMETERS
from site_src.drawing.svg import LABELS

BARS: Final[Mapping[str, tuple[str, str]]] = {
    "true": ("#1d5c9e", "#1d5c9e"),
    "false": ("#f0b877", "#8a4708"),
    "unknown": ("#b4b8bc", "#6a7178"),
    "error": ("#8f9398", "#3a4047"),
    "invalid": ("#cfd1d4", "#3a4047"),
    "too-few": ("#eceeef", "#858c94"),
    "missing": ("#fcfcfb", "#6a7178"),
    "withheld": ("#191c20", "#191c20"),
    "still-in": ("#dde1e5", "#858c94"),
    "recorded": ("#dde1e5", "#858c94"),
    "recomputed": ("#5f666e", "#5f666e"),
    "repriced": ("#fcfcfb", "#5f666e"),
}
"""Fill and edge of a part of a bar, as in the light theme; a grey stands for a hatch, which Vega lacks."""

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
Size = tuple[float, float]


class Chart(Struct, frozen=True):
    """A kind's chart without data.

    Attributes:
        specification: Vega-Lite, as Altair validated it.
        compiled: What it compiles to.
        datasets: Names of the datasets, from the lowest layer to the topmost.
        digest: SHA-256 of all that, hex.
    """

    kind: str
    specification: dict[str, Any]
    compiled: dict[str, Any]
    datasets: tuple[str, ...]
    digest: str


@cache
def chart(kind: str, datasets: tuple[str, ...]) -> Chart:
    """The chart of a kind, built when it is first asked for.

    Args:
        kind: "funnel", "timeline", ...
        datasets: Which layers it has, in any order.

    Raises:
        KeyError: There is no such layer.
    """
    made_before = made_charts.shipped()
    every = _every_layer() if made_before is None else made_before.every_layer
    names, specification = specified(kind, datasets, every)
    compiled = None if made_before is None else made_before.compiled.get(kind)
    if compiled is None or made_before is None or made_before.layers.get(kind) != names:
        compiled = _compiled(specification)
    made = json.dumps([specification, compiled, version("vl-convert-python")], sort_keys=True)
    return Chart(kind, specification, compiled, names, hashlib.sha256(made.encode()).hexdigest())


def specified(
    kind: str, datasets: Sequence[str], every: Mapping[str, Any]
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The layers of a kind from the lowest to the topmost, and its specification.

    Args:
        kind: "funnel", "timeline", ...
        datasets: Which layers it has, in any order.
        every: The chart of all layers.

    Raises:
        KeyError: There is no such layer.
    """
    unknown = {*datasets} - LAYERS.keys()
    if unknown:
        raise KeyError(sorted(unknown))
    names = tuple(name for name in LAYERS if name in datasets)
    layers = [layer for name, layer in zip(LAYERS, every["layer"], strict=True) if name in names]
    parameters = [{"name": name, "value": at} for at, name in enumerate(PARAMETERS)]
    return names, {**every, "layer": layers, "name": kind, "params": parameters}


def _compiled(specification: dict[str, Any]) -> dict[str, Any]:
    import vl_convert

    made: dict[str, Any] = vl_convert.vegalite_to_vega(specification)
    return made


@cache
def _every_layer() -> dict[str, Any]:
    """One chart of all layers, as Altair validated it: a kind's is this one without the layers it has not.

    It takes Altair less time than two or three charts of their own.
    """
    import altair as alt

    made: dict[str, Any] = (
        alt.layer(*(layer() for layer in LAYERS.values()))
        .resolve_scale(x="independent", y="independent")
        .properties(name="every layer", width=1, height=1, padding=0, autosize="none")
        .configure(background="transparent", mark=alt.MarkConfig(aria=False, invalid="show"))
        .configure_view(stroke=None)
        .to_dict()
    )
    return made


def specification(template: Chart, rows: Rows, parameters: Mapping[str, float], size: Size) -> dict[str, Any]:
    """A figure's Vega-Lite specification, with its data.

    Args:
        template: The kind's chart.
        rows: By dataset; datasets without rows may be left out.
        parameters: By name, see `site_src.drawing.layers.PARAMETERS`; what is left out is 0 or 1.
        size: Width and height in px.

    Raises:
        KeyError: Rows of a dataset, or a parameter, that the chart does not have.
    """
    unknown = {*rows} - {*template.datasets} | {*parameters} - {*PARAMETERS}
    if unknown:
        raise KeyError(sorted(unknown))
    return {
        **template.specification,
        "width": size[0],
        "height": size[1],
        "params": [{"name": name, "value": value} for name, value in _given(parameters).items()],
        "datasets": {name: list(rows.get(name, ())) for name in template.datasets},
    }


def draw(template: Chart, rows: Rows, parameters: Mapping[str, float], size: Size, memo: Memo) -> str:
    """SVG of a figure without its labels, as the renderer writes it; arguments as for `specification`.

    `site_src.drawing.svg` writes the labels: they have their places, and need no measuring. Figures that
    differ in their labels or ids alone are drawn once a memo.
    """
    unlabelled = {name: list(of) for name, of in rows.items() if name != LABELS}
    return memo(_draw, template, unlabelled, _given(parameters), size)


def _draw(template: Chart, rows: Rows, given: Mapping[str, float], size: Size) -> str:
    import vl_convert

    compiled = template.compiled | {
        "width": size[0],
        "height": size[1],
        "signals": [
            s | {"value": given.get(s["name"], s.get("value"))} for s in template.compiled["signals"]
        ],
        "data": [
            {"name": d["name"], "values": rows.get(d["name"], [])} if d["name"] in template.datasets else d
            for d in template.compiled["data"]
        ],
    }
    return vl_convert.vega_to_svg(compiled)


def _given(parameters: Mapping[str, float]) -> dict[str, float]:
    return {name: parameters.get(name, float(name in _ONE)) for name in PARAMETERS}


_ONE = frozenset({"high", "end", "ceiling", "top"})


# -------------------------------------------------------------------------------------------- figures in rows


def row_of(e: Estimate, group: str, arm: str) -> dict[str, Any]:
    """One estimate as a row of `in_rows`: its value and interval, or its bounds where they lead.

    Args:
        e: Any estimate.
        group: Name of its panel.
        arm: Name of its row.
    """
    point, bounds = e.headline == "point", e.bounds if e.headline == "bounds" else None
    return {
        "group": group, "arm": arm,
        "value": e.value if point else None,
        "lo": e.interval.lo if point else None,
        "hi": e.interval.hi if point else None,
        "bound_lo": bounds[0] if bounds else None,
        "bound_hi": bounds[1] if bounds else None,
        "n": e.n, "N": e.N, "of": e.of, "headline": e.headline, "estimate": e.id,
    }  # fmt: skip


def in_rows(
    kind: str, rows: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]] = (),
    *, shares: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Specification of a figure in rows: arms down, their values across, a panel a group; pairs below them.

    Args:
        kind: Kind of figure.
        rows: Of each estimate its group and arm, value and interval or bounds, n and N; see `row_of`.
        pairs: Of each pair its name, difference and interval.
        shares: Whether every value lies between 0 and 1.
    """
    form = "pairs" if pairs else "rows" if shares else "values"
    datasets = {"estimates": list(rows)} | ({"pairs": list(pairs)} if pairs else {})
    return {**_in_words(form), "name": kind, "datasets": datasets}


def in_bars(kind: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Specification of bars in counts: stages down, runs across, a colour a state.

    Args:
        kind: Kind of figure.
        rows: Of each part of a bar its stage and state, where it begins and ends, n and N.
    """
    made = _in_words("bars")
    seen = {row["state"] for row in rows}
    states = [state for state in BARS if state in seen]
    encoding = dict(made["encoding"])
    for channel, at in (("color", 0), ("stroke", 1)):
        colours = [BARS[state][at] for state in states]
        encoding[channel] = {**encoding[channel], "scale": {"domain": states, "range": colours}}
    return {**made, "encoding": encoding, "name": kind, "datasets": {"bars": list(rows)}}


def _in_words(form: str) -> dict[str, Any]:
    """The chart of a figure that is words in the page: as shipped, else as Altair validates it."""
    made_before = made_charts.shipped()
    return IN_WORDS[form]() if made_before is None else made_before.in_words[form]


@cache
def _bar_chart() -> dict[str, Any]:
    """The chart of bars in counts, as Altair validated it."""
    import altair as alt

    told = [alt.Tooltip(name) for name in ("stage:N", "state:N", "start:Q", "end:Q", "n:Q", "N:Q")]
    made: dict[str, Any] = (
        alt.Chart(alt.NamedData(name="bars"))
        .mark_bar(height=16, strokeWidth=1)
        .encode(
            x=alt.X("start:Q", title=None),
            x2="end:Q",
            y=alt.Y("stage:N", title=None, sort=None),
            color=alt.Color("state:N", title=None),
            stroke=alt.Stroke("state:N", title=None),
            tooltip=told,
        )
        .properties(width=600)
        .to_dict()
    )
    return made


@cache
def _row_chart() -> dict[str, Any]:
    """The chart of a figure in rows, as Altair validated it."""
    made: dict[str, Any] = _arms(domain=[0, 1]).to_dict()
    return made


@cache
def _value_chart() -> dict[str, Any]:
    """The chart of a figure in rows whose values are no shares, as Altair validated it."""
    made: dict[str, Any] = _arms().to_dict()
    return made


@cache
def _pair_chart() -> dict[str, Any]:
    """The chart of arms and their pairs, as Altair validated it."""
    import altair as alt

    base = alt.Chart().encode(y=alt.Y("pair:N", title=None, sort=None))
    told = [alt.Tooltip(name) for name in ("pair:N", "difference:Q", "lo:Q", "hi:Q", "outcome:N", "p:Q")]
    pairs = (
        base.mark_rule(strokeWidth=1.5).encode(x="lo:Q", x2="hi:Q"),
        base.mark_circle(size=64, color="#191c20", opacity=1).encode(
            x=alt.X("difference:Q", title=None), tooltip=told
        ),
    )
    below = alt.layer(*pairs, data=alt.NamedData(name="pairs")).properties(width=400)
    made: dict[str, Any] = alt.vconcat(_arms(), below).to_dict()
    return made


def _arms(**scale: Any) -> Any:
    """Arms down and their values across, a panel a group."""
    import altair as alt

    across = alt.X("value:Q", title=None, scale=alt.Scale(**scale)) if scale else alt.X("value:Q", title=None)
    base = alt.Chart().encode(y=alt.Y("arm:N", title=None, sort=None))
    told = [alt.Tooltip(name) for name in ("arm:N", "value:Q", "lo:Q", "hi:Q", "n:Q", "N:Q", "of:N")]
    layers = (
        base.mark_rule(strokeWidth=1.5).encode(x="lo:Q", x2="hi:Q"),
        base.mark_bar(height=6, color="#6a7178").encode(x="bound_lo:Q", x2="bound_hi:Q"),
        base.mark_circle(size=64, color="#191c20", opacity=1).encode(x=across, tooltip=told),
    )
    return (
        alt.layer(*layers, data=alt.NamedData(name="estimates"))
        .properties(width=400)
        .facet(row=alt.Row("group:N", title=None, sort=None))
        .resolve_scale(y="independent")
    )


IN_WORDS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "rows": _row_chart,
    "values": _value_chart,
    "pairs": _pair_chart,
    "bars": _bar_chart,
}
"""Form of a figure that is words in the page -> what makes its chart."""
