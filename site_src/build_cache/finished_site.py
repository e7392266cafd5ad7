"""A site that stands as it would be made: nothing of it is made again.

It is one where everything that a build depends on is as it was, and every file of the site is, byte for byte,
what that build wrote. What a build said of it is said again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from metrics_core.digest import of_bytes
from metrics_core.errors import PublishError
from metrics_core.execution import SERIAL, Engine
from metrics_core.experiments import Experiment
from metrics_core.pricing import PriceTable
from metrics_core.results import Report
from site_src.build_cache.entries import KeptEntries, folder_of
from site_src.build_cache.inputs import NotKeptError, digest_of, inputs_of, settings_of
from site_src.build_cache.kept_reports import KeptReports
from site_src.project import Plan
from site_src.publishing import MANIFEST, Manifest, kept_files

if TYPE_CHECKING:
    from site_src.build_cache.kept_parts import KeptParts

KIND: Final = "site"


class FinishedSite(Struct, frozen=True, kw_only=True):
    """What a build came to, in its own words.

    Attributes:
        manifest: Digest of the manifest.
        notes: What a publisher must not miss.
        findings: What was found of whole files.
        counts: The sentence that counts what the site holds.
    """

    manifest: str
    notes: tuple[str, ...]
    findings: tuple[str, ...]
    counts: str


class BuildCache:
    """What earlier builds of a project kept, for one build.

    Args:
        plan: What is to be built; it has a content folder.

    Attributes:
        told: What was made again and why, a sentence each.
        keeper: The parts of the site; None before it was asked whether it stands, or where that cannot be
            told.
    """

    def __init__(self, plan: Plan) -> None:
        self.told: list[str] = []
        self._plan = plan
        self._content = plan.content or Path()
        self._entries = KeptEntries(folder_of(self._content))
        self._site = os.path.realpath(plan.output)
        self._inputs: dict[str, str] = {}
        self._reports = KeptReports(plan, self._entries)
        self.keeper: KeptParts | None = None

    def standing(self) -> FinishedSite | None:
        """The site of the plan, if it stands as it would be made."""
        try:
            self._inputs = inputs_of(self._plan)
        except NotKeptError as why:
            self.told.append(f"the site is made again, because {why}")
            return None
        data, why_not = self._entries.find(KIND, self._site, self._inputs)
        if data is not None:
            found = self._decoded(data)
            if found is not None:
                self.told.append(
                    "nothing is made again: the site stands, and all that it depends on is as it was"
                )
                return found
            why_not = "it is not as it was left"
        self.told.append(f"the site is made again, because {why_not}")
        from site_src.build_cache.kept_parts import KeptParts  # what makes pages takes its time to load

        self.keeper = KeptParts(self._plan, self._entries, self._site, self._inputs)
        return None

    def compute(
        self, experiment: Experiment, tables: Sequence[PriceTable], workers: Engine = SERIAL
    ) -> Report:
        """The report of an experiment: an earlier one over the same inputs, or measured now.

        Args:
            experiment: As it was loaded, with its snapshot.
            tables: The site's price tables.
            workers: Counts the records of one that is measured.

        Raises:
            AssayError: As `metrics_core.compute` raises it.
        """
        return self._reports.compute(experiment, tables, workers)

    def keep(self, finished: FinishedSite) -> None:
        """Keep what a build came to, unless something it read changed meanwhile."""
        self.told += self._reports.told + (self.keeper.told if self.keeper else [])
        try:
            after = inputs_of(self._plan)
        except NotKeptError:
            return
        if after == self._inputs:
            self._reports.keep()
            if self.keeper is not None:
                self.keeper.keep(_listed(self._plan.output))
            self._entries.keep(KIND, self._site, after, msgspec.json.encode(finished))
            self._entries.sweep()
        else:
            self.told.append("the site is made again next time, because something it reads changed meanwhile")

    def _decoded(self, data: bytes) -> FinishedSite | None:
        try:
            found = msgspec.json.decode(data, type=FinishedSite)
            whole = _is_whole(self._plan.output, found.manifest, settings_of(self._content).keep)
        except (OSError, ValueError, LookupError, TypeError, PublishError):
            return None
        return found if whole else None


def _listed(site: Path) -> dict[str, str]:
    rows = msgspec.json.decode((site / MANIFEST).read_bytes())["files"]
    return {row["path"]: row["sha256"] for row in rows}


def _is_whole(site: Path, manifest: str, keep: Sequence[str]) -> bool:
    """Whether a site consists of the files of its manifest, each as it was written, and of kept ones."""
    kept_files.refuse_foreign(site, keep)
    data = (site / MANIFEST).read_bytes()
    rows = msgspec.json.decode(data)["files"]
    listed = Manifest(tuple((row["path"], row["size"], row["sha256"]) for row in rows))
    if listed.to_bytes() != data or of_bytes(data) != manifest:
        return False
    if any(kept_files.is_there(site / name) for name in kept_files.UNLISTED - {MANIFEST}):
        return False  # a build leaves no signature
    folder = f"{site}{os.sep}"  # thousands of files: a path as an object takes longer than the digest of one
    return all(digest_of(folder + path) == digest for path, _, digest in listed.files)
