"""A gate: what was tried on the instrument, which numbers it guards, and whether it held."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from metrics_core.results.codes import ControlFinding

ControlState = Literal["held", "failed", "missing", "not applicable"]
Gate = Literal["required", "optional"]
"""What an experiment makes of a control that is missing: required withholds, optional may be published."""


class ControlCheck(Struct, frozen=True, kw_only=True):
    """One line of a control: what was tried, what must happen, how often it did, and what went wrong.

    Attributes:
        faults: (name, what it did instead) of what did not go as it must, where that is told.
        untried: Names of what the control should have tried and did not; they are part of N.
    """

    name: str
    must: str
    n: int
    N: int
    faults: tuple[tuple[str, str], ...] = ()
    untried: tuple[str, ...] = ()

    @property
    def held(self) -> bool:
        """Whether everything was tried, and went as it must."""
        return self.n == self.N


class Control(Struct, frozen=True, kw_only=True):
    """A gate: which numbers it guards and whether it held.

    Attributes:
        name: ``fixtures``, ``sanity``, ``stub agent``, ``shuffled oracles``, ``pack digest``, ...
        title: The reader's words for it: "negative control".
        guards: Name of the family whose numbers are withheld when it fails; with ``contract``, only
            that contract's, with ``metrics``, only those of these names.
        detail: One sentence: what was found.
        checks: What it consists of, line by line.
        source: File it was read from, relative to the experiment; None where it was computed.
        gate: What the experiment makes of it where it is missing; None where it says nothing. A control that
            failed withholds, whatever is said of it.
        findings: What it leaves in doubt, whether it held or not: said beside every number that it guards.
    """

    name: str
    title: str
    state: ControlState
    detail: str
    guards: str
    contract: str | None = None
    metrics: tuple[str, ...] = ()
    checks: tuple[ControlCheck, ...] = ()
    source: str | None = None
    stamp: str | None = None
    gate: Gate | None = None
    findings: tuple[ControlFinding, ...] = ()

    @property
    def withholds(self) -> bool:
        """Whether the numbers that it guards are withheld: it failed, or is required and missing."""
        return self.state == "failed" or (self.state == "missing" and self.gate == "required")

    @property
    def stops_publication(self) -> bool:
        """Whether it keeps its experiment from being published: it failed, or is missing and not optional."""
        return self.state == "failed" or (self.state == "missing" and self.gate != "optional")

    @property
    def told(self) -> str:
        """Its state in words, and whether a missing one is required or optional here.

        >>> Control(name="x", title="x", state="missing", detail="", guards="f", gate="optional").told
        'missing, optional'
        """
        return f"{self.state}, {self.gate}" if self.state == "missing" and self.gate else self.state

    def covers(self, metric: str, contract: str) -> bool:
        """Whether a number of the family it guards rests on it: its metric, and its contract's digest."""
        return self.contract in (None, contract) and (not self.metrics or metric in self.metrics)

    @property
    def covers_all(self) -> bool:
        """Whether every number of the family it guards rests on it."""
        return self.contract is None and not self.metrics

    def to_json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {
            "name": self.name,
            "title": self.title,
            "state": self.state,
            "detail": self.detail,
            "guards": self.guards,
            "contract": self.contract,
            "metrics": list(self.metrics),
            "source": self.source,
            "stamp": self.stamp,
            "gate": self.gate,
            "findings": list(map(str, self.findings)),
            "checks": [
                {
                    "name": c.name,
                    "must": c.must,
                    "n": c.n,
                    "N": c.N,
                    "faults": [list(f) for f in c.faults],
                    "untried": list(c.untried),
                }
                for c in self.checks
            ],
        }
