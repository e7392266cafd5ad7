"""Starts, asks and ends one child process in which a user's contract runs (`scorer_child`).

The child puts itself into the cage and says what of it there is; the contract's source is sent only then.
This module knows requests and replies as JSON lines, and nothing of scores; `metrics_core.contracts.scorer`
does. Whatever comes back is held to a size, and each reply to the request that it answers.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from metrics_core.contracts import scorer_child
from metrics_core.errors import ContractError

if TYPE_CHECKING:
    from metrics_core.contracts.contract import UserContract

HASH_SEED = "0"
"""``PYTHONHASHSEED`` of the child: the order of a set is the same in every run."""

LONGEST_REPLY = 16 << 20
"""Bytes of one reply: golden fixtures are the largest."""

OPEN_CHANNEL = "breaks the channel that its scores go through"
EXTRA = "writes where only its scorer writes"

_ALONE = (
    "import sys, types\n"
    "for name, place in zip(('metrics_core', 'metrics_core.contracts'), sys.argv[1:]):\n"
    "    sys.modules[name] = types.ModuleType(name)\n"
    "    sys.modules[name].__path__ = [place]\n"
)
"""Without the rest of ours: these packages are folders, and their front doors stay shut."""

START = f"{_ALONE}from metrics_core.contracts.scorer_child import main\nmain()\n"
"""Runs `scorer_child`."""

TRY_CAGE = (
    f"{_ALONE}import json\nfrom metrics_core.contracts.cage import kernel\n"
    "print(json.dumps(kernel.enter(sys.path)))\n"
)
"""Goes into the cage, says what of it there is, and ends."""


class ScorerCrash(ContractError):
    """The scorer's process died, hung or ran out of memory: it fails the family, not the build."""


class UncagedError(ContractError):
    """There is no cage here, and this contract is run in one or not at all."""


class CageState(Struct, frozen=True):
    """What the operating system refuses the process of a contract, as it said before it had any of it.

    Attributes:
        landlock: The ABI of Landlock in force; 0 for none.
        seccomp: Whether system calls are filtered.
        mounts: Whether no path but the interpreter's library can be seen.
    """

    landlock: int = 0
    seccomp: bool = False
    mounts: bool = False

    @property
    def holds(self) -> bool:
        """Whether it is a cage: no file, no process, no socket, by the kernel."""
        return self.landlock > 0 and self.seccomp

    def __str__(self) -> str:
        """As reports tell it; `metrics_core.results.UNCAGED` where it is none.

        >>> str(CageState(7, True, True)), str(CageState(0, True))
        ('landlock 7 seccomp mounts', 'none')
        """
        if not self.holds:
            return "none"
        return f"landlock {self.landlock} seccomp" + (" mounts" if self.mounts else "")


def cage_here() -> CageState:
    """In what an interpreter of this system can be put, tried on one that has nothing to run."""
    if not sys.platform.startswith("linux"):
        return CageState()
    contracts = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-s", "-P", "-B", "-c", TRY_CAGE, str(contracts.parent), str(contracts)],
        capture_output=True,
        cwd=os.sep,
        env=environment(),
        check=False,
    )
    try:
        return CageState(**json.loads(done.stdout))
    except (ValueError, TypeError):
        return CageState()


