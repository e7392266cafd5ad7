"""OpenTelemetry spans of the GenAI conventions, as OTLP JSON or one span a line: a trace is one run.

The arm is the agent, by its name and the models that it called; the service is the suite. Tokens, cost, time,
the root's error and evaluations (``gen_ai.evaluation.result``) are read where they were recorded. No
convention names a task: unless ``test.case.name`` does, each trace is a task of its own. Does not: read
messages, join a trace that lies in several files, or make a score where none is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from metrics_core.digest import canonical
from metrics_core.formats import (
    Adapter,
    AttachedScore,
    Element,
    Made,
    OutsideFile,
    SpanRecord,
    count,
    models_of,
    number,
    read_lines,
    read_value,
    recorded,
    root_of,
    run_of,
    settled,
    since_1970,
    stated,
)
from metrics_core.results import Aside, NoRuns, Problem, quoted
from metrics_core.text import many

PREFIX = "gen_ai."
CALLS = ("chat", "text_completion", "generate_content")
"""Operations that are one call of a model; an agent's or a tool's are not."""

EVALUATION = "gen_ai.evaluation.result"
LABELS = {"pass": True, "fail": False, "correct": True, "incorrect": False}
"""Labels that the conventions name as a verdict; another label is a text, and no score."""

TASK = "test.case.name"
UNNAMED = "unknown agent"
"""Arm of a trace that names no agent, no model and no service."""


_OTLP = re.compile(rb'\s*\{\s*"resource_?[sS]pans"\s*:')
_SPAN = re.compile(rb"\s*\[?\s*\{")
_TRACE_ID = re.compile(rb'"trace_?[iI]d"\s*:\s*"')
_SPAN_ID = re.compile(rb'"span_?[iI]d"\s*:\s*"')


def claims(path: str, head: bytes) -> bool:
    """Spans as OTLP writes them, or one a line with the ids of its trace and its own."""
    if not path.endswith((".json", ".jsonl")):
        return False
    if _OTLP.match(head):
        return True
    return bool(
        _SPAN.match(head) and _TRACE_ID.search(head) and _SPAN_ID.search(head) and b'"attributes"' in head
    )


class _Trace(Struct):
    """The spans of one trace, by id, as they were read and as they stand."""

    spans: dict[str, SpanRecord] = field(default_factory=dict)
    attributes: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    raw: dict[str, Any] = field(default_factory=dict)
    scores: dict[str, list[AttachedScore]] = field(default_factory=dict)
    service: str | None = None

    @property
    def of_genai(self) -> bool:
        return any(key.startswith(PREFIX) for held in self.attributes.values() for key in held)

    def told(self, key: str) -> str | None:
        """An attribute of the earliest span that has it."""
        spans = sorted(self.spans.values(), key=lambda span: (span.begin is None, span.begin or 0.0, span.id))
        return next((value for span in spans if (value := _text(self.attributes[span.id].get(key)))), None)


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a trace, in the order in which their first spans stand.

    >>> line = (
    ...     b'{"traceId": "t1", "spanId": "s1", "startTimeUnixNano": "0", "endTimeUnixNano": "2500000000", '
    ...     b'"attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}, '
    ...     b'{"key": "gen_ai.request.model", "value": {"stringValue": "small"}}]}'
    ... )
    >>> record = next(convert(OutsideFile(path="spans.jsonl", data=line))).record
    >>> record["task_id"], record["agent"], record["wall_s"]
    ('t1', 'small', 2.5)
    """
    traces: dict[str, _Trace] = {}
    problems: list[Problem] = []
    again = 0
    for at, span, service in _spans(file, problems):
        found = _ids(span)
        if found is None:
            problems.append(
                Problem(file.path, at, "", f"expected a span with traceId and spanId, got {quoted(span)}")
            )
            continue
        trace = traces.setdefault(found[0], _Trace())
        again += found[1] in trace.spans
        _add(trace, found[1], span, service)
    runs = {name: trace for name, trace in traces.items() if trace.of_genai}
    settled_scores = {
        name: settled(s for some in trace.scores.values() for s in some) for name, trace in runs.items()
    }
    scorers = dict.fromkeys(scorer for scores, _ in settled_scores.values() for scorer in scores)
    nameless = 0
    for name, trace in runs.items():
        record = _record(name, trace)
        nameless += record["agent"] == UNNAMED
        if scorers:
            record["scores"] = {scorer: settled_scores[name][0].get(scorer) for scorer in scorers}
        whole = {"trace": name, "service": trace.service, "spans": list(trace.raw.values())}
        yield Element(record=record, source=canonical(whole))
    yield from problems
    yield from _told(file.path, traces, runs, again)
    if nameless:
        where = f"{many(nameless, 'trace')} without gen_ai.agent.name, gen_ai.request.model and service.name"
        what = f"{where}: no arm is named, {quoted(UNNAMED)} stands for it"
        yield Aside(file.path, None, "", what)
    several = Counter(scorer for _, names in settled_scores.values() for scorer in names)
    for scorer, held in sorted(several.items()):
        what = (
            f"{quoted(scorer)} has several values within each of {many(held, 'trace')}: none is taken there"
        )
        yield Aside(file.path, None, "", what)
    if runs and not scorers:
        what = f"no span holds a {EVALUATION}: there is no rate, only cost, tokens, time and errors"
        yield Aside(file.path, None, "", what)


