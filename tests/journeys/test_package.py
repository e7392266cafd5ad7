"""What is installed: the two packages with their templates and assets, one command, nothing else."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from site_src import pipeline
from tests.support import small_content
from tests.support.by_day import at_night


@pytest.fixture(scope="module")
def wheel(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=repo, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_two_packages_and_no_module_named_build(wheel: Path) -> None:
    top = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == {"metrics_core", "site_src"}


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("templates", "site_src/_templates"),
        ("site_src", "site_src"),
        ("metrics_core", "metrics_core"),
    ],
)
def test_the_wheel_carries_every_file(repo: Path, wheel: Path, source: str, target: str) -> None:
    files = {
        f"{target}/{path.relative_to(repo / source).as_posix()}"
        for path in (repo / source).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files
    assert files - set(zipfile.ZipFile(wheel).namelist()) == set()


def test_the_wheel_makes_one_command(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    entry_points = next(name for name in archive.namelist() if name.endswith("entry_points.txt"))
    words = archive.read(entry_points).decode().split()
    assert words[:4] == ["[console_scripts]", "assay", "=", "site_src.cli:main"]
    assert words[4:] == ["[assay.charts]", "site", "=", "site_src.notebook:chart"]


def test_an_installed_package_finds_its_templates_and_assets(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = "from site_src import installed as i; print(i.templates_folder()); print(i.assets_folder())"
    shown = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    found = [Path(line) for line in shown.stdout.splitlines()]
    assert found == [tmp_path / "site_src" / "_templates", tmp_path / "site_src" / "assets"]
    assert (found[0] / "layout" / "base.html").is_file()
    assert any(found[1].iterdir())


def test_the_lock_holds_every_dependency_with_its_digests_and_no_address(repo: Path) -> None:
    lock = (repo / "requirements.lock").read_text("utf-8")
    locked = set(re.findall(r"^([a-z0-9.-]+)==\S+", lock, re.MULTILINE))
    project = tomllib.loads((repo / "pyproject.toml").read_text("utf-8"))
    wanted = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["dev"],
        *project["build-system"]["requires"],
    ]
    assert {re.split(r"[<>=[]", name)[0] for name in wanted} - locked == set()
    assert lock.count(" \\\n    --hash=sha256:") >= len(locked)
    assert not re.search(r"://|^--(?:index|extra|find)", lock, re.MULTILINE)


def test_the_lock_is_installed_as_it_is(repo: Path) -> None:
    """Nothing is chosen by pip: for `coverage[toml]` it took the newest coverage, which no lock can hold."""
    makefile = (repo / "Makefile").read_text("utf-8")
    assert re.findall(r"pip install.* --require-hashes (\S+) -r requirements.lock", makefile) == ["--no-deps"]


def test_the_lock_holds_whatever_is_needed_by_what_it_holds() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "check"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (checked.stdout, checked.returncode) == ("No broken requirements found.\n", 0)


def test_every_dependency_says_why_it_is_there(repo: Path) -> None:
    lines = (repo / "pyproject.toml").read_text("utf-8").splitlines()
    pins = [line for line in lines if re.match(r'    "[a-z0-9-]+(?:\[\w+\])?[<>=]=', line)]
    assert len(pins) >= 20
    assert [line for line in pins if not re.search(r'",\s+# \S', line)] == []


def test_build_py_names_the_steps_of_the_pipeline_in_their_order(repo: Path) -> None:
    """The list in its docstring is the calls of `pipeline.build`, and each line is how that step begins."""
    docstring = ast.get_docstring(ast.parse((repo / "build.py").read_bytes())) or ""
    told = re.findall(r"^    (\w+) +(\S.*)\.$", docstring, re.MULTILINE)
    tree = ast.parse(inspect.getsource(pipeline.build))
    calls = sorted(
        (n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)),
        key=lambda n: (n.lineno, n.end_col_offset),
    )
    ran = list(dict.fromkeys(n.func.id for n in calls if isinstance(n.func, ast.Name)))
    assert [name for name, _ in told] == ["load", "measure_each", "gate", "model", "pages", "publish"]
    assert [name for name in ran if name in dict(told)] == [name for name, _ in told]
    for name, line in told:
        assert " ".join((getattr(pipeline, name).__doc__ or "").split()).startswith(line), name


@at_night("an installed package finds its templates and assets")
def test_an_installed_command_builds_without_build_py(repo: Path, wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    small_content.write(tmp_path / "content")
    program = "import sys; from site_src.cli import main; sys.exit(main(['check', '-q']))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "installed")},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "contracts.lock" in done.stdout
