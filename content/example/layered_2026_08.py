"""The layered pipelines a month later: another grader for the second batch, and no self-test was kept.

What failed is left to the rules of attribution: the experiment makes its self-test optional, and says so.
"""

from __future__ import annotations

from typing import Any

from example.arms import ALPHA, BETA, GAMMA
from example.jsonl import log
from example.layered_2026_07 import REQUESTS, end_to_end

SLUG = "layered-2026-08"
BATCHES = (("2026-08-04T08:00:00Z", "1"), ("2026-08-11T08:00:00Z", "2"))
"""When each batch was run, and the version of the grader that judged it."""

PIPELINES = ((GAMMA, ALPHA, BETA), (BETA, BETA, BETA))
RECORDED = ("attribution", "note")

YAML = """\
title: "Router, planner and coder, August 2026"
description: >-
  Illustrative data, made by content/generate.py; no agent was run. Two pipelines from end to end, in two
  batches. Between them the grader was replaced, so the timeline breaks there and the batches are not added
  up. No self-test of the attribution was kept; the experiment makes it optional, which every caption says.
gates:
  attribution self-test: optional
"""


def files() -> dict[str, str]:
    """The experiment's files, by path; there is no folder `controls`."""
    return {
        "experiment.yaml": YAML,
        **{f"logs_layered/{stamp[:10]}.jsonl": log(_batch(stamp, grader)) for stamp, grader in BATCHES},
    }


def _batch(stamp: str, grader: str) -> list[dict[str, Any]]:
    """Every request through both pipelines, judged by one version of the grader."""
    return [
        _judged(end_to_end(f"{SLUG}, grader {grader}", stamp, pipeline, request, 1), grader)
        for pipeline in PIPELINES
        for request in REQUESTS
    ]


def _judged(row: dict[str, Any], grader: str) -> dict[str, Any]:
    """A request with its grader's version, and without anyone's word for whose the failure was."""
    return {**{name: value for name, value in row.items() if name not in RECORDED}, "grader_version": grader}
