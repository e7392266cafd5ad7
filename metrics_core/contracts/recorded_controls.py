"""Controls that a harness recorded: the negative control and the attribution self-test.

Each reads one small file of ``controls/`` and says whether it held. A file that is not what it should be
has not held; a file that is not there is missing, which is a state of its own. Pure: bytes in, `Control` out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from metrics_core.formats import strict_json
from metrics_core.results import Control, ControlCheck, pointer, quoted
from metrics_core.text import visible

SANITY = "controls/sanity.json"
SELFTEST = "controls/attribution_selftest.json"
LAYERS = ("router", "planner", "coder")


class _Malformed(Exception):
    def __init__(self, expected: str, got: object, *place: str | int) -> None:
        super().__init__(f"{pointer(*place) or 'the file'}: expected {expected}, got {quoted(got)}")


def sanity(data: bytes | None, file: str = SANITY) -> Control:
    """The negative control of the brownfield suite, run on the pristine application.

    It holds when the regression set is green, every fix grader fails and every refactor duplication check
    fails: only then does a pass say something. An empty list of graders shows nothing, and has not held.

    Args:
        data: The file's bytes, or None where there is none.
        file: Its name within the experiment.

    >>> sanity(None).state
    'missing'
    """
    control = partial(Control, name="sanity", title="negative control", guards="brownfield")
    if data is None:
        return control(state="missing", detail=f"{file} was not recorded")
    try:
        record = _object(data)
        _expect(record.get("control", "sanity") == "sanity", "sanity", record.get("control"), "control")
        checks = (
            _regression(record.get("regression")),
            _graders(record.get("fix_graders"), "fix_graders", "Fix graders"),
            _graders(record.get("refactor_checks"), "refactor_checks", "Refactor duplication checks"),
        )
        stamp = _stamp(record)
    except _Malformed as wrong:
        return control(state="failed", detail=f"{file} is malformed: {wrong}", source=file)
    faults = [fault for check in checks for fault in _faults(check)]
    told = ", ".join(f"{check.name.lower()} {check.n}/{check.N} {check.must}" for check in checks)
    return control(
        state="failed" if faults else "held",
        detail="; ".join(faults) or f"on the pristine build: {told}",
        checks=checks,
        source=file,
        stamp=stamp,
    )


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
    except _Malformed as wrong:
        return control(state="failed", detail=f"{file} is malformed: {wrong}", source=file)
    silent = [layer for layer in LAYERS if layer not in fired]
    faults = tuple((layer, "attribution never fired") for layer in silent)
    told = "attribution fired for each layer"
    if silent:
        told = f"attribution never fired for {', '.join(silent)}"
    n, N = len(LAYERS) - len(silent), len(LAYERS)
    check = ControlCheck(name="Layers", must="fire", n=n, N=N, faults=faults)
    return control(
        state="failed" if silent else "held", detail=told, checks=(check,), source=file, stamp=stamp
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


def _graders(value: Any, field: str, name: str) -> ControlCheck:
    """Graders that must fail; those that passed are the faults."""
    _expect(isinstance(value, list), "a list of graders", value, field)
    faults: list[tuple[str, str]] = []
    for at, grader in enumerate(value):
        _expect(isinstance(grader, dict), "a grader", grader, field, at)
        grader_id, passed, detail = grader.get("id"), grader.get("passed"), grader.get("detail") or ""
        _expect(isinstance(grader_id, str) and grader_id, "a name", grader_id, field, at, "id")
        _expect(isinstance(passed, bool), "true or false", passed, field, at, "passed")
        _expect(isinstance(detail, str), "text", detail, field, at, "detail")
        if passed:
            why = visible(detail, escaped=True) or "passes on the pristine build"
            faults.append((visible(grader_id, escaped=True), why))
    n, N = len(value) - len(faults), len(value)
    return ControlCheck(name=name, must="fail", n=n, N=N, faults=tuple(faults))


def _faults(check: ControlCheck) -> Iterator[str]:
    """Why a check did not hold, in words."""
    if check.N == 0:
        yield f"{check.name.lower()}: none was run, so nothing is shown"
    elif not check.held:
        named = _listed([name for name, _ in check.faults])
        yield f"{check.name.lower()}: {check.N - check.n} of {check.N} did not {check.must}{named}"


def _listed(names: Sequence[str], most: int = 5) -> str:
    if not names:
        return ""
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f" ({', '.join(names[:most])}{rest})"


def _stamp(record: dict[str, Any]) -> str | None:
    stamp = record.get("stamp")
    _expect(stamp is None or isinstance(stamp, str), "a date and time", stamp, "stamp")
    return None if stamp is None else visible(stamp, escaped=True)


def _object(data: bytes) -> dict[str, Any]:
    record = _json(data)
    _expect(isinstance(record, dict), "an object", record)
    found: dict[str, Any] = record
    return found


def _json(data: bytes) -> Any:
    try:
        return strict_json.decode(data)
    except ValueError as error:
        raise _Malformed("JSON", f"{error}") from error


def _expect(holds: object, expected: str, got: object, *place: str | int) -> None:
    if not holds:
        raise _Malformed(expected, got, *place)
