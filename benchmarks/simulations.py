"""What the drawn intervals cover, how often arms are told apart, and what missing tries do, by simulation.

The program's own functions, on experiments that numpy draws from known rates
(`tests.support.simulated_tasks`). Seeds are fixed. Shares come with the standard error of their simulation;
where there is none, the figure was counted out over every outcome. A few minutes of one core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import comb, sqrt
from statistics import median
from typing import NamedTuple

import numpy as np
from scipy import stats

from metrics_core.results import Interval
from metrics_core.statistics.bootstrap.resampled import bootstrap_mean_ci, signed_interval
from metrics_core.statistics.clustered import task_weighted, wilson_effective
from metrics_core.statistics.differences import bonett_price, newcombe, paired_t, unpaired_means
from metrics_core.statistics.frequencies import ClusterSums
from metrics_core.statistics.order_statistics import median_interval
from metrics_core.statistics.pass_at_k import over_tasks, pass_hat_k
from metrics_core.statistics.planning import planned_difference
from metrics_core.statistics.proportions import wider, wilson
from metrics_core.statistics.smallest_difference import PairedMoments, smallest_difference, task_moments
from tests.support.simulated_tasks import Design, Floats, Seen, rate_of_score, seen

DRAWS = 4000
POWER_DRAWS = 2000
UNEQUAL = (1, 1, 1, 1, 2, 2, 3, 6, 10, 20)
OFTEN = tuple(1 + at % 8 for at in range(30))
Rng = np.random.Generator


class Coverage(NamedTuple):
    """One row: what an interval covered. ``draws`` is None where every outcome was counted."""

    what: str
    method: str
    covered: float
    width: float
    draws: int | None

    def row(self) -> str:
        """As a line of the table; below 0.93 it stands out."""
        mark = "**" if self.covered < 0.93 else ""
        covered = f"{mark}{told(self.covered, self.draws)}{mark}"
        return f"| {self.what} | {self.method} | {covered} | {self.width:.2f} |"


def told(share: float, draws: int | None) -> str:
    """A share with the standard error of its simulation."""
    return f"{share:.3f}" if draws is None else f"{share:.3f} ± {sqrt(share * (1 - share) / draws):.3f}"


def drawn(what: str, truth: float, draw: Callable[[Rng], Interval], draws: int = DRAWS) -> Coverage:
    """Coverage over so many simulated experiments; those without an interval are left out, and counted."""
    rng = np.random.default_rng(sum(what.encode()))
    found = [draw(rng) for _ in range(draws)]
    held = [i for i in found if i.lo is not None and i.hi is not None]
    covered = sum(i.lo <= truth <= i.hi for i in held) / len(held)
    none = f"; none in {1 - len(held) / draws:.1%}" if len(held) < draws else ""
    methods = sorted({str(i.method) for i in held})
    return Coverage(
        what, " or ".join(methods) + none, covered, float(np.mean([i.width for i in held])), len(held)
    )


def counted(n: int, rate: float) -> Coverage:
    """Exact coverage of the interval of n single runs."""
    made = [wilson(k, n) for k in range(n + 1)]
    chance = stats.binom.pmf(range(n + 1), n, rate)
    covered = sum(p for i, p in zip(made, chance, strict=True) if i.lo <= rate <= i.hi)
    width = sum(p * i.width for i, p in zip(made, chance, strict=True))
    return Coverage(f"{n} x 1, p {rate}", str(made[0].method), float(covered), float(width), None)


def rates(rng: Rng, count: int, mean: float, icc: float) -> Floats:
    """True rates of so many tasks or clusters."""
    return rate_of_score(mean, icc)(rng.standard_normal(count))


def runs_in(rng: Rng, sizes: Sequence[int], mean: float, icc: float) -> ClusterSums:
    """Runs in clusters of these sizes."""
    passes = rng.binomial(sizes, rates(rng, len(sizes), mean, icc))
    return ClusterSums(tuple(map(float, passes)), tuple(sizes), float(passes.sum()))


def by_task(rng: Rng, sizes: Sequence[int], mean: float, icc: float) -> list[list[float]]:
    """The same, run by run."""
    own = rates(rng, len(sizes), mean, icc)
    return [rng.binomial(1, rate, n).astype(float).tolist() for n, rate in zip(sizes, own, strict=True)]


def coverages() -> Iterator[Coverage]:
    """Every interval that is drawn by default, on designs from comfortable to hostile."""
    for n in (8, 20, 100, 300):
        for rate in (0.5, 0.9, 0.98):
            yield counted(n, rate)
    equal = (
        (20, 3, 0.7, 0.5), (50, 4, 0.42, 0.6), (100, 3, 0.9, 0.3), (30, 2, 0.99, 0.3), (8, 4, 0.95, 0.7),
        (5, 5, 0.9, 0.5), (5, 5, 0.5, 0.3), (3, 10, 0.5, 0.3), (2, 10, 0.5, 0.3),
    )  # fmt: skip
    for tasks, runs, mean, icc in equal:
        yield in_clusters(f"{tasks} x {runs}", [runs] * tasks, mean, icc)
    unequal = (
        ("10 clusters of 1 to 20", UNEQUAL, 0.5, 0.5), ("10 clusters of 1 to 20", UNEQUAL, 0.8, 0.5),
        ("clusters of 2, 3, 5, 10, 40", (2, 3, 5, 10, 40), 0.5, 0.3),
        ("clusters of 2, 3, 3, 4, 4, 5, 5, 6 (G* 0.9 G)", (2, 3, 3, 4, 4, 5, 5, 6), 0.6, 0.4),
        ("4 repos of 10 tasks", (10, 10, 10, 10), 0.6, 0.3),
        ("30 tasks, 1 to 8 runs each", OFTEN, 0.7, 0.4),
    )  # fmt: skip
    for name, sizes, mean, icc in unequal:
        yield in_clusters(name, sizes, mean, icc)
    for name, sizes in (("30 tasks, 1 to 8 runs each", OFTEN), ("10 tasks, 1 to 20 runs each", UNEQUAL)):
        yield drawn(
            f"{name}, task-weighted, p 0.7, ICC 0.4", 0.7,
            lambda rng, sizes=sizes: task_weighted(by_task(rng, sizes, 0.7, 0.4))[1],
        )  # fmt: skip
    yield drawn(
        "fractions, 20 x 1, beta(2, 1)",
        2 / 3,
        lambda rng: wilson_effective([[x] for x in rng.beta(2, 1, 20)]),
    )
    yield drawn("scores of a contract, 20 x 1, p 0.9, wider of two", 0.9, of_contract, draws=600)
    yield drawn(
        "median of 20 costs, lognormal", 1.0, lambda r: median_interval(r.lognormal(0, 1, 20).tolist())
    )
    yield drawn("median of 20 x 5 costs, half of the spread between tasks", 1.0, repeated_costs)
    yield drawn("pass^3, 50 x 4, p 0.6, ICC 0.5", all_of(3, 0.6, 0.5), all_of_three)
    yield from differences()


def in_clusters(name: str, sizes: Sequence[int], mean: float, icc: float) -> Coverage:
    """Of the clustered interval."""
    what = f"{name}, p {mean}, ICC {icc}"
    return drawn(what, mean, lambda rng: wilson_effective(runs_in(rng, sizes, mean, icc)))


def of_contract(rng: Rng) -> Interval:
    """The wider of a contract's signed bootstrap and Wilson's, as it is drawn."""
    scores = rng.binomial(1, 0.9, 20).astype(float).tolist()
    return wider(signed_interval(bootstrap_mean_ci(scores)), wilson_effective([[x] for x in scores]))


def repeated_costs(rng: Rng) -> Interval:
    """Costs of 20 tasks, 5 runs each, that are alike within a task."""
    logs = np.repeat(rng.normal(0, sqrt(0.5), 20), 5) + rng.normal(0, sqrt(0.5), 100)
    return median_interval(np.exp(logs).tolist())


def all_of(k: int, mean: float, icc: float) -> float:
    """True pass^k: the mean of a task's rate to the k."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(201)
    return float(weights @ rate_of_score(mean, icc)(nodes) ** k / weights.sum())


