"""The instruments: each contract's versions side by side, source, fixtures, and what it stands behind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from msgspec import Struct

from metrics_core.results import UNCAGED, ContractRef, Report, UsedContract
from site_src import paths
from site_src.marks import swatch
from site_src.pages.components import Table, Term, digest_span, line, table, text
from site_src.pages.figure_collection import PlacedFigure
from site_src.pages.frame import instruments
from site_src.pages.instruments.source_diff import SideBySide, side_by_side
from site_src.pages.page import NavItem
from site_src.pages.site_map import SiteMap, version_id, version_order
from site_src.project import SiteExperiment
from site_src.wording import (
    Line,
    Span,
    contract_name,
    count,
    fraction,
    in_words,
    metric_words,
    sentence_case,
    svg_markup,
)

Versioned = tuple[ContractRef, Sequence[tuple[SiteExperiment, UsedContract]]]
"""A version of a contract, with the experiments that it reads."""


class SourceView(Struct, frozen=True, kw_only=True):
    """The one file of a publisher's instrument, with its lines numbered."""

    path: str
    digest: str
    numbers: str
    code: str


class VersionView(Struct, frozen=True, kw_only=True):
    """One version of a contract.

    Attributes:
        sources: Its source, where it is a single file of the publisher's.
        closure: Every file of it, where they are many: each is linked, and stands on no page.
    """

    id: str
    title: str
    kind: str
    digest: Span
    terms: tuple[Term, ...]
    promise: tuple[Term, ...]
    fixtures: Table
    sources: tuple[SourceView, ...]
    closure: tuple[Table, ...]
    shown: tuple[Term, ...]


class ContractView(Struct, frozen=True, kw_only=True):
    """All versions of one contract, side by side."""

    template: ClassVar[str] = "instruments/contract.html"
    title: str
    lede: str
    up: str
    heading: str
    side_by_side: Table
    changes: tuple[SideBySide, ...]
    versions: tuple[VersionView, ...]


class ContractsView(Struct, frozen=True, kw_only=True):
    """Every contract that a number of this site was read with."""

    template: ClassVar[str] = "instruments/contracts.html"
    title: str
    lede: str
    others: tuple[NavItem, ...]
    contracts: Table


def overview(site: SiteMap) -> ContractsView:
    """The list of contracts."""
    rows = []
    for refs in site.contracts.values():
        for ref in refs:
            users = _users(site, ref)
            used = users[0][1]
            passed = sum(expected == got for _, expected, got in used.fixtures)
            rows.append(
                (
                    text(
                        contract_name(ref),
                        href=paths.relative(paths.CONTRACTS, f"{paths.contract(ref.id)}#{version_id(ref)}"),
                    ),
                    digest_span(ref.digest, "contract"),
                    "this program" if used.kind == "built-in" else "the publisher",
                    ", ".join(sorted({x.title for x, _ in users})),
                    text(read_runs_of(ref, [x.report for x, _ in users]), "nowrap"),
                    Span(text=fraction(passed, len(used.fixtures)), record=ref.id),
                )
            )
    return ContractsView(
        title="Contracts",
        lede="A contract is a metric, frozen: its source, and the known answers that it must give before it "
        "measures anything. One that changed is another instrument, whatever it is called.",
        others=tuple(item for item in instruments(site, paths.CONTRACTS) if not item.current),
        contracts=table(
            "Contracts",
            ["Contract", "Digest", "Made by", "Experiments", "Read the runs of", "Fixtures as known"],
            rows,
            numeric=[5],
        ),
    )


def contract_view(site: SiteMap, contract_id: str, shown: Sequence[PlacedFigure]) -> ContractView:
    """The page of one contract.

    Args:
        site: Everything that has a page.
        contract_id: Its id.
        shown: Figures and tables of the site, in the order of its pages.
    """
    page = paths.contract(contract_id)
    family = [ref for name in siblings(site, contract_id) for ref in site.contracts[name]]
    every = [(ref, _users(site, ref)) for ref in sorted(family, key=version_order)]
    own = [(ref, users) for ref, users in every if ref.id == contract_id]
    return ContractView(
        title=contract_id,
        lede=_lede(own, every),
        up=paths.relative(page, paths.CONTRACTS),
        heading="Versions side by side" if len(every) > 1 else "The version in use",
        side_by_side=table(
            "Versions side by side",
            ["Version", *(contract_name(ref) for ref, _ in every)],
            _side_by_side(every, page),
        ),
        changes=tuple(_changes(every, contract_id)),
        versions=tuple(_version(ref, users, shown, page) for ref, users in own),
    )


