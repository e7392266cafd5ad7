"""A site that stands is made again by whatever changes anything that it depends on, or anything of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from metrics_core.redaction import BuilderIdentity, Redactor
from metrics_core.results import Control
from site_src import commands, pipeline
from site_src.build_cache import BuildCache, FinishedSite, inputs
from site_src.cli import main, parser
from site_src.project import Plan, WithheldExperiment, read
from site_src.publishing import Manifest
from tests.support import sample_site
from tests.support.by_day import at_night

Act = Callable[[Path], object]


@pytest.fixture
def project(tmp_path: Path, suite_site: Path) -> Path:
    return shutil.copytree(suite_site, tmp_path / "project")


@pytest.fixture
def plan(project: Path) -> Plan:
    """A plan whose site stands, and is kept."""
    plan = Plan(content=project / "content", output=project / "_site", redactor=Redactor(), project=project)
    cache = BuildCache(plan)
    assert cache.standing() is None
    cache.keep(finished(plan))
    assert stands(plan)
    return plan


def finished(plan: Plan) -> FinishedSite:
    listed = json.loads((plan.output / "manifest.json").read_bytes())["files"]
    rows = tuple((row["path"], row["size"], row["sha256"]) for row in listed)
    return FinishedSite(
        manifest=Manifest(rows).digest, notes=("a note",), findings=(), counts="_site: 1 page"
    )


def stands(plan: Plan) -> bool:
    return BuildCache(plan).standing() is not None


def log(project: Path) -> Path:
    return next(path for path in sorted((project / "content").rglob("*.jsonl")))


def appended(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def test_what_a_build_said_is_given_again(plan: Plan) -> None:
    assert BuildCache(plan).standing() == finished(plan)


def test_a_file_that_was_touched_and_not_changed_changes_nothing(plan: Plan, project: Path) -> None:
    for path in (project / "content").rglob("*"):
        os.utime(path, (0, 0))
    assert stands(plan)


@pytest.mark.parametrize(
    "act",
    [
        lambda project: appended(log(project)),
        lambda project: log(project).unlink(),
        lambda project: log(project).rename(log(project).with_name("zz.jsonl")),
        lambda project: appended(project / "content/site.yaml"),
        lambda project: appended(project / "content/contracts.lock"),
        lambda project: (project / "content/new.md").write_text("# New\n"),
        lambda project: (project / "content/experiments/new").mkdir(),
        lambda project: shutil.rmtree(next((project / "content/experiments").iterdir())),
        lambda project: (project / "content/linked.md").symlink_to("index.md"),
        lambda project: os.mkfifo(project / "content/pipe"),
        lambda project: appended(project / "_site/index.html"),
        lambda project: appended(project / "_site/manifest.json"),
        lambda project: (project / "_site/index.html").unlink(),
        lambda project: (project / "_site/mine.html").write_text("mine"),
        lambda project: (project / "_site/statement.json").write_text("{}"),
        lambda project: (project / "_site/assets").rename(project / "_site/other"),
        lambda project: shutil.rmtree(project / "_site"),
    ],
)
def test_any_change_of_what_goes_in_or_came_out_makes_it_again(plan: Plan, project: Path, act: Act) -> None:
    act(project)
    assert not stands(plan)


def test_a_commit_of_a_registered_decision_makes_it_again(plan: Plan, project: Path) -> None:
    """No file of the content folder changes by it, and the decision's page says another thing."""
    head = "title: T\nstatus: proposed\nregistered: {planned: 9}\nclaims: []\n"
    (project / "content/decisions").mkdir(exist_ok=True)
    (project / "content/decisions/first.md").write_text(f"---\n{head}---\n\nBecause.\n")
    git = partial(subprocess.run, cwd=project, check=True, capture_output=True)
    git(["git", "init", "--quiet"])
    cache = BuildCache(plan)
    assert cache.standing() is None
    cache.keep(finished(plan))
    assert stands(plan)
    git(["git", "add", "content/decisions"])
    git(["git", "-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "--quiet", "-m", "x"])
    assert not stands(plan)


def test_a_file_replaced_by_a_link_to_its_copy_is_not_the_site(plan: Plan, project: Path) -> None:
    page = project / "_site/index.html"
    page.rename(project / "copy.html")
    page.symlink_to(project / "copy.html")
    assert not stands(plan)


@pytest.mark.parametrize(
    "other",
    [
        {"run_pages": False},
        {"settings": {"scale": {"rating": [1, 5]}}},
        {"flags": ("--map", "a=b")},
        {"strict": True},
        {"redactor": Redactor(builder=BuilderIdentity(user="somebody"))},
        {"redactor": Redactor(allowed=frozenset({"a"}))},
    ],
)
def test_another_plan_is_another_site(plan: Plan, other: dict[str, Any]) -> None:
    assert not stands(replace(plan, **other))


@pytest.mark.parametrize("part", ["the program", "a library", "the machine"])
def test_another_program_library_or_machine_is_another_site(
    plan: Plan, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    cache = BuildCache(plan)
    found = inputs.program()
    monkeypatch.setattr(inputs, "program", lambda: found | {part: "another"})
    assert cache.standing() is None
    assert cache.told == [f"the site is made again, because {part} changed"]


def test_another_ledger_of_the_package_is_another_site(
    plan: Plan, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "other.lock").write_bytes(b"another")
    monkeypatch.setenv("ASSAY_LEDGER", str(tmp_path / "other.lock"))
    assert not stands(plan)


def test_every_source_template_and_asset_is_part_of_the_program(tmp_path: Path, repo: Path) -> None:
    named = inputs.source(repo / "site_src")
    for name in ("cli.py", "assets/js/search.js", "assets/icon.svg"):
        assert name in named
    shutil.copytree(repo / "templates", tmp_path / "t")
    before = inputs.source(tmp_path / "t")
    appended(tmp_path / "t/layout/base.html")
    assert inputs.source(tmp_path / "t") != before


def test_what_changed_while_it_was_built_is_not_kept(plan: Plan, project: Path) -> None:
    appended(log(project))
    cache = BuildCache(plan)
    assert cache.standing() is None
    appended(log(project))
    cache.keep(finished(plan))
    assert "changed meanwhile" in cache.told[-1]
    assert not stands(plan)


def test_a_build_with_nothing_to_do_loads_nothing_of_what_makes_pages(project: Path) -> None:
    """It is asked for most often, by a hook or a job, and then its start is most of its time."""
    program = (
        "import sys; from pathlib import Path; from site_src.cli import main\n"
        "assert main(['build', '-q'], project=Path(sys.argv[1])) == 0; print(*sorted(sys.modules))"
    )
    loaded = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program, str(project)], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(Path(commands.__file__).parents[1])},
        )  # fmt: skip
        loaded.append(set(done.stdout.split()))
    pages = {"jinja2", "numpy", "site_src.pipeline", "site_src.pages", "metrics_core.api"}
    made, stood = loaded
    assert pages - {"numpy"} <= made
    assert not pages & stood


