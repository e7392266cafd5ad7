"""Inspect logs, JSON of versions 1 to 4 and ``.eval`` archives, as traces: one sample in one epoch a trace.

An archive arrives unpacked, as the JSON that its plain form is. A log with results and no samples, or with
samples and no scores, gives no trace and one problem: a share without its runs is not an estimate. The arm
is the model of the log; two tasks, or two versions of one, are two suites. Does not: read what was said,
trust the log's own results, or grade anything again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import FormatError
from metrics_core.formats import Adapter, Made, OutsideFile, inner, json_errors, stated, strict_json, tokens
from metrics_core.results import NoRuns, Problem, quoted

VERSIONS = (1, 2, 3, 4)
TIME_LIMITS = ("time", "working")

_BEGINS = re.compile(rb'\s*\{\s*(?:"version"\s*:\s*\d+\s*,\s*)?"(?:status|eval)"\s*:')
_LOG = re.compile(rb'"eval"\s*:\s*\{')


def claims(path: str, head: bytes) -> bool:
    """A ``.eval`` file, or text that begins as a log does, even where it breaks off there."""
    if path.endswith(".eval"):
        return True
    if not path.endswith((".json", ".txt")) or not _BEGINS.match(head):
        return False
    return bool(_LOG.search(head)) or not head.rstrip().endswith(b"}")


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a sample, in the order of the log."""
    log = _Log.of(file.path, file.data)
    waiting: list[dict[str, Any]] = []  # samples without scores, until it is known that others have some
    scorers: tuple[str, ...] = ()
    number = 0
    for number, raw in enumerate(log.samples, start=1):
        try:
            sample = strict_json.document(bytes(raw), file.path)
        except FormatError as error:
            yield Problem(file.path, number, "", error.problem)
            continue
        if not isinstance(sample, dict) or "id" not in sample:
            yield Problem(file.path, number, "", f"expected a sample with an id, got {quoted(sample)}")
            continue
        trace = _trace(sample, log)
        scores = dict(_scores(sample, log))
        if not scores and not scorers:
            waiting.append(trace)
            continue
        scorers = scorers or tuple(scores)
        for earlier in waiting:
            yield {**earlier, "scores": dict.fromkeys(scorers)}
        waiting.clear()
        yield {**trace, "scores": scores or dict.fromkeys(scorers)}
    if not number:
        contents = "results and no samples" if log.header.get("results") else "no samples"
        yield _nothing(file.path, log, contents)
    elif waiting:
        yield _nothing(file.path, log, f"samples ({number}) and no scores")


def _nothing(path: str, log: _Log, contents: str) -> NoRuns:
    return NoRuns(path, None, "samples", f"the log ({log.status}) holds {contents}: nothing can be counted")


@dataclass(frozen=True, slots=True)
class _Log:
    """A log without its samples, and they, not decoded yet."""

    header: Mapping[str, Any]
    eval: Mapping[str, Any]
    samples: tuple[msgspec.Raw, ...]
    prompt: str | None

    @classmethod
    def of(cls, path: str, data: bytes) -> _Log:
        try:
            parts = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
            raw = parts.get("samples") or msgspec.Raw(b"null")
            samples = msgspec.json.decode(raw, type=list[msgspec.Raw] | None) or []
        except (msgspec.MsgspecError, RecursionError) as error:
            raise FormatError(json_errors.of_text(data, error).what, where=path) from error
        header = strict_json.document(data.replace(bytes(raw), b"null", 1) if samples else data, path)
        declared = header.get("eval")
        if header.get("version") not in (None, *VERSIONS):
            got = quoted(header["version"])
            raise FormatError(f"expected a log of version 1 to 4, got {got}", where=path)
        if not isinstance(declared, dict) or not isinstance(declared.get("model"), str):
            raise FormatError("expected a log that names its model in eval/model", where=path)
        steps = inner(header, "plan").get("steps")
        plan = of_bytes(canonical([steps, declared.get("task_args")])).removeprefix("sha256:")
        return cls(header, declared, tuple(samples), plan if steps else None)

    @property
    def status(self) -> str:
        return str(self.header.get("status") or "unfinished")

    @property
    def suite(self) -> str | None:
        """The task, with its version where it has one."""
        task, version = self.eval.get("task"), self.eval.get("task_version")
        return f"{task} {version}" if task and version not in (None, 0, "0", "") else task or None


def _trace(sample: Mapping[str, Any], log: _Log) -> dict[str, Any]:
    model, task = log.eval["model"], log.eval.get("task")
    usage = inner(inner(sample, "model_usage"), model)
    retries, limit = sample.get("error_retries"), inner(sample, "limit")
    found = {
        "schema": "trace.v1",
        "task_id": f"{task}/{sample['id']}" if task else str(sample["id"]),
        "agent": model,
        "model": model,
        "suite": log.suite,
        "rep": sample.get("epoch"),
        "stamp": sample.get("started_at") or log.eval.get("created") or None,
        "answer": next(iter(_answers(sample)), None),
        "error": _error(sample),
        "wall_s": sample.get("total_time"),
        "retries": len(retries) if isinstance(retries, list) else None,
        "timeout": True if limit.get("type") in TIME_LIMITS else None,
        "prompt_sha256": log.prompt,
        "run_id": sample.get("uuid") or log.eval.get("run_id"),
        **tokens(usage),
    }
    return stated(found)


def _scores(sample: Mapping[str, Any], log: _Log) -> Iterator[tuple[str, Any]]:
    """Scorer and what it gave; a score of several values is several scorers, ``scorer/key``."""
    for scorer, score in _recorded(sample, log).items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            yield from ((f"{scorer}/{key}", _single(inner)) for key, inner in value.items())
        else:
            yield scorer, _single(value)


def _recorded(sample: Mapping[str, Any], log: _Log) -> Mapping[str, Any]:
    """Scores by scorer; the oldest logs have one score, whose scorer the log's results name."""
    if sample.get("score") is not None and not sample.get("scores"):
        named = inner(inner(log.header, "results"), "scorer").get("name")
        return {str(named or "score"): sample["score"]}
    return inner(sample, "scores")


def _single(value: Any) -> Any:
    """A value as a record holds it; a list is no score, and its text says so."""
    return quoted(value) if isinstance(value, list | dict) else value


def _answers(sample: Mapping[str, Any]) -> Iterator[str]:
    for score in (sample.get("score"), *inner(sample, "scores").values()):
        if isinstance(score, dict) and isinstance(score.get("answer"), str):
            yield score["answer"]


def _error(sample: Mapping[str, Any]) -> str | None:
    """Why the sample failed, or was struck out by whoever ran it."""
    error, struck = sample.get("error"), sample.get("invalidation")
    if error is not None:
        return str(error.get("message") or "an error") if isinstance(error, dict) else str(error)
    if struck is not None:
        reason = struck.get("reason") if isinstance(struck, dict) else None
        return f"invalidated: {reason or 'no reason given'}"
    return None


ADAPTER = Adapter(
    format="inspect",
    title="Inspect logs",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    example="logs/2026-01-02T03-04-05+00-00_arc_AbCdEf.eval",
    reads="each scorer's score of each sample and epoch, the answer, errors, limits, tokens, time and "
    "retries; JSON logs of versions 1 to 4 as well",
)
