"""Landlock: the kernel refuses every file that is not below the places named, to this process for good.

Needs no rights, and Linux 5.13. Handled is every right that the kernel's ABI knows; granted are reading and
listing, nowhere writing or executing (but for the null device, which takes whatever is written).

Source: Linux, ``Documentation/userspace-api/landlock.rst`` and ``include/uapi/linux/landlock.h``.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable

Call = Callable[..., int]
"""``syscall(number, ...)`` of the C library: what the kernel gives, -1 where it refuses."""

CREATE, ADD_RULE, RESTRICT = 444, 445, 446  # the same on every machine type
VERSION = 1  # flag of CREATE: which ABI there is
PATH_BENEATH = 1

WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
"""Every right over files, by the ABI that knows it: 5 is the last that added one."""
TCP = (1 << 2) - 1  # bind, connect; from ABI 4
SCOPES = (1 << 2) - 1  # abstract Unix sockets, signals; from ABI 6


def abi(call: Call) -> int:
    """The kernel's ABI; 0 where it has no Landlock, or was started without."""
    return max(0, call(CREATE, None, 0, VERSION))


def restrict(call: Call, readable: Iterable[str], null: str = os.devnull) -> int:
    """Refuse this process everything but reading below some places.

    Args:
        call: ``syscall`` of the C library.
        readable: Files and folders; those that do not exist are passed over.
        null: The null device, which may be written, too.

    Returns:
        The ABI that is in force; 0 where nothing is refused.

    Raises:
        OSError: The kernel has Landlock, and would not take the rules.
    """
    found = abi(call)
    if not found:
        return 0
    handled = struct.pack("=Q", FILE_RIGHTS[min(found, 5)])
    handled += struct.pack("=Q", TCP) if found >= 4 else b""
    handled += struct.pack("=Q", SCOPES) if found >= 6 else b""
    ruleset = _granted(call(CREATE, handled, len(handled), 0))
    try:
        for place in readable:
            _allow(call, ruleset, place, READ_FILE | (READ_DIR if os.path.isdir(place) else 0))
        _allow(call, ruleset, null, READ_FILE | WRITE_FILE | (TRUNCATE if found >= 3 else 0))
        _granted(call(RESTRICT, ruleset, 0))
    finally:
        os.close(ruleset)
    return found


def _allow(call: Call, ruleset: int, place: str, rights: int) -> None:
    try:
        at = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        _granted(call(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, at), 0))
    finally:
        os.close(at)


def _granted(result: int) -> int:
    if result < 0:
        raise OSError("Landlock took no rule")
    return result
