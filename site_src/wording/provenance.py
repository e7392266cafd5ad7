"""What stands behind numbers: with which instrument, on which data, under which control, built when.

Does: word each fact that stands behind an estimate, with its link and its identicon. Does not: word what
was counted; `site_src.wording.captions` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import floor

from metrics_core.results import RECORDED_ONLY, ContractRef, Estimate, Interval
from metrics_core.text import visible
from site_src.marks import DigestKind, digits, identicon
from site_src.wording.estimates import outer_interval
from site_src.wording.links import FigureContext
from site_src.wording.names import listed
from site_src.wording.numbers import count, percent
from site_src.wording.spans import Line, Span, joined, svg_markup


def digest(full: str, kind: DigestKind, href: str) -> Span:
    """A digest behind its identicon, linked."""
    return Span(digits(full), "digest", href, mark=svg_markup(identicon(full, kind)))


def contract_name(ref: ContractRef) -> str:
    """Id and version, once each: an id that already ends in its version stands alone.

    >>> contract_name(ContractRef("assay/attempts", "1", ""))
    'assay/attempts v1'
    >>> contract_name(ContractRef("halden/patch-v3", "3", ""))
    'halden/patch-v3'
    """
    name, version = visible(ref.id), visible(ref.version)
    versioned = re.search(rf"(?<![0-9A-Za-z])v{re.escape(version)}\Z", name)
    return name if versioned else f"{name} v{version}"


def contract(estimates: Sequence[Estimate], context: FigureContext) -> Line:
    """Each instrument that read these numbers, once."""
    return of_contracts((e.contract for e in estimates), context)


def of_contracts(refs: Iterable[ContractRef], context: FigureContext) -> Line:
    """Contracts by name and digest, each once."""
    return joined(
        (Span(f"{contract_name(ref)} "), digest(ref.digest, "contract", context.links.contract(ref)))
        for ref in dict.fromkeys(refs)
    )


def data(estimates: Sequence[Estimate], context: FigureContext) -> Line:
    """Digest of the data of each experiment, once."""
    return of_data(((e.experiment, e.data_digest) for e in estimates), context)


def of_data(found: Iterable[tuple[str, str]], context: FigureContext) -> Line:
    """Digests of data, each once.

    Args:
        found: Name of an experiment, and the digest of its data.
        context: Links and the site's build.
    """
    shown = [(digest(full, "data", context.links.data(name, full)),) for name, full in dict.fromkeys(found)]
    return (Span("data "), *joined(shown)) if shown else ()


def pack(estimates: Sequence[Estimate], context: FigureContext) -> Line:
    """Digest of each eval pack, once; or that there was none."""
    found = dict.fromkeys(e.pack for e in estimates)
    shown = [(digest(full, "pack", context.links.pack(full)),) for full in found if full]
    named = (Span("pack "), *joined(shown)) if shown else ()
    return joined((named, (Span("no pack"),) if None in found else ()))


def control(estimates: Sequence[Estimate], context: FigureContext) -> Line:
    """What is known of the controls that guard these numbers; what several experiments share has no link."""
    found: dict[str, str] = {}
    for e in estimates:
        words = visible(e.control or "no control")
        href = context.links.control(e.experiment, e.control) if e.control else ""
        found[words] = href if found.get(words, href) == href else ""
    return joined((Span(words, href=href),) for words, href in found.items())


def stamps(estimates: Sequence[Estimate], _: FigureContext) -> Line:
    """Days of the first and the last run, UTC; or that none is recorded."""
    spans = [e.stamps for e in estimates if e.stamps]
    if not spans:
        return (Span("dates not recorded"),)
    first, last = min(s[0] for s in spans)[:10], max(s[1] for s in spans)[:10]
    return (Span(visible(first if first == last else f"{first} to {last}"), "nowrap"),)


def prices(estimates: Sequence[Estimate], context: FigureContext) -> Line:
    """Date of each price table where money is involved; else nothing."""
    found = dict.fromkeys(e.prices for e in estimates if e.prices)
    return joined(
        (Span(price_words(date), "strong", context.links.prices(date)),) for date in found
    )  # fmt: skip


def price_words(date: str) -> str:
    """A price table by its date; money that no table proves says so.

    >>> price_words("2026-07-02"), price_words("recorded, no table")
    ('prices of 2026-07-02', 'recorded, no table')
    """
    return visible(date) if date == RECORDED_ONLY else f"prices of {visible(date)}"


def build(context: FigureContext) -> Line:
    """The site's build version."""
    return (Span(f"site assay {visible(context.build)}", href=context.links.build()),)


