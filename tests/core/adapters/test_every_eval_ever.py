"""The exchange format of Every-Eval-Ever: its lines read as traces, and our reports written as its records.

Both the samples that we read and the records that we write are held against the format's own schemas, which
are not part of the project.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

import metrics_core as mc
from metrics_core.adapters import ADAPTERS
from metrics_core.adapters.every_eval_ever import claims, convert
from metrics_core.errors import FormatError
from metrics_core.formats import Declared, Element, OutsideFile
from metrics_core.results import Keys
from metrics_core.results.problem import NoRuns, Problem
from metrics_core.results.report import Report
from site_src.project.site_config import SiteConfig
from site_src.publishing import downloads
from site_src.publishing.formats import exchange
from tests.support import sample_reports

SITE = SiteConfig(title="Halden agent evaluations", notice="Illustrative data")


def instance(name: str, score: float = 1.0, **more: Any) -> dict[str, Any]:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "arc/alpha/1783245600",
        "model_id": "alpha",
        "evaluation_name": "arc",
        "sample_id": name,
        "interaction_type": "single_turn",
        "input": {"raw": "2 + 2?", "reference": ["4"]},
        "output": {"raw": ["4"]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": "4",
                "extraction_method": "exact_match",
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": score, "is_correct": score == 1},
        **more,
    }


def lines(*instances: Any) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in instances)


AGGREGATE: dict[str, Any] = {
    "schema_version": "0.3.0",
    "evaluation_id": "arc/alpha/1783245600",
    "retrieved_timestamp": "1783245600",
    "source_metadata": {
        "source_type": "evaluation_run",
        "source_organization_name": "someone",
        "evaluator_relationship": "other",
    },
    "eval_library": {"name": "lm_eval", "version": "unknown"},
    "model_info": {
        "name": "alpha",
        "id": "alpha",
        "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
    },
    "evaluation_results": [],
}


def schema(shared_data: Path, name: str) -> Draft7Validator:
    return Draft7Validator(json.loads((shared_data / "every-eval-ever" / "schemas" / name).read_bytes()))


def faults(validator: Draft7Validator, record: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(record)]


# ------------------------------------------------------------------ reading


def read(data: bytes, path: str = "arc_samples.jsonl", **beside: bytes) -> list[Any]:
    """What becomes of a file; what stands beside it is given by name, with ``_json`` for the suffix."""
    others = {name.replace("_json", ".json"): content for name, content in beside.items()}
    file = OutsideFile(path=path, data=data, names=tuple(others), read=others.__getitem__)
    return [dict(item.record) if isinstance(item, Element) else item for item in convert(file)]


def test_what_these_tests_read_is_the_format(shared_data: Path) -> None:
    assert faults(schema(shared_data, "instance_level_eval.schema.json"), instance("a")) == []
    assert faults(schema(shared_data, "eval.schema.json"), AGGREGATE) == []


def test_lines_and_aggregates_are_claimed_and_nothing_else(shared_data: Path) -> None:
    head = lines(instance("a"))
    assert claims("arc_samples.jsonl", head)
    assert claims("arc.json", json.dumps(AGGREGATE).encode()[:4096])
    assert not claims("arc.json", head[:200])
    assert not claims("traces.jsonl", b'{"schema": "trace.v1", "task_id": "t", "agent": "m"}\n')
    for path in sorted((shared_data / "every-eval-ever").rglob("*.json*")):
        assert not claims(path.name, path.read_bytes()[:4096]), path.name
    others = [a for name, a in ADAPTERS.items() if name != "every-eval-ever"]
    assert not any(a.claims("arc_samples.jsonl", head) for a in others)


def test_a_line_is_a_trace() -> None:
    usage = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
    (trace,) = read(lines(instance("a", token_usage=usage, performance={"latency_ms": 1500})))
    assert trace == {
        "schema": "trace.v1",
        "task_id": "arc/a",
        "agent": "alpha",
        "model": "alpha",
        "suite": "arc",
        "rep": 1,
        "scores": {"score": 1.0},
        "answer": "4",
        "wall_s": 1.5,
        "run_id": "arc/alpha/1783245600",
        "prompt_tokens": 7,
        "completion_tokens": 3,
    }


def test_a_sample_that_occurs_again_is_another_try() -> None:
    found = read(lines(instance("a"), instance("b"), instance("a", 0.0)))
    assert [(trace["task_id"], trace["rep"]) for trace in found] == [("arc/a", 1), ("arc/b", 1), ("arc/a", 2)]


def test_two_results_of_one_evaluation_are_two_scorers() -> None:
    found = read(lines(*(instance("a", evaluation_result_id=metric) for metric in ("acc", "f1"))))
    assert [trace["scores"] for trace in found] == [{"acc": 1.0}, {"f1": 1.0}]
    assert [trace["rep"] for trace in found] == [1, 1]
    (single,) = read(lines(instance("a", evaluation_result_id="acc")))
    assert single["scores"] == {"score": 1.0}


def test_errors_and_scores_that_are_none(tmp_path: Path) -> None:
    rows = [instance("a"), instance("b", 0.5), instance("c", "none"), instance("d", error="timed out")]
    (tmp_path / "arc_samples.jsonl").write_bytes(lines(*rows))
    report = mc.compute(mc.load(tmp_path))
    (score,) = (e for e in report.find("score") if not e.group)
    assert (score.n, score.N, score.value, score.invalid, score.errors) == (1, 2, 0.75, 1, 1)


def test_results_without_samples_give_no_estimate(tmp_path: Path) -> None:
    (problem,) = read(json.dumps(AGGREGATE).encode(), "arc.json")
    assert isinstance(problem, NoRuns)
    (tmp_path / "arc.json").write_bytes(json.dumps(AGGREGATE).encode())
    report = mc.compute(mc.load(tmp_path))
    assert report.estimates == ()
    assert "results and no samples" in report.problems[0].what


def test_an_aggregate_whose_samples_lie_beside_it_is_no_problem_and_one_without_them_is() -> None:
    named = {"format": "jsonl", "file_path": "data/b/x_samples.jsonl"}
    data = json.dumps({**AGGREGATE, "detailed_evaluation_results": named}).encode()
    assert read(data, "arc.json", **{"x_samples.jsonl": b""}) == []
    assert read(data, "arc.json", **{"arc_samples.jsonl": b""}) == []
    (problem,) = read(data, "arc.json", **{"y_samples.jsonl": b""})
    assert isinstance(problem, NoRuns)
    assert "are not here" in problem.what


# ------------------------------------------------------------------ as the record beside them says


def aggregate(*results: dict[str, Any], **more: Any) -> bytes:
    """An aggregate record; each result is its metric's configuration, with its id and score."""
    made = []
    for result in results:
        config = {k: v for k, v in result.items() if k not in ("id", "score", "num_samples", "config")}
        details: dict[str, Any] = {"score": result.get("score", 0.0)}
        if "num_samples" in result:
            details["uncertainty"] = {"num_samples": result["num_samples"]}
        made.append({
            "evaluation_name": "arc", "source_data": {"dataset_name": "arc", "source_type": "other"},
            "metric_config": {"lower_is_better": False, **config}, "score_details": details,
            **({"evaluation_result_id": result["id"]} if "id" in result else {}),
            **({"generation_config": result["config"]} if "config" in result else {}),
        })  # fmt: skip
    return json.dumps({**AGGREGATE, "evaluation_results": made, **more}).encode()


