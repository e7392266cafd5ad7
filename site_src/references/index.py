"""What the reports hold, by the names a writer uses for it: `Index`.

Does: find the one estimate or comparison that a query names, and otherwise say why there is not exactly one.
Does not: pool, guess, or compute. A reference that leaves a stratum open is refused, never averaged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from metrics_core.errors import AssayError
from metrics_core.results import Comparison, Estimate, Keys, Report, Vocabulary
from site_src.references import errors
from site_src.references.query import Query, reference

_Names = tuple[str, ...]
_Metric = tuple[str, str]
_Found = TypeVar("_Found", Estimate, Comparison)


class Index:
    """Estimates and comparisons of a site's reports, found by dictionary.

    Args:
        reports: All of them, in any order; estimates are distinguished by their id.
        withheld: Names of experiments that could not be read or measured.
    """

    __slots__ = ("_comparisons", "_estimates", "_pairs", "_shapes", "reports", "withheld")

    def __init__(self, reports: Sequence[Report], withheld: Sequence[str] = ()) -> None:
        self.reports, self.withheld = tuple(reports), tuple(withheld)
        self._estimates: dict[tuple[_Metric, Keys], list[Estimate]] = {}
        self._shapes: dict[_Metric, dict[_Names, None]] = {}
        self._comparisons: dict[tuple[_Metric, Keys, frozenset[str]], list[Comparison]] = {}
        self._pairs: dict[_Metric, dict[tuple[str, _Names], None]] = {}
        for report in reports:
            for e in report.estimates:
                metric = (e.family, e.metric)
                self._estimates.setdefault((metric, e.group), []).append(e)
                self._shapes.setdefault(metric, {})[e.group.names] = None
            for c in report.comparisons:
                metric = (c.family, c.metric)
                self._comparisons.setdefault((metric, c.group, frozenset((c.a, c.b))), []).append(c)
                self._pairs.setdefault(metric, {})[c.over, c.group.names] = None

    def names(self) -> tuple[str, ...]:
        """The reference of every estimate, sorted: what a writer may ask for."""
        return tuple(sorted(reference(e) for report in self.reports for e in report.estimates))

    def words_of(self, family: str) -> Vocabulary | None:
        """A family's words for readers, where a report holds any."""
        return dict(pair for report in self.reports for pair in report.words).get(family)

    def metrics(self) -> tuple[str, ...]:
        """Every ``family.metric``, sorted."""
        return tuple(sorted(f"{family}.{metric}" for family, metric in self._shapes))

    def one(self, query: Query) -> Estimate:
        """The one estimate that a query names.

        The group keys named are exactly the keys fixed, none being the whole experiment; stratum keys may be
        left out only while one stratum remains.

        Raises:
            WithheldReferenceError: There is none, and an experiment that is withheld may have it.
            ClaimError: There is none, or several experiments have one.
            PoolingError: It would be of several strata.
        """
        found = list(self._matching(query, query.fixed))
        if not found:
            self.refuse_withheld(query.experiment, query.words, query.where)
            raise errors.nothing(query, self._of_metric(query), self.metrics())
        errors.require_one_experiment(query, [(e.experiment, e.contract) for e in found])
        errors.require_one_stratum(query, found)
        return found[0]

    def comparison(self, query: Query, a: str, b: str, *, over: str = "") -> Comparison:
        """Two arms on the metric and under the keys of a query, reversed where needed so that ``a`` is first.

        Args:
            query: Names the keys without the arm.
            a: One arm.
            b: Another.
            over: The group key that the arms are values of; needed only where two keys have such arms.

        Returns:
            A comparison with any verdict but ``not comparable``; one whose numbers are withheld by a control
            says so in ``reason``.

        Raises:
            WithheldReferenceError: There is none, and an experiment that is withheld may have it.
            ClaimError: There is none, or several experiments have one.
            PoolingError: It would be of several strata, or the two are unlike things.
        """
        errors.require_two_arms(query, (a, b))
        found = [c for c in self._compared(query, frozenset((a, b))) if over in ("", c.over)]
        if not found:
            self.refuse_withheld(query.experiment, query.words, query.where)
            raise self._why_not_compared(query, a, b, over)
        errors.require_one_experiment(query, [(c.experiment, c.contract) for c in found])
        errors.require_one_key(query, sorted({c.over for c in found}), (a, b))
        errors.require_one_stratum(query, found)
        sides = self._side(query, found[0].over, found[0].a), self._side(query, found[0].over, found[0].b)
        errors.require_comparable(query, found[0], *sides)
        return found[0] if found[0].a == a else found[0].reversed()

    def refuse_withheld(self, experiment: str, words: str, where: str) -> None:
        """Refuse a name that nothing answers, where an experiment that is withheld might; see `errors`."""
        errors.refuse_withheld(experiment, self.withheld, words, where)

    def _matching(self, query: Query, fixed: Mapping[str, str]) -> Iterator[Estimate]:
        metric = (query.family, query.metric)
        for shape in self._shapes.get(metric, ()):
            if fixed.keys() >= set(shape):
                group = Keys((key, fixed[key]) for key in shape)
                yield from _narrowed(self._estimates.get((metric, group), ()), query, fixed, shape)

    def _compared(self, query: Query, arms: frozenset[str]) -> Iterator[Comparison]:
        metric, fixed = (query.family, query.metric), query.fixed
        for shape in dict.fromkeys(shape for _, shape in self._pairs.get(metric, ())):
            if fixed.keys() >= set(shape):
                group = Keys((key, fixed[key]) for key in shape)
                yield from _narrowed(self._comparisons.get((metric, group, arms), ()), query, fixed, shape)

    def _of_metric(self, query: Query) -> tuple[Estimate, ...]:
        """Every estimate of a metric: only an error needs them."""
        return tuple(
            e for report in self.reports for e in report.estimates
            if (e.family, e.metric) == (query.family, query.metric)
        )  # fmt: skip

    def _side(self, query: Query, over: str, arm: str) -> tuple[Estimate, ...]:
        return tuple(self._matching(query, query.fixed | {over: arm}))

    def _why_not_compared(self, query: Query, a: str, b: str, over: str) -> AssayError:
        known = self._of_metric(query)
        if not known:
            return errors.nothing(query, known, self.metrics())
        keys = {key for key, _ in self._pairs.get((query.family, query.metric), ())} or {"model"}
        for key in [over] if over else sorted(keys):
            mine, theirs = self._side(query, key, a), self._side(query, key, b)
            if mine and theirs:
                return errors.unlike(query, mine, theirs, (a, b))
        return errors.no_such_arms(query, (a, b), [over] if over else sorted(keys), known)


def _narrowed(
    found: Iterable[_Found], query: Query, fixed: Mapping[str, str], shape: _Names
) -> Iterator[_Found]:
    """Those of the named experiment whose stratum holds every fixed key that is no group key."""
    rest = {pair for pair in fixed.items() if pair[0] not in shape}
    for one in found:
        if query.experiment in ("", one.experiment) and rest <= set(one.stratum):
            yield one
