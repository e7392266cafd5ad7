"""The list of system calls as the kernel would run it, for both machine types, whatever machine this is."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from metrics_core.contracts.cage import seccomp

EPERM, ENOSYS = seccomp.ERRNO | seccomp.EPERM, seccomp.ERRNO | seccomp.ENOSYS
HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), r"__NR_(\w+)"),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"), r"__NR(?:3264)?_(\w+)"),
}
SPELLED = {"fstatat": "newfstatat"}
"""Names that the generic header has for two word sizes at once."""


def answer(
    machine: str, number: int, *arguments: int, called_as: str | None = None, landlock: int = 7
) -> int:
    """What the filter returns, by a reading of the four operations that it uses."""
    program = seccomp.program(machine, landlock)
    assert program is not None
    steps = list(struct.iter_unpack("=HBBI", program))
    data = struct.pack(
        "=IIQ6Q", number, seccomp.ARCHITECTURES[called_as or machine], 0, *(*arguments, *[0] * 6)[:6]
    )
    held = at = 0
    while True:
        operation, yes, no, value = steps[at]
        at += 1
        if operation == seccomp.RETURN:
            return value
        if operation == seccomp.LOAD:
            (held,) = struct.unpack_from("=I", data, value)
        else:
            holds = held == value if operation == seccomp.IF_EQUAL else bool(held & value)
            at += yes if holds else no


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_every_call_of_the_lists_gets_its_answer_and_all_others_are_refused(machine: str) -> None:
    allowed = seccomp.table(machine, seccomp.ALLOWED)
    fatal = seccomp.table(machine, seccomp.FATAL)
    assert {answer(machine, number) for number in allowed.values()} == {seccomp.ALLOW}
    assert {answer(machine, number) for number in fatal.values()} == {seccomp.KILL}
    place = list(seccomp.ARCHITECTURES).index(machine)
    asked = (seccomp.FCNTL, seccomp.IOCTL, seccomp.PRLIMIT, seccomp.CLONE, seccomp.CLONE3)
    opened = [numbers for numbers, _ in seccomp.OPEN.values()]
    rest = {numbers[place] for numbers in (*asked, *opened)} | {*allowed.values(), *fatal.values()}
    assert {answer(machine, number) for number in {*range(700)} - rest} == {EPERM}
    assert answer(machine, 0x40000000) == EPERM  # numbers of the x32 kind


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_calls_of_another_machine_type_end_the_process(machine: str) -> None:
    (other,) = set(seccomp.ARCHITECTURES) - {machine}
    assert answer(machine, 0, called_as=other) == seccomp.KILL


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_what_a_call_is_asked_for_decides(machine: str) -> None:
    place = list(seccomp.ARCHITECTURES).index(machine)
    openat, fcntl, ioctl = seccomp.OPEN["openat"][0][place], seccomp.FCNTL[place], seccomp.IOCTL[place]
    prlimit, clone, clone3 = seccomp.PRLIMIT[place], seccomp.CLONE[place], seccomp.CLONE3[place]
    assert None not in (openat, fcntl, ioctl, prlimit, clone, clone3)
    read, made, cut, written, unread = 0o2000000, 0o100, 0o1000, 1, 0o10000000
    for abi, refused in ((7, {unread}), (3, {unread}), (2, {unread, cut}), (0, {unread, cut, made, written})):
        for flags in (read, made, cut, written, unread):
            expected = EPERM if flags in refused else seccomp.ALLOW
            assert answer(machine, openat or 0, 0, 0, flags, landlock=abi) == expected
    assert [answer(machine, fcntl or 0, 3, command) for command in (1, 8, 10, 1024)] == [
        seccomp.ALLOW, EPERM, EPERM, EPERM,
    ]  # fmt: skip
    assert [answer(machine, ioctl or 0, 3, what) for what in (0x5401, 0x5412)] == [seccomp.ALLOW, EPERM]
    assert answer(machine, prlimit or 0, 0, 7, 0, 1) == seccomp.ALLOW
    for other in ((1, 7, 0, 1), (0, 7, 4096, 0), (0, 7, 1 << 40, 0)):
        assert answer(machine, prlimit or 0, *other) == EPERM
    assert answer(machine, clone or 0, 0x3D0F00) == EPERM  # a thread
    assert answer(machine, clone or 0, 0x1200011) == seccomp.KILL  # a process
    assert answer(machine, clone3 or 0) == ENOSYS


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_the_numbers_are_the_kernels(machine: str) -> None:
    header, pattern = HEADERS[machine]
    if not header.is_file():
        pytest.skip(f"the kernel's header for {machine} is not installed")
    found = re.findall(rf"#define {pattern}\s+(\d+)\s", header.read_text())
    known = {SPELLED.get(name, name): int(number) for name, number in found}
    place = list(seccomp.ARCHITECTURES).index(machine)
    ours = seccomp.table(machine, {**seccomp.ALLOWED, **seccomp.FATAL}) | {
        "openat": seccomp.OPEN["openat"][0][place], "fcntl": seccomp.FCNTL[place],
        "ioctl": seccomp.IOCTL[place], "prlimit64": seccomp.PRLIMIT[place],
        "clone": seccomp.CLONE[place], "clone3": seccomp.CLONE3[place],
    }  # fmt: skip
    newer = {"fchmodat2"}  # than some headers
    assert {n: ours[n] for n in ours if n not in newer} == {n: known.get(n) for n in ours if n not in newer}


def test_a_machine_type_without_a_list_has_no_filter() -> None:
    assert seccomp.program("riscv64", 7) is None
