"""Experiment folders, read: files found, settings decoded, contents digested as they are published.

This is the only room of the core that walks a folder. `load` gives an `Experiment`; nothing here measures it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.experiments.cluster_keys import ClustersSeen, clustered, coarsest, sliced
    from metrics_core.experiments.conflicts import NumberedRuns, name_of_tries, outcome_of
    from metrics_core.experiments.experiment import Experiment, load_experiment, slug
    from metrics_core.experiments.files import Address, Place, answer_of, place, printable, store_of
    from metrics_core.experiments.folder_form import FolderForm, Unit, nearest
    from metrics_core.experiments.price_tables import read_price_table
    from metrics_core.experiments.settings import Settings, refuse_unknown_headline
    from metrics_core.experiments.settings_in_force import (
        crossed,
        names_nothing,
        refuse_unfit_clusters,
        refuse_unknown_gates,
    )
    from metrics_core.experiments.snapshot import FileDigest, file_digest
    from metrics_core.experiments.stretches import Stretch, cut_log, row_batches, text_of
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Address",
    "ClustersSeen",
    "Experiment",
    "FileDigest",
    "FolderForm",
    "NumberedRuns",
    "Place",
    "Settings",
    "Stretch",
    "Unit",
    "answer_of",
    "clustered",
    "coarsest",
    "crossed",
    "cut_log",
    "file_digest",
    "load_experiment",
    "name_of_tries",
    "names_nothing",
    "nearest",
    "outcome_of",
    "place",
    "printable",
    "read_price_table",
    "refuse_unfit_clusters",
    "refuse_unknown_gates",
    "refuse_unknown_headline",
    "row_batches",
    "sliced",
    "slug",
    "store_of",
    "text_of",
]
