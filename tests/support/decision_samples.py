"""Reports and decisions of a few made-up arms, in memory: what the tests of decisions judge.

The counts are made up; intervals are the core's, and tests hold verdicts against limits worked out elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from metrics_core.results.codes import ByControl, FailedControl, Method, NoInterval, NotSeparated, Withheld
from metrics_core.results.comparison import Comparison
from metrics_core.results.control import Control
from metrics_core.results.estimate import Estimate
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from metrics_core.results.report import Report
from metrics_core.results.review import Review, Verdict
from metrics_core.results.separation import SmallestDifference
from metrics_core.statistics.differences import paired_binary
from metrics_core.statistics.proportions import wilson
from metrics_core.statistics.separation import verdict
from metrics_core.statistics.t_table import POWER_REACH
from site_src.decisions import JudgedClaim, JudgedDecision, judge_decision, read
from site_src.decisions.model import Decision
from site_src.decisions.reasons import NoRunYet, NumberWithheld
from site_src.figures import claims as figure
from site_src.project import Registration
from site_src.references import Index
from tests.support.figure_samples import (
    ATTACK,
    DATA,
    V1,
    V2,
    judged as judged_as,
    money,
    share,
    withheld,
    words_of,
)

NEGATIVE = Control(
    name="sanity", title="negative control", state="held", detail="32/32 pass, 8/8 fail", guards="attempts"
)


def report(
    estimates: Iterable[Estimate],
    comparisons: Iterable[Comparison] = (),
    controls: Iterable[Control] = (NEGATIVE,),
    experiment: str = "gh-2026",
) -> Report:
    """One experiment."""
    return Report(
        experiment=experiment,
        data_digest=DATA,
        source_digest=DATA,
        families=("attempts",),
        words=(("attempts", words_of("attempts")),),
        estimates=tuple(estimates),
        comparisons=tuple(comparisons),
        controls=tuple(controls),
    )


def compared(
    a: Estimate, b: Estimate, difference: float, lo: float, hi: float, word: str, **more: Any
) -> Comparison:
    """Two arms, their difference and interval as given; ``against`` is what stands against a separation."""
    against = more.pop("against", (NotSeparated.OVERLAP, NotSeparated.HOLDS_ZERO))
    return Comparison(
        **{
            "experiment": a.experiment,
            "family": a.family,
            "metric": a.metric,
            "group": Keys(),
            "stratum": a.stratum,
            "over": "model",
            "a": a.group["model"],
            "b": b.group["model"],
            "difference": difference,
            "interval": Interval(lo=lo, hi=hi, method=Method.PAIRED_T),
            "paired_on": 12,
            "p": 0.01,
            "p_adjusted": 0.03,
            "holm_size": 3,
            "rule": "overlap",
            "judged": judged_as(word, *against, lo=lo, hi=hi),
            "method": Method.PAIRED_T,
            "standard_error": 0.19 / POWER_REACH,
            "detectable": SmallestDifference(paired=0.19, strict=0.31, family=3),
            "contract": a.contract,
            "words": a.words,
            **more,
        }
    )


def plain(metric: str, n: int, N: int, **more: Any) -> Estimate:
    """A share with Wilson's own interval, no clusters."""
    return share(metric, n, N, clusters=None, **more)


SANITY_FAILED = Withheld((FailedControl("sanity", "negative control", "3 of 12 did not fail"),))

ALPHA = plain("security", 50, 58, unknown=9, errors=5)
BETA = plain("security", 48, 61, unknown=7, errors=4, model="beta")
GAMMA = plain("security", 33, 60, unknown=4, errors=2, model="gamma")
FEW = plain("security", 5, 6, model="few")
HALF_KNOWN = plain("security", 40, 50, unknown=22, model="half")

SEPARATED = compared(ALPHA, GAMMA, 0.31, 0.13, 0.47, "a above b")
OVERLAPPING = compared(
    ALPHA,
    BETA,
    0.08,
    -0.08,
    0.23,
    "cannot separate",
)


def front(*claims: str, status: str = "proposed", more: str = "") -> bytes:
    """A decision's file with these claims, each a YAML mapping on one line."""
    listed = "".join(f"  - {claim}\n" for claim in claims)
    claimed = f"claims:\n{listed}" if claims else ""
    return f"---\ntitle: Send it to alpha\nstatus: {status}\n{more}{claimed}---\n\nBecause.\n".encode()


def decided(*claims: str, **told: str) -> Decision:
    """A decision with these claims."""
    return read("decisions/send-it.md", front(*claims, **told))


def judged(claim: str, *reports: Report, **more: Any) -> JudgedClaim:
    """One claim against these reports."""
    return judge_decision(decided(claim), Index(reports), **more).claims[0]


CLAIMED = (
    "{says: Alpha keeps more secrets., metric: attempts.security, of: alpha, above: gamma, by: 0.10}",
    "{metric: attempts.security, of: alpha, above: beta}",
    "{metric: attempts.security, of: gamma, above: alpha, by: 0.05}",
    "{metric: attempts.security, of: alpha, above: alpha, in: experiment=gh-2025}",
    "{metric: attempts.security, of: alpha, above: few}",
    "{metric: gh-2024/attempts.security, of: alpha, above: beta}",
    "{metric: gh-2026/attempts.security, of: alpha, at_least: 0.70}",
    "{metric: gh-2026/attempts.security, of: half, at_least: 0.60}",
    "{metric: attempts.cost, of: alpha, below: 2.50, unit: USD}",
    "{control: sanity, experiment: gh-2026}",
)
"""One of each kind of verdict, on three axes and none."""


