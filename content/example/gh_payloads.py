"""What GitHub would have answered about one attempt: workflow runs, jobs with steps, comments, reviews."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from example.draws import between
from example.gh_scenarios import Scenario

Json = dict[str, Any]

AGENT_STEP = "Ask the agent"
AUTHOR = "halden-probe"


def moment(start: str, seconds: int) -> str:
    """A stamp some seconds after another one.

    >>> moment("2026-07-06T09:00:00Z", 75)
    '2026-07-06T09:01:15Z'
    """
    begun = datetime.fromisoformat(start) + timedelta(seconds=seconds)
    return begun.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def epoch(start: str) -> float:
    """Seconds since 1970 of a stamp."""
    return datetime.fromisoformat(start).timestamp()


def number(low: int, high: int, *key: object) -> int:
    """An id or a number as GitHub gives them out, the same for the same key."""
    return between(low, high, "github", *key)


def run_path(arm: str) -> str:
    """Where an arm's workflow is installed."""
    return f".github/workflows/{arm}-review.yml"


def workflow_run(arm: str, scenario: Scenario, start: str, run_id: int, subject: int, **differs: Any) -> Json:
    """The run that an input caused, four seconds after it."""
    run: Json = {
        "id": run_id,
        "name": f"{arm} review",
        "path": run_path(arm),
        "event": scenario.event,
        "status": "completed",
        "conclusion": "success",
        "pull_requests": [{"number": subject}] if scenario.subject == "pr" else [],
        "created_at": moment(start, 4),
        "updated_at": moment(start, 160),
        "run_attempt": 1,
    }
    return {**run, **differs}


def job(start: str, run_id: int, step: str = AGENT_STEP, conclusion: str | None = "success") -> Json:
    """The run's only job; its second step is the agent's."""
    names = (("Set up job", "success"), (step, conclusion), ("Complete job", "success"))
    return {
        "id": run_id + 7,
        "run_id": run_id,
        "name": "review",
        "status": "completed",
        "conclusion": "success",
        "started_at": moment(start, 9),
        "completed_at": moment(start, 158),
        "steps": [
            {"name": name, "status": "completed", "conclusion": ended, "number": at}
            for at, (name, ended) in enumerate(names, start=1)
        ],
    }


def comment(login: str, start: str, seconds: int, comment_id: int, body: str) -> Json:
    """A comment on the subject, some seconds after the input."""
    return {
        "id": comment_id,
        "user": {"login": login, "type": "Bot" if login.endswith("[bot]") else "User"},
        "body": body,
        "created_at": moment(start, seconds),
    }