CONTINUOUS = {"score_type": "continuous", "min_score": 0, "max_score": 100}
LEVELS = {"score_type": "levels", "level_names": ["bad", "fair", "good"], "has_unknown_level": True}


def scored(*scores: float) -> bytes:
    """A line a score; each sample has another name."""
    return lines(*(instance(str(n), score, evaluation={"score": score}) for n, score in enumerate(scores)))


def scores_of(found: Sequence[Any]) -> list[Any]:
    return [next(iter(item["scores"].values())) for item in found if isinstance(item, dict)]


def told(found: Sequence[Any]) -> list[str]:
    return [str(item) for item in found if isinstance(item, Problem)]


def test_what_these_records_hold_is_the_format(shared_data: Path) -> None:
    validator = schema(shared_data, "eval.schema.json")
    for record in (aggregate({**CONTINUOUS, "id": "a", "num_samples": 3}), aggregate(LEVELS)):
        assert faults(validator, json.loads(record)) == []


@pytest.mark.parametrize(
    ("metric", "raw", "scaled"),
    [
        (CONTINUOUS, [80.0, 100.0, 0.0], [0.8, 1.0, 0.0]),
        ({"score_type": "continuous", "min_score": -1, "max_score": 1}, [-1.0, 0.0, 1.0], [0.0, 0.5, 1.0]),
        ({"metric_unit": "percent"}, [80.0, 100.0, 50.0], [0.8, 1.0, 0.5]),
        (LEVELS, [2.0, 1.0, 0.0], [1.0, 0.5, 0.0]),
        ({"score_type": "continuous", "min_score": 0, "max_score": 1}, [0.8, 1.0, 0.0], [0.8, 1.0, 0.0]),
        (
            {"score_type": "continuous", "min_score": 0, "max_score": "Infinity"},
            [0.5, 7.0, 0.0],
            [0.5, 7.0, 0.0],
        ),
    ],
)
def test_scores_are_rescaled_as_the_record_says_and_that_is_told(
    metric: dict[str, Any], raw: list[float], scaled: list[float]
) -> None:
    found = read(scored(*raw), arc_json=aggregate({**metric, "score": sum(raw) / 3}))
    assert scores_of(found) == pytest.approx(scaled)
    rescaled = [item for item in found if isinstance(item, Declared)]
    assert len(rescaled) == (raw != scaled)
    for item in rescaled:
        assert "rescaled to 0..1" in str(item)
        assert item.concerns(Keys({"model": "alpha", "scorer": "score"}))
        assert not item.concerns(Keys({"model": "beta", "scorer": "score"}))


