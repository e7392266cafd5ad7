"""Judges: how far does a judge say what raters say, and what would the score be if it erred on nothing?

Unit: one verdict of a judge on one item. What is true of an item is what more than half of its raters say who
could say; where that is nothing, no verdict on it is right or wrong. Several runs of a judge on an item, and
items of several agents on one task, are one cluster. Figures of two judges, criteria or splits are never
pooled. What is corrected for the judge's errors is in `metrics_core.families.judges.corrected`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.families.judges.grading import dims_of, names_of, outcome_of, stratum_of
from metrics_core.families.judges.held_against_raters import AT_RANDOM
from metrics_core.families.judges.record import Label
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context, Metric, Observed, numbered

METRICS = (
    Metric(
        name="judged_pass",
        kind="share",
        of="verdicts",
        grid=False,
        polarity="neither",
        estimand="share of a judge's known verdicts that are a pass, on labelled items and on others",
    ),
    Metric(
        name="rated_pass",
        kind="share",
        of="rated items",
        grid=False,
        polarity="neither",
        estimand="share of the items that more than half of their raters passed, of those that raters "
        "passed or failed by more than half; each item once, however many rated it",
    ),
    Metric(
        name="raters_agree",
        kind="mean",
        of="pairs of raters",
        grid=False,
        polarity="neither",
        estimand="mean over items with two raters or more of the share of pairs of them who say the same",
    ),
    Metric(
        name="agreement",
        kind="share",
        of="verdicts on rated items",
        grid=False,
        estimand="share of a judge's known verdicts on rated items that are what more than half of their "
        "raters say",
    ),
    Metric(
        name="cohens_kappa",
        kind="kappa",
        unit="kappa",
        of="verdicts on rated items",
        grid=False,
        estimand="Cohen's kappa of a judge's known verdicts with what raters say: agreement beyond what "
        "chance gives, -1 to 1",
    ),
    Metric(
        name="sensitivity",
        kind="share",
        of="verdicts on items that raters passed",
        grid=False,
        estimand="share of a judge's known verdicts on items that raters passed which are a pass",
    ),
    Metric(
        name="specificity",
        kind="share",
        of="verdicts on items that raters failed",
        grid=False,
        estimand="share of a judge's known verdicts on items that raters failed which are a fail",
    ),
    Metric(
        name="strictness",
        kind="share",
        of="verdicts on items that raters passed",
        grid=False,
        polarity="against",
        estimand="share of a judge's known verdicts on items that raters passed which are a fail: 1 less "
        "sensitivity",
    ),
    Metric(
        name="leniency",
        kind="share",
        of="verdicts on items that raters failed",
        grid=False,
        polarity="against",
        estimand="share of a judge's known verdicts on items that raters failed which are a pass: 1 less "
        "specificity",
    ),
    Metric(
        name="verdict_flips",
        kind="mean",
        of="items judged more than once",
        grid=False,
        polarity="against",
        estimand="mean over items judged more than once of the share of pairs of a judge's verdicts that "
        "differ; n counts items on which any do",
    ),
    Metric(
        name="items_flipped",
        kind="share",
        of="items judged more than once",
        grid=False,
        polarity="against",
        estimand="share of the items judged more than once on which a judge's verdicts are not all the same",
    ),
)


def observe(rows: Sequence[Row], context: Context) -> Iterator[Observed]:
    """What each label says, in order of the rows."""
    at_random = (AT_RANDOM,) if context.settings.labelled == "random" else ()
    for row in rows:
        label: Label = row.record
        keys = dims_of(label, context)
        yield Observed(
            dims=keys,
            stamp=None if label.stamp is None else utc(label.stamp),
            outcomes=(outcome_of(label),),
            names=tuple(names_of(label)),
            tallied=at_random,
            trial=numbered(label.rep, keys, stratum_of(label)),
        )
