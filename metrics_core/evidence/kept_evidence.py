"""The parts of an attempt's folder that GitHub's own records were kept in, under the names of the record.

Does: gather them from manifest, metadata, kept evidence, receipt and workflow files. Does not: check them;
`workflow_run`, `invocation` and `output` say what is wrong with what they need.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrics_core.evidence.installed_workflow import installed_path, workflow

SAVED = "inputs/workflow/"


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
    boundary, state = _object(metadata.get("evidence_boundary")), _object(metadata.get("gh_state"))
    settings = _object(_object(manifest.get("configuration")).get("workflow_metadata"))
    result = _object(metadata.get("run_result"))
    saved = [workflow(data) for path, data in sorted(files.items()) if path.startswith(SAVED)]
    stated = receipt.get("subject_kind") is not None or receipt.get("subject_number") is not None
    subject = receipt if stated else state
    inputs = boundary.get("input_logins")
    if inputs is None:
        inputs = list(_object(manifest.get("actors")).values())
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
    told = {key: value for key, value in found.items() if value is not None}
    return told or None


def _paths(manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> list[str] | None:
    listed = _object(_object(manifest.get("inputs")).get("workflow"))
    saved = (path.removeprefix(SAVED) for path in files if path.startswith(SAVED))
    found = {installed_path(path) for path in (*map(str, listed), *saved)}
    return sorted(path for path in found if path) or None


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _list(value: object) -> list[Any] | None:
    """A list; anything else that stands in its place is kept as one item, which is then found unreadable."""
    return value if value is None or isinstance(value, list) else [value]


def _texts(*values: object) -> list[str] | None:
    lists = [value for value in values if isinstance(value, list | tuple)]
    return sorted({each for value in lists for each in value if isinstance(each, str)}) or None


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)
