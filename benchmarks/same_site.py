"""The shipped example built in several ways in turn, each time the same site.

*One process* and *two* make every page anew. *A cluster of two* counts the records in the workers of a Dask
cluster that the build starts, and makes the pages itself. *One of them killed*: the same on a cluster that
stands already, one worker of which stops, is given tasks, and is killed; what its workers took is not
counted. *What was kept*: a build that takes over what an earlier one of other content kept, in which a
record and a page differed. Each build is a process; its seconds of CPU are those of all that it began.
*Peak* is the most memory that one of its processes had, pages that copies share counted in each. The
manifests, which hold the digest of every file, are held against each other.
"""

from __future__ import annotations

import hashlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.rebuilds import one_page, one_record
from tests.support.lost_worker import losing_cluster

REPO = Path(__file__).resolve().parents[1]
PROGRAM = """\
import resource, sys
from pathlib import Path
from site_src.cli import main
site, project, *flags = sys.argv[1:]
code = main(["build", "-q", "--output", site, *flags], project=Path(project))
used = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(max(used))
sys.exit(code)
"""
TIMES = 3


class Built(NamedTuple):
    """One build."""

    cpu: float
    clock: float
    peak: float
    manifest: bytes


def built(project: Path, site: Path, *flags: str) -> Built:
    """Build a project."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(site), str(project), *flags],
        cwd=REPO, check=True, capture_output=True, text=True,
    )  # fmt: skip
    clock, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Built(cpu, clock, int(ran.stdout.split()[-1]) / 1024, (site / "manifest.json").read_bytes())


def anew(*flags: str) -> Callable[[Path, Path], Built]:
    """A build that neither finds nor keeps anything."""
    return lambda project, site: built(project, site, "--no-cache", *flags)


def with_a_worker_killed(project: Path, site: Path) -> Built:
    """A build on a cluster that loses a worker with tasks."""
    with losing_cluster() as cluster:
        found = anew("--engine", "dask", "--scheduler", cluster.address)(project, site)
    assert cluster.lost, "the worker had tasks"
    return found


def from_what_was_kept(project: Path, site: Path) -> Built:
    """A build behind one of other content."""
    content, others = project / "content", project / "others"
    shutil.copytree(content, others)
    one_record(project)
    one_page(project)
    built(project, site)
    shutil.rmtree(content)
    others.rename(content)
    return built(project, site)


WAYS: dict[str, Callable[[Path, Path], Built]] = {
    "one process": anew("--engine", "serial"),
    "two": anew("--engine", "processes", "--workers", "2"),
    "a cluster of two": anew("--engine", "dask", "--workers", "2"),
    "the same, one of them killed": with_a_worker_killed,
    "two, from what was kept": from_what_was_kept,
}


def table() -> str:
    """The rows, as Markdown."""
    found: dict[str, list[Built]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        shutil.copytree(REPO / "content", project / "content")
        for turn in range(TIMES):
            for number, (way, build) in enumerate(WAYS.items()):
                found[way].append(build(project, Path(folder) / f"site-{turn}-{number}"))
    (manifest,) = {each.manifest for builds in found.values() for each in builds}
    rows = {
        way: [statistics.median(each[at] for each in builds) for at in range(3)]
        for way, builds in found.items()
    }
    first = rows["one process"]
    lines = [
        f"| {way} | {cpu:.1f} | {clock:.1f} | {peak:.0f} | {cpu / first[0]:.2f} | {clock / first[1]:.2f} |"
        for way, (cpu, clock, peak) in rows.items()
    ]
    digest = f"sha256:{hashlib.sha256(manifest).hexdigest()}"
    head = [
        "## The example, however it is built",
        "",
        (__doc__ or "").partition("\n\n")[2],
        f"Medians of {TIMES} builds each, in turn; the manifest of all {TIMES * len(WAYS)} is `{digest}`.",
        "",
        "| pages by | CPU s | clock s | peak MB of a process | CPU to one | clock to one |",
    ]
    return "\n".join([*head, "| --- | --: | --: | --: | --: | --: |", *lines, ""])


if __name__ == "__main__":
    print(table())
