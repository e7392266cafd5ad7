"""Contracts that should not be scored: none is, none has an effect, with the second line and without it."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from metrics_core.contracts.scorer import Score, Scorer
from metrics_core.contracts.user_contract import load_contract
from metrics_core.errors import ContractError
from tests.support.by_day import by_day, one_in
from tests.support.written_contracts import write_contract

FOLDER = Path(__file__).with_name("hostile_contracts")
TRACES = [{"go": n} for n in range(1, 7)]
ONE_IN = 6
"""Of so many contracts one is tried by day, and of twice as many one without the second line."""

FIXTURES = 'globals().get("OWN_FIXTURES", [({}, 1.0)])'

DISARM = """
import gc
for o in gc.get_objects():
    if type(o).__name__ == "Watch":
        type(o)._problem = lambda *a: None
        type(o).allows = lambda *a: True
"""
"""Takes the second line out, as whoever wants to can: then the kernel stands alone."""

KERNEL = frozenset({"files", "network", "processes", "system_calls"})
"""What the kernel itself keeps from having an effect. That a score depends on nothing else is found by the
second pass, and by the second line."""


class Hostile(Struct, frozen=True):
    """One block: what is done, and what must come of it."""

    kind: str
    name: str
    expected: str
    top: str
    body: str


def hostile() -> Iterator[Hostile]:
    for file in sorted(FOLDER.glob("*.txt")):
        for block in file.read_text().split("\n---\n"):
            head, _, code = block.strip("\n").partition("\n")
            name, _, expected = head.rpartition(": ")
            top = code.removeprefix("top:\n") if code.startswith("top:\n") else ""
            yield Hostile(file.stem, name, expected, top, "return 1.0" if top else code)


ALL = tuple(hostile())


@pytest.fixture(scope="module")
def ports() -> Iterator[tuple[socket.socket, socket.socket]]:
    """What listens: for streams and for datagrams, on one port."""
    with (
        socket.create_server(("127.0.0.1", 0)) as stream,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagram,
    ):
        datagram.bind(stream.getsockname())
        stream.setblocking(False)
        datagram.setblocking(False)
        yield stream, datagram


def looked_at(folder: Path) -> list[tuple[str, int, int, int, bytes]]:
    """Everything that could be seen to have changed in a folder."""
    found = []
    for path in sorted([folder, *folder.rglob("*")]):
        stat = path.lstat()
        data = path.read_bytes() if path.is_file() else b""
        found.append((path.name, stat.st_mode, stat.st_mtime_ns, stat.st_uid, data))
    return found


def children() -> set[str]:
    """Processes of ours, and what they left behind."""
    mine = str(os.getpid())
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, parent, *_ = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if parent == mine:
            found.add(stat.parent.name)
    return found


def tried(case: Hostile, tmp_path: Path, ports: tuple[socket.socket, socket.socket], top: str = "") -> object:
    """Its scores, or the error that it ended with; nothing outside has changed."""
    bait = tmp_path / "bait"
    (tmp_path / "own").mkdir()
    bait.mkdir()
    (bait / "bait").write_bytes(b"bait")
    before, running = looked_at(bait), children()
    spelled = {"FOLDER": str(bait), "PORT": str(ports[0].getsockname()[1])}
    body, head = (re.sub("FOLDER|PORT", lambda m: spelled[m[0]], text) for text in (case.body, case.top))
    file = write_contract(tmp_path / "own", body, top=top + head, fixtures=FIXTURES)
    result: object
    try:
        with Scorer(load_contract(file), timeout=3 if "while True" in body else 30, memory=1 << 30) as scorer:
            result = scorer.score(TRACES)
    except ContractError as error:
        result = error
    assert looked_at(bait) == before
    assert children() == running
    for port in ports:
        with pytest.raises(BlockingIOError):
            port.recv(1) if port.type == socket.SOCK_DGRAM else port.accept()
    return result


def test_there_are_enough_of_them_and_each_is_another() -> None:
    assert len(ALL) >= 180
    assert len({case.name for case in ALL}) == len(ALL)
    assert {re.sub(r" -?[\d.]+$", " X", case.expected) for case in ALL} == {"refused", "invalid", "same X"}


@one_in(3)
@pytest.mark.parametrize("case", [c for c in ALL if by_day(c.name, ONE_IN)], ids=lambda c: c.name)
def test_none_is_scored_that_should_not_be(
    case: Hostile, tmp_path: Path, ports: tuple[socket.socket, socket.socket], cage: str
) -> None:
    result = tried(case, tmp_path, ports)
    if case.expected == "refused":
        assert isinstance(result, ContractError), result
    elif case.expected == "invalid":
        assert isinstance(result, list), result
        assert {score.value for score in result} == {None}
    else:
        assert result == [Score(float(case.expected.removeprefix("same ")))] * len(TRACES), case.expected


@one_in(3)
@pytest.mark.parametrize(
    "case",
    [c for c in ALL if c.kind in KERNEL and by_day(f"bare {c.name}", 2 * ONE_IN)],
    ids=lambda c: c.name,
)
def test_the_kernel_alone_lets_nothing_out(
    case: Hostile, tmp_path: Path, ports: tuple[socket.socket, socket.socket], cage: str
) -> None:
    result = tried(case, tmp_path, ports, top=DISARM)
    if isinstance(result, list):  # a refusal that the contract swallowed: no more than a number came of it
        assert len(result) == len(TRACES)
        assert {type(score) for score in result} == {Score}
