"""Golden fixtures of the brownfield family: tiny records, and what each figure must come to, by hand."""

from __future__ import annotations

from typing import Any

from metrics_core.contracts import Fixture


def _record(
    *,
    change: float | None,
    detail: list[bool],
    regress: float | None,
    task: str = "B1",
    kind: str = "fix",
    **more: Any,
) -> dict[str, Any]:
    """A tiny record for a fixture: assertions are named by their place."""
    return {
        "id": task,
        "kind": kind,
        "model": "m",
        "change": change,
        "change_detail": [[f"assertion {i}", held] for i, held in enumerate(detail, start=1)],
        "regress": regress,
        "changed_files": ["a.php"],
        "stamp": "2026-07-05T10:00:00Z",
        **more,
    }


def _claim(task: str, change: float | None, **more: Any) -> dict[str, Any]:
    """An awareness run with the recorded F1, and lists of files only where they are given."""
    return _record(change=change, detail=[], regress=None, task=task, kind="awareness", **more)


def _pages(task: str, regress: float, **more: Any) -> dict[str, Any]:
    """A done run of a task of its own, with its regression set."""
    return _record(change=1.0, detail=[True], regress=regress, task=task, **more)


def _used(task: str, **more: Any) -> dict[str, Any]:
    """A done and intact run of a task of its own, with what it took."""
    return _record(change=1.0, detail=[True], regress=1.0, task=task, **more)