def siblings(site: SiteMap, contract_id: str) -> list[str]:
    """Ids that differ only in the version that they name: ``halden/v3-patch`` and ``halden/v4-patch``."""

    def name(text_: str) -> str:
        return re.sub(r"(?<![0-9A-Za-z])v[0-9]+(?![0-9A-Za-z])", "v", text_)

    return [other for other in site.contracts if name(other) == name(contract_id)]


def _changes(every: Sequence[Versioned], contract_id: str) -> Iterator[SideBySide]:
    """Each version of this contract beside the one before it, where each is a single file."""
    for (before, b_users), (after, a_users) in pairwise(every):
        old, new = _sources_of(before, b_users), _sources_of(after, a_users)
        if contract_id in (before.id, after.id) and len(old) == len(new) == 1:
            names = contract_name(before), contract_name(after)
            texts = [next(iter(s.values())).decode("utf-8", "replace") for s in (old, new)]
            yield side_by_side(
                f"What changed from {names[0]} to {names[1]}", (names[0], texts[0]), (names[1], texts[1])
            )


def _sources_of(
    ref: ContractRef, users: Sequence[tuple[SiteExperiment, UsedContract]]
) -> Mapping[str, bytes]:
    return next((x.sources[ref.digest] for x, _ in users if ref.digest in x.sources), {})


def read_runs_of(ref: ContractRef, reports: Iterable[Report]) -> str:
    """From which day to which the runs are that a version has read; empty where no run tells its day.

    Args:
        ref: One version of a contract.
        reports: Of the experiments that it reads.
    """
    spans = [e.stamps for r in reports for e in r.estimates if e.contract == ref and e.stamps]
    days = (min(first for first, _ in spans)[:10], max(last for _, last in spans)[:10]) if spans else ()
    return " to ".join(dict.fromkeys(days))


def _lede(own: Sequence[Versioned], every: Sequence[Versioned]) -> str:
    """What is measured, and whether one instrument read all runs: the first thing asked of a scorer."""
    used = own[0][1][0][1]
    ref, users = every[0]
    days = read_runs_of(ref, [x.report for x, _ in users])
    first, _, last = days.partition(" to ")
    of = f"of {first}" if not last else f"from {first} to {last}"
    one = f"One version is in use, for all of its runs {of}." if days else "One version is in use."
    what = (
        used.title if used.title != used.ref.id else next((words for _, words in used.promise), "A contract")
    )
    several = (
        f"{sentence_case(in_words(len(every)))} versions stand here side by side; "
        "no line, no sum and no comparison joins them."
    )
    return f"{sentence_case(what.rstrip('.'))}. {several if len(every) > 1 else one}"


def _users(site: SiteMap, ref: ContractRef) -> list[tuple[SiteExperiment, UsedContract]]:
    return [(x, used) for x in site.experiments for used in x.report.contracts if used.ref == ref]


def _side_by_side(versions: Sequence[Versioned], page: str) -> Iterator[list[Line | Span | str]]:
    used = [users[0][1] for _, users in versions]
    yield ["Read the runs of", *(read_runs_of(ref, [x.report for x, _ in users]) for ref, users in versions)]
    yield [
        "Digest",
        *(
            digest_span(
                ref.digest, "contract", paths.relative(page, f"{paths.contract(ref.id)}#{version_id(ref)}")
            )
            for ref, _ in versions
        ),
    ]
    yield [
        "Source file",
        *(
            text((u.metric_sha256 or "")[:16] or "its closure, below", "mono" if u.metric_sha256 else "quiet")
            for u in used
        ),
    ]
    yield ["Files in the closure", *(Span(text=count(len(u.files)), record=u.ref.id) for u in used)]
    yield [
        "Fixtures as known",
        *(
            Span(text=fraction(sum(e == g for _, e, g in u.fixtures), len(u.fixtures)), record=u.ref.id)
            for u in used
        ),
    ]
    yield [
        "Experiments",
        *(
            _joined(text(x.title, href=paths.relative(page, paths.experiment(x.name))) for x, _ in users)
            for _, users in versions
        ),
    ]


