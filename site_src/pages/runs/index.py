"""Every run of an experiment in one line each: what lists are made from, and the index they are filtered by.

Does: read the stream of reviews once and keep a line of words for each run. Does not: keep records, and
it makes no pages.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.results import Gap, Keys, Report, Review, Verdict, Vocabulary
from metrics_core.text import INVISIBLE
from site_src.marks import StateName
from site_src.pages.site_map import OF_INSTRUMENTS, GapWords, gap_name, lost_words
from site_src.project import SiteExperiment
from site_src.wording import count, fraction, in_order, money

CONSTANT = "ASSAY_RUNS"
LONGEST_BENCHMARK = 60
"""Characters of a benchmark's name in the title of a run."""

MOST_VERDICTS = 4
"""Verdict columns in a list; a family with more than this shows the first ones."""


SAME_AS_TITLE = frozenset({"scenario", "task"})
"""Group keys that a run's title tells already."""


class ListedOutcome(Struct, frozen=True, kw_only=True):
    """One verdict in a list: its metric's title, its word with n/N, and how it is drawn.

    Attributes:
        tally: n/N behind a blank, where more than one thing was counted; else empty.
        value: In the metric's unit; None where the verdict is not known.
        n, N, of: Counts of this one run.
    """

    title: str
    word: str
    tally: str
    state: StateName
    metric: str
    stratum: Keys
    value: float | None
    n: int
    N: int
    of: str

    @property
    def counted(self) -> str:
        """Its word with n/N."""
        return self.word + self.tally


class Run(Struct, frozen=True, kw_only=True):
    """One run in a list.

    Attributes:
        name: Digest that names it within its experiment.
        group: ``model`` and the family's other keys.
        strata: Every stratum pair of its verdicts.
        lost: Each loss in words.
        gaps: What is not known of it.
        missed: Assertions that did not hold.
        broken: Named things that broke, for the list of runs that are done, but broken.
        checks: Every named assertion that counts, and whether it held; None where that is not known.
        apart: What tells it from others of its task, beside arm and day.
        usd: What it cost, in US dollars, by the first source that knows it; None where none does.
        time: When it was, where its record tells the time.
        among: What alone tells it from others of its task, arm and day: its time, else which of them it is.
        repeated: Whether it is a copy of a record that was counted before: it is in no count.
    """

    name: str
    family: str
    title: str
    task: str
    group: Keys
    strata: tuple[tuple[str, str], ...]
    day: str
    outcomes: tuple[ListedOutcome, ...]
    facets: tuple[str, ...]
    lost: tuple[str, ...]
    missed: tuple[str, ...]
    broken: tuple[str, ...]
    apart: tuple[tuple[str, str], ...] = ()
    usd: float | None = None
    checks: tuple[tuple[str, bool | None], ...] = ()
    time: str = ""
    among: str = ""
    repeated: bool = False
    gaps: tuple[Gap, ...] = ()

    def key(self, name: str) -> str:
        """One of its group keys, or of what tells it apart; empty where it has none of that name."""
        return self.group.get(name) or dict(self.apart).get(name, "")

    def beside(self, here: Run) -> str:
        """What it is called on the page of another run: by what differs, never by what is the same."""
        keys = dict.fromkeys(key for key, _ in (*self.group, *self.apart) if key not in SAME_AS_TITLE)
        found = [] if self.title == here.title else [self.title]
        found += [key_value(key, self.key(key)) for key in keys if self.key(key) != here.key(key)]
        if not found:
            found.append(self.day if self.day != here.day else self.among)
        return ", ".join(filter(None, found)) or self.title


def key_value(key: str, value: str) -> str:
    """A value as titles say it: a number behind its name, a name alone.

    >>> key_value("repetition", "2"), key_value("injection", "injection_task_3"), key_value("model", "alpha")
    ('repetition 2', 'injection_task_3', 'alpha')
    """
    return f"{key.replace('_', ' ')} {value}" if value.isdecimal() else value


def state_of(verdict: Verdict) -> StateName:
    """How a verdict is drawn: blue speaks for the model, ochre against it.

    A known verdict that speaks neither way is drawn as still in.
    """
    if verdict.state != "known":
        return verdict.state
    return {True: "true", False: "false", None: "still-in"}[verdict.good]  # type: ignore[return-value]


