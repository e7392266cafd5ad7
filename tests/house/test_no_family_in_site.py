"""The site knows no family: no name that a family declares stands in the site's code as a string.

Names are read off the registry and off golden fixtures; a docstring may use one in its example. Names that
every family shares (`model`, `scenario`, `split`, `cost`, ...) are the core's, and no family's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from metrics_core.families import FAMILIES
from metrics_core.measurement.family import Family
from metrics_core.results.vocabulary import COMMON_KEYS, MODEL, PLAIN, SPLITS
from tests.support.parsed import nodes, parsed

REPO = Path(__file__).resolve().parents[2]
SITE = sorted((REPO / "site_src").rglob("*.py"))

CORE = {
    *(key.key for key in COMMON_KEYS),
    *(pair for level in SPLITS for pair in (level.key, level.value)),
    MODEL.key,
    "contract",
    "cost",
    "pack",
    "prices",
    "stage",
    "stamp",
}
"""Names that the core gives the results of every family, and the one metric that it makes itself."""

NOT_A_FAMILYS = {
    "assertion": ("figures/assertion_strip.py", "column of a table: the assertion's name"),
    "assertions": ("pages/results/figures.py", "part of the id of a figure, which links hold"),
    "attempts": (
        (
            "publishing/formats/exchange.py drawing/figure.py verification/ledger_update.py "
            "verification/rereading.py"
        ),
        "field of an estimate",
    ),
    "check": ("cli.py", "command"),
    "claims": (
        (
            "decisions/ publishing/downloads.py figures/__init__.py figures/claims.py pages/decisions/ "
            "authoring/directives/claims.py project/registrations.py"
        ),
        "what a decision claims",
    ),
    "cluster": ("wording/provenance.py", "what tasks that err together are, where no key names them"),
    "config": ("publishing/leaks.py", "command of git"),
    "kind": (
        (
            "decisions/ build_cache/entries.py preview/error_report.py pages/figure_collection.py "
            "pages/page.py publishing/formats/catalogue.py verification/rereading.py"
        ),
        "field of a claim or a contract, a table's head, a slot, a name in a template",
    ),
    "layer": ("drawing/chart.py", "field of a chart in Vega-Lite"),
    "measured": ("preview/project.py", "state of a project"),
    "none": ("", "nothing at all, in CSS, in English and on a command line"),
    "reference": ("references/__init__.py", "a function that spells a reference"),
    "score": (
        "publishing/formats/exchange.py figures/cost_score.py lexicon/ lint/ verification/rereading.py",
        "unit, kind of a metric, and a class of words of English",
    ),
    "scorer": ("pipeline.py", "the control of a contract's process, which the core makes"),
    "sensitivity": ("verification/ledger_update.py", "field of a comparison: its other denominators"),
    "type": ("publishing/feed.py pages/citations.py", "attribute of Atom, key of CSL-JSON"),
}
"""Whole strings that are a family's name as well: where they stand, and what they mean there."""

ENGLISH = {
    "assertion", "assertions", "attack", "attempts", "change", "check", "claims", "cluster", "condition",
    "config", "difficulty", "done", "end to end", "executed", "harness", "kind", "layer", "matrix",
    "measured", "none",
    "own", "reference", "score", "scorer", "sensitivity", "to", "tokens", "type",
}  # fmt: skip
"""Names that are words of English: one inside a sentence is no name, one that is the whole string is."""

SENTENCES = {
    "decisions/parse.py": "an example of an arm's key, for the author of a claim",
    "decisions/robustness.py": "what mends a control of the core",
    "decisions/claim_text.py": "examples of claims, for their authors",
    "figures/scatter.py": "kind of a figure, as authors write it",
    "references/query.py": "an example of a reference, for its author",
    "figures/__init__.py": "kind of a figure, as authors write it",
    "authoring/selectors.py": "an example of stratum keys, for authors",
    "lexicon/rankings.py": "words of English that rank",
    "lexicon/vocabulary.py": "words of English for what is ranked and counted",
}
"""Modules whose longer strings hold a name: examples shown to authors, and patterns of English."""


def names_of(family: Family) -> Iterator[str]:
    """Every name that a family declares: its own, of metrics, keys, levels and arms."""
    words = family.words or PLAIN
    yield family.name
    for metric in family.metrics:
        yield from (metric.name, metric.one_vs_rest, *metric.levels, *metric.compared)
        yield from (key for keys in metric.groups for key in keys)
    for level in words.strata:
        yield from (level.key, level.value.rstrip(":"))
    yield from (each.key for each in (*words.keys, *words.arms))
    for contract in (family.contract, *family.further):
        for fixture in contract.fixtures:
            for query, _ in fixture.expected:
                yield from (key for key, _ in parse_qsl(query.partition("?")[2]))


NAMES = {name for family in FAMILIES.values() for name in names_of(family)} - CORE - {""}


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of every string of a module that is no docstring."""
    tree = parsed(source)
    told = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


def found(path: str, source: str) -> list[str]:
    """Strings of a module that are a family's name, or hold one that is no word of English."""
    out = []
    for line, text in strings(source):
        if text in NAMES:
            where, _ = NOT_A_FAMILYS.get(text, ("-", ""))
            if not any(path.startswith(place) for place in where.split() or [""]):
                out.append(f"{path}:{line}: {text}")
        elif path not in SENTENCES:
            held = set(re.findall(r"\w+", text)) & (NAMES - ENGLISH)
            out += [f"{path}:{line}: {name} in {text!r}" for name in sorted(held)]
    return out


def of_site(path: Path) -> str:
    return path.relative_to(REPO / "site_src").as_posix()


def test_no_name_of_a_family_stands_in_the_sites_code() -> None:
    assert [each for path in SITE for each in found(of_site(path), path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "source",
    [
        'if e.metric == "change": pass',
        'if "regress" in metrics: pass',
        'ARMS = ("chat", "coder")',
        'x = f"{about}, beside regress"',
        'if dict(stratum).get("evaluator") == kind: pass',
        "page = f\"families/{name or 'brownfield'}.html\"",
    ],
)
def test_a_name_that_stands_there_is_found(source: str) -> None:
    assert found("views/made_up.py", source) != []


def test_names_of_every_kind_are_looked_for() -> None:
    assert {
        "brownfield",
        "change",
        "turn_index",
        "coder",
        "evaluator",
        "assertion",
        "measured",
        "l2",
    } <= NAMES


def test_every_exception_is_one() -> None:
    """An exception that nothing needs any more would hide the next name."""
    code = {of_site(path): list(strings(path.read_text("utf-8"))) for path in SITE}
    for name, (where, why) in NOT_A_FAMILYS.items():
        assert why
        for place in where.split():
            told = [text for path, found in code.items() if path.startswith(place) for _, text in found]
            assert name in told, f"{name} is not in {place}"
    for path in SENTENCES:
        held = {word for _, text in code[path] for word in re.findall(r"\w+", text)}
        assert held & (NAMES - ENGLISH), path
