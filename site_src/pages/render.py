"""Pages to bytes: the one Jinja environment, strict and escaping, and the assets that every page loads.

Does: render a view with its template, show what is hidden in text, refuse anything that is not text, and
give the style sheet, the scripts and the icon. Does not: decide what a page says, or write to a disk.

In a checkout the templates lie at the top level, where people look for them; in a wheel the same files are
inside this package, since a top-level ``templates`` would be anyone's.
"""

from __future__ import annotations

import hashlib
import json
import keyword
import marshal
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, Undefined, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup

from metrics_core import text
from metrics_core.text import visible
from site_src.installed import assets_folder, templates_folder
from site_src.project import SiteFile
from site_src.wording import shown_name, svg_markup

FOOT = '"the foot of a printed page"'
"""What the style sheet has in the place of a site's own foot."""

SCRIPTS = (
    "theme.js",
    "choose.js",
    "copy.js",
    "explore.js",
    "filter.js",
    "keys.js",
    "picture.js",
    "reading.js",
    "search.js",
    "verify.js",
)

VENDORED = {
    "vega.js": "vega.min.js",
    "vega-lite.js": "vega-lite.min.js",
    "vega-interpreter.js": "vega-interpreter.js",
}
"""Names in a site of the libraries that ``explore.js`` loads -> where they are vendored."""

LICENCES = ("vega", "vega-lite", "vega-interpreter", "d3", "topojson-client")
"""Whose licences stand beside them."""

DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b", re.ASCII)


class _View(Protocol):
    @property
    def template(self) -> str: ...


class _Page(Protocol):
    """What of a page is rendered; `site_src.pages.page.Page` is one."""

    @property
    def frame(self) -> object: ...
    @property
    def view(self) -> _View: ...


class NotTextError(TypeError):
    """A template prints what is no text."""


def render_page(page: _Page) -> bytes:
    """HTML of a page, in UTF-8."""
    template = environment().get_template(page.view.template)
    return template.render(frame=page.frame, view=page.view).encode()


def fragment(macro: str, view: object) -> Markup:
    """A piece of a page by itself, as the templates set it: for what stands within an author's prose.

    Args:
        macro: One of ``templates/layout/macros.html``.
        view: What its argument is named after.
    """
    return Markup(getattr(environment().globals["m"], macro)(view))  # noqa: S704 - a macro escapes


