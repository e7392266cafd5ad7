"""``{claims}``: the claims of a decision, each beside its live evidence."""

from __future__ import annotations

from markupsafe import Markup
from msgspec.structs import replace

from metrics_core.errors import ConfigError
from metrics_core.suggestions import nearest
from metrics_core.text import visible
from site_src import paths
from site_src.authoring.declarations import Directive, Invocation, Option, PageContext
from site_src.decisions import JudgedDecision
from site_src.pages import SiteMap, render
from site_src.pages.decisions import claims_view


def _example(site: SiteMap) -> str:
    return next((judged.slug for judged in site.decisions if judged.claims), "")


def _make(invocation: Invocation, context: PageContext) -> Markup:
    judged = _decision(invocation, context)
    view = claims_view(judged.claims, context.site, context.page)
    # The decision's own page gives each claim its id; here it is a copy.
    copies = tuple(
        replace(claim, id=paths.anchor("claim", f"{invocation.where}\0{claim.id}")) for claim in view.claims
    )
    return render.fragment("claimed", replace(view, claims=copies))


def _decision(invocation: Invocation, context: PageContext) -> JudgedDecision:
    if not invocation.argument:
        if context.decision is None:
            raise ConfigError(
                "{claims} of no decision", where=invocation.where,
                hint="name one; only a decision's own page can leave it out",
            )  # fmt: skip
        return context.decision
    known = {judged.slug: judged for judged in context.site.decisions}
    if invocation.argument not in known:
        raise ConfigError(
            f"no decision {visible(invocation.argument)!r}",
            where=invocation.where,
            hint=nearest(invocation.argument, known),
        )
    return known[invocation.argument]


DIRECTIVE = Directive(
    name="claims",
    does="Shows the claims of a decision, each with its verdict, the evidence as it stands, and what would "
    "flip it",
    argument=Option(
        name="a decision", about="its name, as its file has it", default="the decision whose page this is"
    ),
    example=_example,
    make=_make,
)