_G, _C = "graded=assertions", "graded=claims"
_RECORDED = "prices=recorded%2C%20no%20table"
FIXTURES = (
    Fixture(
        "task done, application broken",
        (_record(change=1.0, detail=[True, True, True], regress=0.6),),
        (
            ("change?graded=assertions", "3/3 1"),
            ("regress?graded=assertions", "0/1 0.6"),
            ("done?graded=assertions", "1/1 1"),
            ("divergence?graded=assertions", "1/1 1"),
            ("divergence_reverse?graded=assertions", "0/1 0"),
        ),
    ),
    Fixture(
        "a change without a regression set is neither broken nor whole",
        (_record(change=0.5, detail=[True, False], regress=None),),
        (
            ("change?graded=assertions", "1/2 0.5"),
            ("regress?graded=assertions", "0/0 none"),
            ("divergence?graded=assertions", "0/0 none"),
        ),
    ),
    Fixture(
        "a recorded value without one assertion behind it is invalid",
        (_record(change=0.5, detail=[], regress=1.0),),
        (("change?graded=assertions", "0/0 none"), ("regress?graded=assertions", "1/1 1")),
    ),
    Fixture(
        "a rounded value is recomputed from its detail; means are over runs, counts over assertions",
        (
            _record(change=0.714, detail=[True] * 5 + [False] * 2, regress=1.0),
            _record(change=1.0, detail=[True], regress=1.0, task="B2"),
        ),
        (("change?graded=assertions", "6/8 0.857143"), ("done?graded=assertions", "1/2 0.5")),
    ),
    Fixture(
        "awareness beside a fix in one file: never added up",
        (
            _record(change=1.0, detail=[True, True], regress=1.0),
            _record(
                change=0.4,
                detail=[],
                regress=None,
                task="A1",
                kind="awareness",
                answer_files=["a.php", "b.php"],
                truth_files=["a.php", "c.php", "d.php"],
            ),
        ),
        (
            ("change?graded=assertions", "2/2 1"),
            ("awareness?graded=claims", "0/1 0.4"),
            ("change?graded=claims", "no such figure"),
        ),
    ),
    Fixture(
        "pages, where the size of the regression set is known",
        (
            _record(
                change=1.0, detail=[True], regress=0.9375, regress_total=32, regress_misses=["cart", "login"]
            ),
        ),
        (("regress?graded=assertions", "30/32 0.9375"),),
    ),
    Fixture(
        "a run that failed is an error, whatever it recorded",
        (_record(change=1.0, detail=[True], regress=1.0, error="timed out"),),
        (("change?graded=assertions", "0/0 none"), ("regress?graded=assertions", "0/0 none")),
    ),
    Fixture(
        "divergence is done and broken, its reverse not done and whole; the other two are neither",
        (
            _record(change=1.0, detail=[True, True], regress=0.5, task="B1"),
            _record(change=1.0, detail=[True], regress=1.0, task="B2"),
            _record(change=0.5, detail=[True, False], regress=1.0, task="B3"),
            _record(change=0.5, detail=[False, True], regress=0.5, task="B4"),
            _record(change=1.0, detail=[True], regress=None, task="B5"),
            _record(change=1.0, detail=[True], regress=0.5, task="B6", error="timed out"),
            _record(change=None, detail=[], regress=0.5, task="B7"),
            _record(change=0.0, detail=[False], regress=0.25, task="B8"),
            _record(change=0.5, detail=[], regress=0.5, task="B9"),
            _record(change=None, detail=[], regress=0.5, task="B10"),
        ),
        (
            (f"done?{_G}", "3/6 0.5"),
            (f"done?{_G} states", "6 known, 2 unknown, 1 invalid, 1 error"),
            (f"divergence?{_G}", "1/5 0.2"),
            (f"divergence?{_G} states", "5 known, 3 unknown, 1 invalid, 1 error"),
            (f"divergence_reverse?{_G}", "1/5 0.2"),
            (f"regress?{_G}", "2/8 0.59375"),
            (f"regress?{_G} states", "8 known, 1 unknown, 0 invalid, 1 error"),
        ),
    ),
    Fixture(
        "each run is lost where it ends, and only there",
        (
            _record(change=1.0, detail=[True], regress=1.0, task="B0", error="timed out"),
            _record(change=1.0, detail=[True], regress=1.0, task="B1", changed_files=None),
            _record(change=1.0, detail=[True], regress=1.0, task="B2", changed_files=[]),
            _record(change=None, detail=[], regress=1.0, task="B3"),
            _record(change=0.5, detail=[], regress=1.0, task="B4"),
            _record(change=0.0, detail=[False], regress=1.0, task="B5"),
            _record(change=0.5, detail=[True, False], regress=1.0, task="B6"),
            _record(change=1.0, detail=[True], regress=None, task="B7"),
            _record(change=1.0, detail=[True], regress=0.5, task="B8"),
            _record(change=1.0, detail=[True], regress=1.0, task="B9"),
            _record(change=1.0, detail=[True], regress=1.0, task="B10"),
        ),
        (
            (f"stage?stage=attempts&{_G}", "11/11 1"),
            (f"stage?stage=ran%20without%20error&{_G}", "10/11 0.909091"),
            (f"stage?stage=at%20least%20one%20assertion%20passed&{_G}", "7/11 0.636364"),
            (f"stage?stage=all%20assertions%20passed&{_G}", "6/11 0.545455"),
            (f"stage?stage=and%20nothing%20broken&{_G}", "4/11 0.363636"),
            (f"stage?stage=and%20nothing%20broken&{_G} states", "7 known, 2 unknown, 1 invalid, 1 error"),
            (f"change?{_G}", "7/9 0.8125"),
            (f"change?{_G} states", "8 known, 1 unknown, 1 invalid, 1 error"),
        ),
    ),
    Fixture(
        "a claim is at 0.7 from 0.7 itself on; without F1 it is unknown, and a failed run has none",
        (
            _claim("A1", 0.7),
            _claim("A2", 0.69, answer_files=["a.php"]),
            _claim("A3", None, answer_files=["a.php", "b.php"], truth_files=["a.php"]),
            _claim("A4", None),
            _claim("A5", 0.9, answer_files=[], truth_files=[]),
            _claim("A6", 1.0, error="timed out"),
            _claim("A7", 0.9, truth_files=["a.php"]),
            _claim("A8", 0.5),
        ),
        (
            (f"awareness?{_C}", "2/5 0.691333"),
            (f"awareness?scenario=A3&{_C}", "0/1 0.666667"),
            (f"awareness?scenario=A1&{_C}", "1/1 0.7"),
            (f"stage?stage=attempts&{_C}", "8/8 1"),
            (f"stage?stage=ran%20without%20error&{_C}", "7/8 0.875"),
            (f"stage?stage=answer%20graded&{_C}", "5/8 0.625"),
            (f"stage?stage=F1%20at%200.7%20or%20above&{_C}", "2/8 0.25"),
            (f"awareness?{_C} states", "5 known, 2 unknown, 0 invalid, 1 error"),
            (f"stage?stage=answer%20graded&{_C} states", "5 known, 2 unknown, 0 invalid, 1 error"),
            (f"change?{_C}", "no such figure"),
            (f"regress?{_C}", "no such figure"),
            (f"done?{_C}", "no such figure"),
            (f"divergence?{_C}", "no such figure"),
        ),
    ),
    Fixture(
        "the names of the misses are the detail of the regression set, where there are any",
        (
            _pages("twice named", 0.9375, regress_total=16, regress_misses=["cart", "cart"]),
            _pages("names against fraction", 1.0, regress_total=4, regress_misses=["cart"]),
            _pages("more names than pages", 0.5, regress_total=2, regress_misses=["a", "b", "c"]),
            _pages("whole, yet named", 1.0, regress_misses=["cart"]),
            _pages("named, size unknown", 0.9, regress_misses=["cart"]),
            _pages("none named", 0.5, regress_misses=[]),
            _pages("pages of the fraction", 0.75, regress_total=4),
            _pages("no whole page", 0.6, regress_total=4),
            _pages("nearly whole", 0.9996, regress_total=1000),
            _pages("two decimals of 2/3", 0.67, regress_total=3),
            _pages("1 for 2999 of 3000", 1.0, regress_total=3000, regress_misses=["cart"]),
            _pages("in powers of ten", 1.5e-05, regress_total=100_000),
            _pages("a half rounded up", 0.13, regress_total=8),
            _record(change=1.0, detail=[True], regress=None, task="none run", regress_total=4),
            _pages("whole", 1.0, regress_total=4, regress_misses=[]),
        ),
        (
            (f"regress?scenario=twice%20named&{_G}", "15/16 0.9375"),
            (f"regress?scenario=names%20against%20fraction&{_G}", "3/4 0.75"),
            (f"regress?scenario=more%20names%20than%20pages&{_G}", "0/2 0"),
            (f"regress?scenario=whole%2C%20yet%20named&{_G}", "0/0 none"),
            (
                f"regress?scenario=whole%2C%20yet%20named&{_G} states",
                "0 known, 0 unknown, 1 invalid, 0 error",
            ),
            (f"regress?scenario=none%20run&{_G} states", "0 known, 1 unknown, 0 invalid, 0 error"),
            (f"regress?scenario=in%20powers%20of%20ten&{_G}", "0/1 1.5e-05"),
            (f"regress?scenario=a%20half%20rounded%20up&{_G}", "1/8 0.125"),
            (f"regress?scenario=named%2C%20size%20unknown&{_G}", "0/1 0.9"),
            (f"regress?scenario=none%20named&{_G}", "0/1 0.5"),
            (f"regress?scenario=pages%20of%20the%20fraction&{_G}", "3/4 0.75"),
            (f"regress?scenario=no%20whole%20page&{_G}", "0/1 0.6"),
            (f"regress?scenario=nearly%20whole&{_G}", "0/1 0.9996"),
            (f"regress?scenario=two%20decimals%20of%202%2F3&{_G}", "2/3 0.666667"),
            (f"regress?scenario=1%20for%202999%20of%203000&{_G}", "2999/3000 0.999667"),
            (f"regress?scenario=whole&{_G}", "4/4 1"),
        ),
    ),
    Fixture(
        "what a run took: seconds, tokens by whichever shape, money as it was recorded",
        (
            _used("flat", wall_s=3.0, prompt_tokens=100, completion_tokens=20, cached_tokens=7, cost=0.25),
            _used("totals", metrics={"input_tokens": 60, "output_tokens": 7, "cost_usd": 0.5}),
            _used(
                "roles",
                continuation="other",
                metrics={
                    "input_tokens": 1,
                    "output_tokens": 1,
                    "by_role": {
                        "primary": {"input_tokens": 10, "output_tokens": 2},
                        "coder": {"input_tokens": 300, "output_tokens": 40},
                    },
                },
            ),
            _used("input only", prompt_tokens=100, metrics={"input_tokens": 60}),
            _used("output only", completion_tokens=20, metrics={"output_tokens": 7}),
        ),
        (
            (f"latency?scenario=flat&{_G}", "1/1 3"),
            (f"latency?scenario=totals&{_G}", "0/1 none"),
            (f"tokens?scenario=flat&{_G}", "1/1 120"),
            (f"tokens?scenario=totals&{_G}", "1/1 67"),
            (f"tokens?scenario=roles&{_G}", "1/1 352"),
            (f"tokens?scenario=input%20only&{_G}", "0/1 none"),
            (f"tokens?scenario=output%20only&{_G}", "0/1 none"),
            (f"cost?scenario=flat&{_G}&{_RECORDED}", "1/1 0.25"),
            (f"cost?scenario=totals&{_G}&{_RECORDED}", "1/1 0.5"),
            (f"cost?scenario=roles&{_G}&{_RECORDED}", "0/1 none"),
        ),
    ),
    Fixture(
        "each group is its own runs: by kind, by configuration, by scenario",
        (
            _used(
                "B1", model="a", with_brain=True, wall_s=1.0, prompt_tokens=1, completion_tokens=1, cost=1.0
            ),
            _record(change=0.0, detail=[False], regress=0.5, model="a", task="B2", kind="feature"),
        ),
        (
            (f"change?model=a&{_G}", "1/2 0.5"),
            (f"change?kind=fix&model=a&{_G}", "1/1 1"),
            (f"change?config=brain%3Don%20plan%3Dnot%20recorded&model=a&{_G}", "1/1 1"),
            (f"change?scenario=B2&{_G}", "0/1 0"),
            (f"regress?scenario=B2&{_G}", "0/1 0.5"),
            (f"done?scenario=B2&{_G}", "0/1 0"),
            (f"divergence?scenario=B2&{_G}", "0/1 0"),
            (f"divergence_reverse?scenario=B1&{_G}", "0/1 0"),
            (f"latency?scenario=B1&{_G}", "1/1 1"),
            (f"tokens?scenario=B1&{_G}", "1/1 2"),
            (f"cost?scenario=B1&{_G}&{_RECORDED}", "1/1 1"),
        ),
    ),
)
