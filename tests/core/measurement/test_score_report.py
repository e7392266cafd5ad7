"""The score report: the seed's keys, everything that belongs beside them, and nothing of the machine."""

from __future__ import annotations

import getpass
import json
import os
import platform
import socket
from importlib.metadata import version
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from metrics_core.measurement.score_report import environment, score_report, score_reports
from metrics_core.results.codes import Kept, NoInterval
from metrics_core.results.control import Control
from metrics_core.results.estimate import ContractRef, Estimate, Summary
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from metrics_core.results.report import UsedContract

REF = ContractRef("m/v1-x", "1", "sha256:" + "c" * 64)
CONTRACT = UsedContract(
    REF,
    "m/v1-x",
    "user",
    "traces",
    "a" * 64,
    (("metric.py", "a" * 64),),
    (("fixture 0", "1.0", "1.0"),),
    (("score", "mean"),),
)
SIGNED = Interval(lo=0.5, hi=0.75, method="percentile bootstrap", resamples=2000, seed=7)
SCORE = Estimate(
    experiment="e",
    family="traces",
    metric="score",
    group=Keys(),
    stratum=Keys((("contract", "c"), ("split", "eval"))),
    unit="fraction",
    value=0.625,
    n=10,
    N=16,
    of="valid runs",
    known=16,
    invalid=3,
    interval=Interval(lo=0.375, hi=0.875, method="wilson"),
    contract=REF,
    data_digest="sha256:d",
    also=(
        ("signed bootstrap", SIGNED),
        ("wilson effective n", Interval(lo=0.375, hi=0.875, method="wilson")),
    ),
)
PROBE = replace(SCORE, stratum=Keys((("contract", "c"), ("split", "probe"))))
MODEL = replace(SCORE, group=Keys({"model": "alpha"}))
LATENCY = replace(
    SCORE,
    metric="latency",
    unit="s",
    value=12.5,
    contract=ContractRef("assay/traces", "1", "sha256:b"),
    stratum=Keys(),
    also=(),
    summary=Summary(12.5, 30.0, 200.0),
)


def control(guards: str = "traces", contract: str | None = None) -> Control:
    return Control(
        name="stub agent", title="stub agent", state="held", detail="d", guards=guards, contract=contract
    )


def report(*estimates: Estimate, controls: tuple[Control, ...] = (), **changed: Any) -> dict[str, Any]:
    made = score_report(
        replace(CONTRACT, **changed),
        estimates,
        controls,
        experiment="e",
        data_digest="sha256:d",
        tree="sha256:t",
    )
    json.dumps(made, allow_nan=False)
    return made


def test_the_seeds_keys_stand_at_the_top() -> None:
    made = report(SCORE, PROBE, MODEL, LATENCY)
    assert {
        k: made[k]
        for k in (
            "contract_id",
            "version",
            "fixture_count",
            "n_valid",
            "n_invalid",
            "mean",
            "ci95",
            "seed",
            "resamples",
        )
    } == {
        "contract_id": "m/v1-x",
        "version": "1",
        "fixture_count": 1,
        "n_valid": 16,
        "n_invalid": 3,
        "mean": 0.625,
        "ci95": [0.5, 0.75],
        "seed": 7,
        "resamples": 2000,
    }
    assert made["digests"] == {
        "metric": "sha256:" + "a" * 64,
        "closure": REF.digest,
        "tree": "sha256:t",
        "data": "sha256:d",
    }
    assert [r["id"] for r in made["results"]] == sorted(e.id for e in (SCORE, PROBE, MODEL))


def test_context_is_told_beside_the_score() -> None:
    (latency,) = report(SCORE, LATENCY)["context"]
    assert latency == {
        "metric": "latency",
        "unit": "s",
        "stratum": {},
        "n": 10,
        "N": 16,
        "median": 12.5,
        "p90": 30.0,
        "total": 200.0,
        "prices": None,
    }


def test_too_few_valid_runs_have_no_mean() -> None:
    few = replace(SCORE, value=None, known=5, n=3, N=5, interval=Interval.none(NoInterval.TOO_FEW), also=())
    made = report(few)
    assert (made["n_valid"], made["mean"], made["ci95"], made["note"]) == (
        5,
        None,
        None,
        "too few valid runs",
    )
    assert "seed" not in made


def test_runs_that_all_agree_have_a_mean_and_a_reason() -> None:
    flat = Interval.none(NoInterval.RESAMPLES_AGREE, method="percentile bootstrap", resamples=2000, seed=7)
    made = report(replace(SCORE, value=1.0, n=16, also=(("signed bootstrap", flat),)))
    assert (made["mean"], made["ci95"], made["seed"], made["note"]) == (1.0, None, 7, "all resamples agree")


def test_a_withheld_score_stays_withheld() -> None:
    empty, why = Interval.none(Kept("withheld")), Kept("stub agent: 0.25")
    made = report(replace(SCORE, value=None, n=None, N=None, also=(), interval=empty, withheld_by=why))
    assert (made["mean"], made["note"]) == (None, "withheld: stub agent: 0.25")
    assert made["results"][0]["N"] is None


def test_two_strata_have_no_common_headline() -> None:
    other = replace(SCORE, stratum=Keys((*SCORE.stratum, ("tools", "b"))))
    made = report(SCORE, other)
    assert (made["n_valid"], made["n_invalid"], made["mean"], made["ci95"]) == (None, None, None, None)
    assert made["note"] == "2 strata of the eval split, and no mean of them all: see results"
    assert len(made["results"]) == 2


def test_what_belongs_to_others_is_left_out() -> None:
    foreign = replace(SCORE, contract=ContractRef("m/v1-x", "1", "sha256:other"))
    told = [
        control(),
        control(contract="m/v1-x"),
        control(contract=REF.digest),
        control(contract="m/v1-x sha256:cccccccc"),
        control("brownfield"),
        control(contract="m/v2-y"),
    ]
    made = report(SCORE, foreign, controls=tuple(told))
    assert len(made["results"]) == 1
    assert [c["contract"] for c in made["controls"]] == [c.contract for c in told[:4]]


def test_every_contract_has_its_report() -> None:
    built_in = UsedContract(
        ContractRef("assay/brownfield", "1", "sha256:b"), "B", "built-in", "brownfield", None, (), (), ()
    )
    first, second = score_reports(
        [CONTRACT, built_in],
        [SCORE],
        [],
        experiment="e",
        data_digest="sha256:d",
        tree="sha256:t",
        packages={REF.digest: {"pandas": "9"}},
    )
    assert (first["contract_id"], first["digests"]["metric"], first["digests"]["tree"]) == (
        "assay/brownfield",
        None,
        None,
    )
    assert (second["mean"], second["digests"]["tree"], second["env"]["packages"]["pandas"]) == (
        0.625,
        "sha256:t",
        "9",
    )


def test_the_environment_names_versions_and_nothing_of_the_machine() -> None:
    found = environment({"pandas": "3.0"})
    assert (found["python"], found["machine"], found["pythonhashseed"]) == (
        platform.python_version(),
        platform.machine(),
        "0",
    )
    assert found["packages"] == {"msgspec": version("msgspec"), "numpy": version("numpy"), "pandas": "3.0"}
    text = json.dumps(found)
    assert not any(
        name in text for name in (os.sep, socket.gethostname(), str(Path.home()), getpass.getuser())
    )
