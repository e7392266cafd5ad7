"""No state out of sight: nothing that a reader of a function's arguments could not see changes its answer.

What can be seen in the syntax is held here: a module's own containers are never written to, no function
writes to a module's names, and a frozen class has no field that others could write to. What is kept is
kept by an object that its owner makes and hands in, such as a `metrics_core.memo.Memo`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.parsed import nodes, parsed

REPO = Path(__file__).resolve().parents[2]

CONTAINERS = {"list", "dict", "set", "bytearray", "Counter", "OrderedDict", "defaultdict", "deque", "Memo"}
DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
WRITERS = {
    "add", "append", "clear", "discard", "extend", "insert", "move_to_end", "pop", "popitem", "popleft",
    "remove", "reverse", "setdefault", "sort", "update",
}  # fmt: skip

WRITTEN = {
    (
        "metrics_core/contracts/scorer.py",
        "_running",
    ): "processes that run contracts belong to this process, which ends"
    " them when it ends, whoever asked for them",
    (
        "site_src/preview/measurements.py",
        "MEMO",
    ): "a worker is a process, and has no other place for its memo",
}
"""(module, name) -> why a module's own container is written to all the same."""

HELD = {
    "metrics_core/contracts/fixture.py Fixture.records": "records as JSON has them, for a family to decode",
    "metrics_core/statistics/bootstrap/resampled.py Place.twister": "numpy's own state of its generator",
    "metrics_core/results/report.py Report.score_reports": "a file of the report, as JSON has it",
    "metrics_core/formats/eval_archive.py ZipEntries.entries": "an open archive's own index",
    "site_src/decisions/parse.py DecisionFront.deciders": "decoded by msgspec",
    "site_src/editions/edition.py EstimateRow.group": "decoded by msgspec",
    "site_src/editions/edition.py EstimateRow.stratum": "decoded by msgspec",
    "site_src/project/site_model.py SiteExperiment._made": "what pure functions made of its own report",
    "site_src/publishing/raw_data.py LaidOut.report": "a report as JSON has it",
    "site_src/drawing/chart.py Chart.compiled": "a specification as JSON has it",
    "site_src/drawing/chart.py Chart.specification": "a specification as JSON has it",
    "site_src/drawing/made_charts.py MadeCharts.compiled": "specifications as JSON has them",
    "site_src/drawing/made_charts.py MadeCharts.every_layer": "a specification as JSON has it",
    "site_src/drawing/made_charts.py MadeCharts.in_words": "specifications as JSON has them",
    "site_src/drawing/made_charts.py MadeCharts.layers": "decoded by msgspec",
    "site_src/drawing/figure.py Figure.spec": "a specification as JSON has it",
}
"""Fields of frozen classes that hold a container: why. Records are decoded by msgspec, and are not listed."""

RECORDS = ("metrics_core/families/", "/record.py ")

