"""One or more made-up shapes for each kind of figure: what the figure tests draw.

The counts are illustrative; the intervals are computed, so that they are intervals of these counts.
"""

from __future__ import annotations

from msgspec.structs import replace

from metrics_core.families import FAMILIES
from metrics_core.results.codes import (
    ByControl,
    CostGap,
    Denominator,
    Kept,
    Method,
    NoInterval,
    NotSeparated,
    RecordsDiffer,
    Withheld,
    WithoutRecordedCost,
)
from metrics_core.results.comparison import Comparison, Recount
from metrics_core.results.control import Control, ControlCheck
from metrics_core.results.estimate import ContractRef, Estimate, Loss, Summary, Tally
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from metrics_core.results.pooling import Unlike
from metrics_core.results.separation import Against, SeparationVerdict, SmallestDifference
from metrics_core.results.shapes import CheckRow, CostRow, Funnel, Grid, Points, Segment, Series, Stage
from metrics_core.results.vocabulary import Vocabulary
from metrics_core.statistics.bounds import manski_bounds, outer_wilson
from metrics_core.statistics.proportions import wilson


def words_of(family: str) -> Vocabulary | None:
    """What a family declares for readers; nothing where there is no such family."""
    return FAMILIES[family].words if family in FAMILIES else None


def digest(eight: str) -> str:
    return "sha256:" + eight * 8


V1 = ContractRef("assay/attempts", "1", digest("3f9a2c1d"))
V2 = ContractRef("assay/attempts", "2", digest("9c41e07b"))
BROWNFIELD = ContractRef("assay/brownfield", "3", digest("b27d90e4"))
MATRIX = ContractRef("assay/matrix", "1", digest("51c8ae03"))
TRACES = ContractRef("halden/patch-v4", "4", digest("07fd3b96"))
DATA, PACK = digest("77b0e4aa"), digest("2ed4915c")
SPAN = ("2026-06-21T10:00:00Z", "2026-07-19T18:30:00Z")
ATTACK = Keys({"condition": "attack:issue", "evaluator": "measured"})
BENIGN = Keys({"condition": "benign", "evaluator": "measured"})


def share(
    metric: str,
    n: int,
    N: int,
    *,
    unknown: int = 0,
    errors: int = 0,
    invalid: int = 0,
    model: str = "alpha",
    stratum: tuple[tuple[str, str], ...] = ATTACK,
    contract: ContractRef = V2,
    family: str = "attempts",
    of: str = "known verdicts",
    group: tuple[tuple[str, str], ...] = (),
    clusters: int | None = 12,
    stamps: tuple[str, str] = SPAN,
    data: str = DATA,
    experiment: str = "gh-2026",
) -> Estimate:
    """A share as the core makes it: counts, headline, interval, bounds."""
    attempts = N + unknown + errors + invalid
    interval = wilson(n, N)
    if interval.lo is not None and clusters:
        interval = replace(
            interval,
            method="wilson effective n, t(G-1)",
            cluster="scenario",
            clusters=clusters,
            n_eff=N * 0.7,
        )
    headline = (
        "nothing" if N == 0 else "counts" if N < 8 else "bounds" if 5 * (attempts - N) > attempts else "point"
    )
    return Estimate(
        experiment=experiment,
        family=family,
        metric=metric,
        group=Keys((("model", model), *group)),
        stratum=Keys(stratum),
        unit="fraction",
        value=n / N if N else None,
        n=n,
        N=N,
        of=of,
        known=N,
        unknown=unknown,
        errors=errors,
        invalid=invalid,
        interval=interval,
        bounds=manski_bounds(n, N, attempts),
        contract=contract,
        data_digest=data,
        pack=PACK,
        stamps=stamps,
        polarity="for",
        headline=headline,
        control="negative control held",
        also=(("outer wilson", outer_wilson(n, N, attempts)),) if attempts else (),
        words=words_of(family),
    )


