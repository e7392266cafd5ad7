"""How the modules are cut: sizes, importers, circles, folders, and names that stand for one thing.

import-linter keeps the arrows and the front doors (``make arrows``). This keeps what a count can keep. A
module is as long as its subject: above and below the usual sizes it stands in a table here, with the reason.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.parsed import nodes, parsed

REPO = Path(__file__).resolve().parents[2]
WINGS = ("metrics_core", "site_src")

LONGEST = 400
SHORTEST = 120
MOST_FILES = 15

LONG = {
    "site_src.decisions.model": "a decision as it is written, and as it is judged: one type in another",
    "site_src.pipeline": "the steps of a build, in their order, from a plan to a site",
    "metrics_core.redaction.patterns": "one rule a shape of secret, in the order in which they are named",
    "metrics_core.experiments.experiment": "what an experiment is, and how one is found: read together",
    "metrics_core.adapters.promptfoo": "one format in five forms, and what each of its versions calls things",
    "metrics_core.engine": "the steps from an experiment to its report, in their order",
    "metrics_core.measurement.estimators": "one function a kind of metric, and what all of them share",
    "metrics_core.measurement.grouping": "how runs become groups, and which runs of a grid are not there",
    "metrics_core.measurement.counterfactual": "one question for one arm and two: both share every type",
    "metrics_core.measurement.tabulate": "the one pass over all rows, and everything that is counted in it",
    "site_src.cli": "every command with its words and flags: read together",
    "site_src.commands": "one function a command, in the order of the help",
    "metrics_core.results.codes": "every reason and every method once, each with its words",
}
"""Modules of more than 400 lines, each with its reason."""

SHORT = {
    "site_src.decisions.nearness": "decisions held against one another; robustness asks of one claim",
    "metrics_core.adapters.inspect.chunked": "samples in several entries; most logs are without",
    "metrics_core.adapters.tables.oddities": "rows held against one another; reading one is without it",
    "metrics_core.adapters.tables.scales": "what numbers mean as a whole; a cell does not know it",
    "metrics_core.adapters.tables.several": "tables held against one another; reading one is without it",
    "metrics_core.contracts.cage.clock": "what a clock tells, apart from the rest of the second line",
    "metrics_core.contracts.cage.kernel": "the order in which the cage is made, and what it comes to",
    "metrics_core.contracts.cage.landlock": "one facility of the kernel a module",
    "metrics_core.contracts.cage.mounts": "one facility of the kernel a module",
    "metrics_core.contracts.installed_sources": "what is kept, and when it is believed, apart from the walk",
    "metrics_core.experiments.files.on_disk": "one kind of place a module, as in_store is",
    "metrics_core.experiments.several_experiments": "what is no one experiment, apart from discovery",
    "metrics_core.families.judges.corrected": "what a contract of its own promises, apart from the family's",
    "site_src.pages.instruments.graders": "one page of instruments a module",
    "metrics_core.families.attempts.evidence.workflow_file": "one of the rules of evidence, each a module",
    "metrics_core.measurement.columns.stamps": "the spelling of moments, many at once",
    "metrics_core.experiments.unread_files": "which files are never published: a question of its own",
    "site_src.authoring.pairs_asked_for": "what all texts ask for, before any page is planned",
    "metrics_core.redaction.plain_numbers": "what a guard turns down anyway, found many at once",
    "site_src.authoring.page_names": "how an author names a page",
    "site_src.authoring.pages": "the pages of prose, beside the reference page",
    "site_src.doctor": "what a machine lacks, which no other command looks at",
    "site_src.gating.badge": "a picture, which the lines of a gate are made without",
    "site_src.project.ci_workflows": "workflows lie outside of the content folder, where all scaffolds lie",
    "site_src.build_cache.kept_flips": "what is found of claims, apart from which pages are taken over",
    "site_src.build_cache.kept_reports": "which report is believed, apart from what a site came to",
    "site_src.comparing.inputs": "what a path names, a built site among others, apart from words",
    "site_src.comparing.plan_words": "the words of a plan, which compares nothing",
    "site_src.drawing.made_charts": "what is shipped, and when it is believed, apart from what makes it",
    "site_src.lexicon.result_forms": "patterns of English, one list a module",
    "site_src.pages.compare.by_rule": "what each rule says by itself, apart from the page that shows it",
    "site_src.pages.compare.plan": "which pages there are: every room of pages has its plan",
    "site_src.pages.editions.removed_pages": "a page of its own",
    "site_src.pages.instruments.methods": "a page of its own",
    "site_src.pages.instruments.plan": "which pages there are: every room of pages has its plan",
    "site_src.pages.instruments.source_diff": "two versions of a source, side by side: a subject of its own",
    "site_src.pages.search.page": "the page of indexes, apart from what is found",
}
"""Modules of one importer and under 120 lines, each with its reason."""

PARTS_OF_A_FAMILY = ("family", "fixtures", "grading", "metrics", "record", "review", "words")
"""A family is a folder of these, whatever their size: a reader looks for each under its name."""


@cache
def modules() -> dict[str, Path]:
    """Dotted name of each module and room -> its file."""
    found = {}
    for wing in WINGS:
        for path in sorted((REPO / wing).rglob("*.py")):
            if not {"scaffolding", "assets"} & set(path.parts):
                name = ".".join(path.relative_to(REPO).with_suffix("").parts)
                found[name.removesuffix(".__init__")] = path
    return found


@cache
def tree(name: str) -> ast.Module:
    return parsed(modules()[name].read_bytes())


def is_room(name: str) -> bool:
    return modules()[name].name == "__init__.py"


def room_of(name: str) -> str:
    return name if is_room(name) else name.rpartition(".")[0]


@cache
def reexported(room: str) -> dict[str, tuple[str, str]]:
    """Name at a front door -> the module and name that it stands for."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in nodes(tree(room))  # most stand under `if TYPE_CHECKING`
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def home(module: str, name: str) -> str | None:
    """The module that ``from module import name`` leads to, through front doors; None outside of ours."""
    if module in modules() and is_room(module) and module not in WINGS and name in reexported(module):
        there = reexported(module)[name]
        if there[0] != module:
            return home(*there)
    within = f"{module}.{name}"
    return within if within in modules() else module if module in modules() else None


