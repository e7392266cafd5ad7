"""SWE-bench reports as traces: one instance of one run a trace.

Three shapes are read: a run's report with its lists of ids, an instance's own ``report.json``, and a
leaderboard's object of instances with cost. The arm is the model that the path names; the repository is a
field that ``cluster: repo`` may name. Resolved is the verdict; an empty patch is not resolved; what the
harness failed in is an error; an id that was submitted and stands in no list of outcomes is unknown, and one
that was not submitted is no run. An instance's own report goes before the run's lists. Does not: run a test,
or take whatever is not listed as resolved for unresolved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from msgspec import Struct

from metrics_core.digest import canonical
from metrics_core.errors import FormatError
from metrics_core.formats import (
    HEAD,
    Adapter,
    Declared,
    Element,
    Made,
    OutsideFile,
    OutsideJson,
    OwnFigure,
    RunsDeclared,
    read_object,
    stated,
)
from metrics_core.results import Aside, NoRuns, Problem, pointer, quoted
from metrics_core.text import visible

SCORER = "resolved"
"""Name of the scorer: the failing tests pass, and those that passed still do."""

REPORT = "report.json"

KINDS = ("resolved", "unresolved", "empty_patch", "error")
"""Lists of outcomes, ``KIND_ids`` with ``KIND_instances``: their count."""

ALSO_COUNTED = ("submitted", "completed", "incomplete")

PLAIN_NAMES = frozenset({"report", "results", "per_instance_details"})
PLAIN_FOLDERS = frozenset({"eval_outputs", "evaluation", "logs", "results", "run_evaluation"})
"""Names of files and folders that name no model."""

_LISTS = "|".join((*KINDS, *ALSO_COUNTED, "total", "infra_failure", "ambiguous_failure", "unstopped"))
_OF_A_RUN = re.compile(rb'\s*\{\s*"(?:%s)_(?:ids"\s*:\s*\[|instances"\s*:\s*\d)' % _LISTS.encode())
_ID = rb'"[\w.-]+__[\w.-]+-\d+"'
_RESOLVED_ALONE = re.compile(
    rb'\s*\{\s*"(?:no_generation|no_logs|resolved)"\s*:\s*\[\s*(?:%s|\]\s*,\s*"(?:no_generation|no_logs|resolved)")'
    % _ID
)
_FIELDS = "patch_is_None|patch_exists|patch_successfully_applied|resolved|cost|api_calls"
_OF_INSTANCES = re.compile(rb'\s*\{\s*"[^"\\]+"\s*:\s*\{\s*"(?:%s)"\s*:' % _FIELDS.encode())
_VERDICT = re.compile(rb'"resolved"\s*:\s*(?:true|false|null)|"patch_(?:is_None|exists)"')
_INSTANCE = re.compile(r"(?P<owner>[\w.-]+?)__(?P<name>[\w.-]+)-\d+")


def claims(path: str, head: bytes) -> bool:
    """A report of lists, or an object of instances."""
    if not path.endswith(".json"):
        return False
    if _OF_INSTANCES.match(head):
        return bool(_VERDICT.search(head))
    return bool(_OF_A_RUN.match(head) or _RESOLVED_ALONE.match(head))


def nearly(path: str, head: bytes) -> str:
    """Predictions."""
    patches = path.endswith((".json", ".jsonl")) and b'"model_patch"' in head
    return "SWE-bench predictions, but without a report" if patches and b'"instance_id"' in head else ""


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace an instance, in the order of the file.

    >>> data = b'{"django__django-1": {"resolved": true, "cost": 0.5, "api_calls": 9}}'
    >>> trace = next(convert(OutsideFile(path="agent-m/per_instance_details.json", data=data))).record
    >>> trace["agent"], trace["task_id"], trace["repo"], trace["scores"], trace["cost_usd"]
    ('agent-m', 'django__django-1', 'django/django', {'resolved': True}, 0.5)
    """
    earlier = _copy_of(file)
    if earlier is not None:
        yield Aside(file.path, None, "", visible(f"the same file as {earlier}: read once", escaped=True))
        return
    whole = read_object(file.data, file.path)
    if _OF_INSTANCES.match(file.data):
        yield from _instances(whole, file)
    elif _OF_A_RUN.match(file.data):
        yield from _lists(whole, file)
    else:
        what = "the report lists what was resolved and not what was not: nothing can be counted"
        yield NoRuns(file.path, None, "resolved", what)


