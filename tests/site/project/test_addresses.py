"""Experiments at addresses in a project: listed, read, named on no page, and kept for no later build."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from metrics_core.errors import ConfigError, FormatError
from metrics_core.experiments import Address
from metrics_core.redaction import Redactor
from site_src.build_cache.inputs import NotKeptError, inputs_of
from site_src.project import Plan, SiteConfig, listed, read, told_of

ROWS = b"task,model,passed\n" + b"".join(b"t%d,alpha,%d\n" % (at, at % 2) for at in range(6))
ADDRESS = "memory://evals/first-runs"


@pytest.fixture
def content(tmp_path: Path) -> Iterator[Path]:
    """A content folder that lists one experiment of a store."""
    store = fsspec.filesystem("memory")
    store.pipe_file("/evals/first-runs/runs.csv", ROWS)
    (tmp_path / "content").mkdir()
    (tmp_path / "content/site.yaml").write_text(f'experiments: ["experiments/*", "{ADDRESS}"]\n')
    yield tmp_path / "content"
    store.store.clear()


def test_addresses_are_listed_behind_folders(content: Path) -> None:
    (content / "experiments/z").mkdir(parents=True)
    config = SiteConfig(experiments=(ADDRESS, "experiments/*"))
    assert listed(content, config) == (content / "experiments/z", Address.of(ADDRESS))


def test_an_address_with_a_key_in_it_is_a_wrong_setting_and_is_not_repeated(content: Path) -> None:
    with pytest.raises(ConfigError, match=r"^site\.yaml#/experiments: ") as told:
        listed(content, SiteConfig(experiments=("s3://NAME:WORD@evals/july",)))
    assert "WORD" not in str(told.value)


def test_it_is_read_and_no_page_learns_in_which_bucket_it_lies(content: Path) -> None:
    sources = read(Plan(content=content, output=content.parent / "_site", redactor=Redactor()))
    (experiment,) = sources.experiments
    assert experiment.digests.files[0].path == "runs.csv"
    again = sources.recompute_of(experiment)
    assert again.words == ("first-runs", "--content", "content")
    assert again.elsewhere == "first-runs"


def test_nothing_is_kept_of_a_build_that_reads_an_address(content: Path) -> None:
    with pytest.raises(NotKeptError, match=r"lies at an address"):
        inputs_of(Plan(content=content, output=content.parent / "_site", redactor=Redactor()))


def test_an_error_is_told_by_address_and_line() -> None:
    with pytest.raises(FormatError) as told, told_of(Address.of(ADDRESS)):
        raise FormatError("expected a date", where="logs/a.jsonl:3")
    assert str(told.value) == f"{ADDRESS}/logs/a.jsonl:3: expected a date"
