"""The library in a few calls: load a folder, compute its report, compare two arms of it.

``import metrics_core as mc`` gives these names; the command line and the site use no others to measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from metrics_core import engine, folder
from metrics_core.adapters import ADAPTERS
from metrics_core.compared import Comparison
from metrics_core.errors import InputError, PoolingError
from metrics_core.families import FAMILIES
from metrics_core.folder import Experiment
from metrics_core.memo import Memo
from metrics_core.pooling import refuse_pooling
from metrics_core.pricing import PriceTable
from metrics_core.redact import Redactor
from metrics_core.report import Report, select
from metrics_core.withholding import why_comparison_withheld


def load(path: str | Path, *, redactor: Redactor | None = None) -> Experiment:
    """Look at an experiment folder as a harness left it; nothing is measured yet.

    Args:
        path: The folder that holds ``logs_big/``, ``traces/``, ..., or files that an adapter reads.
        redactor: Takes secrets out of whatever is read; by default those that are secrets anywhere.

    Raises:
        InputError: There is no such folder, or nothing in it that any family reads.
    """
    layout = {family.folder: family.name for family in FAMILIES.values()}
    return folder.load(path, layout=layout, adapters=ADAPTERS, redactor=redactor)


def compute(
    experiment: Experiment,
    tables: Sequence[PriceTable] = (),
    *,
    family: str | None = None,
    memo: Memo | None = None,
) -> Report:
    """The report of an experiment: instruments are tested first, then everything is measured.

    Args:
        experiment: As `load` gave it.
        tables: Price tables at hand beside the experiment's own.
        family: Only this family.
        memo: Keeps what was made of the same runs before, for whoever measures again and again.

    Raises:
        ContractError: An instrument did not give its known results, or broke its promise.
        InputError: The experiment has no such family.
    """
    if family is not None and family not in experiment.families:
        has = ", ".join(sorted(experiment.families)) or "none"
        raise InputError(f"has no records of family {family!r}", where=experiment.slug, hint=f"it has {has}")
    return engine.compute(experiment, tables, family=family, memo=memo)


def compare(report: Report, metric: str, a: str, b: str, **keys: str) -> Comparison:
    """The comparison of two arms on a metric, ``a`` first: its difference is ``a`` less ``b``.

    Args:
        report: As `compute` gave it.
        metric: Short name, such as ``change``.
        a: One arm.
        b: Another.
        keys: Group or stratum keys that single one out, where the metric has several strata.

    Raises:
        PoolingError: The two share no stratum, and the message names what differs; or a control withheld
            their numbers, and it names the control.
        InputError: There is no such comparison, or several.
    """
    found = [
        c
        for c in report.comparisons
        if c.metric == metric
        and {c.a, c.b} == {a, b}
        and keys.items() <= dict((*c.group, *c.stratum)).items()
    ]
    if not found:
        for mine in select(report.estimates, metric, model=a, **keys):
            for theirs in select(report.estimates, metric, model=b, **keys):
                refuse_pooling(mine, theirs)
        raise InputError(f"no comparison of {a!r} with {b!r} on {metric!r}", where=report.experiment)
    if len(found) > 1:
        told = "; ".join(sorted(c.id for c in found))
        raise InputError(f"{len(found)} comparisons fit", where=report.experiment, hint=told)
    if (why := why_comparison_withheld(report.controls, found[0])) is not None:
        raise PoolingError(
            f"a control withheld its numbers: {why}",
            where=found[0].id,
            hint="no comparison can be made until that control holds",
        )
    if found[0].verdict == "not comparable":
        raise PoolingError(found[0].reason, where=found[0].id, hint="show them side by side")
    return found[0] if found[0].a == a else found[0].turned()
