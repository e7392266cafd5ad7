"""What an Inspect log says of itself: how it ended, how many samples it has, its limits, its own results.

Does: compare that with the runs that were read, and tell each difference with its note on the numbers. Does
not: correct a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum, isclose
from typing import Any, TypeGuard

from msgspec import Struct

from metrics_core.adapters.inspect.log_text import EvalLog
from metrics_core.adapters.inspect.retries import OtherTries
from metrics_core.adapters.inspect.samples import SampleRun, Value
from metrics_core.formats import (
    AllFailed,
    Declared,
    Edited,
    Ended,
    Limited,
    OwnFigure,
    Retried,
    RunsDeclared,
    ScoredFailures,
    inner,
)
from metrics_core.results import Aside
from metrics_core.text import many, visible

SUCCESS = "success"
WORTH = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""What a label is worth in Inspect's accuracy and mean."""

MEANS = ("accuracy", "mean")
"""Inspect's metrics that are means over runs."""

LONGEST_ERROR = 200
"""Characters of an error that a note quotes."""

LISTED = 20
"""Edits that are listed one by one."""


class LogRuns(Struct, frozen=True, kw_only=True):
    """What was read of one log.

    Attributes:
        path: Its file.
        log: Its header.
        runs: Those that count here.
        scores: Of each of these, under every scorer of the log.
        tries: Earlier tries of these in the same log.
        damaged: Samples that cannot be read.
        others: What other logs of the same task hold.
    """

    path: str
    log: EvalLog
    runs: Sequence[SampleRun]
    scores: Sequence[Mapping[str, Value]]
    tries: int
    damaged: int
    others: OtherTries

    def by(self, difference: Any, field: str = "", scorer: str | None = None) -> Declared:
        """A difference of this log."""
        keys = {"model": self.log.model, "suite": self.log.suite, "scorer": scorer}
        return Declared.by(self.path, difference, field=field, **keys)


def told(read: LogRuns) -> Iterator[Aside]:
    """Each difference between what a log says of itself and what was read of it."""
    yield from _tries(read)
    counted_elsewhere = read.others.later or (read.others.same and not read.runs)
    if not counted_elsewhere:  # what an earlier try came to is the last one's to say
        yield from _end(read)
        yield from _figures(read)
    yield from _limits(read)
    yield from _failures(read)
    yield from _edits(read)


def _tries(read: LogRuns) -> Iterator[Aside]:
    if read.tries:
        yield read.by(Retried(read.tries), "samples")
    for path, tries in sorted(Counter(read.others.later.values()).items()):
        yield read.by(Retried(tries, path), "eval/task_id")
    for path, runs in sorted(Counter(read.others.same.values()).items()):
        text = f"is the same log as {path}, which counts its {many(runs, 'run')}"
        yield Aside(read.path, None, "eval/task_id", text)


def _end(read: LogRuns) -> Iterator[Aside]:
    planned = _planned(read.log)
    held = len(read.runs) + read.damaged + len(read.others.same) + read.others.elsewhere
    if read.log.status == SUCCESS:
        if planned is not None and planned != held:
            yield read.by(RunsDeclared(planned, held), "results/total_samples")
        return
    completed = inner(read.log.header, "results").get("completed_samples")
    ran = max(held, completed) if _is_count(completed) else held
    never = max(0, planned - ran) if planned else 0
    yield read.by(Ended(read.log.status, never, planned or 0), "status")
    if ran > held:  # the log says that these ran, and does not hold them
        yield read.by(RunsDeclared(ran, held), "results/completed_samples")


