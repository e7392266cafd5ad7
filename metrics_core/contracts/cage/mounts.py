"""A view of the file system in which nothing exists but what may be read, where the kernel allows one.

Landlock refuses to read a file, but not to ask whether there is one and how large it is. In a mount
namespace of its own, with an empty root into which the readable places are bound, there is nothing to ask
about. That takes the right to make one: root's, or a user namespace, which many systems switch off; without,
nothing changes.

Source: ``mount(2)``, ``pivot_root(2)`` (its notes show the call on one folder), ``user_namespaces(7)``.
"""

from __future__ import annotations

import os
from typing import Any

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
MNT_DETACH = 2
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
BASES = ("/tmp", "/var/tmp", "/run", "/mnt", "/srv")  # noqa: S108 - nothing is written into them
"""Folders one of which is covered by the new root until that is the root."""


def hide_all_but(libc: Any, places: list[str]) -> bool:
    """Whether nothing but these places can be seen by this process from now on.

    Args:
        libc: The C library.
        places: Files and folders, absolute; those that do not exist are passed over.
    """
    kept = _outermost(place for place in places if os.path.exists(place))
    base = next((b for b in BASES if os.path.isdir(b) and not any(_within(p, b) for p in kept)), None)
    try:
        if base is None or not _own_namespace(libc):
            return False
        _mount(libc, "none", "/", "", MS_REC | MS_PRIVATE)  # nothing of this is seen outside
        _mount(libc, "none", base, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC)
        for place in kept:
            _bind(libc, place, base + place)
        os.chdir(base)
        _done(libc.syscall(PIVOT_ROOT[os.uname().machine], b".", b"."))
        _done(libc.umount2(b".", MNT_DETACH))
        os.chdir("/")
    except (OSError, KeyError):
        os.chdir("/")
        return False
    return True


def _own_namespace(libc: Any) -> bool:
    if libc.unshare(CLONE_NEWNS) == 0:
        return True
    user, group = os.getuid(), os.getgid()
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as map_of:
            map_of.write(text)
    return True


def _bind(libc: Any, place: str, target: str) -> None:
    if os.path.isdir(place):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_RDONLY, 0o444))
    _mount(libc, place, target, "", MS_BIND | MS_REC)


def _mount(libc: Any, source: str, target: str, kind: str, flags: int) -> None:
    _done(libc.mount(os.fsencode(source), os.fsencode(target), kind.encode() or None, flags, None))


def _done(result: int) -> None:
    if result != 0:
        raise OSError("the kernel mounts nothing for this process")


def _outermost(places: Any) -> list[str]:
    found: list[str] = []
    for place in sorted(set(places)):
        if not any(_within(place, other) for other in found):
            found.append(place)
    return found


def _within(place: str, folder: str) -> bool:
    return f"{place}/".startswith(f"{folder.rstrip('/')}/")