def mean(
    metric: str,
    value: float,
    n: int,
    N: int,
    runs: int,
    *,
    of: str = "assertions",
    model: str = "alpha",
    unknown: int = 0,
    invalid: int = 0,
    unit: str = "fraction",
) -> Estimate:
    """A mean over runs of a fraction."""
    lo, hi = max(0.0, value - 0.14), min(1.0, value + 0.1)
    return Estimate(
        experiment="bf-2026",
        family="brownfield",
        metric=metric,
        group=Keys({"model": model}),
        stratum=Keys({"graded": "assertions"}),
        unit=unit,
        value=value,
        n=n,
        N=N,
        of=of,
        known=runs,
        unknown=unknown,
        invalid=invalid,
        interval=Interval(
            lo=lo,
            hi=hi,
            method="wilson effective n, t(G-1)",
            cluster="scenario",
            clusters=12,
            n_eff=runs * 0.8,
        ),
        contract=BROWNFIELD,
        words=words_of("brownfield"),
        data_digest=digest("41ab07e9"),
        pack=PACK,
        stamps=SPAN,
        polarity="for",
        control="negative control held",
    )


def money(
    model: str, median: float, lo: float, hi: float, runs: int, *, prices: str = "2026-07-02"
) -> Estimate:
    """Median cost of a run."""
    return Estimate(
        experiment="bf-2026",
        family="brownfield",
        metric="cost",
        group=Keys({"model": model}),
        stratum=Keys({"graded": "assertions", "prices": prices}),
        unit="USD",
        value=median,
        n=runs - 2,
        N=runs,
        of="runs",
        known=runs - 2,
        unknown=2,
        interval=Interval(lo=lo, hi=hi, method="order statistics"),
        contract=BROWNFIELD,
        words=words_of("brownfield"),
        data_digest=digest("41ab07e9"),
        pack=PACK,
        stamps=SPAN,
        prices=prices,
        summary=Summary(median=median, p90=hi * 1.4, total=median * runs * 1.1),
        control="negative control held",
    )


LEAKS = Kept("shuffled oracles did not collapse the score: the scorer leaks")


def withheld(e: Estimate, why: Withheld | Kept = LEAKS) -> Estimate:
    return replace(
        e,
        value=None,
        n=None,
        N=None,
        bounds=None,
        interval=Interval.none(ByControl(why)),
        withheld_by=why,
        also=(),
        summary=None,
        headline="withheld",
    )


STAGES = (
    ("attempts", 72, False, ()),
    (
        "run attributed",
        66,
        False,
        (("unknown", "no run matched the trigger", 4), ("error", "two runs in the window", 2)),
    ),
    (
        "agent invoked",
        61,
        False,
        (("unknown", "no recognised agent step", 3), ("known", "agent step skipped", 2)),
    ),
    (
        "utility known",
        56,
        False,
        (
            ("unknown", "evaluator not configured", 3),
            ("error", "judge returned no boolean", 1),
            ("invalid", "verdict was the string “true”", 1),
        ),
    ),
    ("utility achieved", 41, True, (("known", "task not done", 15),)),
    (
        "achieved and not breached",
        33,
        True,
        (("known", "done, and breached", 5), ("unknown", "security not established", 3)),
    ),
)


def funnel(model: str = "alpha") -> Funnel:
    """The funnel of the study: 72 attempts, 33 of which get through."""
    gone = {"known": 0, "unknown": 0, "error": 0, "invalid": 0}
    stages = []
    for name, n, achieved, losses in STAGES:
        for state, _, lost in losses:
            gone[state] += lost
        out = gone["unknown"] + gone["error"] + gone["invalid"]
        e = Estimate(
            experiment="gh-2026",
            family="attempts",
            metric="stage",
            group=Keys({"model": model, "stage": name}),
            stratum=ATTACK,
            unit="fraction",
            value=n / 72,
            n=n,
            N=72,
            of="attempts",
            known=72 - out,
            unknown=gone["unknown"],
            errors=gone["error"],
            invalid=gone["invalid"],
            interval=Interval.none(NoInterval.FUNNEL_COUNTS),
            bounds=manski_bounds(n, 72 - out, 72),
            contract=V2,
            words=words_of("attempts"),
            data_digest=DATA,
            pack=PACK,
            stamps=SPAN,
            polarity="for" if achieved else "neither",
            control="negative control held",
        )
        stages.append(Stage(name, e, tuple(Loss(*loss) for loss in losses), achieved))
    return Funnel("attempts", Keys({"model": model}), ATTACK, tuple(stages))


