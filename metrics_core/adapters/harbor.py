"""Harbor jobs as traces: one trial, with a ``result.json`` of its own, a trace.

The arm is the agent with its model; the suite is the dataset, with its version where the job's configuration
says it. Agent version, arguments and limits are the prompt's digest: where they move inside an arm, its runs
are strata of their own. Each reward is a scorer. An exception is an error, with or without a reward, unless
it is the agent's own way to fail (its time, its context, its exit): then the reward that the verifier gave is
the verdict. The job's own ``result.json`` gives no trace: its totals and means are held against the trials.
Does not: grade again, or read what an agent did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import fsum, isclose
from pathlib import PurePosixPath
from typing import Any

from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import FormatError
from metrics_core.formats import (
    Adapter,
    Declared,
    Element,
    Ended,
    Limited,
    Made,
    OutsideFile,
    OutsideJson,
    OwnFigure,
    RunsDeclared,
    elapsed,
    inner,
    read_object,
    stated,
)
from metrics_core.results import Aside, NoRuns, Problem, quoted
from metrics_core.text import many, visible

RESULT, CONFIG = "result.json", "config.json"
SCORER = "reward"
"""Name of the scorer of a trial without rewards, in a job that names no other."""

TIMEOUT = "AgentTimeoutError"
AGENTS_OWN = (
    TIMEOUT,
    "AgentSafetyRefusalError",
    "ContentPolicyViolationError",
    "ContextLengthExceededError",
    "ContextWindowExceededError",
    "NonZeroAgentExitCodeError",
    "OutputLengthExceededError",
    "OutputTokenExceededError",
)
"""Exceptions after which a reward is the agent's: as Harbor's own table has them. One that it does not name
is an error here, though Harbor takes its reward."""

CONDITIONS = {
    "agent": ("kwargs", "skills", "mcp_servers", "override_timeout_sec", "max_timeout_sec"),
    "trial": ("timeout_multiplier", "agent_timeout_multiplier", "extra_instructions"),
    "environment": ("override_cpus", "override_memory_mb", "override_gpus"),
}
"""Parts of a trial's configuration that make its run unlike another of the same agent and model."""

ADHOC = "adhoc"
"""What Harbor calls the dataset of a task that is of none."""

_BEGINS = re.compile(
    rb'\s*\{\s*(?:"schema_version"\s*:\s*\d+\s*,\s*)?"(?:id|task_name|trial_name|started_at)"\s*:'
)
_OF_A_TRIAL = (b'"trial_uri"', b'"task_checksum"', b'"agent_info"', b'"verifier_result"')


def claims(path: str, head: bytes) -> bool:
    """Results of a trial, or of a job."""
    if not path.endswith(".json") or not _BEGINS.match(head):
        return False
    if b'"trial_name"' in head and b'"task_name"' in head:
        return any(name in head for name in _OF_A_TRIAL)
    return b'"n_total_trials"' in head and b'"started_at"' in head


def nearly(path: str, head: bytes) -> str:
    """The configuration of a job or a trial."""
    configured = (b'"jobs_dir"' in head and b'"n_attempts"' in head) or (
        b'"trials_dir"' in head and b'"trial_name"' in head
    )
    return "a Harbor job, but without its result.json" if path.endswith(".json") and configured else ""


def convert(file: OutsideFile) -> Iterator[Made]:
    """The trace of a trial; of a job, what it says of itself, and trials that have no file of their own.

    >>> data = b'{"task_name": "t", "trial_name": "t__1", "trial_uri": "", "agent_info": {"name": "nop"}, '
    >>> data += b'"verifier_result": {"rewards": {"reward": 1.0}}}'
    >>> trace = next(convert(OutsideFile(path="job/t__1/result.json", data=data))).record
    >>> trace["agent"], trace["task_id"], trace["scores"]
    ('nop', 't', {'reward': 1.0})
    """
    whole = read_object(file.data, file.path, split="trial_results")
    if "trial_name" in whole.members:
        for field, what in whole.faults:
            yield Problem(file.path, None, field, what)
            return
        job = PurePosixPath(file.path).parent.parent
        yield _made(whole.plain, file.data.strip(), file, str(job), None)
        yield from _conflicts(whole.plain, file)
    else:
        yield from _job(whole, file)


