"""What it costs to look for secrets: nanoseconds a byte, and the share of a build of the example.

    .venv/bin/python benchmarks/screening.py [--build]

Times `Redactor.clean` over the files of the example's site, as a build screens them, in this process and in
seconds of its CPU. With ``--build`` it builds the example, and says how much of it is screening.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
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


def build() -> list[SiteFile]:
    """Build the example, say how much of it was screening, and give its files."""
    spent: list[float] = []
    clean, places = Redactor.clean, Redactor.places
    Redactor.clean = timed(spent, clean)  # type: ignore[method-assign]
    Redactor.places = timed(spent, places)  # type: ignore[method-assign]
    made: list[SiteFile] = []
    try:
        began = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            plan = pipeline.Plan(
                content=CONTENT, output=Path(folder) / "site", redactor=Redactor(builder=this_builder())
            )
            sources = pipeline.load(plan)
            site = pipeline.model(sources, pipeline.measure(sources))
            made += pipeline.pages(plan, site)
        whole = time.process_time() - began
    finally:
        Redactor.clean, Redactor.places = clean, places  # type: ignore[method-assign]
    print(f"build {whole:.1f} s of CPU, screening {sum(spent):.2f} s: {sum(spent) / whole:.1%}")
    return made


def files() -> Iterator[bytes]:
    """Texts of the example: its records, and pages of prose."""
    for path in sorted(CONTENT.rglob("*")):
        if path.is_file() and path.suffix in (*TEXT, ".jsonl"):
            yield path.read_bytes()


def main() -> None:
    """Time the screening, of a build where that is asked for."""
    texts = (
        [file.data for file in build() if file.path.endswith(TEXT)] if "--build" in sys.argv else [*files()]
    )
    redactor = Redactor(builder=this_builder())
    size = sum(map(len, texts))
    for _ in range(ROUNDS):
        began = time.process_time()
        for text in texts:
            redactor.clean(text)
        spent = time.process_time() - began
        print(f"{size / 1e6:.1f} MB in {len(texts)} files: {spent:.2f} s, {spent / size * 1e9:.1f} ns a byte")


if __name__ == "__main__":
    main()
