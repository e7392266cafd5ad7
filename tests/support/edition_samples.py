"""Editions of the sample site: one as it was, and builds in which one thing at a time is not what it was."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from metrics_core.results.control import Control
from metrics_core.results.estimate import ContractRef, Estimate
from metrics_core.results.keys import Keys
from metrics_core.results.report import Report
from metrics_core.statistics.proportions import wilson
from site_src.editions import store
from site_src.editions.edition import Edition, EditionPage
from site_src.project.site_model import BuildInfo, RawFile, SiteExperiment
from tests.support.figure_samples import words_of
from tests.support.sample_reports import sha

CONTRACT = ContractRef("assay/brownfield", "1", sha("contract"))
PAGES = (
    EditionPage(path="experiments/shop/index.html", title="Shop", kind="experiment", digest=sha("data")),
    EditionPage(path="models/alpha/index.html", title="alpha", kind="model"),
)


def build(name: str = "build") -> BuildInfo:
    return BuildInfo(version=f"0.1.0+{sha(name)[7:15]}", digest=sha(name))


def security(model: str, n: int, N: int, **more: Any) -> Estimate:
    """So many of so many verdicts, all of them known."""
    found = Estimate(
        experiment="shop",
        family="brownfield",
        metric="done",
        group=Keys({"model": model}),
        stratum=Keys({"graded": "assertions"}),
        unit="fraction",
        value=n / N,
        n=n,
        N=N,
        of="known verdicts",
        known=N,
        interval=wilson(n, N),
        contract=CONTRACT,
        words=words_of("brownfield"),
        data_digest=sha("data"),
    )
    return replace(found, **more)


ALPHA, BETA = security("alpha", 12, 15), security("beta", 9, 15)


def shop(*estimates: Estimate, logs: str = "logs", **more: Any) -> SiteExperiment:
    """An experiment of these estimates, whose log has the digest of a word."""
    report = Report(
        experiment="shop",
        data_digest=sha("data " + logs),
        source_digest=sha("data " + logs),
        families=("brownfield",),
        words=(("brownfield", words_of("brownfield")),),
        estimates=estimates or (ALPHA, BETA),
        controls=more.pop("controls", (control("held"),)),
        comparisons=more.pop("comparisons", ()),
        records=30,
    )
    files = (
        RawFile(path="controls/sanity.json", size=1, sha256=sha("sanity")[7:]),
        RawFile(path="logs_big/alpha.jsonl", size=1, sha256=sha(logs)[7:], holds_records=True),
    )
    return SiteExperiment(report=report, title=more.pop("title", "Shop"), files=files, **more)


def control(state: str) -> Control:
    return Control(
        name="sanity", title="negative control", state=state, detail="as found", guards="brownfield"
    )  # type: ignore[arg-type]


def decision(
    verdict: str = "supported", status: str = "accepted", says: str = "alpha does more"
) -> dict[str, Any]:
    """A decision of one claim, as the decisions' own part hands it over."""
    return {
        "slug": "route-to-alpha",
        "title": "Route to alpha",
        "status": status,
        "date": "2026-07-10",
        "deciders": ["the team"],
        "claims": [
            {
                "says": says,
                "kind": "above",
                "verdict": verdict,
                "reason": "",
                "estimates": [ALPHA.id, BETA.id],
                "contracts": [CONTRACT.digest],
                "packs": [],
            }
        ],
        "quotes": [],
    }


def edition(
    *experiments: SiteExperiment,
    decisions: tuple[dict[str, Any], ...] = (),
    pages: tuple[EditionPage, ...] = PAGES,
    before: Edition | None = None,
    date: str = "2026-07-20",
    name: str = "build",
    why: str = "",
) -> Edition:
    """The edition that these make, as it is read again."""
    return recorded(
        store.draft(
            experiments or (shop(),),
            lambda e: True,
            decisions,
            pages,
            build(name),
            date=date,
            before=before,
            why=why,
        )
    )


def recorded(made: Edition) -> Edition:
    """An edition that was written and read again."""
    return store.read(store.to_bytes(made), store.file_name(made.number))