_NAMES = (("wilson", "Wilson"), ("clopper-pearson", "Clopper-Pearson"), ("bonett-price", "Bonett-Price"),
          ("newcombe", "Newcombe"), ("(G-1)", "(G−1)"))  # fmt: skip


def method_words(method: str) -> str:
    """A method in the field's words, people's names with their capitals.

    >>> method_words("wilson effective n, t(G-1)")
    'Wilson effective n, t(G−1)'
    """
    shown = visible(method)
    for plain, name in _NAMES:
        shown = shown.replace(plain, name)
    return shown


def method(estimates: Sequence[Estimate], _: FigureContext) -> Line:
    """Level and method of the intervals, what was resampled or kept whole; why some have none."""
    words: dict[str, None] = {}
    for e in estimates:
        if e.headline == "point" and e.value is not None:
            words[_making(e.interval)] = None
        elif e.headline == "bounds" and (outer := outer_interval(e)) is not None:
            words[_making(outer)] = None
    return (Span("; ".join(words)),) if words else ()


def _making(interval: Interval) -> str:
    if interval.lo is None:
        return f"no interval: {visible(interval.reason or '')}"
    words = f"{percent(interval.level)} {method_words(interval.method)}"
    if interval.resamples is not None:
        words += f", {count(interval.resamples)} resamples"
    if interval.seed is not None:
        words += f", seed {interval.seed}"
    return words + (f", clustered by {visible(interval.cluster)}" if interval.cluster else "")


def sizes(estimates: Sequence[Estimate], _: FigureContext) -> Line:
    """Effective n, number of clusters and what unequal ones are worth, as ranges where they differ."""
    made = [e.interval for e in estimates if e.withheld is None and e.interval.lo is not None]
    words = []
    if effective := [i.n_eff for i in made if i.n_eff is not None]:
        words.append(f"n_eff {_range(round(n) for n in effective)}")
    if clusters := [i.clusters for i in made if i.clusters is not None]:
        keys = listed(sorted({visible(i.cluster or "cluster") + "s" for i in made if i.clusters is not None}))
        worth = [floor(i.effective_clusters) for i in made if i.effective_clusters is not None]
        equal = f" of unequal size, worth {_range(worth)}" if worth else ""
        few = " (few)" if any(i.few for i in made) else ""
        words.append(f"{_range(clusters)} {keys}{equal}{few}")
    return (Span(", ".join(words)),) if words else ()


def _range(values: Iterable[int]) -> str:
    found = sorted(set(values))
    return count(found[0]) if len(found) == 1 else f"{count(found[0])} to {count(found[-1])}"


FACETS = (sizes, contract, data, pack, control, stamps, prices)
"""What stands behind a number; where it differs between lines, each line ends with its own."""

MOST_DATA = 4
"""Digests of data in a strip; of more experiments it gives the first, and how many more the CSV names."""


def _few_data(estimates: Sequence[Estimate], context: FigureContext) -> Line:
    """Digests of data as a strip has room for them: a series has as many as it has nights."""
    found = dict.fromkeys((e.experiment, e.data_digest) for e in estimates)
    if len(found) <= MOST_DATA:
        return of_data(found, context)
    more = len(found) - MOST_DATA + 1
    return (*of_data([*found][: MOST_DATA - 1], context), Span(f" and {count(more)} more, in the CSV"))


_STRIP = (contract, _few_data, pack, control, prices)


def strip(estimates: Sequence[Estimate], context: FigureContext) -> tuple[Line, ...]:
    """Contracts, data, packs, controls, price tables and the build behind some numbers, a fact each."""
    facts = (facet(estimates, context) for facet in _STRIP)
    return (*filter(None, facts), build(context))
