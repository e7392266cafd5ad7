"""The evidence that a claim asks for: its estimates, its comparison, its control; or that there is none yet.

A name that is misspelt and a run that was never made look alike, so they are distinguished by what the site
knows. A claim has *no data* only where each name in it is known here, on another metric, arm or experiment,
and the metric is grouped as it asks, so that only the runs are lacking; or where the claim says itself that
its runs are ``awaited``. Everything else that does not resolve is a mistake in the file, and an error with
the nearest names.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.errors import AssayError, ClaimError, PoolingError
from metrics_core.results import Comparison, Control, Estimate
from metrics_core.suggestions import nearest
from metrics_core.text import visible
from site_src.decisions.model import Claim, Differs
from site_src.decisions.reasons import ExperimentUnread, NoRunYet
from site_src.references import Index, Query, WithheldReferenceError
from site_src.wording import is_arm, metric_words

AWAITED = "or write awaited: true, where such runs are still to come"


class ClaimEvidence(Struct, frozen=True, kw_only=True):
    """What a claim rests on.

    Attributes:
        estimates: One, or the two sides, the claimed one first.
        comparison: Reversed where needed, so that the claimed side is first; None where the two may not be
            compared.
        differs: Why they may not.
        absent: What was not run yet, or could not be read; None where something is there.
    """

    estimates: tuple[Estimate, ...] = ()
    comparison: Comparison | None = None
    differs: Differs | None = None
    absent: NoRunYet | ExperimentUnread | None = None


def evidence(claim: Claim, index: Index) -> ClaimEvidence:
    """The evidence of a claim about a metric.

    Raises:
        ClaimError: A name in it is wrong, or several experiments answer to it.
        PoolingError: It leaves a stratum open.
    """
    if not claim.than:
        found = _side(claim, claim.side(claim.of), index)
        return found if isinstance(found, ClaimEvidence) else ClaimEvidence(estimates=(found,))
    if claim.within:
        return _apart(claim, index)
    try:
        compared = index.comparison(claim.query, claim.of, claim.than, over=claim.over)
    except (ClaimError, PoolingError) as error:
        return _uncompared(claim, index, error)
    keys = compared.group | compared.stratum | {"experiment": compared.experiment}
    sides = tuple(
        index.one(replace(claim.query, keys=keys | {claim.over: arm})) for arm in (claim.of, claim.than)
    )
    return ClaimEvidence(estimates=sides, comparison=compared)


def _side(claim: Claim, query: Query, index: Index) -> Estimate | ClaimEvidence:
    """One side, or that it is not there yet."""
    try:
        return index.one(query)
    except WithheldReferenceError:
        return ClaimEvidence(absent=ExperimentUnread(query.experiment))
    except ClaimError as error:
        if not (claim.awaited or _only_runs_are_lacking(query, index)):
            raise ClaimError(error.problem, where=error.where, hint=f"{error.hint}; {AWAITED}") from error
        metric = metric_words(query.metric, index.words_of(query.family))
        absent = NoRunYet(metric, tuple(query.fixed.items()), query.experiment)
        return ClaimEvidence(absent=absent)


def _only_runs_are_lacking(query: Query, index: Index) -> bool:
    """Whether every name is known and the metric is grouped so: then it is spelled right, and was not run."""
    estimates = [e for report in index.reports for e in report.estimates]
    experiments = {report.experiment for report in index.reports}
    if query.experiment not in experiments | {""}:
        return False
    if not query.experiment and any(_answers(query, index, name) for name in sorted(experiments)):
        return False  # several experiments do: the claim must name one
    fixed = query.fixed
    known = {pair for e in estimates for pair in (*e.group, *e.stratum)}
    kinds = {key for e in estimates for key, _ in e.group if is_arm(key, e.words)}
    arms = {value for key, value in known if key in kinds}
    spelled = all((key, value) in known or (key in kinds and value in arms) for key, value in fixed.items())
    return spelled and any(
        (e.family, e.metric) == (query.family, query.metric)
        and set(e.group.names) <= fixed.keys() <= {k for k, _ in (*e.group, *e.stratum)}
        for e in estimates
    )


def _answers(query: Query, index: Index, experiment: str) -> bool:
    try:
        index.one(replace(query, keys=query.keys | {"experiment": experiment}))
    except PoolingError:
        return True
    except ClaimError:
        return False
    return True


def _apart(claim: Claim, index: Index) -> ClaimEvidence:
    """Two sides that stand in two experiments, or two strata: never compared; with the reason."""
    sides = [
        _side(claim, claim.side(claim.of), index),
        _side(claim, claim.side(claim.than, claim.within), index),
    ]
    for side in sides:
        if isinstance(side, ClaimEvidence):
            return side
    return _unlike(claim, [side for side in sides if isinstance(side, Estimate)])


def _uncompared(claim: Claim, index: Index, error: AssayError) -> ClaimEvidence:
    """Why the reports hold no such comparison: unlike things, nothing known on a side, or a mistake."""
    sides: list[Estimate] = []
    for arm in (claim.of, claim.than):
        side = _side(claim, claim.side(arm), index)
        if isinstance(side, ClaimEvidence):
            return side
        sides.append(side)
    if isinstance(error, PoolingError):
        return _unlike(claim, sides)
    if all(side.known for side in sides):
        raise error
    return ClaimEvidence(estimates=tuple(sides))


def _unlike(claim: Claim, sides: Sequence[Estimate]) -> ClaimEvidence:
    a, b = sides
    if (a.experiment, a.stratum, a.contract, a.pack) == (b.experiment, b.stratum, b.contract, b.pack):
        raise ClaimError(
            f"{claim.within!r} names nothing by which the two sides are kept apart",
            where=claim.where,
            hint="two arms of one experiment are named by of, over and the kind's own key",
        )
    return ClaimEvidence(estimates=(a, b), differs=differs(a, b))


def differs(a: Estimate, b: Estimate) -> Differs:
    """The first thing that keeps two estimates apart, as digests where it has one."""
    if a.contract.digest != b.contract.digest:
        return Differs("contract", a.contract.digest, b.contract.digest)
    if a.pack != b.pack:
        return Differs("pack", a.pack or "none", b.pack or "none")
    for key in a.stratum.differing(b.stratum):
        return Differs(key, a.stratum.get(key, "not stated"), b.stratum.get(key, "not stated"))
    return Differs("data", a.data_digest, b.data_digest)


def control_of(claim: Claim, index: Index) -> Control:
    """The control that a claim is about; of several by one name, the first that did not hold.

    Raises:
        WithheldReferenceError: The experiment could not be read or measured.
        ClaimError: There is no such experiment, or no such control in it.
    """
    reports = {report.experiment: report for report in index.reports}
    if claim.experiment not in reports:
        index.refuse_withheld(claim.experiment, claim.experiment, claim.where)
        raise ClaimError(f"no experiment {visible(claim.experiment)!r}", where=claim.where,
                         hint=nearest(claim.experiment, reports))  # fmt: skip
    controls = reports[claim.experiment].controls
    found = [c for c in controls if claim.control in (c.name, c.title)]
    if not found:
        raise ClaimError(f"{claim.experiment} has no control {visible(claim.control)!r}", where=claim.where,
                         hint=nearest(claim.control, (c.name for c in controls)))  # fmt: skip
    order = {"failed": 0, "missing": 1, "not applicable": 3}
    return min(found, key=lambda c: order.get(c.state, 2))
