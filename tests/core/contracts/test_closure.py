"""The source closure of a built-in instrument: what is in it, what is not, and that nothing escapes it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from metrics_core.contracts.closure import closure, source_closure
from metrics_core.contracts.contract import Contract
from metrics_core.contracts.fixture import Fixture
from metrics_core.errors import ContractError

# What a module really loads, in a process in which no package's __init__ has run.
LOADED = """
import json, os, sys, types
root, name = sys.argv[1:]
inner = sorted(e.name for e in os.scandir(root + "/metrics_core") if e.is_dir() and e.name != "__pycache__")
for package in ("metrics_core", *(f"metrics_core.{each}" for each in inner)):
    bare = types.ModuleType(package)
    bare.__path__ = [root + "/" + package.replace(".", "/")]
    sys.modules[package] = bare
__import__(name)
print(json.dumps(sorted(n for n, m in sys.modules.items()
                        if n.startswith("metrics_core.") and getattr(m, "__file__", None))))
"""


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


@pytest.mark.parametrize(
    "module",
    [
        "metrics_core.contracts.controls",
        "metrics_core.results.report",
        "metrics_core.contracts.user_contract",
        "metrics_core.families.traces.metrics",
    ],
)
def test_nothing_that_is_loaded_escapes_the_closure(repo: Path, module: str) -> None:
    program = [sys.executable, "-P", "-c", LOADED, str(repo), module]
    shown = subprocess.run(program, check=True, capture_output=True)
    loaded = {f"{name.replace('.', '/')}.py" for name in json.loads(shown.stdout)}
    assert len(loaded) > 3
    assert loaded - source_closure(module).keys() == set()


def test_the_scorers_child_is_part_of_the_scorer() -> None:
    assert {"metrics_core/contracts/scorer_child.py", "metrics_core/contracts/scorer_process.py"} <= source_closure(
        "metrics_core.contracts.scorer"
    ).keys()


def test_the_digest_of_a_built_in_contract_covers_its_module_and_what_measures(repo: Path) -> None:
    fixture = Fixture("f", (), (("x", 1),))
    contract = Contract("assay/test", "1", "Test", "metrics_core.contracts.closure", (), (fixture,))
    files = contract.files()
    assert files.keys() >= source_closure("metrics_core.contracts.closure").keys()
    assert all(data == (repo / path).read_bytes() for path, data in files.items())
    hashes = {path.encode(): hashlib.sha256(data).hexdigest().encode() for path, data in files.items()}
    lines = sorted(path + b"\0" + sha256 + b"\n" for path, sha256 in hashes.items())
    assert contract.ref().digest == "sha256:" + hashlib.sha256(b"".join(lines)).hexdigest()
