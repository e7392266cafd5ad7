"""What an Inspect log says of itself beside what it holds: ends, limits, reducers, edits, failures, retries.

Each kind of trouble is a small log of our own with its right value; then logs that Inspect itself wrote, with
the figures that it reads from them.
"""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.formats import decompression
from metrics_core.results import Estimate, Report
from tests.support.inspect_logs import archive, graded, header, log, measured, read, sample, whole

NAN = float("nan")


def told(report: Report) -> list[str]:
    return [str(each) for each in report.findings]


def notes(e: Estimate) -> tuple[str, ...]:
    """Those that name a file, without its name."""
    split = (note.partition(" ") for note in e.notes)
    return tuple(says for name, _, says in split if name.endswith((".json", ".eval")))


def under(report: Report, scorer: str) -> Estimate:
    (found,) = (e for e in report.find("score", scorer=scorer) if not e.group)
    return found


def stated(value: float, scorer: str = "match", metric: str = "accuracy", **more: Any) -> dict[str, Any]:
    metrics = {metric: {"name": metric, "value": value}}
    return {"name": scorer, "scorer": scorer, "metrics": metrics, **more}


def results(*scores: dict[str, Any], total: int | None = None) -> dict[str, Any]:
    return {"scores": list(scores)} | ({} if total is None else {"total_samples": total})


def told_to(**config: Any) -> dict[str, Any]:
    return {**header()["eval"], "config": config}


def of_twenty(**more: Any) -> dict[str, Any]:
    return {**header()["eval"], "dataset": {"samples": 20}, **more}


# ------------------------------------------------------------------ how many, and how it ended


@pytest.mark.parametrize(
    ("status", "says"),
    [
        ("error", "ended with status error: 18 of 20 runs never ran"),
        ("cancelled", "ended with status cancelled: 18 of 20 runs never ran"),
        ("started", "ended with status started: 18 of 20 runs never ran"),
        ("success", "declares 20 runs; 2 are here"),
    ],
)
def test_a_log_that_is_not_whole_says_so_at_its_number(tmp_path: Path, status: str, says: str) -> None:
    data = archive(graded(1, "C"), graded(2, "I"), status=status, eval=of_twenty())
    report = measured(tmp_path, {"a.eval": data})
    assert (whole(report).n, whole(report).N, notes(whole(report))) == (1, 2, (says,))


def test_a_log_without_its_last_header_has_the_one_that_it_began_with(tmp_path: Path) -> None:
    begun = {key: value for key, value in header(eval=of_twenty()).items() if key != "status"}
    data = archive(graded(1, "C"), name="_journal/start.json", status=None, eval=begun["eval"])
    report = measured(tmp_path, {"a.eval": data})
    assert notes(whole(report)) == ("ended with status started: 19 of 20 runs never ran",)


def test_what_ran_and_is_not_held_is_not_said_never_to_have_run(tmp_path: Path) -> None:
    total = results(stated(1.0), total=20) | {"completed_samples": 5}
    data = archive(graded(1, "C"), graded(2, "C"), status="cancelled", eval=of_twenty(), results=total)
    assert notes(whole(measured(tmp_path, {"a.eval": data}))) == (
        "ended with status cancelled: 15 of 20 runs never ran", "declares 5 runs; 2 are here",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("config", "held", "says"),
    [
        ({"limit": 2}, 2, ("was limited: the first 2 samples",)),
        ({"limit": [2, 4]}, 2, ("was limited: samples 3 to 4",)),
        ({"limit": 2, "epochs": 3}, 2, ("declares 6 runs; 2 are here", "was limited: the first 2 samples")),
        ({"sample_id": ["a", "b"]}, 20, ("was limited: 2 chosen samples",)),
        ({"sample_id": ["a"]}, 20, ("was limited: 1 chosen sample",)),
        ({"limit": 1}, 1, ("was limited: the first sample",)),
        ({"limit": [4, 5]}, 1, ("was limited: sample 5",)),
    ],
)
def test_a_limit_is_told_and_counts_in_what_was_planned(
    tmp_path: Path, config: dict[str, Any], held: int, says: tuple[str, ...]
) -> None:
    data = log(*(graded(n, "C") for n in range(held)), eval=of_twenty(config=config))
    assert tuple(sorted(notes(whole(measured(tmp_path, {"a.json": data}))))) == says


