"""Terminal-Bench results as traces: one trial a trace, of a run's ``results.json`` or of a file a trial.

The arm is the agent with its model and the suite is the dataset with its version, as the run's
``run_metadata.json`` names them; without it the arm is the run's folder. ``is_resolved`` is the verdict: null
is unknown, and an agent that the harness could not run is an error. A trial's own file goes before the run's
list, which is made of them; where they part, both are kept and it is told. Does not: look at a recording, or
run a test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isclose
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import FormatError
from metrics_core.formats import (
    Adapter,
    Declared,
    Element,
    Limited,
    Made,
    OutsideFile,
    OutsideJson,
    OwnFigure,
    RunsDeclared,
    elapsed,
    read_object,
    stated,
)
from metrics_core.results import Aside, NoRuns, Problem, quoted
from metrics_core.text import many, visible

SCORER = "is_resolved"
"""Name of the scorer: all of the task's tests pass."""

LIST = "results"
RESULTS, METADATA = "results.json", "run_metadata.json"

FAILED = ("agent_installation_failed", "unknown", "unknown_agent_error")
"""Modes of failure that are no doing of the agent, or where nobody knows whose. In others a verdict stands;
where there is none (tests that were cut off, or could not be read) it is unknown."""

TIMEOUT = "agent_timeout"

_TRY = re.compile(r"\.(\d+)-of-\d+(?:\.|$)")
_RUN = re.compile(rb'\s*\{\s*(?:"id"\s*:\s*"[^"]*"\s*,\s*)?"results"\s*:\s*\[\s*\{')
_TRIAL = re.compile(rb'\s*\{\s*(?:"id"\s*:\s*"[^"]*"\s*,\s*)?"trial_name"\s*:\s*"')
_EMPTY = re.compile(rb'\s*\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"results"\s*:\s*\[\s*\]\s*,\s*"pass_at_k"')


def claims(path: str, head: bytes) -> bool:
    """The results of a run, or of one trial."""
    if not path.endswith(".json"):
        return False
    named = b'"trial_name"' in head or b'"is_resolved"' in head
    known = named and b'"task_id"' in head and b'"task_checksum"' not in head
    whole = bool(_RUN.match(head)) and known
    alone = bool(_TRIAL.match(head)) and known and (b'"instruction"' in head or b'"is_resolved"' in head)
    return whole or alone or bool(_EMPTY.match(head))


