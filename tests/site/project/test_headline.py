"""``headline`` in `site.yaml`: what names nothing is refused where it stands, with the nearest there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from metrics_core.errors import ConfigError
from metrics_core.redaction import Redactor
from site_src import pipeline
from site_src.project import Plan, sources
from site_src.publishing.site import SiteFiles


def model(content: Path, headline: str) -> SiteFiles:
    """A site of two experiments: one scored by *match*, one by *match* and *length*."""
    for name, scorers in (("first", ("match",)), ("second", ("match", "length"))):
        folder = content / "experiments" / name / "traces"
        folder.mkdir(parents=True, exist_ok=True)
        rows = [
            {"task_id": f"t{n}", "agent": arm, "scores": {s: float(arm == "alpha") for s in scorers}}
            for arm in ("alpha", "beta")
            for n in range(9)
        ]
        (folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (content / "site.yaml").write_text(f"title: Two\n\nheadline: {headline}\n")
    read = sources.read(Plan(content=content, experiments=(), output=content / "_site", redactor=Redactor()))
    return pipeline.model(read, pipeline.measure(read))


@pytest.mark.parametrize(
    ("headline", "said"),
    [
        ("scor", "there is no metric 'scor' (nearest: score"),
        ("first/traces.score", "there is no metric 'first/traces.score'"),
        ("score experiment=frist", "score has no key 'experiment'"),
        ("score scorr=match", "score has no key 'scorr' (nearest: scorer"),
        ("score scorer=mach", "no estimate of score has scorer 'mach' (nearest: match"),
        ("score scorer=match scorer=lenght", "no estimate of score has scorer 'lenght' (nearest: length"),
        ("score scorer", "no estimate of score has scorer ''"),
        ("score model=alpha", "expected a key of a stratum of score, got 'model'"),
        ("latency", "there is no metric 'latency' (there is score, stage"),
    ],
)
def test_a_headline_that_names_nothing_is_refused_with_its_line(
    tmp_path: Path, headline: str, said: str
) -> None:
    with pytest.raises(ConfigError, match=r"^(.*/)?site\.yaml:3#/headline: ") as refused:
        model(tmp_path, headline)
    assert re.search(re.escape(said), str(refused.value)), str(refused.value)


@pytest.mark.parametrize("headline", ["score", "score scorer=length", '""'])
def test_a_headline_of_one_experiment_of_several_is_taken(tmp_path: Path, headline: str) -> None:
    assert model(tmp_path, headline).file("index.html") is not None
