"""lm-evaluation-harness: samples with their results beside them, and what either lacks.

The shapes are those of files that version 0.4.13 wrote with its model ``dummy`` on tasks of our own; the
numbers of the eight documents are worked by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.adapters import ADAPTERS
from metrics_core.adapters.lm_evaluation_harness import ADAPTER, claims, convert
from metrics_core.errors import FormatError
from metrics_core.formats import Declared, Element, OutsideFile
from metrics_core.results import Aside, NoRuns, Problem
from metrics_core.results.estimate import Estimate

DATE = "2026-01-02T03-04-05.678901"
FOLDER = "org__small"
SAMPLES, RESULTS = f"{FOLDER}/samples_sums_{DATE}.jsonl", f"{FOLDER}/results_{DATE}.json"
ACCURATE = (1, 1, 0, 1, 0, 0, 1, 0)


def sample(doc: Any, filtered: str = "none", **metrics: Any) -> dict[str, Any]:
    return {
        "doc_id": doc, "doc": {"question": f"{doc}?"}, "target": "4", "arguments": {"gen_args_0": {}},
        "resps": [["4"]], "filtered_resps": ["4"], "filter": filtered, "metrics": [*metrics], "doc_hash": "d",
        "prompt_hash": "p", "target_hash": "t", **metrics,
    }  # fmt: skip


def results(**more: Any) -> dict[str, Any]:
    held = {"alias": "sums", "acc,none": 0.5, "acc_stderr,none": 0.1889822365046136}
    return {
        "results": {"sums": held}, "group_subtasks": {"sums": []},
        "configs": {"sums": {"metric_list": [{"metric": "acc", "aggregation": "mean"}]}},
        "versions": {"sums": 2.0}, "n-shot": {"sums": 5}, "higher_is_better": {"sums": {"acc": True}},
        "n-samples": {"sums": {"original": 8, "effective": 8}},
        "config": {"model": "hf", "model_args": "pretrained=org/small", "limit": None}, "date": 1767323045.5,
        "model_name": "org/small", **more,
    }  # fmt: skip


def text(samples: list[Any]) -> bytes:
    return b"".join((s if isinstance(s, bytes) else json.dumps(s).encode()) + b"\n" for s in samples)


def made(samples: list[Any], beside: Any = None, path: str = SAMPLES) -> list[Any]:
    found = beside if isinstance(beside, bytes) else json.dumps(beside).encode()
    held = {} if beside is None else {RESULTS: found}
    return list(convert(OutsideFile(path=path, data=text(samples), names=tuple(held), read=held.__getitem__)))


def records(items: list[Any]) -> list[Any]:
    return [item.record for item in items if isinstance(item, Element)]


def told(items: list[Any], kind: type[Any] = Problem) -> list[str]:
    return [str(item) for item in items if isinstance(item, kind)]


EIGHT = [sample(n, acc=float(right)) for n, right in enumerate(ACCURATE)]


def test_a_document_is_a_trace_of_the_model_that_the_results_name() -> None:
    items = made(EIGHT, results())
    assert len(items) == 8
    first = records(items)[0]
    assert (first["task_id"], first["agent"], first["suite"]) == ("sums/0", "org/small", "sums 2.0, 5-shot")
    assert (first["scores"], first["answer"]) == ({"acc,none": 1.0}, "4")
    assert first["stamp"] == "2026-01-02T03:04:05.500000+00:00"
    assert json.loads(items[0].source) == {
        "date": 1767323045.5, "model": "org/small", "task": "sums", "samples": [EIGHT[0]],
    }  # fmt: skip


def test_the_filters_of_a_document_are_scorers_of_one_run() -> None:
    both = [sample(n, name, exact_match=float(n == 0)) for name in ("strict", "loose") for n in range(2)]
    items = made(both, results())
    assert [r["scores"] for r in records(items)] == [
        {"exact_match,strict": 1.0, "exact_match,loose": 1.0},
        {"exact_match,strict": 0.0, "exact_match,loose": 0.0},
    ]
    assert [len(json.loads(item.source)["samples"]) for item in items[:2]] == [2, 2]


def test_the_harness_s_own_figures_are_told_where_they_differ() -> None:
    assert made(EIGHT, results())[8:] == []
    other = {"alias": "sums", "acc,none": 0.75, "acc_stderr,none": 0.1}
    found = [item for item in made(EIGHT, results(results={"sums": other})) if isinstance(item, Declared)]
    assert [d.what for d in found] == [
        "its own figure (acc,none) is 0.75; its runs' mean is 0.5",
        "its own figure (acc_stderr,none) is 0.1; its runs' standard error is 0.188982",
    ]
    assert dict(found[0].of) == {"model": "org/small", "suite": "sums 2.0, 5-shot", "scorer": "acc,none"}


def test_only_a_mean_is_compared_with_a_mean() -> None:
    configs = {"sums": {"metric_list": [{"metric": "perplexity", "aggregation": "perplexity"}]}}
    own = {"alias": "sums", "perplexity,none": 3.3}
    configs["sums"]["metric_list"] += [7, {"metric": "perplexity", "aggregation": [1]}]  # type: ignore[list-item]
    items = made([sample(0, perplexity=-1.2)], results(configs=configs, results={"sums": own}))
    assert told(items, Declared) == [f"{SAMPLES}: declares 8 runs; 1 is here"]
    assert records(items)[0]["scores"] == {"perplexity,none": -1.2}


def test_documents_that_are_missing_and_a_limit_are_told() -> None:
    counts = {"sums": {"original": 100, "effective": 10}}
    assert told(made(EIGHT, results(**{"n-samples": counts})), Declared) == [
        f"{SAMPLES}: declares 10 runs; 8 are here",
        f"{SAMPLES}: was limited: 10 of 100 documents of sums",
    ]
    config = {"model": "hf", "model_args": "pretrained=org/small", "limit": 0.25}
    old = results(config=config, **{"n-samples": {}})
    assert told(made(EIGHT, old), Declared) == [f"{SAMPLES}: was limited: 25% of the documents of sums"]


def test_what_is_no_score_of_one_document_is_told_and_not_read() -> None:
    both = [sample(0, acc=1.0, brier_score=[0, "[0.2 0.8]"])]
    items = made(both, results(results={"sums": {"alias": "sums", "brier_score,none": 0.66}}))
    assert records(items)[0]["scores"] == {"acc,none": 1.0}
    (aside,) = (item for item in items if type(item) is Aside)
    assert "brier_score,none is a figure of all samples" in aside.what
    assert aside.what.endswith("the source's own figure is 0.66")
    alone = made([sample(0, word_perplexity=[-0.5, 2])], results())
    (nothing,) = (item for item in alone if isinstance(item, NoRuns))
    assert "1 samples, none of which has a score of its own" in nothing.what
    assert records(alone) == []


def test_a_metric_that_is_better_lower_says_so_in_its_name() -> None:
    items = made([sample(0, ter=0.4)], results(higher_is_better={"sums": {"ter": False}}))
    assert records(items)[0]["scores"] == {"ter,none (lower is better)": 0.4}


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (None, None),
        ("C", "C"),
        (7.5, 7.5),
        (True, True),
        (10**400, '"a number of more than 40 digits"'),
    ],
)
def test_a_strange_value_costs_one_score_and_no_file(value: Any, score: Any) -> None:
    items = made([sample(0, acc=value), sample(1, acc=1.0)], results())
    assert [r["scores"]["acc,none"] for r in records(items)] == [score, 1.0]


def test_a_line_that_is_no_sample_is_a_problem_with_its_number() -> None:
    broken = [sample(0, acc=1.0), b'{"doc_id": 1, "doc": {"quest', 5, {"doc": {}}, sample(True, acc=1.0)]
    problems = [item for item in made(broken, results()) if type(item) is Problem]
    assert [problem.line for problem in problems] == [2, 3, 4, 5]
    assert problems[1].what == "expected a sample's doc_id, got null"
    assert len(records(made(broken, results()))) == 1


def test_a_metric_that_a_sample_lacks_is_unknown_to_that_scorer() -> None:
    items = made([sample(0, acc=1.0, f1=0.5), sample(1, acc=0.0)], results())
    assert records(items)[1]["scores"] == {"acc,none": 0.0, "f1,none": None}


def test_samples_of_older_versions_name_no_metrics_and_no_filter() -> None:
    old = {"doc_id": 3, "doc": {}, "target": "x", "resps": [], "filtered_resps": [], "acc": 1.0}
    assert records(made([old]))[0]["scores"] == {"acc,none": 1.0}


def test_without_results_the_model_is_taken_from_a_name_and_told() -> None:
    items = made(EIGHT)
    assert (records(items)[0]["agent"], records(items)[0]["suite"]) == (FOLDER, "sums")
    assert told(items, Aside) == [
        (
            f"{SAMPLES}: no results of the same date lie beside it: "
            f'the model is taken from the folder\'s name, "{FOLDER}"'
        )
    ]
    (aside,) = told(made(EIGHT, path="samples_sums.jsonl"), Aside)
    assert aside.endswith('the model is taken from the file\'s name, "samples_sums"')
    (aside,) = told(made(EIGHT, b'{"results": {"su'), Aside)
    assert f"{RESULTS} cannot be read (expected JSON" in aside


@pytest.mark.parametrize(
    ("config", "name", "arm"),
    [
        ({"model": "dummy", "model_args": {}}, "jt8a2350", "dummy"),
        ({"model": "hf", "model_args": "pretrained=a/b,revision=step3"}, "a/b", "a/b@step3"),
        ({"model": "hf", "model_args": {"pretrained": "a/b", "revision": "main"}}, "a/b", "a/b"),
        ({"model": "hf"}, "a/b", "a/b"),
        ({}, None, FOLDER),
    ],
)
def test_the_arm_is_the_model_and_no_name_that_was_made_up(config: Any, name: Any, arm: str) -> None:
    assert records(made(EIGHT, results(config=config, model_name=name)))[0]["agent"] == arm


def alone(found: Any, names: tuple[str, ...] = ()) -> list[Any]:
    return list(convert(OutsideFile(path=RESULTS, data=json.dumps(found).encode(), names=names)))


def test_results_without_samples_say_how_to_get_some() -> None:
    (nothing,) = alone(results())
    assert isinstance(nothing, NoRuns)
    assert nothing.what.startswith(
        "looks like lm-evaluation-harness, but without samples (run with --log_samples)"
    )
    assert alone(results(), (SAMPLES,)) == []
    two = results(results={"sums": {"alias": "s"}, "other": {"alias": "o"}, "all": {"alias": "a"}})
    two["group_subtasks"] = {"all": ["sums", "other"]}
    (missing,) = alone(two, (SAMPLES,))
    assert (missing.field, missing.what[-8:]) == ("results/other", "his task")
    with pytest.raises(FormatError, match="expected an object with results"):
        alone({"results": []})


def test_only_samples_and_results_are_claimed() -> None:
    heads = {SAMPLES: text(EIGHT), RESULTS: json.dumps(results(), indent=2).encode()}
    for path, head in heads.items():
        assert claims(path, head)
        assert claims(path, head[:60])
        assert not any(a.claims(path, head[:4096]) for a in ADAPTERS.values() if a is not ADAPTER)
    assert not claims("rows.jsonl", b'{"doc_id": 3, "score": 1}')
    assert not claims("a.json", b'{"results": {"version": 3, "results": []}}')
    assert not claims("package.json", b'{"name": "x", "scripts": {"a,b": 1}}')


def scores(root: Path) -> Iterator[Estimate]:
    return (e for e in mc.compute(mc.load(root)).find("score") if e.group.names == ("model",))


def test_the_same_lines_of_two_models_are_two_runs_and_a_copy_is_none(tmp_path: Path) -> None:
    for name, folder in (("org/small", "a"), ("org/large", "b"), ("org/large", "copy")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"samples_sums_{DATE}.jsonl").write_bytes(text(EIGHT))
        found = results(model_name=name, config={"model": "hf", "model_args": f"pretrained={name}"})
        (tmp_path / folder / f"results_{DATE}.json").write_text(json.dumps(found))
    found_scores = {e.group["model"]: (e.n, e.N, e.value) for e in scores(tmp_path)}
    assert found_scores == {"org/small": (4, 8, 0.5), "org/large": (4, 8, 0.5)}
