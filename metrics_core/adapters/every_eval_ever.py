"""Every-Eval-Ever records as traces: one instance-level line, a sample and its score, a trace.

An aggregate record (``.json``) states results without the runs behind them: it gives no trace, and a problem
unless it names the instance-level file that holds them. The arm is ``model_id``, the suite is
``evaluation_name``. A sample that occurs again in one file is another try of it. Does not: read messages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from metrics_core.errors import FormatError
from metrics_core.formats import Adapter, Made, OutsideFile, inner, lines, stated, strict_json, tokens
from metrics_core.results import NoRuns, Problem, quoted

SCORER = "score"
"""Name of the scorer, where a file holds one result for each evaluation."""

NEEDED = {"sample_id": str, "model_id": str, "evaluation": dict}

_BEGINS = re.compile(rb'\s*\{\s*"')
_VERSION = re.compile(rb'"schema_version"\s*:\s*"')


def claims(path: str, head: bytes) -> bool:
    """Instance-level lines, or an aggregate record."""
    if not _BEGINS.match(head) or not _VERSION.search(head) or b'"evaluation_id"' not in head:
        return False
    if path.endswith(".jsonl"):
        return b'"model_id"' in head
    return path.endswith(".json") and (b'"source_metadata"' in head or b'"retrieved_timestamp"' in head)


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a line of an instance-level file; none of an aggregate record."""
    if file.path.endswith(".jsonl"):
        yield from _instances(file.path, file.data)
        return
    record = strict_json.document(file.data, file.path)
    if not isinstance(record, dict):
        raise FormatError(f"expected a record, got {quoted(record)}", where=file.path)
    if not isinstance(record.get("detailed_evaluation_results"), dict):
        problem = "the record holds results and no samples: nothing can be counted"
        yield NoRuns(file.path, None, "evaluation_results", problem)


class _Waiting(NamedTuple):
    """A trace without its score, the evaluation and the result that it belongs to, and the score."""

    trace: dict[str, Any]
    evaluation: str
    result: str
    score: Any


def _instances(path: str, data: bytes) -> Iterator[Made]:
    """Scorers are told apart once the whole file was seen; until then a trace waits without what was said."""
    waiting: list[_Waiting | Problem] = []
    results: dict[str, set[str]] = defaultdict(set)
    for number, line in lines([data]):
        try:
            instance = strict_json.document(line, path)
        except FormatError as error:
            waiting.append(Problem(path, number, "", error.problem))
            continue
        missing = [key for key, kind in NEEDED.items() if not _has(instance, key, kind)]
        if missing:
            problem = f"expected an instance with {missing[0]}, got {quoted(instance)}"
            waiting.append(Problem(path, number, missing[0], problem))
            continue
        name, result = str(instance.get("evaluation_name")), str(instance.get("evaluation_result_id"))
        results[name].add(result)
        waiting.append(_Waiting(_trace(instance), name, result, instance["evaluation"].get("score")))
    tries: Counter[tuple[str, str, str]] = Counter()
    for item in waiting:
        if isinstance(item, Problem):
            yield item
            continue
        scorer = SCORER if len(results[item.evaluation]) == 1 else item.result
        key = (item.trace["agent"], item.trace["task_id"], scorer)
        tries[key] += 1
        yield {**item.trace, "rep": tries[key], "scores": {scorer: item.score}}


def _has(instance: Any, key: str, kind: type[Any]) -> bool:
    value = instance.get(key) if isinstance(instance, dict) else None
    return isinstance(value, kind) and bool(value)


def _trace(instance: Mapping[str, Any]) -> dict[str, Any]:
    suite = instance.get("evaluation_name") or None
    latency = inner(instance, "performance").get("latency_ms")
    return stated({
        "schema": "trace.v1",
        "task_id": f"{suite}/{instance['sample_id']}" if suite else instance["sample_id"],
        "agent": instance["model_id"],
        "model": instance["model_id"],
        "suite": suite,
        "answer": next(_answers(instance), None),
        "error": instance.get("error"),
        "wall_s": latency / 1000 if isinstance(latency, int | float) else None,
        "run_id": instance.get("evaluation_id"),
        **tokens(inner(instance, "token_usage")),
    })  # fmt: skip


def _answers(instance: Mapping[str, Any]) -> Iterator[str]:
    given = instance.get("answer_attribution")
    for answer in given if isinstance(given, list) else ():
        value = answer.get("extracted_value") if isinstance(answer, dict) else None
        if isinstance(value, str) and answer.get("is_terminal"):
            yield value


ADAPTER = Adapter(
    format="every-eval-ever",
    title="Every-Eval-Ever records",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    example="samples.jsonl",
    reads="each instance's score under its evaluation, model, answer, error, tokens and latency; an "
    "aggregate record alone holds nothing that can be counted",
)
