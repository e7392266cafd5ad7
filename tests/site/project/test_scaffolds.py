"""Scaffolds: what is begun can be built as it stands, and is filled in for the site it is begun on."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.api import log_folders
from metrics_core.errors import ConfigError, StrictError
from metrics_core.experiments.settings import read_settings
from metrics_core.formats import strict_yaml
from metrics_core.redaction.redactor import Redactor
from metrics_core.results.report import Report
from site_src import decisions, pipeline
from site_src.decisions import judge_decision
from site_src.lint.typed_results import naked
from site_src.project import scaffolds
from site_src.project.scaffolds import Files, scaffold
from site_src.project.sources import Plan
from site_src.references import Index, parse_query
from tests.site.references.test_references import INDEX
from tests.support import small_content
from tests.support.by_day import one_in

TODAY = "2026-07-20"

FAMILIES = tuple(log_folders())


def begun(thing: str, name: str, index: Index | None = None, family: str = "brownfield") -> Files:
    return scaffold(thing, name, taken=(), today=TODAY, index=index, family=family)  # type: ignore[arg-type]


def put(files: Files, content: Path) -> None:
    for path, data in files:
        (content / path).parent.mkdir(parents=True, exist_ok=True)
        (content / path).write_bytes(data)


def built(content: Path, output: Path) -> tuple[Report, ...]:
    return pipeline.build(Plan(content=content, output=output, redactor=Redactor())).reports


def experiment(folder: Path, family: str) -> Path:
    put(begun("experiment", "my-exp", family=family), folder)
    return folder / "experiments" / "my-exp"


# ---------------------------------------------------------------------------------- they build


@one_in(3)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_site_of_one_experiment_that_was_just_begun_builds(family: str, tmp_path: Path) -> None:
    experiment(tmp_path / "content", family)
    (report,) = built(tmp_path / "content", tmp_path / "site")
    assert report.families == (family,)
    assert report.problems == ()
    assert not [e for e in report.estimates if e.N]
    assert (tmp_path / "site" / "experiments" / "my-exp" / "index.html").is_file()


def test_everything_begun_at_once_builds_beside_what_is_there(tmp_path: Path) -> None:
    content = small_content.write_suite(tmp_path / "content")
    before = Index([mc.compute(mc.load(content / "experiments" / "suite"))])
    for family in FAMILIES:
        put(begun("experiment", f"new-{family}", family=family), content)
    put(begun("page", "about-us", before), content)
    put(begun("decision", "route-hostile", before), content)
    built(content, tmp_path / "site")
    page = (tmp_path / "site" / "pages" / "about-us.html").read_text("utf-8")
    assert "<h1>About us</h1>" in page
    assert "family.metric" not in page  # examples are comments: nothing of them is printed
    assert (tmp_path / "site" / "decisions" / "route-hostile" / "index.html").is_file()


# ---------------------------------------------------------------------------------- experiments


@pytest.mark.parametrize("family", FAMILIES)
def test_the_record_that_the_readme_shows_is_one(family: str, tmp_path: Path) -> None:
    folder = experiment(tmp_path, family)
    record = re.search(r"```json\n\s*(\{.*\})\n", (folder / "README.md").read_text("utf-8"))
    assert record is not None
    empty = next(folder.rglob("empty.jsonl"))
    (empty.parent / "alpha__beta.jsonl").write_text(json.dumps(json.loads(record[1])) + "\n", "utf-8")
    report = mc.compute(mc.load(folder))
    assert report.problems == ()
    assert sum(e.known for e in report.estimates) > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_setting_that_is_commented_out_is_a_setting(family: str, tmp_path: Path) -> None:
    text = (experiment(tmp_path, family) / "experiment.yaml").read_text("utf-8")
    shown = re.sub(r"(?m)^# ?(?=\s*-|[a-z_]+:)", "", text)
    found = read_settings(strict_yaml.parse(shown.encode(), "experiment.yaml"))
    assert {name for name, _ in found.words()} >= {"models", "names", "cluster", "prices", "separation"}
    assert read_settings(strict_yaml.parse(text.encode(), "experiment.yaml")).words() == ()
    assert len(re.findall(r"(?m)^# ?[a-z_]+:", text)) == len(found.words())


def test_the_control_that_the_readme_shows_holds(tmp_path: Path) -> None:
    folder = experiment(tmp_path, "brownfield")
    shown = re.search(r"```json\n(.*?)```", (folder / "controls" / "README.md").read_text("utf-8"), re.DOTALL)
    assert shown is not None
    (folder / "controls" / "sanity.json").write_text(shown[1], "utf-8")
    states = {c.name: c.state for c in mc.compute(mc.load(folder)).controls}
    assert states["sanity"] == "held"


def test_the_contract_that_traces_begin_with_holds_its_own_fixtures(tmp_path: Path) -> None:
    folder = experiment(tmp_path, "traces")
    contract = mc.load_contract(folder / "contracts" / "contract.py")
    assert (contract.id, contract.version) == ("my-exp/v1-tests-pass", "1")
    held = [c for c in mc.compute(mc.load(folder)).controls if c.name == "fixtures"]
    assert [c.state for c in held] == ["held", "held"]  # the package's own, and this one's


def test_a_folder_says_what_goes_where(tmp_path: Path) -> None:
    names = {family: {path for path, _ in begun("experiment", "x", family=family)} for family in FAMILIES}
    assert names["brownfield"] == {
        f"experiments/x/{file}"
        for file in ("README.md", "experiment.yaml", "logs_big/empty.jsonl", "controls/README.md")
    }
    assert "experiments/x/contracts/contract.py" in names["traces"]
    assert len({frozenset(found) for found in names.values()}) == len(FAMILIES)


# ---------------------------------------------------------------------------------- pages and decisions


def decision(index: Index | None) -> decisions.Decision:
    ((path, data),) = begun("decision", "route-hostile", index)
    return decisions.read(path, data)


def test_a_decision_begins_as_a_proposal_of_today() -> None:
    found = decision(None)
    assert (found.title, found.status, found.date) == ("Route hostile", "proposed", TODAY)
    assert found.claims == ()
    assert [line for line in found.text.split("\n") if line.startswith("## ")] == [
        "## Context", "## Decision", "## What would change our mind",
    ]  # fmt: skip


def test_a_decision_begins_with_a_claim_that_the_site_can_judge() -> None:
    (claim,) = judge_decision(decision(INDEX), INDEX).claims
    assert (claim.claim.kind, claim.claim.of, claim.claim.than) == ("above", "alpha", "beta")
    assert claim.verdict not in ("no data", "inadmissible")


@pytest.mark.parametrize("index,planned", [(None, None), (None, 40), (INDEX, None), (INDEX, 40)])
def test_a_decision_that_is_registered_says_what_is_planned_and_which_instrument_reads_it(
    index: Index | None, planned: int | None
) -> None:
    ((path, data),) = scaffold(
        "decision", "try-beta", taken=(), today=TODAY, index=index, registered=True, planned=planned
    )
    made = decisions.read(path, data)
    assert made.registered is not None
    known = {e.contract.digest for report in INDEX.reports for e in report.estimates}
    assert made.registered.planned == (planned or (150 if index is None else None))
    assert bool(made.registered.contracts) == (index is not None)
    assert set(made.registered.contracts) <= known
    assert b"registered" not in begun("decision", "try-beta")[0][1]


def only(arms: Collection[str]) -> Index:
    """The site's reports with some of their arms alone, so that with one there is no pair."""
    return Index([
        replace(
            report,
            estimates=tuple(e for e in report.estimates if dict(e.group).get("model") in {*arms, None}),
            comparisons=tuple(c for c in report.comparisons if {c.a, c.b} <= set(arms)),
        )
        for report in INDEX.reports
    ])  # fmt: skip