def test_samples_that_a_limit_stopped_are_told(tmp_path: Path) -> None:
    stopped = {**graded(1, "I"), "limit": {"type": "message", "limit": 5}}
    late = {**graded(2, "I"), "limit": {"type": "time", "limit": 5}}
    report = measured(tmp_path, {"a.json": log(stopped, late, graded(3, "C"))})
    assert notes(whole(report)) == ("was limited: 2 of 3 runs were stopped at a limit (message 1, time 1)",)


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"", "is empty: it holds no byte of a log"), (archive(graded(1, "C"))[:-40], "expected a whole zip")],
)
def test_an_empty_log_and_one_that_is_cut_off_say_so(tmp_path: Path, data: bytes, what: str) -> None:
    report = measured(tmp_path, {"a.eval": data, "b.json": log(graded(1, "C"))})
    (problem,) = report.problems
    assert problem.file == "a.eval"
    assert what in problem.what
    assert (whole(report).n, whole(report).N, whole(report).invalid) == (1, 1, 0)


# ------------------------------------------------------------------ its own figure


@pytest.mark.parametrize(
    ("own", "says"),
    [
        (stated(0.5), ()),
        (stated(0.5, metric="mean"), ()),
        (stated(0.75), ("its own figure (accuracy) is 0.75; its runs' mean is 0.5",)),
        (
            stated(1.0, reducer="max"),
            ("its own figure (accuracy, reducer max) is 1; its runs' mean is 0.5",),
        ),
        (stated(0.1, metric="stderr"), ()),
        (stated(NAN), ()),
    ],
)
def test_the_log_s_own_figure_is_told_where_it_is_another(
    tmp_path: Path, own: dict[str, Any], says: tuple[str, ...]
) -> None:
    data = archive(graded(1, "C"), graded(1, "I", 2), results=results(own))
    assert notes(whole(measured(tmp_path, {"a.eval": data}))) == says


def test_a_figure_stands_at_its_own_scorer_alone(tmp_path: Path) -> None:
    both = sample(1, scores={"match": {"value": "C"}, "judge": {"value": {"tone": 1.0}}})
    own = {**stated(0.25, "judge", "mean"), "name": "tone"}
    report = measured(tmp_path, {"a.json": log(both, results=results(stated(1.0), own))})
    assert notes(under(report, "match")) == ()
    assert notes(under(report, "judge/tone")) == ("its own figure (mean) is 0.25; its runs' mean is 1",)


def test_epochs_made_one_by_another_reducer_are_another_suite() -> None:
    for config, suite in (
        ({"epochs_reducer": ["max"]}, "sums (reducer max)"),
        ({"epochs_reducer": ["mean", "max"]}, "sums"),
        ({}, "sums"),
    ):
        assert read(log(graded(1, "C"), eval=told_to(**config)))[0]["suite"] == suite


def test_the_arguments_of_a_task_are_part_of_its_suite(tmp_path: Path) -> None:
    def suite(**given: Any) -> str:
        return str(read(log(graded(1, "C"), eval={**header()["eval"], "task_args": given}))[0]["suite"])

    assert suite(n=3, level="hard") == "sums (level=hard, n=3)"
    long = {suite(text="x" * 100), suite(text="y" * 100)}
    assert len(long) == 2
    assert all(len(each) < 40 for each in long)
    easy = {**header()["eval"], "task_args": {"level": "easy"}, "task_id": "T2"}
    report = measured(tmp_path, {"a.json": log(graded(1, "C")), "b.json": log(graded(1, "I"), eval=easy)})
    assert sorted((e.stratum["suite"], e.n, e.N) for e in report.find("score") if not e.group) == [
        ("sums", 1, 1),
        ("sums (level=easy)", 0, 1),
    ]


# ------------------------------------------------------------------ scores


@pytest.mark.parametrize("form", [log, archive], ids=["json", "eval"])
def test_nan_is_not_scored(tmp_path: Path, form: Any) -> None:
    data = form(graded(1, NAN), graded(2, "C"), graded(3, {"text": "NaN, and -Infinity"}["text"]))
    name = "a.json" if form is log else "a.eval"
    score = whole(measured(tmp_path, {name: data}))
    assert (score.n, score.N, score.unknown, score.invalid) == (1, 1, 1, 1)


