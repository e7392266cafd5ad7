# ruff: noqa: INP001 (a script beside what it fetches; the folder is no package)
"""Fetches the vendored libraries anew, by package name and version, and records what was taken.

Run by hand when a version is raised in ``vendored.json``: ``python site_src/assets/vendor/refresh.py``. It
asks npm's own client, so where packages come from is a matter of whoever runs it. ``--check`` fetches
nothing, and says whether each file is the one that was recorded. Neither a build nor the preview runs it.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORD = HERE / "vendored.json"


def digest(data: bytes) -> str:
    """SHA-256, hex."""
    return hashlib.sha256(data).hexdigest()


def refreshed(library: dict[str, str | dict[str, dict[str, str]]]) -> None:
    """Take the files of one library out of its package; their digests are written into its record."""
    wanted = f"{library['package']}@{library['version']}"
    with tempfile.TemporaryDirectory() as scratch:
        told = subprocess.run(
            ["npm", "pack", "--silent", wanted],  # noqa: S607 (whichever npm whoever runs this has)
            cwd=scratch,
            check=True,
            capture_output=True,
            text=True,
        )
        with tarfile.open(Path(scratch, told.stdout.split()[-1])) as package:
            for name, file in _files(library).items():
                member = package.extractfile(f"package/{file['from']}")
                data = member.read() if member else b""
                if "within" in file:
                    data = as_script(data.decode(), file["within"]).encode()
                (HERE / name).write_bytes(data)
                file["sha256"] = digest(data)


def as_script(module: str, within: str) -> str:
    """A module of one import and one export as a script, since an opened file loads no module.

    Args:
        module: Its source.
        within: Global that has what it imports, and gets what it exports.

    Raises:
        ValueError: It imports or exports anything else.
    """
    module, taken = re.subn(
        r"^import (\{[\w, ]+\}) from '[\w-]+';$", rf"const \1 = {within};", module, flags=re.MULTILINE
    )
    module, given = re.subn(
        r"^export \{ (\w+) as (\w+) \};$", rf"{within}.\2 = \1;", module, flags=re.MULTILINE
    )
    if (taken, given) != (1, 1) or re.search(r"^(?:import|export)\b", module, re.MULTILINE):
        raise ValueError("the module is not one that has one import and one export")
    return f'(function () {{\n"use strict";\n{module}}})();\n'


def faults() -> list[str]:
    """Files that are not the ones that were recorded."""
    record = json.loads(RECORD.read_text("utf-8"))
    return [
        f"{name}: is not the file of {library['package']} {library['version']} that was recorded"
        for library in record["libraries"]
        for name, file in _files(library).items()
        if not (HERE / name).is_file() or digest((HERE / name).read_bytes()) != file["sha256"]
    ]


def _files(library: dict[str, str | dict[str, dict[str, str]]]) -> dict[str, dict[str, str]]:
    files = library["files"]
    assert isinstance(files, dict)  # noqa: S101 (the record is our own)
    return files


def main(words: list[str]) -> int:
    """Refresh, or check."""
    if words == ["--check"]:
        found = faults()
        print("\n".join(found) or "every vendored file is the one that was recorded")
        return 1 if found else 0
    record = json.loads(RECORD.read_text("utf-8"))
    for library in record["libraries"]:
        refreshed(library)
    RECORD.write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
