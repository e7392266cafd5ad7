"""What of a review is the same for every family: its money, its repetition, and what it
was lost to, and what is not known of it. Aggregates nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from metrics_core import pricing
from metrics_core.measurement import Context, Outcome, Progress
from metrics_core.pricing import Usage
from metrics_core.results import CostLine, Gap, NotKnown, RunLoss


def repetition(rep: int | None) -> tuple[tuple[str, str], ...]:
    """What tells a run from the others of its task and arm, where its repetition is recorded.

    >>> repetition(2), repetition(None)
    ((('repetition', '2'),), ())
    """
    return () if rep is None else (("repetition", str(rep)),)


def losses(progress: Iterable[Progress], stages: Sequence[tuple[str, bool]]) -> tuple[RunLoss, ...]:
    """How a run was lost in each funnel that it is in, the earliest stage first.

    Args:
        progress: How far it came in each.
        stages: Of their track, after every attempt.
    """
    short = sorted((p for p in progress if p.reached < len(stages)), key=lambda p: p.reached)
    return tuple(RunLoss(stages[p.reached][0], p.state, p.reason, p.stratum) for p in short)


def gaps(outcomes: Iterable[Outcome]) -> tuple[Gap, ...]:
    """Which metrics have no known value of a run.

    Args:
        outcomes: Everything that was observed of it.

    >>> from metrics_core.results import NO_KEYS
    >>> [gap.metric for gap in gaps([Outcome("a", NO_KEYS, "known", 1.0), Outcome("b", NO_KEYS, "unknown")])]
    ['b']
    """
    return tuple(Gap(o.metric, o.state, o.stratum) for o in outcomes if o.state != "known")


def cost_lines(
    usages: Sequence[Usage] | None, recorded: float | None, context: Context
) -> tuple[CostLine, ...]:
    """What the harness recorded, and what the tokens come to under each table that matters.

    Args:
        usages: Tokens by model, or None where the record has none.
        recorded: US dollars as the harness wrote them, or None.
        context: The experiment's price table and the newest one.
    """
    tokens = _totals(usages)
    used = tokens if usages is not None else (None, None, None)
    lines = []
    if recorded is not None:
        lines.append(
            CostLine(
                source="Recorded by the harness",
                input=used[0],
                cached=used[1],
                output=used[2],
                usd=recorded,
                prices=None,
            )
        )
    if usages is None:
        return tuple(lines)
    shown: set[str] = set()
    for table in (context.table, context.newest):
        if table is None or table.fetched in shown:
            continue
        shown.add(table.fetched)
        amount = pricing.cost(usages, table)
        note = ""
        why = pricing.why_unpriced(usages, table)
        if why is NotKnown.UNPRICED_MODEL:
            unpriced = sorted({u.model for u in usages if table.rate(u.model) is None})
            note = f"unpriced: {', '.join(unpriced)}"
        elif why is not None:
            note = str(why)
        elif recorded is not None and not pricing.close(pricing.femto(recorded), amount):
            other_tables = [t for t in context.tables if t.fetched != table.fetched]
            note = str(pricing.explain(usages, pricing.femto(recorded), table, other_tables))
        lines.append(
            CostLine(
                source="Recomputed from tokens",
                input=tokens[0],
                cached=tokens[1],
                output=tokens[2],
                usd=None if amount is None else pricing.usd(amount),
                prices=table.fetched,
                note=note,
            )
        )
    if recorded == 0 and tokens[0] + tokens[2] and all(line.usd is None for line in lines[1:]):
        lines[0] = replace(lines[0], note=str(NotKnown.ZERO_WITH_TOKENS), unproven=True)
    return tuple(lines)


def _totals(usages: Sequence[Usage] | None) -> tuple[int, int | None, int]:
    """Tokens of all models; cached ones are not known where one model's are not."""
    used = usages or ()
    cached = [u.cached for u in used if u.cached is not None]
    return (
        sum(u.input for u in used),
        sum(cached) if len(cached) == len(used) else None,
        sum(u.output for u in used),
    )
