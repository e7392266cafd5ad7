"""Golden fixtures guard every metric: each stock mutation of a family's grading fails one of its fixtures."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from metrics_core.contracts import Contract
from metrics_core.families import FAMILIES
from metrics_core.measurement import Family, Metric, Outcome
from metrics_core.measurement.fixtures import check_fixtures
from tests.support.by_day import by_day, one_in
from tests.support.stock_mutations import COUNTED, DECLARED, imported, mutants

GRADING = {
    "brownfield": ("grading", "metrics", "family"),
    "matrix": ("grading", "metrics", "family"),
    "layered": ("attribution", "grading", "metrics", "family"),
    "traces": ("recorded_score", "quantities", "grading", "metrics", "family"),
    "judges": ("grading", "held_against_raters", "metrics", "family"),
    "attempts": ("evidence.admission", "evidence", "evaluator", "grading", "metrics", "family"),
}
"""Family -> modules of its folder that can move a number of it, each before those that import it."""

LEFT_ALONE = {
    "findings_of": "contradictions in words",
    "_findings": "contradictions in words",
    "contradicted_totals": "contradictions in words",
    "controls": "controls have tests of their own",
    "_against": "controls have tests of their own",
    "constant_judge": "controls have tests of their own",
    "_check": "controls have tests of their own",
    "why": "reasons in words",
    "contradicted": "controls have tests of their own",
    "tallied_of": "controls have tests of their own",
    "_established": "controls have tests of their own",
    "names_of": "no fixture has settings that name anything",
    "notes": "no fixture has settings that state a scale",
    "notes_of": "no fixture has settings that map a check",
    "planned": "no fixture has a pack",
    "contract_for": "no fixture has a user's contract",
    "scores_of": "no fixture has a user's contract",
    "change_comes_to": "which records are of one kind: a law holds each record against it, test_columns.py",
    "regress_comes_to": "which records are of one kind: a law holds each record against it, test_columns.py",
}
"""Functions in which no mutant is made, and why no fixture of the family can see them."""

OUT_OF_REACH = Path(__file__).with_name("fixtures_out_of_reach.toml")
"""Family -> reason -> mutants that no fixture can fail under, because they move no figure."""

ONE_IN = 8
"""Of how many mutants one is tried by day."""


def _one_by_one(contracts: Sequence[Contract], first: str) -> Iterator[tuple[int, Contract]]:
    """Each contract's place with one fixture at a time, the one that failed last before the others."""
    each = [(at, replace(c, fixtures=(f,))) for at, c in enumerate(contracts) for f in c.fixtures]
    return iter(sorted(each, key=lambda one: one[1].fixtures[0].name != first))


def _failing(family: Family, first: str) -> str:
    """The name of a fixture that a family does not hold; empty where it holds them all."""
    for _, one in _one_by_one((family.contract, *family.further), first):
        try:
            check_fixtures(family, one)
        except Exception:  # noqa: BLE001 - a mutant may fail in any way: nothing is measured with it
            return one.fixtures[0].name
    return ""


def survivors(name: str) -> Iterator[str]:
    """Labels of the mutants of a family that are tried and hold every golden fixture."""
    modules, last = [f"metrics_core.families.{name}.{module}" for module in GRADING[name]], ""
    for dotted in modules:
        path = Path(str(importlib.import_module(dotted).__file__))
        for mutant in mutants(path, without=LEFT_ALONE, tried=lambda label: by_day(label, ONE_IN)):
            failing = "it is not imported"
            with suppress(Exception), imported(modules, dotted, mutant.code) as changed:
                failing = _failing(changed.FAMILY, last)
            last = failing or last
            if not failing:
                yield mutant.label


@one_in(3)
@pytest.mark.parametrize("name", FAMILIES)
def test_a_fixture_fails_under_each_stock_mutation(name: str) -> None:
    listed = tomllib.loads(OUT_OF_REACH.read_text(encoding="utf-8"))[name]
    out_of_reach = [label for labels in listed.values() for label in labels if by_day(label, ONE_IN)]
    assert sorted(survivors(name)) == sorted(out_of_reach)


def test_the_stock_mutations_speak_of_what_families_declare() -> None:
    assert set(DECLARED) <= set(Metric.__struct_fields__)
    assert Outcome.__name__ in COUNTED
