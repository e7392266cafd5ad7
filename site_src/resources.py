"""Where the templates and assets lie, in a checkout and in an installed package.

Does: name the two folders. Does not: read them, and it knows nothing of what is in them.

In a checkout the templates stand at the top level, where people look for them; in a wheel the
same files are put inside this package, since a top-level ``templates`` would be anyone's.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def templates() -> Path:
    """The folder of page templates: of the checkout if there is one, else of the wheel.

    >>> (templates() / "base.html").is_file()
    True
    """
    packed = _PACKAGE / "_templates"
    return packed if packed.is_dir() else _PACKAGE.parent / "templates"


def assets() -> Path:
    """The folder of style sheets, scripts, fonts and vendored bundles.

    >>> assets().name
    'assets'
    """
    return _PACKAGE / "assets"
