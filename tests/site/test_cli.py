"""The command line: words, exit codes, what goes where, and nothing of data's that a terminal would obey."""

from __future__ import annotations

import argparse
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import metrics_core as mc
from site_src import cli
from site_src.console import Console
from tests.support import small_content
from tests.support.by_day import at_night


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    small_content.write(folder / "content")
    return folder


def commands() -> dict[str, argparse.ArgumentParser]:
    """Parser of each command, as the command line itself chooses between them."""
    (subparsers,) = (a for a in cli.parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(subparsers.choices)


@pytest.mark.parametrize("command", ["", *commands()])
def test_help_is_worth_reading(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*filter(None, [command]), "--help"]) == 0
    told = capsys.readouterr().out
    assert "exit codes" in told
    assert len(told.splitlines()) > 12


def test_every_command_runs_a_function_of_its_own() -> None:
    runs = {name: parser.get_default("run") for name, parser in commands().items()}
    assert len(runs) == 16
    assert all(callable(run) and run.__module__ == "site_src.commands" for run in runs.values())
    assert len(set(runs.values())) == len(runs)
    renamed = {"import": "import_results"}  # a keyword of Python
    assert {name: run.__name__ for name, run in runs.items()} == {n: renamed.get(n, n) for n in runs}


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("import", mc.format_names()),
        ("compute", mc.family_names()),
        ("new", mc.family_names()),
    ],
)
def test_help_lists_what_is_registered(
    command: str, names: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split()).replace("- ", "-")
    assert "(default: )" not in told
    assert [name for name in names if name not in told] == []


def test_a_name_that_does_not_exist_is_answered_with_the_nearest(
    project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    suite = str(project / "content/experiments/suite")
    assert cli.main(["compute", suite, "--family", "brownfeld"]) == 1
    assert "has no records of family 'brownfeld' (nearest: brownfield)" in capsys.readouterr().err
    assert cli.main(["import", "agentdoj", suite, str(tmp_path / "made")]) == 1
    assert 'the format "agentdoj" (nearest: agentdojo)' in capsys.readouterr().err


def test_the_formats_are_listed_with_an_example_and_what_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["formats"]) == 0
    told = capsys.readouterr().out
    assert [line.split()[0] for line in told.splitlines() if line[:1].strip()] == list(mc.format_names())
    assert "  example: gpt-4o-airline.json\n  reads: the reward of each task and trial" in told
    assert told.count("  makes: records of ") == len(mc.format_names())


def test_a_wrong_command_line_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["biuld"]) == 2
    assert cli.main(["compute"]) == 2
    assert cli.main(["build", "--no-such-option"]) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["compute", "nowhere"], "nowhere: there is no such file or folder"),
        (["compute", "content/site.yaml"], "holds no logs that are read here"),
        (["compute", "content"], "is the content of a site, and no experiment"),
        (["compute", "content/experiments/suite", "--family", "traces"], "has no records of family 'traces'"),
        (["verify", "content"], "holds no manifest.json"),
        (
            ["build", "--experiments", "content/experiments/suite", "content/experiments/suite"],
            "two experiments",
        ),
        (["build", "--content", "nowhere"], "nowhere: there is no such content folder"),
    ],
)
def test_wrong_input_is_1_and_says_where(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(project)
    assert cli.main(words) == 1
    assert told in capsys.readouterr().err


def test_a_python_without_docstrings_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "sys", SimpleNamespace(flags=SimpleNamespace(optimize=2), argv=["assay"]))
    assert cli.main(["formats"]) == 2
    assert "python -OO takes away the docstrings that pages are made of" in capsys.readouterr().err


def test_results_go_to_standard_output_alone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compute", str(project / "content/experiments/suite"), "--json"], project=project) == 0
    shown = capsys.readouterr()
    report = json.loads(shown.out)
    assert report["schema"] == "assay.report/1"
    assert shown.err == ""
    (row,) = [c for c in report["costs"] if c["model"] == "alpha"]
    assert (row["prices"], row["recorded"], row["recomputed"]) == ("2026-07-05", 2.5, 2.5)


