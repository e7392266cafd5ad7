"""Inspect logs as a test needs them: a header, samples, the JSON form and the archive of them."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from pathlib import Path
from typing import Any

import metrics_core as mc
from metrics_core.adapters.inspect.adapter import convert
from metrics_core.formats import Element, OutsideFile
from metrics_core.results import Aside, Estimate, Report


def header(**more: Any) -> dict[str, Any]:
    told = {"task": "sums", "task_id": "T1", "task_version": 0, "model": "alpha",
            "created": "2026-07-05T10:00:00+00:00", "run_id": "r1"}  # fmt: skip
    return {"version": 2, "status": "success", "eval": told, "plan": {"steps": []}, **more}


def sample(name: Any, epoch: int = 1, **more: Any) -> dict[str, Any]:
    return {"id": name, "epoch": epoch, "messages": [{"role": "user", "content": "?"}], **more}


def graded(name: Any, value: Any, epoch: int = 1) -> dict[str, Any]:
    return sample(name, epoch, scores={"match": {"value": value, "answer": "4"}})


def log(*samples: Any, **more: Any) -> bytes:
    return json.dumps({**header(**more), "samples": list(samples)}).encode()


def archive(
    *samples: Any, method: int = zipfile.ZIP_DEFLATED, name: str = "header.json", **more: Any
) -> bytes:
    made = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w", method) as file:
        warnings.simplefilter("ignore")  # a sample that was tried again stands there twice
        for one in samples:
            file.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        file.writestr("summaries.json", "[]")
        file.writestr(name, json.dumps(header(**more)))
    return made.getvalue()


def read(data: bytes, path: str = "a.json") -> list[Any]:
    """Records and problems of a log, without what it says of itself."""
    made = convert(OutsideFile(path=path, data=data))
    return [dict(m.record) if isinstance(m, Element) else m for m in made if not isinstance(m, Aside)]


def measured(folder: Path, files: dict[str, bytes]) -> Report:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return mc.compute(mc.load(folder))


def whole(report: Report, metric: str = "score") -> Estimate:
    (found,) = (e for e in report.find(metric) if not e.group)
    return found