def all_of_three(rng: Rng) -> Interval:
    """pass^3 of 50 tasks that were tried four times."""
    passes = rng.binomial(4, rates(rng, 50, 0.6, 0.5))
    return wilson_effective([[pass_hat_k(4, int(c), 3)] for c in passes])


def differences() -> Iterator[Coverage]:
    """Intervals of differences, the true one not 0."""
    single = Design(tasks=40, runs=1, means=(0.6, 0.75), icc=0.3, correlation=0.6)

    def bonett(rng: Rng) -> Interval:
        (a,), (b,) = single.draws(rng, 1)
        return bonett_price(int((a > b).sum()), int((a < b).sum()), 40)

    yield drawn("difference, 40 x 1, p 0.6 and 0.75, task correlation 0.6", -0.15, bonett)
    repeated = Design(tasks=50, runs=3, means=(0.6, 0.7), icc=0.4, correlation=0.8)

    def paired(rng: Rng) -> Interval:
        (a,), (b,) = repeated.draws(rng, 1)
        return paired_t(((a - b) / 3).tolist()).interval

    yield drawn("difference, 50 x 3, p 0.6 and 0.7, task correlation 0.8", -0.1, paired)
    shapes = (
        ("6 clusters of 5 tasks", (5,) * 6), ("4 clusters of 10 tasks", (10,) * 4),
        ("clusters of 2, 3, 5, 10, 40 tasks", (2, 3, 5, 10, 40)), ("10 clusters of 1 to 20 tasks", UNEQUAL),
        ("one cluster of 30 tasks, five of 1", (30, 1, 1, 1, 1, 1)),
    )  # fmt: skip
    for name, sizes in shapes:
        homes = [str(at) for at, size in enumerate(sizes) for _ in range(size)]

        def on_clusters(rng: Rng, sizes: Sequence[int] = sizes, homes: list[str] = homes) -> Interval:
            found = np.repeat(rng.normal(0, 0.15, len(sizes)), sizes) + rng.normal(0.1, 0.15, sum(sizes))
            return paired_t(found.tolist(), homes, limits=None).interval

        yield drawn(f"difference, {name}, half of the spread between clusters", 0.1, on_clusters)
    yield drawn(
        "different tasks, 40 x 1 and 60 x 1, p 0.8 and 0.9", -0.1,
        lambda r: newcombe(int(r.binomial(40, 0.8)), 40, int(r.binomial(60, 0.9)), 60),
    )  # fmt: skip
    yield drawn(
        "different tasks, 30 x 3 and 20 x 3, p 0.7 and 0.5, ICC 0.4", 0.2,
        lambda r: unpaired_means(runs_in(r, [3] * 30, 0.7, 0.4), runs_in(r, [3] * 20, 0.5, 0.4)).interval,
    )  # fmt: skip


