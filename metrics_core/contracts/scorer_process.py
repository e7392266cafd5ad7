"""Starts, asks and ends the child process in which a user's contract runs (`scorer_child`).

The contract's source closure is copied into a fresh folder of its own, which the child imports it from.
This module knows requests and replies as JSON, and nothing of scores; `metrics_core.contracts.scorer` does.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metrics_core.contracts import scorer_child
from metrics_core.errors import ContractError

if TYPE_CHECKING:
    from metrics_core.contracts.contract import UserContract

HASH_SEED = "0"
"""``PYTHONHASHSEED`` of the child: the order of a set is the same in every run."""

REPLIES = {"fixtures", "forwards", "broken", "crashed"}
"""Each reply holds one of these."""


class ScorerCrash(ContractError):
    """The scorer's process died, hung or ran out of memory: it fails the family, not the build."""


def environment() -> dict[str, str]:
    """Every variable that the child sees: none of ours, but the one without which Windows starts nothing."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    fixed = {"PYTHONHASHSEED": HASH_SEED, "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return {**fixed, **threads, **kept}


class ScorerProcess:
    """One child and its folder; `close` ends both.

    Args:
        contract: What to copy and import.
        timeout: Seconds that one request may take, above 0.
        memory: Bytes of address space.
    """

    def __init__(self, contract: UserContract, *, timeout: float, memory: int) -> None:
        self.name, self.timeout, self.late = contract.id, timeout, False
        self.folder = Path(tempfile.mkdtemp(prefix="assay-scorer-"))
        try:
            _write(self.folder, contract.files)
            self.child = _start(self.folder)
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        self.token = secrets.token_hex(8)
        self.setup = {
            "token": self.token,
            "folder": str(self.folder),
            "code": str(self.folder / "code"),
            "modules": dict(contract.modules),
            "main": contract.file.removesuffix(".py"),
            "contract_id": contract.id,
            "memory": memory,
            "seconds": math.ceil(timeout),
        }

    def ask(self, request: bytes) -> dict[str, Any]:
        """Send one request, a line without its end, and wait for the reply.

        Raises:
            ScorerCrash: The child died, took too long or ran out of memory.
        """
        child = self.child
        if child.stdin is None or child.stdout is None or child.stdin.closed:
            raise ScorerCrash("its process has ended", where=self.name)
        timer = threading.Timer(self.timeout, self._end_late)
        timer.start()
        try:
            child.stdin.write(request + b"\n")
            child.stdin.flush()
            line = child.stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            timer.cancel()
        if not line.endswith(b"\n"):
            raise ScorerCrash(self._ending(), where=self.name)
        if not line.startswith(self.token.encode()):
            raise ContractError("writes where only its scorer writes", where=self.name)
        try:
            reply = json.loads(line.removeprefix(self.token.encode()))
        except ValueError:
            reply = None
        if not isinstance(reply, dict) or not set(reply) & REPLIES:
            raise ContractError("breaks the channel that its scores go through", where=self.name)
        if "crashed" in reply:
            raise ScorerCrash(str(reply["crashed"]), where=self.name)
        return reply

    def close(self) -> None:
        """End the child and whatever it started, and remove its folder; may be called twice."""
        if self.child.returncode is None:
            _kill(self.child)
            self.child.wait()
        for pipe in (self.child.stdin, self.child.stdout):
            with suppress(OSError):  # what was still to be written has no reader left
                if pipe is not None:
                    pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end_late(self) -> None:
        self.late = True
        _kill(self.child)

    def _ending(self) -> str:
        """Why the child gave no reply; it is gone afterwards."""
        try:
            status = self.child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            _kill(self.child)
            self.child.wait()
            return "closed the channel that its scores go through"
        _kill(self.child)  # what it may have started
        if self.late or (status < 0 and -status in {signal.SIGXCPU, signal.SIGALRM}):
            return f"took longer than {self.timeout:g} s"
        if status < 0:
            return f"its process was ended by {signal.Signals(-status).name}"
        return f"its process ended by itself, with status {status}"


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name in ("code", "work", "cache"):
        (folder / name).mkdir()
    for path, data in files.items():
        file = folder / "code" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def _start(folder: Path) -> subprocess.Popen[bytes]:
    cache = f"pycache_prefix={folder / 'cache'}"  # empty: a forged byte-code cache is never looked at
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-B", "-X", cache, scorer_child.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder / "work",
        env=environment(),
        start_new_session=True,  # so that it ends with everything it started
    )


def _kill(child: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        child.kill()
        return
    with suppress(ProcessLookupError):  # all of them are gone
        os.killpg(child.pid, signal.SIGKILL)