@pytest.mark.parametrize("form", [log, archive], ids=["json", "eval"])
def test_nan_under_one_key_or_for_all_keys_is_not_scored(tmp_path: Path, form: Any) -> None:
    values = [{"a": 1.0, "b": NAN}, {"a": 0.0, "b": 1.0}, NAN]
    name = "a.json" if form is log else "a.eval"
    report = measured(tmp_path, {name: form(*(graded(n, v) for n, v in enumerate(values)))})
    a, b = under(report, "match/a"), under(report, "match/b")
    assert (a.n, a.N, a.unknown) == (1, 2, 1)
    assert (b.n, b.N, b.unknown) == (1, 1, 2)
    assert {e.stratum["scorer"] for e in report.find("score")} == {"match/a", "match/b"}


def test_infinity_is_no_score_and_no_accident(tmp_path: Path) -> None:
    score = whole(measured(tmp_path, {"a.eval": archive(graded(1, float("inf")), graded(2, "C"))}))
    assert (score.n, score.N, score.invalid) == (1, 1, 1)


def test_labels_are_worth_what_inspect_takes_them_for(tmp_path: Path) -> None:
    right = ["C", "yes", "TRUE", "1", "1.0"]
    wrong = ["I", "N", "no", "False", "0"]
    part = ["P", "0.5", " 0.5 "]
    values = [*right, *wrong, *part]
    score = whole(measured(tmp_path, {"a.json": log(*(graded(n, v) for n, v in enumerate(values)))}))
    assert (score.n, score.N, score.invalid) == (len(right), len(values), 0)
    assert score.value is not None
    assert isclose(score.value, (5 + 3 * 0.5) / 13)


def test_a_scorer_that_did_not_reach_a_sample_does_not_know_it(tmp_path: Path) -> None:
    both = [sample(n, scores={"exact": {"value": "I"}, "judge": {"value": 1.0}}) for n in range(6)]
    one = [sample(n, scores={"exact": {"value": "C"}}) for n in range(6, 10)]
    report = measured(tmp_path, {"a.eval": archive(*one, *both)})
    exact, judge = under(report, "exact"), under(report, "judge")
    assert (exact.n, exact.N, exact.unknown) == (4, 10, 0)
    assert (judge.n, judge.N, judge.unknown) == (6, 6, 4)


def test_an_edited_score_counts_as_edited_and_says_so(tmp_path: Path) -> None:
    first, edit = {"value": "I"}, {"value": "C", "provenance": {"author": "ann", "reason": "typo"}}
    words = {"value": "UNCHANGED", "explanation": "better", "provenance": {"author": "ann"}}
    edited = sample(1, scores={"match": {"value": "C", "history": [first, edit]}})
    reworded = sample(2, scores={"match": {"value": "I", "history": [first, words]}})
    report = measured(tmp_path, {"a.json": log(edited, reworded)})
    assert (whole(report).n, whole(report).N) == (1, 2)
    assert notes(whole(report)) == ("the scores of 1 of 2 runs were edited by hand: as edited they count",)
    assert 'a.json#/samples: the score match of 1 was edited from "I" to "C" by ann: typo' in told(report)


# ------------------------------------------------------------------ failures


def failed(name: Any, text: str = "boom", **more: Any) -> dict[str, Any]:
    return sample(name, error={"message": text, "traceback": "..."}, **more)


def test_a_log_in_which_all_failed_is_that_many_errors(tmp_path: Path) -> None:
    samples = [*(failed(n, "upstream 503") for n in range(3)), failed(3, "other")]
    scorers = {**header()["eval"], "scorers": [{"name": "judge"}]}
    report = measured(tmp_path, {"a.eval": archive(*samples, eval=scorers)})
    score = under(report, "judge")
    assert (score.N, score.errors, score.attempts) == (0, 4, 4)
    assert notes(score) == ("all 4 runs failed, 3 of them with: upstream 503",)


def test_a_failure_counts_as_scored_only_where_that_was_asked_for(tmp_path: Path) -> None:
    samples = [failed(1, scores={"match": {"value": "I"}}), graded(2, "C")]
    report = measured(tmp_path, {"a.json": log(*samples)})
    assert (whole(report).n, whole(report).N, whole(report).errors) == (1, 1, 1)
    (tmp_path / "asked").mkdir()
    report = measured(tmp_path / "asked", {"a.json": log(*samples, eval=told_to(score_on_error=True))})
    assert (whole(report).n, whole(report).N, whole(report).errors) == (1, 2, 0)
    says = "1 of 2 runs failed and was scored all the same, as was asked for: its score counts"
    assert notes(whole(report)) == (says,)


# ------------------------------------------------------------------ retries