def test_one_family_can_be_asked_for(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(project / "content/experiments/patches")
    assert cli.main(["compute", folder, "--family", "traces", "--json"], project=project) == 0
    assert {e["family"] for e in json.loads(capsys.readouterr().out)["estimates"]} == {"traces"}


def test_a_readers_table_is_plain_text(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compute", str(project / "content/experiments/suite")], project=project) == 0
    told = capsys.readouterr().out
    assert re.search(r"\n  held +negative control: ", told)
    assert "\n\nchange, graded on assertions\n  all " in told


def test_no_control_character_from_data_reaches_a_terminal() -> None:
    out, err = io.StringIO(), io.StringIO()
    console = Console(out, err)
    for say in (console.message, console.warn, console.fail):
        say("a\x1b]0;owned\x07b\x9bc\u202ed\re")
    assert not any(ord(c) < 32 and c != "\n" for c in err.getvalue())
    assert not any(c in err.getvalue() for c in "\x9b\u202e")


@pytest.mark.parametrize("say", ["message", "warn", "fail"])
def test_no_secret_from_a_name_or_a_setting_reaches_a_terminal(say: str) -> None:
    secret = "ghp" + "_" + "a1B2" * 9
    out, err = io.StringIO(), io.StringIO()
    getattr(Console(out, err), say)(f"gate.yaml:2#/{secret}: expected a rule,\ngot {secret}")
    assert secret[:14] not in err.getvalue()
    assert err.getvalue().count("[redacted:github-token]") == 2
    assert err.getvalue().endswith("\n")


def test_compute_of_a_hostile_folder_prints_no_control_character(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = tmp_path / "suite" / "logs_big"
    logs.mkdir(parents=True)
    run = {**small_content.runs("alpha", 1)[0], "model": "\x1b[2Jalpha\u202e", "id": "B\x07"}
    (logs / "a.jsonl").write_text(json.dumps(run) + '\n{"id": "\x1b[31m"}\n')
    assert cli.main(["compute", str(tmp_path / "suite")]) == 0
    shown = capsys.readouterr()
    assert not any(ord(c) < 32 and c != "\n" for c in shown.out + shown.err)


def test_check_writes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(p.name for p in project.iterdir())
    assert cli.main(["check"], project=project) == 0
    assert sorted(p.name for p in project.iterdir()) == before
    assert "contracts.lock" in capsys.readouterr().out


def test_a_check_lists_all_that_cannot_be_read_and_then_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = small_content.write_suite(tmp_path / "content")
    for name in ("torn", "worn"):
        shutil.copytree(content / "experiments/suite", content / "experiments" / name)
        (content / "experiments" / name / "experiment.yaml").write_text("separation: maybe\n")
    (content / "pricing").mkdir(exist_ok=True)
    (content / "pricing/2026-07-01.yaml").write_text("prices: 3\n")
    (content / "decisions/half.md").write_text("no front matter\n")
    (content / "decisions/odd.md").write_text("---\ntitle: A\nstatus: perhaps\n---\n")
    (content / "one.md").write_text("# One\n\n[a](blob:x)\n")
    (content / "two.md").write_text("no title\n")
    (content / "three.md").write_text("# Three\n\n[a](nowhere.md)\n")
    (content / "four.md").write_text("# Four\n\n{nothing}`x`\n")
    (content / "index.md").write_text("# A site\n\nAlpha passed 86 % of its tasks.\n")
    assert cli.main(["check"], project=tmp_path) == 1
    shown = capsys.readouterr()
    for stop in (
        "torn/experiment.yaml:1", "worn/experiment.yaml:1", "pricing/2026-07-01.yaml", "decisions/half.md:1",
        "decisions/odd.md:3", "one.md:3", "two.md:1", "three.md:3", "four.md:3",
    ):  # fmt: skip
        assert len([line for line in shown.err.splitlines() if stop in line]) == 1, (stop, shown.err)
    assert "a percentage typed by hand, '86 %'" in shown.out
    assert "checked 1 experiment: " in shown.err
    assert not (tmp_path / "_site").exists()


def test_a_check_of_nothing_that_can_be_read_lists_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = small_content.write_suite(tmp_path / "content")
    shutil.copytree(content / "experiments/suite", content / "experiments/worn")
    for name in ("suite", "worn"):
        (content / "experiments" / name / "experiment.yaml").write_text("separation: maybe\n")
    assert cli.main(["check"], project=tmp_path) == 1
    told = capsys.readouterr().err
    assert told.count("experiment.yaml:1#/separation") == 2
    assert "checked 0 experiments: " in told


@at_night("test_look_alikes.py has which names look alike")
def test_names_that_look_alike_are_kept_apart_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An arm and a task that look like another one in one experiment, and an arm like one of another."""
    content = small_content.write_suite(tmp_path / "content")
    log = content / "experiments/suite/logs_big/alpha.jsonl"
    runs = [json.loads(line) for line in log.read_text().splitlines()]
    task = runs[0]["id"]
    runs = [{**run, "model": "\u0430lpha"} for run in runs] + [{**runs[0], "id": f"{task}\u200b"}]
    log.with_name("alpha-2.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    shutil.copytree(content / "experiments/suite", content / "experiments/su1te")
    other = content / "experiments/su1te/logs_big"
    other.joinpath("alpha-2.jsonl").unlink()
    other.joinpath("alpha.jsonl").write_text(log.read_text().replace('"alpha"', '"Alpha"'))
    assert cli.main(["build"], project=tmp_path) == 0
    capsys.readouterr()
    assert cli.main(["check"], project=tmp_path) == 0
    said = capsys.readouterr().out
    alike = '"alpha" and "\u0430lpha" look alike and are 2 names: they part in U+0061 against U+0430'
    assert f"finding: suite: model: {alike}" in said
    assert f'scenario: "{task}" and "{task}\\u200b" look alike' in said
    every = '"Alpha", "alpha" and "\u0430lpha" look alike and are 3 names: they part in capital letters'
    assert f"models {every}" in said
    assert 'experiments "su1te" and "suite"' not in said
    site = tmp_path / "_site"
    report = json.loads((site / "data/reports/suite.json").read_bytes())
    assert {"alpha", "\u0430lpha"} <= {e["group"].get("model") for e in report["estimates"]}
    for page, text in (("experiments/suite/index.html", alike), ("models/index.html", every)):
        assert text in html.unescape((site / page).read_text("utf-8")), page


def test_starting_up_imports_nothing_heavy(repo: Path) -> None:
    program = "import sys; from site_src import cli; cli.parser(); print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=repo, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(repo)},
    )  # fmt: skip
    heavy = {"numpy", "pandas", "altair", "jinja2", "pyarrow", "metrics_core.api", "site_src.pipeline"}
    assert not heavy & set(done.stdout.split())


def test_an_empty_folder_is_told_what_to_do_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([], project=tmp_path) == 1
    told = capsys.readouterr().err
    named = re.findall(r"^  assay (\w+)", told, re.MULTILINE)
    assert named == ["compute", "build", "new", "preview"]
    assert set(named) <= commands().keys()
    assert list(tmp_path.iterdir()) == []


def test_a_word_that_is_no_command_is_answered_with_the_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for typed, meant in (
        ("biuld", "build"),
        ("comptue", "compute"),
        ("chek", "check"),
        ("publsh", "publish"),
    ):
        assert cli.main([typed], project=tmp_path) == 2
        assert f"there is no command '{typed}' (nearest: {meant}" in capsys.readouterr().err
    (tmp_path / "runs.csv").write_text("task,passed\n")
    file = str(tmp_path / "runs.csv")
    assert cli.main([file], project=tmp_path) == 2
    assert f"(assay compute {file} prints its report)" in capsys.readouterr().err


def test_something_long_says_how_far_it_is_where_no_terminal_is() -> None:
    err = io.StringIO()
    console = Console(io.StringIO(), err)
    with console.working(every=0.02):
        console.progress("measuring nightly", 0, 3)
        deadline = time.monotonic() + 5
        while err.getvalue().count("\n") < 2 and time.monotonic() < deadline:
            time.sleep(0.005)
    assert err.getvalue().splitlines()[1].startswith("measuring nightly 0/3 (")
    said = err.getvalue()
    time.sleep(0.05)
    assert err.getvalue() == said, "it has ended"
    with Console(io.StringIO(), err, quiet=True).working(every=0.001):
        time.sleep(0.02)
    assert err.getvalue() == said


@at_night("a check lists all that cannot be read, and a strict build stops")
def test_a_strict_check_says_everything_that_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = small_content.write_suite(tmp_path / "content")
    (content / "experiments/suite/controls/sanity.json").unlink()
    accepted = small_content.DECISION.replace("proposed", "accepted\ndeciders: [us]").replace("0.2", "0.99")
    (content / "decisions/keep-alpha.md").write_text(accepted)
    (content / "index.md").write_text("---\ntitle: A site\n---\n\nAlpha passed 86 % of its tasks.\n")
    assert cli.main(["new", "page", "about-us"], project=tmp_path) == 0
    capsys.readouterr()
    assert cli.main(["check", "--strict"], project=tmp_path) == 3
    shown = capsys.readouterr()
    told = shown.out + shown.err
    assert "refused: publication: suite: " in told  # the gate
    assert "decisions/keep-alpha.md" in told
    assert "a percentage typed by hand, '86 %'" in told
    assert "pages/about-us.md:18: a sentence that `assay new` wrote was never replaced: 'Write here." in told
    assert "about-us.md:3: a sentence that `assay new` wrote was never replaced: 'One sentence that" in told
    assert cli.main(["check"], project=tmp_path) == 1, "the decision alone stops a plain check"
    (content / "decisions/keep-alpha.md").unlink()
    assert cli.main(["check"], project=tmp_path) == 0
    assert "was never replaced" in capsys.readouterr().out
