"""The reference of roles and directives: what each does, how it is written, and what it gives on this site.

Does: read every declaration, and set its example as a page of prose would. Does not: know any of them; one
that is added to its folder stands here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from markupsafe import Markup
from msgspec import Struct

from metrics_core.errors import AssayError
from site_src.authoring.declarations import Directive, Option, Role
from site_src.authoring.directives import DIRECTIVES
from site_src.authoring.prose import PageContext, prose
from site_src.authoring.roles import ROLES
from site_src.decisions import claim_text
from site_src.pages import FigureCollection, SiteMap, Table, line, table, text
from site_src.references import role_text
from site_src.wording import Line, Span, listed

NOTHING = Markup("")


class FormView(Struct, frozen=True, kw_only=True):
    """One role or directive.

    Attributes:
        form: How it is written, its parts named.
        options: What may be said to it; a table without rows where there is nothing.
        source: The example as it is written; empty where this site has nothing to show.
        result: What the example gives here.
    """

    id: str
    name: str
    does: str
    form: str
    options: tuple[Table, ...]
    source: str
    result: Markup


class FormsView(Struct, frozen=True, kw_only=True):
    """All roles, or all directives."""

    title: str
    about: str
    forms: tuple[FormView, ...]


class WritingReferenceView(Struct, frozen=True, kw_only=True):
    """Every role, then every directive, then what a decision's file may hold."""

    template: ClassVar[str] = "prose/writing-reference.html"
    title: str
    lede: str
    index: tuple[Line, ...]
    parts: tuple[FormsView, ...]
    decisions: tuple[Table, ...]


def writing_reference(site: SiteMap, collection: FigureCollection) -> WritingReferenceView:
    """The page of all roles and directives, each with an example from this site's own data.

    Args:
        site: Everything that has a page.
        collection: Takes the figures of the examples.
    """
    roles = tuple(_role(role, site, collection) for role in ROLES.values())
    directives = tuple(_directive(directive, site, collection) for directive in DIRECTIVES.values())
    return WritingReferenceView(
        title="Writing",
        lede="Prose here can hold numbers, figures and tables that are made from the results themselves. A "
        "role stands within a line, a directive by itself; one that does not resolve stops the build.",
        index=tuple(
            line(text(form.name, "mono", href=f"#{form.id}"), f" {does}")
            for form, does in zip(
                (*roles, *directives),
                (*(role.does for role in ROLES.values()), *(d.does for d in DIRECTIVES.values())),
                strict=True,
            )
        ),
        parts=(
            FormsView(
                title="Roles",
                about="Within a line: the name in braces, and right behind it its content in back-quotes.",
                forms=roles,
            ),
            FormsView(
                title="Directives",
                about="By itself: a fence of three back-quotes or colons, the name in braces, its argument; "
                "below it the options, a line each.",
                forms=directives,
            ),
        ),
        decisions=tuple(_decisions()),
    )


def _decisions() -> Iterator[Table]:
    """What may stand in the front matter of a decision, table by table."""
    yield table(
        "Front matter", ["Key", "What it says"], [[text(k, "mono"), v] for k, v in claim_text.FRONT.items()]
    )
    yield table(
        "Claims",
        ["Claim", "How it is written", "What it says"],
        [
            [text(key, "mono"), text(form, "mono"), meaning]
            for key, (form, meaning) in claim_text.CLAIMS.items()
        ],
    )
    keys_beside: list[list[Span | str]] = [[text(k, "mono"), v] for k, v in claim_text.BESIDE.items()]
    yield table("Beside any claim", ["Key", "What it says"], keys_beside)
    verdicts: list[list[Span | str]] = [[text(k, "strong"), v] for k, v in claim_text.VERDICTS.items()]
    yield table("Verdicts", ["Verdict", "When"], verdicts)


def _role(role: Role, site: SiteMap, collection: FigureCollection) -> FormView:
    content = role.example(site)
    source, result = _result(
        role_text.role(role.name, content) if content else "",
        f"the example of {{{role.name}}}", site, collection,
    )  # fmt: skip
    return FormView(
        id=f"role-{role.name}",
        name=f"{{{role.name}}}",
        does=role.does + role.more,
        form=f"{{{role.name}}}`{role.form}`",
        options=_options("Within the back-quotes", role.options),
        source=source,
        result=result,
    )


def _directive(directive: Directive, site: SiteMap, collection: FigureCollection) -> FormView:
    given = directive.example(site)
    first, _, rest = given.partition("\n")
    fence = ":::" if "`" in first else "```"  # back-quotes cannot stand behind back-quotes
    opening = f"{fence}{{{directive.name}}} {first}".rstrip()
    source, result = _result(
        "\n".join(filter(None, (opening, rest, fence))) if given else "",
        f"the example of {{{directive.name}}}", site, collection,
    )  # fmt: skip
    argument = (directive.argument,) if directive.argument else ()
    words = f" {directive.argument.name}" if directive.argument else ""
    return FormView(
        id=f"directive-{directive.name}",
        name=f"{{{directive.name}}}",
        does=directive.does + directive.more,
        form="\n".join(
            (f"```{{{directive.name}}}{words}", *(f":{o.name}: ..." for o in directive.options), "```")
        ),
        options=(
            *_options("After the name", argument),
            *_options("Options, a line each", directive.options),
        ),
        source=source,
        result=result,
    )


def _result(source: str, name: str, site: SiteMap, collection: FigureCollection) -> tuple[str, Markup]:
    """An example and what it gives; nothing where a record holds a name that cannot be asked for like this.

    What the program shows of itself never stops a build: an example that cannot be made is left out.
    """
    if not source:
        return "", NOTHING
    try:
        return source, prose(source, PageContext(name, 1, collection.page, site, collection))
    except AssayError:
        return "", NOTHING


def _options(name: str, options: Sequence[Option]) -> tuple[Table, ...]:
    if not options:
        return ()
    return (table(name, [name, "What it says", "Left out", "Allowed"], _rows(options)),)


def _rows(options: Sequence[Option]) -> Iterator[Sequence[Line | str]]:
    for option in options:
        left_out = "must be given" if option.required else option.default or "nothing"
        yield (
            line(text(option.name, "mono")),
            option.about,
            left_out,
            listed(option.values) or "any text",
        )
