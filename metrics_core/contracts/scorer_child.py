"""The process in which a user's contract runs; `metrics_core.contracts.scorer_process` starts it.

It imports nothing of ours. It reads one JSON line a request and writes one a reply. The first request sets
it up: limits, the folder that holds the copied source closure (the only place of ours that can be imported
from), an audit hook. Each further request is a batch of traces, scored forwards and then backwards.

It is a fence against accidents and against scores that are no function of the trace. It is no prison.
"""

from __future__ import annotations

import copy
import importlib
import json
import math
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

if sys.platform != "win32":
    import resource

INVALID = "the contract says INVALID"
LONGEST_MESSAGE = 300
LARGEST = 1e12  # of a score: squares and sums of many are still numbers
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
OURS = {"metrics_core", "site_src"}
LISTS = {"os.listdir", "os.scandir"}
CHANGES = {"os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate",
           "os.utime", "os.chmod", "os.chown", "tempfile.mkstemp", "tempfile.mkdtemp",
           "sqlite3.connect"}  # fmt: skip
STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.system", "os.exec", "os.posix_spawn", "os.spawn",
          "os.startfile", "pty.spawn", "os.kill", "os.killpg"}  # fmt: skip

Got = tuple[float | None, str | None, str | None]  # a score, or None and why; what kind of exception it was


class Broken(Exception):
    """The contract broke its promise; ``at`` is the trace's place in the batch."""

    def __init__(self, problem: str, at: int | None = None) -> None:
        super().__init__(problem)
        self.at = at


class Crashed(Exception):
    """The contract brought its process down, or would have."""


class Watch:
    """The audit hook: refuses and remembers what a function of a trace has no business doing."""

    def __init__(self, code: str, files: list[str]) -> None:
        self.code = os.path.realpath(code)
        self.files = {self.code + os.sep + name.replace("/", os.sep) for name in files}
        places = [*sys.path, sys.pycache_prefix or os.devnull]
        self.roots = tuple(os.path.realpath(place) + os.sep for place in places)
        self.active = False
        self.broken: str | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """While the contract's code runs."""
        self.active = True
        try:
            yield
        finally:
            self.active = False
        if self.broken is not None:
            raise Broken(self.broken)

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        """Called by the interpreter at every event; raising stops what was about to happen."""
        if self.active and (problem := self._problem(event, args)) is not None:
            self.broken = self.broken or problem
            raise PermissionError(problem)

    def _problem(self, event: str, args: tuple[Any, ...]) -> str | None:
        if event == "open":
            return self._opened(args[0], args[2])
        if event in LISTS:
            place = self._place(args[0] if args[0] is not None else ".")
            known = place is None or f"{place}{os.sep}".startswith((*self.roots, self.code + os.sep))
            return None if known else f"lists the folder {place}"
        library = args[1] if event == "import" else args[0] if event == "ctypes.dlopen" else None
        if library is not None:
            return self._opened(library, os.O_RDONLY)
        if event in CHANGES or event.startswith("shutil."):
            return f"changes files ({event}): a scorer reads its trace and nothing else"
        if event in STARTS:
            return f"starts or ends a process ({event})"
        if event == "ctypes.dlsym":  # the C library could do all of the above, unseen
            return f"calls {args[1]} of a compiled library"
        return f"uses a socket ({event})" if event.startswith("socket.") else None

    def _opened(self, path: Any, flags: Any) -> str | None:
        place = self._place(path)
        if place is None or place == os.devnull:
            return None
        shown = place.removeprefix(self.code + os.sep)
        if isinstance(flags, int) and flags & WRITING:
            return f"writes {shown}: a scorer reads its trace and nothing else"
        return None if self.allows(place) else f"reads {shown}, which is not part of its source closure"

    def allows(self, place: str) -> bool:
        """Whether a file is of the closure, the interpreter's library or an installed package."""
        return place in self.files or f"{place}{os.sep}".startswith(self.roots)

    def _place(self, path: Any) -> str | None:
        """Where a path leads; None for a number, which is a file that is open already."""
        return None if isinstance(path, int) else os.path.realpath(os.fsdecode(path))


