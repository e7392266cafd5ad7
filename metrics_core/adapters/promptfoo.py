"""promptfoo results as traces: JSON of versions 2 and 3 and lines, by ``eval --output`` and ``export``.

The provider is the arm, by its label where it has one; the test case is the task, the prompt a circumstance.
``success`` and ``score`` are scorers, so is each named metric; an assertion without a name is a check of its
type. A provider that failed is an error, and no failed test; a test that asserts nothing has no verdict,
though the harness counts it as passed. Does not: run assertions again, or take totals for results.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any, TypeVar

from msgspec import Struct

from metrics_core.digest import canonical, of_bytes, short
from metrics_core.errors import FormatError
from metrics_core.formats import (
    Adapter,
    Declared,
    Element,
    Made,
    OutsideFile,
    OwnFigure,
    RunsDeclared,
    first_keys,
    inner,
    number,
    read_lines,
    read_value,
    recorded,
    stated,
)
from metrics_core.results import Aside, NoRuns, Problem, pointer, quoted

K = TypeVar("K")
V = TypeVar("V")

ERROR = 2
"""``failureReason`` of a test that could not be run; 1 is an assertion that failed, 0 is none."""

SUCCESS, SCORE = "success", "score"
LONGEST_NAME = 100
"""Characters of a task's name, or a prompt's, before it is cut and told by a digest."""

SIGNS = frozenset({
    "failureReason", "gradingResult", "latencyMs", "namedScores", "promptId", "promptIdx", "testCase",
    "testIdx", "tokenUsage",
})  # fmt: skip
"""Keys of a result by which it is told from other objects; its order is not the same in every version."""

SUMMARY = frozenset({"prompts", "results", "stats", "table", "timestamp", "version"})
"""Keys of a summary, bare or as ``results`` of an evaluation."""

_SCALARS = rb'(?:"\w+"\s*:\s*(?:null|true|false|"[^"]*"|[\d.]+)\s*,\s*){0,12}'
_WITHIN = re.compile(rb"\s*\{\s*" + _SCALARS + rb'"results"\s*:\s*(\{.*|\[\s*\{.*)', re.DOTALL)
_NAMED = re.compile(rb'\s*\{\s*"(?:evalId|id)"\s*:\s*"eval-\w+-\d{4}-\d\d-\d\dT')
_SETTINGS = re.compile(rb"(?m)^(?:providers|targets)\s*:")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def claims(path: str, head: bytes) -> bool:
    """An evaluation with its results, a summary alone, or results one by one."""
    if path.endswith(".jsonl"):
        return _is_result(head)
    if not path.endswith(".json"):
        return False
    within = _WITHIN.match(head)
    return bool(
        _NAMED.match(head)
        or _is_summary(head, others=2)
        or (within and (_is_summary(within[1], others=0) or _is_result(within[1])))
        or (head.lstrip().startswith(b"[") and _is_result(head))
    )


def _is_summary(head: bytes, others: int) -> bool:
    """Whether the first object is a summary: its version, so many of its other keys, and nothing else."""
    keys = frozenset(first_keys(head))
    return "version" in keys and keys <= SUMMARY and len(keys) > others


def _is_result(head: bytes) -> bool:
    """Whether the first object is a result, as far as it can be seen: a large one ends beyond."""
    keys = frozenset(first_keys(head))
    begins = {"provider", "prompt"} <= keys and b'"raw"' in head
    return len(keys & SIGNS) > 1 or {"cost", "gradingResult"} <= keys or begins


def nearly(path: str, head: bytes) -> str:
    """The harness's own settings, without what came of them."""
    if path.endswith((".yaml", ".yml")) and _SETTINGS.search(head) and re.search(rb"(?m)^prompts\s*:", head):
        return "promptfoo's settings, but without results (promptfoo eval --output results.json)"
    return ""


