"""Small reports made by hand, in every state that a page can be in: what the tests of pages are held against.

Every value is written here or is a plain quotient of the counts beside it; nothing comes from the engine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from metrics_core.results.codes import (
    Denominator,
    Kept,
    Method,
    NoInterval,
    NotSeparated,
    PriceCorrected,
    RecordsDiffer,
)
from metrics_core.results.comparison import Comparison, Recount
from metrics_core.results.control import Control, ControlCheck
from metrics_core.results.estimate import ContractRef, Estimate, Loss, Summary, Tally
from metrics_core.results.interval import Interval
from metrics_core.results.keys import NO_KEYS, Keys
from metrics_core.results.problem import Problem
from metrics_core.results.report import Report, UsedContract
from metrics_core.results.separation import SeparationVerdict, SmallestDifference
from metrics_core.results.shapes import CheckRow, CostRow, Funnel, Points, Segment, Series, Stage
from metrics_core.statistics.bounds import manski_bounds
from metrics_core.statistics.proportions import wilson
from tests.support.figure_samples import words_of

HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m&\"'"


def sha(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


BROWNFIELD = ContractRef("assay/brownfield", "1", sha("brownfield"))
TRACES = ContractRef("assay/traces", "1", sha("traces"))
V3 = ContractRef("halden/v3-patch", "3", sha("v3"))
V4 = ContractRef("halden/v4-patch", "4", sha("v4"))
PACK = sha("pack")
STAMPS = ("2026-07-05T08:00:00Z", "2026-07-26T18:00:00Z")
ARTEFACT = Keys({"graded": "assertions"})
CLAIM = Keys({"graded": "claims"})


def estimate(
    experiment: str,
    metric: str,
    n: int,
    N: int,
    group: dict[str, str],
    *,
    family: str = "brownfield",
    stratum: Keys = ARTEFACT,
    of: str = "assertions",
    known: int | None = None,
    unknown: int = 0,
    invalid: int = 0,
    errors: int = 0,
    contract: ContractRef = BROWNFIELD,
    pack: str | None = None,
    unit: str = "fraction",
    control: str | None = "negative control held",
) -> Estimate:
    """An estimate of n in N; counts only below 8 known, bounds where over a fifth is not known."""
    runs = N if known is None else known
    attempts = runs + unknown + invalid + errors
    verdicts = of in ("runs", "known verdicts", "runs with both known")
    headline = (
        "nothing"
        if not N
        else "counts"
        if runs < 8
        else "bounds"
        if verdicts and attempts > 1.25 * runs
        else "point"
    )
    return Estimate(
        experiment=experiment,
        family=family,
        metric=metric,
        group=Keys(group),
        stratum=stratum,
        unit=unit,
        value=n / N if N else None,
        n=n,
        N=N,
        of=of,
        known=runs,
        unknown=unknown,
        invalid=invalid,
        errors=errors,
        interval=wilson(n, N, known=runs) if N else Interval.none(NoInterval.NOTHING_KNOWN),
        bounds=manski_bounds(n, runs, attempts) if verdicts else None,
        contract=contract,
        data_digest=sha(experiment),
        pack=pack,
        stamps=STAMPS,
        control=control,
        polarity="against" if metric == "divergence" else "for",
        headline=headline,  # type: ignore[arg-type]
        words=words_of(family),
        losses=tuple(
            Loss(s, "not recorded", c)
            for s, c in (("unknown", unknown), ("error", errors), ("invalid", invalid))
            if c
        ),
    )


def context(
    experiment: str,
    metric: str,
    unit: str,
    group: dict[str, str],
    median: float,
    *,
    prices: str | None = None,
    family: str = "brownfield",
    contract: ContractRef = BROWNFIELD,
    pack: str | None = None,
    stratum: Keys = ARTEFACT,
) -> Estimate:
    return Estimate(
        experiment=experiment,
        family=family,
        metric=metric,
        group=Keys(group),
        stratum=stratum,
        unit=unit,
        value=median,
        n=38,
        N=40,
        of="runs",
        known=38,
        unknown=2,
        contract=contract,
        data_digest=sha(experiment),
        interval=Interval(lo=median * 0.8, hi=median * 1.3, method="order statistics"),
        pack=pack,
        stamps=STAMPS,
        prices=prices,
        summary=Summary(median, median * 2, median * 41),
        words=words_of(family),
        control="negative control held",
    )


def withhold(e: Estimate, why: str) -> Estimate:
    return Estimate(
        experiment=e.experiment,
        family=e.family,
        metric=e.metric,
        group=e.group,
        stratum=e.stratum,
        unit=e.unit,
        value=None,
        n=None,
        N=None,
        of=e.of,
        known=e.known,
        unknown=e.unknown,
        invalid=e.invalid,
        errors=e.errors,
        interval=Interval.none(Kept(why)),
        contract=e.contract,
        data_digest=e.data_digest,
        pack=e.pack,
        stamps=e.stamps,
        withheld_by=Kept(why),
        words=e.words,
        control="negative control failed",
        headline="withheld",
    )


def funnel(experiment: str, group: dict[str, str]) -> Funnel:
    steps = (
        ("attempts", 40, (), False),
        ("ran without error", 38, (Loss("error", "the run itself failed", 2),), False),
        (
            "all assertions passed",
            24,
            (Loss("known", "an assertion failed", 13), Loss("unknown", HOSTILE, 1)),
            True,
        ),
        ("and nothing broken", 18, (Loss("known", "the task was done, something else broke", 6),), True),
    )
    stages = tuple(
        Stage(
            name,
            estimate(experiment, "stage", n, 40, {**group, "stage": name}, of="attempts"),
            losses,
            achieved,
        )
        for name, n, losses, achieved in steps
    )
    return Funnel("brownfield", Keys(group), ARTEFACT, stages)


def comparison(
    experiment: str,
    metric: str,
    a: str,
    b: str,
    difference: float,
    *,
    apart: bool,
    family: str = "brownfield",
    contract: ContractRef = BROWNFIELD,
    stratum: Keys = ARTEFACT,
    over: str = "model",
    group: Keys = NO_KEYS,
) -> Comparison:
    half = 0.1 if apart else 0.2
    return Comparison(
        experiment=experiment,
        family=family,
        metric=metric,
        group=group,
        stratum=stratum,
        over=over,
        a=a,
        b=b,
        difference=difference,
        interval=Interval(lo=difference - half, hi=difference + half, method=Method.PAIRED_T),
        paired_on=20,
        p=0.001 if apart else 0.3,
        p_adjusted=0.003 if apart else 0.6,
        holm_size=3,
        rule="overlap",
        judged=SeparationVerdict(
            above="a" if apart else None,
            against=() if apart else (NotSeparated.OVERLAP, NotSeparated.HOLDS_ZERO),
            overlap=not apart,
        ),
        method=Method.PAIRED_T,
        standard_error=0.068,
        detectable=SmallestDifference(paired=0.19, strict=0.31, family=3),
        contract=contract,
        words=words_of(family),
        sensitivity=(
            Recount(
                denominator=Denominator.ERRORS_AS_FAILURES,
                judged=SeparationVerdict(above=None, against=(NotSeparated.HOLDS_ZERO,), overlap=None),
                difference=difference - 0.02,
            ),
        ),
    )


def fixtures_held(family: str) -> Control:
    return Control(
        name="fixtures",
        title="golden fixtures",
        state="held",
        guards=family,
        detail="5 of 5 give their known result",
        checks=(ControlCheck(name="fixtures", must="give the known result", n=5, N=5),),
    )


def sanity(*, failed: bool) -> Control:
    faults = (
        (("fix-csv-02/export_is_utf8", "the sample file holds ASCII only"), (HOSTILE, "")) if failed else ()
    )
    return Control(
        name="sanity",
        title="negative control",
        state="failed" if failed else "held",
        guards="brownfield",
        detail="2 of 12 fix graders passed on the untouched application"
        if failed
        else "every grader did as it must",
        checks=(
            ControlCheck(name="Regression set", must="pass", n=32, N=32),
            ControlCheck(name="Fix graders", must="fail", n=12 - len(faults), N=12, faults=faults),
        ),
        source="controls/sanity.json",
        stamp="2026-07-04T09:00:00Z",
    )


def used(ref: ContractRef, family: str, kind: str = "built-in") -> UsedContract:
    return UsedContract(
        ref=ref,
        title="Change beside regress" if kind == "built-in" else "Halden patch score",
        kind=kind,
        family=family,  # type: ignore[arg-type]
        metric_sha256=None if kind == "built-in" else ref.digest[7:],
        files=((f"{ref.version}.py", ref.digest[7:]),),
        fixtures=(
            ("two of three hold", "0.6666666666666666", "0.6666666666666666"),
            ("an empty detail", "invalid", "invalid"),
        ),
        promise=(("change", "mean over runs of the fraction of the task's own assertions that pass"),),
    )


def brownfield(name: str = "brownfield-2026-07") -> Report:
    """Held controls, three models, one pair told apart, an ablation, problems, findings, hostile texts."""
    scores = {"alpha": (412, 520, 1236), "beta": (391, 520, 1271), "gamma": (260, 507, 1188)}
    found = [
        estimate(name, "change", 1063, 1547, {}, known=120, errors=4, invalid=2),
        estimate(name, "regress", 3695, 3840, {}, of="pages", known=120, errors=4, invalid=2),
    ]
    for model, (n, N, pages) in scores.items():
        group = {"model": model}
        found += [
            estimate(name, "change", n, N, group, known=40, errors=1, invalid=1 if model == "gamma" else 0),
            estimate(name, "regress", pages, 1280, group, of="pages", known=40, errors=1),
            estimate(name, "divergence", 6, 37, group, of="runs with both known", unknown=3),
            estimate(name, "awareness", 11, 15, group, stratum=CLAIM, of="known runs", unit="F1"),
            context(name, "cost", "USD", group, 0.12, prices="2026-07-02"),
            context(name, "latency", "s", group, 84.2),
            *(
                estimate(name, "change", n // 4, N // 4, {**group, "config": c}, known=10)
                for c in ("brain=on plan=on", "brain=off plan=on")
            ),
            *(
                estimate(name, "change", n // 4, N // 4, {**group, "kind": k}, known=6 if k == "fix" else 10)
                for k in ("fix", "feature")
            ),
        ]
        found += [stage.estimate for stage in funnel(name, group).stages]
    found += [stage.estimate for stage in funnel(name, {}).stages]
    points = [
        estimate(
            name, "change", 90 + i, 130, {"model": "alpha", "stamp": f"2026-07-{5 + 7 * i:02d}"}, known=10
        )
        for i in range(3)
    ]
    found += points
    return Report(
        experiment=name,
        data_digest=sha(name),
        source_digest=sha(name + "raw"),
        families=("brownfield",),
        words=(("brownfield", words_of("brownfield")),),
        estimates=tuple(sorted(found, key=lambda e: e.id)),
        funnels=(funnel(name, {}), *(funnel(name, {"model": m}) for m in scores)),
        series=(
            Series(
                "brownfield",
                "change",
                Keys({"model": "alpha"}),
                ARTEFACT,
                (Segment(tuple(points), BROWNFIELD, None, None),),
            ),
        ),
        points=tuple(
            Points(
                "brownfield",
                "change",
                "regress",
                Keys({"model": m}),
                ARTEFACT,
                ((1.0, 1.0, 20), (1.0, 0.9, 6), (0.5, 1.0, 11)),
                words_of("brownfield"),
            )
            for m in scores
        ),
        checks=(
            CheckRow(
                "brownfield",
                ARTEFACT,
                "B1",
                "ten units get the bulk price",
                (("alpha", Tally(true=3)), ("beta", Tally(true=1, false=2))),
            ),
            CheckRow(
                "brownfield", ARTEFACT, "B2", HOSTILE, (("alpha", Tally(false=3)), ("beta", Tally(true=3)))
            ),
        ),
        comparisons=(
            comparison(name, "change", "alpha", "beta", 0.04, apart=False),
            comparison(name, "change", "alpha", "gamma", 0.28, apart=True),
            comparison(name, "change", "beta", "gamma", 0.24, apart=True),
            comparison(
                name,
                "change",
                "brain=on plan=on",
                "brain=off plan=on",
                0.05,
                apart=False,
                over="config",
                group=Keys({"model": "alpha"}),
            ),
        ),
        controls=(fixtures_held("brownfield"), sanity(failed=False)),
        costs=(
            CostRow(
                model="alpha",
                recorded=4.9,
                recomputed=4.9,
                prices="2026-07-02",
                records=40,
                compared=40,
                unpriced_records=0,
                without_tokens=0,
                repriced=("2026-08-01", 4.2),
                agree=40,
            ),
            CostRow(
                model="gamma",
                recorded=2.0,
                recomputed=None,
                prices="2026-07-02",
                records=40,
                compared=0,
                unpriced_records=3,
                without_tokens=1,
                repriced=("2026-08-01", None),
                agree=36,
                causes=(RecordsDiffer(3, PriceCorrected("2026-07-19", "gamma")),),
            ),
        ),
        problems=(
            Problem("logs_big/beta.jsonl", 41, "change", 'expected a number from 0 to 1, got "0.8"'),
            Problem("logs_big/beta.jsonl", 57, "", "the line ends in the middle of a string"),
        ),
        findings=(
            Problem(
                "logs_big/alpha.jsonl", 3, "change", "recorded 0.9, the detail gives 0.750, which is used"
            ),
        ),
        contracts=(used(BROWNFIELD, "brownfield"),),
        unknown_fields=(("BrownfieldRun", ("seed", HOSTILE)),),
        records=126,
        duplicates=1,
        redacted=(("api-key", 2),),
    )


def withheld(name: str = "brownfield-2026-07b") -> Report:
    """A negative control that failed: nothing may be quoted."""
    shown = brownfield(name)
    why = "negative control failed: 2 of 12 fix graders passed"
    by_id = {e.id: withhold(e, why) for e in shown.estimates}
    return Report(
        experiment=name,
        data_digest=shown.data_digest,
        source_digest=shown.data_digest,
        families=("brownfield",),
        words=(("brownfield", words_of("brownfield")),),
        estimates=tuple(by_id.values()),
        controls=(fixtures_held("brownfield"), sanity(failed=True)),
        contracts=shown.contracts,
        records=96,
        funnels=tuple(
            Funnel(
                f.family,
                f.group,
                f.stratum,
                tuple(Stage(s.name, by_id[s.estimate.id], s.losses, s.achieved) for s in f.stages),
            )
            for f in shown.funnels
        ),
    )


def traces(name: str = "patches-2026") -> Report:
    """A contract that was replaced, a pack, an arm with too few runs, a probe split."""

    def stratum(ref: ContractRef, split: str) -> Keys:
        return Keys({"contract": f"{ref.id} {ref.digest[:15]}", "pack": PACK[:15], "split": split})

    def score(ref: ContractRef, split: str, n: int, N: int, group: dict[str, str]) -> Estimate:
        return estimate(
            name,
            "score",
            n,
            N,
            group,
            family="traces",
            stratum=stratum(ref, split),
            of="valid runs",
            contract=ref,
            pack=PACK,
            control="shuffled oracles held",
        )

    found = [
        score(ref, split, n, N, {"model": m})
        for ref in (V3, V4)
        for split in ("eval", "probe")
        for m, n, N in (("alpha", 21, 30), ("beta", 18, 30), ("delta", 3, 5))
    ]
    lines = [
        score(ref, "eval", n, 10, {"model": "alpha", "stamp": day})
        for ref, n, day in (
            (V3, 7, "2026-06-05"),
            (V3, 8, "2026-06-12"),
            (V4, 5, "2026-07-03"),
            (V4, 6, "2026-07-10"),
        )
    ]
    segments = (
        Segment(tuple(lines[:2]), V3, PACK, None),
        Segment(tuple(lines[2:]), V4, PACK, None, "contract changed"),
    )
    return Report(
        experiment=name,
        data_digest=sha(name),
        source_digest=sha(name),
        families=("traces",),
        words=(("traces", words_of("traces")),),
        estimates=tuple(sorted([*found, *lines], key=lambda e: e.id)),
        series=(Series("traces", "score", Keys({"model": "alpha"}), Keys({"split": "eval"}), segments),),
        comparisons=(
            comparison(
                name,
                "score",
                "alpha",
                "beta",
                0.1,
                apart=False,
                family="traces",
                contract=V4,
                stratum=stratum(V4, "eval"),
            ),
        ),
        controls=(
            fixtures_held("traces"),
            Control(
                name="shuffled oracles",
                title="shuffled oracles",
                state="held",
                guards="traces",
                contract=V4.digest,
                detail="the score collapses",
            ),
            Control(
                name="stub agent",
                title="stub agent",
                state="not applicable",
                guards="traces",
                detail="no task has oracles",
            ),
        ),
        contracts=(used(V3, "traces", "user"), used(V4, "traces", "user")),
        records=130,
    )


def uncontrolled(name: str = "brownfield-2026-05") -> Report:
    """A control that is missing."""
    shown = brownfield(name)
    missing = Control(
        name="sanity",
        title="negative control",
        state="missing",
        guards="brownfield",
        detail="controls/sanity.json is not there",
    )
    return Report(
        experiment=name,
        data_digest=shown.data_digest,
        source_digest=shown.data_digest,
        families=("brownfield",),
        words=(("brownfield", words_of("brownfield")),),
        estimates=shown.estimates,
        controls=(missing,),
        contracts=shown.contracts,
        records=60,
        funnels=shown.funnels,
    )


def reports() -> Iterator[Report]:
    """One report in each state."""
    yield from (uncontrolled(), brownfield(), withheld(), traces())
