"""Files that tools wrote by their own classes: our counts and means are those of the tool, or of its objects.

``harbor`` by Harbor 0.26.0 (``TrialResult``, ``JobStats``, its metric ``Mean``), ``terminal-bench`` by
Terminal-Bench 0.2.18 (``BenchmarkResults``, ``RunMetadata``), ``langfuse`` by the Langfuse SDK 5.2.0 (pages
of ``ObservationV2`` and ``ScoreV3``), ``otel-genai`` by the OpenTelemetry SDK 1.45.2 with its GenAI utilities
1.3b0 and its exporter to a file of OTLP JSON 0.66b1. The values below are what these objects gave when the
files were made.
"""

from __future__ import annotations

import json
from collections import Counter
from math import isclose
from pathlib import Path

import metrics_core as mc
from metrics_core.counting import rows_of
from metrics_core.engine import reviews
from metrics_core.families.traces import FAMILY
from metrics_core.families.traces.record import Trace
from metrics_core.formats import Declared, OwnFigure
from metrics_core.results import Estimate, Report

MADE = Path(__file__).parent / "made_by_tools"


def runs(name: str) -> list[Trace]:
    return [row.record for batch in rows_of(FAMILY, mc.load(MADE / name)) for row in batch]


def scored(name: str, scorer: str) -> list[float]:
    found = [(run.scores or {}).get(scorer) for run in runs(name) if run.error is None]
    return [float(value) for value in found if isinstance(value, int | float)]


def whole_of(report: Report, metric: str, **keys: str) -> Estimate:
    (found,) = (e for e in report.find(metric, **keys) if not e.group)
    return found


def counts(estimate: Estimate) -> tuple[int, int, int, int, int]:
    return estimate.n, estimate.N, estimate.unknown, estimate.errors, estimate.invalid


def declared(report: Report) -> list[object]:
    return [found.difference for found in report.findings if isinstance(found, Declared)]


def test_harbor_s_own_mean_totals_and_errors_are_ours() -> None:
    report = mc.compute(mc.load(MADE / "harbor"))
    stats = json.loads((MADE / "harbor" / "job" / "result.json").read_bytes())["stats"]
    (own,) = stats["evals"].values()
    scores = scored("harbor", "reward")
    assert (
        (len(scores), sum(scores) / len(scores)) == (own["n_trials"], own["metrics"][0]["mean"]) == (3, 0.5)
    )
    held = {value: len(trials) for value, trials in own["reward_stats"]["reward"].items()}
    assert Counter(map(str, scores)) == held
    assert counts(whole_of(report, "score")) == (1, 3, 1, 1, 0)
    assert declared(report) == []
    made = runs("harbor")
    for ours, theirs in (
        ("prompt_tokens", "n_input_tokens"), ("cached_tokens", "n_cache_tokens"),
        ("completion_tokens", "n_output_tokens"), ("cost_usd", "cost_usd"),
    ):  # fmt: skip
        assert sum(getattr(run, ours) for run in made) == stats[theirs]


def test_terminal_bench_s_own_accuracy_takes_what_has_no_verdict_for_a_loss() -> None:
    report = mc.compute(mc.load(MADE / "terminal-bench"))
    own = json.loads((MADE / "terminal-bench" / "results.json").read_bytes())
    score = whole_of(report, "score")
    assert counts(score) == (3, 6, 2, 2, 0)
    assert score.n == own["n_resolved"] == 3
    without = score.unknown + score.errors
    assert own["n_unresolved"] == (score.N - score.n) + without
    assert isclose(own["accuracy"], score.n / (score.N + without))
    assert declared(report) == [OwnFigure("accuracy", 0.3, 0.5)]


def test_pages_of_langfuse_s_interface_are_joined_by_what_a_score_is_of() -> None:
    report = mc.compute(mc.load(MADE / "langfuse"))
    assert counts(whole_of(report, "score", scorer="ok")) == (4, 5, 1, 0, 0)
    helpful = scored("langfuse", "helpful")
    assert (len(helpful), isclose(sum(helpful) / len(helpful), 0.4)) == (5, True)
    assert counts(whole_of(report, "score", scorer="step"))[:3] == (0, 1, 5)
    made = runs("langfuse")
    assert len(made) == 6
    assert sum((run.prompt_tokens or 0) + (run.completion_tokens or 0) for run in made) == 153
    assert isclose(sum(run.cost_usd or 0 for run in made), 0.12)
    assert {run.task_id for run in made} == {f"item{n}" for n in range(6)}
    told = [found.what for found in report.findings]
    assert [what.split(" ", 2)[:2] for what in told] == [["2", "remarks"], ["1", "score"]]
    assert {key for run in made for key in run.scores or {}} == {"helpful", "ok", "tone", "step"}


def test_spans_of_opentelemetry_give_what_was_recorded_in_them() -> None:
    report = mc.compute(mc.load(MADE / "otel-genai"))
    assert counts(whole_of(report, "score", scorer="correct")) == (4, 5, 1, 1, 0)
    relevance = scored("otel-genai", "relevance")
    assert (len(relevance), isclose(sum(relevance) / len(relevance), 0.4)) == (5, True)
    made = runs("otel-genai")
    assert len(made) == 7
    assert sum((run.prompt_tokens or 0) + (run.completion_tokens or 0) for run in made) == 175
    assert {(run.agent, run.model, run.suite) for run in made if run.model} == {
        ("helper, gpt-small", "gpt-small", "desk 1.2")
    }
    assert [run.error for run in made if run.error] == ["agent broke"]


def test_tokens_stand_beside_the_cost_that_was_recorded_with_them() -> None:
    shown = [line for review in reviews(mc.load(MADE / "langfuse")) for line in review.costs]
    assert {(line.source, line.output, line.usd) for line in shown} == {("Recorded by the harness", 3, 0.02)}
    assert sorted(line.input or 0 for line in shown) == [20 + n for n in range(6)]
