"""A site is the same to the byte whichever processes made its pages, also where one of them is killed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from metrics_core.execution import EngineChoice
from metrics_core.redaction import Redactor
from site_src import pipeline
from site_src.project import Plan
from tests.support import small_content
from tests.support.by_day import at_night
from tests.support.lost_worker import losing_cluster

PROGRAM = """
import json, os, signal, sys
from pathlib import Path
from msgspec.structs import replace
from metrics_core.execution import EngineChoice, ahead
from metrics_core.redaction import Redactor
from site_src import pipeline
from site_src.build_cache import BuildCache, FinishedSite
from site_src.project import Plan
from site_src.publishing import site

content, out, what = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
site.MANY = 1
made_by = set()
was = ahead._Copy.items

def items(copy, task):
    for number, item in enumerate(was(copy, task)):
        made_by.add(copy._process.pid)
        yield item
        if what == "killed" and task == 4 and number == 0:
            os.kill(copy._process.pid, signal.SIGKILL)

def build(plan):
    cache = BuildCache(plan) if what == "again" else None
    assert cache is None or cache.standing() is None
    compute, keeper = (cache.compute, cache.keeper) if cache else (None, None)
    built = pipeline.build(plan, compute=compute, keeper=keeper)
    if cache is not None:
        cache.keep(FinishedSite(manifest=built.manifest.digest, notes=(), findings=(), counts=""))
    return built.manifest.files

ahead._Copy.items = items
plan = Plan(content=content, output=out / "several", redactor=Redactor(), engine=EngineChoice("processes", 2))
if what == "again":
    if (earlier := os.fork()) == 0:
        build(replace(plan, engine=EngineChoice("serial")))
        os._exit(0)
    assert os.waitpid(earlier, 0)[1] == 0
    log = min(content.rglob("*.jsonl"))
    log.write_bytes(log.read_bytes() + log.read_bytes().splitlines(keepends=True)[-1])
several = build(plan)
copies = len(made_by)
one = pipeline.build(replace(plan, output=out / "one", engine=EngineChoice("serial"))).manifest.files
print(json.dumps([several == one, len(one), copies]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux alone")
@pytest.mark.parametrize(
    "what",
    [
        pytest.param("whole", marks=at_night("the same with a process that is killed")),
        "killed",
        pytest.param("again", id="a record more, over what an earlier build left"),
    ],
)
def test_several_processes_make_the_site_that_one_makes(what: str, tmp_path: Path, ledger: Path) -> None:
    content = small_content.write_suite(tmp_path / "content")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(content), str(tmp_path), what],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    same, files, copies = json.loads(ran.stdout.splitlines()[-1])
    assert same
    assert files > 300
    assert copies == 2
    assert not ran.stderr


@pytest.mark.filterwarnings("ignore")  # of Dask's own event loops
@at_night("the same with processes of this machine")
def test_a_cluster_that_loses_a_worker_counts_for_the_same_site(tmp_path: Path, ledger: Path) -> None:
    plan = Plan(
        content=small_content.write_suite(tmp_path / "content"), output=tmp_path / "here",
        redactor=Redactor(), engine=EngineChoice("serial"),
    )  # fmt: skip
    here = pipeline.build(plan).manifest.files
    with losing_cluster() as cluster:
        engine = EngineChoice("dask", 0, cluster.address)
        there = pipeline.build(replace(plan, output=tmp_path / "there", engine=engine)).manifest.files
    assert cluster.lost
    assert there == here
