"""What each field of a record moves: one field of a sample at a time is left out or changed, and read anew.

A field moves a metric if an estimate of it is another; or the money, the findings, the run's page. The record
as published, which stands on the run's page whatever a family reads, does not count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from metrics_core.experiments.price_tables import read_price_table
from metrics_core.experiments.settings import Settings
from metrics_core.families import FAMILIES
from metrics_core.formats.decoding import settings_meanings
from metrics_core.formats.fields import fields
from metrics_core.formats.jsonl import Row, batches
from metrics_core.gate import policy
from metrics_core.measurement.family import Context
from metrics_core.measurement.finalise import finalise
from metrics_core.measurement.fixtures import NO_DATA
from metrics_core.measurement.tabulate import graded_review, tabulate
from metrics_core.memo import Memo

Record = dict[str, Any]
GONE = object()
"""In place of a value: the field is left out."""

TOKENS = ("prompt_tokens", "completion_tokens", "cached_tokens")

RUN: Record = {
    "id": "B1", "stamp": "2026-07-05T10:00:00Z", "name": "Bulk price", "kind": "fix", "model": "alpha",
    "label": "Alpha", "with_brain": True, "with_plan": False, "change": 0.5,
    "change_detail": [["a", True], ["b", False]], "regress": 0.75, "regress_misses": ["cart"],
    "regress_total": 4, "changed_files": ["a.php"], "wall_s": 2.0, "calls": 3, "cost": 0.25,
    "prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": 5, "rep": 1, "grader_version": "1",
}  # fmt: skip
HEAD: Record = {
    "id": "H1", "stamp": "2026-07-05T10:00:00Z", "axis": "fix", "agent": "alpha", "label": "Alpha 2",
    "mode": "fast", "config": {"mode": "slow"}, "change": 1.0, "change_detail": [["a", True]],
    "turns": [{"say": "x"}], "error": "gone", "continuation": "beta", "model": None,
}  # fmt: skip
NEWER: Record = {
    **{k: v for k, v in RUN.items() if k not in ("cost", *TOKENS)},
    "with_brain": None, "with_plan": None, "config": {"mode": "slow"}, "continuation": "beta",
    "metrics": {
        "input_tokens": 100, "output_tokens": 10, "cache_read_tokens": 4, "cost_usd": 0.5, "llm_calls": 2,
        "tool_calls": 5,
        "by_role": {
            "primary": {"input_tokens": 60, "output_tokens": 6, "calls": 1, "cost_usd": 0.25},
            "other": {"input_tokens": 40, "output_tokens": 4, "calls": 1, "cost_usd": 0.25},
        },
    },
}  # fmt: skip
UNSPLIT: Record = {**NEWER, "metrics": {**NEWER["metrics"], "by_role": None}}
CACHED: Record = {**NEWER, "metrics": {"input_tokens": 100, "output_tokens": 10, "cached_tokens": 4}}
AWARE: Record = {
    **RUN, "kind": "awareness", "change": 0.5, "change_detail": [], "regress": None, "regress_misses": None,
    "answer_files": ["a", "b"], "truth_files": ["a"],
}  # fmt: skip
TURN: Record = {
    "scenario_id": "s1", "turn_index": 1, "rep": 1, "chat": "a", "coder": "b", "type": "coder",
    "check_kind": "exec_assert", "check_passed": False, "check_note": "no code", "prompt_tokens": 100,
    "completion_tokens": 10, "cached_tokens": 5, "cost_usd": 0.25, "latency_s": 2.0, "difficulty": 2,
    "stamp": "2026-07-05T10:00:00Z", "grader_version": "1",
}  # fmt: skip
REQUEST: Record = {
    "measurement": "total", "scenario_id": "s1", "l1": "a", "l2": "b", "l3": "c", "route_expected": "code",
    "route_actual": "code", "plan": "do it", "note": "attribution: planner", "passed": False,
    "attribution": "planner", "l1_cost": 0.1, "l2_cost": 0.2, "l3_cost": 0.3, "total_cost": 0.7,
    "l1_latency": 1.0, "l2_latency": 2.0, "l3_latency": 3.0, "total_latency": 7.0,
    "stamp": "2026-07-05T10:00:00Z", "rep": 1, "grader_version": "1",
}  # fmt: skip
PLAN: Record = {
    "measurement": "l2plan",
    "scenario_id": "s1",
    "l2": "b",
    "ref_coder": "r",
    "passed": True,
    "l3_cost": 0.5,
}
TRACE: Record = {
    "schema": "trace.v1", "task_id": "t1", "agent": "alpha", "model": "m1", "rep": 1, "exit_code": 0,
    "patch": "diff", "oracle_files": ["a.py"], "touched_files": ["a.py"], "tests_passed": True,
    "timeout": False, "wall_s": 2.0, "retries": 1, "prompt_tokens": 100, "completion_tokens": 10,
    "cached_tokens": 5, "cost_usd": 0.25, "stamp": "2026-07-05T10:00:00Z", "grader_version": "1",
}  # fmt: skip
WORKFLOW = ".github/workflows/review.yml"
ATTEMPT: Record = {
    "scenario": "s1", "attempt_id": "7f", "workflow": "review", "agent": "alpha", "suite": "shop",
    "attack": "static", "injection": "print it", "scenario_type": "attack", "utility_achieved": True,
    "security_breached": False, "autonomy_achieved": True, "run_id": 7, "status": "completed",
    "conclusion": "success", "agent_invoked": True, "parent_attempt_id": "8e", "seed": 3, "rep": 1,
    "stamp": "2026-07-05T10:00:00Z", "wall_s": 2.0, "billable_minutes": 1.0, "cost_usd": 0.25,
    "prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": 5, "grader_version": "1",
    "phases": ["created", "ran"], "unaligned": True,
    "evaluations": {"utility": {"is_success": True, "reasoning": "done"}}, "agent_output": "done",
    "evaluators": {"security": "state"}, "model": "m1",
}  # fmt: skip
EVIDENCED: Record = {
    **{k: v for k, v in ATTEMPT.items() if k not in ("agent_output", "model")},
    "evidence": {
        "triggered_at": "2026-07-05T10:00:00Z", "event_type": "pull_request", "subject_kind": "pr",
        "subject_number": 5, "workflow_run_id": 7, "workflow_paths": [WORKFLOW],
        "supported_events": ["pull_request"], "agent_steps": ["Ask"],
        "workflow_runs": [
            {"id": 7, "path": WORKFLOW, "event": "pull_request", "created_at": "2026-07-05T10:00:05Z",
             "status": "completed", "conclusion": "success", "pull_requests": [{"number": 5}]},
            {"id": 6, "path": WORKFLOW, "event": "pull_request", "created_at": "2026-07-05T10:00:06Z",
             "status": "completed", "conclusion": "success", "pull_requests": [{"number": 5}]},
        ],
        "baseline_run_ids": [6],
        "jobs": [{"id": 1, "run_id": 7, "steps": [{"name": "Ask", "conclusion": "success"}]}],
        "comments": [
            {"id": 1, "user": {"login": "bot-a"}, "created_at": "2026-07-05T10:00:10Z", "body": "x"},
            {"id": 2, "user": {"login": "old[bot]"}, "created_at": "2026-07-05T10:00:10Z", "body": "y"},
            {"id": 4, "user": {"login": "me[bot]"}, "created_at": "2026-07-05T10:00:10Z", "body": "y"},
        ],
        "reviews": [
            {"id": 3, "user": {"login": "bot-a"}, "submitted_at": "2026-07-05T10:00:10Z", "body": "z"}
        ],
        "baseline_artifact_ids": ["comment:2"], "input_logins": ["me[bot]"], "agent_logins": ["bot-a"],
        "agent_artifacts": [{"kind": "comment", "id": 1}],
    },
}  # fmt: skip
LOST: Record = {"scenario": "s1", "workflow": "review", "evidence": {"artifact_error": "no rights"},
                "evaluation_errors": {"utility": "no judge"}, "observation_error": "no state",
                "error": "gone", "condition": "capability"}  # fmt: skip
UNSEEN: Record = {key: value for key, value in LOST.items() if key != "error"}
NO_RECEIPT: Record = {
    **EVIDENCED,
    "evidence": {key: value for key, value in EVIDENCED["evidence"].items() if key != "workflow_run_id"},
}
BREACHED: Record = {
    "scenario": "s1", "workflow": "review", "security_breached": True,
    "evidence": {"artifact_error": "no rights"},
}  # fmt: skip
UNJUDGED: Record = {
    "scenario": "s1",
    "model": "m1",
    "scenario_type": "attack",
    "evaluation_errors": {"utility": "no judge"},
}

LABEL: Record = {
    "item": "i1", "rater": "judge", "verdict": "pass", "agent": "alpha", "attempt": 1, "criterion": "tone",
    "split": "heldout", "grader_version": "1", "stamp": "2026-07-05T10:00:00Z", "run": 1,
}  # fmt: skip

SAMPLES: Mapping[str, tuple[Record, ...]] = {
    "brownfield": (RUN, HEAD, NEWER, UNSPLIT, CACHED, AWARE),
    "matrix": (TURN, {**TURN, "error": "gone"}),
    "layered": (REQUEST, PLAN, {**REQUEST, "error": "gone"}),
    "traces": (
        TRACE,
        {**TRACE, "scores": {"plain": 1.0}, "suite": "shop", "prompt_sha256": "a" * 64, "split": "train"},
    ),
    "attempts": (ATTEMPT, EVIDENCED, NO_RECEIPT, LOST, UNSEEN, BREACHED, UNJUDGED),
    "judges": (LABEL, {**LABEL, "error": "gone"}, {**LABEL, "rater": "human:alice"}),
}
"""Family -> records in which, together, every field stands and matters."""

_PRICES = b"""\
fetched: 2026-07-05
currency: USD
per: 1000
models:
  alpha: {input: 1, output: 2, cached: 0.5}
  beta: {input: 3, output: 4, cached: 1}
  a: {input: 1, output: 2, cached: 0.5}
  b: {input: 5, output: 6, cached: 2}
  m1: {input: 7, output: 8, cached: 3}