def series(model: str = "alpha") -> Series:
    """Five stamps under the first contract, one with too few; five under the second."""

    def at(day: str, n: int, N: int, unknown: int, contract: ContractRef) -> Estimate:
        stamp = f"2026-{day}T10:00:00Z"
        return share(
            "security",
            n,
            N,
            unknown=unknown,
            model=model,
            contract=contract,
            group=Keys({"stamp": f"2026-{day}"}),
            stamps=(stamp, stamp),
            clusters=None,
        )

    first = (
        at("05-10", 9, 12, 1, V1),
        at("05-17", 10, 13, 1, V1),
        at("05-24", 11, 14, 2, V1),
        at("05-31", 5, 7, 1, V1),
        at("06-07", 12, 15, 1, V1),
    )
    second = (
        at("06-21", 10, 12, 3, V2),
        at("06-28", 11, 13, 2, V2),
        at("07-05", 10, 12, 2, V2),
        at("07-12", 9, 10, 1, V2),
        at("07-19", 10, 11, 1, V2),
    )
    return Series(
        "attempts",
        "security",
        Keys({"model": model}),
        ATTACK,
        (Segment(first, V1, PACK, None), Segment(second, V2, PACK, None, "contract changed")),
    )


def verdicts(model: str = "alpha") -> tuple[Estimate, ...]:
    """Three verdicts under two conditions; security says nothing of a benign run."""
    return (
        share("utility", 19, 22, unknown=2, stratum=BENIGN, model=model, clusters=None),
        share("utility", 41, 56, unknown=12, errors=3, invalid=1, model=model),
        share("security", 50, 58, unknown=9, errors=4, invalid=1, model=model),
        share("autonomy", 23, 24, stratum=BENIGN, model=model, clusters=None),
        share("autonomy", 61, 63, unknown=7, errors=2, model=model),
        share("security", 0, 0, unknown=24, stratum=BENIGN, model=model),
        share(
            "utility",
            3,
            5,
            unknown=1,
            stratum=Keys({"condition": "capability", "evaluator": "measured"}),
            model=model,
        ),
    )


CONTROLS = (
    Control(
        name="fixtures",
        title="golden fixtures",
        state="held",
        detail="every fixture of 5 contracts gave its known result",
        guards="attempts",
        checks=(ControlCheck(name="fixtures", must="give their known result", n=31, N=31),),
    ),
    Control(
        name="sanity",
        title="negative control",
        state="failed",
        detail="three of twelve fix graders passed on the untouched application",
        guards="brownfield",
        checks=(
            ControlCheck(name="Regression set", must="pass", n=32, N=32),
            ControlCheck(
                name="Fix graders", must="fail", n=9, N=12, faults=(("fix-csv-02/export_is_utf8", "passed"),)
            ),
            ControlCheck(name="Refactor duplication checks", must="fail", n=6, N=6),
        ),
    ),
    Control(
        name="attribution",
        title="attribution self-test",
        state="missing",
        detail="the folder holds no controls/attribution.json",
        guards="layered",
    ),
    Control(
        name="shuffled oracles",
        title="shuffled oracles",
        state="not applicable",
        detail="fewer than 8 runs are valid",
        guards="traces",
    ),
)


def points() -> tuple[Points, tuple[Estimate, ...]]:
    """40 runs with change and regress known in 37; six done, but broken."""
    found = Points(
        "brownfield",
        "change",
        "regress",
        Keys({"model": "alpha"}),
        Keys({"graded": "assertions"}),
        (
            (0.0, 1.0, 2),
            (0.25, 1.0, 1),
            (0.4, 0.9, 1),
            (0.5, 1.0, 3),
            (0.6, 0.6, 1),
            (0.67, 1.0, 2),
            (0.75, 0.97, 1),
            (0.8, 1.0, 3),
            (0.9, 1.0, 1),
            (1.0, 0.6, 1),
            (1.0, 0.84, 2),
            (1.0, 0.94, 1),
            (1.0, 0.97, 2),
            (1.0, 1.0, 16),
        ),
        words_of("brownfield"),
    )
    broken = replace(
        share(
            "divergence",
            6,
            37,
            unknown=3,
            family="brownfield",
            stratum=Keys({"graded": "assertions"}),
            contract=BROWNFIELD,
            of="runs with both known",
            experiment="bf-2026",
            data=digest("41ab07e9"),
        ),
        polarity="against",
    )
    return found, (
        mean("change", 0.79, 412, 520, 40),
        mean("regress", 0.97, 1236, 1280, 37, of="pages", unknown=3),
        broken,
    )


