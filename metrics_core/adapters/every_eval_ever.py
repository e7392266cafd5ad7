"""Every-Eval-Ever records as traces: one instance-level line, a sample and its score, a trace.

The aggregate record beside them (``.json``) says how each score is meant: its scale, whether -1 is unknown,
whether lower is better. Scores on another scale than 0..1 are rescaled, and that is told; where lower is
better they are refused, for a trace's score is better when it is higher; the record's own figures and counts
are held against the lines. An aggregate record without its lines gives no trace, and a problem. The arm is
``model_id``, the suite is ``evaluation_name``. A sample that occurs again in one file is another try of it.
Does not: read messages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import FormatError
from metrics_core.formats import (
    Adapter,
    Declared,
    Element,
    Made,
    OutsideFile,
    OwnFigure,
    Rescaled,
    RunsDeclared,
    inner,
    iso,
    lines,
    number,
    read_object,
    stated,
    tokens,
)
from metrics_core.results import Aside, NoRuns, Problem, quoted

SCORER = "score"
"""Name of the scorer, where a file holds one result for each evaluation."""

NEEDED = {"sample_id": str, "model_id": str, "evaluation": dict}
SAMPLES = "_samples"
"""What the name of an instance-level file has behind that of its aggregate record."""

UNIT = (0.0, 1.0)
PERCENT = (0.0, 100.0)
UNKNOWN_LEVEL = -1
AGREES, MOST_ROUNDED = 1e-6, 0.005
"""By how much a figure may leave the mean of its samples: that much, or half of its last digit, of which at
most this share of its scale counts."""

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
        yield from _instances(file)
        return
    record = read_object(file.data, file.path).plain
    named = inner(record, "detailed_evaluation_results").get("file_path")
    if not isinstance(named, str):
        problem = "the record holds results and no samples: nothing can be counted"
        yield NoRuns(file.path, None, "evaluation_results", problem)
    elif not any(_belongs(other, file.path, named) for other in file.names):
        problem = f"the samples that the record names are not here: expected {quoted(_name(named))} beside it"
        yield NoRuns(file.path, None, "detailed_evaluation_results/file_path", problem)


def _name(path: str) -> str:
    return PurePosixPath(path).name


def _belongs(lines_at: str, record_at: str, named: str) -> bool:
    """Whether an instance-level file is that of an aggregate record, by the name that it states or has."""
    return lines_at.endswith(".jsonl") and (
        _name(lines_at) == _name(named) or lines_at == f"{record_at.removesuffix('.json')}{SAMPLES}.jsonl"
    )


class _Result(Struct, frozen=True, kw_only=True):
    """One result of an aggregate record: how its scores are meant, and what it states itself."""

    path: str
    field: str
    name: str
    lower: bool
    unknown: bool
    scale: tuple[float, float]
    score: float | None
    samples: int | None
    setup: str
    stamp: str | None

    @classmethod
    def of(cls, result: Mapping[str, Any], record: Mapping[str, Any], path: str, place: str) -> _Result:
        """Read one of the record's results."""
        metric, details = inner(result, "metric_config"), inner(result, "score_details")
        setup = [record.get("eval_library"), result.get("generation_config"), metric.get("llm_scoring")]
        samples = inner(details, "uncertainty").get("num_samples")
        named = metric.get("metric_id") or metric.get("metric_name") or result.get("evaluation_result_id")
        return cls(
            path=path,
            field=place,
            name=str(named or result.get("evaluation_name")),
            lower=metric.get("lower_is_better") is True,
            unknown=metric.get("has_unknown_level") is True,
            scale=_scale(metric),
            score=number(details.get("score")),
            samples=samples if type(samples) is int else None,
            setup=of_bytes(canonical(setup)).removeprefix("sha256:"),
            stamp=iso(result.get("evaluation_timestamp")) or iso(record.get("evaluation_timestamp")),
        )


def _scale(metric: Mapping[str, Any]) -> tuple[float, float]:
    """Lowest and highest score, as the metric states them or its levels and its unit imply."""
    lo, hi = number(metric.get("min_score")), number(metric.get("max_score"))
    if lo is not None and hi is not None and lo < hi:
        return lo, hi
    levels = metric.get("level_names")
    if metric.get("score_type") == "levels" and isinstance(levels, list) and len(levels) > 1:
        return 0.0, float(len(levels) - 1)
    return PERCENT if metric.get("metric_unit") == "percent" else UNIT


