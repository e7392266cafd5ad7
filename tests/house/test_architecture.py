"""The house rules that a linter cannot know, held against the files themselves.

import-linter keeps the arrows between modules (``make arrows``); this keeps the rest: names that
explain themselves, short files, a core that reads input in few places, templates that are never
markup by accident, and nothing that ties the project to one machine.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.support.parsed import nodes, parsed

REPO = Path(__file__).resolve().parents[2]
PACKAGES = ("metrics_core", "site_src")
CODE = (*PACKAGES, "build.py", "content", "benchmarks")

SHADY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}

# The modules of the core that may touch a disk, and what for. All others take bytes and records.
READERS = {
    "metrics_core/redaction/gitleaks.py": "public rules as data, read as the file whose digest it names",
    "metrics_core/look_alikes.py": "public letters as data, read as the file whose digest it names",
    "metrics_core/experiments/files/on_disk.py": "walks an experiment folder and opens regular files in it",
    "metrics_core/experiments/files/in_store.py": "lists an address and opens files below it",
    "metrics_core/experiments/files/looking.py": "which of the two; copies of what is read from a disk alone",
    "metrics_core/experiments/experiment.py": "reads experiment folders through it",
    "metrics_core/api.py": "writes a table that has no file into a folder of its own, to be read as one",
    "metrics_core/digest.py": "digests of trees and of source closures",
    "metrics_core/contracts/pack.py": "reads a task pack, whose digest is of the folder itself",
    "metrics_core/contracts/installed_sources.py": "reads the package, and keeps its closures beside it",
    "metrics_core/contracts/user_contract.py": "reads a user's contract, whose digest is of the files",
    "metrics_core/contracts/scorer_process.py": "starts the child in which a contract runs",
    "metrics_core/contracts/cage/kernel.py": "finds the libraries that such a child may read",
    "metrics_core/execution/cluster.py": "digests the package, which a cluster's workers must have too",
    "metrics_core/contracts/cage/mounts.py": "makes its view of the file system",
}
DISK_MODULES = {
    "shutil",
    "tempfile",
    "subprocess",
    "socket",
    "urllib.request",
    "http.client",
    "fsspec",
    "glob",
}
DISK_METHODS = {
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "iterdir",
    "rglob",
    "glob",
    "mkdir",
    "unlink",
    "rename",
}
CLOCKS = {
    ("time", "time"),
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
}


def files() -> list[Path]:
    """The project's own files: tracked, or about to be."""
    git = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPO,
        capture_output=True,
        check=False,
    )
    if git.returncode == 0 and git.stdout:
        found = {REPO / name for name in git.stdout.decode().split("\0") if name}
    else:  # an exported tree: no git, so what git ignores is named here
        ignored = {"_site", "_docs", "dist", "node_modules", "__pycache__"}
        found = {
            path
            for path in REPO.rglob("*")
            if not any(
                part in ignored or (part.startswith(".") and part != ".ci")
                for part in path.relative_to(REPO).parts[:-1]
            )
        }
    return sorted(path for path in found if path.is_file())