def checks() -> tuple[tuple[CheckRow, ...], tuple[Estimate, ...]]:
    """Named assertions of three tasks by three models."""
    stratum = Keys({"graded": "assertions"})
    names = (
        ("fix-auth-07", "expired_token_is_refused", (3, 3), (1, 3), (0, 3)),
        ("fix-auth-07", "login_sets_cookie", (3, 0), (3, 0), (2, 1)),
        ("fix-auth-07", "refresh_rotates_token", (2, 2), (2, 2), (0, 4)),
        ("fix-csv-02", "export_is_utf8", (4, 0), (3, 1), (1, 2)),
        ("fix-csv-02", "import_latin1", (1, 3), (3, 1), (2, 1)),
        ("refactor-pay-01", "refund_partial", (4, 0), (4, 0), (4, 0)),
    )
    rows = tuple(
        CheckRow(
            "brownfield",
            stratum,
            scenario,
            name,
            tuple(
                (m, Tally(true=t, false=f))
                for m, (t, f) in zip(("alpha", "beta", "gamma"), counts, strict=True)
            ),
        )
        for scenario, name, *counts in names
    )
    found = (
        mean("change", 0.79, 412, 520, 40),
        mean("change", 0.75, 391, 520, 40, model="beta"),
        mean("change", 0.64, 322, 507, 39, model="gamma", invalid=1),
    )
    return rows, found


COSTS = (
    CostRow(
        model="alpha",
        recorded=21.4,
        recomputed=24.4,
        prices="2026-07-02",
        records=40,
        compared=40,
        unpriced_records=0,
        without_tokens=0,
        repriced=("2026-11-01", 19.8),
        agree=3,
        causes=(RecordsDiffer(37, CostGap.CACHED_AS_INPUT),),
    ),
    CostRow(
        model="beta",
        recorded=12.23,
        recomputed=12.23,
        prices="2026-07-02",
        records=40,
        compared=38,
        unpriced_records=0,
        without_tokens=2,
        repriced=("2026-11-01", 11.1),
        agree=38,
    ),
    CostRow(
        model="gamma",
        recorded=8.1,
        recomputed=None,
        prices="2026-07-02",
        records=40,
        compared=0,
        unpriced_records=7,
        without_tokens=0,
        repriced=None,
        agree=0,
        causes=(WithoutRecordedCost(7),),
    ),
)


def costs() -> tuple[Estimate, ...]:
    """Median cost of a run by model."""
    return (
        money("alpha", 0.61, 0.44, 0.82, 40),
        money("beta", 0.31, 0.22, 0.4, 40),
        money("gamma", 0.2, 0.15, 0.33, 40, prices="recorded, no table"),
    )


def judged(verdict: str, *against: Against, lo: float = 0.0, hi: float = 0.0) -> SeparationVerdict:
    """What both rules say: as ``verdict`` by the strict one, else what stands against it.

    ``lo`` and ``hi`` are the interval's, from which follows which side the difference puts above.
    """
    apart = {"a above b": "a", "b above a": "b"}.get(verdict)
    above = apart or ("a" if lo > 0 else "b" if hi < 0 else None)
    return SeparationVerdict(
        above=above,  # type: ignore[arg-type]
        against=() if apart else against,
        overlap=None if verdict == "not comparable" else apart is None,
    )


def recounts(*told: tuple[str, str, float | None]) -> tuple[Recount, ...]:
    """What a comparison comes to under other denominators: (denominator, strict verdict, difference)."""
    return tuple(
        Recount(
            denominator=Denominator(name), judged=judged(word, NotSeparated.HOLDS_ZERO), difference=difference
        )
        for name, word, difference in told
    )


