"""Files of every format, damaged: an unreadable one is one problem, a huge number costs one run at most."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from metrics_core.adapters import ADAPTERS
from metrics_core.experiments import load_experiment
from metrics_core.experiments.settings import Settings
from metrics_core.families import FAMILIES
from metrics_core.formats import Row
from metrics_core.formats.jsonl import read
from metrics_core.measurement import Context, Partial, batches, partition_paths, tabulate
from metrics_core.memo import Memo
from metrics_core.results import NoRuns
from tests.core.adapters import (
    test_every_eval_ever as every_eval_ever,
    test_harbor as harbor,
    test_inspect as inspect,
    test_langfuse as langfuse,
    test_lm_evaluation_harness as lm_evaluation_harness,
    test_otel_genai as otel_genai,
    test_promptfoo as promptfoo,
    test_swe_bench as swe_bench,
    test_tau2_bench as tau2_bench,
    test_tau_bench as tau_bench,
    test_terminal_bench as terminal_bench,
)
from tests.core.adapters.test_agentdojo import ATTACKED, run
from tests.core.experiments.test_conflicts import TWO_OUTCOMES

TAU = tau_bench.tried(0, 0, 1.0)
TASK = "a__b-1"

GOOD: dict[str, dict[str, Any]] = {
    "agentdojo": {f"runs/m/github/{ATTACKED}": run()},
    "every-eval-ever": {
        "arc.json": json.loads(every_eval_ever.aggregate({**every_eval_ever.CONTINUOUS, "num_samples": 1})),
        "arc_samples.jsonl": every_eval_ever.instance(
            "a", 1.0, performance={"latency_ms": 5}, token_usage={"input_tokens": 1, "output_tokens": 2}
        ),
    },
    "harbor": {
        "job/a__x/result.json": {**harbor.trial("a"), "trial_name": "a__x"},
        "job/result.json": harbor.of_job(1, stats=harbor.means(1.0)),
    },
    "inspect": {"a.json": json.loads(inspect.log(inspect.graded(1, 1.0)))},
    "langfuse": {"export.json": [langfuse.FULL]},
    "lm-evaluation-harness": {
        lm_evaluation_harness.SAMPLES: lm_evaluation_harness.EIGHT[0],
        lm_evaluation_harness.RESULTS: lm_evaluation_harness.results(),
    },
    "otel-genai": {
        "traces.json": otel_genai.otlp([otel_genai.agent("t", flags=1), otel_genai.chat("t", "c")])
    },
    "promptfoo": {"out.json": promptfoo.evaluation([promptfoo.result()])},
    "table": {"rows.jsonl": {"task": "a", "model": "m", "rep": 1, "passed": 1, "cost_usd": 0.5}},
    "swe-bench": {
        "m.r.json": swe_bench.lists(resolved_ids=[TASK]),
        "details/per_instance_details.json": {TASK: {"cost": 0.5, "api_calls": 2, "resolved": False}},
    },
    "tau-bench": {"m-airline.json": [TAU]},
    "tau2-bench": {"r.json": tau2_bench.results([tau2_bench.run("a", 0, 1.0)], duration=1.5)},
    "terminal-bench": {
        "r/results.json": {"id": "r", "results": [terminal_bench.trial("a")], "accuracy": 1.0}
    },
}
"""A small experiment of each format; a file that ends in ``.jsonl`` has one line."""

NUMBER = re.compile(r"(?<=[\[:,] )-?\d+(?:\.\d+)?(?=[,}\]])|(?<=: \")\d+(?=\"[,}])")
HUGE = ("9" * 400, "-" + "9" * 400, "1e400", "9" * 5000)


def measured(root: Path, name: str, files: dict[str, bytes], *, claimed: bool = False) -> Partial:
    """What the files come to, under the adapter of a format; ``claimed`` are files that it may not know."""
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    adapter = replace(ADAPTERS[name], claims=lambda path, head: True) if claimed else ADAPTERS[name]
    experiment = load_experiment(root, layout={}, adapters={name: adapter})
    family, total = FAMILIES[ADAPTERS[name].family], Partial()
    for paths in partition_paths(family, experiment):
        rows = list(batches(family, experiment, paths))
        total.merge(tabulate(family, rows, Context(experiment="x", settings=Settings(), memo=Memo())))
    return total


def texts(name: str) -> dict[str, str]:
    return {path: json.dumps(value) for path, value in GOOD[name].items()}


def huge(name: str) -> Iterator[tuple[str, dict[str, bytes]]]:
    """The files of a format, each number in turn replaced by one that nothing can hold."""
    files = {path: text.encode() for path, text in texts(name).items()}
    for path, text in texts(name).items():
        for at, found in enumerate(NUMBER.finditer(text)):
            bad = HUGE[at % len(HUGE)]
            yield (
                f"{path}:{found.start()}",
                {**files, path: (text[: found.start()] + bad + text[found.end() :]).encode()},
            )


def test_every_format_is_tried() -> None:
    assert set(GOOD) == set(ADAPTERS)


@pytest.mark.parametrize("name", GOOD)
def test_what_is_tried_is_read(name: str, tmp_path: Path) -> None:
    found = measured(tmp_path, name, {path: text.encode() for path, text in texts(name).items()})
    assert found.records - found.invalid > 0


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("how", ["cut", "empty", "no UTF-8", "too deep", "another value"])
def test_a_file_that_cannot_be_read_is_one_problem_and_no_run(name: str, how: str, tmp_path: Path) -> None:
    whole = {path: text.encode() for path, text in texts(name).items()}
    path = next(iter(whole)) if name != "every-eval-ever" else "arc_samples.jsonl"
    data = {
        "cut": whole[path][: len(whole[path]) * 3 // 4],
        "empty": whole[path][:1],
        "no UTF-8": whole[path][: len(whole[path]) // 2] + b"\xff\xfe" + whole[path][len(whole[path]) // 2 :],
        "too deep": whole[path][:-1] + b', "deep": ' + b"[" * 100_000,
        "another value": whole[path] + b"]",
    }[how]
    found = measured(tmp_path, name, {path: data}, claimed=True)
    assert found.records == found.invalid <= path.endswith(".jsonl")
    told = [problem for problem in found.problems if problem.file == path]
    assert 1 <= len(told) <= 1 + path.endswith(".jsonl")
    assert sum(not isinstance(problem, NoRuns) for problem in told) <= path.endswith(".jsonl")
    assert sum(cell.runs - cell.told for cell in found.cells.values()) == 0


@pytest.mark.parametrize("name", GOOD)
def test_a_number_of_400_digits_is_told_or_not_read_and_nothing_raises(name: str, tmp_path: Path) -> None:
    for at, (place, files) in enumerate(huge(name)):
        found = measured(tmp_path / str(at), name, files)
        assert found.records <= 8, place
        assert all("9" * 60 not in str(problem) for problem in (*found.problems, *found.findings)), place


@pytest.mark.parametrize("family", FAMILIES)
def test_a_number_of_400_digits_in_a_log_costs_its_line_and_is_told(family: str) -> None:
    record = TWO_OUTCOMES[family][0]
    counts = dict.fromkeys(("wall_s", "cost_usd", "rep", "prompt_tokens", "completion_tokens", "retries"), 1)
    more = dict.fromkeys(("difficulty", "grader_version", "exit_code", "seed", "run_id", "l1_cost"), 1)
    text = json.dumps({**record, **counts, **more, "run_id": "1"})
    for found in NUMBER.finditer(text):
        for bad in HUGE:
            line = (text[: found.start()] + bad + text[found.end() :]).encode() + b"\n"
            items = list(read([line, text.encode() + b"\n"], FAMILIES[family].record, file="a.jsonl"))
            good = [item for item in items if isinstance(item, Row)]
            assert [row.line for row in good if row.line == 2] == [2]
            assert len(items) == 2
            context = Context(experiment="x", settings=Settings(), memo=Memo())
            assert tabulate(FAMILIES[family], [items], context).records == 2
