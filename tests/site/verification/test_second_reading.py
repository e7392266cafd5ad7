"""The second reading agrees with the first on every sample, and with numbers published by others."""

from __future__ import annotations

import ast
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace
from scipy import stats

from metrics_core import counting
from metrics_core.families import FAMILIES
from metrics_core.measurement.comparisons import difference as first_difference
from metrics_core.measurement.finalise import finalise
from metrics_core.measurement.fixtures import NO_DATA
from metrics_core.measurement.grouping import RunGroup
from metrics_core.statistics.clustered import cr1_t, wilson_effective
from metrics_core.statistics.distributions import t_p_value, t_quantile as first_t_quantile
from metrics_core.statistics.proportions import clopper_pearson as first_clopper_pearson
from metrics_core.statistics.separation import holm as first_holm
from site_src.verification import rereading, second_reading
from site_src.verification.second_reading.clusters import limits, t_limits
from site_src.verification.second_reading.distributions import clopper_pearson, t_quantile, t_two_sided
from site_src.verification.second_reading.estimates import PlainRun
from tests.support.by_day import by_day, one_in
from tests.support.family_records import MOST_CHOICES, OWN, Choices
from tests.support.measured import CONTEXT, tabulated

FOLDER = Path(second_reading.__file__).parent
TASK = {
    "attempts": "scenario", "brownfield": "id", "layered": "scenario_id", "matrix": "scenario_id",
    "traces": "task_id", "judges": "item",
}  # fmt: skip
VALUES = st.sampled_from([0.0, 1.0, 1.0, 0.5, 1 / 3, 0.1])
CLUSTERS = st.lists(st.lists(VALUES, min_size=1, max_size=6), min_size=1, max_size=14)


def close(first: Any, second: Any) -> bool:
    return rereading.same(first, second)


def pair(interval: Any) -> tuple[float, float] | None:
    return None if interval.lo is None else (interval.lo, interval.hi)


# ------------------------------------------------------------------------- by another hand


