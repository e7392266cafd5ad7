"""What was asked of each measured thing, beside what was measured: the head of ``RESULTS.md``.

Does: read the figure of each target out of the tables that the benchmarks wrote, say whether it is met, and
where it is not, what takes the time and what would be tried next. Does not: measure anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

HEADING = "## Against what was asked"
NUMBER = re.compile(r"-?[0-9][0-9,]*(?:\.[0-9]+)?")


class Target(NamedTuple):
    """One figure that was asked for.

    Attributes:
        what: The thing, and what it is measured against.
        part: Heading of the part of the results that has it.
        row: How its row begins, cells apart by ``|``.
        column: Name of its column; of two of one name, such as CPU and clock, the first.
        most: The figure may be that and no more.
        unit: Written behind both figures.
        next_idea: Where the time goes, and what would be tried next, for one that is missed.
    """

    what: str
    part: str
    row: str
    column: str
    most: float
    unit: str
    next_idea: str


TARGETS = (
    Target(
        "1,000,000 records read, checked and counted, CPU to `orjson.loads`",
        "Ingest", "1,000,000 | partials", "CPU to floor", 1.25, "x",
        "each line is an object before it is columns: raw bytes of all repeated text in one interned piece",
    ),
    Target(
        "the same by two processes, clock", "Ingest", "1,000,000 | by two", "clock to floor", 0.75, "x",
        "as above; a second of it starts and ends them",
    ),
    Target(
        "memory for 1,000,000 records, above the start", "Ingest", "1,000,000 | partials", "MB", 40.0, " MB",
        "numpy is loaded in it, and merging holds each value: keep how often each occurs",
    ),
    Target(
        "the whole report of 100,000 records", "Ingest", "100,000 | compute", "CPU to floor", 6.0, "x",
        "nearly half is 1,500 estimates, flat: exact bootstraps 15 %, groups 12 %, exact limits 11 %, "
        "comparisons 10 %; a quarter looks for secrets: limits of all groups at once, over arrays",
    ),
    Target(
        "a partial of 1,000,000 records, bytes each", "Engines", "1,000,000", "partials B a record", 40.0, "",
        "24 name numbered tries: their keys once, and the number of a try in the fewest bytes",
    ),
    Target(
        "attempts read and admitted, CPU to a walk that reads them", "Attempts in folders", "admitted",
        "CPU to floor", 1.3, "x",
        "each file is opened twice, folder by folder, and screened alone: hold folders open, screen a "
        "folder's files at once",
    ),
    Target(
        "the same by two processes, clock", "Attempts in folders", "by two", "clock to floor", 0.7, "x",
        "as above; starting two and sending what they counted takes a quarter more CPU",
    ),
    Target(
        "a site of attempts, nothing changed, CPU to size and time of each file", "Attempts in folders",
        "nothing changed", "CPU to stat", 1.5, "x",
        "every input and every file of the site is read for its digest, so that nothing stale is believed: "
        "a digest of a folder that a watching process keeps",
    ),
    Target(
        "signed bootstrap of 10,000, to the reference in Python", "Measuring", "signed bootstrap", "ratio",
        0.05, "x", "draw for several metrics of one n at once",
    ),
    Target(
        "the same, to its random words", "Measuring", "the same again", "ratio", 2.0, "x",
        "sums of drawn values: fewer passes over the drawn places",
    ),
    Target(
        "the same for 50 metrics of one n, to 50 calls", "Measuring", "the same for 50 metrics", "ratio",
        0.1, "x", "sums of drawn values take what is left: fewer passes over the drawn places",
    ),
    Target(
        "specification of a figure", "Figures", "specification", "CPU ms", 0.1, " ms",
        "values are put into a frame that is built once: fewer of them",
    ),
    Target(
        "a new SVG", "Figures", "SVG, new", "CPU ms", 25.0, " ms", "the renderer draws it: fewer marks",
    ),
    Target(
        "an unchanged SVG", "Figures", "SVG, unchanged", "CPU ms", 0.2, " ms",
        "the key is a digest of the specification: a smaller one",
    ),
    Target(
        "10,000 review pages, CPU to hugo", "Review pages", "10,000 | hugo", "ours to it: CPU", 0.8, "x",
        "pages hold five times the bytes, are searched for secrets and checked against their estimates; "
        "the profile is flat: rendering 13 %, run views 14 %, screening 15 %, writing 12 %",
    ),
    Target(
        "the same, CPU to eleventy", "Review pages", "10,000 | eleventy", "ours to it: CPU", 0.45, "x",
        "as beside hugo",
    ),
    Target(
        "the same, memory to hugo", "Review pages", "10,000 | hugo", "memory", 0.25, "x",
        "reports and pages' parts of an experiment are held whole: hand pages out as they are made",
    ),
    Target(
        "one record more of 10,000, CPU to an empty cache", "Review pages", "10,000 | one record more",
        "CPU to an empty cache", 0.1, "x",
        "each page of a run states N and digest of its experiment: keep pages with holes for them",
    ),
    Target(
        "one record more in the example, CPU to a cold build", "Builds of the example, again",
        "one record more", "CPU to cold", 0.1, "x",
        "each page of a run states N and digest of its experiment: keep pages with holes for them",
    ),
    Target(
        "one page changed in the example, CPU to a cold build", "Builds of the example, again",
        "one page changed", "CPU to cold", 0.1, "x",
        "each page states the build, so 1,900 of 4,400 files are written anew and folders made: half of that "
        "is the file system's",
    ),
    Target(
        "nothing changed, CPU to digests of inputs and site", "Builds of the example, again",
        "nothing changed", "CPU s", 1.5, "x the floor", "the start of the program is most of it",
    ),
    Target(
        "`assay --help`, more than bare Python", "Starting", "assay --help", "more than bare", 0.2, " s",
        "modules that the list of commands needs"
    ),
    Target(
        "`assay compute` of three records, the same", "Starting", "assay compute", "more than bare", 0.3,
        " s", "it loads 158 modules of its own and runs the golden fixtures",
    ),
    Target(
        "a site of three records built, the same", "Starting", "assay build", "more than bare", 0.2, " s",
        "a quarter loads 430 modules of its own, the rest makes and screens 312 files",
    ),
    Target(
        "a page of prose saved and answered, p95", "From a save to its sight in the browser",
        "answered: text of a page", "p95 ms", 30.0, " ms",
        "words that lead to pages, and what is said of the site, are looked up for each page",
    ),
    Target(
        "a page of prose saved and seen, p95", "From a save to its sight in the browser", "text of a page",
        "p95 ms", 100.0, " ms", "the template, and Markdown, which is read twice",
    ),
    Target(
        "the first page saved and seen, p95", "From a save to its sight in the browser",
        "text of the first page", "p95 ms", 100.0, " ms",
        "its template 27 %, what changed since the last edition 13 %, Markdown, read twice, 12 %",
    ),
    Target("layout shift of the first page", "Pages as they are read", "layout shift of the first page",
           "median", 0.0, "", "what moves has no room kept for it"),
    Target("the first page, packed", "Pages as they are read", "first page, kB gz", "median", 60.0, " kB",
           "its list of findings, cut off past a screen"),
    Target("an experiment page of 50 arms, packed", "Many arms", "50", "experiment page kB gz", 150.0, " kB",
           "tables past the first screen to pages of their own"),
)  # fmt: skip


def summary(results: str) -> str:
    """The part of the results that holds each target against its figure.

    Args:
        results: All other parts, in Markdown.

    Raises:
        LookupError: A part has no such row or column any more.
    """
    told = [*_rows(results)]
    met = sum(row.endswith("| met | |") for row in told)
    return "\n".join(
        (
            f"{HEADING}\n",
            f"{met} of {len(told)} are met. Each figure is that of its part below.\n",
            "| what | asked: at most | measured | | where the rest goes, and the next idea |",
            "| --- | --: | --: | --- | --- |",
            *told,
            "",
        )
    )


def _rows(results: str) -> Iterator[str]:
    parts = re.split(r"^## ", results, flags=re.MULTILINE)
    for target in TARGETS:
        part = next((part for part in parts if part.partition("\n")[0] == target.part), None)
        if part is None:
            continue
        found = _cell(part, target.row, target.column)
        if target.unit == "x the floor":
            found /= _cell(part, "floor", target.column)
        shown = ("met", "") if found <= target.most else ("**missed**", target.next_idea)
        asked, measured = (f"{_spelled(number)}{target.unit}" for number in (target.most, found))
        yield f"| {target.what} | {asked} | {measured} | {shown[0]} | {shown[1]}".rstrip() + " |"


def _spelled(number: float) -> str:
    return f"{number:.3g}"


def _cell(part: str, row: str, column: str) -> float:
    r"""The number in a cell of the first table of a part that has the column.

    Raises:
        LookupError: There is none.

    >>> part = "A\n| size | pass | CPU s |\n| --- | --- | --: |\n| 10 of 2 | all | 1,200.5 [1-2] |"
    >>> _cell(part, "10 | all", "CPU s")
    1200.5
    """
    wanted = [cell.strip() for cell in row.split("|")]
    at = None
    for line in part.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if column in cells:
            at = cells.index(column)
        elif at is not None and len(cells) > max(at, len(wanted) - 1):
            number = NUMBER.search(cells[at])
            if number and all(cell.startswith(start) for cell, start in zip(cells, wanted, strict=False)):
                return float(number[0].replace(",", ""))
    raise LookupError(f"no row {row!r} with {column!r} under {part.partition(chr(10))[0]!r}")
