"""What each template reads is what its view declares, all of it: both ways, by its syntax tree."""

from __future__ import annotations

import importlib
import marshal
import pkgutil
import shutil
import sys
import typing
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from jinja2 import Environment, FileSystemLoader, StrictUndefined, UndefinedError, nodes
from markupsafe import Markup, escape
from msgspec import Struct

from metrics_core.text import visible
from site_src import authoring, comparing, pages
from site_src.drawing import RowFigure
from site_src.pages import render
from site_src.pages.compare.by_rule import RuleVerdict
from site_src.pages.compare.choose import ChooseView
from site_src.pages.compare.stability import StabilityView
from site_src.pages.compare.task_rows import TaskRowsView
from site_src.pages.components import FigureBlock, Listing, Opening, Table, Term
from site_src.pages.decisions.claims import ClaimsView
from site_src.pages.page import PageFrame
from site_src.pages.results.experiment import FamilyView
from site_src.pages.runs.transcript import FoldedText, MessageView
from site_src.pages.runs.verdicts import VerdictView
from site_src.wording.spans import Caption, Span
from tests.support import sample_site

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
ARGUMENTS: dict[str, object] = {
    "span": Span,
    "line": tuple[Span, ...],
    "lines": tuple[tuple[Span, ...], ...],
    "caption": Caption,
    "table": Table,
    "figure": FigureBlock,
    "rows": RowFigure,
    "figures": tuple[FigureBlock, ...],
    "listing": Listing,
    "opening": Opening,
    "tables": tuple[Table, ...],
    "terms": tuple[Term, ...],
    "claims": ClaimsView,
    "verdicts": tuple[VerdictView, ...],
    "folded": FoldedText,
    "messages": tuple[MessageView, ...],
    "by_rule": tuple[RuleVerdict, ...],
    "task_rows": TaskRowsView,
    "stability": StabilityView,
    "choose": ChooseView,
}
"""A macro's argument is named after the view that it is."""


def view_classes() -> list[type]:
    """Every Struct of the views' modules that a page may hold; not what pages are made from."""
    found = []
    rooms = chain.from_iterable(
        pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        for package in (pages, authoring, comparing)
    )
    for name in (*(info.name for info in rooms), "site_src.single_file"):
        module = importlib.import_module(name)
        found += [
            c
            for c in vars(module).values()
            if isinstance(c, type) and issubclass(c, Struct) and c.__module__ == module.__name__
        ]
    return found


PAGES = {c.template: c for c in view_classes() if hasattr(c, "template")}


@cache
def fields(cls: type) -> dict[str, object]:
    hints = typing.get_type_hints(cls)
    return {name: hints[name] for name in cls.__struct_fields__}


@cache
def reachable() -> set[type]:
    """Every view that a page can hold, from the page's own down."""
    found: set[type] = set()
    waiting: list[object] = [*PAGES.values(), PageFrame]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and issubclass(kind, Struct) and kind not in found:
            found.add(kind)
            waiting += fields(kind).values()
        waiting += typing.get_args(kind)
    return found


class Reader:
    """Walks a template's tree, knowing of each name which view it is; notes what is read of each view."""

    def __init__(self, template: str) -> None:
        self.template = template
        self.used: defaultdict[type, set[str]] = defaultdict(set)

    def read(self) -> defaultdict[type, set[str]]:
        tree = Environment().parse((TEMPLATES / self.template).read_text("utf-8"))
        names: dict[str, object] = {"frame": PageFrame}
        if self.template in PAGES:
            names["view"] = PAGES[self.template]
        elif self.template.startswith("families/"):
            names["family"] = FamilyView
        self.body(tree.body, names)
        return self.used

    def body(self, items: list[nodes.Node], names: dict[str, object]) -> None:
        for item in items:
            self.visit(item, names)

    def visit(self, node: nodes.Node, names: dict[str, object]) -> None:
        match node:
            case nodes.For():
                kind = self.kind(node.iter, names)
                inner = typing.get_args(kind)[0]
                self.body(node.body, {**names, node.target.name: inner})
                self.body(node.else_, names)
            case nodes.Macro():
                self.body(node.body, {**names, **{arg.name: ARGUMENTS[arg.name] for arg in node.args}})
            case nodes.Getattr() | nodes.Name() | nodes.Call():
                self.kind(node, names)
            case _:
                for child in node.iter_child_nodes():
                    self.visit(child, names)

    def kind(self, node: nodes.Node, names: dict[str, object]) -> object:
        """The type of an expression; notes each attribute that is read."""
        match node:
            case nodes.Name():
                assert node.name in names, f"{self.template}:{node.lineno}: {node.name} is no view"
                return names[node.name]
            case nodes.Getattr():
                owner = self.kind(node.node, names)
                assert isinstance(owner, type), f"{self.template}:{node.lineno}: .{node.attr} of {owner}"
                assert node.attr in fields(owner), (
                    f"{self.template}:{node.lineno}: {owner.__name__} declares no {node.attr}"
                )
                self.used[owner].add(node.attr)
                return fields(owner)[node.attr]
            case nodes.Call():
                self.call(node, names)
                return Markup
        raise AssertionError(
            f"{self.template}:{node.lineno}: a template may not compute: {type(node).__name__}"
        )

    def call(self, node: nodes.Call, names: dict[str, object]) -> None:
        """A macro is given the view that its argument is named after."""
        name = node.node.attr if isinstance(node.node, nodes.Getattr) else node.node.name  # type: ignore[attr-defined]
        (argument,) = node.args
        assert self.kind(argument, names) == MACROS[name], (
            f"{self.template}:{node.lineno}: {name}() of another view"
        )


