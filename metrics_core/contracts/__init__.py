"""Instruments and what tests them: contracts, their source closures, the lockfile, packs, controls.

A built-in contract is its source closure; a user's contract runs in a child process of its own. Nothing here
measures an experiment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.contracts import lockfile
    from metrics_core.contracts.contract import Contract, UserContract
    from metrics_core.contracts.controls import (
        PACK_DIGEST,
        SHUFFLED_ORACLES,
        STUB_AGENT,
        fixtures_control,
        occurring_tasks,
        pack_digest,
        shuffled_oracles,
        stub_agent,
    )
    from metrics_core.contracts.fixture import Fixture, FixtureResult, check_results
    from metrics_core.contracts.lockfile import Lockfile, used_contract
    from metrics_core.contracts.pack import Pack, Task, load_pack
    from metrics_core.contracts.recorded_controls import (
        SANITY,
        SELFTEST,
        LoggedSuite,
        attribution_selftest,
        sanity,
    )
    from metrics_core.contracts.scorer import Score, cage_of, check_user_fixtures, packages_of, score_all
    from metrics_core.contracts.scorer_process import HASH_SEED, ScorerCrash, UncagedError, cage_here
    from metrics_core.contracts.user_contract import load_contract
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "HASH_SEED",
    "PACK_DIGEST",
    "SANITY",
    "SELFTEST",
    "SHUFFLED_ORACLES",
    "STUB_AGENT",
    "Contract",
    "Fixture",
    "FixtureResult",
    "Lockfile",
    "LoggedSuite",
    "Pack",
    "Score",
    "ScorerCrash",
    "Task",
    "UncagedError",
    "UserContract",
    "attribution_selftest",
    "cage_here",
    "cage_of",
    "check_results",
    "check_user_fixtures",
    "fixtures_control",
    "load_contract",
    "load_pack",
    "lockfile",
    "occurring_tasks",
    "pack_digest",
    "packages_of",
    "sanity",
    "score_all",
    "shuffled_oracles",
    "stub_agent",
    "used_contract",
]