@cache
def imports() -> dict[str, frozenset[str]]:
    """Module -> the modules that it imports, type-checking imports and those inside functions included."""
    return {
        name: frozenset(
            found
            for node in nodes(tree(name))
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
            if (found := home(node.module, alias.name)) not in (None, name) and not is_room(found)
        )
        for name in modules()
        if not is_room(name)
    }


def importers() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for name, imported in imports().items():
        for each in imported:
            found[each].add(name)
    return found


def lines(name: str) -> int:
    return len(modules()[name].read_text("utf-8").splitlines())


def classes() -> Iterator[tuple[str, str]]:
    """Name of each class of a module, nested and private ones left out, with the module."""
    for name in modules():
        for node in tree(name).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, name


def is_part_of_a_family(name: str) -> bool:
    parts = name.split(".")
    return parts[:2] == ["metrics_core", "families"] and len(parts) == 4 and parts[3] in PARTS_OF_A_FAMILY


def test_a_module_over_400_lines_has_a_reason() -> None:
    assert {name for name in modules() if lines(name) > LONGEST} == set(LONG)


def test_a_short_module_with_one_importer_has_a_reason() -> None:
    asked = importers()
    found = {
        name
        for name in modules()
        if not is_room(name)
        and lines(name) < SHORTEST
        and len(asked[name]) == 1
        and not is_part_of_a_family(name)
    }
    assert found == set(SHORT)


def test_no_modules_import_one_another_in_a_circle() -> None:
    try:
        TopologicalSorter(imports()).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_a_circle_is_found() -> None:
    with pytest.raises(CycleError):
        TopologicalSorter({"a": {"b"}, "b": {"a"}}).prepare()


def test_a_folder_can_be_looked_over() -> None:
    counted: dict[str, int] = defaultdict(int)
    for name in modules():
        counted[name.rpartition(".")[0]] += not is_room(name)
    assert {room: count for room, count in counted.items() if count > MOST_FILES} == {}


def test_every_room_says_in_its_front_door_what_lives_there() -> None:
    assert [name for name in modules() if is_room(name) and not ast.get_docstring(tree(name))] == []


def test_a_front_door_offers_nothing_that_nobody_uses() -> None:
    """Names that no module outside of the room imports are the room's own affair."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for name in modules():
        for node in nodes(tree(name)):
            if isinstance(node, ast.ImportFrom) and node.module in modules() and is_room(node.module):
                inside = name == node.module or name.startswith(f"{node.module}.")
                wanted[node.module] |= set() if inside else {alias.name for alias in node.names}
    idle = {
        f"{room}.{name}"
        for room in modules()
        if is_room(room) and room not in WINGS
        for name in reexported(room)
        if reexported(room)[name][0].startswith(room)
        if name not in wanted[room] and name not in ("FAMILY", "ADAPTER")
    }
    assert idle == set()


def test_a_class_name_stands_for_one_thing() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for name, module in classes():
        homes[name].append(module)
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}
