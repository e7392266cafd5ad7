"""Writes the ledger: new versions freely, another digest for a known version only once nothing moved.

A row once written is never changed. "Nothing moved" is checked against the last built site: its
published estimates, comparisons and costs, for the same data.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any
from urllib.parse import quote

from metrics_core import api
from metrics_core.contracts import Lockfile, lockfile
from metrics_core.digest import short
from metrics_core.errors import LockError
from metrics_core.results import Report, UsedContract
from site_src import paths, pipeline
from site_src.project import Plan, safe_write, sources

MEASURED = {
    "estimates": (
        "value",
        "n",
        "N",
        "attempts",
        "known",
        "unknown",
        "invalid",
        "errors",
        "interval",
        "bounds",
        "withheld",
        "also",
        "summary",
        "stamps",
        "prices",
    ),
    "comparisons": (
        "difference",
        "interval",
        "overlap",
        "paired_on",
        "p",
        "p_adjusted",
        "detectable",
        "verdict",
        "sensitivity",
    ),
    "costs": ("recorded", "recomputed", "repriced", "records", "unpriced_records"),
}
"""What must be the same, to the last bit, for a contract to be called the same instrument."""


SHOWN = 60
"""Characters that are quoted of what moved."""


def lock(plan: Plan, today: str, *, revise: str | None = None, package: bool = False) -> Iterator[str]:
    """Add every contract in use to the ledger.

    Args:
        plan: What is at hand; ``output`` is the last built site.
        today: ISO date of the new rows.
        revise: Why a known version may get another digest; proved first.
        package: Write the ledger that the package ships, in place of the site's: every built-in contract,
            also those that no experiment at hand is measured by. Such a one is revised on its fixtures alone.

    Yields:
        What was done, one sentence a contract.

    Raises:
        LockError: A known version has another digest, and this is no revision, or a number moved.
    """
    reports = pipeline.measure(sources.read(plan))
    measuring = {c.ref: c for r in reports for c in r.contracts}  # two may be of the same sources
    used = {c.ref: c for c in api.built_in_contracts()} if package else measuring
    path = Path(lockfile.__file__).with_name(lockfile.NAME) if package else _site_ledger(plan)
    current = lockfile.read(path.read_bytes()) if path.is_file() else Lockfile(())
    changed = [c for c in used.values() if _is_other(current, c)]
    if changed and revise is not None:
        yield _proved(plan.output, reports, [c for c in changed if c.ref in measuring])
    for contract in sorted(used.values(), key=lambda c: (c.ref.id, c.ref.version)):
        grown = lockfile.add(
            current, contract, date=today, reason=revise or "first locked", revise=revise is not None
        )
        yield f"{contract.ref.id} v{contract.ref.version} {contract.ref.digest}: " + (
            "stands already" if grown == current else "added"
        )
        current = grown
    safe_write.replace_file(path, lockfile.write(current))


def _site_ledger(plan: Plan) -> Path:
    if plan.content is None:
        raise LockError(
            "a ledger belongs to a content folder", where=lockfile.NAME, hint="name one with --content"
        )
    return plan.content / lockfile.NAME


def _is_other(current: Lockfile, contract: UsedContract) -> bool:
    known = current.of(contract.ref.id, contract.ref.version)
    return bool(known) and contract.ref.digest not in {row.digest for row in known}


def _proved(site: Path, reports: tuple[Report, ...], changed: Sequence[UsedContract]) -> str:
    """Compare every number with the last built site; the fixtures have held already."""
    compared: Counter[tuple[str, str]] = Counter()
    for report in reports:
        published = site / paths.report(report.experiment)
        if not published.is_file():
            continue
        was, now = json.loads(published.read_bytes()), report.to_json()
        if was["data_digest"] != now["data_digest"]:
            continue
        now = _under_published_names(now, was)
        moved = [name for part in MEASURED for name in _moved(part, was[part], now[part])]
        if moved:
            raise LockError(
                f"{len(moved)} numbers moved, first {moved[0]}",
                where=lockfile.NAME,
                hint="bump the contract's version: it is another instrument",
            )
        compared.update((e.contract.id, e.contract.version) for e in report.estimates)
    for contract in changed:
        if not compared[(contract.ref.id, contract.ref.version)]:
            raise LockError(
                "there is no built site of the same data to hold its numbers against: "
                f"{contract.ref.id} v{contract.ref.version}",
                where=lockfile.NAME,
                hint="build the site with the earlier version first, or bump the version",
            )
    return f"no number moved: {compared.total()} estimates are the same to the last bit"


def _under_published_names(now: dict[str, Any], was: dict[str, Any]) -> dict[str, Any]:
    """A report in which each contract bears the digest that it was published under.

    Estimates of a user's contract are named by it, and its digest is what a revision changes.

    Args:
        now: As measured.
        was: As published, of the same data.
    """
    published = {(c["id"], c["version"]): c["digest"] for c in was["contracts"]}
    text = json.dumps(now)
    for contract in now["contracts"]:
        then = published.get((contract["id"], contract["version"]))
        if then is not None and then != contract["digest"]:
            names = [f"{contract['id']} sha256:{short(d)}" for d in (contract["digest"], then)]
            for spelling in (json.dumps, _in_an_id):
                new, old = map(spelling, names)
                text = text.replace(new.strip('"'), old.strip('"'))
    renamed: dict[str, Any] = json.loads(text)
    return renamed


def _in_an_id(name: str) -> str:
    return quote(name, safe="")


def _moved(part: str, was: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    """Each row of one part of a report in which something measured is another: its name and first change."""
    then, recomputed = (
        {row.get("id") or f"cost of {row['model']}": [row.get(key) for key in MEASURED[part]] for row in rows}
        for rows in (was, now)
    )
    return [
        f"{name} ({_first_change(part, then.get(name), recomputed.get(name))})"
        for name in sorted({*then, *recomputed})
        if then.get(name) != recomputed.get(name)
    ]


def _first_change(part: str, was: list[Any] | None, now: list[Any] | None) -> str:
    if was is None or now is None:
        return "is new" if was is None else "is gone"
    at = next(at for at, (a, b) in enumerate(zip(was, now, strict=True)) if a != b)
    before, after = (shorten(json.dumps(row[at]), SHOWN, placeholder=" ...") for row in (was, now))
    return f"{MEASURED[part][at]} {before}, now {after}"
