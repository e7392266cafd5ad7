#!/usr/bin/env python3
"""The project's own entry: experiment folders in ``content/`` in, a site in ``_site/`` out.

The pipeline itself is `site_src.pipeline.build`; this file only takes its own folder as the project,
whatever the working directory.
"""

from __future__ import annotations

import sys
from pathlib import Path

from site_src.cli import main

if __name__ == "__main__":
    sys.exit(main(project=Path(__file__).resolve().parent))
