"""Two arms beside each other, of one readable thing or of two: everything that is said of the pair.

Does: make the difference by the same rules as everywhere, lay both arms out by task, hold errors, costs and
times beside each other, and say what makes the two not comparable. Does not: decide whether a change may
pass; `metrics_core.gate` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.between_experiments import EXPERIMENT, InExperiment, between_experiments, cluster_behind
from metrics_core.comparison.measured_experiment import MeasuredExperiment
from metrics_core.comparison.pairs import SCORER, Arms, Wanted, arms_of, wanted_of
from metrics_core.comparison.spending import slowest, spent
from metrics_core.comparison.stability import Stability, of_arm
from metrics_core.comparison.task_by_task import TaskOutcomes, task_outcomes
from metrics_core.errors import InputError
from metrics_core.measurement import RunGroup, never_recorded_beside
from metrics_core.memo import Memo
from metrics_core.results import Comparison, Estimate, Keys, Ratio
from metrics_core.statistics import fisher_exact

SCHEMA = "assay.compare/1"
UNEVEN = 0.05
"""Errors of two arms are told to be uneven where Fisher's exact p is at most this."""


class ArmHealth(Struct, frozen=True):
    """Runs of one arm by what became of them.

    Attributes:
        attempts: Every run that was made.
        errors: Runs that failed themselves, or whose record is invalid.
        unknown: Runs without a verdict that did not fail themselves.
        never_recorded: Runs of the planned grid of tasks and repetitions that left no record.
    """

    attempts: int
    errors: int
    unknown: int
    never_recorded: int

    @classmethod
    def of(cls, runs: RunGroup) -> ArmHealth:
        """Counted over the runs of an arm."""
        errors, unknown = runs.count("error") + runs.count("invalid"), runs.count("unknown")
        return cls(runs.known + errors + unknown, errors, unknown, sum(runs.never.values()))

    @property
    def planned(self) -> int:
        """Runs that were made, and those that were never recorded."""
        return self.attempts + self.never_recorded

    @property
    def share_lost(self) -> float:
        """The part of the planned runs that failed or was never recorded."""
        return (self.errors + self.never_recorded) / self.planned if self.planned else 0.0

    def to_json(self) -> dict[str, Any]:
        """As it stands in a record."""
        return {
            "attempts": self.attempts,
            "errors": self.errors,
            "unknown": self.unknown,
            "never_recorded": self.never_recorded,
            "share_without_verdict": self.share_lost,
        }


class Compared(Struct, frozen=True, kw_only=True):
    """A baseline's arm and a candidate's, on one metric and stratum.

    Attributes:
        comparison: The baseline less the candidate, by both rules.
        a: The baseline's estimate.
        b: The candidate's.
        runs: The runs of both, laid out by task.
        cluster: The key within which tasks err together.
        sides: Whose arms they are.
        tasks: What became of each task; None where no number may be made of the two.
    """

    comparison: Comparison
    a: Estimate
    b: Estimate
    runs: tuple[RunGroup, RunGroup]
    cluster: str
    sides: tuple[MeasuredExperiment, MeasuredExperiment]
    tasks: TaskOutcomes | None

    @property
    def scorer(self) -> str:
        """Whose verdicts are compared, where a scorer gave them; empty where none is named."""
        return self.a.stratum.get(SCORER, "")

    @property
    def health(self) -> tuple[ArmHealth, ArmHealth]:
        """What became of the runs of either arm."""
        return ArmHealth.of(self.runs[0]), ArmHealth.of(self.runs[1])

    @property
    def errors_p(self) -> float:
        """Fisher's exact p on the errors and attempts of the two arms; 1 where one made no attempt."""
        a, b = self.health
        if not (a.attempts and b.attempts):
            return 1.0
        return fisher_exact(a.errors, a.attempts, b.errors, b.attempts)

    @property
    def errors_uneven(self) -> bool:
        """Whether one arm has more errors than chance explains."""
        return self.errors_p <= UNEVEN

    @property
    def stability(self) -> tuple[Stability, Stability]:
        """How alike the runs of a task are, of either arm."""
        base, candidate = self.sides
        return (
            of_arm(base, self.a, self.runs[0], self.comparison.a),
            of_arm(candidate, self.b, self.runs[1], self.comparison.b),
        )

    def cost(self) -> Ratio | None:
        """The candidate's mean cost over the baseline's; None without costs at one price table."""
        return spent(*self._whose())

    def latency(self) -> Ratio | None:
        """The candidate's 95th percentile of latency over the baseline's; None where no time is recorded."""
        return slowest(*self._whose())

    def _whose(self) -> tuple[tuple[MeasuredExperiment, Estimate], tuple[MeasuredExperiment, Estimate]]:
        return (self.sides[0], self.a), (self.sides[1], self.b)