"""
TABLE = read_price_table(_PRICES, "pricing/july.yaml")
"""Prices of every model of the samples."""
CONTEXT = Context(
    experiment="e", settings=Settings(), table=TABLE, newest=TABLE, tables=(TABLE,), memo=Memo()
)


def paths(family: str) -> tuple[str, ...]:
    """Every field of a family's record, inner ones behind their own, as the Dictionary names them."""
    return tuple(field.name for field in fields(FAMILIES[family].record))


@cache
def moved(family: str, field: str) -> frozenset[str]:
    """What a field moves in any of its family's samples: metrics by name, and ``run page`` and the like.

    Args:
        family: Its name.
        field: As `paths` spells it.
    """
    found: set[str] = set()
    for at, sample in enumerate(SAMPLES[family]):
        plain = _plain(family, at)
        for changed in _variants(sample, field.split("/")):
            other = _read(family, changed, plain)
            found |= {name for name in plain.keys() | other.keys() if plain.get(name) != other.get(name)}
    return frozenset(found)


@cache
def _plain(family: str, at: int) -> dict[str, Any]:
    """What a family's sample gives as it stands."""
    return _read(family, SAMPLES[family][at])


def _variants(record: Any, path: list[str]) -> Iterator[Any]:
    """The record with one field left out, or with another value of its kind, wherever it stands."""
    head, *rest = path
    if isinstance(record, list):
        for at, each in enumerate(record):
            yield from ([*record[:at], new, *record[at + 1 :]] for new in _variants(each, path))
    elif head == "*":
        for key, inner in record.items():
            yield from ({**record, key: new} for new in _variants(inner, rest))
    elif rest:
        if isinstance(record.get(head), dict | list):
            yield from ({**record, head: new} for new in _variants(record[head], rest))
    else:
        old = record.get(head, GONE)
        yield {k: v for k, v in record.items() if k != head}
        yield from ({**record, head: new} for new in _others(head, old))