def everything(name: str = "alpha") -> JudgedDecision:
    """A decision with one of each verdict; ``name`` in place of the first arm's."""
    reports = (
        report(
            (ALPHA, BETA, GAMMA, FEW, HALF_KNOWN, _cost()),
            (
                SEPARATED,
                OVERLAPPING,
                replace(
                    compared(ALPHA, FEW, 0.0, -0.1, 0.1, "cannot separate"),
                    difference=None,
                    interval=Interval.none(NoInterval.TOO_FEW),
                    standard_error=None,
                    detectable=None,
                ),
            ),
        ),
        report((replace(ALPHA, experiment="gh-2025", contract=V1),), experiment="gh-2025"),
        report(
            [withheld(replace(e, experiment="gh-2024"), SANITY_FAILED) for e in (ALPHA, BETA)],
            [
                replace(
                    OVERLAPPING,
                    experiment="gh-2024",
                    difference=None,
                    interval=Interval.none(ByControl(SANITY_FAILED)),
                    judged=judged_as("not comparable", ByControl(SANITY_FAILED)),
                )
            ],
            experiment="gh-2024",
        ),
    )
    claims = [c.replace("metric: attempts", "metric: gh-2026/attempts") for c in CLAIMED]
    found = judge_decision(decided(*claims), Index(reports))
    return found if name == "alpha" else replace(found, claims=tuple(_named(c, name) for c in found.claims))


def holding(passed: dict[str, int]) -> tuple[JudgedDecision, ...]:
    """Decisions by title, each that an arm keeps at least 0.60 of 100 known runs, of which so many passed."""
    return tuple(
        judge_decision(
            replace(decided("{metric: attempts.security, of: alpha, at_least: 0.60}"), title=title),
            Index((report((plain("security", n, 100),)),)),
        )
        for title, n in passed.items()
    )


def registered(first: str, committed: str, more: str = "registered: {planned: 40}\n") -> JudgedDecision:
    """A decision with one claim whose records begin at a stamp, and whose words were committed at another."""
    claims = tuple(
        replace(c, estimates=tuple(replace(e, stamps=(first, "2026-07-30T00:00:00Z")) for e in c.estimates))
        for c in everything().claims[:1]
    )
    proof = Registration(proof="committed", commit="4f2c9e1" + "0" * 33, time=committed)
    return JudgedDecision(decided(more=more), claims, (), proof)


def of_axis(axis: str, name: str = "alpha") -> tuple[JudgedClaim, ...]:
    """The claims of one axis."""
    return tuple(j for j in everything(name).claims if figure.axis_of(j) == axis)


def hidden() -> tuple[JudgedClaim, ...]:
    """The same claims as a failed control leaves them."""
    return tuple(
        replace(
            j,
            verdict="inadmissible",
            why=NumberWithheld(SANITY_FAILED),
            estimates=tuple(e if e.withheld else withheld(e, SANITY_FAILED) for e in j.estimates),
            comparison=None,
            differs=None,
            worst=None,
        )
        for j in of_axis("difference")
    )


def _cost() -> Estimate:
    return replace(money("alpha", 0.61, 0.44, 0.82, 40), family="attempts", experiment="gh-2026")


def _named(judged: JudgedClaim, name: str) -> JudgedClaim:
    if judged.control is not None:
        return replace(judged, claim=replace(judged.claim, experiment=name))
    return replace(
        judged,
        claim=replace(judged.claim, of=name, sentence=name),
        estimates=tuple(replace(e, group=Keys({"model": name})) for e in judged.estimates[:1])
        + judged.estimates[1:],
        why=NoRunYet("security", (("model", name),)),
    )


# ------------------------------------------------------------------------------------ runs, one a task


def runs(held: dict[str, Sequence[bool]], metric: str = "security") -> Iterator[Review]:
    """One run an arm and task: whether it held, in the order of the tasks."""
    for model, outcomes in held.items():
        for at, good in enumerate(outcomes):
            told = Verdict(
                metric=metric,
                title=metric,
                stratum=ATTACK,
                state="known",
                word="held" if good else "breached",
                value=float(good),
                unit="fraction",
                n=int(good),
                N=1,
                of="known verdicts",
                good=good,
            )
            yield Review(
                experiment="gh-2026",
                family="attempts",
                run=f"{model}-{at}",
                title=f"task {at}",
                task=f"t{at:02}",
                group=Keys({"model": model}),
                stamp=None,
                file=f"{model}.jsonl",
                line=at + 1,
                verdicts=(told,),
                record={"task": f"t{at:02}", "output": f"I left it out, said {model} of “{at}”."},
            )


def of_runs(held: dict[str, Sequence[bool]]) -> Report:
    """The report of two arms that ran the same tasks once each."""
    a, b = (
        plain(
            "security", sum(held[m]), len(held[m]), model=m, stratum=ATTACK, contract=V2, of="known verdicts"
        )
        for m in held
    )
    one, other = held.values()
    pair = list(zip(one, other, strict=True))
    found = paired_binary(sum(x > y for x, y in pair), sum(x < y for x, y in pair), len(pair))
    said = verdict(
        wilson(sum(one), len(one)), wilson(sum(other), len(other)), found, found.p, len(one), len(other)
    )
    assert found.value is not None
    assert found.interval.lo is not None
    assert found.interval.hi is not None
    comparison = compared(
        a,
        b,
        found.value,
        found.interval.lo,
        found.interval.hi,
        "",
        judged=said,
        paired_on=len(pair),
        p=found.p,
        p_adjusted=found.p,
        interval=found.interval,
        standard_error=found.standard_error,
    )
    return report((a, b), (comparison,))
