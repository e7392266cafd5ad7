"""No setting and no record field is read and ignored: each moves something, and the reference says what."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.engine import reviews
from metrics_core.errors import AssayError
from metrics_core.experiments.settings import Settings, Source
from metrics_core.families import FAMILIES
from tests.support import field_effects
from tests.support.by_day import by_day, one_in
from tests.support.field_effects import ATTEMPT, RUN, SAMPLES, TRACE, TURN

PRICES = """\
fetched: {0}
currency: USD
per: 1000
models: {{alpha: {{input: {1}, output: 2, cached: 0.5}}}}
"""
CONTRACT = """\
CONTRACT_ID = "plain/v{0}-tests"


def score_trace(trace):
    return float(trace.get("exit_code") == 0) / {0}


FIXTURES = [({{"exit_code": 0}}, 1.0 / {0}), ({{}}, 0.0)]
"""


def log(*records: Mapping[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


WHOLE = {**RUN, "regress_misses": None, "regress": None}
RUNS = {"logs_big/a.jsonl": log(*({**WHOLE, "id": f"B{n}"} for n in range(9)))}
PAIRED = {
    "logs_big/a.jsonl": log(
        *(
            {**WHOLE, "id": f"B{n}", "rep": 0, "model": model, "change": None,
             "change_detail": [["a", model == "beta" or n % 3 > 0]]}
            for n in range(24)
            for model in ("alpha", "beta")
        )
    )
}  # fmt: skip
UNNAMED = {k: v for k, v in ATTEMPT.items() if k not in ("model", "agent", "evaluators", "evaluations")}
TAU = [
    {"task_id": n, "reward": float(n % 2), "info": {}, "traj": [{"role": "user", "content": "x"}], "trial": 0}
    for n in range(3)
]

ONE_IN = 4
"""Of so many fields of a record, one is tried by day."""

SETTINGS: dict[str, tuple[str, Mapping[str, str]]] = {
    "title": ("title: Halden", RUNS),
    "description": ("description: The July suite.", RUNS),
    "models": ("models: {alpha: The first}", RUNS),
    "names": ("names: {B1: The till}", RUNS),
    "workflows": ("workflows: {review: beta}", {"attempts/a.jsonl": log(UNNAMED)}),
    "cluster": ("cluster: kind", RUNS),
    "prices": (
        "prices: 2026-06-01",
        {
            **RUNS,
            "pricing/a.yaml": PRICES.format("2026-07-01", 1),
            "pricing/b.yaml": PRICES.format("2026-06-01", 9),
        },
    ),
    "gates": ("gates: {sanity: required}", RUNS),
    "contracts": (
        "contracts: [{file: a.py}, {file: b.py, from: 2026-07-01}]",
        {
            "traces/a.jsonl": log(*({**TRACE, "task_id": f"t{n}"} for n in range(9))),
            "contracts/a.py": CONTRACT.format(1),
            "contracts/b.py": CONTRACT.format(2),
        },
    ),
    "evaluators": ("evaluators: {s1: assertion}", {"attempts/a.jsonl": log(UNNAMED)}),
    "separation": ("separation: paired", PAIRED),
    "headline": ("headline: done", RUNS),
    "check_classes": ("check_classes: {exec_assert: by hand}", {"logs/a__b.jsonl": log(TURN)}),
    "source": ("source: {format: tau-bench, path: out}", {"out/a.json": json.dumps(TAU), **RUNS}),
    "scale": ("scale: {reward: [0, 2]}", {"out/a.json": json.dumps(TAU)}),
    "labelled": (
        "labelled: random",
        {
            "judge-labels.jsonl": log(
                *({"item": f"i{n}", "rater": "judge", "verdict": ("pass", "fail")[n % 2]} for n in range(20)),
                *(
                    {"item": f"i{n}", "rater": "human:a", "verdict": ("pass", "fail")[n % 2]}
                    for n in range(9)
                ),
            )
        },
    ),
    "grader_version": ("grader_version: 2", {"logs/a__b.jsonl": log({**TURN, "grader_version": None})}),
}


TABLE = "item,when,was_right\n" + "".join(f't{n},"{n % 2},0",yes\n' for n in range(9))
SOURCE: dict[str, tuple[str, str, Mapping[str, str]]] = {
    "format": ("source: {format: tau-bench}", "", {"out/a.json": json.dumps(TAU), **RUNS}),
    "path": (
        "source: {format: tau-bench, path: a}",
        "source: {format: tau-bench, path: b}",
        {"a/gpt-4o.json": json.dumps(TAU), "b/other.json": json.dumps(TAU)},
    ),
    "map": (
        "source: {format: table, map: {outcome: was_right}}",
        "source: {format: table, map: {outcome: was_right, arm: item}}",
        {"a.csv": TABLE},
    ),
    "decimal_comma": (
        "source: {format: table, map: {outcome: when}}",
        "source: {format: table, map: {outcome: when}, decimal_comma: true}",
        {"a.csv": TABLE},
    ),
    "words": (
        "source: {format: table, map: {outcome: was_right}, words: {maybe: 1}}",
        "source: {format: table, map: {outcome: was_right}, words: {maybe: 0}}",
        {"a.csv": TABLE.replace("yes", "maybe")},
    ),
}


def told(root: Path, files: Mapping[str, str], settings: str) -> tuple[Any, ...]:
    """All that an experiment comes to: its name, its report, the pages of its runs."""
    for path, text in {**files, "experiment.yaml": settings}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    found = mc.load(root)
    report = mc.compute(found)
    shown = [replace(review, record=None) for review in reviews(found)]
    plain = json.dumps(report.to_json(), default=str, sort_keys=True)
    for digest in (report.data_digest, report.source_digest):
        plain = plain.replace(digest, "")
    return found.title, found.description, report.headline, plain, shown


@one_in(4)
@pytest.mark.parametrize("setting", SETTINGS)
def test_each_setting_moves_something(tmp_path: Path, setting: str) -> None:
    text, files = SETTINGS[setting]
    plain = told(tmp_path / "1" / "e", files, "")
    assert told(tmp_path / "2" / "e", files, text) != plain


@pytest.mark.parametrize("setting", SOURCE)
def test_each_part_of_a_source_moves_something(tmp_path: Path, setting: str) -> None:
    one, other, files = SOURCE[setting]
    assert told(tmp_path / "1" / "e", files, one) != told(tmp_path / "2" / "e", files, other)


def test_a_setting_without_an_effect_would_be_seen(tmp_path: Path) -> None:
    assert told(tmp_path / "1" / "e", RUNS, "") == told(tmp_path / "2" / "e", RUNS, "# nothing")
    with pytest.raises(AssayError):
        told(tmp_path / "3" / "e", RUNS, "colour: red")


def test_every_setting_is_tried() -> None:
    assert set(SETTINGS) == set(Settings.__struct_fields__)
    assert set(SOURCE) == set(Source.__struct_fields__)
    assert set(SAMPLES) == set(FAMILIES)


@one_in(3)
@pytest.mark.parametrize("family", SAMPLES)
def test_each_field_moves_something(family: str) -> None:
    tried = [field for field in field_effects.paths(family) if by_day(f"{family} {field}", ONE_IN)]
    assert [field for field in tried if not field_effects.moved(family, field)] == []


def test_the_reference_is_up_to_date(repo: Path) -> None:
    """``python -m tests.support.field_effects > docs/reference.md`` writes it anew."""
    written = (repo / "docs" / "reference.md").read_text("utf-8")
    of_family = {
        name: written.partition(f"\n## {family.record.__name__} (")[2].partition("\n## ")[0]
        for name, family in FAMILIES.items()
    }

    def moves(family: str, field: str) -> Iterable[str]:
        """What it moves, found anew for the fields that are tried; as it is written for the others."""
        if by_day(f"{family} {field}", ONE_IN):
            return field_effects.moved(family, field)
        (row,) = [row for row in of_family[family].splitlines() if row.startswith(f"| `{field}` |")]
        return filter(None, row.removesuffix(" |").rpartition("| ")[2].split(", "))

    assert written == field_effects.reference(moves)


def test_the_reference_is_reachable(repo: Path) -> None:
    assert "docs/reference.md" in (repo / "README.md").read_text("utf-8")
