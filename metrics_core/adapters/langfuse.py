"""Langfuse exports (JSON and lines): traces with observations and scores, in one file or in files beside.

A trace is one run. The arm is the models that it called, the suite its name, version, release and
environment; a prompt of the library is a circumstance. Tokens, cost and errors are its observations', scores
are those that were attached to it, no words and none of a session. Unless metadata name an item of a dataset,
each trace is a task of its own. Does not: read CSV or messages, or make a score where none is.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import FormatError
from metrics_core.formats import (
    HEAD,
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
    run_of,
    settled,
    since_1970,
    stated,
)
from metrics_core.results import Aside, NoRuns, Problem, quoted
from metrics_core.text import many

ITEM = ("dataset_item_id", "datasetItemId", "langfuse.experiment.item.id", "experiment_item_id")
"""Keys of a trace's metadata that name the item of a dataset that it was run on."""

WORDS = ("CORRECTION", "TEXT")
"""Kinds of what was said of a run in words; a correction has a value of 0 beside them."""

PLAIN_ENVIRONMENT = "default"

UNNAMED = "unknown model"
"""Arm of a trace that names no model and has no name."""

_BEGINS = re.compile(rb"\s*[\[{]")
_OF_TRACE = re.compile(rb'"trace_?[iI]d"\s*:')
_SUBJECT = re.compile(
    rb'"subject"\s*:\s*\{\s*"kind"\s*:|"project_?[iI]d"\s*:[^{}]*"data_?[tT]ype"\s*:|"data_?[tT]ype"\s*:[^{}]*"project_?[iI]d"\s*:'
)
_PART = re.compile(
    rb'"(?:parentObservationId|parent_observation_id|observationId|observation_id)"\s*:'
    rb'|"type"\s*:\s*"(?:GENERATION|SPAN|EVENT|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)"'
    rb'|"data_?[tT]ype"\s*:\s*"(?:NUMERIC|BOOLEAN|CATEGORICAL|CORRECTION|TEXT)"'
)
_KEYS = tuple(
    re.compile(rb'"' + key + rb'"\s*:')
    for key in (
        rb"timestamp", rb"session_?[iI]d", rb"user_?[iI]d", rb"release", rb"tags", rb"bookmarked", rb"public",
        rb"html_?[pP]ath", rb"environment",
    )
)  # fmt: skip
_ENOUGH = 5
"""Keys of a trace that tell it from other objects with an id and a time."""


def claims(path: str, head: bytes) -> bool:
    """Traces, observations or scores."""
    if not path.endswith((".json", ".jsonl")) or not _BEGINS.match(head) or b'"resourceSpans"' in head:
        return False
    if (_OF_TRACE.search(head) or _SUBJECT.search(head)) and _PART.search(head):
        return True
    return b'"id"' in head and sum(bool(key.search(head)) for key in _KEYS) >= _ENOUGH


def nearly(path: str, head: bytes) -> str:
    """The same as CSV."""
    columns = head.split(b"\n", 1)[0].replace(b'"', b"")
    if path.endswith(".csv") and {b"id", b"timestamp", b"bookmarked"} <= set(columns.strip().split(b",")):
        return "a Langfuse export as CSV: export it as JSON"
    return ""