class _Aggregates(Struct):
    """What the records beside an instance-level file say of the results in it."""

    by_id: dict[tuple[str, str], _Result] = field(default_factory=dict)
    by_name: dict[tuple[str, str], list[_Result]] = field(default_factory=lambda: defaultdict(list))
    rows: list[tuple[str, int]] = field(default_factory=list)

    @classmethod
    def beside(cls, file: OutsideFile, wanted: set[str]) -> _Aggregates:
        """Those that state one of the wanted evaluations; the record of the same name is looked at first."""
        found, left = cls(), set(wanted)
        own = f"{file.path.removesuffix('.jsonl').removesuffix(SAMPLES)}.json"
        for path in sorted(file.beside(suffix=".json"), key=lambda other: (other != own, other)):
            if not left:
                break
            try:
                record = read_object(file.read(path), path).plain
            except FormatError:  # it is told where it is converted
                continue
            if record.get("evaluation_id") in left:
                left.discard(record["evaluation_id"])
                found._add(record, path, file.path)
        return found

    def _add(self, record: Mapping[str, Any], path: str, lines_at: str) -> None:
        evaluation, results = record["evaluation_id"], record.get("evaluation_results")
        for at, result in enumerate(results if isinstance(results, list) else []):
            if isinstance(result, dict):
                made = _Result.of(result, record, path, f"evaluation_results/{at}")
                self.by_id[(evaluation, str(result.get("evaluation_result_id")))] = made
                self.by_name[(evaluation, str(result.get("evaluation_name")))].append(made)
        detailed = inner(record, "detailed_evaluation_results")
        rows, named = detailed.get("total_rows"), detailed.get("file_path")
        if type(rows) is int and isinstance(named, str) and _belongs(lines_at, path, named):
            self.rows.append((path, rows))

    def result(self, instance: Mapping[str, Any]) -> _Result | None:
        """The result that an instance belongs to: by its id, else by the name of the evaluation."""
        evaluation = str(instance.get("evaluation_id"))
        if instance.get("evaluation_result_id") is not None:
            return self.by_id.get((evaluation, str(instance["evaluation_result_id"])))
        named = self.by_name.get((evaluation, str(instance.get("evaluation_name"))), [])
        return named[0] if len(named) == 1 else None


class _Instance(Struct, frozen=True):
    """One line: what it holds, and its text."""

    number: int
    values: Mapping[str, Any]
    source: bytes

    @property
    def suite(self) -> str:
        return str(self.values.get("evaluation_name"))

    @property
    def key(self) -> tuple[str, str, str]:
        """Evaluation, its name, and the result that the line belongs to."""
        return str(self.values.get("evaluation_id")), self.suite, str(self.values.get("evaluation_result_id"))

    @property
    def score(self) -> Any:
        return self.values["evaluation"].get("score")

    @property
    def correct(self) -> Any:
        return self.values["evaluation"].get("is_correct")


def _instances(file: OutsideFile) -> Iterator[Made]:
    """Scorers are told apart, and scores rescaled, once the whole file was seen."""
    found = list(_read(file))
    instances = [item for item in found if isinstance(item, _Instance)]
    yield from (item for item in found if isinstance(item, Problem))
    beside = _Aggregates.beside(file, {str(i.values.get("evaluation_id")) for i in instances})
    for path, rows in beside.rows:
        if rows != len(found):
            yield Declared.by(
                path, RunsDeclared(rows, len(found)), field="detailed_evaluation_results/total_rows"
            )
    by_result: dict[tuple[str, str, str], list[_Instance]] = defaultdict(list)
    results: dict[str, set[str]] = defaultdict(set)
    for instance in instances:
        by_result[instance.key].append(instance)
        results[instance.suite].add(instance.key[2])
    scores: dict[int, Any] = {}
    for some in by_result.values():
        scorer = SCORER if len(results[some[0].suite]) == 1 else some[0].key[2]
        result = beside.result(some[0].values)
        if result is not None and result.lower:
            problem = f"lower is better: {len(some)} samples of {result.name} are no score, and are left out"
            yield NoRuns(result.path, None, f"{result.field}/metric_config/lower_is_better", problem)
            continue
        yield from _scored(some, scorer, result, file.path, scores, told=not beside.rows)
    tries: Counter[tuple[str, str, str]] = Counter()
    reps: dict[bytes, int] = {}
    for instance in instances:
        if instance.number not in scores:
            continue
        scorer = SCORER if len(results[instance.suite]) == 1 else instance.key[2]
        trace = _trace(instance.values, beside.result(instance.values))
        key = (trace["agent"], trace["task_id"], scorer)
        if instance.source not in reps:  # the same line again is the same try
            tries[key] += 1
            reps[instance.source] = tries[key]
        record = {**trace, "rep": reps[instance.source], "scores": {scorer: scores[instance.number]}}
        yield Element(record=record, source=instance.source, number=instance.number)


def _read(file: OutsideFile) -> Iterator[_Instance | Problem]:
    """Each line that is an instance, or the problem of one that is none."""
    for at, line in lines([file.data]):
        try:
            instance = read_object(line, file.path)
        except FormatError as error:
            yield Problem(file.path, at, "", error.problem)
            continue
        faults = [Problem(file.path, at, field, what) for field, what in instance.faults]
        missing = [key for key, kind in NEEDED.items() if not _has(instance.plain, key, kind)]
        if faults:
            yield faults[0]
        elif missing:
            problem = f"expected an instance with {missing[0]}, got {quoted(instance.plain)}"
            yield Problem(file.path, at, missing[0], problem)
        else:
            yield _Instance(at, instance.plain, line)


