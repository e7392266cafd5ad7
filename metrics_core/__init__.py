"""Experiment folders in, estimates out. ``import metrics_core as mc``; see `metrics_core.api`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.api import compare, compute, load, read
    from metrics_core.contracts import load_contract
    from metrics_core.digest import tree_digest
    from metrics_core.errors import (
        AssayError,
        ClaimError,
        ConfigError,
        ContractError,
        DigestMismatch,
        EngineError,
        FixtureError,
        FormatError,
        GateError,
        InputError,
        LeakError,
        LockError,
        PoolingError,
        PublishError,
        StrictError,
    )
    from metrics_core.registry import family_names, format_names
    from metrics_core.statistics import bootstrap_mean_ci
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "AssayError",
    "ClaimError",
    "ConfigError",
    "ContractError",
    "DigestMismatch",
    "EngineError",
    "FixtureError",
    "FormatError",
    "GateError",
    "InputError",
    "LeakError",
    "LockError",
    "PoolingError",
    "PublishError",
    "StrictError",
    "bootstrap_mean_ci",
    "compare",
    "compute",
    "family_names",
    "format_names",
    "load",
    "load_contract",
    "read",
    "tree_digest",
]


def __dir__() -> list[str]:
    """The public names, whether or not one was asked for already."""
    return sorted({*globals(), *__all__})
