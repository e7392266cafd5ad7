"""seccomp: the kernel answers system calls by a list of those that a scorer needs, and no other.

Allowed is what an interpreter needs to compute and to read its library. Whoever makes processes, sockets,
links, devices, signals or mounts is ended on the spot; every other call is refused with EPERM, among them
those that tell the host, the user, the process or the load, on which no score may depend. A call that a
later kernel adds is refused, since it is not in the list.

Source: Linux, ``include/uapi/linux/{seccomp,filter,audit}.h``; numbers from ``unistd_64.h`` (x86-64) and
``asm-generic/unistd.h`` (aarch64).
"""

from __future__ import annotations

import struct

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""Machine type -> how the kernel calls it: a process may make calls of another type, with other numbers."""

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
EPERM, ENOSYS = 1, 38

LOAD, IF_EQUAL, IF_ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; arguments take 8 bytes each

O_WRITING, O_CREAT, O_TRUNC, O_PATH = 0o3, 0o100, 0o1000, 0o10000000  # the same on both machine types
CLONE_THREAD = 0x10000

Numbers = tuple[int | None, int | None]
"""Of a system call, in the order of `ARCHITECTURES`; None where that machine has none of the name."""

ALLOWED: dict[str, Numbers] = {
    # what is open already: the channel, the null device, files of the library
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "lseek": (8, 62), "pread64": (17, 67),
    "readv": (19, 65), "writev": (20, 66), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    # finding and reading files, which Landlock holds to the library
    "stat": (4, None), "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291),
    "getdents64": (217, 61), "getcwd": (79, 17),
    # memory
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216),
    "madvise": (28, 233),
    # its own signals and alarm, locks, sleep, the clock
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132), "getitimer": (36, 102), "alarm": (37, None), "setitimer": (38, 103),
    "restart_syscall": (219, 128), "sched_yield": (24, 124), "futex": (202, 98), "membarrier": (324, 283),
    "set_robust_list": (273, 99), "nanosleep": (35, 101), "clock_nanosleep": (230, 115),
    "gettimeofday": (96, 169), "time": (201, None), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "getrandom": (318, 278), "getrlimit": (97, 163),
    # the end
    "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip

FATAL: dict[str, Numbers] = {
    # processes
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "kcmp": (312, 272),
    # sockets
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200),
    "listen": (50, 201), "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269),
    # files: to make, change or remove one
    "creat": (85, None), "mkdir": (83, None), "mkdirat": (258, 34), "mknod": (133, None),
    "mknodat": (259, 33), "link": (86, None), "linkat": (265, 37), "symlink": (88, None),
    "symlinkat": (266, 36), "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276),
    "unlink": (87, None), "unlinkat": (263, 35), "rmdir": (84, None), "truncate": (76, 45),
    "ftruncate": (77, 46), "fallocate": (285, 47), "chmod": (90, None), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None), "fchown": (93, 55),
    "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # itself: its limits, rights and turn on the processor; memory that is no memory of its own
    "setrlimit": (160, 164), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122), "setuid": (105, 146), "setgid": (106, 144), "setpgid": (109, 154),
    "setsid": (112, 157), "personality": (135, 92), "seccomp": (317, 277), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186),
    "mq_open": (240, 180), "inotify_init": (253, None), "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    # the system: mounts, namespaces, keys, programs in the kernel, its clock and its name
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "mount_setattr": (442, 442), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171),
    "sethostname": (170, 161), "syslog": (103, 116), "reboot": (169, 142), "init_module": (175, 105),
    "kexec_load": (246, 104),
}  # fmt: skip

OPEN: dict[str, tuple[Numbers, int]] = {"open": ((2, None), 1), "openat": ((257, 56), 2)}
"""How a file is opened, and which argument are the flags: never without being read, which Landlock would not
see, and where Landlock does not stand in the way, not to be written, made or cut short."""

SEES_TRUNCATION = 3
"""The first ABI of Landlock that refuses to cut a file short."""

FCNTL, FCNTL_COMMANDS = (72, 25), (0, 1, 2, 3, 1030)
"""Duplicate, and get and set flags: no owner that is sent signals, no lease, no lock."""

IOCTL, IOCTL_REQUESTS = (16, 29), (0x5401, 0x5413, 0x541B, 0x5450, 0x5451)
"""Is it a terminal, its size, how much is there, close on exec: nothing that sets anything else."""

PRLIMIT = (302, 261)
CLONE, CLONE3 = (56, 220), (435, 435)

Step = tuple[int, int, int, int]
"""Operation, how many steps to pass over if it holds, and if not, and its value."""


def table(machine: str, names: dict[str, Numbers]) -> dict[str, int]:
    """Name -> number on one machine type, without those that it has not.

    >>> table("aarch64", {"stat": (4, None), "fstat": (5, 80)})
    {'fstat': 80}
    """
    place = list(ARCHITECTURES).index(machine)
    return {name: number for name, numbers in names.items() if (number := numbers[place]) is not None}


def program(machine: str, landlock: int) -> bytes | None:
    """The filter for a machine type, as the kernel takes it; None for a type that has no list here.

    Args:
        machine: As ``os.uname`` gives it.
        landlock: The ABI of Landlock that is in force; 0 for none.
    """
    if machine not in ARCHITECTURES:
        return None
    place = list(ARCHITECTURES).index(machine)
    refused = O_PATH | (0 if landlock >= SEES_TRUNCATION else O_TRUNC)
    refused |= 0 if landlock else O_WRITING | O_CREAT
    steps: list[Step] = [
        (LOAD, 0, 0, MACHINE),
        (IF_EQUAL, 1, 0, ARCHITECTURES[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
    ]
    for number in table(machine, ALLOWED).values():
        steps += _on(number, [(RETURN, 0, 0, ALLOW)])
    for numbers, argument in OPEN.values():
        steps += _on(numbers[place], _without_bits(argument, refused))
    steps += _on(FCNTL[place], _one_of(1, FCNTL_COMMANDS))
    steps += _on(IOCTL[place], _one_of(1, IOCTL_REQUESTS))
    steps += _on(PRLIMIT[place], _told_of_itself())
    steps += _on(CLONE3[place], [(RETURN, 0, 0, ERRNO | ENOSYS)])  # the C library then tries clone
    steps += _on(CLONE[place], _thread_or_process())
    for number in table(machine, FATAL).values():
        steps += _on(number, [(RETURN, 0, 0, KILL)])
    steps.append((RETURN, 0, 0, ERRNO | EPERM))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _on(number: int | None, then: list[Step]) -> list[Step]:
    """What is done at one system call; every path through it returns."""
    return [] if number is None else [(IF_EQUAL, 0, len(then), number), *then]


def _one_of(argument: int, values: tuple[int, ...]) -> list[Step]:
    allowed = [step for value in values for step in ((IF_EQUAL, 0, 1, value), (RETURN, 0, 0, ALLOW))]
    return [(LOAD, 0, 0, ARGUMENTS + 8 * argument), *allowed, (RETURN, 0, 0, ERRNO | EPERM)]


def _without_bits(argument: int, bits: int) -> list[Step]:
    return [
        (LOAD, 0, 0, ARGUMENTS + 8 * argument),
        (IF_ANY_BIT, 0, 1, bits),
        (RETURN, 0, 0, ERRNO | EPERM),
        (RETURN, 0, 0, ALLOW),
    ]


def _told_of_itself() -> list[Step]:
    """``prlimit64``: only of this process (0), and only without a new limit (no address)."""
    zero: list[Step] = []
    words = (ARGUMENTS, ARGUMENTS + 16, ARGUMENTS + 20)
    for at in words:
        zero += [(LOAD, 0, 0, at), (IF_EQUAL, 1, 0, 0), (RETURN, 0, 0, ERRNO | EPERM)]
    return [*zero, (RETURN, 0, 0, ALLOW)]


def _thread_or_process() -> list[Step]:
    """A library that would like a thread is refused; whoever makes a process is ended."""
    return [
        (LOAD, 0, 0, ARGUMENTS),
        (IF_ANY_BIT, 0, 1, CLONE_THREAD),
        (RETURN, 0, 0, ERRNO | EPERM),
        (RETURN, 0, 0, KILL),
    ]
