"""Every record type, every metric and every fixture is explained on the site: whatever family is there.

One small experiment a family, of its own golden fixtures, makes one site; a family that is dropped in is
asked for as well.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from metrics_core.families import FAMILIES
from metrics_core.formats.fields import fields
from metrics_core.measurement.family import Family
from metrics_core.redaction.redactor import Redactor
from site_src import paths, pipeline
from site_src.project.site_config import SiteConfig
from site_src.project.sources import Plan, read
from site_src.publishing.formats import exchange
from site_src.publishing.site import SiteFiles
from site_src.wording.names import metric_words
from tests.support.by_day import one_in
from tests.support.family_records import of_fixtures, write

every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)


def made(root: Path) -> SiteFiles:
    """A site of one experiment a family, which are written below a folder."""
    folders = tuple(write(f, root / f"of-{f.name}", of_fixtures(f)) for f in FAMILIES.values())
    sources = read(Plan(content=None, experiments=folders, output=root / "site", redactor=Redactor()))
    return pipeline.model(sources, pipeline.measure(sources))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> SiteFiles:
    return made(tmp_path_factory.mktemp("families"))


def told(site: SiteFiles, path: str) -> str:
    """The text of a page, without markup."""
    file = site.file(path)
    assert file is not None, path
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", file.data.decode())).split())


def one_line(text: str) -> str:
    return " ".join(text.split())


@one_in(3)
@every_family
def test_the_dictionary_says_what_every_field_of_every_record_means(site: SiteFiles, family: Family) -> None:
    text = told(site, paths.DICTIONARY)
    assert family.record.__name__ in text
    assert family.folder in text
    found = fields(family.record)
    assert len(found) > 5
    assert [f.name for f in found if f"{f.name} {one_line(f.meaning)} {f.kind}" not in text] == []


@every_family
def test_the_methods_page_says_what_every_metric_counts(site: SiteFiles, family: Family) -> None:
    text = told(site, paths.METHODS)
    missing = [
        metric.name
        for metric in family.metrics
        if f"{metric_words(metric.name, family.words)} {one_line(metric.estimand)}" not in text
    ]
    assert missing == []


@one_in(3)
@every_family
def test_the_contracts_page_shows_every_golden_fixture(site: SiteFiles, family: Family) -> None:
    text = told(site, paths.contract(family.contract.id))
    missing = [f.name for f in family.contract.fixtures if one_line(f.name) not in text]
    assert missing == []


@one_in(3)
@every_family
def test_every_record_type_publishes_its_schema(site: SiteFiles, family: Family) -> None:
    file = site.file(f"data/schemas/{paths.slug(family.record.__name__.lower())}.json")
    assert file is not None
    properties = json.loads(file.data)["$defs"][family.record.__name__]["properties"]
    assert set(properties) == {f.name for f in fields(family.record) if "/" not in f.name}


@every_family
def test_what_the_family_exports_is_of_the_exchange_schema(
    site: SiteFiles, family: Family, shared_data: Path
) -> None:
    schema = shared_data / "every-eval-ever" / "schemas" / "eval.schema.json"
    validator = Draft7Validator(json.loads(schema.read_bytes()))
    reports = [report for report in site.reports if report.families == (family.name,)]
    made: dict[str, Any] = dict(exchange.records(reports, SiteConfig(title="Every family")))
    assert made, "no score of one arm is exported"
    faults = [
        (at, error.json_path, error.message)
        for at, record in made.items()
        for error in validator.iter_errors(record)
    ]
    assert faults == []
    known = {e.id for report in reports for e in report.estimates}
    ids = {r["evaluation_result_id"] for record in made.values() for r in record["evaluation_results"]}
    assert ids <= known
