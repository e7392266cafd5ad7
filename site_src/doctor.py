"""What this machine and this folder have of what the program needs: a line each, with what to do about it.

Does: look at the interpreter, the renderer, the cage, Git, settings, experiments, ledger and outputs. Does
not: measure, write, or reach for a network.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from metrics_core.contracts import cage_here
from metrics_core.errors import AssayError
from metrics_core.results import CHARTS, UNCAGED
from metrics_core.text import many, visible
from site_src.installed import VERSION
from site_src.project import SiteConfig, listed, site_config
from site_src.publishing import kept_files

Health = Literal["ok", "note", "problem"]
LEDGER: Final = "contracts.lock"
OUTPUTS: Final = ("_site", "_public")


class Examined(Struct, frozen=True):
    """One thing that was looked at.

    Attributes:
        health: ``problem`` where a command will stop at it; ``note`` where something is not there.
        what: What it is.
        words: What was found, and what to do about it.
    """

    health: Health
    what: str
    words: str


def examined(project: Path, content: Path) -> Iterator[Examined]:
    """Everything that is looked at, in the order in which commands need it.

    Args:
        project: Folder that sites are written in.
        content: The content folder, which need not be there.
    """
    system = f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}"
    yield Examined("ok", "program", f"assay {VERSION}, {system} {platform.machine()}")
    yield _renderer()
    cage = str(cage_here())
    if cage == UNCAGED:
        yield Examined(
            "note", "cage", "none: contracts of users run without one, and verify runs none of them"
        )
    else:
        yield Examined("ok", "cage", cage)
    if shutil.which("git"):
        yield Examined("ok", "git", "found")
    else:
        yield Examined("note", "git", "not found: publish --to gh-pages needs it, nothing else does")
    if not entry_points(group=CHARTS):
        yield Examined("note", "notebooks", "report.chart draws nothing: install the package anew")
    yield from _content(content)
    for name in OUTPUTS:
        yield from _output(project / name, content)


def _renderer() -> Examined:
    try:
        return Examined("ok", "renderer", f"vl-convert {version('vl-convert-python')}")
    except PackageNotFoundError:
        return Examined("problem", "renderer", "vl-convert-python is not installed: no figure can be drawn")


def _config(content: Path) -> SiteConfig:
    settings = content / "site.yaml"
    return site_config.read(settings.read_bytes()) if settings.is_file() else SiteConfig()


def _content(content: Path) -> Iterator[Examined]:
    if not content.is_dir():
        words = "no such folder: assay build --experiments PATH, or assay new experiment NAME, begins"
        yield Examined("note", visible(content.name), words)
        return
    try:
        found = listed(content, _config(content))
    except (AssayError, OSError) as error:
        yield Examined("problem", "site.yaml", str(error))
        return
    if found:
        yield Examined("ok", "experiments", f"{many(len(found), 'folder')} in {visible(content.name)}")
    else:
        yield Examined("note", "experiments", "none: assay new experiment NAME begins one")
    if (content / LEDGER).is_file():
        yield Examined("ok", "ledger", f"{visible(content.name)}/{LEDGER}")
    else:
        yield Examined("note", "ledger", f"no {LEDGER}: publish asks for it, and assay lock writes it")


def _output(output: Path, content: Path) -> Iterator[Examined]:
    if not output.exists():
        return
    try:
        kept_files.refuse_foreign(output, _config(content).keep)
    except (AssayError, OSError) as error:
        yield Examined("problem", output.name, str(error))
    else:
        yield Examined("ok", output.name, "a site that this program built")