class Comparing(Struct, frozen=True, kw_only=True):
    """Everything that two arms were compared on.

    Attributes:
        metric: What was asked for.
        arms: Names of the baseline's arm and of the candidate's.
        leading: One a stratum of the metric that was asked for, or that leads.
        beside: The metrics that no sentence leaves out beside it.
        apart: Strata of the metric that one side alone has, with the side's name.
    """

    metric: Wanted
    arms: tuple[str, str]
    leading: tuple[Compared, ...]
    beside: tuple[Compared, ...] = ()
    apart: tuple[tuple[str, Keys], ...] = ()

    @property
    def first(self) -> Compared:
        """What stands first."""
        return self.leading[0]

    @property
    def side_names(self) -> tuple[str, str]:
        """What the two sides are called: the things that were compared, or the arms of one."""
        base, candidate = self.first.sides
        return self.arms if base is candidate else (base.name, candidate.name)

    @property
    def things(self) -> tuple[MeasuredExperiment, ...]:
        """What was compared: two things, or the one that both arms are of."""
        base, candidate = self.first.sides
        return (base,) if base is candidate else (base, candidate)

    def to_json(self) -> dict[str, Any]:
        """The record (``assay.compare/1``); tasks, errors, cost and latency are those of the first pair."""
        first = self.first
        cost, latency = first.cost(), first.latency()
        problems = [
            {"side": side.name, **problem.to_json()}
            for side in self.things
            for problem in (*side.report.problems, *side.report.findings)
        ]
        return {
            "schema": SCHEMA,
            "baseline": _side(first.sides[0], first.a),
            "candidate": _side(first.sides[1], first.b),
            "comparisons": [c.comparison.to_json() for c in (*self.leading, *self.beside)],
            "estimates": [e.to_json() for c in (*self.leading, *self.beside) for e in (c.a, c.b)],
            "tasks": None if first.tasks is None else first.tasks.to_json(),
            "stability": [] if first.tasks is None else [each.to_json() for each in first.stability],
            "health": {
                "baseline": first.health[0].to_json(),
                "candidate": first.health[1].to_json(),
                "errors_p": first.errors_p,
                "errors_uneven": first.errors_uneven,
            },
            "cost_ratio": None if cost is None else cost.to_json(),
            "p95_ratio": None if latency is None else latency.to_json(),
            "strata_of_one_side": [{"side": side, "stratum": keys.to_json()} for side, keys in self.apart],
            "problems": problems,
        }


def _side(side: MeasuredExperiment, e: Estimate) -> dict[str, Any]:
    return {"name": side.name, "arm": e.group.to_json(), "data_digest": side.report.data_digest}


def comparing(
    base: MeasuredExperiment,
    candidate: MeasuredExperiment,
    metric: str = "",
    *,
    a: str = "",
    b: str = "",
) -> Comparing:
    """Compare an arm of one readable thing with an arm of another, or of the same.

    Two arms of one experiment keep the comparison of its report, whose Holm goes over all arms of it. Of two
    experiments nothing is pooled: runs of one are never repetitions of the other's.

    Args:
        base: The baseline.
        candidate: The candidate; the same object for two arms of one thing.
        metric: A metric, a scorer, or METRIC key=value; empty for the one that leads.
        a: The baseline's arm, where it has several.
        b: The candidate's arm.

    Raises:
        InputError: There is no such metric or arm in both, or several could be meant.
    """
    wanted = wanted_of(base.report, candidate.report, metric)
    arms = arms_of(base, candidate, wanted, a, b)
    leading = tuple(_compared(base, candidate, arms))
    if not leading:
        raise InputError(
            f"{arms.a!r} and {arms.b!r} are not compared on {wanted.metric}", where=base.report.experiment
        )
    words = leading[0].a.words
    beside: list[Compared] = []
    for other in () if words is None else words.read_with(wanted.metric):
        try:
            theirs = arms_of(base, candidate, replace(wanted, metric=other), arms.a, arms.b)
        except InputError:  # not measured in both: then there is nothing that could stand beside it
            continue
        beside += _compared(base, candidate, theirs)
    names = (arms.a, arms.b) if base is candidate else (base.name, candidate.name)
    apart = [
        (name, keys)
        for name, strata in zip(names, (arms.only_a, arms.only_b), strict=True)
        for keys in strata
    ]
    return Comparing(
        metric=wanted, arms=(arms.a, arms.b), leading=leading, beside=tuple(beside), apart=tuple(apart)
    )


