"""The last look: no secret and no trace of this machine stands in any file that is about to be published.

Records were redacted when they were read; what is found here stands in prose, settings or our own output.
"""

from __future__ import annotations

import getpass
import os
import socket
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from metrics_core.errors import LeakError
from metrics_core.redaction import BuilderIdentity, Redactor
from site_src.project import SiteFile

TEXT = (
    *(".html", ".json", ".jsonl", ".js", ".css", ".csv", ".txt", ".xml", ".md", ".svg", ".py"),
    *(".yaml", ".yml", ".sums", ".sha256", ".lock"),
)


def screened(files: Iterable[SiteFile], redactor: Redactor) -> Iterator[SiteFile]:
    """The same files, each looked through.

    Raises:
        LeakError: A file holds a secret or a trace; which kind and where, never what it is.
    """
    for file in files:
        if file.path.endswith(TEXT):
            _, found = redactor.clean(file.data)
            if found:
                found_words = ", ".join(f"{count} x {name}" for name, count in sorted(found.items()))
                raise LeakError(
                    f"holds {found_words}",
                    where=file.path,
                    hint="take it out of the page or setting it came from",
                )
        yield file


def this_builder() -> BuilderIdentity:
    """Whose machine this is: its home folder, host name, user and git e-mail, as far as they are known."""
    return BuilderIdentity(
        home=str(Path.home()), host=socket.gethostname(), user=_user(), emails=_git_emails()
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _git_emails() -> tuple[str, ...]:
    try:
        done = subprocess.run(
            ["git", "config", "user.email"],  # noqa: S607 (whichever git the builder has)
            capture_output=True,
            text=True,
            check=False,
            timeout=10,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0"},
        )
    except (OSError, subprocess.SubprocessError):
        return ()
    return (done.stdout.strip(),)
