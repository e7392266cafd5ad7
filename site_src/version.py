"""The program's version, as it is installed."""

from __future__ import annotations

VERSION = "0.1.0"
