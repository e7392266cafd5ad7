"""The record of one run, as published, and as it was read where that is another thing.

A line of a log is the record. What was made from an element of an outside file has that element as its
record, byte for byte, and beside it what it was read as. Does: show as much of each as a page has room
for, and give the element as a file. Does not: read either.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from msgspec import Struct

from metrics_core.formats import strict_json
from metrics_core.results import Review
from site_src import paths
from site_src.pages.components import line, text
from site_src.pages.runs.transcript import LONGEST, within
from site_src.project import RawFile, SiteExperiment, SiteFile
from site_src.wording import Line, Span, count

FOLDER_RECORD = "metadata.json"
"""The file of an attempt's folder that holds its record."""

SOURCE = "source"
"""The element of an outside file, beside the page of its run; its ending says whether it is strict JSON."""


class RecordView(Struct, frozen=True, kw_only=True):
    """A record in one of its forms.

    Attributes:
        title: Which form it is.
        about: Where it is from, and what it is not.
        show: Words of the fold that holds it.
        text: As much of it as the page has room for.
        cut: How much it has no room for, in words; empty for none.
    """

    title: str
    about: Line
    show: str
    text: str
    cut: str


def record_view(
    experiment: SiteExperiment, review: Review, page: str
) -> tuple[tuple[RecordView, ...], tuple[SiteFile, ...]]:
    """A run's record in each of its forms, and the element as a file where no file of the experiment is it.

    Args:
        experiment: Whose run it is.
        review: The run.
        page: Path of its page.
    """
    read = json.dumps(review.record, ensure_ascii=False, indent=2, sort_keys=False)
    where = _where(experiment, review, page)
    if not review.source:
        told = line("As published, from ", where, f". {REDACTED}")
        return (_view("", told, "Show the record", read, "the file"),), ()
    same = hashlib.sha256(review.source).hexdigest()
    whole = experiment.of_files(_places_by_digest).get(same)
    own = SiteFile(page.removesuffix("index.html") + SOURCE + _ending(review.source), review.source)
    download = text("Download", href=paths.relative(page, whole or own.path))
    size = f"{count(len(review.source))} bytes"
    what = f"{size}, the whole of " if whole else f"{size}, an element of "
    published = review.source.decode("utf-8", "replace")
    return (
        _view(
            "As published",
            line(what, where, f". {REDACTED} ", download),
            _show(published),
            published,
            "the download",
        ),
        _view(
            f"As read: {_schema(review)}",
            line("What the numbers stand on; not what was published."),
            "Show our reading",
            read,
            "",
        ),
    ), (() if whole else (own,))


REDACTED = "Secrets are replaced by labelled marks before anything is computed."


def _ending(source: bytes) -> str:
    """Of the file: harnesses write NaN, a key twice, cells of tables, which are no JSON.

    >>> _ending(b'{"a": 1}'), _ending(b'{"a": NaN}'), _ending(b"a,1")
    ('.json', '.txt', '.txt')
    """
    try:
        strict_json.decode(source)
    except ValueError:
        return ".txt"
    return ".json"


def _show(published: str) -> str:
    lines = published.count("\n") + 1
    return f"Show {count(lines)} lines" if lines > 1 else "Show it, as it stands in one line"


def _schema(review: Review) -> str:
    """Name of the form that a record was read into: as it states it, else its family's."""
    stated = review.record.get("schema") if isinstance(review.record, dict) else None
    return stated if isinstance(stated, str) else review.family


def _view(title: str, about: Line, show: str, whole: str, elsewhere: str) -> RecordView:
    kept = within(whole, LONGEST)
    left_out = len(whole) - len(kept)
    told = f"are in {elsewhere}" if elsewhere else "have no room here"
    cut = f"{count(left_out)} more characters {told}." if left_out else ""
    return RecordView(title=title, about=about, show=show, text=kept, cut=cut)


def _places(files: Sequence[RawFile]) -> dict[str, str]:
    """Path of each file of which the site has a copy -> where that lies."""
    return {raw.path: raw.at for raw in files if raw.at}


def _places_by_digest(files: Sequence[RawFile]) -> dict[str, str]:
    """The same by digest; of files that are the same, the first."""
    return {raw.sha256: raw.at for raw in reversed(files) if raw.at}


def _where(experiment: SiteExperiment, review: Review, page: str) -> Span:
    """File and line of the record, linked; of a record that is a folder, the file that says what it is."""
    published = experiment.of_files(_places)
    inside = f"{review.file}/{FOLDER_RECORD}"
    if review.file in published or inside not in published:
        at = published.get(review.file, "")
        return text(f"{review.file}:{review.line}", href=paths.relative(page, at) if at else "")
    return text(inside, href=paths.relative(page, published[inside]))