@pytest.mark.parametrize("form", range(8))
@pytest.mark.parametrize("index", [None, INDEX, only(["alpha"])], ids=["no site", "a site", "one arm"])
def test_every_form_of_a_claim_that_is_commented_out_is_one(form: int, index: Index | None) -> None:
    ((path, data),) = begun("decision", "route-hostile", index)
    forms = re.findall(r"(?m)^#   (- \{says: .*\})$", data.decode())[:8]
    shown = re.sub(r"(?m)^# claims:\n.*\n|^claims:\n(?: .*\n)+", f"claims:\n  {forms[form]}\n", data.decode())
    (claim,) = decisions.read(path, shown.encode()).claims
    if index is not None:
        assert "my-experiment" not in shown
        assert "family.metric" not in shown
        assert claim.of in {"alpha", "beta", ""}
        lacking = ("family.cost", "control: sanity", *(() if index is INDEX else ("beta",)))  # in this site
        if not any(each in forms[form] for each in lacking):
            judged = judge_decision(decisions.read(path, shown.encode()), index).claims[0]
            assert judged.verdict != "inadmissible"


def test_a_decision_says_which_metrics_and_arms_its_site_has() -> None:
    ((_, data),) = begun("decision", "route-hostile", only(["alpha"]))
    text = data.decode()
    there = {
        f"{e.family}.{e.metric}" for r in only(["alpha"]).reports for e in r.estimates if e.value is not None
    }
    assert set(re.search(r"# Metrics of this site: (.*)\.\n", text)[1].split(", ")) <= there  # type: ignore[index]
    assert '# claims:\n#   - {says: "...", metric: "' in text
    assert 'of: "alpha", at_least: 0.8}' in text


