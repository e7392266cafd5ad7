"""Published estimates and comparisons held against the second reading of their runs.

Does: give `second_reading` the runs of each estimate, by its published keys, and compare what it reads with
what is published. Does not: compute. What the second reading has no formula for is counted, and no fault.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import isclose
from typing import Any

from msgspec import Struct, field

from metrics_core import api
from metrics_core.experiments import Experiment
from metrics_core.pricing import PriceTable
from metrics_core.text import many
from site_src import paths
from site_src.publishing import Progress, PublishedSite, shown
from site_src.verification.findings import Check
from site_src.verification.second_reading import (
    EstimateRead,
    Limits,
    PlainRun,
    difference,
    holm,
    read_bootstrapped,
    read_context,
    read_corrected,
    read_kappa,
    read_mean,
    read_powered,
    read_repeated,
    read_share,
)

WHAT = "estimates and comparisons read a second time"
CLOSE = 1e-9
"""Share of a number by which two readings may differ: both round, on the way, in another order."""
MOST_DRAWN = 200
"""Runs up to which a signed bootstrap is drawn again: in plain Python that takes its time."""
ARM = "model"

Keys = tuple[tuple[str, str], ...]


class Rereading(Struct):
    """What the second reading came to.

    Attributes:
        check: Mismatches; ``checked`` counts estimates and comparisons that were read.
        not_read: How many were not, by why.
    """

    check: Check
    not_read: dict[str, int] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """What was not read, in words."""
        if not self.not_read:
            return ""
        why = ", ".join(f"{n} {words}" for words, n in sorted(self.not_read.items()))
        number = many(sum(self.not_read.values()), "number")
        return f"computed once, and not read a second time: {number} ({why})"


def reread(
    site: PublishedSite, experiments: Sequence[Experiment], prices: Sequence[PriceTable], progress: Progress
) -> Rereading:
    """Read every published estimate and comparison a second time, from the runs behind it.

    Args:
        site: To be checked.
        experiments: As they were laid out again from it.
        prices: The site's own price tables.
        progress: Called with how far it has come.
    """
    faults: list[str] = []
    not_read: dict[str, int] = defaultdict(int)
    read = 0
    for number, experiment in enumerate(experiments):
        progress("reading a second time", number, len(experiments))
        report = site.json(paths.report(experiment.slug))
        runs = RunsByKeys(api.counted_runs(experiment, prices))
        for outcome in outcomes(report, runs):
            if isinstance(outcome, str):
                not_read[outcome] += 1
            else:
                read += 1
                faults += outcome
    return Rereading(Check(WHAT, read, tuple(faults)), dict(not_read))


JUDGED = {"kappa": read_kappa, "corrected": read_corrected, "powered": read_powered}
"""Kind of an estimate that needs what raters say of its runs -> how it is read."""


class RunsByKeys:
    """The runs of an experiment by what estimates are given for.

    Args:
        counted: Of the whole experiment.
    """

    def __init__(self, counted: Iterator[api.CountedRuns]) -> None:
        self._metrics = api.metrics()
        self._cells: dict[tuple[str, str, Keys], list[api.CountedRuns]] = defaultdict(list)
        for cell in counted:
            self._cells[(cell.family, cell.metric, tuple(cell.stratum))].append(cell)
        self._by_names: dict[tuple[str, str, Keys, tuple[str, ...]], dict[Keys, list[api.CountedRuns]]] = {}

    def metric(self, row: Mapping[str, Any]) -> Any:
        """The metric of a row; None for what the core gives every family, such as a stage."""
        return self._metrics.get((row["family"], row["metric"]))

    def of(self, row: Mapping[str, Any], group: Mapping[str, str]) -> list[PlainRun]:
        """The runs of a row's metric and stratum in a group, known and not.

        Args:
            row: An estimate or a comparison as its report has it.
            group: Keys that the runs agree in.
        """
        metric = self.metric(row)
        level = group.get(metric.one_vs_rest) if metric.one_vs_rest else None
        wanted = {key: value for key, value in group.items() if key not in (metric.one_vs_rest, "k")}
        where = (row["family"], metric.source or metric.name, tuple(sorted(row["stratum"].items())))
        names = tuple(sorted(wanted))
        index = (*where, names)
        if index not in self._by_names:
            found: dict[Keys, list[api.CountedRuns]] = defaultdict(list)
            for cell in self._cells.get(where, ()):
                held = dict(cell.keys)
                if all(name in held for name in names):
                    found[tuple((name, held[name]) for name in names)].append(cell)
            self._by_names[index] = found
        cells = self._by_names[index].get(tuple(sorted(wanted.items())), ())
        return [run for cell in cells for run in _runs(cell, metric, level)]


def _runs(cell: api.CountedRuns, metric: Any, level: str | None) -> Iterator[PlainRun]:
    keys = dict(cell.keys)
    task = keys.get("scenario", "")
    cluster = keys.get(cell.cluster, task)
    if metric.source:  # tries of one task are tries of one arm
        task = f"{keys.get(ARM, '')}\n{task}"
    for (value, n, of), times in cell.known:
        run = PlainRun(cluster, task, value, n, of)
        if level is not None:
            at_level = keys.get(metric.one_vs_rest) == level
            run = PlainRun(cluster, task, float(at_level), int(at_level), 1)
        yield from (run for _ in range(times))
    yield from (PlainRun(cluster, task, None) for _, n in cell.lost for _ in range(n))


def outcomes(report: Mapping[str, Any], runs: RunsByKeys) -> Iterator[list[str] | str]:
    """Of each estimate and comparison its mismatches, or why it was not read.

    Args:
        report: As it is published.
        runs: Of the same experiment.
    """
    yield from _estimates(report, runs)
    yield from _comparisons(report, runs)


def _estimates(report: Mapping[str, Any], runs: RunsByKeys) -> Iterator[list[str] | str]:
    """The faults of each estimate, or why it was not read."""
    users = {contract["digest"] for contract in report["contracts"] if contract["kind"] == "user"}
    for row in report["estimates"]:
        metric = runs.metric(row)
        if row["withheld"]:
            yield "withheld"
        elif metric is None:
            yield "stages of funnels"
        else:
            group = runs.of(row, row["group"])
            known = sum(run.value is not None for run in group)
            strays = row["attempts"] - len(group)
            whole = not row["group"].keys() - {metric.one_vs_rest, "k"}
            if known != row["known"] or strays < 0 or (strays and not whole):
                is_of = f"is of {row['known']} of {row['attempts']} runs"
                yield [f"{shown(row['id'])}: {is_of}, and {known} of {len(group)} are published"]
                continue
            signed = row["contract"]["digest"] in users
            kind = "mean" if metric.kind == "score" and not signed else metric.kind
            by_runs = bool(metric.of_runs) and row["of"] == metric.of_runs
            reading = _read(kind, row, group, strays, by_runs=by_runs)
            yield reading if isinstance(reading, str) else list(_unlike(row, reading))


def _read(
    kind: str, row: Mapping[str, Any], runs: Sequence[PlainRun], strays: int, *, by_runs: bool
) -> EstimateRead | str:
    """What the runs of an estimate come to, or why they are not read."""
    if kind == "share":
        return read_share(runs, strays)
    if kind == "mean":
        return read_mean(runs, strays, by_runs=by_runs)
    if kind == "score":
        if row["known"] > MOST_DRAWN or row["unit"] == "score":
            return f"signed bootstraps of over {MOST_DRAWN} runs, or of scores outside 0 to 1"
        return read_bootstrapped(runs, strays)
    if kind in ("all of k", "any of k"):
        return read_repeated(runs, int(row["group"]["k"]), every=kind == "all of k")
    if kind == "context":
        return read_context(runs, row["attempts"])
    if kind in JUDGED:
        return JUDGED[kind](runs)
    return "means of quantities on scales of their own"


def _unlike(row: Mapping[str, Any], reading: EstimateRead) -> Iterator[str]:
    """Where an estimate differs from what was read."""
    told: list[tuple[str, Any, Any]] = [
        ("value", row["value"], reading.value), ("n", row["n"], reading.n), ("N", row["N"], reading.N),
        ("interval", _limits(row["interval"]), reading.drawn),
    ]  # fmt: skip
    if reading.bounds is not None:
        told.append(("bounds", row["bounds"], reading.bounds))
    if reading.summary is not None:
        told += [(name, (row["summary"] or {}).get(name), one) for name, one in reading.summary.items()]
    told += [(name, _limits(row["also"].get(name)), one) for name, one in reading.also.items()]
    for name, published, read in told:
        if not same(published, read):
            yield f"{shown(row['id'])}: {name} is {published}, and {read} by the second reading"


def _comparisons(report: Mapping[str, Any], runs: RunsByKeys) -> Iterator[list[str] | str]:
    """The faults of each comparison, or why it was not read."""
    families: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in report["comparisons"]:
        if row["verdict"] == "not comparable":
            yield "pairs that are not comparable, or withheld"
        else:
            families[(row["family"], row["metric"])].append(row)
    for rows in families.values():
        adjusted = holm([row["p"] for row in rows])
        for row, p_adjusted in zip(rows, adjusted, strict=True):
            sides = [runs.of(row, {**row["group"], row["over"]: row[side]}) for side in ("a", "b")]
            homes: dict[str, str] = {}
            for run in chain(*sides):
                homes[run.task] = min(run.cluster, homes.get(run.task, run.cluster))
            found = difference(sides[0], sides[1], homes)
            told = (
                ("difference", row["difference"], found.value),
                ("interval", _limits(row["interval"]), found.limits),
                ("p", row["p"], found.p),
                ("adjusted p", row["p_adjusted"], p_adjusted),
                ("tasks in common", row["paired_on"], found.paired_on),
            )
            faults = [
                f"{shown(row['id'])}: {name} is {published}, and {read} by the second reading"
                for name, published, read in told
                if not same(published, read)
            ]
            if len(rows) == row["holm_size"] and not _follows(row):
                faults.append(f"{shown(row['id'])}: {row['verdict']} does not follow from its interval and p")
            yield faults


def _follows(row: Mapping[str, Any]) -> bool:
    """Whether a separation is borne out by what stands beside it; that there is none, needs nothing."""
    limits = _limits(row["interval"])
    for verdict in (row["strict_verdict"], row["paired_verdict"]):
        if verdict in ("a above b", "b above a"):
            above = limits is not None and (limits[0] > 0 if verdict == "a above b" else limits[1] < 0)
            if not above or row["p_adjusted"] is None or row["p_adjusted"] > 0.05:
                return False
    return row["strict_verdict"] not in ("a above b", "b above a") or row["overlap"] is False


def _limits(interval: Mapping[str, Any] | None) -> Limits:
    if interval is None or interval["lo"] is None or interval["hi"] is None:
        return None
    return interval["lo"], interval["hi"]


def same(published: Any, read: Any) -> bool:
    """Whether two readings of a number, of limits, or of nothing are one.

    >>> same([0.5, 1.0], (0.5, 1.0 - 1e-13)), same(0.5, None), same(2, 2)
    (True, False, True)
    """
    if published is None or read is None:
        return published is read
    if isinstance(read, tuple):
        return len(published) == len(read) and all(map(same, published, read))
    return isclose(published, read, rel_tol=CLOSE, abs_tol=1e-12)
