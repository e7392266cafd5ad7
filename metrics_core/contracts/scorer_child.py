"""The process in which a user's contract runs; `metrics_core.contracts.scorer_process` starts it.

It imports nothing of ours but the cage. It reads one JSON line a request and writes one a reply. The first
request puts it into the cage, and its reply says what of it there is; only then is it given the contract's
source. Each further request is one trace, which it scores once. It decides nothing: what a fixture must
give, whether two passes agree and what a score may be is held by the process that asks. Whatever a contract
does to this process, it can do no more than give a number for the trace that was asked about.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import re
import signal
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

from metrics_core.contracts.cage import clock, kernel, memory_import, watch

INVALID = "the contract says INVALID"
LONGEST_MESSAGE = 300
LARGEST = 1e12  # of a score: squares and sums of many are still numbers
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
LIBRARY = re.compile(r"[^\s'\"(]*/lib(?:64)?/python3[\w.]*/(?:(?:site|dist)-packages/|lib-dynload/)?")
"""A place of the interpreter's library, or of what is installed: whose it is, no message tells."""
OURS = {"metrics_core", "site_src"}


class Broken(Exception):
    """The contract broke its promise."""


class Crashed(Exception):
    """The contract brought its process down, or would have."""


def message_of(error: BaseException) -> str:
    """``Type: message``, the same in every run: no addresses, no place of this process, bounded."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - an exception whose text cannot be made is still an exception
        text = type(error).__name__
    text = LIBRARY.sub("", text.replace(memory_import.PLACE + "/", ""))
    text = ADDRESS.sub("0x...", " ".join(text.split()))
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 1] + "…"


def score_once(score: Any, trace: Any) -> list[Any]:
    """Score one trace: [number], or [None, why, kind of exception or None]."""
    try:
        got = score(trace)
    except MemoryError:
        raise Crashed("ran out of memory") from None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the contract says of this trace
        return [None, message_of(error), type(error).__name__]
    except BaseException as error:  # noqa: BLE001 - sys.exit() among them
        raise Crashed(f"left its process with {message_of(error)}") from None
    return as_score(got, "score_trace returned")


def as_score(got: Any, what: str) -> list[Any]:
    """A finite number, or INVALID for NaN."""
    if isinstance(got, bool) or not isinstance(got, int | float):
        raise Broken(f"{what} {got if got is None else type(got).__name__}, expected a float")
    value = int(got) if isinstance(got, int) else float(got)
    if abs(value) > LARGEST:
        raise Broken(f"{what} an infinity, or a number beyond {LARGEST:g}: expected a finite one, or NaN")
    return [None, INVALID, None] if math.isnan(value) else [float(value) + 0.0]  # no -0


def fixtures_of(module: Any) -> list[list[Any]]:
    """[trace, score] of each golden fixture, to be asked about like any other trace; None is INVALID."""
    fixtures = getattr(module, "FIXTURES", None)
    if not isinstance(fixtures, list | tuple) or not fixtures:
        raise Broken("no golden fixtures: FIXTURES must list (trace, expected score) pairs")
    found = []
    for at, fixture in enumerate(fixtures):
        if not isinstance(fixture, list | tuple) or len(fixture) != 2:
            raise Broken(f"fixture {at} is not a (trace, expected score) pair")
        try:
            json.dumps(fixture[0])
        except (TypeError, ValueError, RecursionError) as error:
            raise Broken(f"fixture {at} is no trace that a log could hold: {message_of(error)}") from None
        found.append([fixture[0], as_score(fixture[1], f"fixture {at} expects")[0]])
    return found


def load(setup: dict[str, Any], watched: watch.Watch, before: set[str]) -> Any:
    """Import the contract and every other module of its closure, and nothing else of its own."""
    try:
        module = importlib.import_module(setup["main"])
        for name in setup["modules"]:
            importlib.import_module(name)
    except MemoryError:
        raise Crashed("ran out of memory") from None
    except BaseException as error:  # noqa: BLE001 - sys.exit() among them
        raise Broken(watched.broken or f"cannot be imported: {message_of(error)}") from None
    check_modules(setup, watched, before)
    if setup["contract_id"] != getattr(module, "CONTRACT_ID", None):
        raise Broken("CONTRACT_ID is another when it runs than in its text")
    if not callable(getattr(module, "score_trace", None)):
        raise Broken("no score_trace: def score_trace(trace: dict) -> float")
    return module


def check_modules(setup: dict[str, Any], watched: watch.Watch, before: set[str]) -> None:
    """What is loaded of the contract is the static closure, no more, no less."""
    if watched.broken is not None:
        raise Broken(watched.broken)
    loaded = {}
    for name, module in list(sys.modules.items()):
        if name in before:
            continue
        spec = getattr(module, "__spec__", None)
        origin = getattr(spec, "origin", None) or getattr(module, "__file__", None)
        if not isinstance(origin, str) or origin in {"built-in", "frozen"}:
            continue
        if origin.startswith(memory_import.PLACE + "/"):
            loaded[name] = origin.removeprefix(memory_import.PLACE + "/")
        elif name.partition(".")[0] in OURS or not watched.allows(os.path.abspath(origin)):
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


def forget_ours() -> None:
    """Take away the names under which the contract could reach this module, and what tells where we lie."""
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    sys.argv[:] = sys.orig_argv[:] = [""]
    sys.executable = ""


def replies(requests: Any, setup: dict[str, Any]) -> Iterator[Any]:
    """Answer each request in turn; one that breaks or crashes is the last."""
    memory_import.only_installed()
    watched = watch.Watch()
    kernel.limit(setup["memory"])
    forget_ours()
    yield {"cage": kernel.enter(sys.path) if setup["cage"] else kernel.none()}
    sources = {path: text.encode("latin-1") for path, text in json.loads(requests.readline()).items()}
    before = set(sys.modules)
    sys.meta_path.insert(0, memory_import.ContractFinder(setup["modules"], sources))
    standing = clock.StandingClock() if setup["other_clock"] else None
    watched.hide_surroundings()
    sys.addaudithook(watched.hook)
    until_late(setup["seconds"])
    module = load(setup, watched, before)
    listed = fixtures_of(module)
    until_late(0)  # it may wait for as long as it likes to be asked
    yield {"fixtures": listed}
    known = before.union(setup["modules"], sys.stdlib_module_names)
    while line := requests.readline():
        mark, *trace = json.loads(line)
        if standing is not None:
            standing.turn()
        until_late(setup["seconds"])
        if trace:
            got = score_once(module.score_trace, trace[0])
        else:
            check_modules(setup, watched, before)
            got = [packages(known)]
        if watched.broken is not None:
            raise Broken(watched.broken)
        until_late(0)
        yield [mark, *got]


def until_late(seconds: int) -> None:
    """End this process if what it does now takes longer, even if no one is left to end it; 0 for never."""
    if sys.platform != "win32":
        signal.alarm(seconds and seconds + 2)


def all_replies(requests: Any, setup: dict[str, Any]) -> Iterator[Any]:
    """The same, and last of all how the contract broke its promise or its process."""
    try:
        yield from replies(requests, setup)
    except Broken as error:
        yield {"broken": str(error)}
    except (Crashed, MemoryError) as error:
        yield {"crashed": str(error) or "ran out of memory"}


def main() -> NoReturn:
    """Serve requests until the input ends. What the contract prints never reaches the channel."""
    requests, channel = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for used in (0, 1, 2):
        os.dup2(nothing, used)
    os.close(nothing)
    try:
        for reply in all_replies(requests, json.loads(requests.readline())):
            channel.write(json.dumps(reply).encode() + b"\n")
            channel.flush()
    finally:
        os._exit(0)  # not sys.exit: a contract's threads and exit handlers would have the last word