def message_of(error: BaseException, code: str) -> str:
    """``Type: message``, the same in every run: no addresses, no folder of this process, bounded."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - an exception whose text cannot be made is still an exception
        text = type(error).__name__
    text = ADDRESS.sub("0x...", " ".join(text.replace(code + os.sep, "").split()))
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 1] + "…"


def score_once(score: Callable[[Any], Any], trace: Any, at: int, code: str) -> Got:
    """Score one trace: a number, INVALID, or the exception that makes the trace invalid."""
    try:
        got = score(trace)
    except MemoryError:
        raise Crashed("ran out of memory") from None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the contract says of this trace
        return None, message_of(error, code), type(error).__name__
    except BaseException as error:  # noqa: BLE001 - sys.exit() among them
        raise Crashed(f"left its process with {message_of(error, code)}") from None
    return as_score(got, "score_trace returned", at)


def as_score(got: Any, what: str, at: int) -> Got:
    """A finite number, or INVALID for NaN."""
    if isinstance(got, bool) or not isinstance(got, int | float):
        raise Broken(f"{what} {got if got is None else type(got).__name__}, expected a float", at)
    value = int(got) if isinstance(got, int) else float(got)
    if abs(value) > LARGEST:
        raise Broken(f"{what} an infinity, or a number beyond {LARGEST:g}: expected a finite one, or NaN", at)
    return (None, INVALID, None) if math.isnan(value) else (float(value), None, None)


def run_fixtures(module: Any, code: str) -> list[list[Any]]:
    """[name, expected, got, ok] of each golden fixture; scores are floats, and INVALID is a word."""
    fixtures = getattr(module, "FIXTURES", None)
    if not isinstance(fixtures, list | tuple) or not fixtures:
        raise Broken("no golden fixtures: FIXTURES must list (trace, expected score) pairs")
    results = []
    for at, fixture in enumerate(fixtures):
        if not isinstance(fixture, list | tuple) or len(fixture) != 2:
            raise Broken(f"fixture {at} is not a (trace, expected score) pair")
        expected, *_ = as_score(fixture[1], f"fixture {at} expects", at)
        value, invalid, kind = score_once(module.score_trace, copy.deepcopy(fixture[0]), at, code)
        ok = value == expected and kind is None
        got = repr(value) if value is not None else "INVALID" if kind is None else invalid
        results.append([f"fixture {at}", "INVALID" if expected is None else repr(expected), got, ok])
    return results


def load(setup: dict[str, Any], watch: Watch, before: set[str]) -> Any:
    """Import the contract and every other module of its closure, and nothing else of its own."""
    with watch.watching():
        try:
            module = importlib.import_module(setup["main"])
            for name in setup["modules"]:
                importlib.import_module(name)
        except MemoryError:
            raise Crashed("ran out of memory") from None
        except BaseException as error:  # noqa: BLE001 - sys.exit() among them
            raise Broken(watch.broken or f"cannot be imported: {message_of(error, watch.code)}") from None
    check_modules(setup, watch, before)
    if setup["contract_id"] != module.CONTRACT_ID:
        raise Broken("CONTRACT_ID is another when it runs than in its text")
    if not callable(getattr(module, "score_trace", None)):
        raise Broken("no score_trace: def score_trace(trace: dict) -> float")
    return module


def check_modules(setup: dict[str, Any], watch: Watch, before: set[str]) -> None:
    """What is loaded from the contract's folder is the static closure, no more, no less."""
    loaded = {}
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        origin = getattr(spec, "origin", None) or getattr(module, "__file__", None)
        if not isinstance(origin, str) or origin in {"built-in", "frozen"}:
            continue
        origin = os.path.realpath(origin)
        if origin.startswith(watch.code + os.sep):
            loaded[name] = origin.removeprefix(watch.code + os.sep).replace(os.sep, "/")
        elif name not in before and (name.partition(".")[0] in OURS or not watch.allows(origin)):
            raise Broken(f"loads the module {name} from outside its source closure")
    odd = dict(set(loaded.items()) ^ set(setup["modules"].items()))
    if odd:
        raise Broken(f"modules that ran are not its source closure: {', '.join(sorted(odd))}")


