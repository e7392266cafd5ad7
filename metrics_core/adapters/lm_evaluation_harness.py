"""lm-evaluation-harness: ``samples_TASK_DATE.jsonl`` with ``results_DATE.json`` beside it, as traces.

One document is one trace; each metric under each filter is a scorer of its own, ``acc,none``. Task, version
and shots are the suite; the arm is the model that the results name, else the folder. The results' own means
and standard errors are compared with those of the samples. What holds no score of one document (perplexities,
Brier scores) is told and not read. Does not: read results without samples, grade again, or add up groups.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import fsum, isclose
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import FormatError
from metrics_core.formats import (
    Adapter,
    Declared,
    Element,
    Limited,
    Made,
    OutsideFile,
    OwnFigure,
    RunsDeclared,
    inner,
    number,
    read_lines,
    read_value,
    recorded,
    stamp_of,
    stated,
)
from metrics_core.results import Aside, NoRuns, Problem, pointer, quoted

UNFILTERED = "none"
"""Name of the filter that changes nothing."""

LOWER = " (lower is better)"
"""Behind the name of a metric that the harness calls better where it is lower."""

LOOKS = "lm-evaluation-harness, but without samples (run with --log_samples)"
"""What results alone look like."""

OWN_KEYS = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash",
    "prompt_hash", "target_hash",
})  # fmt: skip
"""Keys of a sample that are no metric: older versions do not list the metrics."""

_SAMPLE = re.compile(rb'\s*\{\s*"doc_id"\s*:\s*[^,{}\[\]]{1,200},\s*"doc"\s*:')
_RESULTS = re.compile(rb'\s*\{\s*"results"\s*:\s*\{\s*"')
_OF_TASK = re.compile(rb'"alias"\s*:|"[^",]{1,200},[^",]{1,200}"\s*:')
_DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_SAMPLES_NAME = re.compile(rf"samples_(?P<task>.+?)(?:_(?P<date>{_DATE}))?\.jsonl")
_RESULTS_NAME = re.compile(rf"(?:.*_)?(?P<date>{_DATE})\.json")
_PRINTED = re.compile(rb"\|\s*Tasks\s*\|\s*Version\s*\|\s*Filter\s*\|\s*n-shot\s*\|")
_REVISION = re.compile(r"(?:^|,)revision=([^,]+)")


def claims(path: str, head: bytes) -> bool:
    """Samples, or the results of one evaluation."""
    if path.endswith(".jsonl"):
        return bool(_SAMPLE.match(head))
    return path.endswith(".json") and bool(_RESULTS.match(head)) and bool(_OF_TASK.search(head))


def nearly(path: str, head: bytes) -> str:
    """Results of another shape, or a table that the harness prints."""
    if path.endswith(".json") and b'"acc,none"' in head:
        return LOOKS
    if path.endswith((".txt", ".md", ".log")) and _PRINTED.search(head):
        return f"the table of {LOOKS}"
    return ""


def convert(file: OutsideFile) -> Iterator[Made]:
    """One trace a document of a file of samples; none of results.

    >>> line = b'{"doc_id": 7, "doc": {}, "filter": "none", "metrics": ["acc"], "acc": 1.0}'
    >>> made = list(convert(OutsideFile(path="pythia/samples_arc_2026-01-02T03-04-05.6.jsonl", data=line)))
    >>> record = made[0].record
    >>> record["task_id"], record["agent"], record["scores"]
    ('arc/7', 'pythia', {'acc,none': 1.0})
    >>> print(made[1].what)
    no results of the same date lie beside it: the model is taken from the folder's name, "pythia"
    """
    if file.path.endswith(".jsonl"):
        yield from _samples(file)
    else:
        yield from _results_alone(file)


# ------------------------------------------------------------------ results


def _results_alone(file: OutsideFile) -> Iterator[Made]:
    """A problem for each task whose samples are not there: a mean without its runs is no estimate."""
    found = _decoded(file.data, file.path)
    named = _RESULTS_NAME.fullmatch(PurePosixPath(file.path).name)
    ending = f"_{named['date']}.jsonl" if named else ".jsonl"
    groups = {name for name, tasks in inner(found, "group_subtasks").items() if tasks}
    tasks = [name for name in inner(found, "results") if name not in groups]
    held = [PurePosixPath(path).name for path in file.beside("samples_", ending)]
    missing = [
        task for task in tasks if not any(_task_of(name) in (task, re.sub(r"\W", "_", task)) for name in held)
    ]
    looks = f"looks like {LOOKS}"
    if missing and len(missing) == len(tasks):
        yield NoRuns(file.path, None, "results", f"{looks}: nothing can be counted")
        return
    for task in missing:
        yield NoRuns(file.path, None, pointer("results", task), f"{looks} of this task")


def _task_of(name: str) -> str:
    match = _SAMPLES_NAME.fullmatch(name)
    return match["task"] if match else ""


def _decoded(data: bytes, path: str) -> Mapping[str, Any]:
    found = read_value(data, path)
    if not isinstance(found, dict) or not isinstance(found.get("results"), dict):
        raise FormatError(f"expected an object with results, got {quoted(found)}", where=path)
    return found


class _Evaluation(Struct, frozen=True):
    """What is known of the evaluation that a file of samples belongs to: its results, or next to nothing."""

    task: str
    arm: str
    results: Mapping[str, Any]
    told: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, file: OutsideFile) -> _Evaluation:
        path = PurePosixPath(file.path)
        named = _SAMPLES_NAME.fullmatch(path.name)
        task = named["task"] if named else path.stem
        date = named["date"] if named else None
        beside = file.beside(suffix=f"_{date}.json") if date else file.beside("results", ".json")
        why = "no results of the same date lie beside it" if date else "no results lie beside it"
        results: Mapping[str, Any] = {}
        for candidate in beside if len(beside) == 1 else ():
            try:
                results = _decoded(file.read(candidate), candidate)
            except FormatError as error:
                why = f"{candidate} cannot be read ({error.problem})"
                continue
            known = [name for name in inner(results, "results") if re.sub(r"\W", "_", name) == task]
            task = task if task in inner(results, "results") or len(known) != 1 else known[0]
            if (arm := _model(results)) is not None:
                return cls(task, arm, results)
            why = f"{candidate} names no model"
        if len(beside) > 1:
            why = f"{len(beside)} files of results lie beside it"
        folder = path.parent.name
        arm, of = (folder, "folder") if folder else (path.stem, "file")
        said = f"{why}: the model is taken from the {of}'s name, {quoted(arm)}"
        return cls(task, arm, results, (Aside(file.path, None, "", said),))

    def about(self, key: str) -> Any:
        """What the results hold of this task under a key."""
        return inner(self.results, key).get(self.task)

    @property
    def config(self) -> Mapping[str, Any]:
        return inner(self.results, "config")

    @property
    def suite(self) -> str:
        """Task, its version and how many examples were shown."""
        version, shots = self.about("versions"), self.about("n-shot")
        known = isinstance(version, str | int | float) and version not in ("", "N/A", "Yaml")
        name = f"{self.task} {version}" if known else self.task
        return f"{name}, {shots}-shot" if isinstance(shots, int) else name

    @property
    def stamp(self) -> str | None:
        return stamp_of(number(self.results.get("date")))

    @property
    def prompting(self) -> str | None:
        """Digest of how every prompt of the evaluation was made, where anything of that is stated."""
        keys = ("system_instruction_sha", "chat_template_sha", "fewshot_as_multiturn")
        made = [*(self.results.get(key) for key in keys), self.config.get("gen_kwargs")]
        return of_bytes(canonical(made)).removeprefix("sha256:") if any(made) else None

    def scorer(self, metric: str, filtered: str) -> str:
        better = inner(inner(self.results, "higher_is_better"), self.task).get(metric)
        return f"{metric},{filtered}{LOWER if better is False else ''}"

    def is_mean(self, metric: str) -> bool:
        """Whether the harness adds the metric up as a plain mean, as far as it says."""
        stated_ = inner(inner(self.results, "configs"), self.task).get("metric_list")
        metrics = stated_ if isinstance(stated_, list) else []
        return all(
            m.get("aggregation", "mean") == "mean"
            for m in metrics
            if isinstance(m, dict) and m.get("metric") == metric
        )


def _model(results: Mapping[str, Any]) -> str | None:
    """The model's name and, where another than the main one, its revision.

    Where the arguments name no model, the harness makes up a name; then it is the kind of model.
    """
    config = inner(results, "config")
    name, kind, args = results.get("model_name"), config.get("model"), config.get("model_args")
    made_up = "model_args" in config and isinstance(name, str) and name not in str(args)
    arm = kind if made_up or not isinstance(name, str) or not name else name
    if not isinstance(arm, str) or not arm:
        return None
    found = _REVISION.search(args) if isinstance(args, str) else None
    revision = args.get("revision") if isinstance(args, dict) else found[1] if found else None
    return f"{arm}@{revision}" if isinstance(revision, str) and revision != "main" else arm


# ------------------------------------------------------------------ samples


class _Run(Struct):
    """One document, under each filter that it was read through."""

    doc: str
    answer: str | None
    lines: list[bytes] = field(default_factory=list)
    filters: set[str] = field(default_factory=set)
    scores: dict[str, Any] = field(default_factory=dict)


def _samples(file: OutsideFile) -> Iterator[Made]:
    of = _Evaluation.of(file)
    runs: list[_Run] = []
    latest: dict[str, _Run] = {}
    problems: list[Problem] = []
    lists: dict[tuple[str, str], int] = {}
    means: dict[tuple[str, str], list[Any]] = {}
    for item in read_lines(file.data, file.path):
        if isinstance(item, Problem):
            problems.append(item)
            continue
        at, sample, line = item
        doc = sample.get("doc_id") if isinstance(sample, dict) else None
        if isinstance(doc, bool) or not isinstance(doc, str | int) or doc == "":
            problems.append(
                Problem(file.path, at, "doc_id", f"expected a sample's doc_id, got {quoted(doc)}")
            )
            continue
        stated_ = sample.get("filter")
        filtered = stated_ if isinstance(stated_, str) and stated_ else UNFILTERED
        run = latest.get(str(doc))
        if run is None or filtered in run.filters:
            run = latest[str(doc)] = _Run(str(doc), _answer(sample))
            runs.append(run)
        run.filters.add(filtered)
        run.lines.append(line)
        for metric in _metrics(sample):
            value = sample.get(metric)
            if isinstance(value, list | dict):
                lists[metric, filtered] = lists.get((metric, filtered), 0) + 1
                continue
            run.scores[of.scorer(metric, filtered)] = recorded(value)
            means.setdefault((metric, filtered), []).append(value)
    yield from _made(file.path, runs, of)
    yield from problems
    yield from of.told
    for (metric, filtered), count in sorted(lists.items()):
        yield _no_scores(file.path, of, metric, filtered, count)
    yield from _differences(file.path, of, means, len(latest))


def _metrics(sample: Mapping[str, Any]) -> list[str]:
    named = sample.get("metrics")
    if isinstance(named, list):
        return [metric for metric in named if isinstance(metric, str) and metric]
    return [key for key, value in sample.items() if key not in OWN_KEYS and number(value) is not None]


def _answer(sample: Mapping[str, Any]) -> str | None:
    given = sample.get("filtered_resps")
    first = given[0] if isinstance(given, list) and given else None
    return first if isinstance(first, str) else None


def _made(path: str, runs: list[_Run], of: _Evaluation) -> Iterator[Made]:
    """The traces; a document that no metric scores by itself is none."""
    scored = [run for run in runs if run.scores]
    if not scored:
        held = f"{len(runs)} samples, none of which has a score of its own" if runs else "no samples"
        yield NoRuns(path, None, "", f"the file holds {held}: nothing can be counted")
        return
    scorers = dict.fromkeys(name for run in scored for name in run.scores)
    common = {
        "schema": "trace.v1", "agent": of.arm, "model": of.arm, "suite": of.suite, "stamp": of.stamp,
        "prompt_sha256": of.prompting,
    }  # fmt: skip
    whose = canonical({"date": of.results.get("date"), "model": of.arm, "task": of.task})[:-1]
    for run in runs:
        record = {**common, "task_id": f"{of.task}/{run.doc}", "answer": run.answer}
        scores = {name: run.scores.get(name) for name in scorers}
        source = whose + b',"samples":[' + b",\n".join(run.lines) + b"]}"
        yield Element(record={**stated(record), "scores": scores}, source=source)


# ------------------------------------------------------------------ what the results say of the samples


def _no_scores(path: str, of: _Evaluation, metric: str, filtered: str, count: int) -> Problem:
    own = number(inner(inner(of.results, "results"), of.task).get(f"{metric},{filtered}"))
    figure = "" if own is None else f"; the source's own figure is {own:.6g}"
    what = f"{metric},{filtered} is a figure of all samples: {count} of them hold a part of it, and no score"
    return Aside(path, None, pointer(metric), f"{what}; it is not read{figure}")


def _differences(
    path: str, of: _Evaluation, means: Mapping[tuple[str, str], list[Any]], held: int
) -> Iterator[Declared]:
    """Where the results' counts, means and standard errors are not those of the samples."""
    from metrics_core.statistics import standard_error  # numpy is loaded for whoever reads samples

    counted = inner(inner(of.results, "n-samples"), of.task)
    original, effective = counted.get("original"), counted.get("effective")
    if isinstance(effective, int) and effective != held:
        yield Declared.by(path, RunsDeclared(effective, held), model=of.arm, suite=of.suite)
    if isinstance(original, int) and isinstance(effective, int) and effective < original:
        part = f"{effective:,} of {original:,} documents of {of.task}"
        yield Declared.by(path, Limited(part), model=of.arm, suite=of.suite)
    elif (limit := number(of.config.get("limit"))) is not None and not counted:
        part = f"{limit:.0%} of the documents" if limit < 1 else f"the first {limit:g} documents"
        part = "the first document" if limit == 1 else part
        yield Declared.by(path, Limited(f"{part} of {of.task}"), model=of.arm, suite=of.suite)
    own = inner(inner(of.results, "results"), of.task)
    for (metric, filtered), values in sorted(means.items()):
        numbers = [found for found in map(number, values) if found is not None]
        if not numbers or not of.is_mean(metric):
            continue
        error = standard_error([[value] for value in numbers])
        for key, kind, mine in (
            (f"{metric},{filtered}", "mean", fsum(numbers) / len(numbers)),
            (f"{metric}_stderr,{filtered}", "standard error", error),
        ):
            theirs = number(own.get(key))
            if theirs is None or mine is None or isclose(theirs, mine, rel_tol=1e-6, abs_tol=1e-9):
                continue
            difference = OwnFigure(key, theirs, mine, kind)
            scorer = of.scorer(metric, filtered)
            yield Declared.by(path, difference, model=of.arm, suite=of.suite, scorer=scorer)


ADAPTER = Adapter(
    beside=(".json", ".jsonl", ".ndjson"),
    format="lm-evaluation-harness",
    title="lm-evaluation-harness",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    nearly=nearly,
    example="EleutherAI__pythia-160m/samples_arc_easy_2026-01-02T03-04-05.678901.jsonl",
    reads="a score a document for each metric and filter, the answer, model, task version, shots and limit "
    "from results_*.json beside it, whose own means and standard errors are compared (needs --log_samples)",
)