def _conflicts(trial: Mapping[str, Any], file: OutsideFile) -> Iterator[Aside]:
    """The same trial at an earlier path, with another outcome."""
    name, tail = trial["trial_name"], f"/{trial['trial_name']}/{RESULT}"
    if tail not in "\n".join(file.names):  # as for nearly every trial; asking each name would take longer
        return
    for other in file.names:
        if other < file.path and other.endswith(tail):
            before = _plain_trial(file, other)
            if before and (_rewards(before), _error(before)) != (_rewards(trial), _error(trial)):
                what = f"the trial {quoted(name)} has another outcome in {other}: both are kept"
                yield Aside(file.path, None, "verifier_result", visible(what, escaped=True))


def _job(whole: OutsideJson, file: OutsideFile) -> Iterator[Made]:
    job = PurePosixPath(file.path).parent
    yield from (Aside(file.path, None, field, what) for field, what in whole.faults)
    own = {str(PurePosixPath(path).parent): path for path in _trial_files(file, job)}
    trials = [_plain_trial(file, path) for path in own.values()]
    for number, part in enumerate(whole.parts, start=1):
        value = part.value
        if part.fault is not None:
            yield Problem(file.path, number, part.fault[0], part.fault[1].what)
        elif not isinstance(value, dict) or not isinstance(value.get("trial_name"), str):
            yield Problem(
                file.path, number, "trial_name", f"expected a trial with a name, got {quoted(value)}"
            )
        elif str(job / value["trial_name"]) not in own:
            trials.append(value)
            yield _made(value, part.source, file, str(job), number)
    if not trials:
        yield NoRuns(file.path, None, "", "the job holds no trials: nothing can be counted")
        return
    yield from _totals(whole.plain, trials, file.path)
    yield from _limits(_beside(file, str(job), CONFIG), trials, file.path)
    yield from _means(whole.plain, trials, file, str(job))


def _trial_files(file: OutsideFile, job: PurePosixPath) -> Iterator[str]:
    for name in file.names:
        path = PurePosixPath(name)
        if path.name == RESULT and path.parent.parent == job:
            yield name


def _plain_trial(file: OutsideFile, path: str) -> Mapping[str, Any]:
    """A trial as its own file has it; nothing where that file cannot be read, which its own reading tells."""
    try:
        return read_object(file.read(path), path).plain
    except FormatError:
        return {}


def _totals(job: Mapping[str, Any], trials: list[Mapping[str, Any]], path: str) -> Iterator[Declared]:
    """What the job says of its trials, where that is not what is here."""
    planned = job.get("n_total_trials")
    if not isinstance(planned, int) or isinstance(planned, bool):
        return
    stats = inner(job, "stats")
    cancelled = stats.get("n_cancelled_trials")
    never = max(planned - len(trials), 0)
    of = _only_arm(trials)
    if job.get("finished_at") is None:
        yield Declared.by(path, Ended("unfinished", never, planned), field="finished_at", model=of)
    elif cancelled and isinstance(cancelled, int):
        yield Declared.by(
            path, Ended("cancelled", never, planned), field="stats/n_cancelled_trials", model=of
        )
    elif planned != len(trials):
        yield Declared.by(path, RunsDeclared(planned, len(trials)), field="n_total_trials", model=of)


def _limits(config: Mapping[str, Any], trials: list[Mapping[str, Any]], path: str) -> Iterator[Declared]:
    """Datasets of which the job was told to take a part."""
    for dataset in _listed(config, "datasets"):
        name, most = dataset.get("name"), dataset.get("n_tasks")
        if isinstance(most, int) and isinstance(name, str):
            yield Declared.by(
                path,
                Limited(f"{many(most, 'task')} of {visible(name, escaped=True)}"),
                model=_only_arm(trials),
            )


