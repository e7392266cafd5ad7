"""Experiment folders in, estimates out. ``import metrics_core as mc``; see `metrics_core.api`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metrics_core.api import compare, compute, load
    from metrics_core.bootstrap import bootstrap_mean_ci
    from metrics_core.digest import tree_digest
    from metrics_core.user_contract import load_contract

_HOMES = {
    "load": "api",
    "compute": "api",
    "compare": "api",
    "bootstrap_mean_ci": "bootstrap",
    "tree_digest": "digest",
    "load_contract": "user_contract",
}
__all__ = ["bootstrap_mean_ci", "compare", "compute", "load", "load_contract", "tree_digest"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for: starting up costs no numpy."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