def packages(before: set[str]) -> dict[str, str]:
    """Third-party packages that the contract brought in -> their version, where they state one."""
    brought = {name: getattr(sys.modules[name], "__version__", None) for name in set(sys.modules) - before}
    return {
        name: version
        for name, version in sorted(brought.items())
        if isinstance(version, str) and "." not in name
    }


def limit(memory: int) -> None:
    """No core, no file, no more memory than that; a system that knows no such limit goes without."""
    if sys.platform != "win32":
        limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_AS: memory}
        for kind, size in limits.items():
            with suppress(ValueError, OSError):  # a lower limit stands already, or this system has none
                resource.setrlimit(kind, (size, size))


@contextmanager
def timed(seconds: int) -> Iterator[None]:
    """A request that takes longer ends this process, even if no one is left to end it."""
    if sys.platform != "win32":
        usage = resource.getrusage(resource.RUSAGE_SELF)
        with suppress(ValueError, OSError):
            soft = int(usage.ru_utime + usage.ru_stime) + seconds + 1
            resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        signal.alarm(seconds + 2)
    try:
        yield
    finally:
        if sys.platform != "win32":
            signal.alarm(0)


def keep_installed_paths() -> None:
    """Import from the interpreter and its environment only: no checkout, no folder that a user added."""
    places = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    prefixes = tuple(os.path.realpath(place) + os.sep for place in places)
    sys.path[:] = [path for path in sys.path if os.path.realpath(path).startswith(prefixes)]


def replies(requests: Any, setup: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Answer each request in turn; one that breaks or crashes is the last."""
    before = set(sys.modules)
    limit(setup["memory"])
    keep_installed_paths()
    watch = Watch(setup["code"], list(setup["modules"].values()))
    sys.path.insert(0, watch.code)
    sys.addaudithook(watch.hook)
    with timed(setup["seconds"]):
        module = load(setup, watch, before)
        with watch.watching():
            fixtures = run_fixtures(module, watch.code)
    known = before.union(setup["modules"], sys.stdlib_module_names)
    yield {"fixtures": fixtures, "packages": packages(known)}
    while line := requests.readline():
        passes = []
        with timed(setup["seconds"]):
            for order in (1, -1):
                places = list(enumerate(json.loads(line)))[::order]
                with watch.watching():
                    scored = [score_once(module.score_trace, trace, at, watch.code) for at, trace in places]
                passes.append(scored[::order])
            check_modules(setup, watch, before)
        yield {"forwards": passes[0], "backwards": passes[1]}


def all_replies(requests: Any, setup: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same, and last of all how the contract broke its promise or its process."""
    try:
        yield from replies(requests, setup)
    except Broken as error:
        yield {"broken": str(error), "at": error.at}
    except (Crashed, MemoryError) as error:
        yield {"crashed": str(error) or "ran out of memory"}


def main() -> NoReturn:
    """Serve requests until the input ends. What the contract prints never reaches the channel."""
    requests, channel = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    setup = json.loads(requests.readline())
    try:
        for reply in all_replies(requests, setup):
            channel.write(setup["token"].encode() + json.dumps(reply).encode() + b"\n")
            channel.flush()
    finally:
        import shutil  # slow to load without caches, and only needed if the process that asked is gone

        shutil.rmtree(setup["folder"], ignore_errors=True)
        os._exit(0)  # not sys.exit: a contract's threads and exit handlers would have the last word


if __name__ == "__main__":
    main()