def outcome(verdict: Verdict) -> ListedOutcome:
    """A verdict as lists show it."""
    tally = f" {fraction(verdict.n, verdict.N)}" if verdict.state == "known" and verdict.N > 1 else ""
    return ListedOutcome(
        title=verdict.title,
        word=verdict.word,
        tally=tally,
        state=state_of(verdict),
        metric=verdict.metric,
        stratum=verdict.stratum,
        value=verdict.value if verdict.state == "known" else None,
        n=verdict.n,
        N=verdict.N,
        of=verdict.of,
    )


def runs(reviews: Iterable[Review]) -> Iterator[Run]:
    """One line for each review, in their order."""
    for review in reviews:
        yield Run(
            name=review.run,
            family=review.family,
            title=review.title,
            task=review.task,
            group=review.group,
            strata=tuple(sorted({pair for v in review.verdicts for pair in v.stratum})),
            day=(review.stamp or "")[:10],
            outcomes=tuple(map(outcome, review.verdicts)),
            facets=review.facets,
            lost=tuple(map(lost_words, review.lost)),
            missed=tuple(
                check.name for check in review.checks if check.passed is False and not review.uncounted
            ),
            broken=review.broken,
            apart=review.apart,
            checks=tuple((c.name, c.passed) for c in review.checks if not review.uncounted),
            usd=review.usd,
            time=(review.stamp or "")[11:19],
            repeated=review.repeated,
            gaps=review.gaps,
        )


def told_apart(run: Run, words: Vocabulary | None) -> str:
    """What tells a run from the others of its task, in words: arm, repetition, injection, day.

    Args:
        run: One of the list.
        words: Its family's words.
    """
    arms = in_order(run.group.names, words)
    told = (*((arm, run.group.get(arm, "")) for arm in arms), *run.apart)
    named = [key_value(key, value) for key, value in told if value]
    return ", ".join(filter(None, (*named, run.day, run.among)))


def none_alike(listed: Sequence[Run], report: Report) -> tuple[Run, ...]:
    """Runs of one experiment, those that would be called the same told apart.

    By the benchmark that they are of, else by their time, else by which of them each is.
    """
    told = tuple(listed)
    for how in (partial(_benchmarks, report), _times_or_numbers):
        called: dict[tuple[str, str], list[Run]] = defaultdict(list)
        for run in told:
            called[run.title, told_apart(run, report.words_of(run.family))].append(run)
        among = {
            run.name: f"{run.among}, {which}" if run.among else which
            for alike in called.values()
            if len(alike) > 1
            for run, which in zip(alike, how(alike), strict=True)
            if which
        }
        told = tuple(replace(run, among=among[run.name]) if run.name in among else run for run in told)
    return told


def _benchmarks(report: Report, alike: Sequence[Run]) -> list[str]:
    """The benchmark of each, where they are of several."""
    words = report.words_of(alike[0].family)
    key = words.benchmark if words is not None else ""
    found = [dict(run.strata).get(key, "") for run in alike]
    return [value[:LONGEST_BENCHMARK] for value in found] if len(set(found)) > 1 else [""] * len(alike)


def _times_or_numbers(alike: Sequence[Run]) -> list[str]:
    times = [run.time for run in alike]
    if all(times) and len(set(times)) == len(alike):
        return times
    return [f"run {count(number)} of {count(len(alike))}" for number in range(1, len(alike) + 1)]


