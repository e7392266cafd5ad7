"""Pages and tables that stand in the site as they would be made: they are taken over, only others are made.

What a part of the site was made from is what was read while it was made, each under its digest; what any page
may show of the whole site, such as its menu, is digested as it is. The files are those of the standing site:
each is taken over only as the bytes that the earlier build wrote, with the name of the build put in anew,
which stands on every page; one that does not name it is not even written again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from metrics_core.digest import canonical, of_bytes
from site_src.build_cache.entries import KeptEntries
from site_src.build_cache.kept_flips import Answers, KeptFlips
from site_src.build_cache.standing_files import BuildNames, StandingFiles
from site_src.decisions import JudgedDecision
from site_src.editions import summary
from site_src.pages import PlacedFigure
from site_src.project import Plan, SiteFile
from site_src.publishing import (
    EVERYTHING,
    FIGURES,
    Files,
    MadePage,
    PageGroup,
    Reads,
    SiteFiles,
    of_experiment,
    of_page,
)

KIND = "pages"

Placed = tuple[str, str, str, str, list[str]]
"""A placed figure as it is kept: page, place, id, title, contracts."""


class _Page(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    row: dict[str, str]
    files: list[tuple[str, str]]
    placed: list[Placed]


class _Part(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    read: dict[str, str]
    pages: list[_Page]


class _Parts(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    build: str
    inputs: dict[str, str]
    parts: dict[str, _Part]
    flips: Answers


class KeptParts:
    """The parts of one build's site, each as an earlier build left it or made now.

    Args:
        plan: What is built; it has a content folder.
        entries: What was kept.
        site: Where the site stands, without links.
        inputs: Everything that the build depends on, as `site_src.build_cache.inputs.inputs_of` gives it.

    Attributes:
        reads: Told what is read while a part is made.
        told: Which parts were made and why, a sentence each.
    """

    def __init__(self, plan: Plan, entries: KeptEntries, site: str, inputs: Mapping[str, str]) -> None:
        self.reads = Reads()
        self.told: list[str] = []
        self._plan, self._entries, self._site, self._inputs = plan, entries, site, inputs
        self._earlier: _Parts | None = None
        self._standing: StandingFiles | None = None
        self._parts: dict[str, str] = {}
        self._now: dict[str, str] = {}
        self._build = ""
        self._made: dict[str, tuple[dict[str, str], list[MadePage]]] = {}
        self._flips = KeptFlips()

    def makes(self, part: PageGroup, whole: SiteFiles) -> bool:
        """Whether a part is made now, as far as can be told before its files are looked at."""
        if not self._parts:
            self._begin(whole)
        return self._earlier is None or bool(self._why_not(self._earlier.parts.get(part.name), whole))

    def pages(self, part: PageGroup, whole: SiteFiles) -> Iterator[MadePage]:
        """The pages of a part: taken over if it would be made the same, else made now."""
        yield from self._part(part.name, lambda: whole.made(part), part.planned_from, whole)

    def files(self, name: str, made: Files, whole: SiteFiles) -> Iterator[SiteFile]:
        """Files that stand beside no page: taken over if they would be made the same, else made now."""
        for page in self._part(name, lambda: (MadePage({}, (file,)) for file in made()), frozenset(), whole):
            yield from page.files

    def decisions(self, judged: Sequence[JudgedDecision]) -> Sequence[JudgedDecision]:
        """The same decisions; what would flip their claims is taken over as pages are."""
        return self._flips.of(judged)

    def sent(self) -> object:
        """What was found in this process of claims since this was asked."""
        found, self._flips.found = self._flips.found, {}
        return found

    def received(self, found: object) -> None:
        """Keep what `sent` gave in another process."""
        if isinstance(found, dict):
            self._flips.found |= found

    def _part(
        self,
        name: str,
        make: Callable[[], Iterator[MadePage]],
        planned_from: frozenset[str],
        whole: SiteFiles,
    ) -> Iterator[MadePage]:
        if not self._parts:
            self._begin(whole)
        earlier = self._earlier.parts.get(name) if self._earlier is not None else None
        if self._earlier is not None:
            why = self._why_not(earlier, whole)
            if earlier is not None and not why:
                listed = (each for page in earlier.pages for each in page.files)
                files = None if self._standing is None else self._standing.of(listed)
                if files is not None:
                    yield from self._taken_over(name, earlier, files)
                    return
                why = "its files are not as they were left"
            self.told.append(f"{name} is made again, because {why}")
        pages: list[MadePage] = []
        with self.reads.noted() as read:
            for made in make():
                for file in made.files:
                    _ = file.data  # made while what it reads is noted
                yield made
                pages.append(_without_bytes(made))
        read |= planned_from
        self._made[name] = ({each: self._digest(each, whole) for each in sorted(read)}, pages)

    def keep(self, listed: Mapping[str, str]) -> None:
        """Keep what was made of what, for the next build.

        Args:
            listed: Path -> digest of each file of the site that was written.
        """
        parts = {
            name: _Part(read, [_page(made, listed) for made in pages])
            for name, (read, pages) in self._made.items()
        }
        if parts:
            data = msgspec.json.encode(_Parts(self._build, self._now, parts, self._flips.kept()))
            self._entries.keep(KIND, self._site, self._parts, data)

    # ------------------------------------------------------------------------------ what a part is made from

    def _begin(self, whole: SiteFiles) -> None:
        """Tell apart what every page may show, and what a page shows only if it reads it."""
        self._build = whole.info.digest
        content = self._plan.content or Path()
        apart: dict[str, str] = {
            of_page(page.source): f"{content.name}/{page.source}" for page in whole.sources.authored
        }
        top = os.path.realpath(content)
        for experiment, report in zip(whole.sources.experiments, whole.reports, strict=True):
            path = os.path.realpath(str(experiment.path))
            inside = path.startswith(top + os.sep)
            apart[of_experiment(report.experiment)] = (
                f"{content.name}/{os.path.relpath(path, top)}" if inside else path
            )
        below: dict[str, dict[str, str]] = {name: {} for name in apart}
        rest: dict[str, str] = {}
        owners = {prefix: name for name, prefix in apart.items()}
        for name, digest in self._inputs.items():
            steps = name.rstrip("/").split("/")
            tops = ("/".join(steps[:number]) for number in range(len(steps), 0, -1))
            owner = next((owners[top] for top in tops if top in owners), None)
            (rest if owner is None else below[owner])[name] = digest
        self._now = {name: of_bytes(canonical(found)) for name, found in below.items()}
        names = [of_experiment(report.experiment) for report in whole.reports]
        self._now[EVERYTHING] = of_bytes(canonical([self._now[name] for name in names]))
        self._parts = {**rest, "what every page may show": of_bytes(_shown_by_all(whole))}
        data, why_not = self._entries.find(KIND, self._site, self._parts)
        if data is not None:
            try:
                self._earlier = msgspec.json.decode(data, type=_Parts)
                self._standing = StandingFiles(self._site, BuildNames(self._earlier.build, self._build))
            except (ValueError, RecursionError):
                why_not = "the kept entry is not as it was written"
        if self._earlier is None:
            self.told.append(f"every page is made again, because {why_not}")
        experiments = {
            report.experiment: self._now[of_experiment(report.experiment)] for report in whole.reports
        }
        self._flips.begin(experiments, self._earlier.flips if self._earlier is not None else {})

    def _digest(self, read: str, whole: SiteFiles) -> str:
        if read == FIGURES:
            return of_bytes(canonical([_plain(figure) for figure in whole.site.shown_figures()]))
        return self._now[read]

    def _why_not(self, earlier: _Part | None, whole: SiteFiles) -> str:
        """Why a part is not what it would be; empty if it is."""
        if earlier is None:
            return "no entry was kept"
        known = {*self._now, FIGURES}
        changed = {
            name
            for name, digest in earlier.read.items()
            if name not in known or self._digest(name, whole) != digest
        }
        if EVERYTHING in changed and self._earlier is not None:
            before, every = (
                self._earlier.inputs,
                [of_experiment(report.experiment) for report in whole.reports],
            )
            changed |= {name for name in every if before.get(name) != self._now[name]}
        if changed:
            return f"{' and '.join(sorted(changed - {EVERYTHING}) or changed)} changed"
        return ""

    # ------------------------------------------------------------------------------ what is taken over

    def _taken_over(self, name: str, earlier: _Part, files: dict[str, SiteFile]) -> Iterator[MadePage]:
        """The pages of a part; a file has its bytes once they were asked for, and goes with its page."""
        made = []
        for page in earlier.pages:
            taken = tuple(files.pop(path) for path, _ in page.files)
            made.append(MadePage(page.row, taken, tuple(map(_placed, page.placed))))
            yield made[-1]
            made[-1] = _without_bytes(made[-1])
        self._made[name] = (earlier.read, made)


def _without_bytes(made: MadePage) -> MadePage:
    """The same page with the names of its files alone: what is kept of it while others are made."""
    return MadePage(made.row, tuple(SiteFile(file.path, b"") for file in made.files), made.placed)


def _page(made: MadePage, listed: Mapping[str, str]) -> _Page:
    files = [(file.path, listed[file.path]) for file in made.files]
    return _Page(dict(made.row), files, [_plain(figure) for figure in made.placed])


def _placed(kept: Placed) -> PlacedFigure:
    page, place, id, title, contracts = kept  # noqa: A001 (as the figure has it)
    return PlacedFigure(page=page, place=place, id=id, title=title, contracts=frozenset(contracts))


def _plain(figure: PlacedFigure) -> Placed:
    return figure.page, figure.place, figure.id, figure.title, sorted(figure.contracts)


def _shown_by_all(whole: SiteFiles) -> bytes:
    """What any page may show of the site without reading more of an experiment or of a document."""
    where, history = whole.site.where, whole.site_state.history
    words, _ = summary.head_words(history, whole.info.version, whole.info.digest)
    published = history.published_as(whole.info.digest)
    facts: tuple[Any, ...] = (
        [(x.name, x.slug, x.title, x.description) for x in whole.shown],
        [(a.source, a.path, a.title, a.order, a.menu) for a in whole.sources.authored],
        [(p.path, p.kind, p.title, p.place, p.description) for p in whole.site.planned.values()],
        (where.models, where.prices, where.stamps, sorted(where.compared), where.decided, where.graders),
        list(where.contracts.items()),
        [(digest, [x.name for x in users]) for digest, users in where.packs.items()],
        [sorted(where.with_runs), sorted(where.pairs)],
        [list(where.rows.items()), list(where.promised.items())],
        [(name, sorted(found)) for known in (where.arms, where.families) for name, found in known.items()],
        [(s.name, [x.name for x in s.experiments]) for s in where.series],
        (words, published and published.number, history),
        sorted(whole.info.recompute.items()),
    )
    return repr(facts).encode()
