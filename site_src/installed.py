"""The program as it is installed: its version, and the folders of its templates and its assets."""

from __future__ import annotations

from pathlib import Path

VERSION = "0.1.0"

_PACKAGE = Path(__file__).resolve().parent


def templates_folder() -> Path:
    """The folder of page templates: of the checkout if there is one, else of the wheel.

    >>> (templates_folder() / "layout/base.html").is_file()
    True
    """
    packed = _PACKAGE / "_templates"
    return packed if packed.is_dir() else _PACKAGE.parent / "templates"


def assets_folder() -> Path:
    """The folder of style sheets, scripts, fonts and vendored bundles.

    >>> assets_folder().name
    'assets'
    """
    return _PACKAGE / "assets"
