"""Metric contracts: a versioned, frozen instrument with golden fixtures. Two kinds, one reference.

A built-in `Contract` belongs to a family; its digest covers the family's source closure. A `UserContract`
is a Python file of an experiment; its digest covers that file and what it imports from its own folder
(`metrics_core.contracts.user_contract` reads it). Nothing here runs a contract: families run their own
fixtures, and a user's file is only ever run by `metrics_core.contracts.scorer`, in a child process.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.contracts.installed_sources import source_closure
from metrics_core.digest import closure_digest, short
from metrics_core.errors import ContractError
from metrics_core.results import ContractRef

if TYPE_CHECKING:
    from metrics_core.contracts.fixture import Fixture
    from metrics_core.formats import Adapter

MEASURING = (
    "metrics_core.formats.decompression",
    "metrics_core.redaction.redactor",
    "metrics_core.formats.jsonl",
    "metrics_core.measurement.tabulate",
    "metrics_core.measurement.finalise",
    "metrics_core.measurement.costs",
)
"""Modules that every family's numbers go through on the way from a file's bytes, beside its own."""

WITHOUT_NUMBERS = frozenset(
    {"metrics_core.errors", "metrics_core.formats.unknown_fields", "metrics_core.text"}
)
"""Modules that these import and that move no number: what is raised ends a computation; names of fields that
nothing reads, and the spelling of invisible characters in messages, are shown and never counted."""

DEFAULT_PROMISE = "mean of score_trace(trace) over valid runs; NaN is INVALID and is counted apart"


class Contract(Struct, frozen=True):
    """A built-in instrument.

    Attributes:
        id: Such as ``assay/brownfield``.
        version: Digits; a change that may move a number needs a new one.
        title: In a reader's words.
        module: Dotted name whose source closure is the instrument.
        promise: (metric, what it counts) in words that stand on the contract's page.
        fixtures: Golden fixtures; at least one.
        also: Dotted names of modules that stand between the records and the numbers beside it: an adapter's.
    """

    id: str
    version: str
    title: str
    module: str
    promise: tuple[tuple[str, str], ...]
    fixtures: tuple[Fixture, ...]
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.fixtures:
            raise ContractError("a contract without golden fixtures", where=self.id)
        if not self.version.isdecimal():
            raise ContractError(f"version is {self.version!r}, expected digits", where=self.id)

    def files(self) -> dict[str, bytes]:
        """The source closure: path -> bytes. Whatever reads, adds up or divides is part of the instrument.

        The golden fixtures are not: they show what it does, and move no number.
        """
        return dict(_installed(self.module, *self.also))

    def ref(self) -> ContractRef:
        """Id, version and digest of the source closure as it is installed; read once a process."""
        return ContractRef(self.id, self.version, _installed_digest(self.module, *self.also))

    def through(self, adapter: Adapter) -> Contract:
        """The instrument behind numbers of adapted data: the adapter is part of it, and of its id."""
        return replace(self, id=f"{self.id}+{adapter.format}", also=(*self.also, adapter.module))


@cache
def _installed_digest(*own: str) -> str:
    return str(closure_digest(_installed(*own)))


@cache
def _installed(*own: str) -> dict[str, bytes]:
    reached = [source_closure(module, WITHOUT_NUMBERS) for module in (*own, *MEASURING)]
    return {path: data for files in reached for path, data in files.items()}


class UserContract(Struct, frozen=True):
    """A user's scorer, read and not run.

    Attributes:
        id: ``CONTRACT_ID`` whole, such as ``agent-metric/v3-patch-apply``.
        version: The digits behind ``v`` in it.
        file: Name of the file within its folder.
        metric_sha256: sha256 of the file's bytes in hex, as its ``digest_source`` gives it.
        digest: Of the source closure.
        files: Source closure: path relative to the contract's folder -> bytes; holds ``file``.
        modules: Dotted name of each module in it -> its path.
        floor: What an agent that does nothing must score; the file's ``FLOOR``, else 0.
        promise: First paragraph of ``score_trace``'s docstring, else the general promise.
        only_caged: Whether it is run in a cage or not at all: somebody else's, as a published site holds it.
    """

    id: str
    version: str
    file: str
    metric_sha256: str
    digest: str
    files: Mapping[str, bytes]
    modules: Mapping[str, str]
    floor: float = 0.0
    promise: str = DEFAULT_PROMISE
    only_caged: bool = False

    def ref(self) -> ContractRef:
        """Id, version and closure digest."""
        return ContractRef(self.id, self.version, self.digest)

    @property
    def label(self) -> str:
        """Id and short digest: how a stratum names the instrument.

        >>> UserContract("m/v3-x", "3", "m.py", "", "sha256:3f9a2c1d77", {}, {}).label
        'm/v3-x sha256:3f9a2c1d'
        """
        return f"{self.id} sha256:{short(self.digest)}"
