"""Makes the first edition of the shipped example: what could be published on 6 July 2026, published.

    python content/first_edition.py [--output FILE]

The example as a whole is held back, on purpose: one control fails and one is missing. Its first edition is an
earlier state: the two experiments that had begun by then and whose controls hold, with the runs that had
been made, nothing after them, and no prose. This script writes that state into a temporary folder, publishes
it there with the real `publish`, and keeps the file that publishing records. The same inputs and versions
give the same bytes, so a test makes it again and compares.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from example import gh_2026, patches_2026

HERE = Path(__file__).resolve().parent
DATE = "2026-07-06"
WHY = "The runs made up to 5 July, of the experiments whose controls hold."
EXPERIMENTS = {
    "gh-2026": gh_2026.files,
    "patches-2026": patches_2026.files,
}
KEPT = ("site.yaml", "contracts.lock", "pricing")
"""What the content folder has beside experiments and prose."""


def earlier(files: Mapping[str, str]) -> dict[str, str]:
    """An experiment as it was on `DATE`: lines and folders of later runs are not there yet.

    Args:
        files: Path -> text.
    """
    later = {
        path.rpartition("/")[0] + "/" for path, text in files.items() if _stamp_of_folder(path, text) >= DATE
    }
    kept = {path: text for path, text in files.items() if not path.startswith(tuple(later))}
    cut = {path: "".join(_lines(text)) if _is_log(path) else text for path, text in kept.items()}
    return {path: text for path, text in cut.items() if text or not _is_log(path)}


def _is_log(path: str) -> bool:
    return path.endswith(".jsonl") and path.count("/") == 1


def _stamp_of_folder(path: str, text: str) -> str:
    """When the run of an attempt's folder was made; empty for any other file."""
    if not path.startswith("attempts/") or not path.endswith("/metadata.json"):
        return ""
    return str(json.loads(text).get("timestamp", ""))


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        try:
            stamp = json.loads(line).get("stamp", "")
        except ValueError:
            stamp = DATE  # a line that is no record belongs to the last batch, as the log was left
        if stamp < DATE:
            yield line


def write(content: Path) -> None:
    """Write the earlier state as a content folder."""
    for name in KEPT:
        if (HERE / name).is_dir():
            shutil.copytree(HERE / name, content / name)
        else:
            shutil.copy(HERE / name, content / name)
    for slug, files in EXPERIMENTS.items():
        for name, text in sorted(earlier(files()).items()):
            path = content / "experiments" / slug / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))


def made() -> bytes:
    """The edition's file, as `publish` records it.

    Raises:
        CalledProcessError: It was not published; what it said stands on the terminal.
    """
    with tempfile.TemporaryDirectory() as scratch:
        content = Path(scratch) / "content"
        content.mkdir()
        write(content)
        command = [sys.executable, str(HERE.parent / "build.py"), "publish", "--content", str(content)]
        command += ["--output", str(Path(scratch) / "site"), "--date", DATE, "--why", WHY]
        subprocess.run(command, check=True)
        return (content / "editions" / "0001.json").read_bytes()


def main() -> None:
    """Read the command line, publish, and keep the edition."""
    parser = argparse.ArgumentParser(description="Publish the example's first edition and keep its file.")
    parser.add_argument(
        "--output",
        type=Path,
        default=HERE / "editions" / "0001.json",
        metavar="FILE",
        help="where the edition goes (default: editions/0001.json beside this script)",
    )
    output = parser.parse_args().output
    data = made()
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(data)
    print(f"{output.name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