def environment() -> dict[str, str]:
    """Every variable that the child sees: none of ours, but the one without which Windows starts nothing."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    fixed = {"PYTHONHASHSEED": HASH_SEED, "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return {**fixed, **threads, **kept}


class ScorerProcess:
    """One child; `close` ends it.

    Args:
        contract: What it is to import.
        timeout: Seconds that each answer within `within_time` may take, above 0: how long many of them take
            together says more of the machine than of the contract.
        memory: Bytes of address space.
        caged: Whether it goes into what cage there is.
        other_clock: Whether its clocks stand at a moment of their own, another one for each trace.
    """

    def __init__(
        self,
        contract: UserContract,
        *,
        timeout: float,
        memory: int,
        caged: bool = True,
        other_clock: bool = False,
    ) -> None:
        self.contract, self.name = contract, contract.id
        self.timeout, self.late, self.mark = timeout, False, ""
        self._asked = time.monotonic()
        self._timer: threading.Timer
        self.child = _start()
        setup = {
            "modules": dict(contract.modules),
            "main": contract.file.removesuffix(".py"),
            "contract_id": contract.id,
            "memory": memory,
            "seconds": math.ceil(timeout),
            "cage": caged,
            "other_clock": other_clock,
        }
        self._send(setup)

    def enter_cage(self) -> CageState:
        """Wait until the child is in its cage; it has nothing of the contract so far.

        Raises:
            UncagedError: There is none, and the contract is run in one or not at all.
            ScorerCrash: The child ended.
        """
        state = CageState(**self._received()["cage"])
        if self.contract.only_caged and not state.holds:
            raise UncagedError(
                "is code, and was not run: this system has no cage for it",
                where=self.name,
                hint="Linux with Landlock and seccomp has one; --run-contracts runs it without",
            )
        return state

    def load(self) -> None:
        """Send the contract's source; `fixtures` waits until it is imported."""
        self._send({path: data.decode("latin-1") for path, data in self.contract.files.items()})

    def fixtures(self) -> list[tuple[Any, float | None]]:
        """(trace, what it must score) of each golden fixture; None is INVALID.

        Raises:
            ContractError: It cannot be imported as its closure stands, or has no sound fixtures.
            ScorerCrash: The child ended.
        """
        reply = self._received()
        rows = reply.get("fixtures") if isinstance(reply, dict) else None
        if not isinstance(rows, list) or not rows or not all(_is_fixture(row) for row in rows):
            raise ContractError(OPEN_CHANNEL, where=self.name)
        return [(trace, expected) for trace, expected in rows]

    def ask(self, *trace: bytes) -> None:
        """Send one trace as JSON, or none to be told what was loaded; `answer` waits for the reply."""
        self.mark, self._asked = secrets.token_hex(8), time.monotonic()
        self._write(b"[" + b",".join((b'"%s"' % self.mark.encode(), *trace)) + b"]\n")

    def answer(self) -> list[Any]:
        """What the child says to what it was asked last, whatever that is.

        Raises:
            ContractError: It says something else first, or that the contract broke its promise.
            ScorerCrash: The child ended.
        """
        reply = self._received()
        self._asked = math.inf  # nothing is asked: it may wait for as long as the other one takes
        if not isinstance(reply, list) or not reply or reply[0] != self.mark:
            raise ContractError(EXTRA, where=self.name)
        return reply[1:]

    @contextmanager
    def within_time(self) -> Iterator[None]:
        """End the child if an answer takes longer than it may."""
        self._asked = time.monotonic()
        over = threading.Event()
        self._watch(self.timeout, over)
        try:
            yield
        finally:
            over.set()
            self._timer.cancel()

    def close(self) -> None:
        """End the child and whatever it started; may be called twice."""
        if self.child.returncode is None:
            _kill(self.child)
            self.child.wait()
        for pipe in (self.child.stdin, self.child.stdout):
            with suppress(OSError):  # what was still to be written has no reader left
                if pipe is not None:
                    pipe.close()

    def _send(self, request: Any) -> None:
        self._write(json.dumps(request).encode() + b"\n")

    def _write(self, line: bytes) -> None:
        pipe = self.child.stdin
        if pipe is None or pipe.closed:
            raise ScorerCrash("its process has ended", where=self.name)
        with suppress(BrokenPipeError):  # it ended: what is received says how
            pipe.write(line)
            pipe.flush()

    def _received(self) -> Any:
        pipe = self.child.stdout
        if pipe is None or pipe.closed:
            raise ScorerCrash("its process has ended", where=self.name)
        line = pipe.readline(LONGEST_REPLY)
        if not line.endswith(b"\n"):
            raise (
                ContractError(OPEN_CHANNEL, where=self.name) if len(line) >= LONGEST_REPLY else self._ended()
            )
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            raise ContractError(EXTRA, where=self.name) from None
        if isinstance(reply, dict) and isinstance(told := reply.get("broken"), str):
            raise ContractError(told[: 4 * scorer_child.LONGEST_MESSAGE], where=self.name)
        if isinstance(reply, dict) and isinstance(told := reply.get("crashed"), str):
            raise ScorerCrash(told[: 4 * scorer_child.LONGEST_MESSAGE], where=self.name)
        return reply

    def _watch(self, seconds: float, over: threading.Event) -> None:
        """Look after the child some seconds from now, unless it is over by then."""
        self._timer = threading.Timer(seconds, self._end_late, (over,))
        self._timer.daemon = True
        self._timer.start()

    def _end_late(self, over: threading.Event) -> None:
        left = self._asked + self.timeout - time.monotonic()
        if over.is_set():
            return
        if left > 0:
            self._watch(min(left, self.timeout), over)
            return
        self.late = True
        _kill(self.child)

    def _ended(self) -> ContractError:
        """Why the child gave no reply; it is gone afterwards."""
        try:
            status = self.child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            _kill(self.child)
            self.child.wait()
            return ScorerCrash("closed the channel that its scores go through", where=self.name)
        _kill(self.child)  # what it may have started
        if self.late or (status < 0 and -status in {signal.SIGXCPU, signal.SIGALRM}):
            return ScorerCrash(f"took longer than {self.timeout:g} s", where=self.name)
        if status == -getattr(signal, "SIGSYS", 0):
            return ContractError(
                "was ended by its cage: it asked the system for what no scorer needs (a process, a socket, a"
                " file of its own)",
                where=self.name,
            )
        if status < 0:
            return ScorerCrash(f"its process was ended by {signal.Signals(-status).name}", where=self.name)
        return ScorerCrash(f"its process ended by itself, with status {status}", where=self.name)


def _is_fixture(row: Any) -> bool:
    """[trace, expected]: a float in range, or None."""
    if not isinstance(row, list) or len(row) != 2:
        return False
    expected = row[1]
    return expected is None or (isinstance(expected, float) and abs(expected) <= scorer_child.LARGEST)


def _start() -> subprocess.Popen[bytes]:
    contracts = Path(__file__).parent
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-B", "-c", START, str(contracts.parent), str(contracts)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=os.sep,
        env=environment(),
        start_new_session=True,  # so that it ends with everything it started
    )


def _kill(child: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        child.kill()
        return
    with suppress(ProcessLookupError):  # all of them are gone
        os.killpg(child.pid, signal.SIGKILL)
