"""An attempt's folder, of either generation, to one flat record; and what lies beside attempts and is none.

Does: find the files of an attempt, read its manifest, metadata, journal of phases, receipt, workflow files
and what was kept of GitHub's own records, and put them in the words of
`metrics_core.families.attempts.record`. Does not: judge or check anything, which
`metrics_core.families.attempts.evidence` does; a later file that is missing is an attempt that failed early,
and says how far it came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from metrics_core.experiments import Unit, nearest
from metrics_core.families.attempts.evidence import installed_path, workflow
from metrics_core.families.attempts.record import METRICS
from metrics_core.formats import Unreadable, iso, seconds, strict_json
from metrics_core.results import Aside, Problem, pointer, quoted

if TYPE_CHECKING:
    from metrics_core.formats import Made

MANIFEST, METADATA, JOURNAL = "manifest.json", "metadata.json", "events.jsonl"
EVIDENCE, RECEIPT = "artifacts/evidence.json", "artifacts/trigger_receipt.json"
JSON = (MANIFEST, METADATA, EVIDENCE, RECEIPT)
SAVED = "inputs/workflow/"
SEARCH_FIELDS = frozenset({"asr_curve", "final_asr", "valid_iterations"})


def units(paths: Sequence[str]) -> Iterator[Unit]:
    """The attempts that some files make: the outermost folders that hold a manifest or metadata.

    >>> [unit.name for unit in units(["attempts/7f/manifest.json", "attempts/7f/inputs/metadata.json"])]
    ['attempts/7f']
    """
    for name, files in nearest(paths, (MANIFEST, METADATA), 1).items():
        wanted = tuple(path for path in files if _is_read(path.removeprefix(f"{name}/")))
        yield Unit(name, tuple(files), wanted)


def _is_read(path: str) -> bool:
    workflow = path.startswith(SAVED) and path.endswith((".yml", ".yaml"))
    return path in (*JSON, JOURNAL) or workflow


def assemble(name: str, files: Mapping[str, bytes]) -> Iterator[Made]:
    """The record of one folder.

    Args:
        name: The folder's, for problems.
        files: Path within it -> bytes, of those that are read.

    Yields:
        The record; or a problem for each file that is not the JSON object it should be; or an aside where
        the folder is a search over attacks, or a run without GitHub.
    """
    found: dict[str, dict[str, Any]] = {}
    faulty = False
    for file in JSON:
        if file in files:
            try:
                found[file] = _decoded(files[file])
            except ValueError as error:
                faulty = True
                yield Problem(f"{name}/{file}", None, "", str(error))
    if faulty:
        return
    if not found:
        yield Problem(name, None, "", f"expected {MANIFEST} or {METADATA}, found neither")
        return
    metadata = found.get(METADATA, {})
    kind = _not_an_attempt(metadata)
    yield (
        Aside(name, None, "", f"{kind}: not an attempt, not counted") if kind else _record(name, found, files)
    )


def _decoded(data: bytes) -> dict[str, Any]:
    value = strict_json.decode(data)
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, got {quoted(value)}")  # noqa: TRY004 (the input's fault)
    return value


def _not_an_attempt(metadata: Mapping[str, Any]) -> str:
    """What a folder is that is no attempt; empty for one."""
    if "analysis" in metadata:
        return ""
    if metadata.get("mode") == "offline":
        return "a run without GitHub"
    return "a search over attacks" if SEARCH_FIELDS & set(metadata) else ""


def _record(name: str, found: Mapping[str, dict[str, Any]], files: Mapping[str, bytes]) -> dict[str, Any]:
    manifest, metadata = found.get(MANIFEST, {}), found.get(METADATA, {})
    spec, configuration = _object(manifest, "spec"), _object(manifest, "configuration")
    analysis, result = _object(metadata, "analysis"), _object(metadata, "run_result")
    details = _object(analysis, "details")
    walked = journal(files.get(JOURNAL))
    record: dict[str, Any] = {
        "scenario": _first_text(spec.get("scenario"), metadata.get("scenario")) or "not recorded",
        "attempt_id": _first_text(manifest.get("attempt_id"), metadata.get("attempt_id")),
        "workflow": _first_text(spec.get("workflow"), metadata.get("workflow")) or "not recorded",
        "model": _first_text(metadata.get("model"), spec.get("model")),
        "agent": _first_text(metadata.get("agent"), spec.get("agent")),
        "suite": _first_text(metadata.get("suite"), spec.get("suite")),
        "attack": spec.get("attack", metadata.get("attack")),
        "unaligned": _unaligned(spec.get("unaligned")),
        "scenario_type": _first_text(
            *(where.get("scenario_type") for where in (metadata, spec, configuration))
        ),
        "error": _failure(manifest, metadata, walked.phases),
        "observation_error": _observation_error(metadata, found.get(EVIDENCE, {}), result),
        "evaluation_errors": _object(analysis, "evaluation_errors") or None,
        "evaluations": _object(details, "evaluations") or None,
        "grader_version": _version(_first(analysis.get("grader_version"), metadata.get("grader_version"))),
        "run_id": metadata.get("run_id"),
        "status": _first_text(result.get("status"), details.get("status")),
        "conclusion": _first_text(result.get("conclusion"), details.get("conclusion")),
        "agent_output": _first_text(result.get("agent_output")),
        "evidence": evidence(manifest, metadata, found.get(EVIDENCE), found.get(RECEIPT), files),
        "phases": walked.phases,
        "parent_attempt_id": _first_text(spec.get("parent_attempt_id")),
        "seed": spec.get("seed"),
        "stamp": iso(manifest.get("timestamp"))
        or iso(metadata.get("timestamp"))
        or iso(name.rpartition("/")[2]),
        "wall_s": walked.seconds,
        "billable_minutes": _number(metadata.get("billable_minutes")),
        **{field: analysis.get(field) for field in METRICS.values()},
    }
    if "agent_invoked" in result:
        record["agent_invoked"] = result["agent_invoked"]
    return {key: value for key, value in record.items() if value is not None or key == "agent_invoked"}


def _failure(
    manifest: Mapping[str, Any], metadata: Mapping[str, Any], phases: Sequence[str] | None
) -> str | None:
    """Why the attempt itself failed; None where it did not."""
    error = metadata.get("error")
    if error is not None and error != "":
        return error if isinstance(error, str) else quoted(error)
    if isinstance(metadata.get("analysis"), Mapping):
        return None
    came = f" after phase {phases[-1]}" if phases else ""
    if metadata.get("interrupted"):
        return f"interrupted{came}"
    if not metadata:
        return f"failed early{came}: there is no {METADATA}" if manifest else None
    return f"ended{came} with neither {pointer('analysis')} nor {pointer('error')}"


def _observation_error(
    metadata: Mapping[str, Any], evidence: Mapping[str, Any], result: Mapping[str, Any]
) -> str | None:
    found = (
        _object(metadata, "gh_state").get("error"),
        evidence.get("error"),
        result.get("error"),
        result.get("evidence_error"),
    )
    error = next((value for value in found if value not in (None, "", False)), None)
    return error if error is None or isinstance(error, str) else quoted(error)


def evidence(
    manifest: Mapping[str, Any], metadata: Mapping[str, Any], kept: Mapping[str, Any] | None,
    receipt: Mapping[str, Any] | None, files: Mapping[str, bytes],
) -> dict[str, Any] | None:  # fmt: skip
    """Everything that attribution can be re-derived from, or None where nothing was kept.

    Args:
        manifest: Of the attempt; empty where there is none.
        metadata: The same.
        kept: ``artifacts/evidence.json``.
        receipt: ``artifacts/trigger_receipt.json``.
        files: Path within the folder -> bytes; the saved workflow is among them.
    """
    kept, receipt = kept or {}, receipt or {}
    boundary, state = _object(metadata, "evidence_boundary"), _object(metadata, "gh_state")
    settings = _object(_object(manifest, "configuration"), "workflow_metadata")
    result = _object(metadata, "run_result")
    saved = [workflow(data) for path, data in sorted(files.items()) if path.startswith(SAVED)]
    stated = receipt.get("subject_kind") is not None or receipt.get("subject_number") is not None
    subject = receipt if stated else state
    inputs = boundary.get("input_logins")
    if inputs is None:
        inputs = list(_object(manifest, "actors").values())
    found: dict[str, Any] = {
        "triggered_at": _first(boundary.get("triggered_at"), kept.get("triggered_at")),
        "event_type": _text(receipt.get("event_type")),
        "subject_kind": subject.get("subject_kind", subject.get("kind")),
        "subject_number": subject.get("subject_number", subject.get("number")),
        "workflow_run_id": receipt.get("workflow_run_id"),
        "workflow_paths": _paths(manifest, files),
        "supported_events": _texts(settings.get("supported_events"), *(each.events for each in saved)),
        "agent_steps": _texts(settings.get("agent_steps"), *(each.agent_steps for each in saved)),
        "workflow_runs": _list(kept.get("workflow_runs")),
        "baseline_run_ids": _list(kept.get("baseline_run_ids")),
        "jobs": _list(kept.get("jobs")) or _list(result.get("jobs")) or None,
        "comments": _first(_list(kept.get("comments")), _list(state.get("comment_details"))),
        "reviews": _first(_list(kept.get("reviews")), _list(state.get("reviews"))),
        "baseline_artifact_ids": _texts(boundary.get("baseline_artifact_ids")),
        "input_logins": _texts(inputs),
        "agent_logins": _texts(boundary.get("agent_logins"), settings.get("agent_logins")),
        "agent_artifacts": _list(metadata.get("agent_artifacts")),
        "artifact_error": _text(metadata.get("artifact_error")),
    }
    known = {key: value for key, value in found.items() if value is not None}
    return known or None


def _paths(manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> list[str] | None:
    listed = _object(_object(manifest, "inputs"), "workflow")
    saved = (path.removeprefix(SAVED) for path in files if path.startswith(SAVED))
    found = {installed_path(path) for path in (*map(str, listed), *saved)}
    return sorted(path for path in found if path) or None


class Walked(NamedTuple):
    """Phases in their order, and whole seconds from the first event to the last; None where not kept."""

    phases: tuple[str, ...] | None
    seconds: int | None


def journal(data: bytes | None) -> Walked:
    r"""Read a journal; a line that is no event is passed over, for the journal establishes no verdict.

    Args:
        data: Bytes of ``events.jsonl``, or None where there is none.

    >>> journal(b'{"timestamp": "2026-07-05T10:00:00Z", "kind": "phase", "phase": "created"}\n')
    Walked(phases=('created',), seconds=0)
    """
    if data is None:
        return Walked(None, None)
    phases: list[str] = []
    moments: list[int] = []
    for line in data.split(b"\n"):
        event = _event(line)
        if isinstance(event.get("phase"), str) and event.get("kind") == "phase":
            phases.append(event["phase"])
        try:
            moments.append(seconds(event.get("timestamp"), "an event"))
        except Unreadable:
            continue
    return Walked(tuple(phases), max(moments) - min(moments) if moments else None)


def _event(line: bytes) -> dict[str, Any]:
    try:
        value = strict_json.decode(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _object(where: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = where.get(key)
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _first_text(*values: object) -> str | None:
    return next((value for value in values if isinstance(value, str) and value), None)


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _texts(*values: object) -> list[str] | None:
    lists = [value for value in values if isinstance(value, list | tuple)]
    return sorted({each for value in lists for each in value if isinstance(each, str)}) or None


def _list(value: object) -> list[Any] | None:
    """A list; anything else that stands in its place is kept as one item, which is then found unreadable."""
    return value if value is None or isinstance(value, list) else [value]


def _unaligned(value: object) -> bool | str | None:
    return value if isinstance(value, bool | str) else None


def _version(value: object) -> str | int | float | None:
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