def _told(
    path: str, traces: Mapping[str, _Trace], runs: Mapping[str, _Trace], again: int
) -> Iterator[Problem]:
    if again:
        yield Aside(path, None, "", f"{many(again, 'span')} stand again under the same id: the last counts")
    if traces and not runs:
        what = (
            f"{many(len(traces), 'trace')} of OpenTelemetry, but no span of the GenAI conventions ({PREFIX}*)"
        )
        yield NoRuns(path, None, "", f"{what}: nothing can be counted")
    elif len(runs) < len(traces):
        others = many(len(traces) - len(runs), "trace")
        yield Aside(path, None, "", f"{others} without a span of the GenAI conventions: not read")
    if not traces:
        yield NoRuns(path, None, "", "the file holds no spans: nothing can be counted")
    if rootless := sum(root_of(list(trace.spans.values())) is None for trace in runs.values()):
        what = f"{many(rootless, 'trace')} without its first span: whether it failed is not known"
        yield Aside(path, None, "", what)
    if unnamed := sum(trace.told(TASK) is None for trace in runs.values()):
        what = f"{many(unnamed, 'trace')} without {TASK}: each is taken for a task of its own"
        yield Aside(path, None, "", what)


def _record(name: str, trace: _Trace) -> dict[str, Any]:
    spans = list(trace.spans.values())
    models, agent = models_of(spans), trace.told("gen_ai.agent.name")
    arm = ", ".join(filter(None, (agent, models))) or trace.service or UNNAMED
    return stated({
        "schema": "trace.v1", "task_id": trace.told(TASK) or name, "agent": arm, "model": models,
        "suite": trace.service, "run_id": name, **run_of(spans),
    })  # fmt: skip


# ------------------------------------------------------------------ spans


def _spans(file: OutsideFile, problems: list[Problem]) -> Iterator[tuple[int, Any, str | None]]:
    """Number of line or element, the span, and the service that it is of."""
    if not file.path.endswith(".jsonl"):
        whole = read_value(file.data, file.path)
        yield from _within(1, whole) if isinstance(whole, dict) else _each(whole)
        return
    for item in read_lines(file.data, file.path):
        if isinstance(item, Problem):
            problems.append(item)
        else:
            yield from _within(item.number, item.value)


def _each(whole: Any) -> Iterator[tuple[int, Any, str | None]]:
    for at, item in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        yield from _within(at, item)


def _within(at: int, document: Any) -> Iterator[tuple[int, Any, str | None]]:
    """The spans of one document of OTLP, or the one span that it is."""
    batches = _first(document, "resourceSpans", "resource_spans") if isinstance(document, dict) else None
    if not isinstance(batches, list):
        resource = _first(document, "resource") if isinstance(document, dict) else None
        yield at, document, _service(resource)
        return
    for batch in batches:
        scopes = _first(batch, "scopeSpans", "scope_spans", "instrumentationLibrarySpans")
        service = _service(_first(batch, "resource"))
        for scope in scopes if isinstance(scopes, list) else ():
            spans = _first(scope, "spans")
            for span in spans if isinstance(spans, list) else ():
                yield at, span, service


def _first(of: Any, *keys: str) -> Any:
    return next((of[key] for key in keys if key in of), None) if isinstance(of, dict) else None


def _service(resource: Any) -> str | None:
    """Name and version of the service; a name that an exporter makes up is none."""
    held = _attributes(_first(resource, "attributes"))
    name, version = _text(held.get("service.name")), _text(held.get("service.version"))
    if not name or name.startswith("unknown_service"):
        return None
    return f"{name} {version}" if version else name


