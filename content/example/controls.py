"""The harness's negative control: its graders tried on the application before anyone touched it.

On the pristine build the whole regression set must pass, and every fix grader and every refactor check
must fail; a grader that passes there would pass for free.
"""

from __future__ import annotations

import json

from example.application import PAGES
from example.scenarios import Scenario


def sanity(
    stamp: str, fixes: tuple[Scenario, ...], refactors: tuple[Scenario, ...], passed_for_free: dict[str, str]
) -> str:
    """The text of `controls/sanity.json`.

    Args:
        stamp: When the control was run, ISO 8601.
        fixes: Scenarios whose fix graders were tried.
        refactors: Scenarios whose duplication checks were tried.
        passed_for_free: For each id that wrongly passed, why; empty for a control that holds.
    """
    record = {
        "control": "sanity",
        "stamp": stamp,
        "regression": {"total": len(PAGES), "passed": len(PAGES), "misses": []},
        "fix_graders": [
            _tried(scenario, passed_for_free, "fails on the pristine build, as it must") for scenario in fixes
        ],
        "refactor_checks": [
            _tried(scenario, passed_for_free, "finds the duplication, as it must") for scenario in refactors
        ],
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def _tried(scenario: Scenario, passed_for_free: dict[str, str], usual: str) -> dict[str, object]:
    return {
        "id": scenario.id,
        "name": scenario.name,
        "passed": scenario.id in passed_for_free,
        "detail": passed_for_free.get(scenario.id, usual),
    }
