"""The fence around a user's contract: what it may not do, how it ends, and that nothing is left of it."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from metrics_core.contracts.scorer import Score, Scorer, ScorerCrash
from metrics_core.contracts.user_contract import load_contract
from metrics_core.errors import ContractError
from tests.support.by_day import by_day, one_in
from tests.support.written_contracts import GO, Write, score, write_contract


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return partial(write_contract, tmp_path)


def running(group: int) -> bool:
    """Whether a process of the group still runs; one that nobody has waited for does not."""
    if not Path("/proc/self/stat").exists():
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(pgrp) == group and state != "Z":
            return True
    return False


def are_gone(groups: list[int]) -> bool:
    """Neither a child nor what it started is left, or will be in a moment."""
    until = time.monotonic() + 10
    while any(map(running, groups)) and time.monotonic() < until:
        time.sleep(0.01)
    return not any(map(running, groups))


def groups_of(scorer: Scorer) -> list[int]:
    return [process.child.pid for process in scorer._both]


# ---------------------------------------------------------------------------------- what breaks the promise

HOSTILE = {
    "reads a file": (
        "open('/etc/passwd').read()",
        "reads /etc/passwd, which is not part of its source closure",
    ),
    "reads with os.open": ("import os; os.open('/etc/passwd', 0)", "reads /etc/passwd"),
    "reads a table beside it": (
        "from pathlib import Path; Path(__file__).with_name('table.json').read_text()",
        "reads table.json, which is not part of its source closure",
    ),
    "lists a folder": ("import os; os.listdir('/')", "lists the folder /"),
    "writes a file": ("open('scratch', 'w')", r"writes .*scratch: a scorer reads its trace and nothing else"),
    "writes where it lies": ("open(__file__, 'a')", r"writes metric.py"),
    "makes a temporary file": (
        "import tempfile; tempfile.mkdtemp()",
        r"(lists the folder|writes|changes files)",
    ),
    "removes a file": ("import os; os.remove(__file__)", "changes files"),
    "opens a socket": ("import socket; socket.socket()", "uses a socket"),
    "asks for a name": ("import socket; socket.getaddrinfo('localhost', 80)", "uses a socket"),
    "starts a process": ("import subprocess; subprocess.run(['true'])", "starts or ends a process"),
    "starts a shell": ("import os; os.system('true')", "starts or ends a process"),
    "forks until the end": ("import os\nwhile True: os.fork()", "starts or ends a process"),
    "ends its parent": ("import os; os.kill(os.getppid(), 9)", "starts or ends a process"),
    "brings one of ours": (
        "import os, sys\nm = sys.modules['metrics_core'] = type(sys)('m')\nm.__file__ = os.__file__",
        "loads the module metrics_core from outside",
    ),
    "loads a library": ("import ctypes; ctypes.CDLL('./x.so')", "reads .*x.so"),
    "plants a module": (
        "import sys, types; m = sys.modules['planted'] = types.ModuleType('planted')\nm.__file__ = __file__",
        "modules that ran are not its source closure: planted",
    ),
    "calls the C library": (
        "import ctypes; ctypes.CDLL(None).system(b'true')",
        "calls system of a compiled library",
    ),
    "breaks the channel": (
        "import json; json.dumps = lambda *a, **k: '{}'",
        "writes where only its scorer writes",
    ),
    "scores beyond any scale": ("return -1e13", r"returned an infinity, or a number beyond 1e\+12"),
    "writes to the channel": (
        "import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'[1.0]\\n')\n    except OSError: pass",
        "writes where only its scorer writes",
    ),
}


@one_in(4)
@pytest.mark.parametrize(
    ("name", "swallowed"),
    [
        (name, swallowed)
        for name in HOSTILE
        for swallowed in (False, True)
        if not swallowed or by_day(name, 2)
    ],
)
def test_a_scorer_reads_its_trace_and_nothing_else(write: Write, name: str, swallowed: bool) -> None:
    act, problem = HOSTILE[name]
    if swallowed:
        act = "try:\n" + "".join(f"    {line}\n" for line in act.split("\n")) + "except Exception:\n    pass"
    with pytest.raises(ContractError, match=problem) as raised:
        score(write(f"{act}\nreturn 1.0"))
    assert not isinstance(raised.value, ScorerCrash)


@pytest.mark.parametrize(
    ("top", "problem"),
    [
        ("open('/etc/passwd')", "reads /etc/passwd"),
        ("raise ValueError('no')", "cannot be imported: ValueError: no"),
        (
            "import no_such_module",
            "cannot be imported: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("raise SystemExit(0)", "cannot be imported: SystemExit: 0"),
        ("globals()['CONTRACT_ID'] = 't/v9-y'", "CONTRACT_ID is another when it runs"),
        ("import helper", "helper.py: not valid|cannot be imported: ZeroDivisionError"),
    ],
)
def test_a_contract_that_cannot_be_loaded_is_an_error(write: Write, top: str, problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        score(write("return 1.0", top=top, helper="1 / 0\n"))


# ---------------------------------------------------------------------------------- what ends it

ENDINGS = {
    "loops": ("while True: pass", r"took longer than 1 s"),
    "sleeps": ("import time; time.sleep(99)", r"took longer than 1 s"),
    "leaves": ("import sys; sys.exit(3)", r"left its process with SystemExit: 3"),
    "leaves at once": ("import os; os._exit(3)", r"ended by itself, with status 3"),
    "breaks": ("import ctypes; ctypes.string_at(0)", r"ended by SIGSEGV"),
    "takes all memory": ("return float(len([0] * 10**10))", r"ran out of memory"),
    "closes the channel": (
        "import os; os.closerange(3, 20)\nwhile True: pass",
        r"closed the channel|took longer",
    ),
}


@one_in(3)
@pytest.mark.parametrize("name", ENDINGS)
def test_a_scorer_that_ends_fails_as_a_crash_and_leaves_nothing(write: Write, name: str) -> None:
    act, problem = ENDINGS[name]
    with (
        Scorer(load_contract(write(act)), timeout=1, memory=1 << 29) as scorer,
        pytest.raises(ScorerCrash, match=problem),
    ):
        scorer.score(GO)
    assert are_gone(groups_of(scorer))
    with pytest.raises(ScorerCrash, match="its process has ended"):
        scorer.score(GO)


def test_a_contract_that_hangs_while_it_is_loaded_crashes(write: Write) -> None:
    with pytest.raises(ScorerCrash, match=r"took longer than 0\.5 s"):
        score(write("return 1.0", top="while True: pass"), timeout=0.5)


def test_endless_recursion_is_the_traces_own_fault(write: Write) -> None:
    (result,) = score(write("return score_trace(trace)"))
    assert result.invalid == "RecursionError: maximum recursion depth exceeded"


def test_nothing_is_left_when_the_caller_is_killed(write: Write, repo: Path) -> None:
    program = (
        "import sys, time\nfrom metrics_core.contracts.scorer import Scorer\n"
        "from metrics_core.contracts.user_contract import load_contract\n"
        "s = Scorer(load_contract(sys.argv[1]))\n"
        "print(*[p.child.pid for p in s._both], flush=True)\ntime.sleep(99)"
    )
    caller = subprocess.Popen(
        [sys.executable, "-c", program, write("return 1.0")], stdout=subprocess.PIPE, cwd=repo
    )
    assert caller.stdout is not None
    groups = [int(pid) for pid in caller.stdout.readline().split()]
    caller.kill()
    caller.wait()
    caller.stdout.close()
    assert are_gone(groups)


# ---------------------------------------------------------------------------------- what is harmless


def test_what_a_contract_prints_goes_nowhere(write: Write, capfd: pytest.CaptureFixture[str]) -> None:
    act = (
        "import os, sys\nprint('{}' * 9999)\nsys.__stdout__.write('[]\\n')\nsys.__stdout__.flush()\n"
        "os.write(1, b'{}\\n')\nos.write(2, b'{}\\n')\nsys.stderr.write('x')\n"
        "return float(sys.stdin.read() == '')"
    )
    assert score(write(act, top="print('loaded')")) == [Score(1.0)]
    assert capfd.readouterr() == ("", "")


def test_the_environment_is_ours_and_always_the_same(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METRIC_SECRET", "1")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    act = (
        "import os\nif trace.get('set'): return float(hash('a') % 1000003)\n"
        "return float(len({'HOME', 'METRIC_SECRET', 'PYTHONPATH', 'USER'} & set(os.environ)))"
    )
    rows: list[dict[str, Any]] = [{"go": 1}, {"set": 1}]
    first, second = score(write(act), rows), score(write(act), rows)
    assert first[0] == Score(0.0)
    expected = subprocess.run(
        [sys.executable, "-c", "print(hash('a') % 1000003)"],
        check=True,
        capture_output=True,
        env={"PYTHONHASHSEED": "0"},
    ).stdout
    assert first[1] == second[1] == Score(float(expected))


def test_files_of_the_closure_are_imported_and_nothing_else(write: Write) -> None:
    file = write("return helper.VALUE", top="import helper", helper="VALUE = 0.25\n", other="VALUE = 1\n")
    assert score(file) == [Score(0.25)]
    dynamic = write("import importlib\nreturn importlib.import_module('other').VALUE", other="VALUE = 1\n")
    assert score(dynamic) == [Score(None, "ModuleNotFoundError: No module named 'other'")]


def test_a_module_imported_late_is_loaded_early(write: Write) -> None:
    file = write("import helper\nreturn helper.VALUE", helper="VALUE = 0.5\nprint(__file__)\n")
    assert score(file) == [Score(0.5)]


def test_a_forged_cache_is_never_looked_at(write: Write, tmp_path: Path) -> None:
    file = write("return 0.25")
    forged = tmp_path / "forged.py"
    forged.write_text(file.read_text().replace("0.25", "0.75"))
    cache = tmp_path / "__pycache__" / f"metric.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(
        str(forged), str(cache), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    program = "import metric; print(metric.score_trace({'go': 1}))"
    fooled = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert fooled.stdout == "0.75\n"
    assert score(file) == [Score(0.25)]


def test_installed_packages_may_be_used_and_are_told(write: Write) -> None:
    import numpy as np

    with Scorer(load_contract(write("return float(numpy.mean([0.0, 1.0]))", top="import numpy"))) as scorer:
        assert scorer.score(GO) == [Score(0.5)]
        assert scorer.packages == {"numpy": np.__version__}


def test_each_trace_has_its_time_however_many_there_are(write: Write) -> None:
    slow = load_contract(write("import time; time.sleep(0.4); return 1.0"))
    with Scorer(slow, timeout=1.5, memory=1 << 29) as scorer:
        assert [score.value for score in scorer.score(GO * 5)] == [1.0] * 5  # 2 s and more in all


def test_it_may_stand_idle_for_longer_than_an_answer_may_take(write: Write) -> None:
    with Scorer(load_contract(write("return 1.0")), timeout=0.9, memory=1 << 29) as scorer:
        for _ in range(2):
            time.sleep(3.2)  # its own alarm is two seconds and more after the time of an answer
            assert scorer.score(GO) == [Score(1.0)]
