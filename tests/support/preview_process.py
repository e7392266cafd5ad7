"""A preview as its own process over a copy of the program and a project, all of it free to be edited."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field

LEFT_BEHIND = shutil.ignore_patterns("__pycache__", ".*")


class Preview(Struct):
    """A running preview.

    Attributes:
        folder: Holds the copies: ``build.py``, ``content``, ``templates``, ``site_src``, ``metrics_core``.
        said: Every line it printed so far.
        reader: Takes them down as they come, to the last.
    """

    folder: Path
    process: subprocess.Popen[str]
    said: list[str] = field(default_factory=list)
    reader: threading.Thread = field(default_factory=threading.Thread)

    def __post_init__(self) -> None:
        self.reader = threading.Thread(target=_listen, args=(self,), daemon=True)
        self.reader.start()

    @property
    def address(self) -> str:
        """Where it serves."""
        return re.findall(r"http://\S+/", self.wait_for("preview: http"))[0]

    def wait_for(self, words: str, *, after: int = 0, seconds: float = 120) -> str:
        """The first line, not among the first so many, that holds these words."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            ended = self.process.poll() is not None
            if ended:  # what it said last may not have been taken down
                self.reader.join(5)
            for line in self.said[after:]:
                if words in line:
                    return line
            assert not ended, "\n".join(self.said)
            time.sleep(0.02)
        raise AssertionError(f"{words!r} was not said:\n" + "\n".join(self.said))


def project(program: Path, folder: Path, content: Path) -> Path:
    """Copy the program and a content folder; the folder that holds them."""
    shutil.copytree(program, folder, dirs_exist_ok=True)
    shutil.copytree(content, folder / "content", ignore=LEFT_BEHIND)
    return folder


@contextmanager
def running(folder: Path, port: int = 0) -> Iterator[Preview]:
    """A preview of a copied project, as long as this lasts."""
    process = subprocess.Popen(
        [sys.executable, str(folder / "build.py"), "preview", "--port", str(port)],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    preview = Preview(folder, process)
    try:
        yield preview
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(30)
        preview.reader.join(5)
        if process.stdout is not None:
            process.stdout.close()


def _listen(preview: Preview) -> None:
    assert preview.process.stdout is not None
    for line in preview.process.stdout:
        preview.said.append(line.rstrip("\n"))
