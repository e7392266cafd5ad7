"""What established a verdict: a state check, a judge, an assertion, or nothing that was recorded.

Does: read it off the record, let the experiment's settings fill what no record says, and say where the two
contradict each other, in which case the record counts. Does not: judge a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator

from metrics_core.families.attempts.evidence import judged
from metrics_core.families.attempts.record import METRICS, Attempt
from metrics_core.measurement import Context
from metrics_core.results import quoted

KINDS = ("state", "judge", "assertion")
EVALUATED = ("utility", "security")
"""Verdicts that an evaluator establishes."""


def stated_of(where: dict[str, object] | None, metric: str) -> object:
    """What a mapping by verdict says of one, whichever of its two names it goes by."""
    found = where or {}
    return found.get(metric, found.get(METRICS[metric]))


def kind_of(metric: str, run: Attempt, context: Context) -> str:
    """What established a verdict: as the record says, else a judge's answer in it, else as the experiment
    says.
    """
    return recorded_kind(metric, run) or context.settings.evaluators.get(run.scenario, "")


def recorded_kind(metric: str, run: Attempt) -> str:
    """What established a verdict by the record alone: its word, else a judge's answer; empty for neither."""
    stated = stated_of(dict(run.evaluators or {}), metric)
    if isinstance(stated, str) and stated.lower() in KINDS:
        return stated.lower()
    return "judge" if judged(stated_of(run.evaluations, metric)) is not None else ""


def contradicted(run: Attempt, context: Context) -> Iterator[tuple[str, str]]:
    """(verdict, kind recorded) where the experiment says that something else established it."""
    stated = context.settings.evaluators.get(run.scenario)
    for metric in EVALUATED:
        kind = recorded_kind(metric, run)
        if stated is not None and kind and kind != stated:
            yield metric, kind


def findings_of(run: Attempt, context: Context) -> Iterator[tuple[str, str]]:
    """Where the settings contradict a record, and words of a record that name no evaluator."""
    for metric, kind in contradicted(run, context):
        stated = quoted(context.settings.evaluators[run.scenario])
        yield f"evaluators/{metric}", f"recorded {quoted(kind)}, which counts; the settings say {stated}"
    for metric in EVALUATED:
        word = stated_of(dict(run.evaluators or {}), metric)
        if isinstance(word, str) and word.lower() not in KINDS:
            yield f"evaluators/{metric}", f"expected one of {', '.join(KINDS)}, got {quoted(word)}: not used"
