"""Puts this process into the cage that the kernel makes, and says what of it there is.

Does: no new rights, an own view of the file system where that is allowed, Landlock, seccomp, limits. It
lasts until the process ends, and cannot be taken back. Does not: watch Python (`watch` does).
"""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress
from typing import Any

from metrics_core.contracts.cage import landlock, mounts, seccomp

if sys.platform != "win32":
    import resource

PR_SET_SECCOMP, SECCOMP_MODE_FILTER, PR_SET_NO_NEW_PRIVS = 22, 2, 38
OPEN_FILES = 64
STACK = 8 << 20
LONGEST = 3600
"""Seconds of processor time after which a child ends whatever becomes of the process that asks it."""


def enter(folders: list[str]) -> dict[str, Any]:
    """Put this process in.

    Args:
        folders: Where the interpreter's library and installed packages lie: what may be read.

    Returns:
        ``landlock``: the ABI in force, 0 for none; ``seccomp``: whether the filter stands; ``mounts``:
        whether no path but those can be seen. Where Landlock or seccomp is missing there is no cage.
    """
    if not sys.platform.startswith("linux"):
        return none()
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    readable = [*folders, *_shared_libraries()]
    hidden = mounts.hide_all_but(libc, [*readable, os.devnull])
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return {**none(), "mounts": hidden}
    abi = 0
    with suppress(OSError):
        abi = landlock.restrict(libc.syscall, readable)
    return {"landlock": abi, "seccomp": _filter(libc, abi), "mounts": hidden}


def none() -> dict[str, Any]:
    """What `enter` says where there is no cage."""
    return {"landlock": 0, "seccomp": False, "mounts": False}


def limit(memory: int) -> None:
    """No core, no file, no more memory than that; a system that knows no such limit goes without.

    Limits that no scorer reaches are set as well: they would tell whose machine this is.
    """
    if sys.platform == "win32":
        return
    limits = {
        "AS": memory,
        "DATA": memory,
        "RSS": memory,
        "NOFILE": OPEN_FILES,
        "CPU": LONGEST,
        "STACK": STACK,
    }
    nothing = ("CORE", "FSIZE", "NPROC", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO", "RTTIME", "SIGPENDING")
    for name, size in {**limits, **dict.fromkeys(nothing, 0)}.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is None:
            continue
        with suppress(ValueError, OSError):  # a lower limit stands already, or this system has none
            resource.setrlimit(kind, (size, size))


def _filter(libc: Any, abi: int) -> bool:
    import ctypes

    steps = seccomp.program(os.uname().machine if sys.maxsize > 2**32 else "", abi)
    if steps is None:
        return False
    held = ctypes.create_string_buffer(steps, len(steps))
    filled = struct.pack("=HxxxxxxQ", len(steps) // 8, ctypes.addressof(held))  # struct sock_fprog
    return bool(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filled, 0, 0) == 0)


def _shared_libraries() -> list[str]:
    """Where extension modules find what they are linked with: folders of what is mapped, and the usual."""
    found = {"/lib64", "/usr/lib64", "/etc/ld.so.cache"}
    with suppress(OSError), open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        mapped = [line.split(maxsplit=5)[5].strip() for line in maps if line.count("/")]
        found |= {os.path.dirname(path) for path in mapped if ".so" in os.path.basename(path)}
    triplet = getattr(sys.implementation, "_multiarch", "")
    if triplet:
        found |= {f"/lib/{triplet}", f"/usr/lib/{triplet}"}
    return sorted(found - {"", "/"})