def _joined(items: Iterable[Span]) -> Line:
    out: list[Span] = []
    for item in items:
        out += ([text(", ")] if out else []) + [item]
    return tuple(out)


def _version(
    ref: ContractRef,
    users: Sequence[tuple[SiteExperiment, UsedContract]],
    shown: Sequence[PlacedFigure],
    page: str,
) -> VersionView:
    used = users[0][1]
    sources = _sources_of(ref, users)
    behind: dict[str, list[Line]] = {}
    for s in shown:
        if ref.digest in s.contracts:
            behind.setdefault(s.place, []).append(
                (text(s.title, href=paths.relative(page, f"{s.page}#{s.id}")),)
            )
    return VersionView(
        id=version_id(ref),
        title=contract_name(ref),
        kind=_kind(used),
        digest=digest_span(ref.digest, "contract"),
        terms=tuple(_terms(used)),
        promise=tuple(
            Term(word=metric_words(metric, used.words), lines=(line(words),))
            for metric, words in used.promise
        ),
        fixtures=table(
            "Golden fixtures",
            ["Fixture", "Known result", "Result", "State"],
            [
                (name, text(expected, "mono"), text(got, "mono"), _state(expected == got))
                for name, expected, got in used.fixtures
            ],
        ),
        sources=tuple(_sources(used, sources)),
        closure=tuple(_closure(used, sources, page)),
        shown=tuple(Term(word=place, lines=tuple(lines)) for place, lines in behind.items()),
    )


def ran(cage: str | None) -> str:
    """How a user's contract ran, in words.

    >>> ran("landlock 7 seccomp"), ran("none")
    ('ran in a cage made by the operating system', 'ran without a cage')
    """
    return "ran without a cage" if cage in (None, UNCAGED) else "ran in a cage made by the operating system"


def _kind(used: UsedContract) -> str:
    if used.kind == "built-in":
        return "Part of the program"
    return f"The publisher's own: code, which {ran(used.cage)}"


def _terms(used: UsedContract) -> Iterator[Term]:
    yield Term(word="Closure", lines=((text(used.ref.digest, "mono"),),))
    if used.cage is not None and used.cage != UNCAGED:
        yield Term(word="Cage", lines=(line(used.cage),))
    if used.metric_sha256:
        yield Term(word="Source file", lines=((text(f"sha256:{used.metric_sha256}", "mono"),),))
    yield Term(word="Family", lines=(line(used.family),))


def _state(held: bool) -> Span:
    return Span(
        text="as known" if held else "differs",
        role="state",
        mark=svg_markup(swatch("true" if held else "false")),
    )


def _sources(used: UsedContract, sources: Mapping[str, bytes]) -> Iterator[SourceView]:
    if not _is_one_file(used, sources):
        return
    for path, data in sources.items():
        code = data.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n")
        yield SourceView(
            path=path,
            digest=dict(used.files).get(path, ""),
            numbers="\n".join(str(n) for n in range(1, code.count("\n") + 2)),
            code=code,
        )


def _is_one_file(used: UsedContract, sources: Mapping[str, bytes]) -> bool:
    return used.kind == "user" and len(sources) == 1


def _closure(used: UsedContract, sources: Mapping[str, bytes], page: str) -> Iterator[Table]:
    """The files of an instrument, the family's own first."""
    if not sources or _is_one_file(used, sources):
        return
    digests = dict(used.files)
    places = {path: number for number, path in enumerate(sorted(sources))}
    rows = [
        (
            text(
                path,
                "mono",
                paths.relative(page, paths.contract_source(used.ref.digest, places[path], path)),
            ),
            Span(text=count(sources[path].count(b"\n")), record=used.ref.id),
            text(digests.get(path, ""), "mono"),
        )
        for path in sorted(sources, key=lambda each: ("families/" not in each, each))
    ]
    yield table("Files of the closure", ["File", "Lines", "SHA-256"], rows, numeric=[1])