@at_night("test_kept_parts.py compares them after every edit")
def test_cold_and_warm_give_the_same_bytes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*words: str) -> str:
        assert main(["build", "--explain", *words], project=project) == 0
        return capsys.readouterr().err

    def bytes_of(site: Path) -> dict[str, bytes]:
        return {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()}

    cold = told()
    assert "because no entry was kept" in cold
    first = bytes_of(project / "_site")
    warm = told()
    assert "nothing is made again" in warm
    assert bytes_of(project / "_site") == first
    manifest = [line for line in cold.splitlines() if line.startswith(("note", "manifest"))]
    assert [line for line in warm.splitlines() if line.startswith(("note", "manifest"))] == manifest
    assert "the cache was not asked" in told("--no-cache")
    assert bytes_of(project / "_site") == first


def test_a_site_without_what_crashed_or_is_withheld_is_never_kept(plan: Plan) -> None:
    sources = read(plan)
    report = sample_site.experiments()[0].report
    crash = Control(name="scorer", title="scorer's process", state="failed", detail="", guards="traces")
    withheld = WithheldExperiment(name="a", title="a", problem="cannot be read")
    assert pipeline.is_repeatable(sources, [report])
    assert not pipeline.is_repeatable(sources, [replace(report, controls=(crash,))])
    assert not pipeline.is_repeatable(replace(sources, withheld=(withheld,)), [report])


@pytest.mark.parametrize("word", ["--no-cache", "--strict", "--fail-on-invalid"])
def test_a_build_that_is_a_gate_asks_no_cache(plan: Plan, project: Path, word: str) -> None:
    asked = parser().parse_args(["build", word])
    strict = replace(plan, strict=asked.strict, fail_on_invalid=asked.fail_on_invalid)
    assert commands._cache_of(strict, asked) is None
    assert commands._cache_of(plan, parser().parse_args(["build"])) is not None
