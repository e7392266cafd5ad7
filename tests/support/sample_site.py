"""A whole site in memory: the sample reports with what stands beside them, and its pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from metrics_core.contracts.pack import Pack, Task
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.families.traces.record import Trace
from metrics_core.pricing import Correction, PriceTable, Rate
from metrics_core.results.keys import Keys
from metrics_core.results.report import Report
from metrics_core.results.review import CheckLine, CostLine, Review, RunLoss, Step, Verdict
from site_src.pages import render
from site_src.pages.page import Page
from site_src.project import content
from site_src.project.site_config import SiteConfig
from site_src.project.site_model import BuildInfo, Download, RawFile, RecordType, SiteExperiment
from site_src.publishing.page_plan import Site
from tests.support import sample_reports
from tests.support.sample_reports import ARTEFACT, HOSTILE, PACK, V3, V4, sha

PRICES = PriceTable(
    name="july.yaml",
    fetched="2026-07-02",
    verified="2026-07-19",
    rates={
        "alpha": Rate(435_000_000, 870_000_000, 3_625_000, "https://prices.example/alpha"),
        "gamma": Rate(100_000_000, 200_000_000, None, "javascript:alert(1)"),
    },
    aliases={"gamma-latest": "gamma"},
    corrections=(
        Correction(
            "2026-07-19", "gamma", Rate(400_000_000, 800_000_000, None), "about four times too expensive"
        ),
    ),
)

TASKS = Pack(
    name="eval_pack",
    digest=PACK,
    sums="matches",
    tasks=(
        Task(
            "press-01",
            {"prompt": "Mend the press."},
            ("src/press.py",),
            600.0,
            "eval",
            Keys({"repo": "press"}),
        ),
        Task("till-01", HOSTILE, (), None, "probe", Keys()),
    ),
)


def review(experiment: str, at: int) -> Review:
    """One run: every third is done, but broken; every fifth is an error; the tenth is hostile throughout."""
    model = ("alpha", "beta", "gamma")[at % 3]
    broken, error = at % 3 == 0, at % 5 == 4
    bad = HOSTILE if at == 10 else ""
    known = "error" if error else "known"
    change = Verdict(
        metric="change",
        title="Change",
        stratum=ARTEFACT,
        state=known,
        word="error" if error else "all assertions pass",
        value=None if error else 1.0,
        unit="fraction",
        n=0 if error else 3,
        N=0 if error else 3,
        of="assertions",
        good=None if error else True,
        reason="the run itself failed" if error else "",
        chain=(
            Step("Record", "change_detail, name by name" + bad),
            Step("Recomputed", "3 of 3 assertions hold", ends=error),
        ),
        silent="That the rest of the application still works",
    )
    regress = Verdict(
        metric="regress",
        title="Regress",
        stratum=ARTEFACT,
        state="known" if not error else "error",
        word="broken" if broken else "nothing broken",
        value=0.9 if broken else 1.0,
        unit="fraction",
        n=29 if broken else 32,
        N=32,
        of="pages",
        good=not broken,
        chain=(Step("Record", "regress and the names of what broke"),),
        silent="That anything outside the catalogue works",
    )
    pages = ("cart/view.php", "cart/add.php") if broken else ()
    return Review(
        experiment=experiment,
        family="brownfield",
        run=f"{at:012x}",
        title=f"B{at % 7}: bulk price starts one unit late{bad}",
        task=f"B{at % 7}",
        group=Keys({"config": "brain=on plan=on", "kind": "fix", "model": model, "scenario": f"B{at % 7}"}),
        stamp="2026-07-06T08:00:00Z",
        file=f"logs_big/{model}.jsonl",
        line=at + 1,
        verdicts=(change, regress),
        facets=("error",) if error else ("task done", *(("done, but broken",) if broken else ())),
        lost=(RunLoss("ran without error", "error", "the run itself failed"),)
        if error
        else (RunLoss("and nothing broken", "known", "done, but broken"),)
        if broken
        else (),
        checks=()
        if error
        else (
            CheckLine("ten units get the bulk price", passed=True),
            CheckLine(bad or "nine pay the list price", passed=at % 2 == 0),
            CheckLine("not run", passed=None),
        ),
        lists=(
            ("Files changed", ("src/Pricing.php", bad or "src/Money.php")),
            ("Pages that broke", pages),
        ),
        broken=pages,
        facts=(("calls", "17"), ("wall-clock", "109.1 s"), *((("error", bad),) if bad else ())),
        costs=(
            CostLine(
                source="Recorded by the harness",
                input=None,
                cached=None,
                output=None,
                usd=0.1175,
                prices=None,
            ),
            CostLine(
                source="Recomputed from tokens",
                input=48218,
                cached=22842,
                output=2880,
                usd=0.1262,
                prices="2026-07-02",
                note="cached tokens were billed as input",
            ),
        ),
        record={"id": f"B{at % 7}", "model": model, "note": bad},
    )


def experiment(report: Report, runs: int = 0) -> SiteExperiment:
    """A report with what stands beside it."""

    def read() -> Iterator[Review]:
        return (review(report.experiment, at) for at in range(runs))

    source = b'"""A contract."""\n\n\ndef score_trace(trace):\n    return 1.0  # <b>not bold</b>\n'
    return SiteExperiment(
        report=report,
        title=report.experiment.replace("-", " ").capitalize(),
        description="Illustrative data, made for the tests.",
        settings=(("separation", "overlap"),),
        reviews=read,
        files=(
            RawFile(
                path="controls/sanity.json",
                size=812,
                sha256=sha("sanity")[7:],
                at=f"data/experiments/{report.experiment}/controls/sanity.json",
            ),
            RawFile(path="logs_big/alpha.jsonl", size=120_034, sha256=sha("alpha")[7:]),
        ),
        pack=TASKS if "traces" in report.families else None,
        prices=(PRICES,) if report.costs else (),
        sources={ref.digest: {f"contracts/{ref.version}.py": source} for ref in (V3, V4)},
    )


@cache
def experiments() -> tuple[SiteExperiment, ...]:
    """One experiment in each state; two of them have runs to read, one more than a page of them."""
    runs = {"brownfield-2026-07": 60, "brownfield-2026-07b": 6}
    return tuple(experiment(r, runs.get(r.experiment, 0)) for r in sample_reports.reports())


AUTHORED = (
    content.authored(
        "index.md",
        b"---\ntitle: Halden agent evaluations\n---\n## More done, more broken\n\n"
        b"See [about](about.md)[^1].\n\n[^1]: A note.\n",
    ),
    content.authored(
        "about.md",
        b"# About\n\n| a | b |\n|---|--:|\n| x | 1 |\n\n!!! note\n    Illustrative.\n\nterm\n: meaning\n",
    ),
)

BUILD = BuildInfo(
    version="0.1.0+1c9e55d2",
    digest=sha("build"),
    site=SiteConfig(title="Assay", subtitle="Halden agent evaluations", notice="Illustrative data"),
    records=(
        RecordType(
            name="BrownfieldRun",
            folder="logs_big",
            struct=BrownfieldRun,
            schema_at="data/schemas/brownfield.json",
        ),
        RecordType(name="Trace", folder="traces", struct=Trace),
    ),
    dictionary_date="2026-07-01",
    downloads=(
        Download(
            at="data/estimates.json",
            title="Estimates",
            about="one estimate with everything behind it",
            rows="120",
            size=52_112,
        ),
    ),
)


@cache
def site() -> Site:
    """The sample site, planned and not made."""
    return Site(experiments(), AUTHORED, BUILD)


@cache
def pages() -> tuple[Page, ...]:
    """Every page of the sample site."""
    return tuple(site().pages())


@cache
def kinds() -> dict[str, str]:
    """Kind of page -> the first of its pages; none is made but a list of runs and a run."""
    found = {planned.kind: planned.path for planned in reversed(site().planned.values())}
    for runs in reversed(site().runs):
        first = {path.split("/")[0] + path.count("/") * "/": path for path in reversed(list(runs.paths()))}
        few = [page for path in first.values() if (page := site().page(path)) is not None]
        found |= {page.kind: page.path for page in few}
    return found


def write(folder: Path) -> None:
    """Put the sample site into a folder: enough of it for a browser."""
    for page in pages():
        _put(folder / page.path, render.render_page(page))
        for file in page.files:
            _put(folder / file.path, file.data)
    for file in render.assets():
        _put(folder / file.path, file.data)


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