def test_shares_beside_a_figure_in_percent_stay_shares() -> None:
    some = lines(instance("a"), instance("b", 0.0), instance("c"), instance("d"))
    for metric in ({**CONTINUOUS, "score": 75.0}, {"metric_unit": "percent", "score": 75}):
        found = read(some, arc_json=aggregate(metric))
        assert (scores_of(found), told(found)) == ([1.0, 0.0, 1.0, 1.0], [])


def test_a_score_outside_its_scale_costs_one_run() -> None:
    found = read(scored(80, 101, 20), arc_json=aggregate({**CONTINUOUS, "score": 67}))
    assert scores_of(found) == pytest.approx([0.8, 0.2])
    assert "arc_samples.jsonl:2#/evaluation/score: expected a score from 0 to 100, got 101" in told(found)


def test_minus_one_is_unknown_where_the_record_says_so_and_nowhere_else() -> None:
    some = scored(2.0, -1.0, 1.0)
    assert scores_of(read(some, arc_json=aggregate({**LEVELS, "score": 1.5}))) == [1.0, None, 0.5]
    plain = aggregate({"score_type": "continuous", "min_score": -1, "max_score": 2, "score": 2 / 3})
    assert scores_of(read(some, arc_json=plain)) == pytest.approx([1.0, 0.0, 2 / 3])


