"""A candidate held against a baseline by a policy: pass, fail, cannot tell, or unhealthy.

Here live the policy, each of its rules, what makes an outcome not worth believing, and the trial of the gate
on a baseline alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.gate.findings import GateRule, GateVerdict, RuleFinding, Settling, Supposed
    from metrics_core.gate.gate import Gate, held_against
    from metrics_core.gate.policy import PLAIN, Policy, policy_bytes, read_policy
    from metrics_core.gate.self_test import SelfTest, tried_on
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "PLAIN",
    "Gate",
    "GateRule",
    "GateVerdict",
    "Policy",
    "RuleFinding",
    "SelfTest",
    "Settling",
    "Supposed",
    "held_against",
    "policy_bytes",
    "read_policy",
    "tried_on",
]
