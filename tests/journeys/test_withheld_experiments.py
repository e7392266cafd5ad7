"""One experiment of several that cannot be read or measured: named and withheld, and no other is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from site_src import cli
from site_src.verification import verify
from tests.support import small_content
from tests.support.by_day import at_night
from tests.support.own_ledger import as_it_stands

WRONG = """\
CONTRACT_ID = "wrong/v1-tests"


def score_trace(trace):
    return float("inf")


FIXTURES = [({"tests_passed": True}, 1.0)]
"""
RECORD = '{"schema": "trace.v1", "task_id": "t", "agent": "a", "rep": 1, "tests_passed": true}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of a sound experiment, one with a bad card, one whose contract breaks its promise."""
    content = small_content.write_suite(tmp_path / "content")
    for name in ("bad-card", "bad-contract"):
        (content / "experiments" / name / "traces").mkdir(parents=True)
        (content / "experiments" / name / "traces" / "a.jsonl").write_text(RECORD)
    (content / "experiments/bad-card/eval_pack").mkdir()
    (content / "experiments/bad-card/eval_pack/tasks.json").write_text('{"tasks": [')
    (content / "experiments/bad-contract/contracts").mkdir()
    (content / "experiments/bad-contract/contracts/wrong.py").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_they_are_withheld_and_said_to_be(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["build"], project=project, package_ledger=as_it_stands()) == 0
    told = capsys.readouterr().err
    assert "note: withheld: bad-card/eval_pack/tasks.json: " in told
    assert "note: withheld: bad-contract: wrong/v1-tests" in told
    site = project / "_site"
    for name, what in (("bad-card", "bad-card/eval_pack/tasks.json"), ("bad-contract", "wrong/v1-tests")):
        page = (site / f"experiments/{name}/index.html").read_text()
        assert "Withheld: this experiment could not be read or measured." in page
        assert what in page
        assert str(project) not in page
        assert f'href="{name}/"' in (site / "experiments/index.html").read_text() or (
            f'href="{name}/index.html"' in (site / "experiments/index.html").read_text()
        )
    assert (site / "data/reports/suite.json").is_file()
    assert not (site / "data/reports/bad-card.json").exists()
    found = verify.verify(site)
    assert found.holds, [fault for row in found.rows for fault in row.faults]


PROSE = """\
---
title: Notes
---

It did {est}`bad-card/traces.score model=alpha`, by {contract}`wrong/v1-tests`,
as in {review}`bad-card/a.jsonl:1`.

```{control}
:experiment: bad-contract
```

Alpha did {est}`suite/brownfield.change model=alpha`.
"""
CLAIMING = """\
---
title: Keep it
status: proposed
date: 2026-07-20
claims:
  - {says: "It does most.", metric: bad-card/traces.score, of: alpha, at_least: 0.2}
  - {says: "It does more.", metric: bad-card/traces.score, of: alpha, above: be}
  - {says: "It was checked.", experiment: bad-contract, control: golden fixtures}
---

It did {est}`bad-card/traces.score model=alpha`.
"""


@at_night("they are withheld and said to be")
def test_prose_and_decisions_that_name_them_say_so_in_place(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "content/notes.md").write_text(PROSE)
    (project / "content/decisions/keep-it.md").write_text(CLAIMING)
    code = cli.main(["build"], project=project, package_ledger=as_it_stands())
    assert code == 0, capsys.readouterr().err
    site = project / "_site"
    notes = (site / "notes.html").read_text()
    assert notes.count("withheld: its experiment could not be read or measured") == 4
    assert "17/20 assertions" in notes
    decision = (site / "decisions/keep-it/index.html").read_text()
    assert "bad-card could not be read or measured" in decision
    assert "bad-contract could not be read or measured" in decision
    assert "withheld: its experiment could not be read or measured" in decision
    assert verify.verify(site).holds
    (project / "content/notes.md").write_text(PROSE.replace("bad-card/traces", "bad-cart/traces"))
    assert cli.main(["build"], project=project, package_ledger=as_it_stands()) == 1
    assert "bad-cart" in capsys.readouterr().err


@pytest.mark.parametrize(("command", "code"), [(["publish"], 1), (["build", "--strict"], 1), (["check"], 3)])
def test_what_is_strict_refuses_and_names_the_folder(
    project: Path, capsys: pytest.CaptureFixture[str], command: list[str], code: int
) -> None:
    """A build stops at the first, which is an error; a check goes on to the contract, which is refused."""
    assert cli.main(command, project=project, package_ledger=as_it_stands()) == code
    assert "error: content/experiments/bad-card/eval_pack/tasks.json: " in capsys.readouterr().err
    assert not (project / "_site").exists()
    assert not (project / "_public").exists()


def test_an_instrument_is_told_with_its_experiment(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compute", "content/experiments/bad-contract"], project=project) == 3
    assert "refused: content/experiments/bad-contract: wrong/v1-tests" in capsys.readouterr().err


def test_alone_it_is_an_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["build", "--experiments", "content/experiments/bad-card", "content/experiments/bad-contract"]
    assert cli.main(words, project=project, package_ledger=as_it_stands()) == 3
    assert "content/experiments/bad-contract: wrong/v1-tests" in capsys.readouterr().err
    assert not (project / "_site").exists()
