"""The pages of runs: which experiments have any, the list of each, fifty to a page, and one page a run.

Does: plan and make them, all in one pass over the records, or one alone. Does not: word a run's page;
`site_src.pages.runs.run` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from markupsafe import Markup
from msgspec import Struct

from metrics_core.results import Estimate, Keys, Report, Review
from metrics_core.text import visible
from site_src import paths
from site_src.marks import STATE_NAMES, swatch
from site_src.pages.components import Cell, Table, line, table, text
from site_src.pages.frame import frame
from site_src.pages.page import NavItem, Page, View
from site_src.pages.runs import index as runs, run as review, tasks
from site_src.pages.runs.by_task import RunsByTask
from site_src.pages.runs.index import Run, RunLists, group_keys, verdict_titles
from site_src.pages.runs.verdicts import Known, counted_in
from site_src.pages.site_map import SiteMap, gap_words
from site_src.project import SiteExperiment, SiteFile
from site_src.wording import (
    Line,
    Span,
    count,
    many,
    svg_markup,
)

PER_PAGE = 50
MOST_UNREAD = 3
"""Records without a page that the list names."""


class ReviewsView(Struct, frozen=True, kw_only=True):
    """Which experiments have runs to read."""

    template: ClassVar[str] = "runs/reviews.html"
    title: str
    lede: str
    experiments: Table


class Choice(Struct, frozen=True, kw_only=True):
    """A filter of the list: its name in the address, and its label."""

    key: str
    label: str


class Swatch(Struct, frozen=True, kw_only=True):
    """A swatch that the filter's script puts before a state's word."""

    state: str
    mark: Markup


class RunListView(Struct, frozen=True, kw_only=True):
    """One page of an experiment's runs.

    Attributes:
        index: Address of the compact index; ``base`` of the folder that holds the runs' pages.
        filters, sorts: What the list can be narrowed and ordered by.
        pages: Every page of the list.
        total: How many runs there are, in words.
    """

    template: ClassVar[str] = "runs/run-list.html"
    title: str
    lede: str
    experiment: Span
    up: str
    index: str
    base: str
    total: str
    filters: tuple[Choice, ...]
    sorts: tuple[Choice, ...]
    swatches: tuple[Swatch, ...]
    runs: Table
    pages: tuple[NavItem, ...]


def overview(listed: Sequence[tuple[SiteExperiment, Sequence[Run]]]) -> ReviewsView:
    """The list of lists."""
    total = sum(len(runs) for _, runs in listed)
    rows = [
        (
            text(experiment.title, href=paths.relative(paths.REVIEWS, paths.reviews(experiment.name))),
            ", ".join(experiment.report.families),
            ", ".join(sorted({run.key("model") for run in runs if run.key("model")})),
            Span(text=count(len(runs)), record=experiment.name),
        )
        for experiment, runs in listed
        if runs
    ]
    return ReviewsView(
        title="Reviews",
        lede=f"{_with_pages(total, sum(x.report.records for x, _ in listed))}. Each verdict stands with the "
        "chain that established it, or with the place where the chain ends.",
        experiments=table(
            "Experiments with runs", ["Experiment", "Families", "Models", "Runs"], rows, numeric=[3]
        ),
    )


def _with_pages(runs: int, records: int) -> str:
    """How many runs have a page, and how many records have none: a line that is no record shows no run.

    >>> _with_pages(954, 958), _with_pages(1, 1)
    ('954 of 958 records have a page each; 4 that could not be read have none', 'The run has a page')
    """
    if runs >= records:
        return "The run has a page" if runs == 1 else f"Every one of {count(runs)} runs has a page"
    rest = records - runs
    none = f"{count(rest)} that could not be read {'has' if rest == 1 else 'have'} none"
    have = "has a page" if runs == 1 else "have a page each"
    return f"{count(runs)} of {count(records)} records {have}; {none}"


def _copies(listed: Sequence[Run]) -> str:
    """That copies of records are among the runs, and in no count; empty where there are none."""
    copies = sum(run.repeated for run in listed)
    if not copies:
        return ""
    if copies == 1:
        return "1 of them is a copy of a record that was counted before: no number counts it again. "
    told = "are copies of records that were counted before: no number counts them again"
    return f"{count(copies)} of them {told}. "


def _unread(report: Report, runs: int) -> str:
    """Which records have no page, where they are few, and where it stands what is wrong with each."""
    if runs >= report.records:
        return ""
    places = list(dict.fromkeys(f"{p.file}:{p.line}" for p in report.problems if p.line is not None))
    named = len(places) == report.records - runs <= MOST_UNREAD
    which = f": {', '.join(map(visible, places))}" if named else ""
    return f"{which} (the page of the experiment says what is wrong there)"


def lists(experiment: SiteExperiment, listed: Sequence[Run]) -> Iterator[tuple[str, str, RunListView]]:
    """Pages of an experiment's list: (path, title, view)."""
    last = max(1, -(-len(listed) // PER_PAGE))
    titles, always, cost = verdict_titles(listed), runs.constants(listed), runs.priced(listed)
    keys = [key for key in group_keys(listed) if key not in always]
    same = "; ".join(f"{key.replace('_', ' ')} {visible(value)}" for key, value in always.items() if value)
    labels = [key.replace("_", " ") for key in keys]
    gaps = any(runs.gap_cells(listed, experiment.of_report(gap_words)))
    for number in range(1, last + 1):
        path = paths.reviews(experiment.name, number)
        shown = listed[(number - 1) * PER_PAGE : number * PER_PAGE]
        title = f"Runs of {experiment.title}"
        yield (
            path,
            title if number == 1 else f"{title}, page {number}",
            RunListView(
                title=title,
                lede=f"{_with_pages(len(listed), experiment.report.records)}"
                f"{_unread(experiment.report, len(listed))}. {_copies(listed)}Runs stand in the order "
                f"of their files. {f'All are of {same}. ' if same else ''}Each page tells what established "
                "its verdicts.",
                experiment=text(
                    experiment.title, href=paths.relative(path, paths.experiment(experiment.name))
                ),
                up=paths.relative(path, paths.REVIEWS),
                index=paths.relative(path, paths.review_index(experiment.name)),
                base="",
                total=many(len(listed), "run"),
                filters=(
                    *(Choice(key=key, label=key.replace("_", " ").capitalize()) for key in keys),
                    Choice(key="facet", label="Outcome"),
                    Choice(key="lost", label="Lost"),
                    *((Choice(key="gap", label="Not known"),) if gaps else ()),
                ),
                sorts=(
                    *(Choice(key=key, label=key.replace("_", " ")) for key in (*keys, "scenario")),
                    *((Choice(key="cost", label="cost"),) if cost else ()),
                    Choice(key="stamp", label="date"),
                    *(Choice(key=f"verdict {t}", label=t.lower()) for t in titles),
                ),
                swatches=tuple(Swatch(state=state, mark=svg_markup(swatch(state))) for state in STATE_NAMES),
                runs=table(
                    title,
                    [
                        "Run",
                        *(label.capitalize() for label in labels),
                        *titles,
                        *(("Cost",) if cost else ()),
                        "Date",
                    ],
                    [_row(run, keys, titles, path, experiment.name, cost=cost) for run in shown],
                    id="runs",
                ),
                pages=tuple(
                    NavItem(
                        text=count(n) if n else "…",
                        href=paths.relative(path, paths.reviews(experiment.name, n)) if n else "",
                        current=n == number,
                    )
                    for n in near(number, last)
                )
                if last > 1
                else (),
            ),
        )


def near(number: int, last: int) -> list[int]:
    """Pages that a pager names: the first, the last, those beside this one; 0 where some are left out.

    >>> near(5, 11), near(1, 3), near(2, 9)
    ([1, 0, 4, 5, 6, 0, 11], [1, 2, 3], [1, 2, 3, 0, 9])
    """
    named = sorted({1, last, *(n for n in (number - 1, number, number + 1) if 1 <= n <= last)})
    found: list[int] = []
    for n in named:
        if found and n - found[-1] == 2:
            found.append(n - 1)
        elif found and n - found[-1] > 2:
            found.append(0)
        found.append(n)
    return found


def _row(
    run: Run, keys: Sequence[str], titles: Sequence[str], path: str, experiment: str, *, cost: bool
) -> tuple[Cell | Line | Span | str, ...]:
    return (
        text(run.title, href=paths.relative(path, paths.review(experiment, run.name))),
        *(run.key(key) for key in keys),
        *(_outcomes(run, title, experiment) for title in titles),
        *(
            (Span(text=runs.cost_words(run), role="nowrap", record=f"{experiment}/{run.name}"),)
            if cost
            else ()
        ),
        text(run.day, "nowrap"),
    )


def _outcomes(run: Run, title: str, experiment: str) -> Line:
    found = [o for o in run.outcomes if o.title == title]
    return line(
        *(
            Span(
                text=o.counted,
                role="quiet",
                mark=svg_markup(swatch(o.state)),
                record=f"{experiment}/{run.name}",
            )
            for o in found
        )
    )


class RunPages:
    """The runs of one experiment as pages: all in one pass over its records, or one alone.

    Args:
        where: Everything that has a page.
        x: The experiment.
        lists: Where its list of runs is kept.
    """

    def __init__(self, where: SiteMap, x: SiteExperiment, lists: RunLists) -> None:
        self.where, self.x, self.lists = where, x, lists
        self.index = paths.review_index(x.name)

    def paths(self) -> Iterator[str]:
        """Path of every page: of the list, then of the runs."""
        listed = self.lists.of(self.x)
        yield from (path for path, _, _ in lists(self.x, listed))
        yield from (
            paths.tasks(self.x.name),
            *(paths.task(self.x.name, name) for name in self._by_task().names),
        )
        yield from (paths.review(self.x.name, run.name) for run in listed)

    def pages(self) -> Iterator[Page]:
        """Every page, in one pass over the records."""
        for _, pages, _ in self.parts():
            yield from pages()

    def parts(self) -> Iterator[tuple[str, Callable[[], Iterator[Page]], Callable[[], int]]]:
        """What is made in one go: the path of its first page, its pages, their number. Lists, tasks, runs."""
        name = paths.reviews(self.x.name)
        yield (
            name,
            lambda: self._lists(self.lists.of(self.x)),
            lambda: sum(1 for _ in lists(self.x, self.lists.of(self.x))),
        )
        yield (
            paths.tasks(self.x.name),
            lambda: self._tasks(_by_key(self.x)),
            lambda: 1 + len(self._by_task().names),
        )
        yield f"{name} runs", self._runs, lambda: len(self.lists.of(self.x))

    def _runs(self) -> Iterator[Page]:
        listed, estimates = self.lists.of(self.x), _by_key(self.x)
        for place, run_review in enumerate(self.x.reviews()):
            yield self._run(listed, place, run_review, estimates)

    def page(self, path: str) -> Page | None:
        """One page alone; None where the path is none of this experiment's."""
        if path.startswith(paths.tasks(self.x.name).removesuffix("index.html")):
            return next((page for page in self._tasks(_by_key(self.x), path)), None)
        if not path.startswith(paths.reviews(self.x.name).removesuffix("index.html")):
            return None
        listed = self.lists.of(self.x)
        for page in self._lists(listed):
            if page.path == path:
                return page
        for place, run_review in enumerate(self.x.reviews()):
            if paths.review(self.x.name, run_review.run) == path:
                return self._run(listed, place, run_review, _by_key(self.x))
        return None

    def _lists(self, listed: Sequence[Run]) -> Iterator[Page]:
        index = (SiteFile(path=self.index, data=runs.index(listed, self.x.of_report(gap_words))),)
        for at, (path, title, shown) in enumerate(lists(self.x, listed)):
            yield self._page(path, "reviews", title, shown, () if at else index)

    def _by_task(self) -> RunsByTask:
        return RunsByTask(self.x, self.lists.of(self.x))

    def _tasks(self, estimates: Known, only: str = "") -> Iterator[Page]:
        """The list of tasks, and the page of each; of one path alone where it is given."""
        own = self._by_task()
        others = tasks.elsewhere(self.where, self.lists, self.x)
        path = paths.tasks(self.x.name)
        if only in ("", path):
            view = tasks.tasks_view(own)
            yield self._page(path, "tasks", view.title, view)
        for name in own.names:
            path = paths.task(self.x.name, name)
            if only in ("", path):
                title = f"{own.title(name)}, in {self.x.title}"
                used = self._counted(own.by_task[name], estimates)
                yield self._page(path, "task", title, tasks.task_view(self.where, own, name, others, used))

    def _counted(self, of_task: Sequence[Run], estimates: Known) -> list[Estimate]:
        """What the verdicts of a task's runs are counted in, each estimate once."""
        words = self.x.report.words_of(of_task[0].family)
        found = (counted_in(run, o, estimates, words) for run in of_task for o in run.outcomes)
        return list({e.id: e for e in found if e is not None}.values())

    def _run(
        self,
        listed: Sequence[Run],
        place: int,
        run_review: Review,
        estimates: Known,
    ) -> Page:
        path = paths.review(self.x.name, run_review.run)
        before = listed[place - 1] if place else None
        after = listed[place + 1] if place + 1 < len(listed) else None
        words = f"Run {count(place + 1)} of {count(len(listed))}"
        context = self.where.context(path)
        made = review.review_view(
            self.x, run_review, estimates, listed[place], before, after, words, context, path
        )
        title = ", ".join(filter(None, (made.view.title, made.view.apart)))
        return self._page(path, "review", title, made.view, made.files)

    def _page(self, path: str, kind: str, title: str, view: View, files: Sequence[SiteFile] = ()) -> Page:
        return Page(
            path=path, title=title, kind=kind, frame=frame(self.where, path, title), view=view, files=files
        )


def _by_key(x: SiteExperiment) -> Known:
    found: dict[tuple[str, str, Keys], list[Estimate]] = {}
    for e in x.report.estimates:
        found.setdefault((e.family, e.metric, e.group), []).append(e)
    return found
