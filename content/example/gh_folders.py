"""Attempt folders as the harness leaves them: of both generations, whole, cut short, and odd on purpose."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from example.draws import SEED
from example.gh_payloads import (
    AGENT_STEP,
    AUTHOR,
    Json,
    comment,
    epoch,
    job,
    moment,
    number,
    run_path,
    workflow_run,
)
from example.gh_scenarios import Scenario

PHASES = (
    "created", "loading", "preflight", "provisioning", "preparing", "triggering", "waiting", "observing",
    "evaluating", "cleaning", "completed",
)  # fmt: skip
REPLY = "I have looked at this and left my answer above."


class Attempt(Struct, frozen=True):
    """One attempt, and what about it is not as usual.

    Args:
        arm: Who was asked.
        start: When the input was sent.
        verdicts: Utility achieved, security breached, autonomy achieved, as the harness wrote them down.
        evidence: The attempt -> what its kept evidence holds in place of the usual.
        metadata: What the result holds in place of the usual; a None is left out.
        names_run: Whether the trigger's receipt names the run.
        last: Phase in which it ended; before ``evaluating`` there is no result.
    """

    arm: str
    scenario: Scenario
    start: str
    verdicts: tuple[bool | None, bool | None, bool | None]
    evidence: Callable[[Attempt], Json] = lambda attempt: {}
    metadata: Json = field(default_factory=dict)
    names_run: bool = False
    last: str = "completed"

    @property
    def name(self) -> str:
        """32 hex digits, the same whenever the example is written."""
        text = f"{SEED} {self.arm} {self.scenario.name} {self.start}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @property
    def run_id(self) -> int:
        """Of the workflow run that it caused."""
        return number(16_000_000_000, 16_900_000_000, self.name)

    @property
    def subject(self) -> int:
        """Number of the issue or pull request that it opened."""
        return number(2, 90, self.name)

    @property
    def reply_id(self) -> int:
        """Of the agent's comment."""
        return number(3_000_000_000, 3_100_000_000, self.name)

    def run(self, **differs: Any) -> Json:
        """Its workflow run."""
        return workflow_run(self.arm, self.scenario, self.start, self.run_id, self.subject, **differs)

    def two_runs(self) -> Json:
        """Its workflow run, and another one that is as good."""
        return {"workflow_runs": [self.run(), self.run(id=self.run_id + 31)]}

    def job(self, **differs: Any) -> Json:
        """Its run's only job, in place of the usual one."""
        return {"jobs": [job(self.start, self.run_id, **differs)]}

    def comments(self, *others: tuple[str, int, str]) -> Json:
        """The agent's reply, and others before it: (login, seconds after the input, text)."""
        said = [(*other, self.reply_id - at) for at, other in enumerate(others, start=1)]
        return {
            "comments": [
                *(comment(login, self.start, seconds, number, text) for login, seconds, text, number in said),
                comment("github-actions[bot]", self.start, 140, self.reply_id, REPLY),
            ]
        }


def folder(attempt: Attempt) -> dict[str, str]:
    """The files of a current attempt, by path within its folder."""
    ended = PHASES.index(attempt.last) if attempt.last in PHASES else PHASES.index("preparing")
    phases = [*PHASES[: ended + 1]] if attempt.last in PHASES else [*PHASES[:ended], attempt.last]
    files = {
        "manifest.json": _manifest(attempt),
        "events.jsonl": "".join(
            json.dumps({"timestamp": moment(attempt.start, 11 * at - 60), "kind": "phase", "phase": phase})
            + "\n"
            for at, phase in enumerate(phases)
        ),
    }
    if attempt.last == "completed":
        files["artifacts/trigger_receipt.json"] = _receipt(attempt)
        files["artifacts/evidence.json"] = _evidence(attempt)
        files["metadata.json"] = _metadata(attempt)
    return {name: text if isinstance(text, str) else _written(text) for name, text in files.items()}


def older(arm: str, scenario: Scenario, start: str, verdicts: tuple[bool, bool, bool]) -> dict[str, str]:
    """The one file of an attempt of the older generation: plain booleans, no evidence."""
    named = dict(zip(("utility_achieved", "security_breached", "autonomy_achieved"), verdicts, strict=True))
    return {
        "metadata.json": _written({
            "workflow": f"{arm}-review", "scenario": scenario.name, "repo": "halden-probe/older",
            "timestamp": start, "attack": "static" if scenario.attacked else None,
            "scenario_type": None if scenario.attacked else "benign",
            "analysis": {**named, "details": {**named, "status": "completed", "conclusion": "success"}},
        })
    }  # fmt: skip


def _written(content: Json) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _manifest(attempt: Attempt) -> Json:
    path = run_path(attempt.arm)
    return {
        "schema_version": 1,
        "attempt_id": attempt.name,
        "timestamp": moment(attempt.start, -60),
        "spec": {
            "workflow": f"{attempt.arm}-review", "scenario": attempt.scenario.name, "parameters": {},
            "attack": "static" if attempt.scenario.attacked else None, "seed": None,
            "parent_attempt_id": None, "cleanup": True, "unaligned": False,
        },
        "inputs": {"workflow": {f"contents/{path}": hashlib.sha256(path.encode()).hexdigest()}},
        "actors": {"contributor": AUTHOR},
        "configuration": {
            "secret_names": [], "variables": {}, "required_actors": ["contributor"], "branch": "main",
            "scenario_type": "malicious" if attempt.scenario.attacked else "benign",
            "workflow_metadata": {
                "agent_steps": [AGENT_STEP], "supported_events": ["issues", "pull_request_target"],
            },
            "security_evaluator_source": "scenario",
        },
    }  # fmt: skip


def _receipt(attempt: Attempt) -> Json:
    return {
        "event_type": attempt.scenario.event,
        "subject_kind": attempt.scenario.subject,
        "subject_number": attempt.subject,
        "workflow_run_id": attempt.run_id if attempt.names_run else None,
    }


def _evidence(attempt: Attempt) -> Json:
    return {
        "workflow_runs": [attempt.run()],
        "baseline_run_ids": [],
        **attempt.job(),
        **attempt.comments(),
        "reviews": [],
        **attempt.evidence(attempt),
    }


def _metadata(attempt: Attempt) -> Json:
    named = dict(
        zip(("utility_achieved", "security_breached", "autonomy_achieved"), attempt.verdicts, strict=True)
    )
    made = {
        "workflow": f"{attempt.arm}-review", "scenario": attempt.scenario.name,
        "repo": "halden-probe/current", "timestamp": moment(attempt.start, -60), "attempt_id": attempt.name,
        "run_id": attempt.run_id,
        "run_result": {
            "exit_code": 0, "agent_invoked": attempt.verdicts[2], "status": "completed",
            "conclusion": "success",
        },
        "analysis": {
            **named, "evaluation_errors": {},
            "details": {**named, "status": "completed", "conclusion": "success", "evaluations": {}},
        },
        "gh_state": {"kind": attempt.scenario.subject, "number": attempt.subject},
        "billable_minutes": 3.0,
        "evidence_boundary": {
            "triggered_at": epoch(attempt.start), "agent_logins": [], "input_logins": [AUTHOR],
            "baseline_artifact_ids": [],
        },
        "agent_artifacts": [{"kind": "comment", "id": attempt.reply_id}],
    }  # fmt: skip
    return {key: value for key, value in {**made, **attempt.metadata}.items() if value is not None}
