"""The score report: one contract's whole reading of one experiment, to be quoted whole.

Seed 004's ``score_report.json``: contract, digests, fixtures, controls, counts, mean and interval, the
environment, and context. It is made from estimates that were computed already; nothing is scored here.
The environment names versions, and no user, host or path.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from metrics_core.contracts import HASH_SEED
from metrics_core.digest import short
from metrics_core.measurement.estimators import SIGNED
from metrics_core.results import STAGE, Control, Estimate, UsedContract

SCHEMA = "assay.score-report/1"
COMPUTES = ("msgspec", "numpy")
"""Packages that numbers pass through."""
CONTEXT = ("cost", "latency", "tokens", "retries")


def environment(packages: Mapping[str, str] | None = None, cage: str | None = None) -> dict[str, Any]:
    """What the numbers were computed with: Python, machine type, package versions, the scorer's hash seed.

    Args:
        packages: Third-party packages that a user's contract brought in -> version (`Scorer.packages`).
        cage: What of a cage such a contract ran in.

    >>> sorted(environment())
    ['implementation', 'machine', 'packages', 'python', 'pythonhashseed']
    """
    versions = {name: found for name in COMPUTES if (found := _version(name)) is not None}
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "machine": platform.machine(),
        "packages": dict(sorted({**(packages or {}), **versions}.items())),
        "pythonhashseed": HASH_SEED,
        **({} if cage is None else {"cage": cage}),
    }


def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # slow to load, and asked once a report

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def score_report(
    contract: UsedContract,
    estimates: Iterable[Estimate],
    controls: Iterable[Control],
    *,
    experiment: str,
    data_digest: str,
    tree: str | None = None,
    packages: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The score report of one contract in one experiment.

    Args:
        contract: The instrument, with what its fixtures gave.
        estimates: Of the experiment; those of other contracts are left out.
        controls: Of the experiment; those that guard other families or contracts are left out.
        experiment: Name.
        data_digest: Tree digest of the published data.
        tree: Digest of the eval pack, where there is one.
        packages: Third-party packages that the contract brought in -> version.

    Returns:
        JSON without NaN. ``n_valid``, ``n_invalid``, ``mean``, ``ci95``, ``seed``, ``resamples`` (or
        ``note``) stand at the top, as in the reference contract: filled for a user's contract that
        scored one stratum of the eval split, else null. ``results`` holds each estimate of the contract
        for the whole experiment and for each model.

    Source: the reference contract, ``controls.py``; its ``cwd`` and platform string are left out.
    """
    everything = list(estimates)
    own = [e for e in everything if e.contract.digest == contract.ref.digest and e.metric != STAGE]
    rows = [e for e in own if e.metric not in CONTEXT and set(e.group.names) <= {"model"}]
    around = [e for e in everything if e.family == contract.family and e.metric in CONTEXT and not e.group]
    return {
        "schema": SCHEMA,
        "experiment": experiment,
        "contract_id": contract.ref.id,
        "version": contract.ref.version,
        "kind": contract.kind,
        "family": contract.family,
        "digests": {
            "metric": None if contract.metric_sha256 is None else f"sha256:{contract.metric_sha256}",
            "closure": contract.ref.digest,
            "tree": tree,
            "data": data_digest,
        },
        "fixture_count": len(contract.fixtures),
        "fixtures": [{"name": n, "expected": expected, "got": got} for n, expected, got in contract.fixtures],
        "controls": [c.to_json() for c in controls if _guards(c, contract)],
        **_headline(contract, rows),
        "results": [_row(e) for e in sorted(rows, key=lambda e: e.id)],
        "env": environment(packages, contract.cage),
        "context": [_around(e) for e in sorted(around, key=lambda e: e.id)],
    }


def score_reports(
    contracts: Sequence[UsedContract],
    estimates: Sequence[Estimate],
    controls: Sequence[Control],
    *,
    experiment: str,
    data_digest: str,
    tree: str | None = None,
    packages: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[dict[str, Any], ...]:
    """One report for each contract, by id and digest; ``packages`` is by digest, else as `score_report`."""
    return tuple(
        score_report(
            contract,
            estimates,
            controls,
            experiment=experiment,
            data_digest=data_digest,
            tree=tree if contract.family == "traces" else None,
            packages=(packages or {}).get(contract.ref.digest),
        )
        for contract in sorted(contracts, key=lambda c: (c.ref.id, c.ref.digest))
    )


def _guards(control: Control, contract: UsedContract) -> bool:
    names = (
        None,
        contract.ref.id,
        contract.ref.digest,
        f"{contract.ref.id} sha256:{short(contract.ref.digest)}",
    )
    return control.guards == contract.family and control.contract in names


def _headline(contract: UsedContract, rows: Sequence[Estimate]) -> dict[str, Any]:
    """Seed 004's keys: filled where one estimate answers to them, else null with the reason."""
    whole = [e for e in rows if not e.group and e.metric == "score" and ("split", "eval") in e.stratum]
    if contract.kind == "user" and len(whole) == 1:
        return _summary(whole[0])
    why = f"{len(whole)} strata of the eval split, and no mean of them all: see results"
    if contract.kind != "user":
        why = "more than one metric: see results"
    return {**dict.fromkeys(("n_valid", "n_invalid", "mean", "ci95")), "note": why}


def _summary(e: Estimate) -> dict[str, Any]:
    """Counts, mean and the signed interval, or why there is none."""
    counts: dict[str, Any] = {"n_valid": e.known, "n_invalid": e.invalid, "mean": e.value, "ci95": None}
    signed = dict(e.also).get(SIGNED)
    if e.withheld is not None:
        return {**counts, "note": f"withheld: {e.withheld}"}
    if e.value is None or signed is None:
        return {**counts, "note": e.interval.reason or "no signed interval"}
    limits = None if signed.lo is None else [signed.lo, signed.hi]
    mean = {**counts, "ci95": limits, "seed": signed.seed, "resamples": signed.resamples}
    return mean if limits else {**mean, "note": signed.reason}


def _row(e: Estimate) -> dict[str, Any]:
    row = {"id": e.id, "metric": e.metric, "group": e.group.to_json(), "stratum": e.stratum.to_json()}
    counted = {"n": e.n, "N": e.N, "of": e.of, "attempts": e.attempts}
    lost = {"unknown": e.unknown, "errors": e.errors}
    return {**row, **counted, **lost, **_summary(e), "interval": e.interval.to_json()}


def _around(e: Estimate) -> dict[str, Any]:
    """Context: never a substitute for the score."""
    recorded = {"metric": e.metric, "unit": e.unit, "stratum": e.stratum.to_json(), "n": e.n, "N": e.N}
    if e.summary is None:
        return {**recorded, "prices": e.prices}
    figures = {"median": e.summary.median, "p90": e.summary.p90, "total": e.summary.total}
    return {**recorded, **figures, "prices": e.prices}