def test_it_is_small_and_imports_nothing_but_itself_and_the_standard_library() -> None:
    sources = {path: path.read_text("utf-8") for path in FOLDER.glob("*.py")}
    assert sum(len(source.splitlines()) for source in sources.values()) < 740
    for source in sources.values():
        for node in ast.walk(ast.parse(source)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                own = name.startswith("site_src.verification.second_reading")
                assert own or name.partition(".")[0] in sys.stdlib_module_names, name


def test_it_agrees_with_numbers_of_others() -> None:
    """SciPy's Wilson, Clopper-Pearson and t; pass@k of Chen and others 2021."""
    for n, of in ((12, 15), (0, 9), (40, 40), (1, 300)):
        wilson, exact = (stats.binomtest(n, of).proportion_ci(0.95, method) for method in ("wilson", "exact"))
        read = second_reading.read_share(runs([1.0] * n + [0.0] * (of - n)))
        assert read.drawn == pytest.approx((wilson.low, wilson.high), abs=1e-9)
        assert read.also["clopper-pearson"] == pytest.approx((exact.low, exact.high), abs=1e-9)
    for df in (1, 5, 30, 120, 900):
        assert t_quantile(df) == pytest.approx(stats.t.ppf(0.975, df), rel=1e-9)
    assert second_reading.holm([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02]
    tried = [PlainRun("t", "t", float(i < 3), int(i < 3), 1) for i in range(10)]
    assert close(second_reading.read_repeated(tried, 5, every=False).value, 1 - comb(7, 5) / comb(10, 5))


def runs(values: Iterable[float | None]) -> list[PlainRun]:
    return [PlainRun(str(i), str(i), v, int(v == 1), int(v is not None)) for i, v in enumerate(values)]


# ------------------------------------------------------------- laws: the same formula, twice


@given(CLUSTERS)
def test_both_give_one_interval_of_clustered_values(clusters: list[list[float]]) -> None:
    assert close(pair(wilson_effective(clusters)), limits(clusters))
    assert close(pair(cr1_t(clusters)), t_limits(clusters))


@given(st.integers(8, 400), st.floats(0, 1))
def test_both_give_one_exact_interval(of: int, share: float) -> None:
    n = round(share * of)
    assert close(pair(first_clopper_pearson(n, of)), clopper_pearson(n, of))


@given(st.integers(1, 1500), st.just(0.0) | st.floats(0.001, 40))
def test_both_give_one_tail_of_t(df: int, statistic: float) -> None:
    """Not next to 0, where SciPy's incomplete beta is off by 3e-9: `test_distributions` holds it there."""
    assert close(t_p_value(statistic, df), t_two_sided(statistic, df))
    assert close(first_t_quantile(df), t_quantile(df))


@given(st.lists(st.none() | st.floats(0, 1), max_size=12))
def test_both_adjust_alike(ps: list[float | None]) -> None:
    assert all(map(close, first_holm(ps), second_reading.holm(ps)))


SIDE = st.dictionaries(
    st.integers(0, 15), st.tuples(st.lists(VALUES, max_size=3), st.integers(0, 1)), min_size=1, max_size=16
)


@given(SIDE, SIDE, st.sampled_from([1, 2, 5, 16]), st.booleans(), st.booleans())
def test_both_give_one_difference(
    a: dict[int, Any], b: dict[int, Any], size: int, binary: bool, apart: bool
) -> None:
    """Same tasks and different ones, single verdicts and repeats, tasks alone and in clusters."""
    sides = []
    for at, side in enumerate((a, b)):
        group, plain = RunGroup(), []
        for number, (drawn, lost) in side.items():
            task, home = f"t{number + 100 * at * apart}", f"c{number // size + 100 * at * apart}"
            group.home[task] = home
            for value in drawn[:1] if binary else drawn:
                known = float(value > 0.4) if binary else value
                group.values[home][task][(known, int(known == 1), 1)] += 1
                plain.append(PlainRun(home, task, known, int(known == 1), 1))
            if lost:
                group.lost[task][("unknown", "")] += 1
                plain.append(PlainRun(home, task, None))
        sides.append((group, plain))
    first = first_difference(sides[0][0], sides[1][0], "cluster")
    homes = {run.task: run.cluster for _, plain in sides for run in plain}
    second = second_reading.difference(sides[0][1], sides[1][1], homes)
    assert close(first.value, second.value)
    assert close(pair(first.interval), second.limits)
    assert close(first.p, second.p)
    assert first.paired_on == second.paired_on


@pytest.mark.parametrize("values", [(0.1, 0.2, 0.3), (0.2, 0.2, 0.2), (0.3, 0.5, -0.2)])
def test_means_that_part_by_rounding_alone_are_alike_to_both(values: tuple[float, ...]) -> None:
    """Each is 0.2, and three floats."""
    tasks = [f"t{n}" for n in range(12)]
    group = RunGroup({t: {t: Counter((x, 0, 1) for x in values)} for t in tasks})
    other = RunGroup({t: {t: Counter({(0.2, 0, 1): 1})} for t in tasks})
    plain = [PlainRun(t, t, x) for t in tasks for x in values]
    second = second_reading.difference(plain, [PlainRun(t, t, 0.2) for t in tasks], {t: t for t in tasks})
    first = first_difference(group, other, "cluster")
    within_limits = min(values) >= 0.0  # beyond 0..1 there is no p where all tasks differ alike
    assert (first.value, first.p) == (second.value, second.p) == (0.0, 1.0 if within_limits else None)


# --------------------------------------------------------- laws: whole reports, every family


def sample(family: str, seed: int, count: int) -> list[dict[str, Any]]:
    """Records of a family over twenty tasks, most of them known."""
    dice = random.Random(seed)
    found = []
    for number in range(count):
        record = OWN[family](Choices(dice.randbytes(MOST_CHOICES)))
        if family in TASK and TASK[family] in record:
            record[TASK[family]] = f"B{dice.randrange(20)}"
        if "rep" in record:
            record["rep"] = number
        found.append(record)
    return found


def reread(family: str, records: list[dict[str, Any]]) -> tuple[dict[str, Any], list[list[str] | str]]:
    partial = tabulated(family, records)
    found = finalise(FAMILIES[family], partial, CONTEXT, NO_DATA)
    report = json.loads(json.dumps({
        "estimates": [e.to_json() for e in found.estimates],
        "comparisons": [c.to_json() for c in found.comparisons],
        "contracts": [],
    }))  # fmt: skip
    counted = counting.in_strata(FAMILIES[family], tabulated(family, records), CONTEXT)
    return report, list(rereading.outcomes(report, rereading.RunsByKeys(counted)))


@one_in(3)
@pytest.mark.parametrize("family", sorted(OWN))
@given(seed=st.integers(0, 2**32), count=st.sampled_from([3, 30, 90]))
def test_every_number_of_every_family_is_read_alike(family: str, seed: int, count: int) -> None:
    if not by_day((seed, count), 3):
        return
    report, outcomes = reread(family, sample(family, seed, count))
    assert len(outcomes) == len(report["estimates"]) + len(report["comparisons"])
    assert [fault for each in outcomes if isinstance(each, list) for fault in each] == []


@one_in(3)
@pytest.mark.parametrize("family", sorted(OWN))
def test_most_numbers_of_a_family_are_read(family: str) -> None:
    report, outcomes = reread(family, sample(family, 7, 120))
    why = Counter(each for each in outcomes if isinstance(each, str))
    assert set(why) <= {"stages of funnels", "pairs that are not comparable, or withheld"}
    assert sum(isinstance(each, list) for each in outcomes) > 20
    assert any(row["interval"]["lo"] is not None for row in report["estimates"])


def numbers(row: Any, path: tuple[Any, ...] = ()) -> Iterable[tuple[Any, ...]]:
    """Where in an estimate or comparison the numbers stand that the second reading has, too."""
    for key in ("value", "n", "N", "difference", "p", "p_adjusted"):
        if row.get(key) is not None:
            yield (key,)
    for key in ("lo", "hi"):
        if row["interval"][key] is not None:
            yield "interval", key
    for at in range(len(row.get("bounds") or ())):
        yield "bounds", at
    for name in ("clopper-pearson", "cr1 t", "outer wilson"):
        if row.get("also", {}).get(name, {}).get("lo") is not None:
            yield "also", name, "lo"


def test_any_number_that_was_changed_is_a_mismatch() -> None:
    """Each by a ten thousandth, which no page would show."""
    records = sample("brownfield", 7, 120)
    report, _ = reread("brownfield", records)
    counted = list(counting.in_strata(FAMILIES["brownfield"], tabulated("brownfield", records), CONTEXT))
    changed = 0
    for part in ("estimates", "comparisons"):
        for row in report[part][::7]:
            if row["metric"] == "stage" or row.get("verdict") == "not comparable":
                continue
            for place in numbers(row):
                forged = json.loads(json.dumps(row))
                within = forged
                for key in place[:-1]:
                    within = within[key]
                within[place[-1]] += 1 if place[-1] in ("n", "N") else 1e-4
                same = [forged if each is row else each for each in report[part]]
                kept = {"estimates": [], "comparisons": [], "contracts": []}
                kept[part] = same if part == "comparisons" else [forged]
                found = rereading.outcomes(kept, rereading.RunsByKeys(iter(counted)))
                assert any(isinstance(each, list) and each for each in found), (row["id"], place)
                changed += 1
    assert changed > 60


def test_a_verdict_that_its_interval_does_not_bear_out_is_a_mismatch() -> None:
    records = sample("brownfield", 7, 120)
    report, _ = reread("brownfield", records)
    counted = list(counting.in_strata(FAMILIES["brownfield"], tabulated("brownfield", records), CONTEXT))
    row = next(r for r in report["comparisons"] if r["verdict"] == "cannot separate" and r["p_adjusted"])
    row |= {"verdict": "a above b", "strict_verdict": "a above b"}
    found = rereading.outcomes({**report, "estimates": []}, rereading.RunsByKeys(iter(counted)))
    assert any("does not follow" in fault for each in found if isinstance(each, list) for fault in each)


def test_a_context_keeps_its_cluster() -> None:
    """Runs are counted under the key that an experiment names for them."""
    family = FAMILIES["brownfield"]
    partial = tabulated("brownfield", sample("brownfield", 7, 30))
    counted = counting.in_strata(family, partial, replace(CONTEXT, cluster="repo"))
    assert {each.cluster for each in counted if each.metric == "change"} == {"repo"}