def _compared(base: MeasuredExperiment, candidate: MeasuredExperiment, arms: Arms) -> Iterator[Compared]:
    laid = [_laid_out((base, e), (candidate, other)) for e, other in arms.pairs]
    within = base is candidate
    made: Iterator[Comparison | None]
    made = _within(base, arms) if within else _between(base, candidate, arms, laid)
    for (e, other), runs, comparison in zip(arms.pairs, laid, made, strict=True):
        if comparison is None:
            continue
        shown = comparison.outcome.value != "not comparable"
        yield Compared(
            comparison=comparison,
            a=e,
            b=other,
            runs=runs,
            cluster=cluster_behind(e),
            sides=(base, candidate),
            tasks=task_outcomes(*runs, against=e.polarity == "against") if shown else None,
        )


def _laid_out(
    a: tuple[MeasuredExperiment, Estimate], b: tuple[MeasuredExperiment, Estimate]
) -> tuple[RunGroup, RunGroup]:
    """The runs of both arms; of two experiments that share tasks, with what the two grids together lack."""
    left, right = a[0].runs(a[1]), b[0].runs(b[1])
    if a[0] is not b[0] and left.home.keys() & right.home.keys():
        for runs, never in zip(
            (left, right), never_recorded_beside({"a": left, "b": right}).values(), strict=True
        ):
            runs.never = never
            runs.home = {task: home for of in (right, left) for task, home in of.home.items()} | runs.home
    return left, right


def _within(whole: MeasuredExperiment, arms: Arms) -> Iterator[Comparison | None]:
    """The comparisons of one report, the baseline first; None where it makes none, as nothing is known."""
    for e, other in arms.pairs:
        found = next(
            (
                c
                for c in whole.report.comparisons
                if (c.family, c.metric, c.over) == (e.family, e.metric, arms.over)
                and {c.a, c.b} == {arms.a, arms.b}
                and (c.stratum in (e.stratum, other.stratum))
                and not c.group
            ),
            None,
        )
        yield found if found is None or found.a == arms.a else found.reversed()


def _between(
    base: MeasuredExperiment,
    candidate: MeasuredExperiment,
    arms: Arms,
    laid: Sequence[tuple[RunGroup, RunGroup]],
) -> Iterator[Comparison]:
    alike = arms.a == arms.b
    names = (base.name, candidate.name) if alike else (arms.a, arms.b)
    pairs = [
        (
            InExperiment(names[0], e, lambda runs=left: runs),  # type: ignore[misc]
            InExperiment(names[1], other, lambda runs=right: runs),  # type: ignore[misc]
        )
        for (e, other), (left, right) in zip(arms.pairs, laid, strict=True)
    ]
    over = EXPERIMENT if alike else arms.over
    for made in between_experiments(pairs, base.rule, Memo(), over=over):
        if made is None:
            raise AssertionError("runs were given, and no comparison was made of them")
        yield made


def names_apart(paths: Sequence[str]) -> tuple[str, str]:
    """What to call two paths: their last part, after the first one that tells them apart; else by their role.

    Args:
        paths: Two paths with ``/``.

    >>> names_apart(["runs/main/results.csv", "runs/branch/results.csv"])
    ('main/results', 'branch/results')
    >>> names_apart(["_baseline/content/experiments/nightly", "repo/content/experiments/nightly"])
    ('_baseline/nightly', 'repo/nightly')
    >>> names_apart(["a/x.csv", "a/x.csv"]), names_apart(["base.jsonl", "new.jsonl"])
    (('baseline', 'candidate'), ('base', 'new'))
    """
    parts = [path.rstrip("/").split("/") for path in paths]
    for names in parts:
        stem, dot, _ = names[-1].partition(".")
        names[-1] = stem if stem and dot else names[-1]
    for many in range(1, max(map(len, parts)) + 1):
        first, second = (names[-many:] for names in parts)
        if first != second:
            return _ends(first), _ends(second)
    return "baseline", "candidate"


def _ends(names: Sequence[str]) -> str:
    return "/".join(names if len(names) == 1 else (names[0], names[-1]))
