"""An earlier brownfield run, of which no control was kept; priced by the table of its own month."""

from __future__ import annotations

from example.arms import ALPHA, BETA, GAMMA, HARNESS_2026_05
from example.brownfield_runs import run
from example.jsonl import log
from example.scenarios import FIXES, REFACTORS

SLUG = "brownfield-2026-05"
STAMPS = {"alpha": "2026-05-11T08:00:00Z", "beta": "2026-05-11T13:00:00Z", "gamma": "2026-05-12T08:00:00Z"}
YAML = """\
title: "Brownfield, May 2026"
description: >-
  Illustrative data, made by content/generate.py; no agent was run. A first pass over the shop application,
  made before the harness kept its negative control: the graders may be sound, and nothing here shows it.
"""
PRICES = """\
# Illustrative prices of made-up models, in US dollars for a million tokens.
# The experiment's own table, as it stood when it was run. Beta's row is the wrong one that was corrected
# later, in the table of 2026-07-05: what was charged to these runs is not rewritten.
fetched: 2026-05-04
currency: USD
per: 1000000
models:
  alpha: {input: 3.5, output: 14.0, cached: 0.35, source: "illustrative rate card, May"}
  beta: {input: 1.6, output: 6.4, cached: 0.16, source: "illustrative rate card, May"}
  gamma: {input: 0.3, output: 1.2, cached: 0.03, source: "illustrative rate card, May"}
"""


def files() -> dict[str, str]:
    """The experiment's files, by path; there is no folder `controls`, which is the point of it."""
    tasks = (*FIXES[:6], *REFACTORS[:6])
    return {
        "experiment.yaml": YAML,
        "pricing/2026-05-04.yaml": PRICES,
        **{
            f"logs_big/{arm.name}.jsonl": log(
                run(SLUG, arm, scenario, stamp=STAMPS[arm.name], rep=1, row=HARNESS_2026_05[arm.name])
                for scenario in tasks
            )
            for arm in (ALPHA, BETA, GAMMA)
        },
    }
