"""What the documents say of the tree, held against the tree: rooms, arrows, names, targets, links.

Does: read Markdown and syntax trees; of the program itself only the command line's parser is imported. Does
not: judge the sentences.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from site_src.cli import parser
from tests.house.test_architecture import PACKAGES, REPO, files, modules
from tests.support.parsed import nodes, parsed

ARCHITECTURE, GLOSSARY, CONTRIBUTING = "docs/architecture.md", "docs/glossary.md", "CONTRIBUTING.md"
TRUE_TO_NAMES = (ARCHITECTURE, GLOSSARY, CONTRIBUTING)
"""Documents in which whatever stands in backticks must exist."""

OPEN_CORE = {
    "api",
    "results",
    "errors",
    "digest",
    "text",
    "suggestions",
    "look_alikes",
    "registry",
    "memo",
    "front_door",
    "pricing",
    "formats",
    "execution",
}
"""Rooms and modules of the core that every room of the site may import; docs/architecture.md says so."""
OPEN_TO_CORE = {
    *("errors", "digest", "text", "suggestions", "look_alikes", "registry", "memo", "front_door", "pricing"),
    "column_names",
}
OPEN_SITE = {"paths", "link_policy", "installed"}

_FENCE = re.compile(r"^(?P<mark>`{3,}).*?^(?P=mark)", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\((?!https?:|mailto:)([^)\s]+)\)")
_COMMAND = re.compile(r"(?:make|assay|\.venv/bin/\S+|python|git) .*|\.ci/run.*")


def prose(name: str) -> str:
    """A document without its fenced blocks."""
    return _FENCE.sub("", (REPO / name).read_text("utf-8"))


# ---------------------------------------------------------------------------------- rooms and arrows


@cache
def rooms() -> frozenset[str]:
    """Every package of both wings, dotted."""
    found = {
        path.parent.relative_to(REPO).as_posix().replace("/", ".")
        for path in modules(*PACKAGES)
        if path.name == "__init__.py"
    }
    return frozenset(found - set(PACKAGES))


def rows() -> dict[str, list[str]]:
    """Package -> the cells behind its name, of both tables of rooms."""
    text = (REPO / ARCHITECTURE).read_text("utf-8")
    found = re.findall(r"^\| `((?:metrics_core|site_src)\.[\w.<>]+)` \|(.*)\|$", text, re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in found}


def row_of(room: str) -> str:
    """Families share a row, and adapters of parts, so that one is added without a line here."""
    if room in rows():
        return room
    return re.sub(r"^(metrics_core\.(?:families|adapters))\.\w+$", r"\1.<name>", room)


def test_every_package_is_a_row_and_every_row_a_package() -> None:
    assert sorted(rows()) == sorted({row_of(room) for room in rooms()})


def room_of(dotted: str) -> str:
    """The package that a dotted name lies in; a single module of a wing is a room of its own."""
    parts = dotted.split(".")
    inside = [".".join(parts[:n]) for n in range(len(parts), 1, -1) if ".".join(parts[:n]) in rooms()]
    return inside[0] if inside else ".".join(parts[:2])


def imports(path: Path) -> Iterator[str]:
    """Dotted names that a module imports of our own, those for type checking among them."""
    for node in nodes(parsed(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in PACKAGES:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in PACKAGES)


@cache
def drawn_arrows() -> dict[str, set[str]]:
    """Package -> packages and single modules that it imports."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in modules(*PACKAGES):
        place = path.relative_to(REPO).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        if room_of(place) in rooms():
            found[room_of(place)] |= {room_of(name) for name in imports(path)} - {room_of(place)}
    return found


def allowed(room: str, cells: list[str]) -> set[str]:
    """What a row of the table lets its room import, beside what is open to all and the rooms around it."""
    wing = room.split(".", maxsplit=1)[0]
    found = {".".join(room.split(".")[:n]) for n in range(2, room.count(".") + 1)}
    named = {f"{wing}.{name}" for name in _QUOTED.findall(cells[1])}
    if "its own rooms" in cells[1]:
        found |= {other for other in rooms() if other.startswith(f"{room}.")}
    if "`pages` and its rooms" in cells[1]:
        named |= {other for other in rooms() if other.startswith("site_src.pages.")}
    if wing == "metrics_core":
        return found | named | {f"metrics_core.{name}" for name in OPEN_TO_CORE}
    core = set(_QUOTED.findall(cells[2])) | OPEN_CORE
    return (
        found
        | named
        | public_names()
        | {f"site_src.{name}" for name in OPEN_SITE}
        | {f"metrics_core.{name}" for name in core}
    )


@cache
def public_names() -> frozenset[str]:
    """Names that `metrics_core` itself gives: it is the front door of the core."""
    tree = parsed((REPO / "metrics_core/__init__.py").read_bytes())
    (named,) = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == "__all__"
    ]
    return frozenset({"metrics_core", *(f"metrics_core.{name}" for name in ast.literal_eval(named))})


@pytest.mark.parametrize("room", sorted(rooms()))
def test_a_room_imports_only_what_its_row_names(room: str) -> None:
    over = drawn_arrows()[room] - set(PACKAGES) - allowed(room, rows()[row_of(room)])
    assert over == set(), f"{room} imports more than {ARCHITECTURE} lets it"


@pytest.mark.parametrize("wing", PACKAGES)
def test_rows_stand_in_the_order_of_the_layers(wing: str) -> None:
    settings = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (layers,) = [
        c["layers"] for c in settings["contracts"] if c["type"] == "layers" and c["containers"] == [wing]
    ]
    places = {name: at for at, line in enumerate(layers) for name in line.split(" | ")}
    told = [places[name.split(".")[1]] for name in rows() if name.startswith(f"{wing}.")]
    assert told
    assert told == sorted(told)


