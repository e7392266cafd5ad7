"""The command ``preview``: what it prints, and how its parts are started and ended. Decides nothing else."""

from __future__ import annotations

import gc
import os
import threading
import webbrowser
from pathlib import Path

from metrics_core.experiments import printable
from metrics_core.text import many
from site_src.console import Console
from site_src.installed import assets_folder
from site_src.preview.error_report import ErrorReport
from site_src.preview.page_cache import PageCache, PreviewState
from site_src.preview.project import Project
from site_src.preview.rebuilder import BackgroundFindings, Rebuilder, Update
from site_src.preview.server import serve
from site_src.preview.watcher import Watcher
from site_src.project import Plan

NAMED = 3
"""Names that a line lists before it counts."""
WIDEST = 120
"""Characters of a note that a line quotes."""


def preview(plan: Plan, host: str, port: int, console: Console, *, browse: bool = False) -> int:
    """Serve a project on this machine and keep it up with what is saved, until it is interrupted.

    Args:
        plan: What to show; nothing is written.
        host: A name or address of this machine.
        port: Where; 0 for any port that is free.
        console: Where the address and one line an update are printed.
        browse: Open the address in a browser as well.

    Returns:
        The exit code.

    Raises:
        ConfigError: It cannot be served there.
    """

    def progress(what: str, done: int, total: int | None) -> None:
        if done == 0 and total:
            console.message(f"{what} {many(total, 'experiment')}")
        console.progress(what, done, total)

    page_cache = PageCache(PreviewState(site=None, explain=_unexpected))
    server = serve(page_cache, assets_folder(), host, port, console.message)
    project = Project(plan, lambda: builder.changed(()), page_cache, progress)
    watcher = Watcher(lambda paths: builder.changed(paths), console.warn)  # noqa: PLW0108 (made below)
    base = Path(os.path.realpath(plan.content)).parent if plan.content else Path.cwd()

    def on_update(update: Update) -> None:
        watcher.watch(project.roots())
        if page_cache.number == 1:  # what was read so far stays: a pass over it for cycles would delay a save
            gc.collect()
            gc.freeze()
        for line in update_lines(update, base, first=page_cache.number == 1):
            console.message(line)

    def on_findings(found: BackgroundFindings) -> None:
        for line in finding_lines(found):
            console.message(line)

    builder = Rebuilder(project, page_cache, on_update, on_findings)
    try:
        threading.Thread(target=server.serve_forever, name="server", daemon=True).start()
        watcher.start(project.roots())
        builder.start()
        console.message(f"preview: {server.address}")
        console.message(f"watching {_listed([_short(r, base) for r in project.roots()])}; stop with Ctrl-C")
        if browse:
            webbrowser.open(server.address)
        threading.Event().wait()
    except KeyboardInterrupt:
        pass
    finally:
        page_cache.close()
        server.shutdown()
        server.server_close()
        watcher.stop()
        builder.stop()
    console.message("preview: stopped")
    return 0


def update_lines(update: Update, base: Path, *, first: bool = False) -> list[str]:
    """The lines of a turn of the builder: what changed, what was made again, how long it took.

    Args:
        update: The turn.
        base: Folder that paths are shown from.
        first: Nothing was shown before.
    """
    faults = [f"  {fault}" for fault in update.faults]
    what = [_listed([_short(path, base) for path in update.changed])] if update.changed else []
    what += [f"measured {_listed(update.measured)}"] if update.measured else []
    if first and update.state.site is not None:
        what.insert(0, "ready")
    if not what:
        return faults
    waits = "measuring" if update.state.busy else "no open page changed"
    then = _listed(update.pages) if update.pages else waits
    return [f"{', '.join(what)} → {then} ({update.seconds * 1000:.0f} ms)", *faults]


def finding_lines(found: BackgroundFindings) -> list[str]:
    """What was found where nobody looks: faults a line each, and notes in one line.

    >>> finding_lines(BackgroundFindings(notes=("a.md:3: a score typed by hand", "b.md:1: another")))
    ['2 notes: a.md:3: a score typed by hand; and 1 more, listed at the foot of every page']
    """
    lines = [f"  {fault}" for fault in found.faults]
    if found.notes is None:
        return lines
    if not found.notes:
        return [*lines, "no notes any more"]
    first, *more = found.notes
    first = first if len(first) <= WIDEST else f"{first[: WIDEST - 1]}…"
    then = f"; and {len(more)} more, listed at the foot of every page" if more else ""
    return [*lines, f"{len(found.notes)} note{'s' if more else ''}: {first}{then}"]


def _listed(names: list[str] | tuple[str, ...]) -> str:
    shown = ", ".join(names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown} and {len(names) - NAMED} more"


def _short(path: Path, base: Path) -> str:
    real = Path(os.path.realpath(path))
    return printable(str(real.relative_to(base)) if real.is_relative_to(base) else real.name)


def _unexpected(error: BaseException) -> ErrorReport:
    return ErrorReport(kind=type(error).__name__, problem=str(error), where="preview")