def false_alarms() -> Iterator[str]:
    """How often any pair is told apart where none differs."""
    for tasks, runs, mean, icc in ((50, 1, 0.6, 0.3), (50, 3, 0.6, 0.4), (20, 5, 0.9, 0.3)):
        rng = np.random.default_rng(tasks * runs)
        design = Design(tasks=tasks, runs=runs, means=(mean, mean), icc=icc, correlation=0.8)
        pairs = zip(*design.draws(rng, 14 * 600), strict=True)
        ways = [seen(a, b, runs) for a, b in pairs]
        families = [ways[at : at + 14] for at in range(0, len(ways), 14)]
        cells = []
        for strict in (False, True):
            cells += [
                told(np.mean([w.tells(strict=strict) != 0 for w in ways]), len(ways)),
                told(np.mean([any_apart(f[:6], 6, strict) for f in families]), len(families)),
                told(np.mean([any_apart(f, 14, strict) for f in families]), len(families)),
                told(np.mean([any_apart(f[:2], 1, strict) for f in families]), len(families)),
                told(np.mean([any_apart(f[:4], 1, strict) for f in families]), len(families)),
                told(np.mean([any_apart(f, 1, strict) for f in families]), len(families)),
            ]
        for name, found in (("paired", cells[:6]), ("strict", cells[6:])):
            yield f"| {tasks} x {runs}, p {mean}, ICC {icc} | {name} | " + " | ".join(found) + " |"


