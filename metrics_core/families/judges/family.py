"""The family judges: its contracts and control with the label pages and words that readers meet.

Apart from `metrics_core.families.judges.metrics`, so that what moves no number is no part of the contract:
pages, words, golden fixtures, and the control, which decides whether a number is shown and not what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from metrics_core.contracts import Contract
from metrics_core.families.judges import BESIDE, FOLDER, corrected
from metrics_core.families.judges.corrected import CORRECTED
from metrics_core.families.judges.fixtures import CORRECTED_FIXTURES, FIXTURES
from metrics_core.families.judges.grading import RATED, in_one_split, ratings, splits_of
from metrics_core.families.judges.held_against_raters import CORRECTED_JUDGE, settle
from metrics_core.families.judges.metrics import METRICS, observe
from metrics_core.families.judges.record import Label
from metrics_core.families.judges.review import review
from metrics_core.families.judges.words import WORDS
from metrics_core.measurement import Context, Family, RowBatches
from metrics_core.results import Control, ControlCheck, Keys
from metrics_core.text import many

CONSTANT_JUDGE: Final = "constant judge"

CONTRACT = Contract(
    id="assay/judges",
    version="1",
    title="Judges: a judge's verdicts beside what raters say",
    module="metrics_core.families.judges.metrics",
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)

OF_CORRECTED = Contract(
    id=CORRECTED_JUDGE,
    version="1",
    title="Corrected for a judge's errors: what raters would pass, if they had rated all",
    module="metrics_core.families.judges.metrics",
    also=(corrected.__name__,),
    promise=tuple((m.name, m.estimand) for m in CORRECTED),
    fixtures=CORRECTED_FIXTURES,
)


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """What a judge who always says the same would come to: found out only where raters said both."""
    labels = [(o, seen.dims) for batch in rows() for seen in observe(batch, context) for o in seen.outcomes]
    splits = splits_of((outcome.stratum, dims) for outcome, dims in labels)
    rated = ratings(
        (
            in_one_split(outcome.stratum, dims, splits),
            dims,
            [outcome.value] if outcome.state == "known" else [],
        )
        for outcome, dims in labels
        if outcome.metric == RATED
    )
    said: dict[Keys, Counter[bool]] = {}
    for (about, _), rating in rated.items():
        if rating.passed is not None:
            said.setdefault(about, Counter())[rating.passed] += 1
    yield constant_judge(said)


def constant_judge(said: Mapping[Keys, Counter[bool]]) -> Control:
    """The control that a judge who always passes, or always fails, would be found out.

    Args:
        said: Criterion and split -> items that raters passed, and that they failed.

    >>> constant_judge({Keys(): Counter({True: 30, False: 10})}).state
    'held'
    >>> constant_judge({Keys(): Counter({True: 30})}).state
    'not applicable'
    """
    checks = tuple(_check(about, counted) for about, counted in sorted(said.items()))
    both = [counted for counted in said.values() if counted[True] and counted[False]]
    if not both:
        lacking = "raters labelled no item" if not said else "raters labelled no item otherwise"
        detail = f"{lacking}, so that a judge who always says the same could not be found out"
    else:
        passed, failed = sum(c[True] for c in both), sum(c[False] for c in both)
        detail = (
            f"a judge who always passes agrees with raters on {passed} of {many(passed + failed, 'item')}, "
            f"one who always fails on {failed}; sensitivity and specificity of each add up to 1, and "
            "neither is corrected"
        )
    return Control(
        name=CONSTANT_JUDGE,
        title=CONSTANT_JUDGE,
        state="held" if both else "not applicable",
        detail=detail,
        guards="judges",
        checks=checks,
    )


def _check(about: Keys, counted: Counter[bool]) -> ControlCheck:
    name = ", ".join(f"{key} {value}" for key, value in about) or "all items"
    sides = int(counted[True] > 0) + int(counted[False] > 0)
    return ControlCheck(
        name=name, must="hold items that raters passed and items that they failed", n=sides, N=2
    )


FAMILY = Family(
    name="judges",
    title="Judges beside raters",
    folder=FOLDER,
    beside=BESIDE,
    contract=CONTRACT,
    record=Label,
    metrics=(*METRICS, *CORRECTED),
    tracks=(),
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
    gates=(CONSTANT_JUDGE,),
    further=(OF_CORRECTED,),
    settle=settle,
)
