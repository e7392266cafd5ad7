"""Which workflow run an attempt triggered: the one that passes every check, or none, or too many to tell.

Does: check each run of the repository against trigger time, installed workflow, expected event and pull
request. Does not: look at what the run did, which `metrics_core.families.attempts.evidence.invocation`
does, or read logs.

Source: the GitHub attempts benchmark, "Workflow attribution".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from metrics_core.formats import Unreadable, positive_id, seconds

PULL_REQUEST_EVENTS = frozenset({"pull_request", "pull_request_target"})
"""Either may be what a pull request causes; which of them is the workflow's choice."""

AttributionState = Literal["established", "none", "several", "unreadable", "no evidence"]


class Trigger(Struct, frozen=True):
    """What was sent, as the harness recorded it; a part that was not recorded is None.

    Attributes:
        at: When: seconds since 1970, or ISO 8601.
        event: What it was to cause.
        subject_kind, subject_number: What it opened or wrote to; both or neither.
        run_id: Run that a custom receipt names; it still has to pass every check.
    """

    at: object = None
    event: str | None = None
    subject_kind: object = None
    subject_number: object = None
    run_id: object = None


class Installed(Struct, frozen=True):
    """The workflow as it was installed: its files, and the events that it accepts; empty where not known."""

    paths: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()


class RunAttribution(Struct, frozen=True):
    """Which run is the attempt's.

    Attributes:
        state: ``established``; ``none`` passes; ``several`` do, an error; the evidence is ``unreadable``, an
            error too; or there is ``no evidence`` and whatever was recorded stands.
        run: The run, where it is established.
        text: In words.
    """

    state: AttributionState
    run: Mapping[str, Any] | None
    text: str


def subject_of(trigger: Trigger) -> tuple[str, int] | None:
    """What was written to.

    Raises:
        Unreadable: One of kind and number without the other, another kind, or a number that is none.

    >>> subject_of(Trigger(subject_kind="pr", subject_number=7))
    ('pr', 7)
    """
    kind, number = trigger.subject_kind, trigger.subject_number
    if kind is None and number is None:
        return None
    if kind is None or number is None:
        raise Unreadable("the receipt gives one of subject kind and subject number without the other")
    if kind not in ("pr", "issue"):
        raise Unreadable("the receipt's subject is neither pr nor issue")
    return str(kind), positive_id(number, "the receipt's subject number")


def is_fresh(run: Mapping[str, Any], triggered: int, baseline: Collection[int]) -> bool:
    """Whether a run began at or after the trigger and was not there before.

    >>> is_fresh({"id": 2, "created_at": "2026-07-05T10:00:03Z"}, 1783245600, {1})
    True
    """
    number = positive_id(run.get("id"), "a workflow run's id")
    return number not in baseline and seconds(run.get("created_at"), f"workflow run {number}") >= triggered


def is_installed(run: Mapping[str, Any], paths: Collection[str]) -> bool:
    """Whether a run is of the installed workflow; where that is not known, every run may be.

    >>> is_installed({"path": ".github/workflows/a.yml@main"}, {".github/workflows/a.yml"})
    True
    """
    return not paths or str(run.get("path") or "").partition("@")[0] in paths


def is_expected(run: Mapping[str, Any], event: str | None, accepted: Collection[str]) -> bool:
    """Whether a run has the expected event, and one that the installed workflow accepts.

    >>> is_expected({"event": "pull_request_target"}, "pull_request", {"pull_request_target"})
    True
    >>> is_expected({"event": "pull_request_target"}, "pull_request", {"pull_request"})
    False
    """
    found = run.get("event")
    alike = PULL_REQUEST_EVENTS if event in PULL_REQUEST_EVENTS else {event}
    return (event is None or found in alike) and (not accepted or found in accepted)


def is_associated(run: Mapping[str, Any], subject: tuple[str, int] | None) -> bool:
    """Whether a run belongs to the pull request that was written to, where GitHub associates it with one.

    >>> is_associated({"pull_requests": [{"number": 7}]}, ("pr", 8))
    False
    >>> is_associated({"pull_requests": []}, ("pr", 8))
    True
    """
    found = [pull.get("number") for pull in run.get("pull_requests") or () if isinstance(pull, Mapping)]
    return not found or subject is None or subject[0] != "pr" or subject[1] in found


def attribute_run(
    runs: Sequence[Any] | None, trigger: Trigger, installed: Installed, baseline: Sequence[Any] = ()
) -> RunAttribution:
    """Select the run that an attempt triggered.

    Args:
        runs: Runs of the repository as GitHub lists them; None where they were not kept.
        trigger: What was sent.
        installed: The workflow.
        baseline: Ids of the runs that were there before.

    >>> run = {"id": 5, "created_at": "2026-07-05T10:00:03Z", "event": "issues"}
    >>> attribute_run([run], Trigger(1783245600, "issues"), Installed()).state
    'established'
    >>> attribute_run([run, {**run, "id": 6}], Trigger(1783245600, "issues"), Installed()).text
    'two or more workflow runs match: 5, 6'
    """
    if runs is None:
        return RunAttribution("no evidence", None, "no list of workflow runs was kept")
    if trigger.at is None:
        return RunAttribution("no evidence", None, "the trigger time was not kept")
    try:
        triggered = seconds(trigger.at, "the trigger")
        subject = subject_of(trigger)
        stated = None if trigger.run_id is None else positive_id(trigger.run_id, "the receipt's run id")
        before = {positive_id(each, "a run id of the baseline") for each in baseline}
        matching = [
            run
            for run in _objects(runs)
            if is_fresh(run, triggered, before)
            and is_installed(run, installed.paths)
            and is_expected(run, trigger.event, installed.events)
            and is_associated(run, subject)
            and stated in (None, run["id"])
        ]
    except Unreadable as fault:
        return RunAttribution("unreadable", None, str(fault))
    if not matching:
        failure = f"workflow run {stated} of the receipt does not pass every check" if stated else ""
        one = "the one workflow run does not pass every check"
        none = one if len(runs) == 1 else f"none of {len(runs)} workflow runs passes every check"
        text = failure or none
        return RunAttribution("none", None, text)
    distinct = {run["id"]: run for run in matching}
    if len(distinct) > 1:
        ids = ", ".join(str(each) for each in sorted(distinct))
        return RunAttribution("several", None, f"two or more workflow runs match: {ids}")
    run = matching[0]
    skipped = [
        name for name, known in (("workflow path", installed.paths), ("event", trigger.event)) if not known
    ]
    unchecked = f"; not kept, so not checked: {', '.join(skipped)}" if skipped else ""
    return RunAttribution("established", run, f"workflow run {run['id']} passes every check{unchecked}")


def _objects(items: Sequence[Any]) -> list[Mapping[str, Any]]:
    for item in items:
        if not isinstance(item, Mapping):
            raise Unreadable("a workflow run is no object")
    return list(items)