def data_block(document: object) -> Markup:
    r"""A document as the text of a ``script`` that holds data: nothing in it ends the element or is unseen.

    Args:
        document: What JSON can say.

    >>> data_block({"name": "</script>"})
    Markup('{"name": "\\u003c/script\\u003e"}')
    """
    said = visible(json.dumps(document, ensure_ascii=False, sort_keys=True))
    return svg_markup(said.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


LONGEST_RECORD = 400
"""Characters of the name of a record that stands whole beside each of its numbers."""


def record_name(record: str) -> str:
    """What a number says of the record that it belongs to: its name, a very long one as pages show it.

    Args:
        record: As the data have it, such as the id of a comparison.

    >>> record_name("gh-2026/run-1"), len(record_name("gh-2026/" + "very-" * 100))
    ('gh-2026/run-1', 112)
    """
    return record if len(record) <= LONGEST_RECORD else shown_name(record)


@cache
def environment() -> Environment:
    """The environment of all templates; it is never changed after it is made."""
    environment_ = TemplateEnvironment(
        loader=FileSystemLoader(templates_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=printed,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
        bytecode_cache=_CompiledTemplates(templates_folder() / "__pycache__"),
    )
    environment_.filters["whole_dates"] = whole_dates
    environment_.filters["record_name"] = record_name
    environment_.globals = {"m": environment_.get_template("layout/macros.html").module}
    return environment_


class _CompiledTemplates(BytecodeCache):
    """Compiled templates in a ``__pycache__`` beside them, as Python keeps compiled modules beside modules.

    Whoever can write there can alter the program as well. One is believed where it is of the same source,
    Jinja, Python and module `printed`, whose results are compiled in, and is whole.

    Args:
        folder: Where they are kept; nothing is, where that cannot be written, or Python may keep none.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        made_by = (Path(__file__), Path(text.__file__))
        self._made_by = "".join(
            (version("jinja2"), sys.version, *(path.read_text("utf-8") for path in made_by))
        )

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's
        """What a compiled template is called: the same wherever the program lies."""
        return name.replace("/", ".")

    def get_source_checksum(self, source: str) -> str:
        """What a compiled template was made of."""
        return _sha256(f"{self._made_by}{source}".encode())

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the code of a template over, where it is believed."""
        with suppress(OSError, ValueError, EOFError, TypeError):
            made_of, whole, code = self._path(bucket).read_bytes().split(b"\n", 2)
            if made_of == bucket.checksum.encode() and whole == _sha256(code).encode():
                bucket.code = marshal.loads(code)  # noqa: S302 - made here, as Python's own compiled modules

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template for the next process."""
        if sys.dont_write_bytecode:
            return
        code = marshal.dumps(bucket.code)
        path = self._path(bucket)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            unfinished.write_bytes(b"\n".join((bucket.checksum.encode(), _sha256(code).encode(), code)))
            unfinished.replace(path)

    def _path(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}.{sys.implementation.cache_tag}.code"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def printed(value: object) -> str:
    """What an expression in a template prints: text, escaped, with nothing hidden in it.

    Args:
        value: Text, or markup that was made by us.

    Returns:
        What Jinja's own ``escape`` makes of the visible text, as plain text of HTML.

    Raises:
        NotTextError: Anything else; a template gets text and prints text.

    >>> printed("a\u202eb"), printed(Markup("<b>")), printed("<b>")
    ('a‹U+202E›b', Markup('<b>'), '&lt;b&gt;')
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        text = visible(value)
        if "&" in text:
            text = text.replace("&", "&amp;")
        if "<" in text:
            text = text.replace("<", "&lt;")
        if ">" in text:
            text = text.replace(">", "&gt;")
        if '"' in text:
            text = text.replace('"', "&#34;")
        if "'" in text:
            text = text.replace("'", "&#39;")
        return text
    if isinstance(value, Undefined):
        return str(value)  # an undefined one says so when it is printed
    raise NotTextError(f"a template prints {value!r}, which is not text")


class _DirectCode(CodeGenerator):
    """Compiles a template to code that reads, calls and prints directly.

    Jinja looks an attribute up as an item, too, asks of each call whether it wants the context, and escapes
    in a call apart from ``finalize``. Views have attributes alone, macros want no context, and `printed`
    escapes: what is printed is the same, in half of the time.
    """

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: object) -> None:  # noqa: ARG002
        self.write("environment.finalize(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: object) -> None:  # noqa: ARG002
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        """An attribute, read as Python reads it."""
        if keyword.iskeyword(node.attr):
            super().visit_Getattr(node, frame)
            return
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """A call of a macro, which is a function of its arguments alone."""
        if forward_caller or node.kwargs or node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in node.args:
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")


class TemplateEnvironment(Environment):
    """An environment whose templates print by `printed`."""

    code_generator_class = _DirectCode


def whole_dates(title: str) -> Markup:
    """A title in which no date is broken at its hyphens.

    >>> whole_dates("Change on 2026-07-06 & later")
    Markup('Change on <span class="nowrap">2026-07-06</span> &amp; later')
    """
    marked = DATE.sub(r'<span class="nowrap">\g<0></span>', printed(title))
    return Markup(marked)  # noqa: S704 - it is escaped


def assets(foot: str = "Assay") -> Iterator[SiteFile]:
    """The style sheet, joined from its parts in the order of their names, the scripts, the icon, and Vega.

    Args:
        foot: What stands at the foot of each printed page: site and build.
    """
    folder = assets_folder()
    parts = sorted((folder / "css").glob("*.css"))
    style = "\n".join(part.read_text("utf-8") for part in parts)
    yield SiteFile(path="assets/site.css", data=style.replace(FOOT, css_string(foot)).encode())
    for name in SCRIPTS:
        yield SiteFile(path=f"assets/{name}", data=(folder / "js" / name).read_bytes())
    yield SiteFile(path="assets/icon.svg", data=(folder / "icon.svg").read_bytes())
    vendor = folder / "vendor"
    for name, file in VENDORED.items():
        yield SiteFile(f"assets/{name}", (vendor / file).read_bytes)
    texts = (f"{name}\n\n{(vendor / f'{name}.LICENSE').read_text('utf-8').strip()}\n" for name in LICENCES)
    yield SiteFile("assets/vega-licences.txt", "\n\n".join(texts).encode())


def css_string(text: str) -> str:
    r"""Text as a string of CSS, whatever stands in it.

    >>> css_string('a "b"\n')
    '"a \\22 b\\22 \\a "'
    """
    return '"' + "".join(c if c.isalnum() or c in " .,+-·" else f"\\{ord(c):x} " for c in visible(text)) + '"'
