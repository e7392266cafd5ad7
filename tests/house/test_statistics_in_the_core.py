"""The site computes no statistics: it reads what the core publishes, and asks the core what else it needs.

Figures compute positions, which are no numbers of the data. What the site still takes from the core's
statistics stands in a table here, each with its reason.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from metrics_core.measurement import counterfactual as counterfactuals
from tests.support.parsed import nodes, parsed

SITE = Path(__file__).resolve().parents[2] / "site_src"

STATISTICS = {"metrics_core.statistics", "metrics_core.measurement"}
"""Rooms of the core that compute."""

COMPUTING = {"statistics", "numpy", "scipy", "pandas", "math.fsum", "math.sqrt"}
"""What else a module would import to compute a mean, a quantile, an interval or a test."""

ALLOWED = {
    ("decisions/judge.py", "RecordedOutcome"): "its type",
    ("decisions/judge.py", "run_outcomes"): "what each run came to, for the core to count what would flip",
    ("decisions/judge.py", "spent_beside"): "asks the core what a success of each arm costs",
    ("decisions/model.py", "SpentBeside"): "its type",
    ("decisions/switching.py", "SpentBeside"): "its type",
    ("decisions/claim_words.py", "CostPerSuccess"): "its type",
    ("decisions/robustness.py", "MIN_COMPARED"): "the fewest runs that are compared, in a sentence",
    ("decisions/robustness.py", "MIN_DISCORDANT"): "the fewest discordant pairs of a test, in a sentence",
    ("drawing/arm_rows.py", "brackets"): "groups of arms by verdicts that are published: a drawing's shape",
    ("pages/compare/tables.py", "counts_under"): "asks the core for n/N under another denominator",
    ("pages/compare/tasks.py", "task_difference"): "asks the core on which tasks two arms differ",
    ("pages/compare/tasks.py", "task_mean"): "a row's mean is what its difference is made of",
    ("pages/series/newest.py", "RecordedOutcome"): "what each run came to, for the core to pair",
    ("pages/series/newest.py", "over_experiments"): "asks the core which points one line joins",
}
"""(module of the site, name of the core or module of others) -> why it is imported all the same."""

BY_ANOTHER_HAND = "verification/second_reading/"
"""Computes what the core computed, once more and by another way; `make arrows` keeps the core out of it."""

FROM_COUNTERFACTUAL = "decisions/robustness.py"
"""Says in words what would flip a verdict: all that it takes from the room that measures answers that."""


def computing(source: str) -> set[str]:
    """Statistics that a module imports: names of the core's rooms, others as they are written."""
    found: set[str] = set()
    for node in nodes(parsed(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            found |= {name for name in names if name in COMPUTING or name.partition(".")[0] in COMPUTING}
            found |= {name for name in names if name.startswith(tuple(STATISTICS))}
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = {f"{node.module}.{alias.name}": alias.name for alias in node.names}
            if node.module.startswith(tuple(STATISTICS)) or any(name in STATISTICS for name in full):
                found |= set(full.values())
            elif node.module in COMPUTING:
                found.add(node.module)
            found |= {name for name in full if name in COMPUTING}
    return found


@pytest.mark.parametrize(
    "source, found",
    [
        ("from metrics_core.statistics.distributions import t_quantile", {"t_quantile"}),
        ("from metrics_core.statistics import separation", {"separation"}),
        ("from metrics_core import statistics", {"statistics"}),
        ("import metrics_core.statistics.bootstrap", {"metrics_core.statistics.bootstrap"}),
        ("def f():\n    from statistics import NormalDist", {"statistics"}),
        ("import numpy as np", {"numpy"}),
        ("from math import fsum, isclose", {"math.fsum"}),
        ("from metrics_core.results import Interval", set()),
    ],
)
def test_the_search_for_statistics_finds_them(source: str, found: set[str]) -> None:
    assert computing(source) == found


def test_the_site_imports_no_statistics_but_those_with_a_reason() -> None:
    counterfactual = {"counterfactual"} | {n for n in vars(counterfactuals) if not n.startswith("_")}
    found = {
        (path.relative_to(SITE).as_posix(), name)
        for path in SITE.rglob("*.py")
        if not path.relative_to(SITE).as_posix().startswith(BY_ANOTHER_HAND)
        for name in computing(path.read_text("utf-8"))
    }
    assert {
        (path, name) for path, name in found if path != FROM_COUNTERFACTUAL or name not in counterfactual
    } == set(ALLOWED)
