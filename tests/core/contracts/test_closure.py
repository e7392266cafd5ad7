"""The source closure of a built-in instrument: what is in it, what is not, and that nothing escapes it."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import metrics_core
from metrics_core.adapters import ADAPTERS
from metrics_core.contracts.closure import (
    closure,
    imports,
    parsed,
    parsed_to_last_import,
)
from metrics_core.contracts.contract import MEASURING, WITHOUT_NUMBERS, Contract
from metrics_core.contracts.fixture import Fixture
from metrics_core.contracts.installed_sources import InstalledSources, source_closure
from metrics_core.errors import ContractError
from metrics_core.families import FAMILIES
from metrics_core.measurement.family import Family
from tests.support.by_day import by_day, one_in

# Which functions run where an experiment is measured, and the closure of each contract that measures it.
RAN = """
import cProfile, json, sys
from metrics_core import api, engine
experiment = api.load(sys.argv[1])
api.formats()  # every adapter is loaded, which is no part of measuring
profile = cProfile.Profile(builtins=False)
profile.enable()
try:
    report = engine.compute(experiment, family=sys.argv[2])
finally:
    profile.disable()
ran = {entry.code for entry in profile.getstats() if getattr(entry.code, "co_name", "<module>") != "<module>"}
files = {code.co_filename.replace("\\\\", "/").partition("/metrics_core/")[2] for code in ran} - {""}
families = [f for f in engine.families_of(experiment) if f.name == sys.argv[2]]
contracts = [c for f in families for c in (f.contract, *f.further)]
print(json.dumps({
    "ran": sorted(f"metrics_core/{file}" for file in files),
    "closures": [sorted(contract.files()) for contract in contracts],
    "estimates": len(report.estimates),
}))
"""

EXPERIMENTS = {
    "attempts": "gh-2026",
    "brownfield": "brownfield-2026-07b",
    "layered": "layered-2026-07",
    "matrix": "pairs-2026-07",
    "traces": "patches-2026",
    "judges": "answers-2026",
}
"""Family -> an experiment of the shipped example that it measures."""

RUNS_OUTSIDE = {
    "metrics_core/engine.py": "the order of the steps",
    "metrics_core/counting.py": "which partitions there are; what is counted in one, tabulate says",
    "metrics_core/execution/": "where partitions are counted; what is counted in one, tabulate says",
    "metrics_core/experiments/": "finds files and hands on their bytes, which the data digest names; reads "
    "settings and prices, which are published beside the numbers",
    "metrics_core/measurement/partitions.py": "hands on the bytes of files, cut into what is held at once",
    "metrics_core/families/FAMILY/family.py": "names the functions that are part of the contract; controls",
    "metrics_core/front_door.py": "loads the module of a name",
    "metrics_core/registry.py": "the same, of what lies in a folder",
    "metrics_core/memo.py": "gives a result of the closure again for the same arguments",
    "metrics_core/measurement/gating.py": "decides whether a number is shown, not what it is",
    "metrics_core/contracts/controls.py": "decides whether a number is shown, not what it is",
    "metrics_core/contracts/recorded_controls.py": "the same; part of layered, whose grading asks for one",
    "metrics_core/results/control.py": "what a control found",
    "metrics_core/contracts/pack.py": "the tasks as values; the pack's digest stands beside every number",
    "metrics_core/contracts/contract.py": "names the instrument behind a number",
    "metrics_core/contracts/closure.py": "digests the instrument behind a number",
    "metrics_core/contracts/installed_sources.py": "the same",
    "metrics_core/contracts/lockfile.py": "lists the instruments behind a report",
    "metrics_core/digest.py": "digests; part of those whose grading asks for one",
    "metrics_core/contracts/fixture.py": "stops a measurement whose instrument is not the one it was",
    "metrics_core/measurement/fixtures.py": "the same",
    "metrics_core/measurement/score_report.py": "an export of numbers that are made",
    "metrics_core/formats/strict_json.py": "reads recorded controls",
    "metrics_core/formats/unknown_fields.py": "names the fields that nothing reads",
    "metrics_core/text.py": "spells invisible characters in messages",
    "metrics_core/look_alikes.py": "tells names that look alike, and changes none",
    "metrics_core/results/selection.py": "holds the settings of first lines against what was measured",
    "metrics_core/errors.py": "what is raised ends a computation",
}
"""File or folder outside a closure whose functions run where numbers are made -> why it may be."""

COMMON = (
    *(
        "formats/decompression",
        "formats/eval_archive",
        "formats/jsonl",
        "formats/json_errors",
        "formats/parquet/footer",
        "formats/parquet/lines",
    ),  # bytes to lines
    *("redaction/redactor", "redaction/rule", "redaction/patterns", "redaction/key_values"),  # what is taken
    *("redaction/gitleaks", "redaction/builder", "redaction/needles"),  # out of a line
    *("redaction/decoded_view", "redaction/encoded_runs", "redaction/plain_numbers"),
    *("formats/fields", "formats/timestamps"),  # ranges that a record keeps, days that it is counted under
    *("pricing", "measurement/costs"),  # money
    *("measurement/family", "measurement/tabulate", "measurement/grouping"),  # which runs are counted where
    *(
        "measurement/estimators",
        "measurement/kinds/repeated_tasks",
        "measurement/kinds/judged",
        "statistics/agreement/judges",
        "statistics/agreement/labels",
        "measurement/finalise",
    ),  # values and intervals
    "experiments/cluster_keys",  # which runs err together
    "experiments/conflicts",  # beside them: one try with two outcomes
    *(
        "measurement/comparisons/pairs_of_arms",
        "measurement/comparisons/differences",
        "measurement/funnels",
        "measurement/timelines",
    ),
    *(
        "statistics/bootstrap/resampled",
        "statistics/bootstrap/exact",
        "statistics/bounds",
        "statistics/clustered",
    ),
    *(
        "statistics/differences",
        "statistics/distributions",
        "statistics/exact_limits",
        "statistics/exact_tests",
        "statistics/t_table",
    ),
    *(
        "statistics/frequencies",
        "statistics/order_statistics",
        "statistics/pass_at_k",
        "statistics/proportions",
        "statistics/separation",
        "statistics/smallest_difference",
    ),
    *(
        "results/codes",
        "results/keys",
        "results/interval",
        "results/estimate",
        "results/comparison",
        "results/separation",
    ),  # published
    *("results/shapes", "results/pooling", "results/problem"),
)
"""Modules of every contract: each stands between the bytes of a record and a published number."""

OWN = {"attempts": 13, "brownfield": 13, "layered": 7, "matrix": 3, "traces": 17, "judges": 5}
"""Family -> how many modules its contracts have beside those: its own, and what its grading needs."""

ADAPTED = 16
"""Modules at most that an adapter adds: its own, the type of adapters, and what reads JSON, or tables."""

LEFT_OUT = (
    *(
        "review",
        "words",
        "memo",
        "report",
        "notebook",
        "vocabulary",
        "registry",
        "lockfile",
        "fixtures",
        "family",
    ),
    *(
        "errors",
        "text",
        "settings",
        "engine",
        "gating",
        "review_parts",
        "suggestions",
        "selection",
        "contract",
    ),
    *(
        "closure",
        "controls",
        "pack",
        "user_contract",
        "unknown_fields",
        "strict_yaml",
        "decoding",
        "price_tables",
    ),
)
"""Names of modules that no contract holds, wherever they lie; `measurement/family` is another thing."""


def test_imports_are_followed_wherever_they_stand() -> None:
    tree = {
        "p/__init__.py": b"",
        "p/a.py": b"import p.b\ndef f():\n    from p.c import x\n    class K:\n        import p.d as d\n",
        "p/b.py": b"try:\n    from p import e\nexcept ImportError:\n    e = None\n",
        "p/c.py": b"x = 1",
        "p/d.py": b"",
        "p/e.py": b"import json, numpy, other.thing",
        "p/unused.py": b"",
    }
    assert closure("p.a", tree.get) == {f"p/{n}.py": tree[f"p/{n}.py"] for n in "abcde"}


def test_imports_that_never_run_are_left_out() -> None:
    tree = {
        "p/__init__.py": b"",
        "p/a.py": b"import typing\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import p.b\n"
        b"else:\n    import p.c\nif typing.TYPE_CHECKING:\n    import p.b\n"
        b"if __name__ == '__main__':\n    import p.b\n",
        "p/b.py": b"",
        "p/c.py": b"",
    }
    assert list(closure("p.a", tree.get)) == ["p/a.py", "p/c.py"]


def test_a_condition_that_may_hold_is_followed() -> None:
    tree = {
        "p/a.py": b"if TYPE_CHECKING or x:\n    import p.b\nif not TYPE_CHECKING:\n    import p.c",
        "p/b.py": b"",
        "p/c.py": b"",
    }
    assert list(closure("p.a", tree.get)) == ["p/a.py", "p/b.py", "p/c.py"]


def test_a_package_that_only_reexports_leads_to_the_module_that_defines_the_name() -> None:
    tree = {
        "p/__init__.py": b'"""Doc."""\nfrom p.sub import one, two as second\n__all__ = ["one", "second"]\n',
        "p/sub/__init__.py": b"from p.sub.x import one\nfrom p.sub.y import two\n",
        "p/sub/x.py": b"one = 1",
        "p/sub/y.py": b"two = 2",
        "p/a.py": b"from p import second",
    }
    assert list(closure("p.a", tree.get)) == ["p/a.py", "p/sub/y.py"]


@pytest.mark.parametrize(
    "init",
    [
        b"x = compute()",
        b"def f(): ...",
        b"import p.b\np.b.SEED = 3",
        b"for x in y: pass",
    ],
)
def test_a_package_that_computes_is_part_of_what_is_in_it(init: bytes) -> None:
    tree = {"p/__init__.py": init, "p/b.py": b"", "p/sub/__init__.py": b"", "p/sub/a.py": b""}
    assert "p/__init__.py" in closure("p.sub.a", tree.get)


def test_relative_imports_are_resolved() -> None:
    tree = {
        "p/__init__.py": b"",
        "p/s/__init__.py": b"",
        "p/s/a.py": b"from . import b\nfrom ..c import x",
        "p/s/b.py": b"",
        "p/c.py": b"x = 1",
    }
    assert list(closure("p.s.a", tree.get)) == ["p/c.py", "p/s/a.py", "p/s/b.py"]


HOSTILE = (
    b"import a\n",
    b"x = 1\n",
    b'"""\nimport a\n\nwords at the margin\n"""\nimport b\nx = 1\n',
    b'import a\ntext = """\nimport b\nwords\n"""\nclass C:\n    pass\n',
    b"import a\nx = (\n1, # import\ny)\nz = 1\n",
    b"try:\n    import a\nexcept ImportError:\n    a = None\nx = 1\n",
    b"if TYPE_CHECKING:\n    import a\nelse:\n    b = 1\nx = 1\n",
    b"if x:\n    pass\nelif y:\n    import a\nelse:\n    pass\n",
    b"def f():\n    import a\n\n@f\ndef g():\n    return 1\n",
    b"import a; x = 1\nfrom b import c, \\\n    d\ne = 1\n",
    b"# coding: latin-1\nimport a\nx = 1\n",
    b"\xef\xbb\xbfimport a\nx = 1\n",
    b"import a\r\nx = 1\rimport b\r\ny = 1\n",
    b"import a\n\x0cimport b\nx = 1\n",
    b"x = 'import a' \\\n'more'\nimport b\ny = 1",
)


def test_the_head_of_a_module_holds_all_its_imports(repo: Path) -> None:
    sources = [*HOSTILE, *(path.read_bytes() for path in sorted(repo.glob("metrics_core/**/*.py")))]
    assert len(sources) > 200
    for source in sources:
        whole, head = parsed(source, where="m.py"), parsed_to_last_import(source, where="m.py")
        for door in (False, True):
            found, expected = (
                imports(tree, module="m.n", is_package=False, where="m.py", on_demand=door)
                for tree in (head, whole)
            )
            assert found == expected, source[:200]


def test_circles_end() -> None:
    tree = {"p/a.py": b"import p.b", "p/b.py": b"import p.a"}
    assert list(closure("p.a", tree.get)) == ["p/a.py", "p/b.py"]


@pytest.mark.parametrize(
    ("tree", "problem"),
    [
        ({}, "p.a: no source of that name"),
        ({"p/a.py": b"import p.gone"}, "p.gone: no source of that name"),
        ({"p/a.py": b"x = ("}, r"p/a.py:1: not valid Python"),
        ({"p/a.py": b"from ... import x"}, "p/a.py:1: a relative import that leads out of its package"),
    ],
)
def test_a_closure_that_cannot_be_known_is_an_error(tree: dict[str, bytes], problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        closure("p.a", tree.get)


def test_modules_that_are_named_are_left_out_with_what_they_alone_reach() -> None:
    tree = {"p/a.py": b"import p.b, p.c", "p/b.py": b"import p.d", "p/c.py": b"", "p/d.py": b""}
    assert list(closure("p.a", tree.get, frozenset({"p.b"}))) == ["p/a.py", "p/c.py"]


def contracts_of(family: Family) -> tuple[Contract, ...]:
    """Its own contract, further ones, and its own through each adapter that makes its records."""
    adapters = [adapter for adapter in ADAPTERS.values() if adapter.family == family.name]
    return (family.contract, *family.further, *(family.contract.through(adapter) for adapter in adapters))


def test_every_contract_holds_what_is_common_and_its_own() -> None:
    common = {f"metrics_core/{module}.py" for module in COMMON}
    for family in FAMILIES.values():
        own = {f"metrics_core/families/{family.name}/{each}.py" for each in ("record", "grading", "metrics")}
        for contract in contracts_of(family):
            files = contract.files().keys()
            assert common | own <= files, contract.id
            most = len(common) + OWN[family.name] + ("+" in contract.id) * ADAPTED
            assert len(files) <= most, contract.id


def test_no_contract_holds_what_moves_no_number() -> None:
    for family in FAMILIES.values():
        for contract in contracts_of(family):
            paths = {path for path in contract.files() if Path(path).stem in LEFT_OUT}
            assert paths <= {"metrics_core/measurement/family.py"}, contract.id
            assert not [path for path in contract.files() if path.endswith("__init__.py")], contract.id
            split = [path.split("/") for path in contract.files()]
            assert {parts[2] for parts in split if parts[1] == "families"} == {family.name}


def test_every_family_has_an_experiment_in_which_it_is_watched() -> None:
    assert EXPERIMENTS.keys() == OWN.keys() == FAMILIES.keys()


@one_in(3)
@pytest.mark.parametrize("family", [family for family in EXPERIMENTS if by_day(family, 2)])
def test_whatever_runs_where_numbers_are_made_is_in_the_closure_or_named(repo: Path, family: str) -> None:
    folder = repo / "content" / "experiments" / EXPERIMENTS[family]
    program = [sys.executable, "-P", "-c", RAN, str(folder), family]
    shown = subprocess.run(program, check=True, capture_output=True, cwd=repo)
    found = json.loads(shown.stdout)
    assert found["estimates"] > 0
    named = tuple(path.replace("FAMILY", family) for path in RUNS_OUTSIDE)
    for files in found["closures"]:
        assert len({*found["ran"]} & {*files}) > 30
        assert [path for path in found["ran"] if path not in files and not path.startswith(named)] == []


def test_no_front_door_of_the_core_gives_a_name_to_something_else(repo: Path) -> None:
    """An ``__init__`` that only re-exports is no part of a closure: it may not choose what is meant."""
    for path in (repo / "metrics_core").rglob("__init__.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom):
                assert all(alias.asname in (None, alias.name) for alias in node.names), path


def test_closures_are_taken_over_only_where_every_source_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    package, kept_in = tmp_path / "p", tmp_path / "__pycache__"
    package.mkdir()
    for name, source in {"__init__": "", "a": "import p.b", "b": "", "c": ""}.items():
        (package / f"{name}.py").write_text(source)

    def found(without: frozenset[str] = frozenset()) -> list[str]:
        return [*InstalledSources(package, kept_in).closure("p.a", without)]

    assert found() == ["p/a.py", "p/b.py"]
    (kept,) = kept_in.iterdir()
    whole = kept.read_bytes()
    made_of, digest, known = whole.split(b"\n", 2)
    other = known.replace(b"p/b.py", b"p/c.py")
    for spoiled in (
        *(b"", whole[:70], whole[:-3], b"0" + whole[1:]),
        *(b"\n".join((made_of, digest, other)), b"\n".join((made_of, b"", known)), b"\xff" + whole),
    ):
        kept.write_bytes(spoiled)
        assert found() == ["p/a.py", "p/b.py"]
        assert kept.read_bytes() == whole, "made anew"
    assert found(frozenset({"p.b"})) == ["p/a.py"]
    assert found() == ["p/a.py", "p/b.py"]

    edited = package / "b.py"
    edited.write_text("import p.c")
    assert found() == ["p/a.py", "p/b.py", "p/c.py"]
    times = edited.stat()
    edited.write_text("import p.a")
    os.utime(edited, ns=(times.st_atime_ns, times.st_mtime_ns))  # of the same size and time
    assert found() == ["p/a.py", "p/b.py"]
    (package / "b").mkdir()
    (package / "b/__init__.py").write_text("")
    assert found() == ["p/a.py", "p/b/__init__.py"]


def test_a_closure_that_was_taken_over_has_the_bytes_of_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    package = Path(metrics_core.__file__).parent
    made, taken = (InstalledSources(package, tmp_path) for _ in range(2))
    assert not made._known
    for module in MEASURING:
        assert made.closure(module, WITHOUT_NUMBERS) == taken.closure(module, WITHOUT_NUMBERS)
    again = InstalledSources(package, tmp_path)
    assert len(again._known) == len(MEASURING)
    assert all(again.closure(m, WITHOUT_NUMBERS) == made.closure(m, WITHOUT_NUMBERS) for m in MEASURING)


def test_the_scorers_child_is_part_of_the_scorer() -> None:
    assert {
        "metrics_core/contracts/scorer_child.py",
        "metrics_core/contracts/scorer_process.py",
        "metrics_core/contracts/cage/kernel.py",
        "metrics_core/contracts/cage/watch.py",
    } <= source_closure("metrics_core.contracts.scorer").keys()


def test_the_digest_of_a_built_in_contract_covers_its_module_and_what_measures(repo: Path) -> None:
    fixture = Fixture("f", (), (("x", 1),))
    contract = Contract("assay/test", "1", "Test", "metrics_core.contracts.lockfile", (), (fixture,))
    files = contract.files()
    own = source_closure("metrics_core.contracts.lockfile", WITHOUT_NUMBERS)
    assert files.keys() == {*own}.union(*(source_closure(m, WITHOUT_NUMBERS) for m in MEASURING))
    assert all(data == (repo / path).read_bytes() for path, data in files.items())
    hashes = {path.encode(): hashlib.sha256(data).hexdigest().encode() for path, data in files.items()}
    lines = sorted(path + b"\0" + sha256 + b"\n" for path, sha256 in hashes.items())
    assert contract.ref().digest == "sha256:" + hashlib.sha256(b"".join(lines)).hexdigest()
