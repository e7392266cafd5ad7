"""What a reader is shown of one label: who gave it, on what, and what it does not establish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from metrics_core.families.judges.grading import RATER, dims_of, outcome_of
from metrics_core.families.judges.record import Label
from metrics_core.families.review_parts import gaps
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context
from metrics_core.results import Review, Step, Verdict, run_name


def review(rows: Sequence[Row], context: Context) -> Iterator[Review]:
    """What a reader is shown of each label, in order of the rows."""
    for row in rows:
        label: Label = row.record
        verdict = _verdict(label)
        item = context.settings.names.get(label.item, label.item)
        yield Review(
            experiment=context.experiment,
            family="judges",
            run=run_name("judges", row.file, row.line),
            title=f"{item}, label by {label.rater}",
            task=label.item,
            group=dims_of(label, context).without(RATER),
            stamp=None if label.stamp is None else utc(label.stamp),
            file=row.file,
            line=row.line,
            verdicts=(verdict,),
            facets=("by a judge" if label.by_judge else "by a rater", verdict.word),
            gaps=gaps([outcome_of(label)]),
            facts=tuple(_facts(label)),
            apart=tuple(_apart(label)),
            record=msgspec.json.decode(row.raw),
        )


def _verdict(label: Label) -> Verdict:
    outcome = outcome_of(label)
    known = outcome.state == "known"
    whose = f"judge {label.name}" if label.by_judge else f"rater {label.name}"
    return Verdict(
        metric=outcome.metric,
        title="Judge" if label.by_judge else "Rater",
        stratum=outcome.stratum,
        state=outcome.state,
        word=str(label.verdict) if known else outcome.state,
        value=outcome.value if known else None,
        unit="fraction",
        n=outcome.n,
        N=outcome.N,
        of="verdicts" if label.by_judge else "rated items",
        good=None,
        polarity="neither",
        reason=outcome.reason,
        chain=(Step("Label", f"by {whose}"), Step("Verdict", outcome.reason or "recorded", ends=not known)),
        silent="That raters would say the same"
        if label.by_judge
        else "That another rater would say the same",
    )


def _facts(label: Label) -> Iterator[tuple[str, str]]:
    yield "rater", label.rater
    for name, value in (("criterion", label.criterion), ("split", label.split), ("error", label.error)):
        if value:
            yield name, value


def _apart(label: Label) -> Iterator[tuple[str, str]]:
    yield "rater", label.rater
    for name, value in (("attempt", label.attempt), ("run", label.rep)):
        if value is not None:
            yield name, str(value)
