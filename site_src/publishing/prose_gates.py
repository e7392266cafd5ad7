"""The gates that prose passes before it is published: decisions, editions, results typed by hand, starts.

Does: collect notes for the publisher and for authors, and stop what may not leave: a result typed by hand not
under ``--strict``; publishing is strict, and wants every accepted decision borne out as well. Does not: judge
a claim (`site_src.decisions` does), or look at reports (`site_src.publishing.gates` does).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from metrics_core.errors import AssayError, ClaimError, GateError, StrictError
from site_src.decisions import Decision, unsupported
from site_src.lint import Finding, naked, near_misses
from site_src.pages.editions import objections
from site_src.project import Authored, scaffolds
from site_src.publishing.site import SiteFiles
from site_src.references import Index

Written = Authored | Decision
"""A document of an author's."""


def check_prose(
    whole: SiteFiles, *, checking: bool = False, strict: bool = False, publishing: bool = False
) -> tuple[str, ...]:
    """Check prose, decisions and moves against the reports.

    Args:
        whole: The site, none of whose pages need have been made.
        checking: An accepted decision that is not borne out is an error; numbers typed by hand are notes.
        strict: Numbers typed by hand stop the build, as do sentences of a start that were never replaced.
        publishing: Strict, and so do figures that moved unannounced, and pages that are gone without a word.

    Returns:
        Notes for the publisher, one sentence each.

    Raises:
        GateError: Publishing, and a figure moved although nothing it is made from did (exit 3).
        ClaimError: Checking or publishing, and an accepted decision is not borne out (exit 1).
        StrictError: Strict, and a number was typed by hand, or a start's sentence was left (exit 4).
    """
    state = whole.site_state
    moved = objections(state.history, whole.site.since, whole.site.present)
    left = unsupported(state.decisions)
    typed: tuple[StrictError, ...] = ()
    if checking or strict or publishing:
        typed = (
            *near_missed(whole),
            *(found.error for found in typed_by_hand(whole)),
            *left_of_starts(whole),
        )
    if publishing and moved:
        raise GateError("; ".join(moved), where="publication", hint="nothing was published")
    if (checking or publishing) and left:
        raise _all_of(left, ClaimError, also=(*moved, *map(str, typed)) if checking else ())
    if (strict or publishing) and typed:
        raise _all_of(typed, StrictError)
    return (*map(str, left), *moved, *map(str, typed))


def _all_of(found: Sequence[AssayError], kind: type[AssayError], also: Sequence[str] = ()) -> AssayError:
    """One error of all of them, a line each; notes follow."""
    first, *rest = found
    lines = (f"{first.problem} ({first.hint})", *map(str, rest), *(f"note: {note}" for note in also))
    return kind("\n".join(lines), where=first.where)


def noted(page: Written, index: Index) -> tuple[str, ...]:
    """Notes for the author of one document: what is misspelt in it, and results typed by hand.

    Args:
        page: What was written.
        index: What the site's reports hold.
    """
    misspelt = near_misses(page.text, page.source, page.first_line)
    return (*map(str, misspelt), *map(str, _typed(page, index)), *map(str, _left(page)))


def notes(
    whole: SiteFiles, notes_of: Callable[[Written, Index], tuple[str, ...]] = noted
) -> Iterator[tuple[str, ...]]:
    """All that `check_prose` returns or raises, as notes; nothing is raised.

    Args:
        whole: The site, none of whose pages need have been made.
        notes_of: Gives the notes on one document; a preview gives one that remembers.

    Yields:
        Notes on decisions, on figures that moved, and on each document in turn, so that whoever has something
        better to do can stop between two of them.
    """
    state = whole.site_state
    yield tuple(map(str, unsupported(state.decisions)))
    yield objections(state.history, whole.site.since, whole.site.present)
    yield from (notes_of(page, state.index) for page in _written(whole))


def _written(whole: SiteFiles) -> list[Written]:
    where = whole.site.where
    return [*where.authored, *(judged.decision for judged in where.decisions)]


def near_missed(whole: SiteFiles) -> Iterator[StrictError]:
    """Every role and directive that is misspelt so that it would be printed, page by page."""
    for page in _written(whole):
        yield from near_misses(page.text, page.source, page.first_line)


def typed_by_hand(whole: SiteFiles) -> Iterator[Finding]:
    """Every result that stands in prose as a literal, page by page."""
    for page in _written(whole):
        yield from _typed(page, whole.site.where.index)


def left_of_starts(whole: SiteFiles) -> Iterator[StrictError]:
    """Every sentence that `assay new` wrote and nobody replaced, in pages and descriptions."""
    for page in _written(whole):
        yield from _left(page)
    for experiment in whole.shown:
        for _, words in scaffolds.unreplaced(experiment.description):
            yield _never_replaced(f"{experiment.name}/experiment.yaml", words)


def _left(page: Written) -> Iterator[StrictError]:
    for place, words in page.heads:
        yield from (_never_replaced(place, found) for _, found in scaffolds.unreplaced(words))
    for line, found in scaffolds.unreplaced(page.text):
        yield _never_replaced(f"{page.source}:{page.first_line + line}", found)


def _never_replaced(where: str, words: str) -> StrictError:
    hint = "write your own in its place, or take it out"
    return StrictError(
        f"a sentence that `assay new` wrote was never replaced: {words!r}", where=where, hint=hint
    )


def _typed(page: Written, index: Index) -> Iterator[Finding]:
    for place, words in page.heads:
        yield from (replace(found, where=place) for found in naked(words, page.source, 1, index))
    yield from naked(page.text, page.source, page.first_line, index)
