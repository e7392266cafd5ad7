"""Real results of four harnesses, as their authors published them, become one site with one command.

Does: hold that site against the check that outsiders run, and against counts of the data's own README, or of
its files. By day one in six of the tasks of AgentDojo is in it, and no run has a page; by night all. Each
format's rules, and the published counts of all of AgentDojo, stand in its own tests. The data are no part of
the project; see `conftest.shared_data`.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import go_without
from tests.journeys.test_build import called
from tests.support.accessibility import violations
from tests.support.by_day import at_night, by_day, by_night, looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDERS = ("axium", "agentdojo", "tau-bench", "inspect")
GEMINI, CAMEL = "model=google_gemini-2.5-flash", "model=gpt-4o-mini-2024-07-18-camel"
FILTER = "model=gpt-5-mini-2025-08-07-tool_filter"
VERSION = "benchmark_version=v1.2.2"
ATTACK = "important_instructions"
UNDER_ATTACK = f"condition=attack%3A{ATTACK}&evaluator=measured"
BENIGN = "condition=benign&evaluator=measured"
AIRLINE = "contract=assay%2Frecorded-score&scorer=reward&split=eval&suite=airline"


@pytest.fixture(scope="module")
def agentdojo(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of three pipelines: by day those of some tasks, and all of the one that has few."""
    whole = shared_data / "agentdojo"
    if by_night():
        return whole
    part = tmp_path_factory.mktemp("part") / "agentdojo"
    for task in whole.glob("runs/*/*/*"):
        pipeline, suite, name = task.parts[-3:]
        if "tool_filter" in pipeline or by_day(f"{suite}/{name}", 6):
            shutil.copytree(task, part / "runs" / pipeline / suite / name)
    return part


@pytest.fixture(scope="module")
def site(agentdojo: Path, shared_data: Path, tmp_path_factory: pytest.TempPathFactory, repo: Path) -> Path:
    output = tmp_path_factory.mktemp("real") / "site"
    folders = [str(shared_data / name if name != agentdojo.name else agentdojo) for name in FOLDERS]
    pages = () if by_night() else ("--no-run-pages",)
    done = called(repo, "build", "--quiet", "--experiments", *folders, "--output", str(output), *pages)
    assert done.returncode == 0, done.stderr
    return output


@pytest.fixture(scope="module")
def estimates(site: Path) -> dict[str, dict[str, Any]]:
    rows = json.loads((site / "data" / "estimates.json").read_bytes())["estimates"]
    return {row["id"]: row for row in rows}


def test_one_command_makes_one_site_of_four_harnesses(site: Path) -> None:
    index = json.loads((site / "site.json").read_bytes())
    told = json.dumps(index["experiments"])
    assert [name for name in FOLDERS if f'"{name}"' not in told] == []
    for name in FOLDERS:
        assert (site / "experiments" / name / "index.html").is_file()
        assert (site / "data" / "reports" / f"{name}.json").is_file()