def test_lower_is_better_is_refused_in_plain_words_and_the_other_result_is_kept() -> None:
    both = [instance(n, 1.0, evaluation_result_id=m) for n in "ab" for m in ("acc", "toxicity")]
    record = aggregate({"id": "acc", "score": 1.0}, {"id": "toxicity", "lower_is_better": True})
    found = read(lines(*both), arc_json=record)
    (problem,) = (item for item in found if isinstance(item, NoRuns))
    assert str(problem) == (
        "arc.json#/evaluation_results/1/metric_config/lower_is_better: lower is better: 2 samples of "
        "toxicity are no score, and are left out"
    )
    assert [item["scores"] for item in found if isinstance(item, dict)] == [{"acc": 1.0}, {"acc": 1.0}]


def test_its_own_figures_and_counts_are_held_against_the_samples() -> None:
    some = lines(instance("a"), instance("b", 0.0))
    found = read(some, arc_json=aggregate({"score": 0.9, "num_samples": 40, "metric_id": "accuracy"}))
    assert [str(item.difference) for item in found if isinstance(item, Declared)] == [
        "declares 40 runs; 2 are here",
        "its own figure (accuracy) is 0.9; its runs' mean is 0.5",
    ]
    detailed = {"format": "jsonl", "file_path": "data/a/b/c/arc_samples.jsonl", "total_rows": 790}
    found = read(some, arc_json=aggregate({"score": 0.5}, detailed_evaluation_results=detailed))
    assert told(found) == ["arc.json#/detailed_evaluation_results/total_rows: declares 790 runs; 2 are here"]


@pytest.mark.parametrize(("figure", "agrees"), [(0.667, True), (0.67, True), (0.7, False), (66.7, False)])
def test_a_rounded_figure_agrees(figure: float, agrees: bool) -> None:
    some = lines(instance("a"), instance("b", 0.0), instance("c"))
    assert (told(read(some, arc_json=aggregate({"score": figure}))) == []) is agrees


def test_another_setup_is_another_stratum(tmp_path: Path) -> None:
    for at, (temperature, score) in enumerate(((0.0, 1.0), (1.0, 0.0))):
        name = f"arc/alpha/{at}"
        some = [instance(n, score, evaluation_id=name) for n in "abc"]
        (tmp_path / f"{at}_samples.jsonl").write_bytes(lines(*some))
        detailed = {"format": "jsonl", "file_path": f"data/{at}_samples.jsonl"}
        result = {"score": score, "config": {"generation_args": {"temperature": temperature}}}
        record = aggregate(result, evaluation_id=name, detailed_evaluation_results=detailed)
        (tmp_path / f"{at}.json").write_bytes(record)
    report = mc.compute(mc.load(tmp_path))
    assert sorted((e.n, e.N) for e in report.find("score") if not e.group) == [(0, 3), (3, 3)]
    assert report.problems == report.findings == ()


def test_a_score_that_its_own_verdict_contradicts_is_told() -> None:
    found = read(lines(instance("a", evaluation={"score": 1.0, "is_correct": False}), instance("b")))
    assert told(found) == ["arc_samples.jsonl:1#/evaluation: a score of 1, yet is_correct false"]
    assert scores_of(found) == [1.0, 1.0]


def test_the_same_line_twice_is_one_run_and_another_text_is_another(tmp_path: Path) -> None:
    other = json.dumps(instance("a"), separators=(",", ":")).encode() + b"\n"
    (tmp_path / "arc_samples.jsonl").write_bytes(lines(instance("a"), instance("a")) + other)
    report = mc.compute(mc.load(tmp_path))
    (score,) = (e for e in report.find("score") if not e.group)
    assert (score.N, report.duplicates) == (2, 1)


def test_lines_that_are_none_are_problems_with_their_number() -> None:
    data = lines(instance("a"), {"sample_id": "b"}) + b'{"sample_id": NaN}\n' + lines(instance("c"))
    found = read(data)
    problems = [item for item in found if isinstance(item, Problem)]
    assert [(item.line, item.field) for item in problems] == [(2, "model_id"), (3, "sample_id")]
    assert [item["task_id"] for item in found if not isinstance(item, Problem)] == ["arc/a", "arc/c"]
    with pytest.raises(FormatError, match="expected JSON"):
        read(b"5", "arc.json")


