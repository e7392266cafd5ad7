#!/usr/bin/env python3
"""Experiment folders in ``content/`` in, a site in ``_site/`` out: the pipeline, step by step.

    load          Read settings, prose, decisions, prices and the ledger, and find the experiments.
    measure_each  Test every instrument, then measure: the report of each experiment that can be measured.
    gate          Check the reports against the ledger and the gates that the plan asks for.
    model         Put together what the pages show: the site of these reports.
    pages         Make every file of the site, one after another; each is searched for secrets.
    publish       Write the files beside the earlier site and change places in one swap.

Each is a function of that name in `site_src.pipeline`, whose `build` runs them in this order, for this file
and for the installed command ``assay`` alike. This file takes its own folder as the project, whatever the
working directory.
"""

from __future__ import annotations

import sys
from pathlib import Path

from site_src.cli import main

if __name__ == "__main__":
    sys.exit(main(project=Path(__file__).resolve().parent))
