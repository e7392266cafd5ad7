"""tau-bench: results of a public benchmark, recorded rewards, and tasks that were tried several times.

Facts of the real file are the benchmark's own published ones; pass^k and pass@k of small samples are held
against every way of drawing k tries.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import metrics_core as mc
from metrics_core import convert as importing
from metrics_core.adapters import ADAPTERS
from metrics_core.adapters.tau_bench import claims, convert
from metrics_core.digest import canonical
from metrics_core.engine import reviews
from metrics_core.errors import ConfigError, FormatError, InputError
from metrics_core.experiments.settings import Settings
from metrics_core.families.traces import FAMILY
from metrics_core.families.traces.record import Trace
from metrics_core.formats import Element, OutsideFile
from metrics_core.formats.jsonl import Row, read
from metrics_core.measurement.family import Context
from metrics_core.measurement.finalise import finalise
from metrics_core.measurement.tabulate import tabulate
from metrics_core.memo import Memo
from metrics_core.results.estimate import Estimate
from metrics_core.results.problem import Problem
from metrics_core.results.report import Report
from site_src import cli

NO_DATA = "sha256:" + "0" * 64


def tried(task: int, trial: int, reward: Any, **more: Any) -> dict[str, Any]:
    said = [{"role": "system", "content": "policy"}, {"role": "user", "content": f"{task}.{trial}"}]
    info = {"task": {}, "source": "user", "user_cost": 0.002}
    return {"task_id": task, "reward": reward, "info": info, "traj": said, "trial": trial, **more}


def estimates(traces: Sequence[dict[str, Any]], settings: Settings | None = None) -> dict[str, Estimate]:
    """Every estimate of some traces, by its id without the experiment."""
    lines = [canonical(trace) + b"\n" for trace in traces]
    context = Context(experiment="x", settings=settings or Settings(), memo=Memo())
    partial = tabulate(FAMILY, [list(read(lines, Trace, file="t.jsonl"))], context)
    return {e.id.removeprefix("x/traces."): e for e in finalise(FAMILY, partial, context, NO_DATA).estimates}


def of(report: Report, metric: str, **keys: str) -> Estimate:
    (found,) = (e for e in report.find(metric, **keys) if set(e.group.names) <= {*keys, "k"})
    return found


# ------------------------------------------------------------------ the real file


@pytest.fixture(scope="module")
def airline(shared_data: Path) -> Report:
    return mc.compute(mc.load(shared_data / "tau-bench"))


def test_the_rewards_are_those_that_the_benchmark_published(airline: Report) -> None:
    score = of(airline, "score")
    assert (score.n, score.N, score.value, score.attempts, score.unknown) == (84, 200, 0.42, 200, 0)
    assert (score.contract.id, score.stratum["scorer"]) == ("assay/recorded-score", "reward")
    assert (score.interval.cluster, score.interval.clusters) == ("scenario", 50)
    assert of(airline, "score", model="gpt-4o").value == 0.42
    assert airline.records == 200
    assert airline.problems == airline.findings == ()


def test_pass_hat_k_is_that_which_the_benchmark_published(airline: Report) -> None:
    published = {"1": 0.420, "2": 0.273333, "3": 0.220, "4": 0.200}
    found = {e.group["k"]: e for e in airline.find("pass_hat_k", model="gpt-4o")}
    assert {k: round(e.value or 0, 6) for k, e in found.items()} == published
    assert {(e.n, e.N, e.of, e.attempts) for e in found.values()} == {(10, 50, "tasks", 200)}
    assert round(of(airline, "pass_at_k", k="4").value or 0, 6) == round(1 - 14 / 50, 6)  # 14 never pass


def test_each_trial_has_its_own_rewards(airline: Report, shared_data: Path) -> None:
    experiment = mc.load(shared_data / "tau-bench")
    by_trial: Counter[int] = Counter()
    for review in reviews(experiment):
        (verdict,) = review.verdicts
        by_trial[int(dict(review.facts)["repetition"])] += verdict.n
    assert [by_trial[trial] for trial in range(4)] == [21, 22, 20, 21]


def test_what_the_simulated_user_cost_is_no_cost_of_the_agent(airline: Report) -> None:
    assert "cost" not in {e.metric for e in airline.estimates}
    spent = of(airline, "user_cost")
    assert (spent.n, spent.N, spent.unknown) == (195, 200, 5)
    assert spent.prices == "recorded, no table"


def test_an_import_holds_the_same_records(airline: Report, shared_data: Path, tmp_path: Path) -> None:
    found = importing.outside(shared_data / "tau-bench" / "gpt-4o-airline.json", "tau-bench")
    settings, log = importing.native(found)
    assert (log.path, log.records, log.problems) == ("traces/gpt-4o-airline.jsonl", 200, ())
    for file in (settings, log):
        (tmp_path / file.path).parent.mkdir(exist_ok=True)
        (tmp_path / file.path).write_bytes(file.data)
    again = mc.compute(mc.load(tmp_path))
    assert {(e.metric, e.group, e.stratum, e.value, e.interval) for e in again.estimates} == {
        (e.metric, e.group, e.stratum, e.value, e.interval) for e in airline.estimates
    }
    assert of(again, "score").contract == of(airline, "score").contract


# ------------------------------------------------------------------ what an import refuses


def test_an_import_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("[]")
    with pytest.raises(ConfigError, match=r"the format \"tau\" .nearest: tau-bench, tau2-bench"):
        importing.outside(tmp_path, "tau")
    with pytest.raises(InputError, match="holds nothing of the format"):
        importing.outside(tmp_path, "tau-bench")
    (tmp_path / "a.json").write_bytes(json.dumps([tried(0, 0, 1.0)]).encode())
    with pytest.raises(InputError, match="holds no logs that are read here"):
        importing.outside(tmp_path / "notes.json", "tau-bench")


# ------------------------------------------------------------------ the adapter


def read_text(text: str, path: str = "gpt-4o-airline.json") -> list[Any]:
    found = list(convert(OutsideFile(path=path, data=text.encode())))
    return [item.record if isinstance(item, Element) else item for item in found]


def made(tries: Any, path: str = "gpt-4o-airline.json") -> list[Any]:
    return read_text(json.dumps(tries), path)


def test_tries_are_claimed_in_a_list_or_alone_and_damaged_or_not() -> None:
    head = json.dumps([tried(0, 0, 1.0)]).encode()
    assert claims("a.json", json.dumps(tried(0, 0, 1.0), indent=2).encode())
    assert claims("a.json", b"[NaN, " + head[1:])
    assert claims("a.json", b"[null, 5" + b", " + head[1:-90])
    assert claims("runs/gpt-4o-airline.json", head)
    assert claims("a.json", head[:200])
    assert not claims("a.jsonl", head)
    assert not claims("a.json", b'{"task_id": 0, "reward": 1.0}')
    assert not claims("a.json", b'{"trials": [{"task_id": 0, "reward": 1.0, "info": {}}]}')
    assert not claims("package.json", b'[{"task_id": 1, "name": "x"}]')
    assert not any(a.claims("a.json", head) for name, a in ADAPTERS.items() if name != "tau-bench")


def test_a_try_is_a_trace_of_its_file_s_arm() -> None:
    (trace,) = made([tried(7, 2, 0.5)], "runs/sonnet-new-retail.json")
    assert (trace["agent"], trace["suite"], trace["task_id"]) == ("sonnet-new", "retail", "retail/7")
    assert (trace["rep"], trace["scores"], trace["user_cost_usd"]) == (2, {"reward": 0.5}, 0.002)
    (other,) = made([tried(7, 2, 0.5)], "act-gpt-4.json")
    assert (other["agent"], other["task_id"], "suite" in other) == ("act-gpt-4", "7", False)


def test_a_try_that_ended_in_an_exception_is_an_error_and_no_zero() -> None:
    crashed = tried(1, 0, 0.0, info={"error": "rate limit", "traceback": "..."}, traj=[])
    found = estimates(made([tried(0, 0, 1.0), crashed]))
    score = found["score?contract=assay%2Frecorded-score&scorer=reward&split=eval&suite=airline"]
    assert (score.n, score.N, score.errors, score.attempts) == (1, 1, 1, 2)


def test_a_reward_that_is_missing_or_none_is_unknown_and_text_invalid() -> None:
    tries = [tried(0, 0, None), tried(1, 0, "1.5"), tried(2, 0, "1.0"), {"task_id": 3, "trial": 0}]
    found = estimates(made(tries))
    score = found["score?contract=assay%2Frecorded-score&scorer=reward&split=eval&suite=airline"]
    assert (score.N, score.unknown, score.invalid) == (0, 2, 2)
    assert score.value is None


def test_what_is_no_try_is_a_problem_with_its_number() -> None:
    found = made([tried(0, 0, 1.0), 5, {"reward": 1.0}])
    assert [item.line for item in found if isinstance(item, Problem)] == [2, 3]
    with pytest.raises(FormatError, match="expected tries, got 5"):
        read_text("5")
    with pytest.raises(FormatError, match="column"):
        read_text('[{"task_id": 0, "reward": 1.0')


def test_a_try_alone_is_one_run_of_the_same_bytes() -> None:
    text = json.dumps(tried(7, 2, 0.5), indent=2)
    (listed,) = convert(OutsideFile(path="m-retail.json", data=f"[\n{text}\n]".encode()))
    (alone,) = convert(OutsideFile(path="m-retail.json", data=text.encode()))
    assert listed == alone
    assert isinstance(alone, Element)
    assert (alone.source, alone.record["scores"]) == (text.encode(), {"reward": 0.5})


BAD = {
    "NaN": "reward", "1e999": "reward", "9" * 400: "reward", '{"a": 1, "a": 2}': "reward/a",
    "[NaN]": "reward/0",
}  # fmt: skip


@pytest.mark.parametrize("bad", [*BAD, '["1.0"]', '"1.0"'])
def test_a_bad_element_costs_one_run_and_the_others_keep_their_numbers(bad: str, tmp_path: Path) -> None:
    tries = [json.dumps(tried(n, 0, 1.0)) for n in range(4)]
    tries[1] = tries[1].replace('"reward": 1.0', f'"reward": {bad}')
    tries[3] = json.dumps(tried(3, -1, 1.0))
    (tmp_path / "m-airline.json").write_text(f"[{', '.join(tries)}]")
    report = mc.compute(mc.load(tmp_path))
    score = of(report, "score")
    assert (score.n, score.N, score.invalid, score.attempts) == (2, 2, 2, 4)
    placed = [(problem.line, problem.field) for problem in report.problems]
    assert (4, "rep") in placed
    if bad in BAD:
        assert (2, BAD[bad]) in placed


def test_the_name_that_the_command_gives_is_agent_and_user(tmp_path: Path) -> None:
    name = "runs/tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_0104123000.json"
    (trace,) = made([tried(7, 2, 0.5)], name)
    assert (trace["agent"], trace["suite"], trace["task_id"]) == (
        "tool-calling-gpt-4o-0.0",
        "user gpt-4o-llm",
        "7",
    )
    policy = [{"role": "system", "content": "# Retail agent policy\n\nAs a retail agent, ..."}]
    (trace,) = made([tried(7, 2, 0.5, traj=policy)], name)
    assert (trace["suite"], trace["task_id"]) == ("retail, user gpt-4o-llm", "retail/7")


def test_one_file_name_in_two_folders_is_two_strata(tmp_path: Path) -> None:
    for name, reward in (("plain", 1.0), ("hinted", 0.0)):
        (tmp_path / name).mkdir()
        tries = [tried(n, 0, reward, traj=[{"role": "user", "content": name}]) for n in range(3)]
        (tmp_path / name / "m-retail.json").write_text(json.dumps(tries))
    report = mc.compute(mc.load(tmp_path))
    scores = {e.stratum["lies_in"]: (e.n, e.N) for e in report.find("score") if not e.group}
    assert scores == {"plain": (3, 3), "hinted": (0, 3)}
    assert report.findings == ()


def test_one_trial_with_two_outcomes_is_told_with_both_places_and_both_count(shared_data: Path) -> None:
    report = mc.compute(mc.load(shared_data / "own" / "tau-dup"))
    assert (of(report, "score").n, of(report, "score").N, report.duplicates) == (5, 20, 0)
    assert [str(finding) for finding in report.findings] == [
        f"m-airline.json:{n + 10}: another outcome than m-airline.json:{n} of the same task, arm and "
        "repetition; both are counted"
        for n in range(1, 6)
    ]


def test_the_same_results_under_two_names_are_counted_once(tmp_path: Path) -> None:
    data = json.dumps([tried(0, 0, 1.0), tried(0, 1, 0.0)]).encode()
    for when in ("0101000000", "0102000000"):
        (tmp_path / f"act-gpt-4o-0.0_range_0-2_user-gpt-4o-llm_{when}.json").write_bytes(data)
    report = mc.compute(mc.load(tmp_path))
    assert (of(report, "score").attempts, report.duplicates) == (2, 2)


def test_a_prompt_that_moves_inside_an_arm_makes_two_strata() -> None:
    other = [{"role": "system", "content": "another policy"}]
    same = made([tried(0, 0, 1.0), tried(1, 0, 1.0)])
    moved = made([tried(0, 0, 1.0), tried(1, 0, 1.0, traj=other)])
    assert sum(key.startswith("score?contract") for key in estimates(same)) == 1
    assert sum(key.startswith("score?contract") for key in estimates(moved)) == 2


# ------------------------------------------------------------------ pass^k and pass@k


def drawn(passes: Sequence[bool], k: int, how: Any) -> float:
    """The share of all ways to draw k of the tries in which ``how`` of them passed."""
    ways = list(combinations(passes, k))
    return sum(how(way) for way in ways) / len(ways)


RUNS = st.lists(st.lists(st.booleans(), min_size=1, max_size=5), min_size=3, max_size=6)


@given(RUNS)
def test_k_tries_are_every_way_of_drawing_k_tries(tasks: list[list[bool]]) -> None:
    traces = [
        {"task_id": f"t{t}", "agent": "m", "scores": {"s": passed}}
        for t, passes in enumerate(tasks)
        for passed in passes
    ]
    found = estimates(traces)
    most = max(map(len, tasks))
    where = "contract=assay%2Frecorded-score&scorer=s&split=eval"
    if most < 2:
        assert not any(key.startswith("pass_") for key in found)
        return
    assert f"pass_hat_k?k={most + 1}&{where}" not in found
    for k in range(1, most + 1):
        enough = [passes for passes in tasks if len(passes) >= k]
        for name, how in (("pass_hat_k", all), ("pass_at_k", any)):
            e = found[f"{name}?k={k}&{where}"]
            shares = [drawn(passes, k, how) for passes in enough]
            assert (e.n, e.N) == (sum(share == 1 for share in shares), len(enough))
            assert e.attempts == sum(map(len, tasks))
            if e.known < 8:
                assert e.value is None
            else:
                assert e.value is not None
                assert isclose(e.value, sum(shares) / len(shares), abs_tol=1e-12)


def test_a_task_of_two_arms_is_two_tasks_and_one_cluster() -> None:
    traces = [
        {"task_id": f"t{t}", "agent": arm, "scores": {"s": grade}}
        for t in range(8)
        for arm, grades in (("a", "CC"), ("b", "II"))
        for grade in grades
    ]
    whole = estimates(traces)["pass_hat_k?k=2&contract=assay%2Frecorded-score&scorer=s&split=eval"]
    assert (whole.n, whole.N, whole.value, whole.attempts) == (8, 16, 0.5, 32)
    assert (whole.interval.cluster, whole.interval.clusters) == ("scenario", 8)


def test_a_partial_score_is_no_pass() -> None:
    traces = [{"task_id": f"t{n % 4}", "agent": "m", "scores": {"s": "P"}} for n in range(8)]
    found = estimates(traces)
    where = "contract=assay%2Frecorded-score&scorer=s&split=eval"
    assert found[f"score?{where}"].value == 0.5
    assert (found[f"pass_at_k?k=2&{where}"].value, found[f"pass_at_k?k=2&{where}"].n) == (0.0, 0)


def test_fewer_than_eight_tasks_have_counts_and_no_interval() -> None:
    traces = [{"task_id": f"t{n % 4}", "agent": "m", "scores": {"s": "C"}} for n in range(8)]
    e = estimates(traces)["pass_hat_k?k=2&contract=assay%2Frecorded-score&scorer=s&split=eval"]
    assert (e.n, e.N, e.value, e.headline, e.interval.lo) == (4, 4, 1.0, "counts", None)


# ------------------------------------------------------------------ recorded scores


def test_a_user_s_contract_goes_before_a_recorded_score(tmp_path: Path) -> None:
    (tmp_path / "traces").mkdir()
    (tmp_path / "contracts").mkdir()
    rows = [{"task_id": f"t{n}", "agent": "m", "scores": {"s": "I"}} for n in range(8)]
    rows += [{"task_id": "t9", "agent": "m", "scores": {"s": "C"}, "contract_id": "assay/recorded-score"}]
    (tmp_path / "traces" / "a.jsonl").write_bytes(b"".join(canonical(row) + b"\n" for row in rows))
    (tmp_path / "contracts" / "m.py").write_text(
        "CONTRACT_ID = 'all-pass/v1'\nFIXTURES = [({'scores': {}}, 1.0), ({}, 0.0)]\n\n\n"
        "def score_trace(trace):\n    return 1.0 if 'scores' in trace else 0.0\n"
    )
    report = mc.compute(mc.load(tmp_path))
    by_contract = {e.contract.id: e for e in report.find("score") if not e.group}
    assert (by_contract["all-pass/v1"].n, by_contract["all-pass/v1"].N) == (8, 8)
    assert (by_contract["assay/recorded-score"].n, by_contract["assay/recorded-score"].N) == (1, 1)
    assert {c.ref.id for c in report.contracts} == {"assay/traces", "all-pass/v1", "assay/recorded-score"}


def test_a_contract_that_reads_nothing_here_is_not_named(tmp_path: Path) -> None:
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "a.jsonl").write_bytes(b'{"task_id":"t","agent":"m"}\n')
    assert [c.ref.id for c in mc.compute(mc.load(tmp_path)).contracts] == ["assay/traces"]


def test_no_answer_is_a_zero_that_is_called_so() -> None:
    line = canonical({"task_id": "t", "agent": "m", "scores": {"match": "N"}})
    (row,) = (r for r in read([line], Trace, file="t.jsonl") if isinstance(r, Row))
    (review,) = FAMILY.review([row], Context(experiment="x", settings=Settings(), memo=Memo()))
    (verdict,) = review.verdicts
    assert (verdict.word, verdict.value, verdict.n, verdict.N) == ("no answer", 0.0, 0, 1)
    assert [loss[:3] for loss in review.lost] == [("full score", "known", "no answer")]


def test_two_suites_are_never_one_number() -> None:
    traces = [
        {"task_id": f"{suite}/{n}", "agent": "m", "suite": suite, "scores": {"s": "C"}}
        for suite in ("airline", "retail")
        for n in range(2)
    ]
    whole = [e for key, e in estimates(traces).items() if key.startswith("score?contract")]
    assert [(e.N, e.stratum["suite"]) for e in whole] == [(2, "airline"), (2, "retail")]


# ------------------------------------------------------------------ the command


def test_import_writes_a_folder_that_can_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, made_here = tmp_path / "gpt-4o-airline.json", tmp_path / "native"
    source.write_bytes(json.dumps([tried(0, 0, 1.0), tried(0, 1, 0.0), 5]).encode())
    words = ["import", "tau-bench", str(source), str(made_here)]
    assert cli.main(words, project=tmp_path) == 0
    told = capsys.readouterr().err
    assert "native: 2 records of gpt-4o-airline; problems: 1" in told
    assert "gpt-4o-airline.json:3: expected a try" in told
    report = mc.compute(mc.load(made_here))
    assert (of(report, "score").n, of(report, "score").N) == (1, 2)
    assert cli.main(words, project=tmp_path) == 1
    assert "is there already" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gpt-4o-airline.json", "native"]
