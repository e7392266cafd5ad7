"""The library in a few calls: load a folder or read a table, compute its report, compare two arms of it.

``import metrics_core as mc`` gives these names; the command line and the site use no others to measure.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metrics_core import engine
from metrics_core.adapters import ADAPTERS
from metrics_core.contracts import used_contract
from metrics_core.convert import NativeFile, native, outside
from metrics_core.counting import CountedRuns
from metrics_core.engine import attempted, counted_runs, instrument_files, reviews
from metrics_core.errors import InputError, PoolingError
from metrics_core.execution import SERIAL, Engine
from metrics_core.experiments import Experiment, Place, load_experiment
from metrics_core.families import FAMILIES, OfEach, beside, folders
from metrics_core.formats import Adapter
from metrics_core.measurement import Metric, why_comparison_withheld
from metrics_core.memo import Memo
from metrics_core.pricing import PriceTable
from metrics_core.redaction import Redactor
from metrics_core.results import (
    MODEL,
    PLAIN,
    Arm,
    Comparison,
    Estimate,
    Report,
    UsedContract,
    refuse_pooling,
    select,
)
from metrics_core.suggestions import listed_some, nearest

if TYPE_CHECKING:
    import pandas as pd

    Table = pd.DataFrame | Iterable[Mapping[str, Any]]

__all__ = [
    "CountedRuns",
    "NativeFile",
    "arms",
    "attempted",
    "built_in_contracts",
    "compare",
    "compute",
    "counted_runs",
    "formats",
    "instrument_files",
    "load",
    "log_folders",
    "metrics",
    "native",
    "outside",
    "read",
    "record_types",
    "reviews",
]


def formats() -> tuple[Adapter, ...]:
    """The outside formats that are read, by name; each tells an example path and what is read of it.

    >>> [adapter.title for adapter in formats() if adapter.format == "tau-bench"]
    ['tau-bench']
    """
    return tuple(ADAPTERS.values())


def load(
    path: str | Place, *, redactor: Redactor | None = None, settings: Mapping[str, Any] | None = None
) -> Experiment:
    """Look at an experiment as a harness left it, a folder or one file; nothing is measured yet.

    Args:
        path: The folder that holds ``logs_big/``, ``traces/``, ..., or files that an adapter reads; or one
            such file, which is then all of the experiment; or an address of either, such as ``s3://bucket/july``.
        redactor: Takes secrets out of whatever is read; by default those that are secrets anywhere.
        settings: What is added to the experiment's own, as `experiment.yaml` would state it, such as
            ``{"scale": {"rating": [1, 5]}}``.

    Raises:
        InputError: There is no such file or folder, or nothing in it that is read.
    """
    return load_experiment(
        path,
        layout=folders(),
        records=OfEach(lambda family: family.record),
        adapters=ADAPTERS,
        folders=OfEach(lambda family: family.folders),
        beside=beside(),
        redactor=redactor,
        settings=settings,
    )


def compute(
    experiment: Experiment | str | Place,
    tables: Sequence[PriceTable] = (),
    *,
    family: str | None = None,
    memo: Memo | None = None,
    workers: Engine = SERIAL,
) -> Report:
    """The report of an experiment: instruments are tested first, then everything is measured.

    Args:
        experiment: As `load` gave it, or the path of its folder, which is then loaded.
        tables: Price tables at hand beside the experiment's own.
        family: Only this family.
        memo: Keeps what was made of the same runs before, for whoever measures again and again.
        workers: An engine of `metrics_core.execution`; the report is the same whichever reads the records.

    Raises:
        EngineError: A worker was lost over the same records again, or all of them were.
        ContractError: An instrument did not give its known results, or broke its promise.
        InputError: There is no such file or folder, or the experiment has no such family.

    >>> compute("no/such/folder")
    Traceback (most recent call last):
    metrics_core.errors.InputError: no/such/folder: there is no such file or folder
    """
    found = experiment if isinstance(experiment, Experiment) else load(experiment)
    if family is not None and family not in found.families:
        hint = nearest(family, found.families)
        raise InputError(f"has no records of family {family!r}", where=found.slug, hint=hint)
    return engine.compute(found, tables, family=family, memo=memo, engine=workers)


def read(
    table: Table | str | Path, *, name: str = "table", settings: Mapping[str, Any] | None = None
) -> Report:
    """The report of a table of runs, one row a run; columns are recognised by their names.

    Args:
        table: A data frame; rows, each a mapping; or the path of a table, or of whatever `load` takes.
        name: What a table without a path is called; the arm, where no column is one.
        settings: As `load` takes them: ``{"map": {"arm": ["engine"]}}`` names a column.

    Raises:
        InputError: No row can be read as a run; the message says why.

    >>> rows = [{"task": f"t{i}", "model": m, "passed": i % 3 > 0} for i in range(9) for m in ("a", "b")]
    >>> read(rows).find("score", model="a")[0].n
    6
    """
    if isinstance(table, str | Path):
        return _usable(compute(load(table, settings=settings)))
    rows = table.to_dict("records") if hasattr(table, "to_dict") else table
    lines = "".join(f"{json.dumps(_plain(row), default=_in_json)}\n" for row in rows)
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        path = Path(folder) / f"{name}.jsonl"
        path.write_text(lines, "utf-8")
        return _usable(compute(load(path, settings=settings)))


def _usable(report: Report) -> Report:
    if report.usable:
        return report
    first = next(map(str, (*report.problems, *report.findings)), "it has no row")
    raise InputError(f"holds no run that can be read: {first}", where=report.experiment)


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """A row without what a data frame has for a value that is not there: missing, and never a number."""
    return {str(key): None if _missing(value) else value for key, value in row.items()}


def _missing(value: Any) -> bool:
    return value is None or (not isinstance(value, str | list | dict) and bool(value != value))  # noqa: PLR0124


def _in_json(value: Any) -> Any:
    """A value of numpy's as Python's own; a moment as it is written."""
    return value.item() if hasattr(value, "item") else value.isoformat()


def compare(
    report: Report | Experiment | str | Place, metric: str, a: str, b: str, **keys: str
) -> Comparison:
    """The comparison of two arms on a metric, ``a`` first: its difference is ``a`` less ``b``.

    Args:
        report: As `compute` gave it; an experiment, or the path of its folder, is computed first.
        metric: Short name, such as ``change``.
        a: One arm.
        b: Another.
        keys: Group or stratum keys that single one out, where the metric has several strata.

    Raises:
        PoolingError: The two share no stratum, and the message names what differs; or a control withheld
            their numbers, and it names the control.
        InputError: There is no such comparison, or several; a metric, arm, key or value that does not exist
            is answered with the nearest that does.

    >>> compare("no/such/folder", "change", "alpha", "beta")
    Traceback (most recent call last):
    metrics_core.errors.InputError: no/such/folder: there is no such file or folder
    """
    measured = report if isinstance(report, Report) else compute(report)
    found = [
        c
        for c in measured.comparisons
        if c.metric == metric
        and {c.a, c.b} == {a, b}
        and keys.items() <= dict((*c.group, *c.stratum)).items()
    ]
    if not found:
        raise _no_comparison(measured, metric, a, b, keys)
    if len(found) > 1:
        ids = "; ".join(sorted(c.id for c in found))
        raise InputError(f"{len(found)} comparisons fit", where=measured.experiment, hint=ids)
    if (why := why_comparison_withheld(measured.controls, found[0])) is not None:
        raise PoolingError(
            f"a control withheld its numbers: {why}",
            where=found[0].id,
            hint="no comparison can be made until that control holds",
        )
    if found[0].verdict == "not comparable":
        raise PoolingError(found[0].reason, where=found[0].id, hint="show them side by side")
    return found[0] if found[0].a == a else found[0].reversed()


def _no_comparison(report: Report, metric: str, a: str, b: str, keys: Mapping[str, str]) -> InputError:
    """Why two arms are not compared: a name that does not exist, or else what is compared.

    Raises:
        PoolingError: Both arms are there, and the first thing that differs is named.
        InputError: No estimate has that metric, or these keys.
    """
    measured = select(report.estimates, metric, **keys)
    compared = [c for c in report.comparisons if c.metric == metric]
    over = {"model", *(c.over for c in compared)}
    of_arm: dict[str, list[Estimate]] = {}
    for e in measured:
        for name in {value for key, value in e.group if key in over}:
            of_arm.setdefault(name, []).append(e)
    for name in (a, b):
        if name not in of_arm:
            hint = nearest(name, of_arm)
            return InputError(f"{metric} has no arm {name!r}", where=report.experiment, hint=hint)
    for mine in of_arm[a]:
        for theirs in of_arm[b]:
            refuse_pooling(mine, theirs)
    pairs = listed_some({f"{c.a} with {c.b}" for c in compared})
    problem = f"no comparison of {a!r} with {b!r} on {metric!r}"
    return InputError(problem, where=report.experiment, hint=f"compared are: {pairs}")


def log_folders() -> dict[str, str]:
    """The folder that each family's records lie in, by the family's name."""
    return {family: folder for folder, family in folders().items()}


def arms() -> tuple[Arm, ...]:
    """Every kind of arm that a family declares, each once; whole ones first, models before all others."""
    found = {arm.key: arm for f in FAMILIES.values() for arm in (MODEL, *(f.words or PLAIN).arms)}
    return tuple(sorted(found.values(), key=lambda arm: arm.place))


def built_in_contracts() -> tuple[UsedContract, ...]:
    """Every contract that the package ships, as it stands: of each family, and through each adapter.

    >>> "assay/table" in {contract.ref.id for contract in built_in_contracts()}
    True
    """
    return tuple(used_contract(contract, (), family) for family, contract in engine.contracts())


def record_types() -> tuple[tuple[str, str, type[Any]], ...]:
    """(name, folder, struct) of the record type of each family."""
    return tuple((f.record.__name__, f.folder, f.record) for f in FAMILIES.values())


def metrics() -> dict[tuple[str, str], Metric]:
    """(family, name) -> each metric that a family declares, with its kind and what it is made from.

    >>> metrics()["traces", "score"].kind
    'score'
    """
    return {(family.name, metric.name): metric for family in FAMILIES.values() for metric in family.metrics}
