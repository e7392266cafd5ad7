"""Dated price tables: their prices with sources, what was corrected, and what each did to published costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from metrics_core.pricing import FEMTO, Correction, PriceTable, Rate
from metrics_core.results import CostRow
from site_src import link_policy, paths
from site_src.pages.cells import withheld
from site_src.pages.components import Table, table, text
from site_src.pages.site_map import SiteMap
from site_src.project import SiteExperiment
from site_src.wording import (
    Line,
    Span,
    fraction,
    listed,
    many_in_words,
    money,
    price_words,
    recorded_money,
    records_behind,
    sentence_case,
)

PER = 1_000_000


class PriceTableView(Struct, frozen=True, kw_only=True):
    """One table: its date, its prices, and its corrections."""

    id: str
    title: str
    lede: str
    rates: Table
    corrections: tuple[Table, ...]


class PricesView(Struct, frozen=True, kw_only=True):
    """Every price table, newest first, and the costs that were published with them."""

    template: ClassVar[str] = "instruments/prices.html"
    title: str
    lede: str
    tables: tuple[PriceTableView, ...]
    effects: tuple[Table, ...]


def prices_view(site: SiteMap) -> PricesView:
    """The page of prices."""
    tables = {t.fetched: t for x in site.experiments for t in reversed(x.prices)}
    corrected = sum(len(t.corrections) for t in tables.values())
    return PricesView(
        title="Prices",
        lede=f"{sentence_case(many_in_words(len(tables), 'dated table'))} and "
        f"{many_in_words(corrected, 'correction')}. An amount that "
        "was recomputed names the date of the table that made it; one that was only recorded says so; a "
        "corrected price leaves its old value on record.",
        tables=tuple(_table(tables[date]) for date in sorted(tables, reverse=True)),
        effects=tuple(t for x in site.experiments for t in _effects(x)),
    )


def usd_per_million(femto: int | None) -> str:
    """A price per million tokens in US dollars, with as many digits as it has.

    >>> usd_per_million(435_000_000), usd_per_million(3_625_000), usd_per_million(None)
    ('0.435', '0.003625', 'as input')
    """
    if femto is None:
        return "as input"
    whole, rest = divmod(femto * PER, FEMTO)
    digits = f"{rest:015d}".rstrip("0")
    return f"{whole}.{digits.ljust(2, '0')}"


def _table(price_table: PriceTable) -> PriceTableView:
    parts = [f"Read from {price_table.source or price_table.name}"]
    if price_table.verified:
        parts.append(f"checked again on {price_table.verified}")
    aliases = [f"{alias} is priced as {model}" for alias, model in price_table.aliases.items()]
    rows = [(model, *_rate(rate), _source(rate)) for model, rate in sorted(price_table.rates.items())]
    return PriceTableView(
        id=f"prices-{price_table.fetched}",
        title=f"Prices of {price_table.fetched}",
        lede=f"{', '.join(parts)}. US dollars for a million tokens. "
        + "".join(f"{sentence_case(a)}. " for a in aliases),
        rates=table(
            f"Prices of {price_table.fetched}",
            ["Model", "Input", "Cached input", "Output", "Source"],
            rows,
            numeric=[1, 2, 3],
        ),
        corrections=(_corrections(price_table),) if price_table.corrections else (),
    )


def _rate(rate: Rate) -> tuple[str, str, str]:
    return usd_per_million(rate.input), usd_per_million(rate.cached), usd_per_million(rate.output)


def _source(rate: Rate) -> Span:
    href = link_policy.external(rate.source)
    return Span(text=rate.source, role="plain", href=href, away=bool(href))


def _corrections(price_table: PriceTable) -> Table:
    def rows() -> Iterator[tuple[Span | str, ...]]:
        for c in price_table.corrections:
            now = price_table.rates.get(c.model)
            yield (
                text(c.date, "nowrap"),
                c.model,
                _change(c, now, "input"),
                _change(c, now, "cached"),
                _change(c, now, "output"),
                c.reason,
            )

    return table(
        f"Corrections of the prices of {price_table.fetched}",
        ["Corrected", "Model", "Input", "Cached input", "Output", "Why"],
        rows(),
        numeric=[2, 3, 4],
    )


def _change(c: Correction, now: Rate | None, field: str) -> str:
    was = usd_per_million(getattr(c.was, field))
    return f"{was} → {usd_per_million(getattr(now, field))}" if now else f"{was} → withdrawn"


def _effects(x: SiteExperiment) -> Iterator[Table]:
    """What the tables made of an experiment's money: recorded, recomputed, and at the newest prices."""
    if not any(c.prices or c.repriced for c in x.report.costs):
        return
    link = paths.relative(paths.PRICES, paths.experiment(x.name))
    rows = [_effect(c, x.name) for c in x.report.costs]
    dates = listed([price_words(d) for d in dict.fromkeys(c.prices for c in x.report.costs if c.prices)])
    newest = dict.fromkeys(c.repriced[0] for c in x.report.costs if c.repriced)
    yield table(
        f"{x.title}: {dates}",
        [
            x.title,
            "Recorded",
            f"At {dates}",
            "At the newest" + (f", {', '.join(newest)}" if newest else ""),
            "Records in both",
            "Agree within 1 %",
            "Why they differ",
        ],
        [(text(row[0], href=link), *row[1:]) for row in rows],
        numeric=range(1, 6),
    )


def _effect(c: CostRow, experiment: str) -> tuple[str, Span, Span, Span, Span, Span, str | Line]:
    hidden = c.recorded is None and c.withheld_by is not None

    def amount(words: str) -> Span:
        return withheld()[0] if hidden else Span(text=words, record=f"{experiment}/cost/{c.model}")

    def priced(value: float | None, missing: str) -> Span:
        return amount(missing if value is None else money(value))

    repriced = c.repriced[1] if c.repriced else None
    elsewhere = "not of the same records" if c.without_tokens < c.records else "no tokens"
    return (
        c.model,
        amount("nothing" if c.recorded is None else recorded_money(c)),
        priced(c.recomputed, "unpriced" if c.unpriced_records else elsewhere),
        priced(repriced, "the same table" if c.repriced is None else "unpriced"),
        amount(fraction(c.compared, c.records) if c.compared else records_behind(c)),
        amount(fraction(c.agree, c.compared) if c.compared else "nothing to compare"),
        "; ".join(c.cause_words),
    )
