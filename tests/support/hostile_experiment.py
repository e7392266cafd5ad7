"""An experiment in which every text that a reader could see is hostile, and everything still counts.

Every field of every record type that holds text, free keys of objects, names of files, settings, prices,
controls, cards and contracts. By night each holds every payload of `tests.support.hostile_text` in one record
or another; by day each record holds every payload in one field or another.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from tests.support.by_day import by_night
from tests.support.hostile_text import LURES, PAYLOADS, TEXTS

RUN = {
    "id": "*",
    "stamp": "2026-07-05T10:00:00Z",
    "name": "*",
    "kind": "*",
    "axis": "*",
    "model": "*",
    "agent": "*",
    "label": "*",
    "continuation": "*",
    "mode": "*",
    "config": {"*": "*", "mode": "*"},
    "change": 0.5,
    "change_detail": [["*", True], ["*", False]],
    "regress": 0.5,
    "regress_total": 2,
    "regress_misses": ["*"],
    "changed_files": ["*"],
    "answer_files": ["*"],
    "truth_files": ["*"],
    "error": None,
    "wall_s": 2.5,
    "cost": 0.25,
    "rep": 0,
    "turns": [{"*": "*"}],
    "not read": "*",
    "metrics": {
        "input_tokens": 10,
        "output_tokens": 5,
        "cost_usd": 0.1,
        "by_role": {"*": {"input_tokens": 1, "output_tokens": 1, "*": "*"}},
    },
}
TRACE = {
    "schema": "trace.v1",
    "task_id": "*",
    "agent": "*",
    "model": "*",
    "rep": 0,
    "exit_code": 0,
    "patch": "*",
    "oracle_files": ["*"],
    "touched_files": ["*"],
    "tests_passed": True,
    "stamp": "2026-07-06T10:00:00Z",
    "wall_s": 1.5,
    "cost_usd": 0.1,
    "prompt_tokens": 10,
    "completion_tokens": 5,
    "contract_id": None,
    "scores": {"*": 1.0},
    "suite": "*",
    "answer": "*",
    "error": None,
    "run_id": "*",
    "prompt_sha256": "*",
    "tools_sha256": "*",
    "*": "*",
}
TURN = {
    "scenario_id": "*",
    "turn_index": 0,
    "rep": 0,
    "chat": "*",
    "coder": "*",
    "type": "coder",
    "check_kind": "*",
    "check_passed": True,
    "check_note": "*",
    "difficulty": "*",
    "error": None,
    "stamp": "2026-07-05T10:00:00Z",
    "cost_usd": 0.1,
    "latency_s": 2.0,
    "prompt_tokens": 10,
    "completion_tokens": 5,
}
MEASUREMENT = {
    "measurement": "total",
    "scenario_id": "*",
    "l1": "*",
    "l2": "*",
    "l3": "*",
    "ref_coder": "*",
    "route_expected": "*",
    "route_actual": "*",
    "plan": "*",
    "note": "*",
    "passed": False,
    "attribution": "router",
    "error": None,
    "stamp": "2026-07-05T10:00:00Z",
    "rep": 0,
    "l1_cost": 0.1,
    "total_cost": 0.1,
}
ATTEMPT = {
    "scenario": "*",
    "attempt_id": "*",
    "workflow": "*",
    "model": "*",
    "agent": "*",
    "suite": "*",
    "attack": "*",
    "injection": "*",
    "scenario_type": "*",
    "utility_achieved": True,
    "security_breached": False,
    "autonomy_achieved": None,
    "evaluation_errors": {"autonomy_achieved": "*", "*": "*"},
    "evaluations": {"utility_achieved": "*", "*": "*"},
    "evaluators": {"*": "*"},
    "error": None,
    "observation_error": None,
    "run_id": "*",
    "status": "*",
    "conclusion": "*",
    "agent_output": "*",
    "phases": ["*"],
    "parent_attempt_id": "*",
    "seed": "*",
    "stamp": "2026-07-05T10:00:00Z",
    "rep": 0,
}
WIDE = ["\u00b7".join(TEXTS[at::4] if by_night() else TEXTS[at : at + 1]) for at in range(4)]
"""Every payload once, in four texts; by day a third of them, since such names stand in each id."""

ARMS = ("model", "agent")
"""Fields whose values are arms, each pair of which is a page. They hold four of `TEXTS`; all of `WIDE` stand
beside each other in the families whose records have few other fields."""

DAY = {len(TEXTS): (0, 5), len(WIDE): (0, 1)}
"""Which records are written by day, by how many texts there are: each of another arm, the last with an error;
the contract fails on the last of the traces."""

LAYOUT = {"logs_big": RUN, "traces": TRACE, "logs": TURN, "logs_layered": MEASUREMENT, "attempts": ATTEMPT}

CONTRACT = '''\
"""%s"""

CONTRACT_ID = "lure/v1-x"


def score_trace(trace):
    """%s"""
    if trace.get("rep") == 5:
        raise ValueError(trace["patch"])
    return 1.0 if trace.get("tests_passed") else 0.0


FIXTURES = [({"tests_passed": True}, 1.0), ({}, 0.0)]
'''


def write(root: Path) -> Path:
    """Write the content folder that holds the experiment, and return it."""
    experiment = root / "experiments" / "<img src=x onerror=pwned()>"
    for folder, record in LAYOUT.items():
        (experiment / folder).mkdir(parents=True)
        for number, rows in enumerate(records(record, TEXTS if record in (RUN, TRACE) else WIDE)):
            _lines(experiment / folder / _file_name(number, ".jsonl"), rows)
    for number, payload in enumerate(PAYLOADS):
        _put(
            experiment / "notes" / _file_name(number, payload.replace("/", "_").replace("\0", "")[:60]),
            payload,
        )
    _put(experiment / "experiment.yaml", _settings())
    _put(experiment / "contracts" / "metric.py", CONTRACT % (_plain(TEXTS[0]), _plain(TEXTS[1])))
    _json(experiment / "controls" / "sanity.json", _sanity())
    _json(
        experiment / "controls" / "attribution_selftest.json",
        {"stamp": "2026-07-01T00:00:00Z", "fired": ["router", "planner", "coder"]},
    )
    _json(experiment / "eval_pack" / "tasks.json", [_card(at) for at in range(len(TEXTS))])
    _put(experiment / "eval_pack" / _file_name(0, ".txt"), TEXTS[4])
    _put(experiment / "notes" / "a.sums", "\n".join(TEXTS))
    _put(experiment / "pricing" / "a.yaml", _prices())
    _put(
        root / "site.yaml",
        "".join(
            f"{key}: {_quoted(TEXTS[at])}\n"
            for at, key in enumerate(("title", "subtitle", "description", "notice"))
        ),
    )
    _put(root / "index.md", f"---\ntitle: {_quoted(TEXTS[5])}\nlede: {_quoted(TEXTS[6])}\n---\n\n" + _prose())
    shutil.copytree(experiment / "pricing", root / "pricing")
    return root


def records(shape: dict[str, Any], texts: list[str]) -> Iterator[list[dict[str, Any]]]:
    """Logs of a record or two; over all, each ``*`` has held every text, an arm four of them.

    By day some of them: every text stands in every record then, in whichever field; two arms are compared.
    """
    for at in range(len(texts)) if by_night() else DAY[len(texts)]:
        record = _filled(shape, (texts[n % len(texts)] for n in count(at))) | {"rep": at}
        record |= {field: texts[at % 4 * len(texts) // 4] for field in ARMS if field in record}
        if at == 0:  # lists that hold each payload by itself
            record |= {key: PAYLOADS for key, value in shape.items() if value == ["*"]}
            if "change_detail" in shape:
                record |= {
                    "change_detail": [[p, n % 2 == 0] for n, p in enumerate(PAYLOADS)],
                    "regress_total": len(PAYLOADS),
                }
        yield [record, {**record, "error": texts[at], "rep": 99}] if at % 4 == 1 else [record]


def _filled(shape: Any, texts: Iterator[str]) -> Any:
    match shape:
        case "*":
            return next(texts)
        case dict():
            return {
                (next(texts) if key == "*" else key): _filled(value, texts) for key, value in shape.items()
            }
        case list():
            return [_filled(value, texts) for value in shape]
    return shape


def _settings() -> str:
    lines = [f"title: {_quoted(TEXTS[2])}", f"description: {_quoted(TEXTS[7])}", "names:"]
    lines += [f"  {_quoted(text)}: {_quoted(TEXTS[at - 1])}" for at, text in enumerate(TEXTS)]
    lines += ["models:", *(f"  {_quoted('nobody ' + text)}: {_quoted('shown ' + text)}" for text in TEXTS)]
    return "\n".join(
        [
            *lines,
            f"grader_version: {_quoted(TEXTS[8])}",
            "check_classes:",
            f"  {_quoted(TEXTS[0])}: executed",
            "",
        ]
    )


def _sanity() -> dict[str, Any]:
    return {
        "control": "sanity",
        "stamp": "2026-07-01T00:00:00Z",
        "regression": {"total": 2, "passed": 2, "misses": []},
        "fix_graders": [{"id": payload, "passed": False, "detail": payload} for payload in PAYLOADS],
        "refactor_checks": [{"id": text, "passed": False, "detail": text} for text in TEXTS],
    }


def _card(at: int) -> dict[str, Any]:
    names = ("id", "repo", "language", "class", "inputs")
    return {
        **{name: TEXTS[(at + n) % len(TEXTS)] for n, name in enumerate(names)},
        "id": TEXTS[at],
        "split": "probe" if at == 5 else "eval",
        "oracle_files": PAYLOADS[at::12],
    }


def _prices() -> str:
    lines = [
        "fetched: 2026-07-05",
        f"title: {_quoted(TEXTS[10])}",
        f"source: {_quoted(TEXTS[11])}",
        "models:",
    ]
    lines += [
        f"  {_quoted(text)}: {{input: 1, output: 2, source: {_quoted(PAYLOADS[at])}}}"
        for at, text in enumerate(TEXTS)
    ]
    lines += [
        f"  m{at}: {{input: 1, output: 2, source: {_quoted(payload)}}}" for at, payload in enumerate(PAYLOADS)
    ]
    lines += [f"aliases: {{{_quoted('alias ' + TEXTS[0])}: {_quoted(TEXTS[1])}}}", "corrections:"]
    lines += [
        f"  - {{date: 2026-07-19, model: {text}, was: {{input: 3, output: 4}}, reason: {text}}}"
        for text in map(_quoted, TEXTS)
    ]
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    """As it can stand in YAML, whatever it holds."""
    spelled = (c if " " <= c <= "~" and c not in '"\\\\' else f"\\U{ord(c):08x}" for c in text)
    return '"' + "".join(spelled) + '"'


def _prose() -> str:
    """Authored Markdown, in which raw HTML stays text; pictures from elsewhere would be refused."""
    plain = [p for p in PAYLOADS if not p.startswith(("![", "//", "[", "<javascript:")) and p not in LURES]
    return "\n\n".join(payload.replace("\n", " ") for payload in plain if payload.isprintable()) + "\n"


def _plain(text: str) -> str:
    """As it can stand in a Python docstring."""
    return (
        text.replace("\\", "\\\\")
        .replace('"', '\\"')
        .replace("\0", "")
        .replace("\r", " ")
        .replace("\x0c", " ")
    )


def _file_name(number: int, ending: str) -> str:
    return f"{TEXTS[number % len(TEXTS)][:90].replace('/', '_')}{number}{ending}"


def _lines(path: Path, rows: list[dict[str, Any]]) -> None:
    _put(path, "".join(json.dumps(row) + "\n" for row in rows) + "<!doctype html><script>pwned()</script>\n")


def _json(path: Path, value: Any) -> None:
    _put(path, json.dumps(value))


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