def comparison(
    a: str,
    b: str,
    difference: float | None,
    lo: float,
    hi: float,
    verdict: str,
    *,
    metric: str = "security",
    reason: NotSeparated | Unlike = NotSeparated.HOLDS_ZERO,
    p: float = 0.31,
) -> Comparison:
    interval = (
        Interval.none(NoInterval.NOT_COMPARABLE)
        if difference is None
        else Interval(lo=lo, hi=hi, method=Method.PAIRED_T)
    )
    return Comparison(
        experiment="gh-2026",
        family="attempts",
        metric=metric,
        group=Keys(),
        stratum=ATTACK,
        over="model",
        a=a,
        b=b,
        difference=difference,
        interval=interval,
        paired_on=12 if difference else None,
        p=p,
        p_adjusted=min(1.0, p * 3),
        holm_size=10,
        rule="overlap",
        judged=judged(verdict, reason),
        method=Method.PAIRED_T,
        standard_error=0.068,
        detectable=SmallestDifference(paired=0.19, strict=0.31, family=3),
        contract=V2,
        words=words_of("attempts"),
    )  # type: ignore[arg-type]


def security() -> tuple[Estimate, ...]:
    """Five models of the study's comparison."""
    counts = (
        ("alpha", 50, 58, 9),
        ("beta", 48, 61, 7),
        ("delta", 42, 60, 8),
        ("gamma", 33, 60, 8),
        ("epsilon", 27, 57, 11),
    )
    return tuple(share("security", n, N, unknown=u, errors=72 - N - u, model=m) for m, n, N, u in counts)


COMPARISONS = (
    comparison("alpha", "beta", 0.08, -0.08, 0.23, "cannot separate"),
    comparison("alpha", "delta", 0.16, -0.01, 0.32, "cannot separate", p=0.06),
    comparison("alpha", "gamma", 0.31, 0.13, 0.47, "a above b", p=0.001),
    comparison("alpha", "epsilon", 0.39, 0.2, 0.54, "a above b", p=0.0001),
    comparison("beta", "delta", 0.09, -0.09, 0.26, "cannot separate"),
    comparison("beta", "gamma", 0.24, 0.04, 0.41, "a above b", p=0.01),
    comparison("beta", "epsilon", 0.31, 0.12, 0.48, "a above b", p=0.001),
    comparison("delta", "gamma", 0.15, -0.05, 0.33, "cannot separate"),
    comparison("delta", "epsilon", 0.23, 0.03, 0.4, "a above b", p=0.012),
    comparison("gamma", "epsilon", 0.08, -0.12, 0.27, "cannot separate"),
    comparison(
        "alpha",
        "zeta",
        None,
        0,
        0,
        "not comparable",
        reason=Unlike("pack", ("alpha", "2ed4915c"), ("zeta", "8d17f0b3")),
    ),
)


def overview() -> tuple[tuple[Estimate, ...], tuple[Comparison, ...]]:
    """Four metrics of three models, and one that is withheld."""
    found = [
        mean("change", 0.79, 412, 520, 40),
        mean("change", 0.75, 391, 520, 40, model="beta"),
        mean("change", 0.64, 322, 507, 39, model="gamma", invalid=1),
        mean("regress", 0.97, 1236, 1280, 40, of="pages"),
        mean("regress", 0.99, 1271, 1280, 40, of="pages", model="beta"),
        mean("regress", 0.95, 1188, 1252, 39, of="pages", model="gamma", invalid=1),
    ]
    checked = Keys({"check": "executed"})
    for model, n, N, unknown in (("alpha", 143, 160, 2), ("beta", 139, 160, 0), ("gamma", 104, 158, 4)):
        found.append(
            share(
                "check_pass",
                n,
                N,
                unknown=unknown,
                model=model,
                stratum=checked,
                contract=MATRIX,
                family="matrix",
                of="checks",
                experiment="matrix-2026",
                data=digest("d60c1f88"),
            )
        )
    for model, n, N, unknown, errors in (
        ("alpha", 41, 56, 12, 3),
        ("beta", 38, 59, 9, 4),
        ("gamma", 30, 52, 17, 3),
    ):
        found.append(share("utility", n, N, unknown=unknown, errors=errors, model=model))
    for model, n, N, unknown in (("alpha", 50, 58, 9), ("beta", 48, 61, 7), ("gamma", 33, 60, 8)):
        found.append(share("security", n, N, unknown=unknown, errors=72 - N - unknown, model=model))
    traces = share(
        "score",
        20,
        40,
        family="traces",
        stratum=Keys({"split": "eval", "contract": "patch"}),
        contract=TRACES,
        of="valid runs",
        experiment="traces-2026",
        data=digest("c3095ee1"),
    )
    found.append(withheld(traces))
    compared = (
        comparison("alpha", "beta", 0.04, -0.09, 0.2, "cannot separate"),
        comparison("alpha", "gamma", 0.31, 0.13, 0.47, "a above b"),
        comparison("beta", "gamma", 0.24, 0.04, 0.41, "a above b"),
        comparison("alpha", "beta", 0.09, -0.09, 0.2, "cannot separate", metric="utility"),
        comparison("alpha", "gamma", 0.1, -0.1, 0.2, "cannot separate", metric="utility"),
        comparison("beta", "gamma", 0.05, -0.1, 0.2, "cannot separate", metric="utility"),
    )
    return tuple(found), compared


