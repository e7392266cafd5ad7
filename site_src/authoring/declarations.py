"""How a role or a directive declares itself (name, options, example), and what it is given when used.

Does: hold the declaration, which the reference page prints and each invocation is checked against; the
invocation; and the context of the page it stands on. Does not: read Markdown; `site_src.authoring.prose`
and `site_src.authoring.fences` do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from markupsafe import Markup
from msgspec import Struct, field

from site_src.decisions import JudgedDecision
from site_src.pages import FigureCollection, SiteMap
from site_src.wording import FigureContext, Line

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


class Option(Struct, frozen=True, kw_only=True):
    """One thing that may be given to a role or a directive.

    Attributes:
        name: As it is written between the colons; or what stands in this place of the argument.
        about: What it says, in a sentence without a full stop.
        default: What holds where it is left out; empty for nothing.
        values: All values that are allowed; empty where any text is.
        required: Whether it must be given.
        words: Whether it is in the author's own words, which stand on the page and are read as prose is.
    """

    name: str
    about: str
    default: str = ""
    values: tuple[str, ...] = ()
    required: bool = False
    words: bool = False

    def __post_init__(self) -> None:
        if self.required and self.default:
            raise ValueError(f"{self.name} must be given, and yet has a default")
        if self.values and self.default and self.default not in self.values:
            raise ValueError(f"{self.default!r} is none of the values of {self.name}")


class Invocation(Struct, frozen=True, kw_only=True):
    """One use of a role or a directive, its form already checked against the declaration.

    Attributes:
        argument: A role's content, or what follows a directive's name.
        options: Value of each option that was given, by name.
        where: ``file:line:col`` of the directive; of a role ``file:line``, sharpened where an error leaves.
        places: ``file:line:col`` of each option.
    """

    name: str
    argument: str
    where: str
    options: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)

    def value(self, option: str) -> str:
        """The value of an option; empty where it was left out."""
        return self.options.get(option, "")

    def place(self, option: str) -> str:
        """Where an option stands; the directive's own place where it was left out."""
        return self.places.get(option, self.where)


class PageContext(Struct, frozen=True):
    """Where a piece of prose stands.

    Attributes:
        source: Its file within the content folder, as errors name it.
        first_line: The line of the file on which the prose begins; 1 is the first.
        page: Path of the page within the site.
        site: Everything that has a page, and the index of estimates.
        collection: Takes the page's figures, so that their data is published with it.
        decision: The decision whose page it is; None on any other.
    """

    source: str
    first_line: int
    page: str
    site: SiteMap
    collection: FigureCollection
    decision: JudgedDecision | None = None

    def __post_init__(self) -> None:
        if self.first_line < 1:
            raise ValueError(f"line {self.first_line} of {self.source}")

    @property
    def figure_context(self) -> FigureContext:
        """Links of the page, and the site's build."""
        return self.site.context(self.page)


class Role(Struct, frozen=True, kw_only=True):
    """A role: ``{name}`content` `` within a line.

    Attributes:
        does: What it gives, in the words that begin a sentence.
        more: The rest of that sentence, its colon or stop first, and what else must be known.
        form: How its content is written.
        example: A use that works on any site, or nothing where the site has nothing to show.
        make: Gives the stretches of text that stand in its place.
    """

    name: str
    does: str
    more: str = "."
    form: str
    example: Callable[[SiteMap], str]
    make: Callable[[Invocation, PageContext], Line]
    options: tuple[Option, ...] = ()

    def __post_init__(self) -> None:
        _check_names(self.name, self.options)


class Directive(Struct, frozen=True, kw_only=True):
    """A directive: a fence whose first line is ``{name} argument``, with options below.

    Attributes:
        does: What it gives, in the words that begin a sentence.
        more: The rest of that sentence, its colon or stop first, and what else must be known.
        argument: What follows the name, or None where nothing may.
        example: Argument and options of a use that works on any site: the lines within the fence, the first
            being the argument; or nothing where the site has nothing to show.
        make: Gives what stands in its place.
    """

    name: str
    does: str
    more: str = "."
    argument: Option | None
    example: Callable[[SiteMap], str]
    make: Callable[[Invocation, PageContext], Markup]
    options: tuple[Option, ...] = ()

    def __post_init__(self) -> None:
        _check_names(self.name, self.options)


def _check_names(name: str, options: tuple[Option, ...]) -> None:
    names = [option.name for option in options]
    if not _NAME.fullmatch(name) or len(set(names)) < len(names):
        raise ValueError(f"{name!r}: a name that cannot be written, or an option twice in {names}")


def cited(name: str, about: str, more: str, about_more: str) -> tuple[Option, Option]:
    """The options of a citation: what is cited, and what distinguishes it from others of that name.

    >>> [(o.name, o.required, o.default) for o in cited("name", "the pack", "digest", "of the pack")]
    [('name', True, ''), ('digest', False, 'the only one')]
    """
    return (
        Option(name=name, about=about, required=True),
        Option(name=more, about=about_more, default="the only one"),
    )
