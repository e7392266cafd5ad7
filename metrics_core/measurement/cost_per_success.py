"""What a success costs: the money of all runs over those that came to 1, of two arms beside each other.

Only tasks that both ran, and of them only runs of which cost and outcome are both known: a run without one
of them is left out of both sums and counted, never a 0. The interval of one arm is Fieller's on the totals of
its tasks, that of the ratio MOVER's on both, which is conservative since they share tasks.

Does: add up and divide. Does not: choose what is claimed of it, or word it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, fsum
from typing import Any, Final

from msgspec import Struct, field

from metrics_core.measurement.counterfactual import RecordedOutcome
from metrics_core.results import Estimate, Interval, Method, NoInterval
from metrics_core.statistics import cost_ratio, mover_ratio, tasks_to_tell

MOSTLY: Final = 0.2
"""Share of the runs left out beyond which nothing is decided on the others."""


class CostPerSuccess(Struct, frozen=True, kw_only=True):
    """What a success of one arm costs.

    Attributes:
        usd: Cost of all its counted runs over its successes; None without a success.
        interval: Of that.
        cost: US dollars of the counted runs.
        successes: Runs whose value is 1.
        runs: Runs that are counted.
        left_out: Runs on tasks that both ran of which the cost or the outcome is not known, also on those
            tasks of which no run of an arm is counted.
    """

    usd: float | None
    interval: Interval
    cost: float
    successes: int
    runs: int
    left_out: int

    @property
    def mostly_unknown(self) -> bool:
        """Whether more than a fifth of its runs is left out."""
        return self.left_out > MOSTLY * (self.runs + self.left_out)


class SpentBeside(Struct, frozen=True, kw_only=True):
    """Two arms, the claimed one first.

    Attributes:
        candidate: The arm that is to come.
        incumbent: The arm that is there.
        ratio: Cost per success of the candidate over that of the incumbent.
        interval: Of the ratio.
        tasks: That both ran, with a counted run of each.
        prices: What money was reckoned by: a table's date, or that it was recorded.
    """

    candidate: CostPerSuccess
    incumbent: CostPerSuccess
    ratio: float | None
    interval: Interval
    tasks: int
    prices: str

    @property
    def a_run(self) -> float:
        """What a counted run of either cost in the mean, in US dollars."""
        return (self.candidate.cost + self.incumbent.cost) / (self.candidate.runs + self.incumbent.runs)

    def runs_of(self, tasks: int) -> int:
        """How many runs of both so many tasks would take, each run as often as now."""
        return ceil(tasks * (self.candidate.runs + self.incumbent.runs) / self.tasks)

    def tasks_to_tell(self, line: float) -> int | None:
        """The fewest tasks that would tell the ratio from a line, were it in truth what was found.

        Args:
            line: What the ratio is held against, above 0.

        Returns:
            None where no number would, or the ratio has no interval.
        """
        lo, hi = self.interval.lo, self.interval.hi
        if self.ratio is None or lo is None or hi is None:
            return None
        return tasks_to_tell(self.ratio, (lo, hi), line, self.tasks, ratio=True)


class _Task(Struct):
    """Runs of one task and arm."""

    cost: float = 0.0
    successes: int = 0
    runs: int = 0
    left_out: int = 0


class _Arm(Struct):
    tasks: dict[str, _Task] = field(default_factory=lambda: defaultdict(_Task))


def spent_beside(
    sides: Sequence[Estimate], costs: Sequence[Estimate], runs: Iterable[RecordedOutcome]
) -> SpentBeside | None:
    """What a success of two arms costs.

    Args:
        sides: Their estimates on what is claimed, the claimed arm's first; both of one experiment.
        costs: All estimates of money of that experiment.
        runs: Each of its runs, with its outcomes and what it cost.

    Returns:
        None where the two have no cost, or are not priced alike.
    """
    prices = _prices(sides[0], costs)
    if prices is None or prices != _prices(sides[1], costs):
        return None
    arms = (_Arm(), _Arm())
    for run in runs:
        for e, arm in zip(sides, arms, strict=True):
            if run.what == (e.family, e.metric, e.stratum) and set(e.group) <= set(run.group):
                _add(arm.tasks[run.task], run, prices)
    both = [name for name in arms[0].tasks if name in arms[1].tasks]
    common = [name for name in both if all(arm.tasks[name].runs for arm in arms)]
    if not common:
        return None
    candidate, incumbent = (_of(arm.tasks, common, both) for arm in arms)
    ratio, interval = _ratio(incumbent, candidate)
    return SpentBeside(
        candidate=candidate, incumbent=incumbent, ratio=ratio, interval=interval, tasks=len(common),
        prices=prices,
    )  # fmt: skip


def _prices(e: Estimate, costs: Iterable[Estimate]) -> str | None:
    """What the money of an arm was reckoned by; None where none is known, or in more than one way."""
    found = {
        x.stratum.get("prices", "")
        for x in costs
        if (x.family, x.group) == (e.family, e.group)
        and x.known
        and x.withheld is None
        and all(e.stratum.get(key, value) == value for key, value in x.stratum.without("prices"))
    }
    return found.pop() if len(found) == 1 else None


def _add(task: _Task, run: RecordedOutcome, prices: str) -> None:
    usd = dict(run.costs).get(prices)
    if usd is None or run.value is None:
        task.left_out += 1
        return
    task.cost += usd
    task.successes += run.value[0] == 1.0
    task.runs += 1


def _of(tasks: Mapping[str, _Task], common: Sequence[str], both: Sequence[str]) -> CostPerSuccess:
    """What a success costs on the tasks in common; what is left out is counted on all tasks that both ran."""
    found = [tasks[name] for name in common]
    value, interval = cost_ratio([float(t.successes) for t in found], [t.cost for t in found])
    return CostPerSuccess(
        usd=value,
        interval=interval,
        cost=fsum(t.cost for t in found),
        successes=sum(t.successes for t in found),
        runs=sum(t.runs for t in found),
        left_out=sum(tasks[name].left_out for name in both),
    )


def _ratio(below: CostPerSuccess, above: CostPerSuccess) -> tuple[float | None, Interval]:
    ends: list[Any] = [(x.usd, x.interval.lo, x.interval.hi) for x in (below, above)]
    if not below.usd or above.usd is None:
        return None, Interval.none(NoInterval.NO_RATIO, method=Method.MOVER)
    if any(None in each for each in ends):
        return above.usd / below.usd, Interval.none(NoInterval.NO_RATIO, method=Method.MOVER)
    return above.usd / below.usd, mover_ratio(*ends)