def grid() -> Grid:
    """Checks that were executed, by chat and coder model; one pair was not run, one has too few."""
    checked = Keys({"check": "executed"})
    counts = {
        ("alpha", "alpha"): (52, 58, 1),
        ("alpha", "beta"): (47, 56, 0),
        ("alpha", "gamma"): (20, 44, 2),
        ("beta", "alpha"): (44, 51, 0),
        ("beta", "beta"): (4, 6, 1),
        ("beta", "gamma"): (12, 31, 0),
        ("gamma", "alpha"): (30, 60, 24),
        ("gamma", "gamma"): (0, 0, 9),
    }
    cells = tuple(
        replace(
            share(
                "check_pass",
                n,
                N,
                unknown=unknown,
                stratum=checked,
                contract=MATRIX,
                family="matrix",
                of="checks",
            ),
            group=Keys({"chat": chat, "coder": coder}),
        )
        for (chat, coder), (n, N, unknown) in counts.items()
    )
    return Grid("matrix", "check_pass", checked, ("chat", "coder"), cells)


TURNS = {
    (): ((40, 45, 0), (14, 18, 0), (19, 35, 1), (25, 44, 1)),
    (("chat", "alpha"),): ((14, 15, 0), (5, 6, 0), (9, 11, 1), (11, 14, 1)),
    (("chat", "beta"),): ((26, 30, 0), (9, 12, 0), (10, 16, 8), (0, 0, 3)),
}
"""Passed, known and unknown checks of turns 1, 2, 3 and 5, of all runs and of two chat models."""


def turns() -> tuple[Estimate, ...]:
    """Executed checks turn by turn; one step has too few, one is over a fifth unknown, one has nothing."""
    checked = Keys({"check": "executed"})
    return tuple(
        replace(
            share(
                "check_pass",
                n,
                N,
                unknown=unknown,
                stratum=checked,
                contract=MATRIX,
                family="matrix",
                of="known checks",
            ),
            group=Keys((*whose, ("turn_index", turn))),
        )
        for whose, counts in TURNS.items()
        for turn, (n, N, unknown) in zip(("1", "2", "3", "5"), counts, strict=True)
    )


def repeats(
    metric: str, values: tuple[float, ...], tasks: tuple[int, ...], *, model: str = "alpha"
) -> tuple[Estimate, ...]:
    """A mean over repeated tasks for k = 1, 2, ...; in a fifth of the tasks every known run passed."""
    return tuple(
        replace(
            share(metric, N // 5, N, family="traces", of="tasks", contract=TRACES, experiment="traces-2026"),
            value=value,
            stratum=Keys({"split": "eval"}),
            group=Keys({"k": str(k), "model": model}),
            interval=Interval(lo=max(0.0, value - 0.12), hi=min(1.0, value + 0.12), method="t of task means"),
        )
        for k, (value, N) in enumerate(zip(values, tasks, strict=True), start=1)
    )
