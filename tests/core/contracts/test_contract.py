"""Contracts: fixtures that must hold, and a user's file read without being run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from metrics_core.contracts.contract import Contract
from metrics_core.contracts.fixture import Fixture, FixtureResult, check_results
from metrics_core.contracts.lockfile import used_contract
from metrics_core.contracts.user_contract import load_contract
from metrics_core.errors import ContractError, FixtureError, InputError

PLAIN = 'CONTRACT_ID = "t/v2-plain"\ndef score_trace(trace):\n    return 1.0\nFIXTURES = [({}, 1.0)]\n'


def folder(tmp_path: Path, metric: str = PLAIN, files: dict[str, str] | None = None) -> Path:
    """A contracts folder with ``metric.py`` and others."""
    for name, text in {"metric": metric, **(files or {})}.items():
        path = tmp_path / (name if "." in name else f"{name}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return tmp_path / "metric.py"


def test_what_a_contract_says_of_itself_is_read_from_its_text(tmp_path: Path) -> None:
    file = folder(tmp_path, PLAIN + "raise SystemExit('it was run')\n")
    contract = load_contract(file)
    source = hashlib.sha256(file.read_bytes()).hexdigest()
    assert (contract.id, contract.version, contract.file) == ("t/v2-plain", "2", "metric.py")
    assert contract.metric_sha256 == source
    assert contract.digest == "sha256:" + hashlib.sha256(f"metric.py\0{source}\n".encode()).hexdigest()
    assert contract.floor == 0.0


def test_line_ends_change_the_file_but_not_the_instrument(tmp_path: Path) -> None:
    unix = load_contract(folder(tmp_path / "a"))
    dos = load_contract(folder(tmp_path / "b", PLAIN.replace("\n", "\r\n")))
    assert unix.digest == dos.digest
    assert unix.metric_sha256 != dos.metric_sha256
    assert used_contract(unix, (), "traces").files == used_contract(dos, (), "traces").files


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("agent-metric/v3-patch-apply", "3"),
        ("m/v12", "12"),
        ("org/team/m/v1-x", "1"),
        ("m/v007-b", "007"),
    ],
)
def test_the_version_is_the_digits_behind_v(tmp_path: Path, text: str, version: str) -> None:
    contract = load_contract(folder(tmp_path, PLAIN.replace("t/v2-plain", text)))
    assert (contract.id, contract.version) == (text, version)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("x = 1", "metric.py: no CONTRACT_ID"),
        ('CONTRACT_ID = "metric"', "metric.py:1: CONTRACT_ID is 'metric', expected name/vN-slug"),
        ('CONTRACT_ID = "m/v1 \\u202e"', "expected name/vN-slug"),
        ('CONTRACT_ID = "m/vX"', "expected name/vN-slug"),
        ('CONTRACT_ID = "m/v" + "1"', "cannot be read without running"),
        ('CONTRACT_ID = "m/v1"\nCONTRACT_ID = "m/v2"', "cannot be read without running"),
        ("def f(:", "metric.py:1: not valid Python"),
        ("x = '\0'", "metric.py.*: not valid Python"),
        (PLAIN + "FLOOR = float('inf')", "FLOOR is not one plain number"),
        (PLAIN + "FLOOR = True", "FLOOR is not one plain number"),
        (PLAIN + "import metrics_core.results.report", "metric.py:5: imports metrics_core"),
        (PLAIN + "def f():\n    from site_src import x", "metric.py:6: imports site_src"),
    ],
)
def test_a_file_that_is_no_contract_is_refused(tmp_path: Path, source: str, problem: str) -> None:
    with pytest.raises(ContractError, match=problem) as raised:
        load_contract(folder(tmp_path, source))
    assert raised.value.exit_code == 3


def test_a_contract_may_declare_its_floor_and_its_promise(tmp_path: Path) -> None:
    body = PLAIN.replace("    return", '    """Share of hunks\n    that apply.\n\n    More."""\n    return')
    contract = load_contract(folder(tmp_path, body + "FLOOR: float = -0.25\n"))
    assert (contract.floor, contract.promise) == (-0.25, "Share of hunks that apply.")


@pytest.mark.parametrize("name", ["gone.py", "."])
def test_a_path_without_a_file_is_the_users_mistake(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_contract(tmp_path / name)


@pytest.mark.parametrize("name", ["metric.txt", "metric.v2.py"])
def test_a_file_that_cannot_be_a_module_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(PLAIN)
    with pytest.raises(ContractError, match="expected the name of a Python module"):
        load_contract(tmp_path / name)


# ---------------------------------------------------------------------------------- the closure


def test_files_that_it_imports_belong_to_it_and_others_do_not(tmp_path: Path) -> None:
    files = {
        "helper": "import lib.deep\nVALUE = 1\n",
        "lib/__init__": "from . import near\n",
        "lib/near": "",
        "lib/deep": "from .near import *\n",
        "lib/unused": "",
        "other": "",
        "typed": "",
        "cli": "",
    }
    guards = "if TYPE_CHECKING:\n    import typed\nif __name__ == '__main__':\n    import cli\n"
    file = folder(tmp_path, PLAIN + "def f():\n    from helper import VALUE\n" + guards, files)
    contract = load_contract(file)
    assert contract.modules == {
        "helper": "helper.py",
        "lib": "lib/__init__.py",
        "lib.deep": "lib/deep.py",
        "lib.near": "lib/near.py",
        "metric": "metric.py",
    }
    before = contract.digest
    (tmp_path / "lib" / "near.py").write_text("x = 2\n")
    assert load_contract(file).digest != before
    (tmp_path / "lib" / "near.py").write_text("")
    (tmp_path / "other.py").write_text("x = 2\n")
    assert load_contract(file).digest == before


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"metric.pyc": ""}, "metric.pyc: compiled code"),
        ({"other.so": ""}, "other.so: compiled code"),
        ({"metric.cpython-311-x86_64-linux-gnu.so": ""}, "compiled code"),
        ({"helper.pyd": ""}, "compiled code"),
        ({"metric/__init__": ""}, "metric.py: metric/ beside it has the same name"),
        ({"metric/data.txt": ""}, "metric.py: metric/ beside it has the same name"),
        ({"helper": "", "helper/__init__": ""}, "helper.py: helper/ beside it has the same name"),
        ({"helper/x": ""}, "metric.py:5: helper/ has no __init__.py"),
        ({"helper/__init__": "", "helper/x.so": ""}, "helper/x.so: compiled code"),
        (
            {"helper": "import random", "random": ""},
            "random.py: the name random belongs to the standard library",
        ),
        ({"helper": "x ="}, "helper.py:1: not valid Python"),
        ({"helper": "from . import y"}, "helper.py:1: a relative import that leads out"),
        ({"helper": "x = 1\n" * 200_000}, "helper.py: 1200000 bytes"),
    ],
)
def test_what_could_run_in_its_place_is_refused(tmp_path: Path, files: dict[str, str], problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        load_contract(folder(tmp_path, PLAIN + "import helper\n", files))


@pytest.mark.parametrize("name", ["random", "__main__"])
def test_a_contract_may_not_bear_a_name_that_is_taken(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text(PLAIN)
    with pytest.raises(ContractError, match=f"the name {name} belongs to"):
        load_contract(tmp_path / f"{name}.py")


def test_links_lead_nowhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "helper.py").write_text("")
    (outside / "__init__.py").write_text("")
    for at, (link, target) in enumerate([("helper.py", outside / "helper.py"), ("helper", outside)]):
        file = folder(tmp_path / f"c{at}", PLAIN + "import helper\n")
        (file.parent / link).symlink_to(target)
        with pytest.raises(ContractError, match="expected a regular file, not a link"):
            load_contract(file)


def test_modules_of_others_are_left_to_the_interpreter(tmp_path: Path) -> None:
    source = "import json, numpy\nfrom os import path\n" + PLAIN
    assert list(load_contract(folder(tmp_path, source)).files) == ["metric.py"]


# ---------------------------------------------------------------------------------- fixtures


def test_a_fixture_that_differs_stops_everything() -> None:
    right, wrong = FixtureResult("a", "1/2", "1/2", True), FixtureResult("b", "0/1", "1/1", False)
    check_results("m v1", [right])
    with pytest.raises(FixtureError, match="m v1: b: expected 0/1, got 1/1") as raised:
        check_results("m v1", [right, wrong])
    assert raised.value.exit_code == 3
    with pytest.raises(FixtureError, match="no golden fixture was run"):
        check_results("m v1", [])


def test_a_contract_without_fixtures_or_version_is_none() -> None:
    fixture = Fixture("f", ({},), (("x", 1),))
    with pytest.raises(ContractError, match="without golden fixtures"):
        Contract("a/b", "1", "T", "metrics_core.errors", (), ())
    with pytest.raises(ContractError, match="expected digits"):
        Contract("a/b", "v1", "T", "metrics_core.errors", (), (fixture,))
    with pytest.raises(ContractError, match="without a name"):
        Fixture("f", ({},), ())


def test_a_result_that_nobody_gave_is_not_what_was_expected() -> None:
    fixture = Fixture("f", ({},), (("x", 1), ("y", "N/A (0/0)")))
    assert fixture.compare({"x": 1, "y": "N/A (0/0)", "z": 3}).ok
    assert not fixture.compare({"x": 1}).ok
    assert fixture.compare({"x": 1}).got == "x 1; y None"