CACHED = {
    "metrics_core/redaction/gitleaks.py": "rules as installed, which do not change under a running program",
    "metrics_core/look_alikes.py": "letters as installed, which do not change under a running program",
    "metrics_core/redaction/needles.py": "where a needle is rarest: a pure function of it",
    "metrics_core/redaction/rule.py": "a pattern, compiled: a pure function of its source",
    "metrics_core/redaction/decoded_view.py": "what an escape stands for: a pure function of it",
    "metrics_core/redaction/redactor.py": "the rules of a builder: a pure function of whose machine it is",
    "metrics_core/contracts/closure.py": "one walk over sources, each read once: forgotten with the walk",
    "metrics_core/contracts/installed_sources.py": "sources as installed, which do not change meanwhile",
    "metrics_core/contracts/contract.py": "digests of sources as installed",
    "metrics_core/execution/cluster.py": "the program as installed, which does not change while it runs",
    "metrics_core/engine.py": "what an instrument as installed gave on its golden fixtures",
    "metrics_core/front_door.py": "where the names of a front door live, as installed",
    "metrics_core/results/estimate.py": "the spelling of an id: a pure function of texts",
    "metrics_core/families/attempts/evidence/workflow_file.py": "a workflow, decoded: pure",
    "site_src/build_cache/report_bytes.py": "classes of the core by name, as installed",
    "site_src/build_cache/inputs.py": "the program as installed, which does not change while it runs",
    "metrics_core/statistics/bootstrap/exact.py": "the fraction nearest to a number, limits of draws: pure",
    "metrics_core/statistics/distributions.py": "a pure function of three numbers",
    "metrics_core/statistics/proportions.py": "a pure function of two whole numbers",
    "metrics_core/statistics/smallest_difference.py": "a pure function of two whole numbers",
    "metrics_core/formats/decoding.py": "what a type is made of: a pure function of it",
    "metrics_core/formats/fields.py": "what a record type declares",
    "metrics_core/formats/unknown_fields.py": "what a record type declares",
    "site_src/decisions/judge.py": "one claim's own answer, kept by the claim that was judged",
    "site_src/drawing/made_charts.py": "what is shipped, as installed",
    "site_src/verification/second_reading/distributions.py": "a pure function of one or two whole numbers",
    "site_src/drawing/chart.py": "one compiled chart a kind of figure",
    "site_src/marks/patterns.py": "the lines of a hatch: a pure function of its size",
    "site_src/marks/swatch.py": "the drawing of a state: a pure function of it",
    "site_src/marks/identicons.py": "the drawing of a digest: a pure function of it",
    "site_src/publishing/leaks.py": "lines in which a redactor finds nothing: a pure function of both",
    "site_src/project/markdown.py": "one parser, which keeps nothing of what it parses",
    "site_src/pages/render.py": "one environment of templates as installed",
    "site_src/project/content.py": "a page's text, taken apart: a pure function of it",
    "site_src/project/sources.py": "settings and a price table, decoded: pure functions of their bytes",
    "site_src/editions/store.py": "an edition, decoded: a pure function of its bytes",
    "metrics_core/contracts/lockfile.py": "a ledger, decoded: a pure function of its bytes",
    "site_src/pages/site_state.py": "a decision's text, decoded: a pure function of it",
    "site_src/drawing/text_metrics.py": "the width of a text: a pure function of it",
    "site_src/lint/sentences.py": "a pure function of a text",
}
"""Module -> why `functools.cache` or `lru_cache` may stand in it."""


def containers(tree: ast.Module) -> set[str]:
    """Names of a module that are bound to a container which could be written to."""
    found = set()
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        if isinstance(value, DISPLAYS) or (isinstance(value, ast.Call) and called(value) in CONTAINERS):
            found.add(name)
    return found


def called(node: ast.Call) -> str:
    """What is called, without its type arguments: ``dict[str, int]()`` calls dict."""
    function = node.func.value if isinstance(node.func, ast.Subscript) else node.func
    return function.id if isinstance(function, ast.Name) else ""


def written(source: str) -> set[str]:
    """Names of a module's own containers that are written to, and names that functions bind anew."""
    tree = parsed(source)
    own = containers(tree)
    found: set[str] = set()
    for node in nodes(tree):
        match node:
            case ast.Global(names=names):
                found.update(names)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in WRITERS:
                found.update({name} & own)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                found.update({name} & own)
            case ast.AugAssign(target=ast.Name(id=name)):
                found.update({name} & own)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if called(call) == "Memo":
                found.update({name} & own)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Call() as call) if called(call) == "Memo":
                found.update({name} & own)
    return found


def held(source: str) -> Iterator[str]:
    """``Class.field`` for each field of a frozen class whose type is a container that can be written to."""
    for node in nodes(parsed(source)):
        if isinstance(node, ast.ClassDef) and frozen(node):
            for field in node.body:
                match field:
                    case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if mutable(kind):
                        yield f"{node.name}.{name}"


def frozen(node: ast.ClassDef) -> bool:
    """Whether a class is a frozen struct."""
    return any(k.arg == "frozen" and ast.unparse(k.value) == "True" for k in node.keywords)


