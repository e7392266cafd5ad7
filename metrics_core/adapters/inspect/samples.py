"""What one sample of an Inspect log comes to: a trace, its scores as Inspect reads them, its edits.

Does: decode the fields that are read and pass over all others (messages, events and attachments are most of a
log), map labels as Inspect does, and tell edits, retries and limits. A key that stands twice counts as its
last. Does not: grade, or know the other samples of its log.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from metrics_core.adapters.inspect.log_text import EvalLog
from metrics_core.formats import eval_archive, inner, json_errors, stated, tokens, without_constants
from metrics_core.results import Problem, quoted
from metrics_core.text import visible

TIME_LIMITS = ("time", "working")
"""Limits of a sample after which it ran out of time."""

GRADES = ("C", "I", "P", "N")
"""Labels that the record type knows; Inspect takes them as they are spelled, all others in any case."""

WORDS = {"yes": True, "true": True, "no": False, "false": False}

UNCHANGED = "UNCHANGED"
"""What stands in an edit in the place of a value that it leaves."""

Value = bool | int | float | str | None
Scores = dict[str, Value]


class Identity(NamedTuple):
    """What is one run of a log: the same again is another try of it."""

    sample: str
    epoch: str


class _Sample(msgspec.Struct):
    """The fields of a sample that are read."""

    id: Any
    epoch: Any = None
    scores: Any = None
    score: Any = None
    error: Any = None
    error_retries: msgspec.Raw = msgspec.Raw(b"null")
    limit: Any = None
    started_at: Any = None
    total_time: Any = None
    uuid: Any = None
    invalidation: Any = None
    model_usage: Any = None

    def of(self, field: str) -> Mapping[str, Any]:
        """The object in a field; an empty one where there is none."""
        value = getattr(self, field)
        return value if isinstance(value, dict) else {}


class _Skipped(msgspec.Struct):
    """An object of which nothing is read."""


class ScoreEdit(Struct, frozen=True, kw_only=True):
    """A score that somebody changed, or gave, after its scorer."""

    scorer: str
    sample: str
    before: Value
    after: Value
    author: str
    reason: str

    def __str__(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        text = f"the score {self.scorer} of {self.sample} was edited from {quoted(self.before)}"
        return visible(f"{text} to {quoted(self.after)} by {self.author}{why}", escaped=True)


class SampleRun(Struct, frozen=True, kw_only=True):
    """One sample in one epoch.

    Attributes:
        identity: Sample and epoch.
        record: Its trace, without scores.
        scores: Scorer -> what it gave; a score of several values is several scorers, ``scorer/key``.
        error: Why it failed, as it says; the record has it only where that is what it counts as.
        limit: The kind of limit that stopped it.
        edits: Scores that were changed by hand.
    """

    identity: Identity
    record: Mapping[str, Any]
    scores: Scores
    error: str | None
    limit: str | None
    edits: tuple[ScoreEdit, ...] = ()

    @property
    def scored_despite_error(self) -> bool:
        """Whether its harness was told to score what failed, and did."""
        return self.error is not None and "error" not in self.record


def read(raw: bytes | msgspec.Raw, log: EvalLog, path: str, number: int) -> SampleRun | Problem:
    """One sample, or why it is none.

    Args:
        raw: Its text.
        log: The log that it stands in.
        path: Its file.
        number: Which sample of it, from 1.
    """
    text = bytes(raw)
    text, damaged, why = text.partition(eval_archive.DAMAGED)
    if damaged:
        return Problem(path, number, "", visible(why.decode("utf-8", "replace"), escaped=True))
    try:
        sample = _decoded(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        if isinstance(error, msgspec.ValidationError):
            got = quoted(msgspec.json.decode(text)) if len(text) < json_errors.DEEPEST else "another value"
            return Problem(path, number, "", f"expected a sample with an id, got {got}")
        wrong = json_errors.of_text(text, error)
        return Problem(path, number, wrong.field, wrong.what)
    return _run(sample, log)


def _decoded(text: bytes) -> _Sample:
    try:
        return msgspec.json.decode(text, type=_Sample)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        plain = without_constants(text)
        if plain is text:
            raise
        return msgspec.json.decode(plain, type=_Sample)


def _run(sample: _Sample, log: EvalLog) -> SampleRun:
    error, scores = _error(sample), dict(_scores(sample, log))
    keep_error = not (scores and sample.error is not None and log.config.get("score_on_error") is True)
    limit = sample.of("limit").get("type") if isinstance(sample.limit, dict) else sample.limit
    return SampleRun(
        identity=Identity(str(sample.id), str(sample.epoch)),
        record=_record(sample, log, error if keep_error or sample.invalidation is not None else None, limit),
        scores=scores,
        error=error,
        limit=None if limit is None else str(limit),
        edits=tuple(_edits(sample)),
    )


def _record(sample: _Sample, log: EvalLog, error: str | None, limit: Any) -> dict[str, Any]:
    task = log.eval.get("task")
    usage = inner(sample.of("model_usage"), log.model)
    found = {
        "schema": "trace.v1",
        "task_id": f"{task}/{sample.id}" if task else str(sample.id),
        "agent": log.model,
        "model": log.model,
        "suite": log.suite,
        "rep": sample.epoch,
        "stamp": sample.started_at or log.eval.get("created") or None,
        "answer": next(iter(_answers(sample)), None),
        "error": error,
        "wall_s": sample.total_time,
        "retries": _retries(sample.error_retries),
        "timeout": True if limit in TIME_LIMITS else None,
        "prompt_sha256": log.prompt,
        "run_id": sample.uuid or log.eval.get("run_id"),
        **tokens(usage),
    }
    return stated(found)


def _retries(raw: msgspec.Raw) -> int | None:
    try:
        found = msgspec.json.decode(raw, type=list[_Skipped] | None)
    except msgspec.MsgspecError:
        return None
    return None if found is None else len(found)


def _scores(sample: _Sample, log: EvalLog) -> Iterator[tuple[str, Value]]:
    for scorer, score in _recorded(sample, log).items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            yield from ((f"{scorer}/{key}", value_of(each)) for key, each in value.items())
        else:
            yield scorer, value_of(value)


def _recorded(sample: _Sample, log: EvalLog) -> Mapping[str, Any]:
    """Scores by scorer; the oldest logs have one score, whose scorer the log's results name."""
    if sample.score is not None and not sample.scores:
        named = inner(inner(log.header, "results"), "scorer").get("name")
        return {str(named or "score"): sample.score}
    return sample.of("scores")


