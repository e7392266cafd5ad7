"""``{literal}``: a number that was typed by hand, and is meant so."""

from __future__ import annotations

from site_src.parts import Line
from site_src.views.parts import line, text
from site_src.views.site_map import SiteMap
from site_src.writing.declared import Option, Role, Use
from site_src.writing.scene import Scene

SHORT = 20
"""A text of so many characters is not broken over two lines: a number keeps its sign."""


def _example(site: SiteMap) -> str:
    del site  # the same on every site
    return "86 %"


def _make(use: Use, scene: Scene) -> Line:
    del scene  # stands for nothing but itself
    return line(text(use.argument, "nowrap" if len(use.argument) <= SHORT else "plain"))


ROLE = Role(
    name="literal",
    does="Marks a percentage or score that was typed by hand and is not this site's to prove, so that the "
    "check for naked numbers lets it stand",
    more=". It becomes plain text.",
    form="text",
    options=(Option(name="text", about="what is printed", required=True),),
    example=_example,
    make=_make,
)