def at(hour: int, run: str, **more: Any) -> dict[str, Any]:
    told = {**header()["eval"], "created": f"2026-07-05T{hour}:00:00+00:00", "run_id": run, **more}
    return {"eval": told}


def test_the_last_entry_of_a_sample_counts(tmp_path: Path) -> None:
    data = archive(failed(1), graded(2, "I"), graded(1, "C"))
    report = measured(tmp_path, {"a.eval": data})
    assert (whole(report).n, whole(report).N, whole(report).errors) == (1, 2, 0)
    assert notes(whole(report)) == ("1 earlier try of a run is not counted",)


def test_a_log_and_its_retry_are_one(tmp_path: Path) -> None:
    first = archive(graded(1, "C"), graded(2, "I"), failed(3), status="error", **at(10, "r1"))
    last = archive(graded(1, "C"), graded(2, "I"), graded(3, "C"), graded(4, "C"), **at(11, "r2"))
    report = measured(tmp_path, {"z.eval": first, "a.eval": last})
    assert (whole(report).n, whole(report).N, whole(report).attempts) == (3, 4, 4)
    assert notes(whole(report)) == ("3 earlier tries of runs are not counted: the last are in a.eval",)


def test_what_a_retry_does_not_hold_counts_where_it_stands(tmp_path: Path) -> None:
    first = archive(graded(1, "C"), graded(2, "C"), **at(10, "r1", dataset={"samples": 3}))
    last = archive(graded(2, "I"), status="cancelled", **at(11, "r2", dataset={"samples": 3}))
    report = measured(tmp_path, {"a.eval": first, "b.eval": last})
    assert (whole(report).n, whole(report).N) == (1, 2)
    assert "ended with status cancelled: 1 of 3 runs never ran" in notes(whole(report))


@pytest.mark.parametrize("other", [{"task_id": "T2"}, {"model": "beta"}, {"task_args": {"n": 1}}])
def test_another_task_is_no_retry(tmp_path: Path, other: dict[str, Any]) -> None:
    files = {"a.eval": archive(graded(1, "C"), **at(10, "r1"))}
    files["b.eval"] = archive(graded(1, "I"), **at(11, "r2", **other))
    assert sum(e.attempts for e in measured(tmp_path, files).find("score") if not e.group) == 2


def test_the_same_run_with_two_outcomes_is_kept_twice(tmp_path: Path) -> None:
    files = {"a.json": log(graded(1, "C")), "b.json": log(graded(1, "I"))}
    score = whole(measured(tmp_path, files))
    assert (score.n, score.N) == (1, 2)


def test_samples_of_two_models_that_read_the_same_are_two_runs(tmp_path: Path) -> None:
    beta = {**header()["eval"], "model": "beta", "task_id": "T2"}
    report = measured(tmp_path, {"a.json": log(graded(1, "C")), "b.json": log(graded(1, "C"), eval=beta)})
    assert sorted(e.attempts for e in report.find("score") if e.group.names == ("model",)) == [1, 1]


def test_a_redacted_archive_reads_as_the_archive_did(tmp_path: Path) -> None:
    token = "ghp" + "_" + "a1B2" * 9
    one = sample(1, scores={"match": {"value": NAN, "explanation": f"line\n{token}"}})
    (tmp_path / "a.eval").write_bytes(archive(one, graded(2, "C"), graded(2, "I")))
    before = mc.compute(tmp_path)
    experiment = mc.load(tmp_path).with_snapshot()
    (digest,) = experiment.digests.files
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / digest.published).write_bytes(experiment.published(digest))
    after = mc.compute(tmp_path / "published")
    assert [(e.n, e.N, e.unknown) for e in after.estimates] == [
        (e.n, e.N, e.unknown) for e in before.estimates
    ]
    assert whole(before).notes == whole(after).notes
    assert notes(whole(before)) == ("1 earlier try of a run is not counted",)


# ------------------------------------------------------------------ a folder of many logs


def test_a_folder_of_logs_of_several_tasks_and_models(tmp_path: Path) -> None:
    for task in ("sums", "words"):
        for model in ("alpha", "beta"):
            told = {**header()["eval"], "task": task, "model": model, "task_id": f"{task}{model}"}
            right = {"sums": 3, "words": 2}[task] - (model == "beta")
            samples = [graded(n, "C" if n < right else "I") for n in range(4)]
            whole_log = results(stated(right / 4), total=4)
            data = archive(*samples, eval=told, results=whole_log)
            (tmp_path / f"{task}-{model}.eval").write_bytes(data)
    report = mc.compute(tmp_path)
    assert [str(f) for f in (*report.problems, *report.findings)] == []
    found = {
        (e.stratum["suite"], e.group["model"]): (e.n, e.N)
        for e in report.find("score")
        if e.group.names == ("model",)
    }
    assert found == {
        ("sums", "alpha"): (3, 4),
        ("sums", "beta"): (2, 4),
        ("words", "alpha"): (2, 4),
        ("words", "beta"): (1, 4),
    }