class _Evaluation(Struct, frozen=True):
    """A file's results, each with its number and, where they are lines of their own, with its line."""

    name: str | None
    suite: str | None
    stamp: str | None
    stats: Mapping[str, Any]
    rows: tuple[tuple[int, Any], ...]
    problems: tuple[Problem, ...] = ()


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a result, in the order of the file.

    >>> result = '{"provider": {"id": "echo"}, "vars": {"name": "Ada"}, "success": true, "score": 1}'
    >>> data = b'{"results": {"version": 3, "results": [%s]}}' % result.encode()
    >>> record = next(convert(OutsideFile(path="a.json", data=data))).record
    >>> record["task_id"], record["agent"], record["scores"]
    ('name=Ada', 'echo', {'success': True, 'score': 1})
    """
    found = _lines(file) if file.path.endswith(".jsonl") else _summary(file)
    rows = []
    problems = list(found.problems)
    for at, row in found.rows:
        if not isinstance(row, dict) or _provider(row) is None:
            what = f"expected a result with a provider, got {quoted(row)}"
            problems.append(Problem(file.path, at, "provider", what))
        else:
            rows.append((at, row))
    if not rows and not problems:
        yield NoRuns(file.path, None, "results", "the evaluation holds no results: nothing can be counted")
    names = _Names.of([row for _, row in rows])
    seen: Counter[tuple[str, str, str]] = Counter()
    for _, row in rows:
        arm, task, prompt = names.arm(row), names.task(row), names.prompt(row)
        seen[arm, task, prompt] += 1
        rep = seen[arm, task, prompt]
        record = {
            "schema": "trace.v1", "task_id": task, "agent": arm, "model": _provider(row), "rep": rep,
            "suite": names.suite(row, found.suite), "stamp": found.stamp,
            "prompt_sha256": prompt or None, **_run(row),
        }  # fmt: skip
        whole: Any = row if row.get("id") else {"evaluation": found.name, "repetition": rep, "result": row}
        yield Element(record={**stated(record), "scores": _scores(row)}, source=canonical(whole))
    yield from problems
    yield from names.told(file.path)
    if idle := sum(_asserts_nothing(row) for _, row in rows):
        what = (
            f"{idle} results are of tests that assert nothing: no verdict, though the harness counts a pass"
        )
        yield Aside(file.path, None, "", what)
    yield from _differences(file.path, found, [row for _, row in rows])


# ------------------------------------------------------------------ the file


def _lines(file: OutsideFile) -> _Evaluation:
    rows: list[tuple[int, Any]] = []
    problems: list[Problem] = []
    for item in read_lines(file.data, file.path):
        if isinstance(item, Problem):
            problems.append(item)
        else:
            rows.append((item.number, item.value))
    return _Evaluation(None, None, None, {}, tuple(rows), tuple(problems))


def _summary(file: OutsideFile) -> _Evaluation:
    whole = read_value(file.data, file.path)
    if isinstance(whole, list):
        whole = {"results": whole}
    if not isinstance(whole, dict):
        raise FormatError(f"expected an object with results, got {quoted(whole)}", where=file.path)
    summary = whole if isinstance(whole.get("results"), list) else inner(whole, "results")
    if not isinstance(summary.get("results"), list):
        what = ", there are only totals" if isinstance(summary.get("stats", whole.get("stats")), dict) else ""
        hint = "promptfoo eval --output results.json writes results" if what else ""
        raise FormatError(f"expected results/results, a list of results{what}", where=file.path, hint=hint)
    name = next((whole[key] for key in ("evalId", "id") if isinstance(whole.get(key), str)), None)
    said = next(
        (of["description"] for of in (inner(whole, "config"), whole) if _text(of.get("description"))), None
    )
    stamp = summary.get("timestamp") or whole.get("createdAt")
    return _Evaluation(
        name or (stamp if isinstance(stamp, str) else None), said, stamp if isinstance(stamp, str) else None,
        inner(summary, "stats"), tuple(enumerate(summary["results"], start=1)),
    )  # fmt: skip


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


# ------------------------------------------------------------------ arm, task and circumstance


def _provider(row: Mapping[str, Any]) -> str | None:
    """Id of the provider; older versions hold it bare."""
    provider = row.get("provider")
    return _text(provider.get("id")) if isinstance(provider, dict) else _text(provider)


def _template(row: Mapping[str, Any]) -> str | None:
    """The prompt before anything was put into it; ``raw`` is what was sent."""
    prompt = inner(row, "prompt")
    return next(
        (p for p in (prompt.get("label"), prompt.get("display"), prompt.get("raw")) if _text(p)), None
    )


def _case(row: Mapping[str, Any]) -> tuple[str | None, bytes]:
    """Description and whole definition of the test: a repeat has the same, another test has not."""
    case = inner(row, "testCase")
    given = case.get("vars") if isinstance(case.get("vars"), dict) else row.get("vars")
    return _text(case.get("description")) or _text(row.get("description")), canonical(
        [given, case.get("assert")]
    )


class _Names(Struct, frozen=True):
    """What things are called, once all results were seen.

    Attributes:
        described: Descriptions -> the tests that bear it.
        columns: Arm and prompt -> columns of the result table, where these are numbered.
        prompts: Every prompt.
        plain: Vars as a name -> the tests that have it.
    """

    described: Mapping[str, frozenset[bytes]]
    columns: Mapping[tuple[str, str], frozenset[int]]
    prompts: frozenset[str]
    plain: Mapping[str, frozenset[bytes]]

    @classmethod
    def of(cls, rows: list[dict[str, Any]]) -> _Names:
        described: defaultdict[str, set[bytes]] = defaultdict(set)
        columns: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        plain: defaultdict[str, set[bytes]] = defaultdict(set)
        for row in rows:
            description, case = _case(row)
            described[description or ""].add(case)
            plain[_vars(row)].add(case)
            if isinstance(row.get("promptIdx"), int):
                columns[_label(row), _prompt(row)].add(row["promptIdx"])
        prompts = frozenset(map(_prompt, rows))
        return cls(_fixed(described), _fixed(columns), prompts, _fixed(plain))

    def arm(self, row: Mapping[str, Any]) -> str:
        """The label, else the id; two columns of one name and prompt are told apart by their numbers."""
        name, at = _label(row), row.get("promptIdx")
        return f"{name} (column {at})" if len(self.columns.get((name, _prompt(row)), ())) > 1 else name

    def task(self, row: Mapping[str, Any]) -> str:
        """The description, else the vars; both, and at last a digest, where one name would be two tests."""
        description, case = _case(row)
        if description and len(self.described[description]) == 1:
            return _cut(description)
        plain = _vars(row)
        name = f"{description}, {plain}" if description and plain else description or plain or "test"
        alone = plain and len(self.plain[plain]) == 1
        return _cut(name) if alone else f"{_cut(name)} {short(of_bytes(case))}"

    def prompt(self, row: Mapping[str, Any]) -> str:
        return _prompt(row)

    def suite(self, row: Mapping[str, Any], said: str | None) -> str | None:
        """What the evaluation calls itself and, where it has several, the prompt."""
        template = _template(row) if len(self.prompts) > 1 else None
        parts = (_cut(said) if said else None, f"prompt {quoted(template)}" if template else None)
        return ", ".join(filter(None, parts)) or None

    def told(self, path: str) -> Iterator[Problem]:
        for (arm, _), columns in sorted(self.columns.items()):
            if len(columns) > 1:
                which = ", ".join(map(str, sorted(columns)))
                what = f"columns {which} have one provider and prompt: give each a label; they are kept apart"
                yield Aside(path, None, "", f"{quoted(arm)}: {what}")


def _fixed(found: Mapping[K, set[V]]) -> dict[K, frozenset[V]]:
    return {key: frozenset(values) for key, values in found.items()}


def _label(row: Mapping[str, Any]) -> str:
    provider = row.get("provider")
    label = _text(provider.get("label")) if isinstance(provider, dict) else None
    return label or _provider(row) or ""


def _prompt(row: Mapping[str, Any]) -> str:
    """Digest of the prompt before anything was put into it; empty where that is not told."""
    stated_, template = row.get("promptId"), _template(row)
    if isinstance(stated_, str) and _DIGEST.fullmatch(stated_):
        return stated_
    return of_bytes(template.encode()).removeprefix("sha256:") if template else ""


def _vars(row: Mapping[str, Any]) -> str:
    case = inner(row, "testCase")
    given = case["vars"] if isinstance(case.get("vars"), dict) else inner(row, "vars")
    words = (
        f"{key}={value if isinstance(value, str) else canonical(value).decode()}"
        for key, value in given.items()
    )
    return " ".join(", ".join(words).split())


def _cut(name: str) -> str:
    plain = " ".join(name.split())
    if len(plain) <= LONGEST_NAME:
        return plain
    return f"{plain[: LONGEST_NAME - 12]}... {short(of_bytes(plain.encode()))}"


# ------------------------------------------------------------------ the run


def _failed(row: Mapping[str, Any]) -> str | None:
    """Why the test could not be run.

    Older versions state no reason; what an assertion said is an error to them, too, beside its result.
    """
    error, reason = row.get("error"), row.get("failureReason")
    if reason == ERROR or (
        reason is None and error is not None and not isinstance(row.get("gradingResult"), dict)
    ):
        text = _text(error) or _text(inner(row, "response").get("error")) or "an error"
        return text.strip().splitlines()[0]
    return None


def _run(row: Mapping[str, Any]) -> dict[str, Any]:
    response, used = inner(row, "response"), inner(row, "tokenUsage")
    if not any(used.get(key) for key in ("prompt", "completion")):
        used = inner(response, "tokenUsage")
    counted = any(used.get(key) for key in ("prompt", "completion"))
    error, output, late = _failed(row), response.get("output"), number(row.get("latencyMs"))
    timed = late is not None and not response.get("cached") and not (error and not late)
    return {
        "error": error,
        "answer": output
        if isinstance(output, str)
        else None
        if output is None
        else canonical(output).decode(),
        "wall_s": late / 1000 if late is not None and timed else None,
        "cost_usd": row.get("cost") or response.get("cost"),
        "prompt_tokens": used.get("prompt") if counted else None,
        "completion_tokens": used.get("completion") if counted else None,
        "run_id": _text(row.get("id")),
    }


def _scores(row: Mapping[str, Any]) -> dict[str, Any]:
    """Success, score, named metrics and checks without a name.

    None has a value where the test was not run, or asserts nothing.
    """
    failed = _failed(row) is not None or _asserts_nothing(row)
    found: dict[str, Any] = {SUCCESS: recorded(row.get("success")), SCORE: recorded(row.get("score"))}
    for name, value in inner(row, "namedScores").items():
        found[f"metric {name}" if name in found else name or "metric"] = recorded(value)
    seen: Counter[str] = Counter()
    for kind, metric, passed in _checks(row):
        if metric is None:
            seen[kind] += 1
            found[f"check {kind}" + (f" {seen[kind]}" if seen[kind] > 1 else "")] = passed
        elif metric not in found and f"metric {metric}" not in found:
            found[metric] = None
    return dict.fromkeys(found) if failed else found


def _asserts_nothing(row: Mapping[str, Any]) -> bool:
    """Whether a test is there and has no assertion: the harness passes it all the same."""
    case = row.get("testCase")
    return (
        isinstance(case, dict)
        and not case.get("assert")
        and not inner(row, "gradingResult").get("componentResults")
    )


def _checks(row: Mapping[str, Any]) -> Iterator[tuple[str, str | None, Any]]:
    """Type, metric and verdict of each assertion; of a test without verdicts, of those that it defines."""
    results = inner(row, "gradingResult").get("componentResults")
    if isinstance(results, list) and results:
        pairs = [(inner(r, "assertion"), r.get("pass")) for r in results if isinstance(r, dict)]
    else:
        defined = inner(row, "testCase").get("assert")
        pairs = [(a, None) for a in (defined if isinstance(defined, list) else ()) if isinstance(a, dict)]
    for assertion, passed in pairs:
        yield _text(assertion.get("type")) or "assert-set", _text(assertion.get("metric")), recorded(passed)


def _differences(path: str, found: _Evaluation, rows: list[dict[str, Any]]) -> Iterator[Declared]:
    """Where the harness's own totals are not those of its results."""
    counts = [found.stats.get(key, 0) for key in ("successes", "failures", "errors")]
    if not found.stats or not all(isinstance(count, int) and count >= 0 for count in counts):
        return
    if sum(counts) != len(found.rows):
        yield Declared.by(path, RunsDeclared(sum(counts), len(found.rows)), field=pointer("results", "stats"))
    known = [value for row in rows if isinstance(value := _scores(row)[SUCCESS], bool)]
    judged = counts[0] + counts[1]
    if not judged:
        return
    theirs, mine = counts[0] / judged, sum(known) / len(known) if known else None
    if mine is None or not isclose(theirs, mine, rel_tol=1e-9):
        difference = OwnFigure(f"successes of {judged:,} tests that ran", theirs, mine)
        yield Declared.by(path, difference, field=pointer("results", "stats"), scorer=SUCCESS)


ADAPTER = Adapter(
    format="promptfoo",
    title="promptfoo",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    nearly=nearly,
    example="results.json",
    reads="success, score, named metrics and assertions of each test under each prompt and provider, errors "
    "apart from failures, cost, tokens, latency and the answer; the harness's own totals are compared",
)
