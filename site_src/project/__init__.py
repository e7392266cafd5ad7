"""What a site is made from: its settings, sources, prose, and the model of everything measured.

The only room of the site that reads a content folder or adds files to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.project import (
        markdown,
        pictures,
        registrations,
        safe_write,
        scaffolds,
        site_config,
        sources,
        work_folder,
    )
    from site_src.project.ci_workflows import ci_files
    from site_src.project.content import Authored, Heads
    from site_src.project.error_places import Told, each_made, told_of
    from site_src.project.ledger import LEDGER, package_ledger
    from site_src.project.recompute import Recompute, command
    from site_src.project.registrations import Registration
    from site_src.project.safe_write import (
        SiteFile,
        StandingFile,
        csv_bytes,
        indented,
        pretty,
        report_file,
    )
    from site_src.project.series import ExperimentSeries, find_series, refuse_unknown_series
    from site_src.project.site_config import SiteConfig
    from site_src.project.site_model import (
        BuildInfo,
        Download,
        KeptRuns,
        RawFile,
        RecordType,
        SettingsFile,
        SiteExperiment,
        WithheldExperiment,
        of_all,
    )
    from site_src.project.sources import (
        ContentFile,
        Plan,
        Sources,
        listed,
        price_tables,
        read,
        withheld_for,
    )
    from site_src.project.work_folder import WorkFolder
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "LEDGER",
    "Authored",
    "BuildInfo",
    "ContentFile",
    "Download",
    "ExperimentSeries",
    "Heads",
    "KeptRuns",
    "Plan",
    "RawFile",
    "Recompute",
    "RecordType",
    "Registration",
    "SettingsFile",
    "SiteConfig",
    "SiteExperiment",
    "SiteFile",
    "Sources",
    "StandingFile",
    "Told",
    "WithheldExperiment",
    "WorkFolder",
    "ci_files",
    "command",
    "csv_bytes",
    "each_made",
    "find_series",
    "indented",
    "listed",
    "markdown",
    "of_all",
    "package_ledger",
    "pictures",
    "pretty",
    "price_tables",
    "read",
    "refuse_unknown_series",
    "registrations",
    "report_file",
    "safe_write",
    "scaffolds",
    "site_config",
    "sources",
    "told_of",
    "withheld_for",
    "work_folder",
]