def _attributes(given: Any) -> dict[str, Any]:
    """Attributes as a mapping: OTLP lists them with their types, others write the mapping."""
    if isinstance(given, dict):
        return given
    found = {}
    for item in given if isinstance(given, list) else ():
        key, value = _first(item, "key"), _first(item, "value")
        if isinstance(key, str) and isinstance(value, dict):
            found[key] = _value(value)
    return found


def _value(typed: Mapping[str, Any]) -> Any:
    """A typed value of OTLP; whole numbers are text there."""
    kind, value = next(iter(typed.items()), ("", None))
    if (
        kind.lower().replace("_", "") == "intvalue"
        and isinstance(value, str)
        and re.fullmatch(r"-?\d{1,19}", value)
    ):
        return int(value)
    return value


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _ids(span: Any) -> tuple[str, str] | None:
    """Of the trace and of the span; some exporters put both into a context."""
    context = _first(span, "context", "spanContext", "span_context")
    held = context if isinstance(context, dict) else span
    trace, own = _text(_first(held, "traceId", "trace_id")), _text(_first(held, "spanId", "span_id"))
    return (trace, own) if trace and own else None


def _moment(span: Mapping[str, Any], which: str) -> float | None:
    nanos = _first(span, f"{which}TimeUnixNano", f"{which}_time_unix_nano")
    if isinstance(nanos, str) and re.fullmatch(r"\d{1,20}", nanos):
        nanos = int(nanos)
    found = None if isinstance(nanos, bool) else number(nanos)
    return since_1970(_first(span, f"{which}_time", f"{which}Time")) if found is None else found / 1e9


def _tokens(held: Mapping[str, Any], *keys: str) -> int | None:
    return count(_first(held, *(f"{PREFIX}usage.{key}" for key in keys)))


def _add(trace: _Trace, own: str, span: Mapping[str, Any], service: str | None) -> None:
    held = _attributes(_first(span, "attributes"))
    cost = _first(held, f"{PREFIX}usage.cost")
    trace.spans[own] = SpanRecord(
        id=own,
        parent=_text(_first(span, "parentSpanId", "parent_span_id", "parent_id")),
        name=_text(_first(span, "name")) or "",
        begin=_moment(span, "start"),
        end=_moment(span, "end"),
        model=_text(_first(held, f"{PREFIX}request.model", f"{PREFIX}response.model")),
        call=_first(held, f"{PREFIX}operation.name") in CALLS,
        sent=_tokens(held, "input_tokens", "prompt_tokens"),
        received=_tokens(held, "output_tokens", "completion_tokens"),
        cached=_tokens(held, "cache_read.input_tokens"),
        cost=None if isinstance(cost, bool) else number(cost),
        error=_error(_first(span, "status"), held),
    )
    trace.attributes[own], trace.raw[own] = held, span
    trace.service = trace.service or service
    events = _first(span, "events")
    named = [(_first(event, "name"), _attributes(_first(event, "attributes"))) for event in _listed(events)]
    found = [of for name, of in named if name == EVALUATION]
    whole = trace.spans[own].parent is None
    if f"{PREFIX}evaluation.name" in held:
        found, whole = [*found, held], False
    trace.scores[own] = [score for of in found for score in _score(of, whole)]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _score(held: Mapping[str, Any], whole: bool) -> Iterator[AttachedScore]:
    name, label = _text(held.get(f"{PREFIX}evaluation.name")), held.get(f"{PREFIX}evaluation.score.label")
    value = held.get(f"{PREFIX}evaluation.score.value")
    if name is None:
        return
    if value is None and isinstance(label, str):
        value = LABELS.get(label.lower(), label)
    yield AttachedScore(name=name, value=recorded(value), whole=whole)


def _error(status: Any, held: Mapping[str, Any]) -> str | None:
    """What a span that failed says of it; a status that is unset is none."""
    code = _first(status, "code", "status_code", "statusCode")
    if code not in (2, "2", "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR"):
        return None
    said = _text(_first(status, "message", "description")) or _text(held.get("error.type"))
    return said or "an error"


ADAPTER = Adapter(
    format="otel-genai",
    title="OpenTelemetry GenAI spans",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    example="traces.jsonl",
    reads="one run a trace: tokens, cost, time, the root's error and gen_ai.evaluation.result, under agent, "
    "models and service; without an evaluation there is no rate",
)