class _Outcome(NamedTuple):
    """What a run came to on one instance."""

    resolved: Any
    error: str | None = None


class _Source(Struct, frozen=True):
    """Whose results a file holds, as its path names them."""

    model: str
    run: str | None

    @classmethod
    def of_instances(cls, path: str) -> _Source:
        """``RUN/MODEL/INSTANCE/report.json``, ``MODEL/per_instance_details.json`` or ``MODEL.json``."""
        parts = PurePosixPath(path)
        folders = list(parts.parent.parts)
        if parts.name == REPORT and folders:
            folders.pop()
        elif parts.stem not in PLAIN_NAMES:
            return cls(parts.stem, None)
        named = [folder for folder in folders if folder not in PLAIN_FOLDERS]
        whole = len(folders) > 1 and parts.name == REPORT and folders[-2:] == named[-2:]
        return cls(named[-1] if named else "swe-bench", named[-2] if whole else None)

    @classmethod
    def of_lists(cls, path: str, own: Mapping[tuple[str, str, str], str]) -> _Source:
        """``MODEL.RUN.json``: where either may hold a full stop, folders of that run tell them apart."""
        parts = PurePosixPath(path)
        if parts.stem in PLAIN_NAMES:
            named = [folder for folder in parts.parent.parts if folder not in PLAIN_FOLDERS]
            return cls(named[-1] if named else "swe-bench", None)
        words = parts.stem.split(".")
        runs = {(run, model) for run, model, _ in own}
        cuts = [(".".join(words[:at]), ".".join(words[at:])) for at in range(len(words) - 1, 0, -1)]
        model, run = next(
            ((m, r) for m, r in cuts if (r, m) in runs), cuts[0] if cuts else (parts.stem, None)
        )
        return cls(model, run)


def _record(instance: str, outcome: _Outcome, source: _Source, **more: Any) -> dict[str, Any]:
    found = _INSTANCE.fullmatch(instance)
    record = {
        "schema": "trace.v1",
        "task_id": instance,
        "agent": source.model,
        "error": outcome.error,
        "run_id": source.run,
        "repo": f"{found['owner']}/{found['name']}" if found else None,
        **more,
    }
    return {**stated(record), "scores": {SCORER: outcome.resolved}}


# ---------------------------------------------------------------- objects of instances


def _instances(whole: OutsideJson, file: OutsideFile) -> Iterator[Made]:
    source = _Source.of_instances(file.path)
    for number, (instance, part) in enumerate(whole.members.items(), start=1):
        if part.fault is not None:
            at, fault = part.fault
            yield Problem(
                file.path, number, f"{pointer(instance)}/{at}" if at else pointer(instance), fault.what
            )
            continue
        value = part.value
        if not instance or not isinstance(value, dict):
            what = f"expected what became of an instance, got {quoted(value)}"
            yield Problem(file.path, number, pointer(instance), what)
            continue
        outcome = _of_instance(value)
        if outcome.resolved is True and _no_patch(value):
            what = "expected false where there is no patch, got true"
            yield Problem(file.path, number, f"{pointer(instance)}/resolved", what)
            continue
        cost, calls = value.get("cost"), value.get("api_calls")
        free = cost == 0 and cost is not False and calls not in (None, 0)
        record = _record(instance, outcome, source, cost_usd=None if free else cost, api_calls=calls)
        yield Element(record=record, source=part.source)
        yield from _conflicts(instance, outcome, file)
    if not whole.members:
        yield NoRuns(file.path, None, "", "the report holds no instances: nothing can be counted")
    yield from _without_report(source, file)


def _of_instance(value: Mapping[str, Any]) -> _Outcome:
    if value.get("infra_failure") is True:
        return _Outcome(None, str(value.get("infra_failure_reason") or "infrastructure failure"))
    resolved = value.get("resolved")
    return _Outcome(False if resolved is None and _no_patch(value) else resolved)


def _no_patch(value: Mapping[str, Any]) -> bool:
    return value.get("patch_is_None") is True or value.get("patch_exists") is False


