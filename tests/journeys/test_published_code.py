"""A contract is code: how a site says in what it ran, and that checking a site runs none without a cage."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from metrics_core.contracts import scorer, scorer_process
from metrics_core.redaction import Redactor
from site_src import cli, pipeline
from site_src.project import Plan
from site_src.publishing import gates
from site_src.verification import verify
from tests.support.written_contracts import write_contract

CONTRACT = "return 1.0 if trace['task_id'] < 't3' else 0.0"


def experiment(folder: Path) -> Path:
    (folder / "contracts").mkdir(parents=True)
    write_contract(folder / "contracts", CONTRACT)
    (folder / "traces").mkdir()
    traces = [{"schema": "trace.v1", "task_id": f"t{n}", "agent": "a", "rep": 1} for n in range(6)]
    (folder / "traces" / "a.jsonl").write_text("".join(json.dumps(trace) + "\n" for trace in traces))
    return folder


def built(folder: Path, site: Path) -> Path:
    pipeline.build(Plan(content=None, experiments=(folder,), output=site, redactor=Redactor()))
    return site


@pytest.fixture(scope="module")
def caged_site(tmp_path_factory: pytest.TempPathFactory, cage: str) -> Path:
    assert cage
    folder = tmp_path_factory.mktemp("caged")
    return built(experiment(folder / "graded"), folder / "site")


@pytest.fixture
def no_cage(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that has none; what runs already is ended, so that nothing caged answers in its place."""
    scorer.close_all()
    monkeypatch.setattr(scorer, "CAGED", False)


def score_env(site: Path) -> str:
    (file,) = site.glob("data/score-reports/graded/t-v1-x*.json")
    return str(json.loads(file.read_bytes())["env"]["cage"])


def pages(site: Path) -> tuple[str, str]:
    (contract,) = (p for p in site.glob("contracts/**/*.html") if "own: code," in p.read_text("utf-8"))
    return contract.read_text("utf-8"), (site / "data/index.html").read_text("utf-8")


def test_a_site_says_that_its_contracts_ran_in_a_cage(caged_site: Path) -> None:
    said = score_env(caged_site)
    assert said.startswith("landlock ")
    assert " seccomp" in said
    contract, data = pages(caged_site)
    assert "code, which ran in a cage made by the operating system" in contract
    assert said in contract
    assert "t/v1-x ran in a cage made by the operating system" in data
    found = verify.verify(caged_site)
    assert (found.exit_code, found.holds) == (0, True), found.rows
    assert found.told[0] == f"t/v1-x v1: cage here {said}, when it was built {said}"


def test_where_there_is_no_cage_verifying_runs_no_contract_and_says_what_it_did_not_recompute(
    caged_site: Path,
    no_cage: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(scorer_process.ScorerProcess, "load", lambda self: sent.append(self.name))
    assert cli.main(["verify", str(caged_site)]) == 5
    told = capsys.readouterr().out
    assert "graded: no number of it was recomputed: t/v1-x: is code, and was not run" in told
    assert "--run-contracts" in told
    assert "all that was checked holds, and not everything was checked" in told
    assert "every published number" not in told
    assert sent == []
    assert cli.main(["verify", "--json", str(caged_site)]) == 5
    document = json.loads(capsys.readouterr().out)
    assert document["holds"] is False
    assert len(document["not_checked"]) == 2


def test_whoever_says_so_runs_them_without(caged_site: Path, no_cage: None) -> None:
    found = verify.verify(caged_site, run_contracts=True)
    assert found.exit_code == 0, found.rows
    assert found.told[0].startswith("t/v1-x v1: cage here none, when it was built landlock")


def test_a_site_that_was_built_without_a_cage_says_so_and_is_checked_in_one(
    tmp_path: Path, cage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer.close_all()
    with monkeypatch.context() as without:
        without.setattr(scorer, "CAGED", False)
        site = built(experiment(tmp_path / "graded"), tmp_path / "site")
    scorer.close_all()
    assert score_env(site) == "none"
    contract, data = pages(site)
    assert "The publisher&#39;s own: code, which ran without a cage" in contract
    assert "t/v1-x ran without a cage" in data
    found = verify.verify(site)
    assert found.exit_code == 0, found.rows
    assert found.told[0].endswith("when it was built none")
    assert "cage here landlock" in found.told[0]


def test_building_without_a_cage_is_noted(tmp_path: Path, no_cage: None) -> None:
    import metrics_core as mc

    report = mc.compute(mc.load(experiment(tmp_path / "graded")))
    notes = gates.check_publication([report], None)
    assert any("graded: t/v1-x is code, and ran without a cage" in note for note in notes)


def test_a_cage_that_a_site_claims_is_taken_over_only_if_it_is_a_word_of_ours(
    caged_site: Path, tmp_path: Path
) -> None:
    from tests.journeys.test_verify import republish

    copy = shutil.copytree(caged_site, tmp_path / "site")
    report = copy / "data/reports/graded.json"
    report.write_bytes(report.read_bytes().replace(b'"cage": "landlock', b'"cage": "<b>landlock'))
    republish(copy)
    found = verify.verify(copy)
    assert found.exit_code == 1
    assert found.told[0].endswith("when it was built not told")


def test_no_variable_of_the_environment_opens_the_cage(cage: str) -> None:
    """What a stranger's site, or whoever starts the command, could set: there is no such switch."""
    folder = Path(scorer_process.__file__).parent
    read = [*folder.glob("scorer*.py"), *(folder / "cage").glob("*.py")]
    named = {path.name for path in read if re.search(r"\benviron\b|getenv", path.read_text("utf-8"))}
    assert named == {"scorer_process.py"}  # which clears it
    assert set(scorer_process.environment()) <= {
        "PYTHONHASHSEED", "PYTHONUTF8", "LC_ALL", "TZ", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS", *({"SYSTEMROOT"} & set(os.environ)),
    }  # fmt: skip
