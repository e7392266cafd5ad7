"""``{control}``: the state of an experiment's controls, in words behind their swatch."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from msgspec.structs import replace

from metrics_core.errors import ConfigError
from metrics_core.results import Control
from metrics_core.suggestions import nearest
from metrics_core.text import visible
from site_src.authoring.declarations import Directive, Invocation, Option, PageContext
from site_src.authoring.selectors import experiment_named
from site_src.pages import SiteMap, render, text
from site_src.project import SiteExperiment
from site_src.wording import Line, captions, contract_name


def _example(site: SiteMap) -> str:
    for x in site.experiments:
        for control in x.report.controls:
            return f"{control.name}\n:experiment: {x.name}"
    return ""


def _make(invocation: Invocation, context: PageContext) -> Markup:
    x = experiment_named(invocation.value("experiment"), context, invocation.place("experiment"))
    found = _named(x.report.controls, invocation, x)
    href = context.figure_context.links.control(x.name, "")
    return Markup("\n").join(render.fragment("paragraph", _sentence(c, x, href)) for c in found)


def _named(controls: Sequence[Control], invocation: Invocation, x: SiteExperiment) -> list[Control]:
    """The controls of a name or title, or all; of one family where that is said."""
    family = invocation.value("family")
    if family and family not in x.report.families:
        raise ConfigError(
            f"no family {visible(family)!r} in {x.name}", where=invocation.place("family"),
            hint=nearest(family, x.report.families),
        )  # fmt: skip
    name = invocation.argument
    found = [c for c in controls if name in ("", c.name, c.title) and family in ("", c.guards)]
    if not found:
        names = [word for c in controls for word in (c.name, c.title)]
        raise ConfigError(
            f"no control {visible(name)!r} in {x.name}" if name else f"no control in {x.name}",
            where=invocation.where,
            hint=nearest(name, names),
        )
    return found


def _sentence(control: Control, x: SiteExperiment, href: str) -> Line:
    record = f"{x.name}/control/{control.name}"
    guarded = [contract_name(u.ref) for u in x.report.contracts if u.ref.digest == control.contract]
    return (
        *(replace(span, record=record) for span in captions.control_clause(control)),
        text(f". It guards {guarded[0] if guarded else control.guards}"),
        text(". "),
        text("Controls", href=href),
        text(f" of {x.title}."),
    )


DIRECTIVE = Directive(
    name="control",
    does="Says whether a control held, failed or is missing, how many of its checks came out as they must, "
    "what was found, and what rests on it",
    argument=Option(name="a control", about="its name or its title", default="every control"),
    options=(
        Option(name="experiment", about="the experiment", required=True),
        Option(name="family", about="only controls that guard this family", default="any"),
    ),
    example=_example,
    make=_make,
)
