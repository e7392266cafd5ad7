"""The table of pairs on an experiment's page: names in its verdicts, no number without what it is over."""

from __future__ import annotations

from msgspec.structs import replace

from metrics_core.results import Denominator, NotSeparated, SeparationVerdict
from metrics_core.results.comparison import Recount
from site_src.figures import forest
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
        f"errors counted as failures: {c.a} above; unknown counted against: {c.b} above; "
        "unknown counted for: cannot separate"
    )


def test_a_recount_is_told_by_both_rules() -> None:
    """What only the same tasks tell apart is not told apart where that rule, too, no longer does."""
    apart = SeparationVerdict(above="b", against=(NotSeparated.OVERLAP,), overlap=True)
    against = (NotSeparated.OVERLAP, NotSeparated.HOLDS_ZERO)
    held = SeparationVerdict(above=None, against=against, overlap=True)
    c = replace(
        samples.SEPARATED,
        judged=apart,
        sensitivity=(
            Recount(denominator=Denominator.UNKNOWN_AGAINST, judged=held, difference=-0.02),
            Recount(denominator=Denominator.UNKNOWN_FOR, judged=apart, difference=-0.05),
        ),
    )
    (made,) = comparison_tables([c], FigureContext(build="0.1.0+x"))
    told = "".join(span.text for span in made.rows[0].cells[-1].spans)
    only = f"{c.b} above on the same tasks only"
    assert told == f"unknown counted against: cannot separate; unknown counted for: {only}"


NEITHER = (NotSeparated.OVERLAP, NotSeparated.HOLDS_ZERO)


def test_of_very_many_pairs_those_told_apart_stand_before_others_and_the_rest_is_told() -> None:
    open_ = replace(samples.SEPARATED, judged=SeparationVerdict(above=None, against=NEITHER, overlap=True))
    found = [
        replace(samples.SEPARATED if at % 40 == 39 else open_, a=f"a{at:03}", b=f"b{at:03}")
        for at in range(146)
    ]
    (made,) = comparison_tables(found, FigureContext(build="0.1.0+x"))
    shown = ["".join(span.text for span in row.cells[0].spans)[:4] for row in made.rows]
    apart = [c.a for c in found if c.told_apart is not None]
    others = [c.a for c in found if c.told_apart is None]
    assert shown == sorted([*apart, *others[: forest.FIRST - len(apart)]])
    told = "".join(span.text for span in made.captions[0].shared)
    assert "of 146 pairs 50 stand here, before others those that either rule tells apart" in told
