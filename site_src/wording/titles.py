"""Titles of figures: a sentence that says what is seen, at most 75 characters, made from the data.

Does: choose, for each kind of figure, the fullest sentence that fits. Does not: draw, or round on its
own; numbers are spelled by `site_src.wording.numbers`, names by `site_src.wording.names`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from metrics_core.results import (
    NO_KEYS,
    PLAIN,
    CheckRow,
    Control,
    CostRow,
    Estimate,
    Funnel,
    Grid,
    Keys,
    Points,
    Series,
    Vocabulary,
)
from metrics_core.text import plural, visible
from site_src.wording.clauses import same_money
from site_src.wording.estimates import point_kind, point_words
from site_src.wording.names import (
    group_words,
    in_words,
    is_arm,
    key_words,
    listed,
    many_in_words,
    metric_words,
    sentence_case,
    shown_name,
    title_stratum,
)
from site_src.wording.numbers import count
from site_src.wording.provenance import contract_name

LONGEST: Final = 75


def fitting(*candidates: str) -> str:
    """The first sentence that fits, with a capital; the last one is cut if none does.

    >>> fitting("a" * 80, "security held")
    'Security held'
    """
    shown = [" ".join(visible(words).split()) for words in candidates]
    for words in shown:
        if len(words) <= LONGEST:
            return sentence_case(words)
    return sentence_case(shown[-1][: LONGEST - 1].rstrip() + "…")


class _About(Protocol):
    """What is about one metric in one stratum."""

    @property
    def metric(self) -> str: ...
    @property
    def stratum(self) -> Keys: ...
    @property
    def words(self) -> Vocabulary | None: ...


def about_metric(of: _About, group: Keys = NO_KEYS) -> str:
    """Metric, stratum where it is not the plain one, and whose it is."""
    whose = group_words(group, of.words) if group else ""
    return ", ".join(
        filter(None, (metric_words(of.metric, of.words), title_stratum(of.stratum, of.words), whose))
    )


def funnel(shape: Funnel) -> str:
    """How many come to which last stage; whose, where, by which contract, and the largest loss if it fits.

    Of a stratum too long for a title the kinds of run that the family names are told, else nothing: the
    number is never what is cut off.
    """
    last, end = shape.stages[-1].estimate, shown_name(shape.stages[-1].name)
    whose = f" of {group_words(shape.group, shape.words)}" if shape.group else ""
    if last.n is None or last.N is None:
        hidden = "every stage of this funnel is withheld"
        return fitting(f"{hidden}{whose.replace(' of ', ' for ', 1) or ' for all models'}", hidden)
    head = f"{where}: " if (where := title_stratum(shape.stratum, shape.words)) else ""
    read = set(shape.stratum.names) & set((shape.words or PLAIN).readings)
    under = f" by {contract_name(last.contract)}" if "contract" in shape.stratum.names and not read else ""
    n, reach = f"{count(last.n)} of {count(last.N)}", "reaches" if last.n == 1 else "reach"
    named = f" {reach} “{end}”"
    runs = plural("attempt", last.N)
    named_keys = [stratum.key for stratum in (shape.words or PLAIN).strata]
    kind = title_stratum(shape.stratum.only(*named_keys), shape.words)
    least = f"{kind}: " if kind else ""
    whole, brief = f"{head}{n} {runs}{whose}{named}", f"{head}{n}{whose}{named}"
    largest = _largest_loss(shape)
    return fitting(
        f"{whole}{under}{largest}", f"{whole}{under}", f"{brief}{under}", f"{head}{n}{named}{under}", whole,
        brief, f"{head}{n} {runs}{named}", f"{head}{n}{named}", f"{head}{n} {reach} the last stage",
        f"{least}{n}{named}", f"{least}{n} {reach} the last stage", f"{n} {reach} the last stage",
    )  # fmt: skip


def _largest_loss(shape: Funnel) -> str:
    """Where more are lost than at any other stage; empty where there is no such stage."""
    losses = [sum(loss.count for loss in stage.losses) for stage in shape.stages]
    worst = one_largest(losses)
    if worst is None:
        return ""
    stage = shape.stages[worst]
    at = "the last" if stage is shape.stages[-1] else f"“{shown_name(stage.name)}”"
    return f"; largest loss: {count(losses[worst])} of {count(sum(losses))}, at {at}"


def one_largest(sizes: Sequence[int]) -> int | None:
    """The place of the largest size; None where several are as large, or nothing is counted.

    >>> one_largest([1, 3, 2]), one_largest([3, 3]), one_largest([0])
    (1, None, None)
    """
    most = max(sizes, default=0)
    places = [at for at, size in enumerate(sizes) if size == most]
    return places[0] if most and len(places) == 1 else None


def timeline(series: Series) -> str:
    """Where the line breaks and why, or how far it goes."""
    about, metric = about_metric(series, series.group), metric_words(series.metric, series.words)
    points = [e for segment in series.segments for e in segment.points]
    breaks = [s for s in series.segments[1:] if s.why]
    plain = about_metric(series)
    if len(breaks) == 1:
        why, when = breaks[0].why, point_words(breaks[0].points[0])
        return fitting(
            f"{about}: the line stops {when}, since the {why}",
            f"{about}: the {why}, so the line stops",
            f"{plain}: the {why}, so the line stops",
            f"{metric}: the {why}, so the line stops",
            f"the {why}, so the line stops",
        )
    if breaks:
        return fitting(
            f"{about}: the instrument changed {in_words(len(breaks))} times, no line joins them",
            f"{plain}: the instrument changed {in_words(len(breaks))} times",
            f"the instrument changed {in_words(len(breaks))} times, no line joins them",
        )
    hidden = sum(e.withheld is not None for e in points)
    if hidden == len(points):
        return fitting(f"{about}: withheld at every {point_kind(points[0])}", f"{metric}: withheld")
    few = sum(e.headline in ("counts", "nothing") for e in points)
    days = many_in_words(len(points), point_kind(points[0]))
    tail = _few(few, len(points)) + (f", {in_words(hidden)} withheld" if hidden else "")
    alone = len({(s.contract.digest, s.pack) for s in series.segments}) == 1 and len(points) > 1
    return fitting(
        f"{about}: {days}{', one instrument' if alone else ''}{tail}",
        f"{about}: {days}{tail}",
        f"{plain}: {days}{tail}",
        f"{plain}: {days}",
        f"{metric}: {days}{tail}",
    )


def _few(few: int, of: int) -> str:
    """Of how many too little is known, to follow how many there are."""
    those = "" if of == 1 else "all " if few == of else f"{in_words(few)} "
    return f", {those}with too few known" if few else ""


def governance(estimates: Sequence[Estimate]) -> str:
    """Of which verdicts, where and by what; each has its own denominator; and where the largest gap is."""
    metrics = list(dict.fromkeys(e.metric for e in estimates))
    known = [e for e in estimates if e.withheld is None and e.known]
    many = in_words(len(metrics))
    verdicts = f"{many} verdicts" if len(metrics) > 1 else metric_words(metrics[0], estimates[0].words)
    own = ", each with its own denominator" if len(metrics) > 1 else ""
    where = _where(estimates)
    head, brief = f"{where}{verdicts}{own}", f"{where}{verdicts}"
    if not known:
        none = "withheld" if any(e.withheld for e in estimates) else "unknown"
        return fitting(f"{head}: all are {none}", f"{brief}: all are {none}", f"every verdict is {none}")
    rows = [e for e in estimates if e.withheld is None]
    gaps = [e.attempts - e.known for e in rows]
    if not any(gaps):
        all_known = "every attempt is known"
        return fitting(
            f"{head}; {all_known}", f"{brief}; {all_known}", f"{brief}, all known", f"{where}all known",
            f"{verdicts}; {all_known}",
        )  # fmt: skip
    worst = one_largest(gaps)
    if worst is None:
        every = sum(e.attempts for e in rows)
        lost = f"{count(sum(gaps))} of {count(every)} {plural('verdict', every)} {_are(sum(gaps))} not known"
        return fitting(f"{head}; {lost}", f"{brief}; {lost}", f"{where}{lost}", f"{verdicts}: {lost}")
    words = _row_words(rows[worst], rows)
    n = f"{count(gaps[worst])} of {count(rows[worst].attempts)}"
    runs = f"{n} {plural('attempt', rows[worst].attempts)}"
    if len(rows) == 1:
        some = f"{words} is not known in {runs}"
        return fitting(f"{where}{some}", f"{where}{runs} {_are(gaps[worst])} not known", some)
    gap = f"{words} has the largest gap, {runs} not known"
    denominators = f"{verdicts}, {many} denominators: " if len(metrics) > 1 else ""
    return fitting(
        f"{where}{denominators}{gap}", f"{where}{gap}", f"{where}{words}: {n} not known, the largest gap",
        f"{where}{verdicts}, not every attempt known", f"{verdicts}, not every attempt known",
    )  # fmt: skip


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _row_words(e: Estimate, rows: Sequence[Estimate]) -> str:
    """One row among others: its metric, and its group and stratum where another row shares the metric."""
    alike = [row for row in rows if row.metric == e.metric]
    about = metric_words(e.metric, e.words)
    if len({row.group for row in alike}) > 1:
        about = f"{about}, {group_words(e.group, e.words)}"
    if len({row.stratum for row in alike}) > 1:
        about = ", ".join(filter(None, (about, title_stratum(e.stratum, e.words))))
    return about


def _where(estimates: Sequence[Estimate]) -> str:
    """The stratum that all rows share, where it is not the plain one, and the key of tasks they differ in."""
    strata = {title_stratum(e.stratum, e.words) for e in estimates}
    levels: dict[str, set[str]] = {}
    for e in estimates:
        for key, level in e.group:
            levels.setdefault(key, set()).add(level)
    keys = [key for key, found in levels.items() if len(found) > 1 and not is_arm(key, estimates[0].words)]
    by = [f"by {shown_name(key).replace('_', ' ')}" for key in keys]
    text = ", ".join(filter(None, [*(strata if len(strata) == 1 else ()), *by]))
    return f"{text}: " if text else ""


def parts(found: Sequence[Estimate]) -> str:
    """Of what is parted by one key: the largest part, or how many are as large; always of what, and where."""
    shown = [e for e in found if e.n]
    first = found[0]
    about, of = about_metric(first), visible(first.of)
    head = f"{where}: " if (where := title_stratum(first.stratum, first.words)) else ""
    if not shown:
        none = "withheld" if first.withheld else "none"
        return fitting(f"{about}: {none}", f"{head}{none} of the {of}")
    key = next((key_words(key, e.words) for e in shown for key, _ in e.group if not is_arm(key, e.words)), "")
    by = f"{about}, by {key}" if key else about
    most = max(shown, key=lambda e: e.n or 0)
    if one_largest([e.n or 0 for e in shown]) is None:
        alike = in_words(sum(e.n == most.n for e in shown))
        equal = f"{alike} parts of {count(most.n or 0)} in {count(most.N or 0)} {of} each"
        return fitting(f"{about}: {equal}", f"{head}{equal}", by)
    name = next((shown_name(value) for key, value in most.group if not is_arm(key, most.words)), "all")
    largest = f"the largest part is {name}, {count(most.n or 0)} of {count(most.N or 0)}"
    return fitting(f"{about}: {largest} {of}", f"{about}: {largest}", f"{head}{largest} {of}", by)


def controls(found: Sequence[Control]) -> str:
    """How many held, failed, are missing."""
    tally = {s: sum(c.state == s for c in found) for s in ("held", "failed", "missing", "not applicable")}
    be, idle = ("is ", "are "), ("missing", "not applicable")
    counts = [f"{in_words(n)} {be[n > 1] if s in idle else ''}{s}" for s, n in tally.items() if n]
    if set(counts) and tally["held"] == len(found):
        every = {1: "the control held", 2: "both controls held"}
        return fitting(every.get(len(found), f"all {in_words(len(found))} controls held"))
    return fitting(f"of {in_words(len(found))} controls {listed(counts)}", f"{len(found)} controls")


def corners(points: Points, first: int, runs: int, clause: str) -> str:
    """How many runs are in the corner that is to be noticed first, and what holds of them."""
    what = against(points)
    if not runs:
        return fitting(f"{what}: no run has both known")
    return fitting(f"in {count(first)} of {count(runs)} {plural('run', runs)} {clause}", what)


def against(points: Points) -> str:
    """The two metrics of runs that are shown as points."""
    return f"{metric_words(points.x, points.words)} against {metric_words(points.y, points.words)}"


def assertion_strip(rows: Sequence[CheckRow]) -> str:
    """How many named assertions fail, and the one that fails most often, where it is one."""
    failing = [r for r in rows if any(t.false for _, t in r.by_model)]
    named = f"{count(len(failing))} of {count(len(rows))} named assertions fail at least once"
    if not failing:
        return fitting(f"none of {count(len(rows))} named assertions was seen to fail")
    fails = [sum(t.false for _, t in r.by_model) for r in failing]
    worst = one_largest(fails)
    if worst is None:
        return fitting(named)
    return fitting(f"{named}, most often {shown_name(failing[worst].name)}", named)


def cost(rows: Sequence[CostRow]) -> str:
    """In how many models recorded money and tokens disagree, asked record by record: sums may cancel."""
    both = [r for r in rows if r.recorded is not None and r.recomputed is not None]
    apart = [r for r in both if not same_money(r)]
    recorded = any(r.recorded is not None for r in rows)
    if not recorded and not any(r.recomputed is not None for r in rows):
        return fitting("no cost is known" if any(r.withheld_by is None for r in rows) else "cost is withheld")
    if not recorded:
        return fitting("recomputed cost only: the harness recorded none")
    if not any(r.prices for r in rows):
        return fitting("recorded cost only: there is no price table to hold it against")
    if not both:
        return fitting("recorded cost only: no table prices every record")
    if not apart:
        return fitting("recorded and recomputed cost agree in every record that has both")
    return fitting(
        f"recorded cost is not what the tokens come to for {listed([shown_name(r.model) for r in apart])}",
        f"recorded cost is not what the tokens come to for {count(len(apart))} of {count(len(rows))} models",
    )


def cost_score(e: Estimate, arms: Sequence[str]) -> str:
    """Score against cost."""
    metric = metric_words(e.metric, e.words)
    return fitting(f"{metric} against the median cost of a run, {in_words(len(arms))} models",
                   f"{metric} against cost")  # fmt: skip


def heatmap(grid: Grid) -> str:
    """Of what should have been and what was, how many agree; else over how many pairs, with how many few."""
    about = about_metric(grid)
    down, across = (key_words(axis, grid.words) for axis in grid.axes)
    levels = [{e.group[axis] for e in grid.cells} for axis in grid.axes]
    arms = [axis for axis in grid.axes if is_arm(axis, grid.words)]
    if levels[0] & levels[1] and not arms and all(e.N for e in grid.cells):
        whole = {e.group[grid.axes[0]]: e.N or 0 for e in grid.cells}
        agree = sum(e.n or 0 for e in grid.cells if len({level for _, level in e.group}) == 1)
        agreement = f"{count(agree)} of {count(sum(whole.values()))} went where they should"
        return fitting(f"{about}: {agreement}", agreement)
    few = sum(e.headline in ("counts", "nothing") for e in grid.cells)
    pairs, tail = many_in_words(len(grid.cells), "pair"), _few(few, len(grid.cells))
    cells = f"{pairs} of {down} and {across}"
    by = f"{about}, by {down} and {across}{tail}"
    return fitting(f"{about}: {cells}{tail}", by, f"{about}: {pairs}{tail}", f"{pairs}{tail}")


def withheld(e: Estimate) -> str:
    """That nothing may be shown."""
    return fitting(f"{about_metric(e)} is withheld", f"{metric_words(e.metric, e.words)} is withheld")