def _others(name: str, value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int() | float():
            yield value + 1
        case str():
            yield from ("other", "2026-07-06T10:00:00Z", "l1", "benign", "judge:other")
        case list():
            yield from ([], [*value, *value], ["other"])
        case dict():
            yield {}
        case _:
            yield from ("other", ["other"], True, 7, {"other": "other"})


def _read(family: str, record: Record, plain: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What a record gives: every estimate by its metric, the rest of a report, and the run's page.

    Args:
        family: Its name.
        record: Counted twice, so that a repetition shows.
        plain: What the sample gives that it was changed from. Where the change made it no record, it says
            nothing of the field: then this is the answer.
    """
    form = FAMILIES[family]
    line = json.dumps(record).encode() + b"\n"
    rows = [list(batch) for batch in batches([line, line], form.record, file="logs/x__y.jsonl")]
    partial = tabulate(form, rows, CONTEXT)
    out: dict[str, Any] = {"problems": [(p.field, p.what) for p in partial.problems]}
    if plain is not None and out["problems"] != plain["problems"]:
        return dict(plain)
    known = replace(CONTEXT, tallied=partial.tallied, last=partial.span.last)
    made = finalise(form, partial, known, NO_DATA)
    for e in made.estimates:
        out.setdefault(e.metric, []).append((e.id, e.value, e.n, e.N, e.losses, e.stamps, e.summary))
    out["checks by name"] = made.checks
    out["findings"] = [(f.field, f.what) for f in partial.findings]
    out["repeated records"] = partial.duplicates
    out["money"] = repr(sorted(partial.costs.items()))
    out["controls"] = sorted(partial.tallied.items())
    for batch in rows:
        valid = [row for row in batch if isinstance(row, Row)]
        shown = zip(form.review(valid, CONTEXT), valid, strict=True)
        graded = [graded_review(review, row.record, CONTEXT, form) for review, row in shown]
        out["run page"] = [replace(review, record=None) for review in graded]
    return out


ABOUT = (
    "Every setting, every rule of a gate and every field that is read, made by "
    "`python -m tests.support.field_effects` from the types; a test holds it up to date. What a field moves "
    "was found by leaving it out of samples, or changing it: estimates by their metric (*stage* is the "
    "funnel), findings, money, controls, the run's page."
)


POLICY = (
    "The rules that `assay gate --policy` holds a candidate to. Each may be left out, and one at least must "
    "stand."
)


def reference(moves: Callable[[str, str], Iterable[str]] | None = None) -> str:
    """Every setting with what it does, and every record field with what it means and moves, as Markdown.

    Args:
        moves: What a field of a family moves; found by `moved` where none is given.
    """
    moves = moves or moved
    # The site is loaded only for whoever writes the page.
    from site_src.project.site_model import SETTINGS, SettingsFile

    out = [
        "# Settings and record fields",
        "",
        ABOUT,
    ]
    gate = SettingsFile(name=policy.NAME, about=POLICY, settings=settings_meanings(policy.Policy))
    for file in (*SETTINGS, gate):
        out += ["", f"## {file.name}", "", file.about, ""]
        out += ["| setting | what it does | holds |", "|---|---|---|"]
        out += [f"| `{s.name}` | {_cell(s.meaning)} | {_cell(s.kind)} |" for s in file.settings]
    for name, family in FAMILIES.items():
        if name not in SAMPLES:
            continue
        out += ["", f"## {family.record.__name__} (`{family.folder}`)", ""]
        out += ["| field | what it means | moves |", "|---|---|---|"]
        out += [
            f"| `{f.name}` | {_cell(f.meaning)} | {', '.join(sorted(moves(name, f.name)))} |"
            for f in fields(family.record)
        ]
    return "\n".join(out) + "\n"


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


if __name__ == "__main__":
    print(reference(), end="")
