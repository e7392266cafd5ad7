"""What it costs to look for secrets: nanoseconds a byte, and its share of a build of the example.

*Inputs* are the records and prose of the example, *pages* the texts of its site, as a build screens them.
Each is `Redactor.clean` over all of them, in this process and in seconds of its CPU; the share is what the
redactor takes of the CPU of a cold build in one process.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from metrics_core.redaction import Redactor
from site_src import pipeline
from site_src.project import SiteFile
from site_src.publishing.leaks import TEXT, this_builder

CONTENT = Path(__file__).resolve().parents[1] / "content"
ROUNDS = 3


def timed(spent: list[float], function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function; the seconds of CPU that it takes are added up."""

    def run(*args: Any, **kwargs: Any) -> Any:
        began = time.process_time()
        try:
            return function(*args, **kwargs)
        finally:
            spent.append(time.process_time() - began)

    return run


def build() -> tuple[list[SiteFile], float]:
    """The files of the example's site, and how much of making them was screening."""
    spent: list[float] = []
    clean, places = Redactor.clean, Redactor.places
    Redactor.clean = timed(spent, clean)  # type: ignore[method-assign]
    Redactor.places = timed(spent, places)  # type: ignore[method-assign]
    try:
        began = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            plan = pipeline.Plan(
                content=CONTENT, output=Path(folder) / "site", redactor=Redactor(builder=this_builder())
            )
            sources = pipeline.load(plan)
            site = pipeline.model(sources, pipeline.measure(sources))
            made = [*pipeline.pages(plan, site)]
        whole = time.process_time() - began
    finally:
        Redactor.clean, Redactor.places = clean, places  # type: ignore[method-assign]
    return made, sum(spent) / whole


def files() -> Iterator[bytes]:
    """Texts of the example: its records, and pages of prose."""
    for path in sorted(CONTENT.rglob("*")):
        if path.is_file() and path.suffix in (*TEXT, ".jsonl"):
            yield path.read_bytes()


def row(what: str, texts: Sequence[bytes]) -> str:
    """One line of the table."""
    redactor = Redactor(builder=this_builder())
    size, spent = sum(map(len, texts)), []
    for _ in range(ROUNDS):
        began = time.process_time()
        for text in texts:
            redactor.clean(text)
        spent.append(time.process_time() - began)
    seconds = statistics.median(spent)
    return f"| {what} | {len(texts):,} | {size / 1e6:.1f} | {seconds:.2f} | {seconds / size * 1e9:.1f} |"


def table() -> str:
    """The results, as Markdown."""
    made, share = build()
    pages = [file.data for file in made if file.path.endswith(TEXT)]
    return "\n".join(
        (
            "## Screening\n",
            (__doc__ or "").partition("\n\n")[2],
            f"Medians of {ROUNDS} rounds. Of a build of the example {share:.0%} is screening.\n",
            "| texts | files | MB | CPU s | ns a byte |",
            "| --- | --: | --: | --: | --: |",
            row("inputs", [*files()]),
            row("pages", pages),
            "",
        )
    )


if __name__ == "__main__":
    print(table())
