"""An experiment of many arms: pages of the pairs that prose or a claim asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from os.path import normpath

import pytest
from msgspec.structs import replace

from metrics_core.redaction.redactor import Redactor
from site_src import paths, pipeline
from site_src.pages.pair_sets import MANY_ARMS, ArmPair
from site_src.project import Authored, Plan, SiteConfig, sources
from site_src.publishing.site import SiteFiles

ARMS = MANY_ARMS + 4
TASKS = 8
PROSE = "See {0}.\n"
DIRECTIVE = "```{{compare}} {0} {1}\n:of: many/traces.score\n```\n"


def arm(at: int) -> str:
    return f"arm-{at:02}"


Made = Callable[[int, str], SiteFiles]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A site of one experiment of so many arms, with a page of this text."""
    measured = {}

    def site(arms: int, text: str) -> SiteFiles:
        if arms not in measured:
            folder = tmp_path_factory.mktemp("arms") / "many"
            (folder / "traces").mkdir(parents=True)
            traces = [
                {"task_id": f"t{task}", "agent": arm(at), "scores": {"passed": float((at + task) % 3 > 0)}}
                for at in range(arms)
                for task in range(TASKS)
            ]
            (folder / "traces" / "all.jsonl").write_text("".join(json.dumps(t) + "\n" for t in traces))
            plan = Plan(content=None, experiments=(folder,), output=folder / "_site", redactor=Redactor())
            read = replace(sources.read(plan), config=SiteConfig(), authored=())
            measured[arms] = read, pipeline.measure(read)
        read, reports = measured[arms]
        page = Authored(source="about.md", path="about.html", title="About", lede="", text=text)
        return pipeline.model(replace(read, authored=(page,)), reports)

    return site


def pairs(site: SiteFiles) -> set[tuple[str, str]]:
    found = (re.fullmatch(r"compare/many/([^/]+)/([^/]+)/index\.html", path) for path in site.paths())
    return {(match[1], match[2]) for match in found if match}


def text_of(site: SiteFiles, path: str) -> str:
    file = site.file(path)
    assert file is not None
    return file.data.decode()


def test_few_arms_have_a_page_for_every_two_of_them(made: Made) -> None:
    site = made(3, "Nothing.")
    assert pairs(site) == {(arm(0), arm(1)), (arm(0), arm(2)), (arm(1), arm(2))}
    assert "has a page for those pairs alone" not in text_of(site, paths.COMPARE)


def test_many_arms_have_pages_of_the_pairs_that_prose_asks_for(made: Made) -> None:
    assert pairs(made(ARMS, "Nothing.")) == set()
    asked = made(ARMS, DIRECTIVE.format(arm(3), arm(1)))
    assert pairs(asked) == {(arm(1), arm(3))}
    assert paths.relative("about.html", paths.compare_pair("many", arm(1), arm(3))) in text_of(
        asked, "about.html"
    )
    linked = made(ARMS, PROSE.format(f"[two](compare/many/{arm(2)}/{arm(7)}/)"))
    assert pairs(linked) == {(arm(2), arm(7))}


def test_no_page_of_many_arms_leads_to_a_pair_without_one(made: Made) -> None:
    site = made(ARMS, DIRECTIVE.format(arm(3), arm(1)))
    told = text_of(site, paths.COMPARE)
    hrefs = {normpath(f"compare/{href}") for href in re.findall(r'href="([^"#?]*)', told)}
    assert {href for href in hrefs if re.match(r"compare/many/[^/]+/[^/]+", href)} == {
        paths.compare_pair("many", arm(1), arm(3))
    }
    assert "has a page for those pairs alone" in told


def test_the_page_of_a_task_leads_to_pairs_that_have_a_page(made: Made) -> None:
    task = paths.task("many", "t0")
    few, many = made(3, "Nothing."), made(ARMS, DIRECTIVE.format(arm(3), arm(1)))
    lead = re.compile(r'href="\.\./\.\./\.\./(compare/many/[^/]+/[^/]+/index\.html)"')
    assert len(lead.findall(text_of(few, task))) == 3
    assert lead.findall(text_of(many, task)) == [paths.compare_pair("many", arm(1), arm(3))]


def test_a_claim_asks_for_its_pair() -> None:
    from site_src.authoring.pairs_asked_for import pair_of
    from tests.support import decision_samples as samples

    c = samples.SEPARATED
    assert pair_of(c) == pair_of(replace(c, a=c.b, b=c.a)) == ArmPair(c.experiment, *sorted((c.a, c.b)))