def _scored(
    some: Sequence[_Instance],
    scorer: str,
    result: _Result | None,
    path: str,
    scores: dict[int, Any],
    *,
    told: bool,
) -> Iterator[Made]:
    """Fill in the scores of one result, 0..1 where its scale is known; what is wrong with them.

    Args:
        some: Its instances, at least one.
        scorer: Its name.
        result: What the aggregate record says of it; None without one.
        path: Of the instances.
        scores: Number of a line -> its score; a line that is left out is none of them.
        told: Whether how many samples the result has is to be held against what is here.
    """
    unknown = {i.number for i in some if result and result.unknown and i.score == UNKNOWN_LEVEL}
    known = [(i, n) for i in some if i.number not in unknown and (n := number(i.score)) is not None]
    scale = UNIT if result is None else result.scale
    if scale != UNIT and _are_shares(known, result):
        scale = UNIT
    lo, hi = scale
    for instance in some:
        value = None if instance.number in unknown else instance.score
        given = number(value)
        if scale != UNIT and given is not None:
            if not lo <= given <= hi:
                problem = f"expected a score from {lo:g} to {hi:g}, got {quoted(value)}"
                yield Problem(path, instance.number, "evaluation/score", problem)
                continue
            value = (given - lo) / (hi - lo)
        elif given in UNIT and isinstance(instance.correct, bool) and instance.correct != bool(given):
            what = f"a score of {given:g}, yet is_correct {quoted(instance.correct)}"
            yield Aside(path, instance.number, "evaluation", what)
        scores[instance.number] = value
    if result is None:
        return
    of = {"model": some[0].values["model_id"], "suite": some[0].suite, "scorer": scorer}
    if scale != UNIT:
        yield Declared.by(result.path, Rescaled(lo, hi), field=f"{result.field}/metric_config", **of)
    if told and result.samples is not None and result.samples != len(some):
        declared, at = RunsDeclared(result.samples, len(some)), f"{result.field}/score_details/uncertainty"
        yield Declared.by(result.path, declared, field=at, **of)
    mean = fsum(n for _, n in known) / len(known) if known else None
    if result.score is not None and not _agree(result.score, mean, result.scale if scale == UNIT else UNIT):
        figure = OwnFigure(result.name, result.score, mean)
        yield Declared.by(result.path, figure, field=f"{result.field}/score_details/score", **of)


def _are_shares(known: Iterable[tuple[_Instance, float]], result: _Result | None) -> bool:
    """Whether scores are 0..1 although their record states another scale: it is then that of its own figure.

    The figure tells, where it is one of the two; else a right answer that has a score of 1.
    """
    values = list(known)
    if result is None or not values or any(not 0 <= n <= 1 for _, n in values):
        return False
    mean = fsum(n for _, n in values) / len(values)
    if result.score is not None and mean:
        lo, hi = result.scale
        return abs(lo + mean * (hi - lo) - result.score) < abs(mean - result.score)
    return any(n == 1 and instance.correct is True for instance, n in values)


def _agree(figure: float, mean: float | None, scale: tuple[float, float]) -> bool:
    """Whether a stated figure is the mean of its samples, on their own scale or on the one stated for it."""
    if mean is None:
        return False
    lo, hi = scale
    shown = repr(figure)
    rounded = 0.5 * 10.0 ** -len(shown.partition(".")[2]) if "e" not in shown else 0.0
    return any(
        abs(figure - made) <= max(AGREES, min(rounded, MOST_ROUNDED * width))
        for made, width in ((mean, 1.0), (lo + mean * (hi - lo), hi - lo))
    )


def _has(instance: Any, key: str, kind: type[Any]) -> bool:
    value = instance.get(key) if isinstance(instance, dict) else None
    return isinstance(value, kind) and bool(value)


def _trace(instance: Mapping[str, Any], result: _Result | None) -> dict[str, Any]:
    suite = instance.get("evaluation_name") or None
    latency, error = number(inner(instance, "performance").get("latency_ms")), instance.get("error")
    return stated({
        "schema": "trace.v1",
        "task_id": f"{suite}/{instance['sample_id']}" if suite else instance["sample_id"],
        "agent": instance["model_id"],
        "model": instance["model_id"],
        "suite": suite,
        "answer": next(_answers(instance), None),
        "error": error if error is None or isinstance(error, str) else quoted(error),
        "wall_s": None if latency is None else latency / 1000,
        "run_id": instance.get("evaluation_id"),
        "stamp": None if result is None else result.stamp,
        "prompt_sha256": None if result is None else result.setup,
        **tokens(inner(instance, "token_usage")),
    })  # fmt: skip


def _answers(instance: Mapping[str, Any]) -> Iterator[str]:
    given = instance.get("answer_attribution")
    for answer in given if isinstance(given, list) else ():
        value = answer.get("extracted_value") if isinstance(answer, dict) else None
        if isinstance(value, str) and answer.get("is_terminal"):
            yield value


ADAPTER = Adapter(
    beside=(".json", ".jsonl", ".ndjson"),
    format="every-eval-ever",
    title="Every-Eval-Ever records",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    example="samples.jsonl",
    reads="each instance's score under its evaluation, model, answer, error, tokens and latency, on the "
    "scale that the aggregate record beside it states; that record alone holds nothing that can be counted",
)