def value_of(value: Any) -> Value:
    """A score as a record holds it, by Inspect's own mapping; what it does not map stays what it is.

    Not scored is None. A list is no score, and its text says so.

    >>> [value_of(each) for each in ("C", "yes", "False", "0.25", "great", [1], None, -1)]
    ['C', True, False, 0.25, 'great', '[1]', None, -1]
    """
    if isinstance(value, list | dict):
        return quoted(value)
    if not isinstance(value, str) or value in GRADES:
        return value  # type: ignore[no-any-return]
    if value.lower() in WORDS:
        return WORDS[value.lower()]
    try:
        number = float(value)
    except ValueError:
        return value
    return number if math.isfinite(number) else value


def _answers(sample: _Sample) -> Iterator[str]:
    for score in (sample.score, *sample.of("scores").values()):
        if isinstance(score, dict) and isinstance(score.get("answer"), str):
            yield score["answer"]


def _error(sample: _Sample) -> str | None:
    """Why the sample failed, or was struck out by whoever ran it."""
    error, struck = sample.error, sample.invalidation
    if error is not None:
        return str(error.get("message") or "an error") if isinstance(error, dict) else str(error)
    if struck is not None:
        reason = struck.get("reason") if isinstance(struck, dict) else None
        return f"invalidated: {reason or 'no reason given'}"
    return None


def _edits(sample: _Sample) -> Iterator[ScoreEdit]:
    """The last edit of each score whose value was edited."""
    for scorer, score in sample.of("scores").items():
        history = score.get("history") if isinstance(score, dict) else None
        given = [each for each in history if isinstance(each, dict)] if isinstance(history, list) else []
        by_hand = [each for each in given if each.get("provenance") and each.get("value") != UNCHANGED]
        if by_hand:
            provenance = inner(by_hand[-1], "provenance")
            first = given[0] if not given[0].get("provenance") else {}
            yield ScoreEdit(
                scorer=scorer,
                sample=str(sample.id),
                before=value_of(first.get("value")),
                after=value_of(score.get("value")),
                author=str(provenance.get("author") or "somebody"),
                reason=str(provenance.get("reason") or ""),
            )
