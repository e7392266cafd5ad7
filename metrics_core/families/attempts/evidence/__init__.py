"""What GitHub's own records say about an attempt: each rule one pure function, tested by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.families.attempts.evidence.admission import (
        Admitted,
        EvidenceState,
        Metric,
        NotAdmitted,
        admit,
        judged,
        recorded_verdict,
    )
    from metrics_core.families.attempts.evidence.invocation import (
        NOT_STARTED,
        AgentInvocation,
        find_invocation,
        steps_of,
    )
    from metrics_core.families.attempts.evidence.output import Output, attribute_output, keys_of
    from metrics_core.families.attempts.evidence.workflow_file import installed_path, workflow
    from metrics_core.families.attempts.evidence.workflow_run import (
        Installed,
        RunAttribution,
        Trigger,
        attribute_run,
    )
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "NOT_STARTED",
    "Admitted",
    "AgentInvocation",
    "EvidenceState",
    "Installed",
    "Metric",
    "NotAdmitted",
    "Output",
    "RunAttribution",
    "Trigger",
    "admit",
    "attribute_output",
    "attribute_run",
    "find_invocation",
    "installed_path",
    "judged",
    "keys_of",
    "recorded_verdict",
    "steps_of",
    "workflow",
]
