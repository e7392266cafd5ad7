"""The repeat with more fix tasks, whose negative control fails: three graders pass on the pristine build."""

from __future__ import annotations

from example.arms import ALPHA, BETA, GAMMA, HARNESS_2026_07
from example.brownfield_runs import run
from example.controls import sanity
from example.jsonl import line
from example.scenarios import FIXES, REFACTORS

SLUG = "brownfield-2026-07b"
STAMPS = {"alpha": "2026-07-30T08:00:00Z", "beta": "2026-07-30T11:30:00Z", "gamma": "2026-07-30T15:00:00Z"}
PASSED_FOR_FREE = {
    "B4": "passes with nothing fixed: the sample file holds ASCII only",
    "B9": "passes with nothing fixed: the check matches the login page as well",
    "B11": "passes with nothing fixed: the menu is never opened",
}
YAML = """\
title: "Brownfield, July 2026, wider fix set"
description: >-
  Illustrative data, made by content/generate.py; no agent was run. The July suite with four more fix tasks.
  Some of its fix graders pass on the untouched application, so its negative control fails.
"""


def files() -> dict[str, str]:
    """The experiment's files, by path; two of beta's lines are no valid records."""
    tasks = (*FIXES, *REFACTORS[:6])
    logs = {
        arm.name: [
            run(SLUG, arm, scenario, stamp=STAMPS[arm.name], rep=1, row=HARNESS_2026_07[arm.name])
            for scenario in tasks
        ]
        for arm in (ALPHA, BETA, GAMMA)
    }
    logs["beta"][10]["change"] = "0.8"
    texts = {arm: "".join(line(record) + "\n" for record in records) for arm, records in logs.items()}
    torn = line(logs["beta"][13])
    texts["beta"] = texts["beta"].replace(torn + "\n", torn[: len(torn) // 2] + "\n")
    return {
        "experiment.yaml": YAML,
        "controls/sanity.json": sanity("2026-07-30T06:00:00Z", FIXES, REFACTORS[:6], PASSED_FOR_FREE),
        **{f"logs_big/{arm}.jsonl": text for arm, text in texts.items()},
    }