class RunLists:
    """The runs of each experiment, listed when first asked for, and again only for another report."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Report, tuple[Run, ...]]] = {}

    def of(self, x: SiteExperiment) -> tuple[Run, ...]:
        """Every run of an experiment, in the order of its files and lines."""
        report, listed = self._kept.get(x.name, (None, ()))
        if report is not x.report:
            listed = none_alike(tuple(runs(x.reviews())), x.report)
            self._kept[x.name] = (x.report, listed)
        return listed


def verdict_titles(listed: Sequence[Run]) -> tuple[str, ...]:
    """Titles of the verdict columns, in the order in which they first occur."""
    return tuple(dict.fromkeys(o.title for run in listed for o in run.outcomes))[:MOST_VERDICTS]


def group_keys(listed: Sequence[Run]) -> tuple[str, ...]:
    """Keys that distinguish runs in a list: ``model`` first; the task is in the title already."""
    found = {key for run in listed for key, _ in run.group} - {"model", *SAME_AS_TITLE}
    apart = dict.fromkeys(key for run in listed for key, _ in run.apart)
    return ("model", *sorted(found), *(key for key in apart if key not in found))


def constants(listed: Sequence[Run]) -> dict[str, str]:
    """Keys that have one value in all of several runs: they are told once, and are no column."""
    found = {key: {run.key(key) for run in listed} for key in group_keys(listed)} if len(listed) > 1 else {}
    return {key: values.pop() for key, values in found.items() if len(values) == 1}


def priced(listed: Iterable[Run]) -> bool:
    """Whether any run tells its cost: then there is a column of it."""
    return any(run.usd is not None for run in listed)


def cost_words(run: Run) -> str:
    """What a run cost, or nothing."""
    return "" if run.usd is None else money(run.usd, summary=False)


def index(listed: Sequence[Run], gaps: GapWords) -> bytes:
    """The index as a script that assigns a constant, since a folder allows no fetch.

    Each column holds its words once and, for each run, the place of its word (or places). Columns that
    are shown stand in the order of the table. Where words stand for numbers, the column has the number of
    each, by which it is sorted.

    Args:
        listed: Every run.
        gaps: What each metric is called in it where it is not known, as `gap_words` has it.
    """
    always = constants(listed)
    columns = [
        *(
            _column(
                key,
                key.replace("_", " "),
                [[run.key(key)] for run in listed],
                shown=key not in always,
                tells=True,
            )
            for key in group_keys(listed)
        ),
        *(_verdicts(title, listed) for title in verdict_titles(listed)),
        *([_costs(listed)] if priced(listed) else ()),
        _column("stamp", "date", [[run.day] for run in listed], shown=True),
        _column("family", "family", [[run.family] for run in listed]),
        _column("scenario", "scenario", [[run.key("scenario") or run.task] for run in listed]),
        _column("facet", "outcome", [list(run.facets) for run in listed]),
        _column("lost", "lost", [list(run.lost) for run in listed]),
        _column("gap", "not known", [*gap_cells(listed, gaps)]),
        _column("missed", "assertion missed", [list(run.missed) for run in listed]),
        *(
            _column(key, key, [[v for k, v in run.strata if k == key] for run in listed])
            for key in sorted({k for run in listed for k, _ in run.strata} - OF_INSTRUMENTS)
        ),
    ]
    seen = {column["key"]: column for column in reversed(columns)}
    document = {
        "invisible": INVISIBLE,
        "runs": [run.name for run in listed],
        "titles": [run.title for run in listed],
        "columns": [column for column in columns if seen[column["key"]] is column],
    }
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return f'"use strict";\nwindow.{CONSTANT} = {text};\n'.encode("ascii")


def gap_cells(listed: Sequence[Run], gaps: GapWords) -> Iterator[list[str]]:
    """What is not known of each run: every metric as it is counted in what is published, and in which state.

    Args:
        listed: Every run.
        gaps: What each metric is called in the list.
    """
    counted: dict[tuple[str, str], list[tuple[Keys, str]]] = defaultdict(list)
    for (family, metric, stratum), words in gaps.items():
        counted[family, metric].append((stratum, words))
    for run in listed:
        yield [
            gap_name(each, words)
            for gap in run.gaps
            for stratum, words in counted[run.family, gap.metric]
            if set(stratum) <= set(gap.stratum)
            for each in (gap._replace(state="known"), gap)
        ]


def _verdicts(title: str, listed: Sequence[Run]) -> dict[str, Any]:
    states: dict[str, StateName] = {}
    cells = []
    for run in listed:
        words = [(o.counted, o.state) for o in run.outcomes if o.title == title]
        states |= dict(words)
        cells.append([word for word, _ in words])
    column = _column(f"verdict {title}", title, cells, shown=True)
    values = {o.counted: o.value for run in listed for o in run.outcomes if o.title == title}
    return {
        **column,
        "states": [states.get(word, "") for word in column["words"]],
        "order": [values.get(word) for word in column["words"]],
    }


def _costs(listed: Sequence[Run]) -> dict[str, Any]:
    column = _column("cost", "cost", [[cost_words(run)] for run in listed], shown=True)
    amounts = {cost_words(run): run.usd for run in listed}
    return {**column, "order": [amounts[word] for word in column["words"]]}


def _column(
    key: str, label: str, cells: Sequence[Sequence[str]], *, shown: bool = False, tells: bool = False
) -> dict[str, Any]:
    """A column; ``tells`` where its words tell runs apart, and are what a neighbour is called by."""
    words = sorted({word for cell in cells for word in cell if word})
    place = {word: at for at, word in enumerate(words)}
    return {
        "key": key,
        "label": label,
        "shown": shown,
        "tells": tells,
        "words": words,
        **({"order": list(map(int, words))} if words and all(map(_is_count, words)) else {}),
        "rows": [[place[word] for word in cell if word] for cell in cells],
    }


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 16
