"""Folders that hold several experiments, taken for one: refused with what lies there and what to ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

import metrics_core as mc
from metrics_core.errors import InputError

TABLE = "task,passed\nt1,1\nt2,0\n"
ARMED = "task,model,passed\nt1,m,1\nt2,m,0\n"


def made(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def refused(root: Path) -> InputError:
    with pytest.raises(InputError) as error:
        mc.load(root)
    return error.value


IN_SITE = ("site.yaml", "experiments/a/r.csv", "experiments/b/r.csv")
IN_PROJECT = ("content/site.yaml", "content/experiments/a/r.csv")
IN_FOLDER = ("experiments/a/r.csv", "experiments/b/r.csv")
BY_SETTINGS = ("a/experiment.yaml", "a/r.csv", "b/r.csv")


@pytest.mark.parametrize(
    ("files", "what", "all_"),
    [
        (IN_SITE, "is the content of a site", "--content p"),
        (IN_PROJECT, "holds the content of a site, p/content", "--content p/content"),
        (IN_FOLDER, "is a folder of experiments", "--experiments p/experiments/*"),
        (BY_SETTINGS, "is a folder of experiments", "--experiments p/*"),
    ],
    ids=["content", "project", "folder", "settings"],
)
def test_a_folder_of_experiments_is_none_itself(
    tmp_path: Path, files: tuple[str, ...], what: str, all_: str
) -> None:
    root = made(tmp_path / "p", {path: TABLE if path.endswith("csv") else "title: x\n" for path in files})
    error = refused(root)
    assert error.problem == f"{what}, and no experiment"
    first = next(path.removesuffix("/r.csv") for path in files if path.endswith("a/r.csv"))
    assert f"name one: assay compute p/{first}; " in error.hint
    assert error.hint.endswith(f"or all: assay build {all_}")
    assert mc.compute(root / first).records == 2


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (TABLE, "case,score\nt1,1\n", "a.csv has task, passed, and b.csv has case, score"),
        (TABLE, ARMED, "a.csv has task, passed, and b.csv has task, model, passed"),
        (TABLE, "task,passed\nu1,1\n", "a.csv has no task that another has"),
        (ARMED, ARMED, 'a.csv and b.csv both hold "t1" by "m", as if it were tried again'),
    ],
    ids=["columns", "arm", "tasks", "twice"],
)
def test_unlike_tables_of_one_folder_are_no_experiment(
    tmp_path: Path, one: str, other: str, why: str
) -> None:
    root = made(tmp_path / "p", {"a.csv": one, "b.csv": other})
    error = refused(root)
    assert error.problem.startswith(f"holds 2 tables that are no one experiment: {why}")
    assert error.hint.startswith("it holds a.csv, b.csv; name one: assay compute p/a.csv; where they are one")
    assert mc.compute(root / "a.csv").usable
    with pytest.raises(InputError):
        mc.load(root, settings={"source": {"format": "table", "decimal_comma": True}})
    made(root, {"experiment.yaml": "source: {format: table}\n"})
    assert mc.compute(root).usable


@pytest.mark.parametrize(
    ("names", "one", "other", "arms"),
    [
        (("alpha.csv", "beta.csv"), TABLE, TABLE, {"alpha", "beta"}),
        (("alpha.csv", "beta.csv"), ARMED, ARMED.replace(",m,", ",n,"), {"m", "n"}),
        (("run1.csv", "run2.csv"), ARMED, ARMED.replace("m,1", "m,0"), {"m"}),
        (("part-0.csv", "part-1.csv"), ARMED, ARMED.replace("t", "u").replace("u", "t", 1), {"m"}),
    ],
    ids=["arms", "a file an arm", "a file a repetition", "parts"],
)
def test_tables_that_are_one_experiment_stay_so(
    tmp_path: Path, names: tuple[str, ...], one: str, other: str, arms: set[str]
) -> None:
    report = mc.compute(made(tmp_path, dict(zip(names, (one, other), strict=True))))
    scores = [e for e in report.find("score") if e.group.names == ("model",)]
    assert {e.group["model"] for e in scores} == arms
    assert sum(e.N for e in scores) == 4


def test_what_lies_beside_another_format_is_told_truly(tmp_path: Path) -> None:
    result = '{"provider": {"id": "echo"}, "vars": {"name": "Ada"}, "success": true, "score": 1}'
    files = {
        "pf.json": '{"results": {"version": 3, "results": [' + result + "]}}",
        "own.csv": TABLE,
        "notes.md": "# notes\n",
    }
    report = mc.compute(made(tmp_path, files))
    assert [str(found) for found in report.findings if found.file != "pf.json"] == [
        "notes.md: is no file of the format promptfoo, as which this folder is read: it is not read",
        (
            "own.csv: is of the format table, and is not read: this folder is read as promptfoo "
            "(by itself: assay compute own.csv)"
        ),
    ]


def test_a_file_that_is_read_beside_another_is_not_said_to_be_unread(tmp_path: Path) -> None:
    trial = '{"id": "1", "trial_name": "t__1", "task_name": "t", "source": "d", "trial_uri": "x", '
    trial += '"agent_info": {"name": "a", "version": "1"}, "verifier_result": {"rewards": {"reward": 1}}, '
    trial += '"config": {}}'
    config = '{"job_name": "j", "n_attempts": 1, "datasets": [{"name": "d", "version": "2"}]}'
    root = made(tmp_path, {"j/t__1/result.json": trial, "j/config.json": config, "j/t__1/agent.log": "x"})
    report = mc.compute(root)
    assert report.usable
    assert [found.file for found in report.findings if "not read" in found.what] == ["j/t__1/agent.log"]