def _only_arm(trials: list[Mapping[str, Any]]) -> str | None:
    """The arm of all trials; None where they have several."""
    arms = {_arm(trial)[0] for trial in trials}
    return arms.pop() if len(arms) == 1 else None


def _listed(of: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """The objects of a list; none where there is no list."""
    value = of.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _means(
    job: Mapping[str, Any], trials: list[Mapping[str, Any]], file: OutsideFile, folder: str
) -> Iterator[Declared]:
    """The job's own means, a trial without a reward taken as 0, where they are not those of the trials."""
    for key, figures in inner(inner(job, "stats"), "evals").items():
        mine = [trial for trial in trials if _evals_key(trial) == key]
        for metric in _listed(inner({"": figures}, ""), "metrics"):
            for name, value in metric.items():
                scorers = _reward_names(job) or [SCORER]
                scorer = name if name in scorers else scorers[0]
                if (
                    not mine
                    or not isinstance(value, int | float)
                    or (len(scorers) > 1 and name not in scorers)
                ):
                    continue
                held = _mean(mine, scorer)
                if held is None or not isclose(held, value, abs_tol=1e-9):
                    found = OwnFigure(name if name == scorer else f"{name} of {scorer}", float(value), held)
                    suite = _suite(mine[0], file, folder)
                    arm = _arm(mine[0])[0]
                    yield Declared.by(
                        file.path, found, field="stats/evals", model=arm, suite=suite, scorer=scorer
                    )


def _mean(trials: list[Mapping[str, Any]], scorer: str) -> float | None:
    found = [
        float(value)
        for trial in trials
        if _error(trial) is None
        and isinstance(value := _rewards(trial).get(scorer), int | float)
    ]  # fmt: skip
    return fsum(found) / len(found) if found else None


def _evals_key(trial: Mapping[str, Any]) -> str:
    agent = inner(trial, "agent_info")
    parts = (agent.get("name"), inner(agent, "model_info").get("name"), trial.get("source") or ADHOC)
    return "__".join(str(part) for part in parts if part)


def _reward_names(job: Mapping[str, Any]) -> list[str]:
    evals = inner(inner(job, "stats"), "evals").values()
    return sorted({name for figures in evals for name in inner(inner({"": figures}, ""), "reward_stats")})


def _made(trial: Mapping[str, Any], source: bytes, file: OutsideFile, job: str, number: int | None) -> Made:
    task = trial.get("task_name")
    if not isinstance(task, str) or not task:
        return Problem(
            file.path, number, "task_name", f"expected a trial with a task_name, got {quoted(task)}"
        )
    arm, model = _arm(trial)
    if arm is None:
        got = quoted(trial.get("agent_info"))
        return Problem(
            file.path, number, "agent_info/name", f"expected a trial that names its agent, got {got}"
        )
    ran = inner(trial, "agent_execution")
    found = {
        "schema": "trace.v1",
        "task_id": task,
        "agent": arm,
        "model": model,
        "suite": _suite(trial, file, job),
        "stamp": trial.get("started_at"),
        "error": _error(trial),
        "timeout": True if TIMEOUT in _exceptions(trial) else None,
        "wall_s": elapsed(ran.get("started_at"), ran.get("finished_at")),
        "prompt_sha256": _conditions(trial),
        "run_id": trial.get("id") or trial.get("trial_name"),
        "task_checksum": trial.get("task_checksum"),
        **_spent(trial),
    }
    return Element(record={**stated(found), "scores": _scores(trial, file, job)}, source=source)


def _arm(trial: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Agent with its model, and the model: what took part, else what was asked for."""
    configured, agent = inner(inner(trial, "config"), "agent"), inner(trial, "agent_info")
    name = agent.get("name") or configured.get("name")
    if not isinstance(name, str) or not name:
        return None, None
    known = inner(agent, "model_info")
    ran = (known.get("provider"), known.get("name")) if known.get("name") else (configured.get("model_name"),)
    model = "/".join(part for part in ran if isinstance(part, str) and part) or None
    return f"{name} {model}" if model else name, model


def _suite(trial: Mapping[str, Any], file: OutsideFile, job: str) -> str | None:
    """The dataset, with the version that the job was told to take."""
    source = trial.get("source")
    if not isinstance(source, str) or not source:
        return None
    for dataset in _listed(_beside(file, job, CONFIG), "datasets"):
        version = dataset.get("version") or dataset.get("ref")
        if dataset.get("name") == source and version:
            return f"{source} {version}"
    return source


def _beside(file: OutsideFile, job: str, name: str) -> Mapping[str, Any]:
    """A file of the job; nothing where there is none, or where it cannot be read."""
    path = str(PurePosixPath(job) / name)
    if path not in file.names:
        return {}
    return _plain_trial(file, path)


def _exceptions(trial: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Type -> exception, of the trial and of its steps."""
    found: dict[str, Mapping[str, Any]] = {}
    for place in (trial, *_listed(trial, "step_results")):
        exception = place.get("exception_info")
        if exception is not None:
            known = exception if isinstance(exception, dict) else {"exception_message": quoted(exception)}
            found.setdefault(str(known.get("exception_type") or "an exception"), known)
    return found


def _error(trial: Mapping[str, Any]) -> str | None:
    """The first exception that is no doing of the agent."""
    for kind, exception in _exceptions(trial).items():
        chosen = inner(exception, "policy_override").get("has_valid_reward")
        if chosen is False or (chosen is not True and kind not in AGENTS_OWN):
            message = exception.get("exception_message")
            return f"{kind}: {message}" if message else kind
    refused = trial.get("reward_valid") is False and _rewards(trial)
    return "its reward is not valid, by Harbor's own word" if refused else None


def _rewards(trial: Mapping[str, Any]) -> Mapping[str, Any]:
    return inner(inner(trial, "verifier_result"), "rewards")


def _scores(trial: Mapping[str, Any], file: OutsideFile, job: str) -> dict[str, Any]:
    """Each reward; where there is none, each that others of the job have, not known."""
    rewards = _rewards(trial)
    if rewards:
        return dict(rewards)
    return dict.fromkeys(_reward_names(_beside(file, job, RESULT)) or [SCORER])


def _spent(trial: Mapping[str, Any]) -> dict[str, Any]:
    """Tokens and cost, of all steps where there are steps; 0 of what an agent must have used is not known."""
    results = [inner(trial, "agent_result")]
    if not results[0]:
        results = [inner(step, "agent_result") for step in _listed(trial, "step_results")]
    found: dict[str, Any] = {}
    names = {
        "prompt_tokens": "n_input_tokens",
        "completion_tokens": "n_output_tokens",
        "cached_tokens": "n_cache_tokens",
        "cost_usd": "cost_usd",
    }
    for name, theirs in names.items():
        values = [result.get(theirs) for result in results]
        if len(values) == 1:
            found[name] = values[0]
        elif values and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
            found[name] = sum(values)
    used = {name: None if value == 0 and value is not False else value for name, value in found.items()}
    if used.get("prompt_tokens") is not None:
        used["cached_tokens"] = found.get("cached_tokens")
    return used


def _conditions(trial: Mapping[str, Any]) -> str:
    """Digest of what makes a run unlike another of the same agent and model."""
    config = inner(trial, "config")
    parts = {"agent": inner(config, "agent"), "trial": config, "environment": inner(config, "environment")}
    found = {f"{part}/{key}": parts[part].get(key) for part, keys in CONDITIONS.items() for key in keys}
    found["version"] = inner(trial, "agent_info").get("version")
    set_here = {key: value for key, value in found.items() if value}
    return of_bytes(canonical(set_here)).removeprefix("sha256:")


ADAPTER = Adapter(
    beside=(".json", ".jsonl", ".ndjson"),
    format="harbor",
    title="Harbor jobs",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    nearly=nearly,
    example="jobs/2026-01-02__03-04-05/hello-world__Xy7Qz3a/result.json",
    reads="each reward of each trial, exceptions of the harness as errors, tokens, cost and agent's time; "
    "the job's own totals and means are compared with its trials'",
)
