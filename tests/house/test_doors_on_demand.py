"""Front doors hand out on demand: what they name is there, and a command loads no more than it needs."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from metrics_core.front_door import homes
from tests.support.parsed import parsed
from tests.support.small_runs import arm

REPO = Path(__file__).resolve().parents[2]
ROOMS = tuple(
    path.parent.relative_to(REPO).as_posix().replace("/", ".")
    for wing in ("metrics_core", "site_src")
    for path in sorted((REPO / wing).rglob("__init__.py"))
    if "on_demand(__name__)" in path.read_text()
)

LOADS = """
import sys
from site_src.cli import main
code = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""

NOT_FOR_A_REPORT = (
    *("numpy", "pandas", "pyarrow", "yaml", "jinja2", "altair", "vl_convert", "markdown_it", "watchdog"),
    *("site_src.pages", "site_src.figures", "site_src.drawing", "site_src.lint", "site_src.decisions"),
    *("metrics_core.families.attempts.family", "metrics_core.families.judges.family"),
    *("metrics_core.families.layered.family", "metrics_core.families.matrix.family"),
    *("metrics_core.families.traces.family", "multiprocessing"),
    *("metrics_core.adapters.table", "metrics_core.adapters.inspect", "metrics_core.adapters.transcripts"),
)
"""What a report of a few runs can do without: each took a good part of a second of its start."""


def test_every_room_but_those_that_list_what_lies_in_them_opens_on_demand() -> None:
    at_once = {
        path.parent.relative_to(REPO).as_posix()
        for wing in ("metrics_core", "site_src")
        for path in (REPO / wing).rglob("__init__.py")
        if "import" in path.read_text() and "on_demand(__name__)" not in path.read_text()
    }

    alone = "site_src/verification/second_reading"  # it imports nothing of the core, the door included
    assert at_once == {"site_src/authoring/directives", "site_src/figures", alone}


@pytest.mark.parametrize("room", ROOMS)
def test_a_door_hands_out_all_that_it_names_and_nothing_by_the_name_of_a_module(room: str) -> None:
    door = import_module(room)
    folder = REPO / room.replace(".", "/")
    modules = {path.stem for path in folder.glob("*.py")} | {
        path.parent.name for path in folder.glob("*/*.py")
    }
    taken = {name for name, (home, _) in homes(room).items() if home != room and name in modules}

    assert [name for name in door.__all__ if not hasattr(door, name)] == []
    assert not taken, f"import these at once: once the module is loaded, its name is the module: {taken}"
    assert {*homes(room)} <= {*door.__all__}
    with pytest.raises(AttributeError, match=f"module '{room}' has no attribute 'nothing_of_that_name'"):
        door.nothing_of_that_name  # noqa: B018 (asking is what is tested)


@pytest.mark.parametrize("room", ROOMS)
def test_a_door_is_read_as_python_reads_it(room: str) -> None:
    tree = parsed((REPO / room.replace(".", "/") / "__init__.py").read_bytes())
    assert homes(room) == {
        alias.asname or alias.name: (node.module, alias.name)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_a_report_of_a_few_runs_loads_neither_pages_nor_numpy(tmp_path: Path) -> None:
    logs = tmp_path / "few" / "logs_big"
    logs.mkdir(parents=True)
    (logs / "alpha.jsonl").write_text("".join(json.dumps(run) + "\n" for run in arm("alpha", 3, 2)))

    done = subprocess.run(
        [sys.executable, "-c", LOADS, "compute", str(tmp_path / "few")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(REPO)},
    )

    assert done.returncode == 0, done.stderr[-2000:]
    assert "change, graded on assertions" in done.stdout
    assert {*NOT_FOR_A_REPORT} & {*done.stderr.split()} == set()


def test_a_door_holds_nothing_but_imports() -> None:
    for room in ROOMS:
        tree = parsed((REPO / room.replace(".", "/") / "__init__.py").read_bytes())
        kinds = {type(statement).__name__ for statement in tree.body}
        assert kinds <= {"Expr", "ImportFrom", "If", "Assign", "FunctionDef"}, room
