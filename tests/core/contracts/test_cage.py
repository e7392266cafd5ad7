"""The cage by itself: each thing that it refuses, tried inside it and, to know that it was tried, outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TRIER = """
import json, os, signal, sys
from metrics_core.contracts.cage import kernel
caged, acts = sys.argv[1] == "caged", json.loads(sys.stdin.read())
places = [path for path in sys.path if path.startswith((sys.prefix, sys.base_prefix))]
for name, act in acts.items():
    child = os.fork()
    if not child:
        kernel.limit(1 << 30)
        if caged:
            made = kernel.enter(places)
            if not (made["landlock"] and made["seccomp"]):
                os._exit(3)
        try:
            exec(act, {})
        except (RuntimeError, ValueError):  # no thread, no limit
            os._exit(7)
        except OSError as error:
            os._exit(7 if error.errno in (1, 2, 13) else 8)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    acts[name] = {0: "done", 7: "refused", -signal.SIGSYS: "ended"}.get(code, f"status {code}")
print(json.dumps(acts))
"""

BY_NUMBER = "import ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\n"
FAILED = "\nif r == -1: raise OSError(ctypes.get_errno(), '')"

ACTS = {
    "os.system": "import os\nif os.system('exit 0') != 0: raise OSError(1, '')",
    "fork_exec": "import subprocess; subprocess.run(['true'], check=True)",
    "fork": "import os\nif not os.fork(): os._exit(0)",
    "a thread": "import threading; threading.Thread(target=int).start()",
    "a file is written": "open('FOLDER/made', 'w')",
    "a file is written in the library": "import json; open(json.__file__, 'r+')",
    "a file is read": "open('FOLDER/bait')",
    "unlink": "import os; open('FOLDER/a', 'x'); os.unlink('FOLDER/a')",
    "unlink of what is there": "import os; os.unlink('FOLDER/second')",
    "rename": "import os; os.rename('FOLDER/third', 'FOLDER/fourth')",
    "symlink": "import os; os.symlink('a', 'FOLDER/link')",
    "mkfifo": "import os; os.mkfifo('FOLDER/pipe')",
    "setxattr": "import os; os.setxattr('FOLDER/bait', 'user.x', b'1')",
    "chmod": "import os; os.chmod('FOLDER/bait', 0o600)",
    "utime": "import os; os.utime('FOLDER/bait')",
    "/etc/passwd": "open('/etc/passwd').read()",
    "the home folder": "import os; os.listdir(os.path.expanduser('~'))",
    "/proc/self/environ": "open('/proc/self/environ').read()",
    "a UDP socket": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "a TCP socket": "import socket; socket.socket(socket.AF_INET)",
    "a signal to the parent": "import os; os.kill(os.getppid(), 0)",
    "open by number": BY_NUMBER + "r = c.open(b'FOLDER/bait', 0)" + FAILED,
    "O_PATH": "import os; os.open('FOLDER/bait', os.O_PATH)",
    "opened to read, and cut short": "import os; os.open('FOLDER/cut', os.O_RDONLY | os.O_TRUNC)",
    "uname": BY_NUMBER + "r = c.uname(ctypes.create_string_buffer(1000))" + FAILED,
    "getpid": BY_NUMBER + "if c.getpid() == -1: raise OSError(1, '')",
    "getrusage": "import resource; resource.getrusage(resource.RUSAGE_SELF)",
    "sched_getaffinity": "import os; os.sched_getaffinity(0)",
    "limits": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))",
    "a file in memory": "import os; os.memfd_create('x')",
    "a session": "import os; os.setsid()",
}  # fmt: skip

SIMPLE_ACTS_STAY = {
    "arithmetic": "import math; math.sqrt(2.0)",
    "a library is imported late": "import decimal, statistics, zipfile",
    "an extension is imported late": "import _decimal, _bisect, zlib",
    "the clock": "import time; time.time(); time.sleep(0)",
    "chance": "import os; os.urandom(8)",
    "what is printed away": "open('/dev/null', 'w').write('x')",
    "memory": "bytearray(64 << 20)",
}


def tried(acts: dict[str, str], folder: Path, repo: Path, *, caged: bool) -> dict[str, str]:
    folder.mkdir()
    for name in ("bait", "second", "third", "cut"):
        (folder / name).write_text("bait")
    spelled = {name: act.replace("FOLDER", str(folder)) for name, act in acts.items()}
    ran = subprocess.run(
        [sys.executable, "-c", TRIER, "caged" if caged else "free"],
        input=json.dumps(spelled), capture_output=True, text=True, check=True, cwd=repo,
    )  # fmt: skip
    found: dict[str, str] = json.loads(ran.stdout)
    return found


def test_each_thing_is_refused_in_the_cage_and_done_outside(tmp_path: Path, repo: Path, cage: str) -> None:
    outside = tried(ACTS, tmp_path / "free", repo, caged=False)
    assert outside == dict.fromkeys(ACTS, "done")
    inside = tried(ACTS, tmp_path / "caged", repo, caged=True)
    assert {name: end for name, end in inside.items() if end not in ("refused", "ended")} == {}
    left = {path.name: path.read_text() for path in (tmp_path / "caged").iterdir()}
    assert left == dict.fromkeys(("bait", "second", "third", "cut"), "bait")


def test_what_a_scorer_needs_stays(tmp_path: Path, repo: Path, cage: str) -> None:
    inside = tried(SIMPLE_ACTS_STAY, tmp_path / "caged", repo, caged=True)
    assert inside == dict.fromkeys(SIMPLE_ACTS_STAY, "done")


def test_where_mounts_are_allowed_no_other_path_is_there(tmp_path: Path, repo: Path, cage: str) -> None:
    if "mounts" not in cage:
        pytest.skip("no mount namespace is allowed here")
    (tmp_path / "caged").mkdir()
    acts = {"stat": f"import os; os.stat({str(tmp_path)!r})", "root": "import os; os.stat('/etc/passwd')"}
    inside = tried(acts, tmp_path / "caged" / "x", repo, caged=True)
    assert inside == {"stat": "refused", "root": "refused"}


def test_only_the_channel_and_nothing_are_open(tmp_path: Path) -> None:
    """The child of a scorer holds the null device, the requests' pipe and the replies' pipe.

    A newer libffi keeps its own file open, to read: a library in a folder that the child may read anyway.
    """
    from metrics_core.contracts.scorer_process import ScorerProcess
    from metrics_core.contracts.user_contract import load_contract
    from tests.support.written_contracts import write_contract

    if not Path("/proc/self/fd").exists():
        pytest.skip("what a process holds open is not told here")
    with (tmp_path / "held").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        process = ScorerProcess(
            load_contract(write_contract(tmp_path, "return 1.0")), timeout=9, memory=1 << 30
        )
        try:
            process.enter_cage()
            folder = Path(f"/proc/{process.child.pid}/fd")
            open_now = sorted(
                (int(fd.name), str(fd.readlink()).partition(":")[0])
                for fd in folder.iterdir()
                if not (fd.readlink().name.startswith("libffi.so.") and not fd.lstat().st_mode & 0o200)
            )
        finally:
            process.close()
    assert open_now == [(0, "/dev/null"), (1, "/dev/null"), (2, "/dev/null"), (3, "pipe"), (4, "pipe")]
