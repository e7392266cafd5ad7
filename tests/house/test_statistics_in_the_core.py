"""The site computes no statistics: it reads what the core publishes, and asks the core what else it needs.

Figures compute positions, which are no numbers of the data. What the site still takes from the core's
statistics stands in a table here, each with its reason.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parents[2] / "site_src"

STATISTICS = {
    "agreement", "bootstrap", "bounds", "cluster_sums", "clustered_intervals", "differences", "drawn_sums",
    "estimators", "exact_bootstrap", "exact_tests", "incomplete_beta", "index_stream", "intervals",
    "order_statistics", "paired", "proportions", "quantiles", "repeats", "rollup", "separation", "t_table",
    "unpaired",
}  # fmt: skip
"""Modules of the core that compute, or that gather what is computed from."""

COMPUTING = {"statistics", "numpy", "scipy", "pandas", "math.fsum", "math.sqrt"}
"""What else a module would import to compute a mean, a quantile, an interval or a test."""

ALLOWED = {
    ("downloads.py", "pandas"): "writes Parquet",
    ("decisions/measuring.py", "separation"): "names of reasons, which are no numbers",
    ("decisions/settling.py", "separation"): "names of reasons, and the fewest runs that are compared",
    ("figures/pair_matrix.py", "separation"): "the name of a reason",
    ("figures/brackets.py", "separation"): "groups of arms by verdicts that are published: a drawing's shape",
    ("views/paired_tasks.py", "differences"): "a row's mean is the term that the difference is made of",
    ("views/paired_tasks.py", "rollup"): "names of the strata that exist only where something moved",
}
"""(module of the site, module of the core) -> why it is imported all the same."""


def computing(source: str) -> set[str]:
    """Statistics that a module imports: modules of the core by their name, others as they are written."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == "metrics_core" and rest.partition(".")[0] in STATISTICS:
                found.add(rest.partition(".")[0])
            elif name in COMPUTING or package in COMPUTING:
                found.add(name)
    return found


@pytest.mark.parametrize(
    "source, found",
    [
        ("from metrics_core.statistics.distributions import t_quantile", {"quantiles"}),
        ("from metrics_core import separation", {"separation"}),
        ("import metrics_core.statistics.bootstrap", {"bootstrap"}),
        ("def f():\n    from statistics import NormalDist", {"statistics", "statistics.NormalDist"}),
        ("from math import fsum, isclose", {"math.fsum"}),
        ("from metrics_core.measurement.counterfactual import redrawable\nfrom math import isclose", set()),
        ("from metrics_core.results.interval import Interval", set()),
    ],
)
def test_the_search_for_statistics_finds_them(source: str, found: set[str]) -> None:
    assert computing(source) == found


def test_the_site_imports_no_statistics_but_those_with_a_reason() -> None:
    found = {
        (path.relative_to(SITE).as_posix(), name)
        for path in SITE.rglob("*.py")
        for name in computing(path.read_text("utf-8"))
    }
    assert found == set(ALLOWED)
