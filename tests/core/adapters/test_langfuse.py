"""Langfuse exports: traces, observations and scores, in one file or beside each other, in both spellings.

The shapes are those of the public interface (camel case) and of exports to storage (snake case, numbers as
text), built from their documentation.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.adapters import ADAPTERS
from metrics_core.adapters.langfuse import ADAPTER, claims, convert, nearly
from metrics_core.errors import FormatError
from metrics_core.formats import Element, OutsideFile
from metrics_core.results import Aside, NoRuns, Problem


def trace(own: str = "t", **more: Any) -> dict[str, Any]:
    return {
        "id": own, "timestamp": "2026-01-02T03:04:05.000Z", "name": "desk", "version": "2", "release": "r7",
        "environment": "default", "sessionId": None, "userId": None, "tags": [], "public": False,
        "htmlPath": "/project/p/traces/t", "latency": 9.0, "totalCost": 0.5, **more,
    }  # fmt: skip


def observation(own: str, of: str = "t", **more: Any) -> dict[str, Any]:
    return {
        "id": own, "traceId": of, "type": "GENERATION", "name": "answer", "parentObservationId": "root",
        "startTime": "2026-01-02T03:04:06.000Z", "endTime": "2026-01-02T03:04:07.500Z", "model": "small",
        "usageDetails": {"input": 10, "output": 5, "input_cached_tokens": 20, "total": 35},
        "totalCost": 0.002, "level": "DEFAULT", **more,
    }  # fmt: skip


def root(of: str = "t", **more: Any) -> dict[str, Any]:
    plain = {
        "type": "SPAN", "parentObservationId": None, "model": None, "usageDetails": {}, "totalCost": None,
        "startTime": "2026-01-02T03:04:05.500Z", "endTime": "2026-01-02T03:04:08.000Z",
    }  # fmt: skip
    return observation("root", of, **{**plain, **more})


def score(name: str, value: Any, of: str = "t", **more: Any) -> dict[str, Any]:
    kind = more.pop("dataType", "NUMERIC")
    own = f"{name}{value}{len(more)}"
    return {"id": own, "traceId": of, "name": name, "value": value, "dataType": kind, "source": "API", **more}


def snake(row: dict[str, Any]) -> dict[str, Any]:
    return {re.sub(r"([A-Z])", r"_\1", key).lower(): value for key, value in row.items()}


def made(whole: Any, path: str = "export.json", **beside: Any) -> list[Any]:
    files = {name.replace("_", "/", 1) + ".json": json.dumps(rows).encode() for name, rows in beside.items()}
    data = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
    return list(convert(OutsideFile(path=path, data=data, names=tuple(files), read=files.__getitem__)))


def records(items: list[Any]) -> list[Any]:
    return [item.record for item in items if isinstance(item, Element)]


def told(items: list[Any], kind: type[Any] = Aside) -> list[str]:
    return [item.what for item in items if type(item) is kind]


FULL = trace(observations=[root(), observation("a"), observation("b")], scores=[score("helpful", 0.75)])


def test_a_trace_is_a_run_with_what_its_observations_add_up_to() -> None:
    items = made([FULL])
    (record,) = records(items)
    assert record == {
        "schema": "trace.v1", "task_id": "t", "agent": "small", "model": "small", "run_id": "t",
        "suite": "desk, version 2, release r7", "stamp": "2026-01-02T03:04:05.000Z", "wall_s": 2.5,
        "prompt_tokens": 60, "completion_tokens": 10, "cost_usd": 0.004, "scores": {"helpful": 0.75},
    }  # fmt: skip
    assert json.loads(items[0].source)["trace"]["id"] == "t"
    assert told(items) == ["1 trace without an item of a dataset: each is taken for a task of its own"]


def shapes() -> dict[str, Any]:
    parts = {"observations": FULL["observations"], "scores": FULL["scores"]}
    return {
        "list": [FULL], "page": {"data": [FULL], "meta": {"page": 1}}, "one": FULL,
        "wrapped": {"trace": trace(), **parts}, "by name": {"traces": [trace()], **parts},
        "rows": [trace(), *parts["observations"], *parts["scores"]],
        "storage": [snake(row) for row in (trace(), *parts["observations"], *parts["scores"])],
    }  # fmt: skip


@pytest.mark.parametrize("shape", shapes())
def test_every_shape_of_an_export_is_the_same_run(shape: str) -> None:
    found = shapes()[shape]
    assert records(made(found)) == records(made([FULL]))
    assert claims("export.json", json.dumps(found, indent=2).encode())


def test_files_beside_each_other_are_one_export(tmp_path: Path) -> None:
    parts = {"traces": [trace()], "observations": FULL["observations"], "scores": FULL["scores"]}
    for folders in (True, False):
        for name, rows in parts.items():
            place = tmp_path / str(folders) / (f"out/{name}/2026.jsonl" if folders else f"{name}.jsonl")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("".join(json.dumps(row) + "\n" for row in rows))
        report = mc.compute(mc.load(tmp_path / str(folders)))
        assert (report.records, report.problems) == (1, ())
        (found,) = (e for e in report.find("score") if not e.group)
        assert (found.N, found.stratum["scorer"]) == (1, "helpful")


def test_observations_alone_are_runs_and_scores_alone_are_none() -> None:
    enriched = [{**row, "traceName": "desk", "version": None} for row in FULL["observations"]]
    (record,) = records(made(enriched, scores_x=[]))
    assert (record["task_id"], record["suite"], record["prompt_tokens"]) == ("t", "desk", 60)
    alone = made(FULL["scores"])
    assert told(alone, NoRuns) == [
        "scores of 1 trace that are not here: export traces or observations beside them"
    ]
    assert told(made([]), NoRuns) == ["the export holds no rows: nothing can be counted"]


def test_without_a_score_there_is_no_rate() -> None:
    items = made([trace(observations=[root(), observation("a")])])
    assert "scores" not in records(items)[0]
    assert "no trace has a score: there is no rate, only cost, tokens, time and errors" in told(items)


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (score("s", 1, dataType="BOOLEAN"), True),
        (score("s", 0, dataType="BOOLEAN", stringValue="False"), False),
        (score("s", None, dataType="CATEGORICAL", stringValue="good"), "good"),
        (score("s", 4.5), 4.5),
        (score("s", "0.25"), 0.25),
        (score("s", None), None),
        (score("s", [1]), "[1]"),
        (score("s", 10**400), '"a number of more than 40 digits"'),
    ],
)
def test_a_score_is_what_was_given(given: dict[str, Any], value: Any) -> None:
    assert records(made([trace(scores=[given])]))[0]["scores"] == {"s": value}


def test_a_score_of_the_trace_goes_before_those_of_its_parts() -> None:
    parts = [score("s", value, observationId="a") for value in (0.25, 0.5)]
    assert records(made([trace(scores=[*parts, score("s", 1.0)])]))[0]["scores"] == {"s": 1.0}
    items = made([trace(scores=parts)])
    assert records(items)[0]["scores"] == {"s": None}
    assert '"s" has several values within each of 1 trace: none is taken there' in told(items)
    assert records(made([trace(scores={"s": [0.5]})]))[0]["scores"] == {"s": 0.5}


def test_only_the_root_s_failure_is_the_run_s() -> None:
    broken = {"level": "ERROR", "statusMessage": "timed out"}
    assert records(made([trace(observations=[root(**broken)])]))[0]["error"] == "timed out"
    inner = records(made([trace(observations=[root(), observation("a", **broken)])]))[0]
    assert "error" not in inner


def test_what_is_not_stated_is_not_known() -> None:
    silent = observation("b", usageDetails=None, totalCost=None, model="large")
    (record,) = records(made([trace(observations=[root(), observation("a"), silent])]))
    assert record["agent"] == "large + small"
    assert "prompt_tokens" not in record
    nothing = {"totalCost": 0, "latency": None, "name": None, "version": 3, "release": [], "metadata": "x"}
    read = made([trace(**nothing)])
    (bare,) = records(read)
    said = '1 trace without a model and without a name: no arm is named, "unknown model" stands for it'
    assert said in [item.what for item in read if isinstance(item, Aside)]
    assert (bare["agent"], bare.keys() & {"cost_usd", "wall_s", "suite"}) == ("unknown model", set())
    (summed,) = records(made([trace()]))
    assert (summed["cost_usd"], summed["wall_s"]) == (0.5, 9.0)


def test_storage_writes_numbers_as_text() -> None:
    row = observation("a", usageDetails={"input": "10", "output": "5"}, totalCost="0.002000000000")
    (record,) = records(made([trace(observations=[root(), row])]))
    assert (record["prompt_tokens"], record["completion_tokens"], record["cost_usd"]) == (10, 5, 0.002)


def test_items_and_prompts_are_circumstances() -> None:
    rows = [trace(own, metadata={"dataset_item_id": "i"}, observations=[
        observation("a", own, promptName="greet", promptVersion=version)])
        for own, version in (("t", 1), ("u", 2))]  # fmt: skip
    first, second = records(made(rows))
    assert first["task_id"] == second["task_id"] == "i"
    assert first["prompt_sha256"] != second["prompt_sha256"]


def test_a_trace_that_stands_twice_counts_once() -> None:
    items = made([trace(name="old"), trace(name="new")])
    assert [record["agent"] for record in records(items)] == ["new"]
    assert "1 trace stand again under the same id: the last counts" in told(items)


def test_what_is_no_row_is_a_problem_with_its_number() -> None:
    items = made([trace(), 5, {"id": "x"}, {"timestamp": "2026-01-02"}, {**trace(), "id": 7}])
    assert [item.line for item in items if type(item) is Problem] == [2, 3, 4, 5]
    lines = json.dumps(trace()).encode() + b'\n{"id": "u", "timest\n'
    assert [item.line for item in made(lines, "traces.jsonl") if type(item) is Problem] == [2]
    with pytest.raises(FormatError, match="expected JSON"):
        made(b'[{"id": "t", "timestamp"')


def test_only_exports_are_claimed() -> None:
    for row in (trace(), observation("a"), score("s", 1), snake(trace()), snake(observation("a"))):
        head = json.dumps(row).encode()
        assert claims("a.jsonl", head)
        assert not any(a.claims("a.jsonl", head) for a in ADAPTERS.values() if a is not ADAPTER)
    assert not claims("a.csv", json.dumps(trace()).encode())
    assert not claims("user.json", b'{"id": "u", "timestamp": "2026", "tags": [], "public": true}')
    header = b'"id","timestamp","name","bookmarked"\n'
    assert nearly("traces.csv", header) == "a Langfuse export as CSV: export it as JSON"
    assert nearly("rows.csv", b"id,timestamp\n") == ""
