"""The table of pairs on an experiment's page: names in its verdicts, no number without what it is over."""

from __future__ import annotations

from dataclasses import replace

from site_src.pages.compare.tables import comparison_tables
from site_src.wording.links import FigureContext
from tests.support import decision_samples as samples
from tests.support.figure_samples import recounts


def test_other_denominators_are_told_by_name_and_without_a_difference() -> None:
    c = replace(
        samples.SEPARATED,
        sensitivity=recounts(
            ("errors counted as failures", "a above b", 0.31),
            ("unknown counted against", "b above a", -0.11),
            ("unknown counted for", "cannot separate", 0.05),
        ),
    )
    (made,) = comparison_tables([c], FigureContext(build="0.1.0+x"))
    (row,) = made.rows
    told = "".join(span.text for span in row.cells[-1].spans)
    assert told == (
        f"errors counted as failures: {c.a} above {c.b}; unknown counted against: {c.b} above {c.a}; "
        "unknown counted for: cannot separate"
    )