def texts(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Relative path and content of each file that is text."""
    for path in paths:
        content = path.read_bytes()
        if b"\0" not in content:
            yield path.relative_to(REPO).as_posix(), content.decode("utf-8", "replace")


def modules(*tops: str) -> list[Path]:
    """Our own Python under these top-level names; scorers inside experiments are evidence, not code."""
    return [
        path
        for path in files()
        if path.suffix == ".py"
        and path.relative_to(REPO).parts[0] in tops
        and not path.is_relative_to(REPO / "content" / "experiments")
    ]


def lines_matching(pattern: re.Pattern[str], paths: Iterable[Path]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in texts(paths)
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]


# ---------------------------------------------------------------------------------- names, length


def test_the_top_level_is_fixed() -> None:
    expected = {
        "build.py",
        "metrics_core",
        "site_src",
        "templates",
        "content",
        "tests",
        "benchmarks",
        ".ci",
        "docs",
        "pyproject.toml",
        "requirements.lock",
        "README.md",
        "SECURITY.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "CHANGELOG.md",
        "Makefile",
        "mkdocs.yml",
        "action.yml",  # where GitHub looks for it
        ".gitignore",
        ".gitattributes",
    }
    assert {path.relative_to(REPO).parts[0] for path in files()} <= expected


def test_no_module_is_a_drawer_for_odd_things() -> None:
    assert [
        path
        for path in modules(*CODE, "tests")
        if SHADY_NAMES & set(path.relative_to(REPO).with_suffix("").parts)
    ] == []


def test_every_module_says_what_it_does() -> None:
    assert [
        path
        for path in modules(*CODE, "tests")
        if path.read_text("utf-8").strip() and not ast.get_docstring(parsed(path.read_bytes()))
    ] == []


def test_annotations_are_never_evaluated_on_import() -> None:
    def lacks_it(path: Path) -> bool:
        body = [
            node
            for node in parsed(path.read_bytes()).body
            if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ]
        return bool(body) and not (isinstance(body[0], ast.ImportFrom) and body[0].module == "__future__")

    assert [path for path in modules(*CODE, "tests") if lacks_it(path)] == []


def test_nothing_is_left_to_be_done_later() -> None:
    words = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error")
    left = re.compile(rf"^(?!\s*except ).*\b(?:{'|'.join(words)})\b")  # the last one is also raised to us
    assert lines_matching(left, modules(*CODE, "tests")) == []


# ---------------------------------------------------------------------------------- a core that is pure


def disk_or_clock(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Lines of a module that reach for a disk, a network, a process or the clock."""
    for node in nodes(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names if alias.name in DISK_MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (
                    (node.lineno, f"{module}.{alias.name}")
                    for alias in names
                    if {module, f"{module}.{alias.name}"} & DISK_MODULES
                )
            case ast.Call(func=ast.Name(id="open")):
                yield node.lineno, "open()"
            case ast.Call(func=ast.Attribute(attr=attr)) if attr in DISK_METHODS:
                yield node.lineno, f".{attr}()"
            case ast.Call(func=ast.Attribute(value=ast.Name(owner) | ast.Attribute(attr=owner), attr=attr)):
                if (owner, attr) in CLOCKS:
                    yield node.lineno, f"{owner}.{attr}()"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import shutil", True),
        ("from urllib.request import urlopen", True),
        ("from urllib import request", True),
        ("from urllib.parse import quote", False),
        ("open('a')", True),
        ("path.read_bytes()", True),
        ("datetime.datetime.now()", True),
        ("datetime.now(tz=UTC)", True),
        ("time.time()", True),
        ("datetime.fromisoformat(stamp)", False),
        ("from pathlib import PurePosixPath", False),
    ],
)
def test_the_search_for_disks_and_clocks_finds_them(source: str, found: bool) -> None:
    assert bool(list(disk_or_clock(parsed(source)))) is found


def test_only_named_modules_of_the_core_touch_a_disk_or_the_clock() -> None:
    assert [
        f"{name}:{line}: {what}"
        for name, text in texts(modules("metrics_core"))
        if name not in READERS
        for line, what in disk_or_clock(parsed(text))
    ] == []


# ---------------------------------------------------------------------------------- templates


def templates() -> list[Path]:
    return [path for path in files() if path.is_relative_to(REPO / "templates")]


def test_no_template_switches_escaping_off() -> None:
    assert lines_matching(re.compile(r"\|\s*safe\b|autoescape\s+false|\bMarkup\b"), templates()) == []


def test_no_template_holds_style_or_script() -> None:
    """The content security policy allows neither; a block of JSON is data, and is not run."""
    inline = re.compile(
        r"""<style|\sstyle\s*=|\son[a-z]+\s*=\s*["'{]|javascript:"""
        r"""|<script(?![^>]*\bsrc=)(?![^>]*type="application/(?:ld\+)?json")""",
        re.IGNORECASE,
    )
    assert lines_matching(inline, templates()) == []


def test_templates_are_found_so_that_these_tests_can_fail() -> None:
    assert templates()


# ---------------------------------------------------------------------------------- one machine among many


def test_no_file_names_a_package_registry() -> None:
    """Where packages come from is a matter of whoever installs; a lock with addresses would decide it."""
    hosts = (
        "py" + "pi.org",
        "python" + "hosted.org",
        "npm" + "js.org",
        "npm" + "js.com",
        "yarn" + "pkg.com",
        "deb" + ".debian.org",
        "crates" + ".io",
        "conda" + ".anaconda.org",
    )
    assert lines_matching(re.compile("|".join(map(re.escape, hosts))), files()) == []


def test_no_file_holds_a_path_of_the_machine_it_was_written_on() -> None:
    """Tests may hold invented home folders, since what is redacted has to be written down."""
    here = [str(path) + os.sep for path in (REPO, REPO.parent / "shared") if len(path.parts) > 2]
    own = [str(Path.home()) + os.sep, tempfile.gettempdir() + os.sep]
    tests = [path for path in files() if path.is_relative_to(REPO / "tests")]

    def anchored(paths: list[str]) -> re.Pattern[str]:
        return re.compile(r"(?<![\w.~-])(?:" + "|".join(map(re.escape, paths)) + ")")

    assert not here or lines_matching(anchored(here), tests) == []
    assert lines_matching(anchored(here + own), (path for path in files() if path not in tests)) == []
