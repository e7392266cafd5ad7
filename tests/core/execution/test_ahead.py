"""What copies of a process make ahead is what it would make: also where one is killed, or meets an error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from metrics_core.errors import InputError
from metrics_core.execution import Ahead, ahead

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux alone")
HERE = os.getpid()


@pytest.fixture(autouse=True)
def _copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests loaded what a copy must not have; what is made here needs none of it."""
    monkeypatch.setattr(ahead, "UNSAFE", ())


def items(at: int) -> Iterator[tuple[int, int, bool]]:
    """Of each task as many items as its number, each with whether a copy made it."""
    for number in range(at):
        yield at, number, os.getpid() != HERE


def test_copies_make_every_item_and_it_comes_in_order() -> None:
    with Ahead(items, 9, workers=3) as made:
        assert [list(made.items(at)) for at in range(9)] == [
            [(at, n, True) for n in range(at)] for at in range(9)
        ]
    with Ahead(items, 9, workers=1) as made:
        assert list(made.items(4)) == [(4, n, False) for n in range(4)]


def test_what_was_passed_over_is_made_here() -> None:
    with Ahead(items, 5, workers=2) as made:
        assert list(made.items(4)) == [(4, n, True) for n in range(4)]
        assert list(made.items(2)) == [(2, n, False) for n in range(2)]


@pytest.mark.parametrize("how", ["killed", "ended"])
def test_what_a_lost_copy_did_not_make_is_made_here(how: str) -> None:
    def lost(at: int) -> Iterator[int]:
        for number in range(400):
            if os.getpid() != HERE and (at, number) == (2, 300):
                os.kill(os.getpid(), signal.SIGKILL) if how == "killed" else os._exit(3)
            yield number

    with Ahead(lost, 6, workers=2) as made:
        assert [list(made.items(at)) for at in range(6)] == [list(range(400))] * 6


def test_an_error_of_a_copy_is_raised_here_behind_what_came_before_it() -> None:
    def broken(at: int) -> Iterator[int]:
        yield from range(3)
        if at == 1:
            raise InputError("no line 2", where="a.jsonl")

    given = []
    with Ahead(broken, 3, workers=2) as made:
        assert list(made.items(0)) == [0, 1, 2]
        with pytest.raises(InputError, match=r"a\.jsonl: no line 2"):
            given.extend(made.items(1))
        assert list(made.items(2)) == [0, 1, 2]


def test_nothing_is_copied_where_something_runs_that_a_copy_would_lack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ahead, "UNSAFE", ("sys",))
    with Ahead(items, 4, workers=2) as made:
        assert list(made.items(3)) == [(3, n, False) for n in range(3)]


def test_a_copy_is_never_far_ahead_and_ends_with_who_asked(tmp_path: Path) -> None:
    program = (
        "import os, sys, time\n"
        "from metrics_core.execution import Ahead\n"
        "def make(at):\n"
        "    for number in range(10**6):\n"
        "        with open(sys.argv[1], 'a') as told:\n"
        "            told.write(f'{os.getpid()} {number}\\n')\n"
        "        yield bytes(100_000)\n"
        "with Ahead(make, 2, workers=2) as made:\n"
        "    next(made.items(0))\n"
        "    print('begun', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "at")], stdout=subprocess.PIPE, text=True
    ) as asked:
        assert asked.stdout is not None
        assert asked.stdout.readline() == "begun\n"
        time.sleep(0.3)
        made = [line.split() for line in (tmp_path / "at").read_text("utf-8").splitlines()]
        copy, furthest = int(made[0][0]), max(int(number) for _, number in made)
        assert furthest <= ahead.WAITING + 4
        asked.kill()
    ends = time.monotonic() + 10
    while Path(f"/proc/{copy}").exists() and time.monotonic() < ends:
        time.sleep(0.02)
    assert not Path(f"/proc/{copy}").exists()