class _Rows(Struct):
    """The rows of one export, or of several beside each other."""

    traces: dict[str, dict[str, Any]] = field(default_factory=dict)
    observations: dict[str, dict[str, dict[str, Any]]] = field(default_factory=lambda: defaultdict(dict))
    scores: defaultdict[str, dict[str, dict[str, Any]]] = field(default_factory=lambda: defaultdict(dict))
    problems: list[Problem] = field(default_factory=list)
    again: int = 0
    elsewhere: int = 0

    def add(self, path: str, at: int, row: Any) -> None:
        """One row: a trace with what it holds, an observation, or a score."""
        if isinstance(row, dict) and isinstance(row.get("trace"), dict):
            inside = {key: row[key] for key in ("observations", "scores") if isinstance(row.get(key), list)}
            row = {**row["trace"], **inside}
        own, trace = _text(_get(row, "id")), _trace_of(row)
        graded = _get(row, "startTime") is None and _text(_get(row, "name")) is not None
        graded = graded and any(_get(row, key) is not None for key in ("value", "stringValue", "dataType"))
        if own and trace is None and graded and _get(row, "dataType") is not None:
            self.elsewhere += 1
        elif own is None or (trace is None and _get(row, "timestamp") is None):
            what = f"expected a trace, an observation or a score with an id, got {quoted(row)}"
            self.problems.append(Problem(path, at, "id", what))
        elif trace is not None:
            (self.scores if graded else self.observations)[trace][own] = row
        else:
            self.again += own in self.traces
            self.traces[own] = row
            for part in ("observations", "scores"):
                held = row.get(part)
                for item in held if isinstance(held, list) else ():
                    if isinstance(item, dict):
                        self.add(path, at, {"traceId": own, **item})

    @property
    def ids(self) -> list[str]:
        """Of traces that are runs: those that stand here, and those that only observations tell of."""
        return list(dict.fromkeys((*self.traces, *self.observations)))


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a trace, in the order of the file.

    >>> row = (
    ...     b'{"id": "t1", "timestamp": "2026-01-02T03:04:05Z", "name": "desk", "observations": [], '
    ...     b'"scores": [{"id": "s", "name": "helpful", "value": 0.5, "dataType": "NUMERIC"}]}'
    ... )
    >>> record = next(convert(OutsideFile(path="traces.jsonl", data=row))).record
    >>> record["task_id"], record["agent"], record["scores"]
    ('t1', 'desk', {'helpful': 0.5})
    """
    own = _read(file.path, file.data)
    beside = _Rows()
    for path in _neighbours(file):
        data = file.read(path)
        if claims(path, data[:HEAD]):
            try:
                _read(path, data, beside)
            except FormatError:
                continue  # that file tells of itself
    mine = [name for name in own.ids if name in own.traces or name not in beside.traces]
    runs = {name: _Run.of(name, own, beside) for name in mine}
    scores = {name: settled(run.scores) for name, run in runs.items()}
    scorers = dict.fromkeys(scorer for found, _ in scores.values() for scorer in found)
    nameless = 0
    for name, run in runs.items():
        record = run.record()
        nameless += record["agent"] == UNNAMED
        if scorers:
            record["scores"] = {scorer: scores[name][0].get(scorer) for scorer in scorers}
        yield Element(record=record, source=canonical(run.raw))
    yield from own.problems
    yield from _told(file.path, own, beside, runs)
    if nameless:
        where = f"{many(nameless, 'trace')} without a model and without a name"
        what = f"{where}: no arm is named, {quoted(UNNAMED)} stands for it"
        yield Aside(file.path, None, "", what)
    several = Counter(scorer for _, names in scores.values() for scorer in names)
    for scorer, held in sorted(several.items()):
        where = many(held, "trace")
        what = f"{quoted(scorer)} has several values within each of {where}: none is taken there"
        yield Aside(file.path, None, "", what)
    if runs and not scorers:
        what = "no trace has a score: there is no rate, only cost, tokens, time and errors"
        yield Aside(file.path, None, "", what)


def _told(path: str, own: _Rows, beside: _Rows, runs: Mapping[str, _Run]) -> Iterator[Problem]:
    if own.again:
        yield Aside(
            path, None, "", f"{many(own.again, 'trace')} stand again under the same id: the last counts"
        )
    lost = own.scores.keys() - {*own.ids, *beside.ids}
    if lost:
        where = many(len(lost), "trace")
        what = f"scores of {where} that are not here: export traces or observations beside them"
        yield (Aside if runs else NoRuns)(path, None, "", what)
    if own.elsewhere:
        what = f"{many(own.elsewhere, 'score')} of no trace that is named (of a session or an experiment, or "
        what += "exported without its subject): not read"
        yield (Aside if runs or own.scores else NoRuns)(path, None, "subject", what)
    if words := sum(_get(row, "dataType") in WORDS for rows in own.scores.values() for row in rows.values()):
        yield Aside(path, None, "dataType", f"{many(words, 'remark')} or corrections in words: no scores")
    if not (own.traces or own.observations or own.scores or own.problems or own.elsewhere):
        yield NoRuns(path, None, "", "the export holds no rows: nothing can be counted")
    if unnamed := sum(run.item is None for run in runs.values()):
        what = f"{many(unnamed, 'trace')} without an item of a dataset: each is taken for a task of its own"
        yield Aside(path, None, "", what)


# ------------------------------------------------------------------ files


def _neighbours(file: OutsideFile) -> Iterator[str]:
    """Files of the same folder, and those of the same name in the folders beside it."""
    here = PurePosixPath(file.path)
    for name in file.names:
        other = PurePosixPath(name)
        same = other.parent == here.parent
        aside = other.name == here.name and other.parent.parent == here.parent.parent
        if (same or aside) and other.suffix in (".json", ".jsonl"):
            yield name


def _read(path: str, data: bytes, into: _Rows | None = None) -> _Rows:
    found = into or _Rows()
    if path.endswith(".jsonl"):
        for item in read_lines(data, path):
            if isinstance(item, Problem):
                found.problems.append(item)
            else:
                found.add(path, item.number, item.value)
        return found
    for at, row in enumerate(_items(read_value(data, path)), start=1):
        found.add(path, at, row)
    return found


def _items(whole: Any) -> Iterator[Any]:
    """The rows of a document: a list, a page of the API, three lists by name, or one trace."""
    if isinstance(whole, list):
        yield from whole
    elif isinstance(whole, dict) and "id" not in whole and isinstance(whole.get("data"), list):
        yield from whole["data"]
    elif isinstance(whole, dict) and "id" not in whole and "trace" not in whole:
        for part in ("traces", "observations", "scores"):
            held = whole.get(part)
            yield from held if isinstance(held, list) else ()
    else:
        yield whole


def _get(row: Any, key: str) -> Any:
    """A field, as the API spells it or as an export to storage does."""
    if not isinstance(row, dict):
        return None
    return row[key] if key in row else row.get(re.sub(r"([A-Z])", r"_\1", key).lower())


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _trace_of(row: Any) -> str | None:
    """The trace of an observation or a score; version 3 of scores has it in what they are of."""
    subject = _get(row, "subject")
    own = _get(subject, "id") if _get(subject, "kind") == "trace" else _get(subject, "traceId")
    return _text(_get(row, "traceId")) or _text(own)


def _number(value: Any) -> float | None:
    """A number, or the text of one: storage writes those of many digits as text."""
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,19}(\.\d{1,30})?", value):
        return float(value)
    return None if isinstance(value, bool) else number(value)


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, str) and re.fullmatch(r"\d{1,15}", value) else count(value)


# ------------------------------------------------------------------ one run


class _Run(Struct, frozen=True):
    name: str
    trace: Mapping[str, Any]
    observations: tuple[Mapping[str, Any], ...]
    scores: tuple[AttachedScore, ...]
    raw: Mapping[str, Any]

    @classmethod
    def of(cls, name: str, own: _Rows, beside: _Rows) -> _Run:
        trace = own.traces.get(name, {})
        observations = {**beside.observations.get(name, {}), **own.observations.get(name, {})}
        scores = {**beside.scores.get(name, {}), **own.scores.get(name, {})}
        raw = {"trace": trace or name, "observations": [*observations.values()], "scores": [*scores.values()]}
        marks = (row for row in scores.values() if _get(row, "dataType") not in WORDS)
        given = (*map(_score, marks), *_summary(trace.get("scores")))
        return cls(name, trace, tuple(observations.values()), tuple(filter(None, given)), raw)

    @property
    def item(self) -> str | None:
        """The item of a dataset that the trace was run on."""
        held = [row.get("metadata") for row in (self.trace, *self.observations)]
        return next((found for of in held for key in ITEM if (found := _text(_get(of, key)))), None)

    def told(self, key: str, of_trace: str) -> str | None:
        """What the trace says; an enriched observation says it of its trace."""
        rows = (_get(row, of_trace) for row in self.observations)
        return next((found for value in (_get(self.trace, key), *rows) if (found := _text(value))), None)

    def record(self) -> dict[str, Any]:
        spans = [_span(row) for row in self.observations]
        found, models = run_of(spans), models_of(spans)
        name = self.told("name", "traceName")
        version, release = self.told("version", "version"), self.told("release", "release")
        environment = self.told("environment", "environment")
        parts = (
            name, version and f"version {version}", release and f"release {release}",
            environment if environment != PLAIN_ENVIRONMENT else None,
        )  # fmt: skip
        if not spans:
            found["cost_usd"] = _number(_get(self.trace, "totalCost")) or None
            found["wall_s"] = _number(self.trace.get("latency")) if _get(self.trace, "htmlPath") else None
        stamp = _text(_get(self.trace, "timestamp"))
        found["stamp"] = stamp if since_1970(stamp) is not None else found["stamp"]
        return stated({
            "schema": "trace.v1", "task_id": self.item or self.name, "run_id": self.name,
            "agent": models or name or UNNAMED, "model": models,
            "suite": ", ".join(filter(None, parts)) or None, "prompt_sha256": self._prompt(), **found,
        })  # fmt: skip

    def _prompt(self) -> str | None:
        """Digest of the names and versions of every prompt of the library that was used."""
        used = {(_get(row, "promptName"), str(_get(row, "promptVersion"))) for row in self.observations}
        named = sorted((name, version) for name, version in used if isinstance(name, str) and name)
        return of_bytes(canonical(named)).removeprefix("sha256:") if named else None


def _span(row: Mapping[str, Any]) -> SpanRecord:
    usage, total = _get(row, "usageDetails"), None
    usage = usage if isinstance(usage, dict) and usage else _get(row, "usage")
    received = _whole(_get(usage, "output"))
    total, sent = _whole(_get(usage, "total")), _whole(_get(usage, "input"))
    if total is not None and received is not None and total >= received:
        sent = total - received
    costs = (
        _get(row, "totalCost"),
        _get(row, "calculatedTotalCost"),
        _get(_get(row, "costDetails"), "total"),
    )
    failed = _get(row, "level") == "ERROR"
    names = (_get(row, key) for key in ("model", "providedModelName", "modelId"))
    return SpanRecord(
        id=str(_get(row, "id")),
        parent=_text(_get(row, "parentObservationId")),
        name=_text(_get(row, "name")) or "",
        begin=since_1970(_get(row, "startTime")),
        end=since_1970(_get(row, "endTime")),
        model=next(filter(None, map(_text, names)), None),
        call=_get(row, "type") == "GENERATION",
        sent=sent,
        received=received,
        cost=next((found for cost in costs if (found := _number(cost)) is not None), None),
        error=(_text(_get(row, "statusMessage")) or "an error") if failed else None,
    )


def _score(row: Mapping[str, Any]) -> AttachedScore | None:
    """A score as it was given: numbers as such, a boolean as true or false, a category as its word."""
    kind, value, word = _get(row, "dataType"), _get(row, "value"), _get(row, "stringValue")
    plain = _number(value)
    if kind == "BOOLEAN" and plain in (0, 1):
        value = bool(plain)
    elif word is not None and (
        kind == "CATEGORICAL" or plain is None or (kind is None and word not in ("True", "False"))
    ):
        value = word
    elif plain is not None and not isinstance(value, bool):
        value = plain
    name = _text(_get(row, "name"))
    part = _get(row, "observationId") or _get(_get(row, "subject"), "kind") == "observation"
    return None if name is None else AttachedScore(name=name, value=recorded(value), whole=not part)


def _summary(held: Any) -> Iterable[AttachedScore]:
    """Scores of a trace that a table exports as name and values."""
    for name, values in held.items() if isinstance(held, dict) else ():
        for value in values if isinstance(values, list) else [values]:
            yield AttachedScore(name=str(name) or "score", value=recorded(value))


ADAPTER = Adapter(
    beside=(".json", ".jsonl", ".ndjson"),
    format="langfuse",
    title="Langfuse exports",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    nearly=nearly,
    example="traces.jsonl",
    reads="one run a trace, of traces, observations and scores as JSON: tokens, cost, time, errors and "
    "attached scores, under models, name, version and release; without a score there is no rate",
)
