"""Golden fixtures: tiny records whose result is known beforehand, and what an instrument gave for them.

Does: compare the two, and stop where they differ. Does not: run an instrument; families run their own
fixtures, and a user's file is only ever run by `metrics_core.contracts.scorer`, in a child process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from metrics_core.errors import ContractError, FixtureError


class FixtureResult(Struct, frozen=True):
    """What one golden fixture gave beside what it must give, both as text."""

    name: str
    expected: str
    got: str
    ok: bool


class Fixture(Struct, frozen=True):
    """Tiny records whose result is known beforehand.

    Attributes:
        name: What the fixture is about; unique within its contract.
        records: As they stand in a log, decoded.
        expected: (what, result) pairs, such as ``("security", "1/2")``; results are compared with ``==``.
    """

    name: str
    records: tuple[dict[str, Any], ...]
    expected: tuple[tuple[str, object], ...]

    def __post_init__(self) -> None:
        if not self.name or not self.expected:
            raise ContractError("a fixture without a name or an expected result", where=self.name or "?")

    def compare(self, got: Mapping[str, object]) -> FixtureResult:
        """Hold results against what was expected; results that no one expected are not looked at.

        Args:
            got: Result by what it is; a result that is absent counts as None.

        >>> fixture = Fixture("one unknown", ({"breached": None},), (("security", "N/A (0/0)"),))
        >>> fixture.compare({"security": "0/1"})
        FixtureResult(name='one unknown', expected='security N/A (0/0)', got='security 0/1', ok=False)
        """
        found = tuple((what, got.get(what)) for what, _ in self.expected)
        return FixtureResult(self.name, _told(self.expected), _told(found), found == self.expected)


def _told(results: Sequence[tuple[str, object]]) -> str:
    return "; ".join(f"{what} {result}" for what, result in results)


def check_results(contract: str, results: Sequence[FixtureResult]) -> None:
    """Stop where a golden fixture did not give its known result.

    Args:
        contract: Id of the contract, for the message.
        results: What its fixtures gave.

    Raises:
        FixtureError: One or more differ (exit 3); each is named with what it should have given.
    """
    if not results:
        raise FixtureError("no golden fixture was run", where=contract)
    wrong = [f"{r.name}: expected {r.expected}, got {r.got}" for r in results if not r.ok]
    if wrong:
        raise FixtureError(
            "; ".join(wrong),
            where=contract,
            hint="the instrument is not the one that its fixtures describe; nothing it measures is shown",
        )