def nearly(path: str, head: bytes) -> str:
    """What a run says of itself."""
    metadata = path.endswith(".json") and b'"run_id"' in head and b'"dataset_name"' in head
    return (
        "a Terminal-Bench run, but without its results.json" if metadata and b'"n_attempts"' in head else ""
    )


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a trial, in the order of the list.

    >>> data = b'{"results": [{"trial_name": "t.2-of-5.run", "task_id": "t", "is_resolved": null}]}'
    >>> trace = next(convert(OutsideFile(path="run/results.json", data=data))).record
    >>> trace["agent"], trace["task_id"], trace["rep"], trace["scores"]
    ('run', 't', 2, {'is_resolved': None})
    """
    if _TRIAL.match(file.data):
        whole = read_object(file.data, file.path)
        for field, what in whole.faults:
            yield Problem(file.path, None, field, what)
            return
        run = PurePosixPath(file.path).parent.parent.parent
        yield _made(whole.plain, file.path, _Run.of(file, run), None)
    else:
        yield from _run(read_object(file.data, file.path, split=LIST), file)


class _Run(Struct, frozen=True):
    """What all trials of a run have in common."""

    metadata: Mapping[str, Any]
    agent: str
    model: str | None
    suite: str | None
    arguments: str | None

    @classmethod
    def of(cls, file: OutsideFile, folder: PurePosixPath) -> _Run:
        metadata = _readable(file, str(folder / METADATA))
        told = {key: value for key, value in metadata.items() if isinstance(value, str) and value}
        agent, model = told.get("agent_name"), told.get("model_name")
        dataset = " ".join(filter(None, (told.get("dataset_name"), told.get("dataset_version"))))
        arguments = metadata.get("agent_kwargs")
        return cls(
            metadata=metadata,
            agent=" ".join(filter(None, (agent, model))) or folder.name or "terminal-bench",
            model=model,
            suite=dataset or None,
            arguments=of_bytes(canonical(arguments)).removeprefix("sha256:") if arguments else None,
        )


def _run(whole: OutsideJson, file: OutsideFile) -> Iterator[Made]:
    folder = PurePosixPath(file.path).parent
    run = _Run.of(file, folder)
    names = frozenset(file.names)
    yield from (Aside(file.path, None, field, what) for field, what in whole.faults)
    resolved = []
    first: dict[str, tuple[int, Any]] = {}
    for number, part in enumerate(whole.parts, start=1):
        if part.fault is not None:
            yield Problem(file.path, number, part.fault[0], part.fault[1].what)
            continue
        made = _made(part.value, file.path, run, number)
        if not isinstance(made, Element):
            yield made
            continue
        trial = part.value
        resolved.append(_outcome(trial))
        own = str(folder / str(trial["task_id"]) / str(trial.get("trial_name")) / RESULTS)
        if own in names:
            before = _readable(file, own)
            if not before or _outcome(before) == _outcome(trial):
                continue
            yield _conflict(file.path, number, trial, own)
        yield made
        if isinstance(trial.get("trial_name"), str):
            place, outcome = first.setdefault(trial["trial_name"], (number, _outcome(trial)))
            if outcome != _outcome(trial):
                yield _conflict(file.path, number, trial, f"element {place}")
    if not whole.parts:
        yield NoRuns(file.path, None, LIST, "the run holds no trials: nothing can be counted")
        return
    yield from _declared(whole.plain, resolved, file.path, run)


def _conflict(path: str, number: int, trial: Mapping[str, Any], other: str) -> Aside:
    what = f"the trial {quoted(trial['trial_name'])} has another outcome in {other}: both are kept"
    return Aside(path, number, SCORER, visible(what, escaped=True))


def _outcome(trial: Mapping[str, Any]) -> Any:
    return trial.get(SCORER), _error(trial)


def _declared(results: Mapping[str, Any], outcomes: list[Any], path: str, run: _Run) -> Iterator[Declared]:
    """What the run says of itself, where that is not what was read; it takes no verdict for a loss."""
    tasks, tries = run.metadata.get("dataset_size"), run.metadata.get("n_attempts", 1)
    if isinstance(tasks, int) and isinstance(tries, int) and tasks and tasks * tries != len(outcomes):
        found = RunsDeclared(tasks * tries, len(outcomes))
        yield Declared.by(path, found, field="dataset_size", model=run.agent, suite=run.suite)
    most = run.metadata.get("n_tasks")
    if isinstance(most, int):
        limit = Limited(f"{many(most, 'task')} of its dataset")
        yield Declared.by(path, limit, field="n_tasks", model=run.agent, suite=run.suite)
    accuracy = results.get("accuracy")
    known = [resolved for resolved, error in outcomes if error is None and isinstance(resolved, bool)]
    held = sum(known) / len(known) if known else None
    if isinstance(accuracy, int | float) and (held is None or not isclose(accuracy, held, abs_tol=1e-9)):
        own = OwnFigure("accuracy", float(accuracy), held)
        yield Declared.by(path, own, field="accuracy", model=run.agent, suite=run.suite, scorer=SCORER)


def _readable(file: OutsideFile, path: str) -> Mapping[str, Any]:
    """A file beside this one; nothing where there is none, or where it cannot be read."""
    if path not in file.names:
        return {}
    try:
        return read_object(file.read(path), path).plain
    except FormatError:
        return {}


def _made(trial: Any, path: str, run: _Run, number: int | None) -> Made:
    if not isinstance(trial, dict) or not isinstance(trial.get("task_id"), str) or not trial["task_id"]:
        return Problem(path, number, "task_id", f"expected a trial with a task_id, got {quoted(trial)}")
    mode, name = trial.get("failure_mode"), trial.get("trial_name")
    tried = _TRY.search(name) if isinstance(name, str) else None
    used = {
        "prompt_tokens": trial.get("total_input_tokens"),
        "completion_tokens": trial.get("total_output_tokens"),
    }
    found = {
        "schema": "trace.v1",
        "task_id": trial["task_id"],
        "agent": run.agent,
        "model": run.model,
        "suite": run.suite,
        "rep": int(tried.group(1)) if tried else None,
        "stamp": trial.get("trial_started_at"),
        "error": _error(trial),
        "timeout": True if mode == TIMEOUT else None,
        "wall_s": elapsed(trial.get("agent_started_at"), trial.get("agent_ended_at")),
        "prompt_sha256": run.arguments,
        "run_id": trial.get("id") or name,
        "failure_mode": mode,
        **{key: None if value == 0 and value is not False else value for key, value in used.items()},
    }
    record = {**stated(found), "scores": {SCORER: trial.get(SCORER)}}
    return Element(record=record, source=canonical(trial))


def _error(trial: Mapping[str, Any]) -> str | None:
    """Why there is no verdict, where the harness failed."""
    mode = trial.get("failure_mode")
    return mode if mode in FAILED else None


ADAPTER = Adapter(
    beside=(".json", ".jsonl", ".ndjson"),
    format="terminal-bench",
    title="Terminal-Bench results",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    nearly=nearly,
    example="runs/2026-01-02__03-04-05/results.json",
    reads="whether each trial was resolved, modes of failure, tokens and the agent's time; the arm and the "
    "suite are those of run_metadata.json beside it, and its own accuracy is compared",
)
