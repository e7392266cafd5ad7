"""Pages to bytes: the one Jinja environment, strict and escaping, and the assets that every page loads.

Does: render a view with its template, show what is hidden in text, refuse anything that is not text, and
give the style sheet, the scripts and the icon. Does not: decide what a page says, or write to a disk.

In a checkout the templates lie at the top level, where people look for them; in a wheel the same files are
inside this package, since a top-level ``templates`` would be anyone's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Undefined
from markupsafe import Markup

from metrics_core.text import visible
from site_src.project import SiteFile
from site_src.wording import svg_markup

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

_PACKAGE = Path(__file__).resolve().parents[1]


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
    text = visible(json.dumps(document, ensure_ascii=False, sort_keys=True))
    return svg_markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


@cache
def environment() -> Environment:
    """The environment of all templates; it is never changed after it is made."""
    environment_ = Environment(
        loader=FileSystemLoader(templates_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    environment_.globals = {"m": environment_.get_template("layout/macros.html").module}
    return environment_


def shown(value: object) -> str:
    """What an expression in a template prints: text, with nothing hidden in it.

    Args:
        value: Text, or markup that was made by us.

    Raises:
        NotTextError: Anything else; a template gets text and prints text.

    >>> shown("a\u202eb"), shown(Markup("<b>"))
    ('a‹U+202E›b', Markup('<b>'))
    """
    if isinstance(value, Markup | Undefined):
        return value  # type: ignore[return-value] # an undefined one says so when it is printed
    if isinstance(value, str):
        return visible(value)
    raise NotTextError(f"a template prints {value!r}, which is not text")


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


def templates_folder() -> Path:
    """The folder of page templates: of the checkout if there is one, else of the wheel.

    >>> (templates_folder() / "layout/base.html").is_file()
    True
    """
    packed = _PACKAGE / "_templates"
    return packed if packed.is_dir() else _PACKAGE.parent / "templates"


def assets_folder() -> Path:
    """The folder of style sheets, scripts, fonts and vendored bundles.

    >>> assets_folder().name
    'assets'
    """
    return _PACKAGE / "assets"
