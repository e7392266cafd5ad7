"""An estimate in the cells of a table: value with interval, n/N, what is not known. Rounds nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import Estimate, Keys, Vocabulary
from site_src.marks import swatch
from site_src.pages.components import line, text
from site_src.wording import (
    Caption,
    FigureContext,
    Line,
    Span,
    arm_of,
    captions,
    count,
    counted_words,
    few_words,
    group_words,
    has_no_value,
    is_mean,
    left_out_words,
    lost_by_state,
    many,
    number,
    numbers,
    reason_words,
    svg_markup,
)


def withheld(*, partly: bool = False) -> Line:
    """The mark and the word that stand in place of a number, or beside numbers of which some are withheld."""
    words = "partly withheld" if partly else "withheld"
    return (Span(text=words, role="state", mark=svg_markup(swatch("withheld"))),)


def value(e: Estimate) -> Line:
    """Value and interval, bounds, "counts only", or that nothing is known."""
    if e.withheld is not None:
        return withheld()
    if e.headline == "bounds" and e.bounds:
        low, high = (number(b, e.unit) for b in e.bounds)
        return line("bounds ", Span(text=f"{low} to {high}", role="strong", estimate=e.id))
    if has_no_value(e):
        words = f"no value: {reason_words(e.interval)}"
        return (Span(text=words, role="state", mark=svg_markup(swatch("unknown"))),)
    if e.headline == "counts":
        few = few_words(e) if is_mean(e) else "too few"
        return (Span(text=few, role="state", mark=svg_markup(swatch("too-few"))),)
    if e.value is None:
        return (Span(text="not known", role="state", mark=svg_markup(swatch("unknown"))),)
    shown = Span(text=numbers.value(e), role="strong", estimate=e.id)
    limits = numbers.limits(e)
    return (shown, Span(text=f" {limits}", role="light")) if limits else (shown,)


def counted(e: Estimate, *, attempts: bool = False, lost: bool = True) -> Line:
    """What n and N count and what is not in N, in words: no two numbers stand side by side unnamed.

    Args:
        e: Any estimate; of one that is withheld nothing is said.
        attempts: Whether to say of how many attempts, too.
        lost: Whether to say what is not known, which has no column of its own.
    """
    if e.withheld is not None:
        return ()
    whole = f"of {many(e.attempts, 'attempt')}" if attempts else ""
    parts = [counted_words(e), whole, lost_by_state(e) if lost else "", left_out_words(e)]
    return (Span(text=", ".join(filter(None, parts)), estimate=e.id),)


def not_known(e: Estimate) -> Line:
    """How many attempts are not in N, by state, in a column of its own: "3 unknown, 2 errors"."""
    return (Span(text=lost_by_state(e) or "0", estimate=e.id),)


def attempts(e: Estimate) -> Line:
    """Every run, whatever became of it."""
    return (Span(text=count(e.attempts), estimate=e.id),)


def table_caption(
    estimates: Sequence[Estimate], context: FigureContext, *, notes: Sequence[str] = ()
) -> tuple[Caption, ...]:
    """The caption behind the rule of a table; empty where the table shows no estimate."""
    return (captions.caption(estimates, context, notes=notes),) if estimates else ()


def whose(group: Keys, words: Vocabulary | None, site: FigureContext) -> Line:
    """Whom a row is about: the model, linked, and the group's other values."""
    key, model = arm_of(group, words) or ("model", group.get("model", ""))
    rest = group_words(group, words, without=(key,)) if len(group) > 1 or not model else ""
    if not group:
        return (text("all", "quiet"),)
    head = (text(model, "strong", href=site.links.model(model)),) if model else ()
    return (*head, *((text(f"{', ' if model else ''}{rest}"),) if rest else ()))


def inline(e: Estimate, site: FigureContext) -> Line:
    """An estimate inside a sentence, linked to where it is shown."""
    href = site.links.estimate(e)
    return tuple(
        Span(text=p.text, role=p.role, href=p.href, estimate=p.estimate)
        for p in captions.inline(e, href=href)
    )