def thawed(source: str) -> set[str]:
    """Functions, but for a class's own ``__post_init__``, that set fields of what is frozen."""
    if "setattr" not in source:
        return set()
    return {
        function.name
        for function in nodes(parsed(source))
        if isinstance(function, ast.FunctionDef) and function.name != "__post_init__"
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith(("object.__setattr__", "force_setattr"))
    }


def mutable(kind: ast.expr) -> bool:
    """Whether a type names a container, outside the arguments of a function's type."""
    if isinstance(kind, ast.Subscript) and isinstance(kind.value, ast.Name) and kind.value.id == "Callable":
        return False
    return bool(re.search(rf"\b(?:{'|'.join(sorted(CONTAINERS - {'Memo'}))})\b(?!\w)", ast.unparse(kind)))


def modules() -> Iterator[tuple[str, str]]:
    """Path and source of each module of the two packages."""
    for package in ("metrics_core", "site_src"):
        for path in sorted((REPO / package).rglob("*.py")):
            yield path.relative_to(REPO).as_posix(), path.read_text("utf-8")


@pytest.mark.parametrize(
    "source, names",
    [
        ("A = []\ndef f(): A.append(1)", {"A"}),
        ("A: dict[str, int] = {}\ndef f(): A['x'] = 1", {"A"}),
        ("A = {}\ndef f(): del A['x']", {"A"}),
        ("A = OrderedDict[str, int]()\ndef f(): A.popitem()", {"A"}),
        ("A = 1\ndef f():\n    global A\n    A = 2", {"A"}),
        ("A: Final = Memo()", {"A"}),
        ("A = {'x': 1}\ndef f(): return A['x'], A.get('y')", set()),
        ("A = ()\ndef f():\n    a = []\n    a.append(1)", set()),
    ],
)
def test_the_search_for_written_containers_finds_them(source: str, names: set[str]) -> None:
    assert written(source) == names


@pytest.mark.parametrize(
    "source, names",
    [
        ("class A(Struct, frozen=True):\n    b: list[int]", ["A.b"]),
        ("class A(Struct, frozen=True):\n    b: dict[str, int] | None = None", ["A.b"]),
        ("class A(Struct, frozen=True):\n    b: tuple[set[int], ...]", ["A.b"]),
        ("class A(Struct, frozen=True):\n    b: Mapping[str, int]", []),
        ("class A(Struct, frozen=True):\n    b: Callable[[], dict[str, int]]", []),
        ("class A(Struct):\n    b: list[int]", []),
        ("class A(Struct, frozen=True):\n    b: frozenset[int]", []),
    ],
)
def test_the_search_for_frozen_classes_that_are_not_finds_them(source: str, names: list[str]) -> None:
    assert list(held(source)) == names


def test_no_module_writes_to_a_container_of_its_own() -> None:
    assert {(path, name) for path, source in modules() for name in written(source)} == set(WRITTEN)


def test_no_frozen_class_holds_what_others_could_write_to() -> None:
    found = {f"{path} {name}" for path, source in modules() for name in held(source)}
    assert {name for name in found if not (name.startswith(RECORDS[0]) and RECORDS[1] in name)} == set(HELD)


def test_every_value_is_a_struct() -> None:
    """But for those of the second reading, which takes the standard library alone."""
    plain = {
        path
        for path, source in modules()
        if re.search(r"^\s*(from|import) dataclasses\b", source, re.MULTILINE)
    }
    assert {path for path in plain if not path.startswith("site_src/verification/second_reading/")} == set()
    assert plain  # the search finds them


def test_nothing_frozen_is_thawed() -> None:
    assert thawed("class A:\n    def data(self): object.__setattr__(self, 'x', 1)") == {"data"}
    assert thawed("class A:\n    def data(self): force_setattr(self, 'x', 1)") == {"data"}
    assert {path: found for path, source in modules() if (found := thawed(source))} == {}


def test_functions_are_cached_only_where_there_is_a_reason() -> None:
    cached = re.compile(r"^\s*@(?:functools\.)?(?:lru_)?cache\b|\b(?:lru_)?cache\(", re.MULTILINE)
    assert {path for path, source in modules() if cached.search(source)} == set(CACHED)
