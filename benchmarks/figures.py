"""A figure: its specification, its SVG when new and when unchanged, beside an Altair chart built for it.

Ten boxes, at other places each turn. Every time is of the processor; *new* draws what no figure showed,
*unchanged* asks the memo for what was drawn; the peer builds and validates a chart of one layer with Altair
and has it drawn by the same renderer, as whoever makes a chart a figure does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import version
from statistics import median

from metrics_core.memo import Memo
from site_src.drawing import chart
from site_src.figures import KINDS

TIMES = 25
SIZE = (1040.0, 240.0)
KIND = KINDS["heatmap"].module
DATASET = "boxes"


def rows(turn: int) -> dict[str, list[dict[str, object]]]:
    """Ten boxes that no other turn has."""
    return {
        DATASET: [
            {
                "x": 10.0 + turn,
                "x2": 400.0 + turn + at,
                "y": 20.0 * at,
                "y2": 20.0 * at + 12,
                "fill": "var(--for)",
                "stroke": "var(--ink)",
                "width": 1,
                "dash": [],
            }
            for at in range(10)
        ]
    }


def peer(turn: int, *, draw: bool) -> None:
    """One Altair chart of the same boxes, built and validated for itself alone."""
    import altair as alt
    import vl_convert

    made = (
        alt.Chart(alt.Data(values=rows(turn)[DATASET]))
        .mark_rect()
        .encode(x=alt.X("x:Q"), x2="x2:Q", y=alt.Y("y:Q"), y2="y2:Q", color="fill:N")
        .properties(width=SIZE[0], height=SIZE[1])
        .to_dict()
    )
    if draw:
        vl_convert.vegalite_to_svg(made)


def milliseconds(work: Callable[[int], object]) -> list[float]:
    """Of each turn but the first, which loads what it needs."""
    found = []
    for turn in range(TIMES + 1):
        began = time.process_time()
        work(turn)
        found.append((time.process_time() - began) * 1000)
    return found[1:]


def table() -> str:
    """The results, as Markdown."""
    template = chart.chart(KIND.KIND, KIND.LAYERS)
    memo = Memo()
    chart.draw(template, rows(0), {}, SIZE, memo)
    built = milliseconds(lambda turn: peer(turn, draw=False))
    drawn = milliseconds(lambda turn: peer(turn, draw=True))
    found = (
        (
            "specification",
            milliseconds(lambda turn: chart.specification(template, rows(turn), {}, SIZE)),
            built,
        ),
        ("SVG, new", milliseconds(lambda turn: chart.draw(template, rows(turn + 1), {}, SIZE, memo)), drawn),
        ("SVG, unchanged", milliseconds(lambda _: chart.draw(template, rows(0), {}, SIZE, memo)), drawn),
    )
    lines = [
        f"| {what} | {median(ours):.3f} | {max(ours):.3f} | {median(theirs):.1f} | "
        f"{median(ours) / median(theirs):.4f} |"
        for what, ours, theirs in found
    ]
    return "\n".join(
        (
            "## Figures\n",
            (__doc__ or "").partition("\n\n")[2],
            f"Altair {version('altair')}, vl-convert {version('vl-convert-python')}, {TIMES} turns.\n",
            "| what | CPU ms | greatest | Altair's CPU ms | ratio |",
            "| --- | --: | --: | --: | --: |",
            *lines,
            "",
        )
    )


if __name__ == "__main__":
    print(table())