# ------------------------------------------------------------------ logs that Inspect wrote


@pytest.fixture(scope="module")
def odd(shared_data: Path) -> Path:
    return shared_data / "inspect-odd"


@pytest.mark.parametrize(
    ("folder", "scorer", "counts", "says"),
    [
        ("nan1", "judge", (9, 19, 1, 0), ()),
        ("errors20", "tbl", (9, 16, 0, 4), ()),
        ("failed", "tbl", (9, 12, 0, 2), ("ended with status error: 6 of 20 runs never ran",)),
        ("partial_scorer", "grader1", (6, 6, 4, 0), ()),
        ("partial_scorer", "grader", (2, 10, 0, 0), ()),
        (
            "epochs_max",
            "tbl",
            (8, 40, 0, 0),
            ("its own figure (accuracy, reducer max) is 0.8; its runs' mean is 0.2",),
        ),
        (
            "truncated",
            "includes",
            (9, 15, 0, 0),
            (
                "was limited: 3 of 15 runs were stopped at a limit (message 3)",
                "its own figure (accuracy) is 0.675949; its runs' mean is 0.6",
                "declares 790 runs; 15 are here",
            ),
        ),
    ],
)
def test_odd_logs_come_to_what_inspect_reads_from_them(
    odd: Path, folder: str, scorer: str, counts: tuple[int, ...], says: tuple[str, ...]
) -> None:
    score = under(mc.compute(odd / folder), scorer)
    assert (score.n, score.N, score.unknown, score.errors) == counts
    assert notes(score) == says


def test_a_penalty_is_a_quantity_on_its_own_scale_and_no_share(odd: Path) -> None:
    report = mc.compute(odd / "penalty")
    assert "score" not in {e.metric for e in report.estimates}
    (net,) = (e for e in report.find("quantity", scorer="net") if not e.group)
    assert (net.n, net.N, net.value, net.attempts) == (20, 20, 0.0, 20)
    assert any("values from −1 to 1" in note for note in net.notes)
    assert net.interval.lo is not None
    assert net.interval.lo < 0 < (net.interval.hi or 0)


def test_a_retried_log_counts_once(odd: Path, tmp_path: Path) -> None:
    first, last = sorted((odd / "retry").iterdir())
    score = whole(mc.compute(odd / "retry"))
    assert (score.n, score.N, score.value, score.attempts) == (9, 20, 0.45, 20)
    assert notes(score) == (
        f"13 earlier tries of runs are not counted: the last are in {last.name}",
        "1 earlier try of a run is not counted",
    )
    alone = whole(measured(tmp_path, {first.name: first.read_bytes()}))
    assert (alone.N, alone.errors, alone.attempts) == (12, 1, 13)
    assert notes(alone) == ("ended with status error: 7 of 20 runs never ran",)


def test_the_header_of_an_archive_that_was_cut_down_is_told(odd: Path) -> None:
    report = mc.compute(odd / "truncated")
    for e in report.find("score", scorer="includes"):
        assert ("declares 790 runs; 15 are here" in notes(e)) is ("scenario" not in e.group.names)


def test_json_of_an_archive_reads_the_same(tmp_path: Path) -> None:
    samples = [graded(1, "C"), graded(2, NAN), failed(3)]
    pretty = json.dumps({**header(), "samples": samples}, indent=2).encode()
    assert read(pretty) == read(log(*samples))


def test_values_outside_of_a_share_are_passed_on_as_they_are(odd: Path) -> None:
    values = [1, -1, 7.5, "-1"]
    traces = read(log(*(graded(n, v) for n, v in enumerate(values))))
    assert [trace["scores"]["match"] for trace in traces] == [1, -1, 7.5, -1.0]
    (path,) = (odd / "penalty").iterdir()
    with path.open("rb") as file:
        penalty = read(b"".join(decompression.unpack(file, path.name)), path.name)
    assert sorted(trace["scores"]["net"] for trace in penalty) == [-1] * 10 + [1] * 10
