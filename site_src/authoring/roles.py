"""The roles: declarations and makers of what an author may write within a line, one section a role.

``{contract}`` cites an instrument, ``{pack}`` a frozen pack of tasks; ``{decision}``, ``{page}`` and
``{review}`` link to a decision, a page and a run; ``{est}`` gives an estimate; ``{literal}`` marks a number
that was typed by hand, and is meant so.

Does: find what a role names, or refuse it with its place and the nearest name. Does not: read Markdown, or
word an estimate.
"""

from __future__ import annotations

import re
from typing import Final

from metrics_core.errors import ConfigError
from metrics_core.results import ContractRef, Review
from metrics_core.suggestions import listed_some, nearest
from metrics_core.text import visible
from site_src import paths
from site_src.authoring import examples
from site_src.authoring.declarations import Invocation, Option, PageContext, Role, cited
from site_src.authoring.page_names import headings, named
from site_src.pages import SiteMap, digest_span, line, text
from site_src.project import SiteExperiment
from site_src.references import parse_query
from site_src.wording import Line, captions, contract_name


def _contract_example(site: SiteMap) -> str:
    return next((_written(ref) for refs in site.contracts.values() for ref in refs), "")


def _written(ref: ContractRef) -> str:
    return f"{ref.id} v{ref.version}"


def _contract(invocation: Invocation, context: PageContext) -> Line:
    name, _, version = invocation.argument.strip().partition(" ")
    refs = context.site.contracts.get(name)
    if refs is None:
        context.site.index.refuse_withheld("", name, invocation.where)
        raise ConfigError(
            f"no contract {visible(name)!r}",
            where=invocation.where,
            hint=nearest(name, context.site.contracts),
        )
    wanted = version.strip().removeprefix("v")
    found = [ref for ref in refs if wanted in ("", ref.version)]
    if not found:
        raise ConfigError(
            f"no version {visible(version.strip())!r} of {visible(name)}",
            where=invocation.where,
            hint=nearest(version.strip(), (f"v{ref.version}" for ref in refs)),
        )
    if len(found) > 1:
        versions = ", ".join(f"v{ref.version} {ref.digest[:15]}" for ref in found)
        raise ConfigError(
            f"{len(found)} contracts are called {visible(invocation.argument.strip())}: {versions}",
            where=invocation.where,
            hint="name one version; one whose digest changed under its version cannot be cited",
        )
    ref = found[0]
    return line(
        f"{contract_name(ref)} ",
        digest_span(ref.digest, "contract", context.figure_context.links.contract(ref)),
    )


CONTRACT = Role(
    name="contract",
    does="Cites an instrument",
    more=": its id and version, and its digest behind its hallmark, linked to its page.",
    form="id, or id vN",
    options=cited("id", "the contract", "vN", "its version"),
    example=_contract_example,
    make=_contract,
)


def _decision_example(site: SiteMap) -> str:
    return next((judged.slug for judged in site.decisions), "")


def _decision(invocation: Invocation, context: PageContext) -> Line:
    slug = invocation.argument.strip()
    known = {judged.slug: judged for judged in context.site.decisions}
    if slug not in known:
        raise ConfigError(f"no decision {visible(slug)!r}", where=invocation.where, hint=nearest(slug, known))
    href = paths.relative(context.page, paths.decision(slug))
    decided = known[slug].decision
    return line(text(decided.title, href=href), text(f" ({decided.status})", "quiet"))


DECISION = Role(
    name="decision",
    does="Links to the page of a decision, by its title, and says its status",
    form="slug",
    options=(Option(name="slug", about="the decision, by the name of its file without .md", required=True),),
    example=_decision_example,
    make=_decision,
)


def _est_example(site: SiteMap) -> str:
    return examples.estimate(site)


def _est(invocation: Invocation, context: PageContext) -> Line:
    e = context.site.index.one(parse_query(invocation.argument, invocation.where))
    stands = context.figure_context.links.estimate(e)
    href = stands or paths.relative(context.page, paths.experiment(e.experiment))
    return captions.inline(e, href=href)


EST = Role(
    name="est",
    does="Gives an estimate",
    more=": n/N with its word and the interval, linked to where it stands. A share of which over a fifth is "
    "not known gives its bounds, and what a control withholds is said to be withheld.",
    form='[experiment/]family.metric key=value key="two words"',
    options=(
        Option(name="experiment/", about="the experiment, where several hold the metric"),
        Option(name="family.metric", about="what was measured", required=True),
        Option(
            name="key=value",
            about="the group exactly, and as much of the stratum as leaves one; no group key is the whole "
            "experiment",
        ),
    ),
    example=_est_example,
    make=_est,
)


SHORT = 20
"""A text of so many characters is not broken over two lines: a number keeps its sign."""


def _literal_example(site: SiteMap) -> str:
    del site  # the same on every site
    return "86 %"


def _literal(invocation: Invocation, context: PageContext) -> Line:
    del context  # stands for nothing but itself
    return line(text(invocation.argument, "nowrap" if len(invocation.argument) <= SHORT else "plain"))


LITERAL = Role(
    name="literal",
    does="Marks a percentage or score that was typed by hand and is not this site's to prove, so that the "
    "check for naked numbers lets it stand",
    more=". It becomes plain text.",
    form="text",
    options=(Option(name="text", about="what is printed", required=True),),
    example=_literal_example,
    make=_literal,
)


def _pack_example(site: SiteMap) -> str:
    names = list(_packs(site).values())
    return next((name for name in names if names.count(name) == 1), "")


