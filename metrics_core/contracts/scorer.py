"""Scores traces under a user's contract, in child processes that hold nothing but its source closure.

Each trace is asked about by itself, in two processes: in the second in another order, some of them twice,
under clocks that stand at another moment for each. Both must agree, and what a score may be is held here. A
contract that raises makes a trace invalid; one that breaks its promise is a `ContractError`; one whose
process dies, hangs or runs out of memory is a `ScorerCrash`. Where the kernel has a cage
(`metrics_core.contracts.cage`), both are in it.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import math
import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct

from metrics_core.contracts.fixture import FixtureResult, check_results
from metrics_core.contracts.scorer_child import INVALID, LARGEST, LONGEST_MESSAGE
from metrics_core.contracts.scorer_process import OPEN_CHANNEL, CageState, ScorerCrash, ScorerProcess
from metrics_core.errors import ContractError

if TYPE_CHECKING:
    from metrics_core.contracts.contract import UserContract

__all__ = ["Score", "Scorer", "ScorerCrash", "cage_of", "check_user_fixtures", "packages_of", "score_all"]

CAGED = True
"""Whether children go into what cage there is; tests of a system that has none say False."""
TIMEOUT = 60.0
"""Seconds that the set-up with its fixtures, or one trace, may take."""
MEMORY = 2 << 30
"""Bytes of address space of the child."""
TWICE = 8
"""Of so many traces, the second process is asked about one again."""
MOST_KNOWN = 200_000
"""Scores that are kept for when the same traces are asked about again."""
PACKAGE = re.compile(r"[\w.-]{1,100}")


class Score(Struct, frozen=True):
    """What a contract says of one trace: a finite ``value``, or None and why it is ``invalid``."""

    value: float | None
    invalid: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.invalid is None):
            raise ValueError(f"expected a value or a reason: {self}")


class _Reply(Struct, frozen=True):
    """What a process says of one trace: a number, or why there is none, and what kind of exception it was."""

    value: float | None
    why: str | None = None
    kind: str | None = None

    def agrees(self, other: _Reply) -> bool:
        """Whether both have the same number, or the same kind of reason for having none."""
        alike = (self.value, self.kind) == (other.value, other.kind)
        return alike and (self.why is None) == (other.why is None)


class Scorer:
    """Two running children for one contract; used as a context manager, it leaves no process behind.

    Args:
        contract: As `metrics_core.contracts.user_contract.load_contract` read it.
        timeout: Seconds for the set-up, and for each trace; above 0.
        memory: Bytes of address space of each.

    Raises:
        ContractError: The contract cannot be imported as its closure stands, or reaches beyond it.
        UncagedError: It is run in a cage or not at all, and there is none.
        ScorerCrash: It died or hung before the first trace.
    """

    def __init__(self, contract: UserContract, *, timeout: float = TIMEOUT, memory: int = MEMORY) -> None:
        self.contract, self._timeout, self._memory = contract, timeout, memory
        self._chance = random.SystemRandom()  # an order that no contract can foresee
        self._both: tuple[ScorerProcess, ...]
        self._known: dict[bytes, list[Score]] = {}
        self._start()

    def _start(self) -> None:
        self._both, self._asked = (), False
        try:
            for other in (False, True):
                started = ScorerProcess(
                    self.contract,
                    timeout=self._timeout,
                    memory=self._memory,
                    caged=CAGED,
                    other_clock=other,
                )
                self._both = (*self._both, started)
            with self._within_time():
                self._set_up()
        except BaseException:
            self.close()
            raise

    def _set_up(self) -> None:
        states = [process.enter_cage() for process in self._both]
        for process in self._both:
            process.load()
        expected, same = (process.fixtures() for process in self._both)
        if json.dumps(expected) != json.dumps(same):
            raise ContractError("its golden fixtures are others in every process", where=self.contract.id)
        self.cage: CageState = states[0]
        """What of a cage its processes are in."""
        self._fixtures = tuple(self._tried(expected))
        self.packages: dict[str, str] = self._packages()
        """Third-party packages that the contract brought in -> their version."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the children; may be called twice."""
        for process in self._both:
            process.close()

    def score_anew(self, traces: Sequence[Mapping[str, Any]]) -> list[Score]:
        """Score traces with children that were asked about no trace before, but the fixtures.

        What they say of the same traces is asked once: the counts of an experiment and the pages of its runs
        stand on one answer.

        Args:
            traces: As for `score`.

        Raises:
            ContractError: As `Scorer` and `score`.
            ScorerCrash: As `score`.
        """
        digest = hashlib.sha256(b"\n".join(map(_encoded, traces))).digest()
        if digest not in self._known:
            if self._asked:
                self.close()
                self._start()
            scores = self.score(traces)
            if sum(map(len, self._known.values())) + len(scores) > MOST_KNOWN:
                return scores
            self._known[digest] = scores
        return list(self._known[digest])

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
        self._asked = True
        names = [f"trace {number}" for number in range(1, len(traces) + 1)]
        order = _one_cycle(len(traces), self._chance)
        again = self._chance.sample(order, -(-len(order) // TWICE))
        with self._within_time():
            replies = self._agreed(traces, names, (range(len(traces)), [*order, *again]))
            self._packages()
        return [Score(reply.value, reply.why) for reply in replies]

    def _tried(self, expected: Sequence[tuple[Any, float | None]]) -> Iterator[FixtureResult]:
        """Ask about each fixture like about any other trace.

        The second process begins at the end and does one more: even a single trace is another in its count.
        """
        names = [f"fixture {at}" for at in range(len(expected))]
        traces = [trace for trace, _ in expected]
        order = range(len(traces))
        replies = self._agreed(traces, names, (order, [*reversed(order), 0]))
        for name, (_, known), reply in zip(names, expected, replies, strict=True):
            ok = reply.value == known and reply.kind is None
            got = "INVALID" if reply.kind is None else str(reply.why)
            got = got if reply.value is None else repr(reply.value)
            yield FixtureResult(name, "INVALID" if known is None else repr(known), got, ok)

    def _agreed(
        self, traces: Sequence[Any], names: Sequence[str], orders: tuple[Sequence[int], Sequence[int]]
    ) -> list[_Reply]:
        """What both processes say of each trace, each asked in its own order, one trace at a time."""
        first: dict[int, _Reply] = {}
        second: list[tuple[int, _Reply]] = []
        one, other = self._both
        for a, b in zip_longest(*orders):
            if a is not None:
                one.ask(_encoded(traces[a]))
            if b is not None:
                other.ask(_encoded(traces[b]))
            if a is not None:
                first[a] = self._answered(one, names[a])
            if b is not None:
                second.append((b, self._answered(other, names[b])))
        replies = dict(first)
        for at, again in sorted(second, key=lambda pair: pair[0]):
            reply = first[at]
            if not reply.agrees(again):
                raise ContractError(
                    f"{names[at]}: the score depends on order, or on something that is not in the trace:"
                    f" {_shown(reply)}, then {_shown(again)}",
                    where=self.contract.id,
                    hint="a score must be a function of its trace alone",
                )
            if reply.why != again.why:  # a message that varies is not the trace's own; its kind is
                replies[at] = _Reply(None, reply.kind or reply.why, reply.kind)
        return [replies[at] for at in range(len(traces))]

    def _answered(self, process: ScorerProcess, name: str) -> _Reply:
        try:
            said = process.answer()
        except ScorerCrash:
            raise
        except ContractError as error:
            raise ContractError(f"{name}: {error.problem}", where=self.contract.id) from None
        match said:
            case [float(value)] if math.isfinite(value) and abs(value) <= LARGEST:
                return _Reply(value + 0.0)  # no -0, whose sign would be a second answer
            case [None, str(why), None] if why == INVALID:
                return _Reply(None, why)
            case [None, str(why), str(kind)] if _is_plain(why, LONGEST_MESSAGE) and _is_plain(kind, 100):
                return _Reply(None, why, kind)
        raise ContractError(f"{name}: {OPEN_CHANNEL}", where=self.contract.id)

    def _packages(self) -> dict[str, str]:
        """What was brought in, once the child has looked at what is loaded."""
        told = []
        for process in self._both:
            process.ask()
            told.append(process.answer())
        if told[0] != told[1]:
            raise ContractError("brings in other packages in every process", where=self.contract.id)
        match told[0]:
            case [dict() as found] if all(
                PACKAGE.fullmatch(name) and isinstance(version, str) and _is_plain(version, 100)
                for name, version in found.items()
            ):
                return found
        raise ContractError(OPEN_CHANNEL, where=self.contract.id)

    def _within_time(self) -> ExitStack:
        stack = ExitStack()
        for process in self._both:
            stack.enter_context(process.within_time())
        return stack


def _encoded(trace: Any) -> bytes:
    return json.dumps(trace).encode()


def _one_cycle(count: int, chance: random.Random) -> list[int]:
    """An order in which every trace has another place, and none is led back to its own before all are: a
    score by place in the order is found unless it is one and the same for all.

    Source: Sattolo, "An algorithm to generate a random cyclic permutation" (1986).
    """
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = chance.randrange(last)
        order[last], order[other] = order[other], order[last]
    return order


def _is_plain(text: str, longest: int) -> bool:
    """Whether it is text of bounded length that a file can hold."""
    return len(text) <= longest and not any("\ud800" <= char <= "\udfff" for char in text)


def score_all(
    contract: UserContract, traces: Sequence[Mapping[str, Any]], *, anew: bool = True
) -> list[Score]:
    """Score traces with children that this process keeps for the next call; see `Scorer.score`.

    Args:
        contract: Under which they are scored.
        traces: Decoded records, as the log holds them.
        anew: Whether the children may have seen no other trace before, such as one of another experiment.

    Raises:
        ContractError: As `Scorer`; the child is ended.
    """
    try:
        scorer = _kept(contract)
        return scorer.score_anew(traces) if anew else scorer.score(traces)
    except BaseException:
        stopped = _running.pop(_key(contract), None)
        if stopped is not None:
            stopped.close()
        raise


def check_user_fixtures(contract: UserContract) -> tuple[FixtureResult, ...]:
    """Run the golden fixtures of a user's contract, with the children that `score_all` goes on to use.

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


def cage_of(contract: UserContract) -> CageState:
    """What of a cage the processes of a contract are in.

    Raises:
        ContractError: As `Scorer`.
    """
    return _kept(contract).cage


def _kept(contract: UserContract) -> Scorer:
    key = _key(contract)
    if key not in _running:
        _running[key] = Scorer(contract)
    return _running[key]


def _key(contract: UserContract) -> tuple[int, str, bool]:
    return os.getpid(), contract.digest, contract.only_caged


_running: dict[tuple[int, str, bool], Scorer] = {}
"""Children by process and contract; the process stands in the key since a fork copies this dictionary."""


@atexit.register
def close_all() -> None:
    """End the children that `score_all` keeps for this process."""
    for key in [key for key in _running if key[0] == os.getpid()]:
        _running.pop(key).close()


def _shown(reply: _Reply) -> str:
    if reply.value is not None:
        return repr(reply.value)
    return "invalid" if reply.kind is None else f"invalid ({reply.kind})"
