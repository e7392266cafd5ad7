"""Experiment folders in, estimates out. ``import metrics_core as mc``; see `metrics_core.api`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metrics_core.api import compare, compute, load
    from metrics_core.contracts import load_contract
    from metrics_core.digest import tree_digest
    from metrics_core.errors import (
        AssayError,
        ClaimError,
        ConfigError,
        ContractError,
        DigestMismatch,
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

__all__ = [
    "AssayError",
    "ClaimError",
    "ConfigError",
    "ContractError",
    "DigestMismatch",
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
    "tree_digest",
]

_HOMES = {
    "load": "api",
    "compute": "api",
    "compare": "api",
    "bootstrap_mean_ci": "statistics",
    "tree_digest": "digest",
    "family_names": "registry",
    "format_names": "registry",
    "load_contract": "contracts",
}
"""Module of each public name; every other name of ``__all__`` is an error's."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for: starting up costs no numpy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'errors')}"), name)


def __dir__() -> list[str]:
    """The public names, whether or not one was asked for already."""
    return sorted({*globals(), *__all__})