def _conflicts(instance: str, outcome: _Outcome, file: OutsideFile) -> Iterator[Aside]:
    """The same report of the same run at an earlier path, with another outcome."""
    for other in _of_the_same_name(file):
        before = _readable(file, other).get(instance)
        if isinstance(before, dict) and _of_instance(before) != outcome:
            what = f"the instance {quoted(instance)} has another outcome in {other}: both are kept"
            yield Aside(file.path, None, pointer(instance), visible(what, escaped=True))


def _without_report(source: _Source, file: OutsideFile) -> Iterator[Declared]:
    """Folders of instances beside this one without a report, told once, where no lists of the run do."""
    path = PurePosixPath(file.path)
    if path.name != REPORT or source.run is None:
        return
    above = f"{path.parent.parent}/"
    beside = [
        name.removeprefix(above).split("/") for name in (*file.names, file.path) if name.startswith(above)
    ]
    folders = {parts[0] for parts in beside if len(parts) > 1}
    reports = {parts[0] for parts in beside if parts[1:] == [REPORT]}
    listed = any(name.endswith(f"{source.model}.{source.run}.json") for name in file.names)
    if path.parent.name == min(reports) and folders != reports and not listed:
        found = RunsDeclared(len(folders), len(reports))
        yield Declared.by(file.path, found, model=source.model)


# ---------------------------------------------------------------- lists of ids


def _lists(whole: OutsideJson, file: OutsideFile) -> Iterator[Made]:
    own = _own_reports(file)
    source = _Source.of_lists(file.path, own)
    lists: dict[str, dict[str, None]] = {}
    for kind in (*KINDS, *ALSO_COUNTED, "infra_failure"):
        ids: dict[str, None] = {}
        yield from _ids(whole, f"{kind}_ids", file.path, ids)
        lists[kind] = ids
    if not any(f"{kind}_ids" in whole.members for kind in ("unresolved", "submitted", "completed")):
        what = "the report lists what was resolved and not what was not: nothing can be counted"
        yield NoRuns(file.path, None, "unresolved_ids", what)
        return
    known = _outcomes(lists, whole.plain.get("failure_reasons"))
    for instance, outcomes in known.items():
        if len(outcomes) > 1:
            kinds = " and ".join(f"{kind}_ids" for kind in outcomes)
            yield Aside(file.path, None, pointer(instance), f"stands in {kinds}: both are kept")
        path = own.get((source.run or "", source.model, instance))
        yield from _beside_its_report(instance, outcomes, source, file, path)
    if not known:
        yield NoRuns(file.path, None, "", "the report lists no instances: nothing can be counted")
        return
    yield from _counts(whole.plain, lists, sum(map(len, known.values())), source, file.path)


def _beside_its_report(
    instance: str, outcomes: Mapping[str, _Outcome], source: _Source, file: OutsideFile, path: str | None
) -> Iterator[Made]:
    """What the lists say of an instance, unless its own report says the same, or is told to be damaged."""
    before = _readable(file, path).get(instance) if path else None
    for kind, outcome in outcomes.items():
        if path and isinstance(before, dict):
            if _of_instance(before)[:1] == outcome[:1]:
                continue
            what = f"has another outcome in {path}: both are kept"
            yield Aside(file.path, None, pointer(instance), visible(what, escaped=True))
        elif path and claims(path, file.read(path)[:HEAD]):
            continue
        named = {
            "instance_id": instance,
            "listed_in": f"{kind}_ids" if kind else None,
            "report": PurePosixPath(file.path).name,
        }
        yield Element(record=_record(instance, outcome, source), source=canonical(stated(named)))


def _ids(whole: OutsideJson, key: str, path: str, into: dict[str, None]) -> Iterator[Problem]:
    """The ids of one list; what is none is a problem, and one that stands there twice is told."""
    if key not in whole.members:
        return
    listed = whole.members[key].value
    if not isinstance(listed, list):
        yield Problem(path, None, key, f"expected a list of ids, got {quoted(whole.plain[key])}")
        return
    for at, instance in enumerate(listed):
        if not isinstance(instance, str) or not instance:
            yield Problem(path, None, pointer(key, at), f"expected an id, got {quoted(whole.plain[key][at])}")
        elif instance in into:
            yield Aside(path, None, pointer(key, at), f"{quoted(instance)} stands there twice: it is one run")
        else:
            into[instance] = None


