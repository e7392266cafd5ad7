"""Scores traces under a user's contract, in a child process that holds nothing but its source closure.

Every batch is scored forwards and backwards, and the two must agree. A contract that raises makes a trace
invalid; one that breaks its promise is a `ContractError`; one whose process dies, hangs or runs out of
memory is a `ScorerCrash`. The fence keeps scores reproducible; it is no prison, and only contracts that the
publisher has read are run. What it cannot see: the clock's date, and whether a file exists.
"""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from metrics_core.contracts.fixture import FixtureResult, check_results
from metrics_core.contracts.scorer_process import ScorerCrash, ScorerProcess
from metrics_core.errors import ContractError

if TYPE_CHECKING:
    from metrics_core.contracts.contract import UserContract

__all__ = ["Score", "Scorer", "ScorerCrash", "check_user_fixtures", "packages_of", "score_all"]

TIMEOUT = 60.0
"""Seconds that the set-up with its fixtures, or one batch, may take."""
MEMORY = 2 << 30
"""Bytes of address space of the child."""
BATCH = 500
"""Traces in one request."""
BATCH_BYTES = 8 << 20
"""Bytes of one request; a single trace may be larger."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a contract says of one trace: a finite ``value``, or None and why it is ``invalid``."""

    value: float | None
    invalid: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.invalid is None):
            raise ValueError(f"expected a value or a reason: {self}")


class Scorer:
    """A running child for one contract; used as a context manager, it leaves no process behind.

    Args:
        contract: As `metrics_core.contracts.user_contract.load_contract` read it.
        timeout: Seconds for the set-up, and for each batch; above 0.
        memory: Bytes of address space.
        batch: Traces in one request, from 1.

    Raises:
        ContractError: The contract cannot be imported as its closure stands, or reaches beyond it.
        ScorerCrash: It died or hung before the first trace.
    """

    def __init__(
        self, contract: UserContract, *, timeout: float = TIMEOUT, memory: int = MEMORY, batch: int = BATCH
    ) -> None:
        self.contract, self.batch = contract, batch
        self._process = ScorerProcess(contract, timeout=timeout, memory=memory)
        try:
            ready = self._ask(json.dumps(self._process.setup).encode())
        except BaseException:
            self.close()
            raise
        self._fixtures = tuple(FixtureResult(*row) for row in ready["fixtures"])
        self.packages: dict[str, str] = ready["packages"]
        """Third-party packages that the contract brought in -> their version."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child; may be called twice."""
        self._process.close()

    def fixtures(self) -> tuple[FixtureResult, ...]:
        """What each golden fixture gave; `check_results` raises where one differs."""
        return self._fixtures

    def score(self, traces: Sequence[Mapping[str, Any]]) -> list[Score]:
        """Score traces, in their order.

        Args:
            traces: Decoded records, as the log holds them.

        Returns:
            One score a trace.

        Raises:
            ContractError: The contract broke its promise: a score that is no finite float or that depends
                on the order of scoring; a file, a socket, a process or a module outside its closure.
            ScorerCrash: Its process ended.
        """
        scores: list[Score] = []
        for batch in self._batches(traces):
            reply = self._ask(b"[" + b",".join(batch) + b"]", first=len(scores) + 1)
            scores += self._agreed(reply, first=len(scores) + 1)
        return scores

    def _ask(self, request: bytes, *, first: int | None = None) -> dict[str, Any]:
        """``first`` is the number of the batch's first trace; None while it is set up."""
        reply = self._process.ask(request)
        if "broken" in reply:
            place = "" if first is None or reply["at"] is None else f"trace {first + reply['at']}: "
            raise ContractError(place + str(reply["broken"]), where=self.contract.id)
        return reply

    def _batches(self, traces: Sequence[Mapping[str, Any]]) -> Iterator[list[bytes]]:
        batch: list[bytes] = []
        size = 0
        for trace in traces:
            encoded = json.dumps(trace).encode()
            if batch and (len(batch) >= self.batch or size + len(encoded) > BATCH_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(encoded)
            size += len(encoded)
        if batch:
            yield batch

    def _agreed(self, reply: dict[str, Any], *, first: int) -> Iterator[Score]:
        """The scores of a batch, once both passes are found to agree."""
        passes = zip(reply["forwards"], reply["backwards"], strict=True)
        for number, ((value, invalid, kind), (again, reason, _)) in enumerate(passes, start=first):
            if value != again or (invalid is None) != (reason is None):
                raise ContractError(
                    f"trace {number}: the score depends on order, or on something that is not in the trace:"
                    f" {_shown(value)}, then {_shown(again)}",
                    where=self.contract.id,
                    hint="a score must be a function of its trace alone",
                )
            # A message that varies is not the trace's own; the kind of exception is.
            yield Score(value, invalid if invalid == reason else kind or invalid)


def score_all(contract: UserContract, traces: Sequence[Mapping[str, Any]]) -> list[Score]:
    """Score traces with a child that this process keeps for the next call; see `Scorer.score`.

    Raises:
        ContractError: As `Scorer`; the child is ended.
    """
    try:
        return _kept(contract).score(traces)
    except BaseException:
        stopped = _running.pop((os.getpid(), contract.digest), None)
        if stopped is not None:
            stopped.close()
        raise


def check_user_fixtures(contract: UserContract) -> tuple[FixtureResult, ...]:
    """Run the golden fixtures of a user's contract, with the child that `score_all` goes on to use.

    Raises:
        FixtureError: One or more did not give their known result: nothing is measured.
        ContractError: As `Scorer`.
    """
    found = _kept(contract).fixtures()
    check_results(contract.id, found)
    return found


def packages_of(contract: UserContract) -> Mapping[str, str]:
    """Third-party packages that a contract brought in -> their version.

    Raises:
        ContractError: As `Scorer`.
    """
    return _kept(contract).packages


def _kept(contract: UserContract) -> Scorer:
    key = (os.getpid(), contract.digest)
    if key not in _running:
        _running[key] = Scorer(contract)
    return _running[key]


_running: dict[tuple[int, str], Scorer] = {}
"""Children by process and contract; the process stands in the key since a fork copies this dictionary."""


@atexit.register
def close_all() -> None:
    """End the children that `score_all` keeps for this process."""
    for key in [key for key in _running if key[0] == os.getpid()]:
        _running.pop(key).close()


def _shown(value: float | None) -> str:
    return "invalid" if value is None else repr(value)
