"""What GitHub's own records say about an attempt: each rule one pure function, tested by itself."""

from __future__ import annotations

from metrics_core.families.attempts.evidence import admission, invocation, output, workflow_run
from metrics_core.families.attempts.evidence.admission import Admitted, EvidenceState
from metrics_core.families.attempts.evidence.invocation import AgentInvocation
from metrics_core.families.attempts.evidence.output import Output, keys_of
from metrics_core.families.attempts.evidence.workflow_file import installed_path, workflow
from metrics_core.families.attempts.evidence.workflow_run import Installed, RunAttribution, Trigger

__all__ = [
    "Admitted",
    "AgentInvocation",
    "EvidenceState",
    "Installed",
    "Output",
    "RunAttribution",
    "Trigger",
    "admission",
    "installed_path",
    "invocation",
    "keys_of",
    "output",
    "workflow",
    "workflow_run",
]