def _outcomes(lists: Mapping[str, dict[str, None]], reasons: Any) -> dict[str, dict[str, _Outcome]]:
    """Instance -> list that it stands in -> outcome; lists that say the same are one."""
    why = reasons if isinstance(reasons, dict) else {}
    given = {
        "resolved": _Outcome(True),
        "unresolved": _Outcome(False),
        "empty_patch": _Outcome(False),
        "error": _Outcome(None, "the evaluation failed"),
    }
    found: dict[str, dict[str, _Outcome]] = {}
    for kind in KINDS:
        for instance in lists[kind]:
            outcome = given[kind]
            if instance in lists["infra_failure"] and kind != "resolved":
                outcome = _Outcome(None, str(why.get(instance) or "infrastructure failure"))
            mine = found.setdefault(instance, {})
            if outcome[:1] not in {other[:1] for other in mine.values()}:
                mine[kind] = outcome
    for kind in ("submitted", "completed"):
        for instance in lists[kind]:
            found.setdefault(instance, {"": _Outcome(None)})
    return found


def _counts(
    report: Mapping[str, Any], lists: Mapping[str, dict[str, None]], held: int, source: _Source, path: str
) -> Iterator[Made]:
    """What the report says of its lists and of its instances, where that is not what was read."""
    for kind, ids in lists.items():
        count, key = report.get(f"{kind}_instances"), f"{kind}_instances"
        if isinstance(count, int) and f"{kind}_ids" in report and count != len(ids):
            yield Aside(path, None, key, f"says {count}; {kind}_ids holds {len(ids)}")
    total = report.get("total_instances", report.get("submitted_instances"))
    if isinstance(total, int) and total != held:
        yield Declared.by(path, RunsDeclared(total, held), field="total_instances", model=source.model)
    submitted, resolved = report.get("submitted_instances"), report.get("resolved_instances")
    if isinstance(submitted, int) and isinstance(resolved, int) and submitted > 0:
        known = len(lists["resolved"]) + len(lists["unresolved"]) + len(lists["empty_patch"])
        mean = len(lists["resolved"]) / known if known else None
        if resolved != len(lists["resolved"]):
            own = OwnFigure("resolved of submitted", resolved / submitted, mean)
            yield Declared.by(path, own, field="resolved_instances", model=source.model, scorer=SCORER)


# ---------------------------------------------------------------- files beside each other


def _own_reports(file: OutsideFile) -> dict[tuple[str, str, str], str]:
    """(Run, model, instance) -> path of the instance's own report."""
    found = {}
    for name in file.names:
        if name.endswith(f"/{REPORT}"):
            *_, run, model, instance, _ = ("", "", "", *name.split("/"))
            found[run, model, instance] = name
    return found


def _of_the_same_name(file: OutsideFile) -> Iterator[str]:
    """Earlier paths of files that are named as this one: by run, model and instance where folders are."""
    parts = file.path.split("/")
    depth = 4 if parts[-1] == REPORT else 2 if parts[-1].removesuffix(".json") in PLAIN_NAMES else 1
    tail = "/".join(parts[-depth:])
    if len(parts) < depth or tail not in "\n".join(
        file.names
    ):  # as for nearly every file; asking each name would take longer
        return
    for name in file.names:
        if name < file.path and (name == tail or name.endswith(f"/{tail}")):
            yield name


def _copy_of(file: OutsideFile) -> str | None:
    return next((name for name in _of_the_same_name(file) if file.read(name) == file.data), None)


def _readable(file: OutsideFile, path: str) -> Mapping[str, Any]:
    """A file beside this one; nothing where it cannot be read, which its own reading tells."""
    try:
        return read_object(file.read(path), path).plain
    except FormatError:
        return {}


ADAPTER = Adapter(
    beside=(".json", ".jsonl", ".ndjson"),
    format="swe-bench",
    title="SWE-bench reports",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    nearly=nearly,
    example="logs/run_evaluation/RUN/MODEL/django__django-11099/report.json",
    reads="what was resolved, by a run's lists of ids (MODEL.RUN.json), instances' own reports or a "
    "leaderboard's per_instance_details.json with cost; counts are compared with the lists",
)