# ---------------------------------------------------------------------------------- names


def defined(tree: ast.AST, place: str) -> Iterator[str]:
    """Dotted names of what a module or a class defines: classes, functions, constants, fields."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield f"{place}.{name}"
                if isinstance(node, ast.ClassDef):
                    yield from defined(node, f"{place}.{name}")
            case ast.Assign(targets=targets):
                yield from (
                    f"{place}.{name.id}"
                    for target in targets
                    for name in ast.walk(target)
                    if isinstance(name, ast.Name)
                )
            case ast.AnnAssign(target=ast.Name(name)):
                yield f"{place}.{name}"
            case ast.ImportFrom(names=names) if place in {*rooms(), *PACKAGES}:  # re-exported by a front door
                yield from (f"{place}.{alias.asname or alias.name}" for alias in names)
            case ast.If():
                yield from defined(node, place)


@cache
def names() -> frozenset[str]:
    """Every end of a dotted name that exists: of packages, modules, classes, functions, constants, fields."""
    found: set[str] = set()
    for path in modules(*PACKAGES, "tests", "benchmarks", "build.py"):
        place = path.relative_to(REPO).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for name in (place, *defined(parsed(path.read_bytes()), place)):
            parts = name.split(".")
            found |= {".".join(parts[at:]) for at in range(len(parts))}
    return frozenset(found)


@cache
def paths() -> frozenset[str]:
    """Every path of the tree, its folders with and without a slash, and every file's own name."""
    found: set[str] = set()
    for path in files():
        inner = path.relative_to(REPO)
        found |= {inner.as_posix(), inner.name}
        found |= {f"{folder.as_posix()}{slash}" for folder in inner.parents for slash in ("", "/")}
    return frozenset(found)


INPUTS = {"experiment.yaml", "site.yaml", "logs_big/", "contracts.lock"}
"""Names of files that a user writes."""


def exists(quoted: str) -> bool:
    if _COMMAND.fullmatch(quoted) or "<" in quoted:
        return True
    return quoted.removesuffix("()") in names() or quoted in paths() or quoted in INPUTS


@pytest.mark.parametrize("quoted", ["no_such_name", "Estimate.no_such_field", "docs/no-such.md", "PageCash"])
def test_the_search_for_names_misses_what_is_not_there(quoted: str) -> None:
    assert not exists(quoted)


@pytest.mark.parametrize("document", TRUE_TO_NAMES)
def test_what_stands_in_backticks_exists(document: str) -> None:
    found = _QUOTED.findall(prose(document))
    assert found
    assert sorted({quoted for quoted in found if not exists(quoted)}) == []


# ---------------------------------------------------------------------------------- commands


def documents() -> list[Path]:
    return [
        path
        for path in files()
        if path.suffix == ".md"
        and path.relative_to(REPO).parts[0] in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs")
    ]


def test_every_target_of_make_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (REPO / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {
        word
        for path in documents()
        for word in re.findall(r"(?:^|`)make ([a-z]+)\b", path.read_text("utf-8"), re.MULTILINE)
    }
    assert named
    assert named <= targets


def test_every_command_that_is_named_exists() -> None:
    (commands,) = [action.choices for action in parser()._actions if action.dest == "command"]
    named = {
        word
        for path in documents()
        for word in re.findall(r"\bassay ([a-z]+)\b", "\n".join(_QUOTED.findall(path.read_text("utf-8"))))
    }
    assert named
    assert named <= set(commands)


# ---------------------------------------------------------------------------------- links


def anchors(text: str) -> set[str]:
    """Ids that a reader's program gives to headings."""
    heads = re.findall(r"^#+ (.+)$", _FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def markdown() -> list[Path]:
    """All Markdown but what tests feed, and what becomes pages, whose links a build resolves."""
    return [
        path
        for path in files()
        if path.suffix == ".md"
        and path.relative_to(REPO).parts[0] != "content"
        and "scaffolding" not in path.parts
        and not path.is_relative_to(REPO / "tests" / "specs")
    ]


@pytest.mark.parametrize("path", markdown(), ids=lambda path: path.relative_to(REPO).as_posix())
def test_relative_links_resolve(path: Path) -> None:
    text = path.read_text("utf-8")
    broken = []
    for target in _LINK.findall(_FENCE.sub("", text)):
        place, _, anchor = target.partition("#")
        there = (path.parent / place).resolve() if place else path
        heads = anchors(there.read_text("utf-8")) if there.is_file() and there.suffix == ".md" else {anchor}
        if not there.exists() or (anchor and anchor not in heads):
            broken.append(target)
    assert broken == []


# ---------------------------------------------------------------------------------- complete


def test_every_decision_is_listed_and_has_its_three_parts() -> None:
    records = sorted((REPO / "docs/decisions").glob("[0-9]*.md"))
    listed = (REPO / "docs/decisions/README.md").read_text("utf-8")
    assert records
    for record in records:
        assert f"({record.name})" in listed
        assert re.findall(r"^## (.+)$", record.read_text("utf-8"), re.MULTILINE) == [
            "Context",
            "Decision",
            "Consequences",
        ]


def test_the_glossary_is_in_order_and_defines_each_term_once() -> None:
    terms = re.findall(r"^\*\*(.+?)\*\*", (REPO / GLOSSARY).read_text("utf-8"), re.MULTILINE)
    assert len(terms) > 40
    assert terms == sorted(set(terms), key=lambda term: term.lower())


def test_the_source_distribution_carries_the_documents() -> None:
    build = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert {"/docs", "/CONTRIBUTING.md"} <= set(build["targets"]["sdist"]["include"])
