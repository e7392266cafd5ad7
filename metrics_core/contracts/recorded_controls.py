"""Controls that a harness recorded: the negative control and the attribution self-test.

Each reads one small file of ``controls/`` and says whether it held. A file that is not what it should be
has not held; a file that is not there is missing, which is a state of its own. Pure: bytes in, `Control` out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set as AbstractSet
from functools import partial
from typing import Any

from msgspec import Struct

from metrics_core.formats import strict_json, utc
from metrics_core.results import (
    Control,
    ControlCheck,
    ControlFinding,
    LaterThanRuns,
    OtherRegressionSet,
    pointer,
    quoted,
)
from metrics_core.text import visible

SANITY = "controls/sanity.json"
SELFTEST = "controls/attribution_selftest.json"
LAYERS = ("router", "planner", "coder")


class _MalformedControl(Exception):
    def __init__(self, expected: str, got: object, *place: str | int) -> None:
        super().__init__(f"{pointer(*place) or 'the file'}: expected {expected}, got {quoted(got)}")


class LoggedSuite(Struct, frozen=True):
    """What the logs of a brownfield suite hold that its negative control is to speak for.

    Attributes:
        fixes: Ids of the fix tasks that occur, whatever came of them.
        refactors: Ids of the refactor tasks that occur.
        regression_sets: Every size of the regression set that a run states.
        last: UTC stamp of the last run; None where no run is there.
    """

    fixes: frozenset[str] = frozenset()
    refactors: frozenset[str] = frozenset()
    regression_sets: frozenset[int] = frozenset()
    last: str | None = None


def sanity(data: bytes | None, logged: LoggedSuite, file: str = SANITY) -> Control:
    """The negative control of the brownfield suite, run on the pristine application.

    It holds when the regression set is green, and the grader of every fix task and the duplication check of
    every refactor task that the logs hold was tried and fails: only then does a pass say something. A kind
    that the logs do not hold needs no list. A regression set of another size than the runs', and a control
    later than the last run, are findings.

    Args:
        data: The file's bytes, or None where there is none.
        logged: What the logs hold.
        file: Its name within the experiment.

    Source: the brownfield benchmark, ``sanity()``.

    >>> sanity(None, LoggedSuite()).state
    'missing'
    >>> green = b'{"regression": {"total": 1, "passed": 1}, "fix_graders": [{"id": "B1", "passed": false}]}'
    >>> sanity(green, LoggedSuite(fixes=frozenset({"B1", "B2"}))).detail
    'fix graders: 1 of 2 was not tried (B2)'
    """
    control = partial(Control, name="sanity", title="negative control", guards="brownfield")
    if data is None:
        return control(state="missing", detail=f"{file} was not recorded")
    try:
        record = _object(data)
        _expect(record.get("control", "sanity") == "sanity", "sanity", record.get("control"), "control")
        checks = (
            _regression(record.get("regression")),
            *_graders(record, "fix_graders", "Fix graders", logged.fixes),
            *_graders(record, "refactor_checks", "Refactor duplication checks", logged.refactors),
        )
        stamp = _stamp(record)
    except _MalformedControl as wrong:
        return control(state="failed", detail=f"{file} is malformed: {wrong}", source=file)
    faults = [fault for check in checks for fault in _faults(check)]
    counts = ", ".join(f"{check.name.lower()} {check.n}/{check.N} {check.must}" for check in checks)
    return control(
        state="failed" if faults else "held",
        detail="; ".join(faults) or f"on the pristine build: {counts}",
        checks=checks,
        source=file,
        stamp=stamp,
        findings=tuple(_doubts(checks[0].N, stamp, logged)),
    )


def _doubts(pages: int, stamp: str | None, logged: LoggedSuite) -> Iterator[ControlFinding]:
    """What a negative control leaves open although every grader did as it must."""
    if others := logged.regression_sets - {pages}:
        yield OtherRegressionSet(pages, tuple(sorted(others)))
    if stamp is not None and logged.last is not None and utc(stamp) > logged.last:
        yield LaterThanRuns(utc(stamp), logged.last)


def attribution_selftest(data: bytes | None, file: str = SELFTEST) -> Control:
    """Whether failure attribution fired for router, planner and coder on a real call.

    Args:
        data: The file's bytes: an object of three booleans, a list of the layers that fired, or an object
            whose ``fired`` is either; None where there is no file.
        file: Its name within the experiment.

    >>> attribution_selftest(b'["router", "planner"]').detail
    'attribution never fired for coder'
    """
    control = partial(
        Control,
        name="attribution self-test",
        title="attribution self-test",
        guards="layered",
        metrics=("failures_attributed",),
    )
    if data is None:
        return control(state="missing", detail=f"{file} was not recorded")
    try:
        record = _json(data)
        stamp = _stamp(record) if isinstance(record, dict) else None
        fired = _fired(record["fired"] if isinstance(record, dict) and "fired" in record else record)
    except _MalformedControl as wrong:
        return control(state="failed", detail=f"{file} is malformed: {wrong}", source=file)
    silent = [layer for layer in LAYERS if layer not in fired]
    faults = tuple((layer, "attribution never fired") for layer in silent)
    detail = "attribution fired for each layer"
    if silent:
        detail = f"attribution never fired for {', '.join(silent)}"
    n, N = len(LAYERS) - len(silent), len(LAYERS)
    check = ControlCheck(name="Layers", must="fire", n=n, N=N, faults=faults)
    return control(
        state="failed" if silent else "held", detail=detail, checks=(check,), source=file, stamp=stamp
    )


def _fired(record: Any) -> frozenset[str]:
    if isinstance(record, list):
        for at, layer in enumerate(record):
            _expect(layer in LAYERS, f"one of {', '.join(LAYERS)}", layer, at)
        return frozenset(record)
    _expect(isinstance(record, dict), "an object of three booleans, or a list of layers", record)
    for layer in LAYERS:
        _expect(isinstance(record.get(layer), bool), "true or false", record.get(layer), layer)
    return frozenset(layer for layer in LAYERS if record[layer])


def _regression(value: Any) -> ControlCheck:
    _expect(isinstance(value, dict), "an object", value, "regression")
    total, passed, misses = value.get("total"), value.get("passed"), value.get("misses", [])
    for name, count in (("total", total), ("passed", passed)):
        whole = isinstance(count, int) and not isinstance(count, bool) and count >= 0
        _expect(whole, "a count", count, "regression", name)
    _expect(passed <= total, f"at most {total}", passed, "regression", "passed")
    _expect(isinstance(misses, list), "a list of names", misses, "regression", "misses")
    for at, miss in enumerate(misses):
        _expect(isinstance(miss, str), "a name", miss, "regression", "misses", at)
    if misses and len(misses) != total - passed:
        _expect(False, f"{total - passed} names", misses, "regression", "misses")
    faults = tuple((visible(miss, escaped=True), "does not pass on the pristine build") for miss in misses)
    return ControlCheck(name="Regression set", must="pass", n=passed, N=total, faults=faults)


def _graders(
    record: dict[str, Any], field: str, name: str, logged: AbstractSet[str]
) -> Iterator[ControlCheck]:
    """Graders that must fail; those that passed are the faults, those that only the logs name are untried.

    Nothing where neither the logs hold such a task nor the control tried one.
    """
    value = record.get(field, [])
    _expect(isinstance(value, list), "a list of graders", value, field)
    faults: list[tuple[str, str]] = []
    tried = set()
    for at, grader in enumerate(value):
        _expect(isinstance(grader, dict), "a grader", grader, field, at)
        grader_id, passed, detail = grader.get("id"), grader.get("passed"), grader.get("detail") or ""
        _expect(isinstance(grader_id, str) and grader_id, "a name", grader_id, field, at, "id")
        _expect(isinstance(passed, bool), "true or false", passed, field, at, "passed")
        _expect(isinstance(detail, str), "text", detail, field, at, "detail")
        tried.add(grader_id)
        if passed:
            why = visible(detail, escaped=True) or "passes on the pristine build"
            faults.append((visible(grader_id, escaped=True), why))
    untried = tuple(visible(each, escaped=True) for each in sorted(logged - tried))
    failed = len(value) - len(faults)
    if N := len(value) + len(untried):
        yield ControlCheck(name=name, must="fail", n=failed, N=N, faults=tuple(faults), untried=untried)


def _faults(check: ControlCheck) -> Iterator[str]:
    """Why a check did not hold, in words: what was not tried apart from what did otherwise."""
    if check.N == 0:
        yield f"{check.name.lower()}: none was run, so nothing is shown"
    if wrong := check.N - check.n - len(check.untried):
        named = _listed([name for name, _ in check.faults])
        yield f"{check.name.lower()}: {wrong} of {check.N} did not {check.must}{named}"
    if check.untried:
        were = "was" if len(check.untried) == 1 else "were"
        named = _listed(check.untried)
        yield f"{check.name.lower()}: {len(check.untried)} of {check.N} {were} not tried{named}"


def _listed(names: Sequence[str], most: int = 5) -> str:
    if not names:
        return ""
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f" ({', '.join(names[:most])}{rest})"


def _stamp(record: dict[str, Any]) -> str | None:
    stamp = record.get("stamp")
    if stamp is None:
        return None
    _expect(isinstance(stamp, str), "a date and time", stamp, "stamp")
    try:
        utc(stamp)
    except ValueError:
        _expect(False, "a date and time", stamp, "stamp")
    return visible(stamp, escaped=True)


def _object(data: bytes) -> dict[str, Any]:
    record = _json(data)
    _expect(isinstance(record, dict), "an object", record)
    found: dict[str, Any] = record
    return found


def _json(data: bytes) -> Any:
    try:
        return strict_json.decode(data)
    except ValueError as error:
        raise _MalformedControl("JSON", f"{error}") from error


def _expect(condition: object, expected: str, got: object, *place: str | int) -> None:
    if not condition:
        raise _MalformedControl(expected, got, *place)