def any_apart(ways: Sequence[Seen], family: int, strict: bool) -> bool:
    """Whether one of several comparisons is told apart, by Holm's first step among ``family``."""
    return any(way.tells(strict=strict, family=family) for way in ways)


DESIGNS = tuple(
    Design(tasks=tasks, runs=runs, means=(mean, mean), icc=icc, correlation=correlation)
    for tasks, runs, mean, icc, correlation in (
        (20, 1, 0.5, 0.3, 0.5), (40, 1, 0.5, 0.3, 0.5), (40, 1, 0.8, 0.3, 0.5), (100, 1, 0.7, 0.3, 0.5),
        (300, 1, 0.9, 0.3, 0.5), (20, 3, 0.5, 0.4, 0.8), (50, 3, 0.6, 0.4, 0.8), (100, 3, 0.9, 0.4, 0.8),
        (20, 5, 0.8, 0.3, 0.5), (40, 5, 0.5, 0.3, 0.5), (100, 5, 0.5, 0.3, 0.5), (40, 5, 0.5, 0.7, 1.0),
    )
)  # fmt: skip


def named(design: Design) -> str:
    """A design of two arms, in words."""
    sizes = f"{design.tasks} x {design.runs}, p {design.means[0]}"
    return f"{sizes}, ICC {design.icc}, task correlation {design.correlation}"


def power(design: Design, gap: float | None, *, strict: bool, family: int, rng: Rng) -> str:
    """How often ``b`` is told to be above ``a`` at a true gap."""
    if gap is None:
        return "cannot be shown | "
    draws = zip(*design.apart(gap).draws(rng, POWER_DRAWS), strict=True)
    found = [seen(a, b, design.runs).tells(strict=strict, family=family) == 1 for a, b in draws]
    return f"{gap:.3f} | {told(sum(found) / POWER_DRAWS, POWER_DRAWS)}"


def powers() -> Iterator[str]:
    """Power at the gap that true values give, and at the median of the gaps that data sets print."""
    for design in DESIGNS:
        variances, covariance = design.moments()
        rng = np.random.default_rng(design.tasks * 10 + design.runs)
        for family in (1, 3):
            planned = planned_difference(
                design.tasks, design.runs, means=design.means, variances=variances, covariance=covariance,
                binary=True, family=family,
            )  # fmt: skip
            cells = [
                power(design, gap, strict=strict, family=family, rng=rng)
                for strict, gap in ((False, planned.paired), (True, planned.strict))
            ]
            yield f"| {named(design)} | true values | {family} | " + " | ".join(cells) + " |"
        printed = [smallest_difference(m) for m in data_sets(design, rng, 60)]
        cells = [
            power(design, middle(gaps), strict=strict, family=1, rng=rng)
            for strict, gaps in ((False, [x.paired for x in printed]), (True, [x.strict for x in printed]))
        ]
        yield f"| {named(design)} | median of 60 data sets | 1 | " + " | ".join(cells) + " |"


def middle(gaps: Sequence[float | None]) -> float | None:
    """The median of those that are given."""
    given = [gap for gap in gaps if gap is not None]
    return median(given) if given else None


def data_sets(design: Design, rng: Rng, sets: int) -> Iterator[PairedMoments | None]:
    """What data sets of a design show of its moments."""
    for passes in zip(*design.draws(rng, sets), strict=True):
        a, b = ([[1.0] * int(c) + [0.0] * (design.runs - int(c)) for c in arm] for arm in passes)
        yield task_moments(a, b)