def test_the_reference_that_a_page_shows_is_one_of_the_site() -> None:
    ((_, data),) = begun("page", "about-us", INDEX)
    shown = re.search(r"#   \{est\}`(.*)`", data.decode())
    assert shown is not None
    assert INDEX.one(parse_query(shown[1], "about-us.md:1:1")).value is not None


@pytest.mark.parametrize("thing", ["page", "decision"])
def test_nothing_that_is_begun_holds_a_result_typed_by_hand(thing: str) -> None:
    ((path, data),) = begun(thing, "about-us", INDEX)
    assert naked(data.decode(), path) == ()


# ---------------------------------------------------------------------------------- names


@pytest.mark.parametrize("name", [
    "", "About us", "about_us", "-about", "about--us", "../about", "a/b", "über-uns", "a" * 41, "x-0a1b2c3d",
    "a.md", "\u202ea", "a\n",
])  # fmt: skip
@pytest.mark.parametrize("thing", get_args(scaffolds.Thing))
def test_a_name_that_is_no_address_is_refused_with_what_is_allowed(thing: str, name: str) -> None:
    with pytest.raises(ConfigError, match="lower-case a-z, digits and single hyphens, at most 40"):
        begun(thing, name)


@pytest.mark.parametrize("thing,taken", [
    ("page", "pages/mine.md"), ("decision", "decisions/mine.md"),
    ("experiment", "experiments/mine/logs/a.jsonl"),
])  # fmt: skip
def test_a_name_that_is_taken_is_refused(thing: str, taken: str) -> None:
    with pytest.raises(ConfigError, match=r"mine.*: is there already"):
        scaffold(thing, "mine", taken=[taken], today=TODAY)  # type: ignore[arg-type]
    assert scaffold(thing, "mine-2", taken=[taken], today=TODAY)  # type: ignore[arg-type]


def test_a_name_is_only_taken_where_it_would_stand() -> None:
    assert scaffold("page", "mine", taken=["decisions/mine.md", "pages/mine-too.md"], today=TODAY)
    assert scaffold("experiment", "mine", taken=["experiments/mine-too/a", "pages/mine.md"], today=TODAY)


def test_the_same_is_begun_every_time() -> None:
    for thing in get_args(scaffolds.Thing):
        assert begun(thing, "mine", INDEX) == begun(thing, "mine", INDEX)


@pytest.mark.parametrize("thing", ["page", "decision", "experiment"])
def test_a_start_that_nobody_replaced_is_not_published(thing: str, tmp_path: Path) -> None:
    content = small_content.write_suite(tmp_path / "content")
    put(begun(thing, "just-begun"), content)
    settings = content / "experiments/just-begun/experiment.yaml"
    if settings.is_file():
        settings.write_text(settings.read_text("utf-8") + "gates: {sanity: optional}\n", "utf-8")
    plan = Plan(content=content, output=tmp_path / "site", redactor=Redactor(), strict=True)
    with pytest.raises(StrictError, match="just-begun") as refused:
        pipeline.build(plan)
    told = str(refused.value)
    assert told.count("was never replaced") == {"page": 2, "decision": 4, "experiment": 1}[thing]
    assert not (tmp_path / "site").exists()


def test_each_text_of_a_start_is_found_and_no_comment_of_one() -> None:
    for thing, sentences in (("page", 1), ("decision", 3)):
        ((_, data),) = begun(thing, "x-y")
        body = data.decode().split("---\n", 2)[2]
        found = [words for _, words in scaffolds.unreplaced(body)]
        assert len(found) == sentences
        assert all(words in " ".join(body.split()) for words in found)
        changed = body.replace(".", ", and so on.")
        assert list(scaffolds.unreplaced(changed)) == []
