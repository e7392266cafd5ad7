"""Golden fixtures of a built-in family: run through the very functions that measure, before they measure."""

from __future__ import annotations

import msgspec

from metrics_core.contracts import Contract, FixtureResult, check_results
from metrics_core.errors import FixtureError
from metrics_core.experiments import Settings
from metrics_core.formats import read
from metrics_core.measurement.family import Context, Family
from metrics_core.measurement.finalise import finalise
from metrics_core.measurement.tabulate import tabulate
from metrics_core.memo import Memo
from metrics_core.results import Estimate

EXPERIMENT = "fixture"
NO_DATA = "sha256:" + "0" * 64


def figure(e: Estimate | None) -> str:
    """A figure as fixtures spell it: ``n/N value``, to six digits; ``none`` where there is no value."""
    if e is None:
        return "no such figure"
    return f"{e.n}/{e.N} {'none' if e.value is None else f'{e.value:.6g}'}"


def states(e: Estimate) -> str:
    """How many runs of a figure are in each state, as fixtures spell it."""
    return f"{e.known} known, {e.unknown} unknown, {e.invalid} invalid, {e.errors} error"


def results(family: Family, contract: Contract | None = None) -> tuple[FixtureResult, ...]:
    """What each golden fixture of a family's contract gives beside what it must give.

    A fixture asks for a figure by its query, and for the states of its runs by the query and `` states``.

    Args:
        family: Whose functions measure.
        contract: One of its further contracts; its own by default.
    """
    context = Context(experiment=EXPERIMENT, settings=Settings(), memo=Memo())
    found = []
    for fixture in (contract or family.contract).fixtures:
        lines = b"".join(msgspec.json.encode(record) + b"\n" for record in fixture.records)
        partial = tabulate(family, [list(read([lines], family.record, file="fixture.jsonl"))], context)
        ids = {
            asked: f"{EXPERIMENT}/{family.name}.{asked.partition(' ')[0]}" for asked, _ in fixture.expected
        }
        findings = finalise(family, partial, context, NO_DATA, frozenset(ids.values()))
        made = {e.id: e for e in findings.estimates}
        found.append(fixture.compare({asked: _answer(asked, made.get(ids[asked])) for asked in ids}))
    return tuple(found)


def _answer(asked: str, e: Estimate | None) -> str:
    return states(e) if " " in asked and e is not None else figure(e)


def check_fixtures(family: Family, contract: Contract | None = None) -> tuple[FixtureResult, ...]:
    """Run the fixtures of a family's own contract, or of one of its further ones.

    Raises:
        FixtureError: One or more did not give their known result: nothing is measured.
    """
    tried = contract or family.contract
    found = results(family, tried)
    check_results(f"{tried.id} v{tried.version}", found)
    return found


def check_batch(family: Family) -> None:
    """Hold a family's batch form against its ``observe``, over the records of its golden fixtures.

    Raises:
        FixtureError: Many records at once do not come to what each of them does.
    """
    from metrics_core.measurement.columns import expanded, of_logs  # numpy is loaded for it

    context = Context(experiment=EXPERIMENT, settings=Settings(), memo=Memo())
    records = [record for fixture in family.contract.fixtures for record in fixture.records]
    log = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    each = tabulate(family, [list(read([log], family.record, file="f"))], context)
    at_once = expanded(of_logs(family, {"f": lambda: [log]}, context), family)
    for said in ("cells", "progress", "points", "checks", "costs", "tallied", "records", "duplicates"):
        if getattr(each, said) != getattr(at_once, said):
            what = f"golden fixtures counted at once have other {said} than one by one"
            raise FixtureError(what, where=family.contract.id)