def missing_tries() -> Iterator[str]:
    """pass^k of 50 tasks x 4 where failing tries crash and are missing: value, and what bounds hold."""
    truth = {k: all_of(k, 0.6, 0.5) for k in (1, 2, 3, 4)}
    for crash in (0.0, 0.2, 0.4):
        rng = np.random.default_rng(int(100 * crash))
        found: dict[int, list[tuple[float, bool, bool, int]]] = {k: [] for k in truth}
        for _ in range(1500):
            own = rates(rng, 50, 0.6, 0.5)
            passes = rng.binomial(4, own)
            known = passes + rng.binomial(4 - passes, 1 - crash)
            for k, rows in found.items():
                made = over_tasks(pass_hat_k, list(zip(known.tolist(), passes.tolist(), strict=True)), 4, k)
                full = np.mean([comb(int(c), k) / comb(4, k) for c in passes])
                low, high = made.bounds
                outer = made.outer.lo <= truth[k] <= made.outer.hi
                rows.append((made.value, low - 1e-9 <= full <= high + 1e-9, outer, len(made.left_out)))
        for k, rows in found.items():
            value, held, outer, left = (np.mean(column) for column in zip(*rows, strict=True))
            yield (
                f"| {crash:.0%} | {k} | {truth[k]:.3f} | {value:.3f} | {left:.1f} |"
                f" {held:.3f} | {told(outer, 1500)} |"
            )


def run_until_passed() -> Iterator[str]:
    """Tasks that are run again until they pass, at most 8 times: no weighting mends it."""
    rng = np.random.default_rng(8)
    found: dict[str, list[tuple[float, bool]]] = {"over runs": [], "over tasks": [], "first runs alone": []}
    for _ in range(1500):
        tasks = []
        for rate in rates(rng, 40, 0.6, 0.4):
            verdicts = rng.binomial(1, rate, 8)
            last = int(np.argmax(verdicts)) + 1 if verdicts.any() else 8
            tasks.append(verdicts[:last].astype(float).tolist())
        weighted, alike = task_weighted(tasks)
        first = [[task[0]] for task in tasks]
        over_runs = ClusterSums.of(tasks)
        for name, value, interval in (
            ("over runs", over_runs.mean, wilson_effective(over_runs)), ("over tasks", weighted, alike),
            ("first runs alone", ClusterSums.of(first).mean, wilson_effective(first)),
        ):  # fmt: skip
            found[name].append((value, interval.lo <= 0.6 <= interval.hi))
    for name, rows in found.items():
        value, covered = (np.mean(column) for column in zip(*rows, strict=True))
        yield f"| {name} | {value:.3f} | {told(covered, 1500)} |"


INTRODUCTION = """## Intervals, separation and missing tries, by simulation

Nominal 95 %; bold where less than 93 % was covered. ± is the standard error of the simulation; without it
the figure was counted out.
"""
ALARMS = """How often any pair is told apart where no arm differs. Holm's adjustment runs within a family and
not over families of different metrics: whoever looks through 14 of them by the paired rule finds something.
"""
POWERS = """Power at the smallest difference that could be shown, which should be 0.8. The last row of each
design is for the median of what 60 data sets without a difference print.
"""
CRASHES = """pass^k of 50 tasks x 4 tries (p 0.6, ICC 0.5) where a share of the failing tries crashes: the
value goes up, the bounds hold what all tries would have given, the outer limits the truth.
"""
AGAIN = """Tasks that are run again until they pass (40 tasks, at most 8 runs, true mean 0.6): no weighting
mends it.
"""


def grid(head: Sequence[str], rows: Iterator[str], words: int) -> str:
    """A table whose first columns are words, the others numbers."""
    rule = ["---"] * words + ["--:"] * (len(head) - words)
    return "\n".join(["| " + " | ".join(head) + " |", "| " + " | ".join(rule) + " |", *rows, ""])


def table() -> str:
    """The results, as Markdown."""
    gaps = ("design", "gap from", "family", "paired gap", "power", "strict gap", "power")
    alarms = (
        "design", "rule", "one comparison", "6 under one Holm", "14 under one Holm",
        "any of 2 families", "any of 4", "any of 14",
    )  # fmt: skip
    crashes = ("crash", "k", "true", "mean value", "tasks left out", "bounds hold", "outer limits cover")
    covered = (c.row() for c in coverages())
    parts = (
        (INTRODUCTION, grid(("design", "drawn interval", "coverage", "mean width"), covered, 2)),
        (ALARMS, grid(alarms, false_alarms(), 2)),
        (POWERS, grid(gaps, powers(), 2)),
        (CRASHES, grid(crashes, missing_tries(), 0)),
        (AGAIN, grid(("mean", "centre", "coverage"), run_until_passed(), 1)),
    )
    return "\n".join(text for part in parts for text in part)


if __name__ == "__main__":
    print(table())