def _packs(site: SiteMap) -> dict[str, str]:
    """Digest -> name of each pack that has a page."""
    return {
        digest: x.pack.name for digest, users in site.packs.items() for x in users[:1] if x.pack is not None
    }


def _pack(invocation: Invocation, context: PageContext) -> Line:
    name, _, digest = invocation.argument.strip().partition(" ")
    packs = _packs(context.site)
    if name not in packs.values():
        context.site.index.refuse_withheld("", name, invocation.where)
        raise ConfigError(
            f"no pack {visible(name)!r}", where=invocation.where, hint=nearest(name, packs.values())
        )
    same = [full for full, called in packs.items() if called == name]
    found = [full for full in same if full.startswith(digest.strip())]
    if len(found) != 1:
        raise ConfigError(
            f"{len(found)} packs are called {visible(invocation.argument.strip())}",
            where=invocation.where,
            hint=f"write {visible(name)} and a digest: {listed_some(full[:15] for full in same)}",
        )
    href = paths.relative(context.page, paths.pack(found[0]))
    return line(f"{name} ", digest_span(found[0], "pack", href))


PACK = Role(
    name="pack",
    does="Cites a frozen pack of tasks",
    more=": its name, and its digest behind its hallmark, linked to its page.",
    form="name, or name sha256:digits",
    options=cited("name", "the pack", "sha256:digits", "the beginning of its digest"),
    example=_pack_example,
    make=_pack,
)


_WITH_TEXT: Final = re.compile(r"(?P<text>.*\S)\s*<(?P<target>[^<>]+)>", re.DOTALL)


def _page_example(site: SiteMap) -> str:
    return f"the data <{site.experiments[0].name}>" if site.experiments else "overview"


def _page(invocation: Invocation, context: PageContext) -> Line:
    given = _WITH_TEXT.fullmatch(invocation.argument.strip())
    words, target = (given["text"], given["target"]) if given else ("", invocation.argument)
    name, hash_, heading = target.strip().partition("#")
    names = named(context.site, context.page, context.source)
    found = names.get(name.lower(), {})
    if not found:
        raise ConfigError(
            f"no page {visible(name)!r}", where=invocation.where, hint=nearest(name.lower(), names)
        )
    if len(found) > 1:
        raise ConfigError(
            f"{visible(name)!r} means {len(found)} pages: {', '.join(map(visible, found))}",
            where=invocation.where,
            hint="name it by its file, or link to it as Markdown does",
        )
    ((href, title),) = found.items()
    if not hash_:
        return line(text(words or title, href=href))
    ids = headings(context.site, name, context.source)
    anchor = ids.get(heading.strip().lower(), "")
    if not anchor:
        raise ConfigError(
            f"no heading {visible(heading)!r} in {visible(name)}",
            where=invocation.where,
            hint=nearest(heading.lower(), ids),
        )
    return line(text(words or heading.strip(), href=f"{href}#{anchor}"))


PAGE = Role(
    name="page",
    does="Links to a page",
    more=": one of yours by its file, with or without .md; any other by its name in the index at the foot, "
    "an experiment's name or a model's. Without a text of its own it says the page's title.",
    form="path or name, or text <path or name>; a heading of your own page follows after #",
    options=(
        Option(name="text", about="the words of the link", default="the page's title, or the heading"),
        Option(name="path or name", about="which page", required=True),
        Option(name="#heading", about="a heading of a page of yours, as written there", default="its top"),
    ),
    example=_page_example,
    make=_page,
)


def _review_example(site: SiteMap) -> str:
    for x in site.experiments:
        if x.name in site.with_runs and "/" not in x.name and (first := next(x.reviews(), None)) is not None:
            return f"{x.name}/{first.run}"
    return ""


def _review(invocation: Invocation, context: PageContext) -> Line:
    name, _, run = invocation.argument.strip().partition("/")
    shown = {x.name: x for x in context.site.experiments if x.name in context.site.with_runs}
    if name not in shown:
        if name:
            context.site.index.refuse_withheld(name, invocation.argument, invocation.where)
        raise ConfigError(
            f"no experiment {visible(name)!r} whose runs have pages", where=invocation.where,
            hint=nearest(name, shown),
        )  # fmt: skip
    review = _found(shown[name], run, invocation)
    href = paths.relative(context.page, paths.review(name, review.run))
    return line(text(review.title, href=href), " ", text(f"{review.file}:{review.line}", "mono"))


def _found(x: SiteExperiment, run: str, invocation: Invocation) -> Review:
    """The run of this id, or read from this line of this file."""
    if not run:
        raise ConfigError(
            f"{visible(invocation.argument)!r} names no run", where=invocation.where,
            hint=f"write {x.name}/ and a run's id, or its source, such as logs/a.jsonl:12",
        )  # fmt: skip
    names: set[str] = set()
    for review in x.reviews():
        if run in (review.run, f"{review.file}:{review.line}"):
            return review
        names.add(f"{review.file}:{review.line}" if ":" in run else review.run)
    raise ConfigError(
        f"no run {visible(run)!r} in {x.name}", where=invocation.where, hint=nearest(run, names)
    )


REVIEW = Role(
    name="review",
    does="Links to the page of one run, by its title, and names the line of the log it was read from",
    form="experiment/run, or experiment/file:line",
    options=(
        Option(name="experiment", about="the experiment", required=True),
        Option(name="run", about="the run's id, or the file and line it was read from", required=True),
    ),
    example=_review_example,
    make=_review,
)

ROLES: Final[dict[str, Role]] = {
    role.name: role for role in (CONTRACT, DECISION, EST, LITERAL, PACK, PAGE, REVIEW)
}
"""Every role, by the name that an author writes; one is added by its line here."""