def test_the_site_passes_the_check_that_shares_no_code_with_it(site: Path, shared_data: Path) -> None:
    script = shared_data.parent / "checks" / "check_site.py"
    if not script.is_file():
        go_without("no check_site.py beside the data", "ASSAY_REQUIRE_DATA")
    done = subprocess.run(
        [sys.executable, str(script), str(site)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("0 faults; ")


@pytest.mark.parametrize(
    ("name", "n", "N", "value"),
    [
        ("axium/brownfield.change?graded=assertions", 129, 129, 1.0),
        ("axium/brownfield.change?graded=claims", 57, 57, 1.0),
        ("axium/brownfield.regress?graded=assertions", 46, 46, 1.0),
        (f"agentdojo/attempts.utility?{FILTER}&{VERSION}&{BENIGN}", 0, 0, None),
        (f"tau-bench/traces.score?{AIRLINE}", 84, 200, 0.42),
        (f"tau-bench/traces.pass_hat_k?k=4&{AIRLINE}", 10, 50, 0.20),
    ],
)
def test_the_counts_are_those_that_the_data_must_give(
    estimates: dict[str, dict[str, Any]], name: str, n: int, N: int, value: float | None
) -> None:
    e = estimates[name]
    assert (e["n"], e["N"]) == (n, N)
    assert e["value"] == pytest.approx(value)


def counted(folder: Path, pipeline: str, attack: str, verdict: str) -> tuple[int, int]:
    """How often a verdict is true, and how often it is there, in the files of user tasks themselves."""
    found = [
        json.loads(file.read_bytes())[verdict]
        for file in folder.glob(f"runs/{pipeline}/*/user_task_*/{attack}/*.json")
        if json.loads(file.read_bytes()).get(verdict) is not None
    ]
    return sum(found), len(found)


@pytest.mark.parametrize(
    ("pipeline", "attack", "verdict", "name"),
    [
        ("google*", "none", "utility", f"utility?{GEMINI}&{VERSION}&{BENIGN}"),
        ("google*", ATTACK, "utility", f"utility?{GEMINI}&{VERSION}&{UNDER_ATTACK}"),
        ("google*", ATTACK, "security", f"attack_success?{GEMINI}&{VERSION}&{UNDER_ATTACK}"),
        ("*camel", "none", "utility", f"utility?{CAMEL}&{BENIGN}"),
        ("*camel", ATTACK, "security", f"attack_success?{CAMEL}&{UNDER_ATTACK}"),
    ],
)
def test_the_counts_of_agentdojo_are_those_of_its_files(
    agentdojo: Path, estimates: dict[str, dict[str, Any]], pipeline: str, attack: str, verdict: str, name: str
) -> None:
    """No run of these has the text of a provider's error; true `security` under attack is a breach."""
    n, N = counted(agentdojo, pipeline, attack, verdict)
    assert N > 5
    e = estimates[f"agentdojo/attempts.{name}"]
    assert (e["n"], e["N"], e["value"]) == (n, N, n / N)


def test_no_number_is_pooled_over_harnesses(estimates: dict[str, dict[str, Any]]) -> None:
    contracts: dict[str, set[str]] = {}
    for e in estimates.values():
        contracts.setdefault(e["contract"]["id"], set()).add(e["id"].partition("/")[0])
    assert contracts == {
        "assay/brownfield": {"axium"},
        "assay/attempts+agentdojo": {"agentdojo"},
        "assay/recorded-score": {"tau-bench", "inspect"},
        "assay/traces+tau-bench": {"tau-bench"},
        "assay/traces+inspect": {"inspect"},
    }


def words(page: Path) -> str:
    """The text of a page, tags left out and spaces made one."""
    bare = html.unescape(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", page.read_text(), flags=re.DOTALL))
    return " ".join(bare.split())


def test_no_page_claims_what_these_data_do_not_hold(site: Path) -> None:
    """No contract or pack of a publisher's is behind a recorded score, nor a repository behind AgentDojo."""
    pages = {name: words(site / "experiments" / name / "index.html") for name in FOLDERS}
    assert "the score that the harness recorded is read as it is" in pages["tau-bench"]
    assert "the pack’s" not in pages["tau-bench"]
    assert "Architecture, within a model" not in pages["axium"]  # one configuration
    assert "recorded and recomputed cost agree in every record that has both" in pages["axium"].lower()
    assert "median 26 397.5 " in pages["axium"].replace("\u202f", " ")
    assert "contradict themselves" not in "".join(pages.values())
    if not by_night():  # no run has a page
        return
    runs = [words(page) for page in sorted((site / "reviews" / "agentdojo").glob("*/index.html"))]
    assert any("a check of the state that the attempt left" in text for text in runs)
    assert not any("the repository's state" in text for text in runs)
    # three attempts hold no reply at all, no verdict and no error: nothing says that they came to an end
    assert not any("ran to its end" in text for text in runs)
    assert any("Attempt no error recorded" in text for text in runs)


@at_night("a small site verifies in test_verify.py")
def test_a_site_of_outside_logs_verifies_from_what_it_publishes(
    shared_data: Path, tmp_path: Path, repo: Path
) -> None:
    output = str(tmp_path / "site")
    done = called(repo, "build", "-q", "--experiments", str(shared_data / "inspect"), "--output", output)
    assert done.returncode == 0, done.stderr
    done = called(repo, "verify", output)
    assert done.returncode == 0, done.stdout
    assert "every published number was recomputed" in done.stdout


def first_of_each_kind(site: Path) -> dict[str, Path]:
    """The heaviest page of each kind; of runs and tasks that of each experiment."""
    kinds: dict[str, list[Path]] = {}
    for page in sorted(site.rglob("*.html")):
        parts = page.relative_to(site).parts
        whose = parts[1] if parts[0] in ("reviews", "tasks") and len(parts) > 2 else ""
        kind = page.name.rpartition("-")[0] if parts[:2] == ("data", "figures") else ""
        kinds.setdefault(f"{len(parts)} {parts[0]} {whose}{kind}", []).append(page)
    return {kind: max(pages, key=lambda page: page.stat().st_size) for kind, pages in kinds.items()}


ROOMY = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }"
"""Text as WCAG 1.4.12 lets a reader set it."""


def test_real_names_break_no_rule_of_accessibility(site: Path, browser: Browser) -> None:
    """Axe, no part out of the page, text with more room; by day on one kind of page, by night on all."""
    context = browser.new_context(bypass_csp=True)  # a reader's own style is none of the page's
    window = context.new_page()
    found: list[tuple[object, ...]] = []
    for kind, file in first_of_each_kind(site).items():
        if not by_night() and file != site / "models" / "index.html":
            continue
        window.goto(file.as_uri())
        window.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        for width, scheme in looks():
            window.set_viewport_size({"width": width, "height": 900})
            window.emulate_media(color_scheme=scheme)
            found += [(kind, width, scheme, rule) for rule in violations(window)]
        window.set_viewport_size({"width": 320, "height": 900})
        out = [window.evaluate("document.documentElement.scrollWidth")]
        window.add_style_tag(content=ROOMY)
        out.append(window.evaluate("document.documentElement.scrollWidth"))
        found += [(kind, width) for width in out if width > 320]
    context.close()
    assert found == []
