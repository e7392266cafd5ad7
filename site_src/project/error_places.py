"""Where an error is told to be: in which experiment, by the path at which its user knows it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from metrics_core.errors import AssayError
from metrics_core.experiments import printable, slug


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Every error within says which experiment it is in, by the path at which its user knows it.

    Args:
        path: Of the experiment, a folder or one file.

    Raises:
        AssayError: As it was raised, its place told from where this program was started.
    """
    try:
        yield
    except AssayError as error:
        whole = Path(os.path.abspath(path))  # noqa: PTH100 (links stay, so that the name is the one given)
        typed = printable(str(whole.relative_to(Path.cwd()) if whole.is_relative_to(Path.cwd()) else whole))
        first = re.split(r"[:#]", error.where, maxsplit=1)[0]
        raise error.within(typed, slug(whole.name), file=bool(first) and (whole / first).exists()) from error