# ------------------------------------------------------------------ writing


def exchanged(reports: Sequence[Report]) -> dict[str, dict[str, Any]]:
    return dict(exchange.records(reports, SITE))


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Two arms, one of them tried twice on each of ten tasks; and a log of a brownfield suite."""
    root = tmp_path_factory.mktemp("both")
    (root / "traces").mkdir()
    rows = [
        {"task_id": f"t{n}", "agent": arm, "scores": {"s": grade}, "stamp": "2026-07-05T10:00:00Z"}
        for n in range(10)
        for arm, grades in (("alpha", "CI"), ("beta", "C"))
        for grade in grades
    ]
    (root / "traces" / "a.jsonl").write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    return mc.compute(mc.load(root))


def test_every_record_is_of_the_schema(shared_data: Path, computed: Report) -> None:
    validator = schema(shared_data, "eval.schema.json")
    made = exchanged([computed, *sample_reports.reports()])
    assert len(made) > 4
    assert {at: faults(validator, record) for at, record in made.items() if faults(validator, record)} == {}


def test_a_record_holds_each_score_of_an_arm_with_its_counts(computed: Report) -> None:
    made = exchanged([computed])
    assert sorted(at.rpartition("/")[2] for at in made) == ["alpha.json", "beta.json"]
    (record,) = (r for at, r in made.items() if at.endswith("alpha.json"))
    results = {
        r["metric_config"]["metric_id"].rpartition(".")[2]: r
        for r in record["evaluation_results"]
        if r["metric_config"].get("metric_parameters", {}).get("k", 2) == 2
    }
    assert set(results) == {"score", "pass_hat_k", "pass_at_k"}
    score = results["score"]["score_details"]
    assert (score["score"], score["details"]["n"], score["details"]["N"]) == (0.5, "10", "20")
    assert score["uncertainty"]["num_samples"] == 20
    assert score["uncertainty"]["confidence_interval"]["lower"] < 0.5
    assert results["pass_hat_k"]["score_details"]["score"] == 0.0
    assert results["pass_at_k"]["metric_config"]["metric_parameters"] == {"k": 2}
    assert record["evaluation_timestamp"] == "2026-07-05T10:00:00Z"
    assert record["retrieved_timestamp"] == "1783245600"


def test_what_is_no_score_or_withheld_is_not_exchanged() -> None:
    reports = tuple(sample_reports.reports())
    by_id = {e.id: e for report in reports for e in report.estimates}
    made = exchanged(reports).values()
    told = [result["evaluation_result_id"] for record in made for result in record["evaluation_results"]]
    assert told
    for name in told:
        e = by_id[name]
        assert e.withheld is None
        assert e.unit not in ("USD", "s", "count")
        assert e.metric != "stage"
    assert any(e.withheld for e in by_id.values())


def test_a_metric_that_speaks_against_is_lower_is_better() -> None:
    made = exchanged(tuple(sample_reports.reports()))
    rows = [r["metric_config"] for record in made.values() for r in record["evaluation_results"]]
    assert {r["metric_id"] for r in rows if r["lower_is_better"]} <= {
        "assay.brownfield.divergence", "assay.attempts.attack_success",
    }  # fmt: skip


def test_a_site_publishes_them_and_their_list(computed: Report) -> None:
    files = {file.path: json.loads(file.data) for file in downloads.documents([computed], (), SITE)}
    listed = files[exchange.INDEX]
    assert [row["at"] for row in listed["records"]] == [at for at in files if at.startswith(exchange.FOLDER)
                                                         and at != exchange.INDEX]  # fmt: skip
    for row in listed["records"]:
        assert files[row["at"]]["evaluation_id"] == row["evaluation_id"]
        assert files[row["at"]]["source_metadata"]["additional_details"]["notice"] == "Illustrative data"