def _planned(log: EvalLog) -> int | None:
    """How many runs the log should hold, as far as it tells."""
    total = inner(log.header, "results").get("total_samples")
    if _is_count(total):
        return int(total)
    dataset, config = inner(log.eval, "dataset"), log.config
    ids, samples, limit = dataset.get("sample_ids"), dataset.get("samples"), config.get("limit")
    epochs = config.get("epochs")
    if isinstance(ids, list):
        samples = len(ids)
    elif not _is_count(samples):
        return None
    elif _is_count(limit):
        samples = min(samples, limit)
    elif isinstance(limit, list) and len(limit) == 2 and all(map(_is_count, limit)):
        samples = max(0, min(samples, limit[1]) - limit[0])
    return int(samples) * (epochs if _is_count(epochs) and epochs else 1)


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _figures(read: LogRuns) -> Iterator[Aside]:
    """The log's own figures that are not the mean of its runs."""
    for stated in _stated(read.log):
        ours = [
            value
            for value in map(_worth, (each.get(stated.scorer) for each in read.scores))
            if value is not None
        ]
        held = fsum(ours) / len(ours) if ours else None
        if held is None or not isclose(held, stated.value, rel_tol=1e-9, abs_tol=1e-9):
            figure = OwnFigure(stated.name, stated.value, held)
            yield read.by(figure, stated.field, stated.scorer)


class _Stated(Struct, frozen=True):
    field: str
    scorer: str
    name: str
    value: float


def _stated(log: EvalLog) -> Iterator[_Stated]:
    """Accuracy, or else the mean, of each scorer, as the log's results state them."""
    results = inner(log.header, "results")
    listed = results.get("scores")
    oldest = {"name": inner(results, "scorer").get("name"), "metrics": results.get("metrics")}
    scores = listed if isinstance(listed, list) else [oldest]
    for at, score in enumerate(scores):
        if not isinstance(score, dict):
            continue
        field = f"results/scores/{at}" if scores is listed else "results/metrics"
        scorer, name = score.get("scorer") or score.get("name"), score.get("name")
        metrics = inner(score, "metrics")
        for metric in MEANS:
            value = inner(metrics, metric).get("value")
            if isinstance(value, int | float) and not isinstance(value, bool):
                reducer = score.get("reducer")
                full = str(scorer) if name == scorer else f"{scorer}/{name}"
                yield _Stated(
                    field, full, f"{metric}, reducer {reducer}" if reducer else metric, float(value)
                )
                break


def _worth(value: Value) -> float | None:
    if isinstance(value, str):
        return WORTH.get(value)
    return None if value is None else float(value)


def _limits(read: LogRuns) -> Iterator[Aside]:
    limit, ids = read.log.config.get("limit"), read.log.config.get("sample_id")
    if _is_count(limit):
        part = "the first sample" if limit == 1 else f"the first {limit:,} samples"
        yield read.by(Limited(part), "eval/config/limit")
    elif isinstance(limit, list) and len(limit) == 2 and all(map(_is_count, limit)):
        first, last = limit[0] + 1, limit[1]
        several = f"samples {first:,} to {last:,}"
        yield read.by(Limited(several if first != last else f"sample {first:,}"), "eval/config/limit")
    if ids is not None:
        chosen = len(ids) if isinstance(ids, list) else 1
        yield read.by(Limited(f"{many(chosen, 'chosen sample')}"), "eval/config/sample_id")
    stopped = Counter(run.limit for run in read.runs if run.limit is not None)
    if stopped:
        kinds = ", ".join(f"{kind} {times:,}" for kind, times in sorted(stopped.items()))
        were = "was" if stopped.total() == 1 else "were"
        text = f"{stopped.total():,} of {many(len(read.runs), 'run')} {were} stopped at a limit ({kinds})"
        yield read.by(Limited(visible(text, escaped=True)), "samples")


def _failures(read: LogRuns) -> Iterator[Aside]:
    scored = sum(run.scored_despite_error for run in read.runs)
    if scored:
        yield read.by(ScoredFailures(scored, len(read.runs)), "eval/config/score_on_error")
    errors = Counter(str(run.record["error"]) for run in read.runs if "error" in run.record)
    if read.runs and errors.total() == len(read.runs):
        text, times = max(errors.items(), key=lambda item: (item[1], item[0]))
        first = visible(text[:LONGEST_ERROR], escaped=True)
        yield read.by(AllFailed(len(read.runs), first, times), "samples")


def _edits(read: LogRuns) -> Iterator[Aside]:
    edits = [edit for run in read.runs for edit in run.edits]
    for edit in edits[:LISTED]:
        yield Aside(read.path, None, "samples", str(edit))
    if edits:
        edited = sum(bool(run.edits) for run in read.runs)
        yield read.by(Edited(edited, len(read.runs)), "samples")
