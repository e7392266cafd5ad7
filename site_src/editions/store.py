"""Editions as files: drafted from reports, written, read back, chained by digests; and their history.

Does: draft the edition that publishing now would record, spell it canonically, read it strictly, check that
each edition names the digest of the one before, and say with which edition a build is compared. Does not:
touch a disk or a clock (files are bytes by name, the date is an argument), or sign. No digest protects the
newest edition, since nothing follows it: only version control does, or a signature. The site publishes the
same files, so that a copy of it can be checked alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from metrics_core import digest
from metrics_core.errors import FormatError
from metrics_core.formats import strict_json
from metrics_core.pricing import PriceTable
from metrics_core.results import Comparison, Estimate, Report, Vocabulary, pointer, quoted
from metrics_core.text import visible
from site_src.editions.edition import (
    Edition,
    EditionContract,
    EditionControl,
    EditionDecision,
    EditionExperiment,
    EditionOutcome,
    EditionPage,
    EditionPrices,
    EstimateRow,
    from_row,
    to_row,
)
from site_src.editions.removed_pages import (
    RENAMED,
    WITHDRAWN,
    Redirect,
    Renamed,
    Tombstone,
    Withdrawn,
    read_renamed,
    read_withdrawn,
    redirects,
    tombstones,
)
from site_src.project import of_all
from site_src.wording import metric_words, stratum_words

if TYPE_CHECKING:
    from site_src.project import BuildInfo, SiteExperiment

SCHEMA = "assay.edition/1"

FOLDER = "data/editions/"
"""Where a site publishes its editions, each file under the name that it has in the content folder."""

_NAME = re.compile(r"([0-9]{4}|[1-9][0-9]{4,})\.json")
"""One spelling a number, so that none has two files, of which only one would be read."""


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    schema: str
    number: int
    date: str
    why: str
    build: str
    build_digest: str
    previous: str | None
    experiments: tuple[EditionExperiment, ...]
    estimates: tuple[EstimateRow, ...]
    decisions: tuple[EditionDecision, ...]
    pages: tuple[EditionPage, ...]


class History(Struct, frozen=True):
    """The editions of a site and what became of their pages.

    Attributes:
        files: Name -> bytes of what was read, as it is published.
        editions: In the order of their numbers.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    editions: tuple[Edition, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    renamed: tuple[Renamed, ...] = ()

    def worded(self, words_of: Callable[[str], Vocabulary | None]) -> History:
        """The same editions, whose estimates have their family's words: a file of an edition keeps none.

        Args:
            words_of: Gives the words of a family, by its name.
        """
        editions = tuple(
            replace(
                edition,
                estimates=tuple(replace(e, words=words_of(e.family)) for e in edition.estimates),
            )
            for edition in self.editions
        )
        return replace(self, editions=editions)

    @property
    def last(self) -> Edition | None:
        """The edition that was published last; None before the first."""
        return self.editions[-1] if self.editions else None

    def published_as(self, build_digest: str) -> Edition | None:
        """The last edition, if a build is the one that was published as it."""
        return self.last if self.last and self.last.build_digest == build_digest else None

    def before(self, build_digest: str) -> Edition | None:
        """The edition that a build is compared with: the last one that is not this build itself."""
        others = self.editions[:-1] if self.published_as(build_digest) else self.editions
        return others[-1] if others else None

    def gone(self, present: Collection[str]) -> tuple[tuple[Tombstone, ...], tuple[Redirect, ...]]:
        """Tombstones and redirects beside the pages that the site has.

        Raises:
            ConfigError: ``file:line`` of what was written of a page and is not so.
        """
        stones = tombstones(self.editions, self.withdrawn, self.renamed, present)
        return stones, redirects(self.renamed, present, [stone.page.path for stone in stones])


def number_of(name: str) -> int | None:
    """The number of the edition that a file records; None where it is called otherwise.

    >>> number_of("0014.json"), number_of("14.json")
    (14, None)
    """
    found = _NAME.fullmatch(name)
    return None if found is None else int(found[1])


def file_name(number: int) -> str:
    """How an edition's file is called.

    >>> file_name(14)
    '0014.json'
    """
    return f"{number:04}.json"


def draft(
    experiments: Sequence[SiteExperiment],
    met: Callable[[Estimate], bool],
    decisions: Iterable[Mapping[str, Any]],
    pages: Iterable[EditionPage],
    build: BuildInfo,
    *,
    date: str,
    before: Edition | None,
    why: str = "",
) -> Edition:
    """The edition that publishing now would record.

    Args:
        experiments: As pages see them.
        met: Whether a reader meets an estimate; those that decisions rest on, and those of the edition before
            that are still computed, are kept as well: what was once recorded does not drop out in silence.
        decisions: Each as its ``to_json`` gives it.
        pages: Those with an address of their own.
        build: Version and digest.
        date: ISO day of publication.
        before: The last edition; None for the first.
        why: The publisher's words.

    Raises:
        ValueError: A decision is not of the shape that is kept, or the date is none.
    """
    kept = decided(decisions)
    also = {i for d in kept for claim in d.claims for i in claim.estimates}
    also |= {e.id for e in before.estimates} if before else set()
    found: dict[str, Estimate] = {}
    for x in experiments:
        found |= x.of_report(_by_id, met) | {i: e for i, e in x.of_report(_by_id).items() if i in also}
    return Edition(
        number=before.number + 1 if before else 1,
        date=date,
        why=" ".join(why.split()),
        build=build.version,
        build_digest=build.digest,
        previous=before.digest if before else None,
        experiments=tuple(sorted((of_all((x,), _experiment) for x in experiments), key=lambda x: x.slug)),
        estimates=tuple(found[i] for i in sorted(found)),
        decisions=kept,
        pages=tuple(sorted(pages, key=lambda page: page.path)),
    )


def decided(decisions: Iterable[Mapping[str, Any]]) -> tuple[EditionDecision, ...]:
    """Decisions as an edition keeps them, by name.

    Args:
        decisions: Each as its ``to_json`` gives it; what else stands there is left out.

    Raises:
        ValueError: One of them is not of the shape that is kept.
    """
    return tuple(sorted(msgspec.convert(list(decisions), list[EditionDecision]), key=lambda d: d.slug))


def _by_id(report: Report, met: Callable[[Estimate], bool] = lambda _: True) -> dict[str, Estimate]:
    return {e.id: e for e in report.estimates if met(e)}


def _experiment(found: tuple[SiteExperiment]) -> EditionExperiment:
    x, report = found[0], found[0].report
    refs = dict.fromkeys([*(c.ref for c in report.contracts), *(e.contract for e in report.estimates)])
    logs = {f.path.encode("utf-8", "surrogateescape"): f.sha256 for f in x.files if f.holds_records}
    controls = {
        (c.guards, c.name, c.contract or ""): EditionControl(
            c.name, c.title, c.guards, c.contract or "", c.state
        )
        for c in report.controls
    }
    tables = {t.fetched: EditionPrices(t.fetched, _price_digest(t)) for t in reversed(x.prices)}
    return EditionExperiment(
        slug=x.name,
        title=x.title,
        data=report.data_digest,
        source=report.source_digest,
        logs=digest.of_bytes(digest.sums(logs)),
        settings=digest.of_bytes(digest.canonical(x.settings)),
        contracts=tuple(EditionContract(r.id, r.version, r.digest) for r in refs),
        pack=x.pack.digest if x.pack else None,
        prices=tuple(tables[date] for date in sorted(tables)),
        records=report.records,
        invalid=report.invalid,
        duplicates=report.duplicates,
        controls=tuple(controls[key] for key in sorted(controls)),
        outcomes=tuple(map(_outcome, sorted(report.comparisons, key=lambda c: c.id))) or msgspec.UNSET,
    )


def _outcome(c: Comparison) -> EditionOutcome:
    where = stratum_words(c.stratum, c.words)
    metric = f"{metric_words(c.metric, c.words)}{f' ({where})' if where else ''}"
    return EditionOutcome(
        id=c.id,
        about=f"{metric}: {visible(c.a)} and {visible(c.b)}",
        outcome=str(c.outcome),
        above=visible(c.told_apart[0]) if c.told_apart else "",
    )


def _price_digest(table: PriceTable) -> str:
    rates = {m: [r.input, r.output, r.cached] for m, r in table.rates.items()}
    return digest.of_bytes(digest.canonical([rates, dict(table.aliases)]))


def to_bytes(edition: Edition) -> bytes:
    """An edition's file: canonical JSON and a line feed; the same edition is always the same bytes."""
    by_slug = {x.slug: x for x in edition.experiments}
    file = _File(
        schema=SCHEMA,
        number=edition.number,
        date=edition.date,
        why=edition.why,
        build=edition.build,
        build_digest=edition.build_digest,
        previous=edition.previous,
        experiments=edition.experiments,
        estimates=tuple(to_row(e, by_slug[e.experiment]) for e in edition.estimates),
        decisions=edition.decisions,
        pages=edition.pages,
    )
    return digest.canonical(msgspec.to_builtins(file)) + b"\n"


@lru_cache(maxsize=1 << 7)
def read(data: bytes, name: str) -> Edition:
    """An edition from its file.

    Args:
        data: The whole file.
        name: Its name, for errors.

    Raises:
        FormatError: ``name#/pointer``, what was expected and what stood there; or somebody edited it.
    """
    try:
        file = msgspec.convert(strict_json.decode(data), _File)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        problem = visible(problem.replace("`", ""), escaped=True)
        raise FormatError(problem, where=name + _pointer(path)) from error
    except ValueError as error:
        raise FormatError(f"expected JSON: {visible(str(error), escaped=True)}", where=name) from error
    if file.schema != SCHEMA:
        got = visible(file.schema, escaped=True)
        raise FormatError(f"expected {SCHEMA}, got {got!r}", where=f"{name}#/schema")
    try:
        edition = Edition(
            number=file.number,
            date=file.date,
            why=file.why,
            build=file.build,
            build_digest=file.build_digest,
            previous=file.previous,
            experiments=file.experiments,
            estimates=tuple(from_row(row, file.experiments) for row in file.estimates),
            decisions=file.decisions,
            pages=file.pages,
        )
    except ValueError as error:
        raise FormatError(visible(str(error), escaped=True), where=name) from error
    if to_bytes(edition) != data:
        raise FormatError(
            "is not spelled as it was recorded", where=name, hint="take the file back from where it was kept"
        )
    return replace(edition, digest=digest.of_bytes(data))


def _pointer(path: str) -> str:
    """``#/pointer`` of msgspec's path: ``.experiments[0].slug`` without its dollar sign.

    >>> _pointer(".experiments[0].slug`"), _pointer("")
    ('#/experiments/0/slug', '')
    """
    parts = re.findall(r"\[\.\.\.\]|\[(\d+)\]|\.(\w+)", path)
    return f"#/{pointer(*(index or name or '*' for index, name in parts))}" if parts else ""


def read_history(files: Mapping[str, bytes]) -> History:
    """The history that lies in a folder.

    Args:
        files: Name -> bytes of each regular file directly in ``content/editions/``; files that are neither an
            edition nor one of the two lists are refused, since they would be taken for kept.

    Raises:
        FormatError: A file is not what its name says, or the chain of editions is broken.
        ConfigError: ``file:line`` of a list that is not one.
    """
    numbered = {}
    for name in sorted(files):
        found = _NAME.fullmatch(name)
        if found:
            numbered[int(found[1])] = name
        elif name not in (WITHDRAWN, RENAMED):
            raise FormatError(
                "is neither an edition nor a list of pages that went",
                where=f"editions/{quoted(name)[1:-1]}",
                hint=f"0001.json, {WITHDRAWN} or {RENAMED}",
            )
    editions = []
    for _, name in sorted(numbered.items()):
        edition = read(files[name], name)
        if file_name(edition.number) != name:
            raise FormatError(f"holds edition {edition.number}", where=f"{name}#/number")
        editions.append(edition)
    chain(editions)
    return History(
        files=dict(sorted(files.items())),
        editions=tuple(editions),
        withdrawn=read_withdrawn(files.get(WITHDRAWN, b"")),
        renamed=read_renamed(files.get(RENAMED, b"")),
    )


def chain(editions: Sequence[Edition]) -> None:
    """Check that editions follow each other without a gap, each naming the digest of the one before.

    Every edition but the newest is protected so: whoever can write that one can write another in its place.

    Args:
        editions: In the order of their numbers.

    Raises:
        FormatError: The file in which the chain breaks.
    """
    before: Edition | None = None
    for at, edition in enumerate(editions, start=1):
        where = file_name(edition.number)
        if edition.number != at:
            raise FormatError(
                f"expected edition {at}, got {edition.number}",
                where=where,
                hint=f"{file_name(at)} is missing",
            )
        if before is not None and edition.previous != before.digest:
            raise FormatError(
                f"the edition before has {before.digest}, this one names {edition.previous}",
                where=f"{where}#/previous",
                hint=f"{file_name(before.number)} was changed after it was published",
            )
        if before is not None and edition.date < before.date:
            raise FormatError(
                f"is of {edition.date}, and the edition before is of {before.date}", where=f"{where}#/date"
            )
        before = edition