def macros() -> Iterator[tuple[str, object]]:
    tree = Environment().parse((TEMPLATES / "layout/macros.html").read_text("utf-8"))
    for macro in tree.find_all(nodes.Macro):
        yield macro.name, ARGUMENTS[macro.args[0].name]


MACROS = dict(macros())
NAMES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html"))


@pytest.mark.parametrize("name", NAMES)
def test_a_template_reads_only_what_its_views_declare_and_computes_nothing(name: str) -> None:
    Reader(name).read()


def test_all_that_the_views_declare_is_read() -> None:
    used: defaultdict[type, set[str]] = defaultdict(set)
    for name in NAMES:
        for cls, attrs in Reader(name).read().items():
            used[cls] |= attrs
    unread = {
        cls.__name__: sorted(set(fields(cls)) - used[cls])
        for cls in reachable()
        if set(fields(cls)) - used[cls]
    }
    assert unread == {}


def test_every_page_template_has_its_view_and_every_view_its_template() -> None:
    apart = {name for name in NAMES if name.startswith(("layout/", "families/"))}
    assert set(PAGES) == set(NAMES) - apart


@pytest.mark.parametrize("cls", sorted(reachable(), key=lambda c: c.__name__), ids=lambda c: c.__name__)
def test_a_view_holds_text_booleans_and_views_only(cls: type) -> None:
    allowed = (str, bool, Markup)

    def holds(kind: object) -> bool:
        if typing.get_origin(kind) is typing.Literal:
            return all(isinstance(word, str) for word in typing.get_args(kind))
        if typing.get_origin(kind) is tuple:
            inner = typing.get_args(kind)
            return len(inner) == 2 and inner[1] is Ellipsis and holds(inner[0])
        return kind in allowed or kind in reachable()

    assert [name for name, kind in fields(cls).items() if not holds(kind)] == []
    assert cls.__struct_config__.frozen
    assert cls.__doc__


def test_a_name_that_is_missing_is_an_error_and_not_an_empty_place() -> None:
    with pytest.raises(AttributeError, match="'Span' object has no attribute 'nothing'"):
        render.environment().from_string("{{ view.nothing }}").render(view=Span(text=""))
    with pytest.raises(UndefinedError, match="'nothing' is undefined"):
        render.environment().from_string("{{ nothing }}").render()


@given(st.text(alphabet=st.sampled_from("ab<>&'\"\u202e\x00é😀 ;#39")))
def test_what_is_printed_is_what_jinja_escapes(text: str) -> None:
    assert render.printed(text) == str(escape(visible(text)))
    assert render.printed(Markup(text)) == text


@pytest.mark.parametrize("path", sorted(sample_site.kinds().values()))
def test_a_page_is_the_one_that_jinja_itself_makes(path: str) -> None:
    """Ours compiles a template to code of its own, which must not be seen in what it gives."""
    made = sample_site.site().page(path)
    assert isinstance(made, pages.Page)
    assert render.render_page(made).decode() == jinja_itself().get_template(made.view.template).render(
        frame=made.frame, view=made.view
    )


@cache
def jinja_itself() -> Environment:
    """An environment of our settings, by Jinja's own compiler."""

    def shown(value: object) -> object:
        return visible(value) if type(value) is str else value

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= render.environment().filters
    made.globals = {"m": made.get_template("layout/macros.html").module}
    return made


def test_a_template_cannot_print_a_number() -> None:
    with pytest.raises(TypeError, match="not text"):
        render.environment().from_string("{{ n }}").render(n=0.5)


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.stem)
def test_nothing_in_a_template_escapes_before_it_is_printed(path: Path) -> None:
    """Printing spells hidden characters of text; of what is escaped before, none would be looked for."""
    tree = Environment().parse(path.read_text("utf-8"))
    filters = {node.name for node in tree.find_all(nodes.Filter)}
    assert filters <= {"whole_dates", "record_name", "join"}, "others may make markup of text"
    assert not [*tree.find_all((nodes.Concat, nodes.FilterBlock, nodes.MarkSafe))]


def test_text_of_a_record_is_escaped() -> None:
    made = render.environment().from_string("<p title='{{ text }}'>{{ text }}").render(text="<b>&'")
    assert made == "<p title='&lt;b&gt;&amp;&#39;'>&lt;b&gt;&amp;&#39;"


def test_a_compiled_template_is_taken_over_only_where_it_is_whole_and_of_the_same_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "a.html").write_text("{{ view }}!", "utf-8")

    def rendered() -> str:
        compiled = render._CompiledTemplates(tmp_path / "__pycache__")
        env = Environment(loader=FileSystemLoader(tmp_path), autoescape=True, bytecode_cache=compiled)
        return env.get_template("a.html").render(view="<b>")

    assert rendered() == "&lt;b&gt;!"
    (kept,) = (tmp_path / "__pycache__").iterdir()
    whole = kept.read_bytes()
    made_of, _, code = whole.split(b"\n", 2)
    other = marshal.dumps(compile("raise SystemExit", "poison", "exec"))
    foreign = (b"0" * 64 + whole[64:], b"\n".join((made_of, b"", code)), b"\n".join((made_of, b"x", other)))
    for spoiled in (b"", whole[:40], whole[:-3], *foreign):
        kept.write_bytes(spoiled)
        assert rendered() == "&lt;b&gt;!"
        assert kept.read_bytes() == whole, "made anew"
    (tmp_path / "a.html").write_text("{{ view }}?", "utf-8")
    assert rendered() == "&lt;b&gt;?"
    shutil.rmtree(tmp_path / "__pycache__")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert rendered() == "&lt;b&gt;?"
    assert not (tmp_path / "__pycache__").exists()
