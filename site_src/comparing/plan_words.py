"""A plan as lines: tasks x runs, what each design shows, costs, and what repetitions cannot help."""

from __future__ import annotations

from collections.abc import Iterator

from metrics_core.comparison import Assumed, ComparisonPlan, Design, Stability
from metrics_core.text import visible
from site_src.console import safe
from site_src.report_text import TextRow, laid_out
from site_src.wording import (
    amount,
    count,
    habits,
    listed,
    many,
    numbers,
    percent,
    variance_shares,
    whole_repetitions,
)


def plan_text(plan: ComparisonPlan, width: int | None = None) -> str:
    """Everything that a plan says.

    Args:
        plan: As it was reckoned.
        width: Columns of the terminal; None leaves each line as long as it is.
    """
    heads = TextRow(("runs of a task", "tasks", "USD", "hours", f"{count(plan.tasks)} tasks would show"))
    lines = [
        headline(plan),
        *laid_out([heads, *(_row(plan, design) for design in plan.designs)], width),
        *filter(None, (repetitions(plan),)),
        *(line for each in plan.stability for line in stability(each)),
        f"taken for granted: {plan.assumed}",
    ]
    return "\n".join(safe(line) for line in lines)


def headline(plan: ComparisonPlan) -> str:
    """The cheapest design, and what simulation says of it."""
    arms = listed([visible(arm) for arm in plan.arms])
    wanted = f"to show {_size(plan, plan.detect)} with {percent(plan.power)} power, planned from {arms}"
    if plan.best is None or plan.best.tasks is None:
        return f"{wanted}: a million tasks would not do"
    best = plan.best
    runs = f"{many(best.tasks or 0, 'task')} x {many(best.runs, 'run')} on each side"
    tried = (
        ""
        if plan.simulated is None
        else f"; simulated, {percent(plan.simulated)} of such experiments show it"
    )
    return f"{wanted}: {runs}{tried}"


def _row(plan: ComparisonPlan, design: Design) -> TextRow:
    tasks = "over a million" if design.tasks is None else count(design.tasks)
    usd = "-" if design.usd is None else amount(design.usd)
    hours = "-" if design.hours is None else numbers.digits(design.hours, "h")
    return TextRow((count(design.runs), tasks, usd, hours, _size(plan, design.smallest)))


def _size(plan: ComparisonPlan, difference: float) -> str:
    if plan.unit == "fraction":
        return f"{100 * difference:.1f} points"
    return numbers.digits(difference, plan.unit)


def repetitions(plan: ComparisonPlan) -> str:
    """What tasks and repetitions add to a difference of two arms, and what more repetitions cannot help.

    Args:
        plan: As it was reckoned; empty where that is assumed and not seen.
    """
    parts = plan.parts
    whole = parts.of_task + parts.of_repetition
    if plan.assumed is not Assumed.TWO_ARMS or whole <= 0.0:
        return ""
    of_task = f"{percent(parts.of_task / whole)} of the variance of one difference lies between tasks"
    if parts.of_task <= 0.0:
        return f"{of_task}: repetitions help as tasks do"
    below = f"below {_size(plan, plan.floor)}"
    return f"{of_task}: on {many(plan.tasks, 'task')} more repetitions cannot help {below}"


def stability(each: Stability) -> Iterator[str]:
    """How alike the runs of a task are, of one arm.

    Args:
        each: The arm.
    """
    yield f"{visible(each.arm)}: {habits(each)}; {variance_shares(each)}"
    if found := whole_repetitions(each):
        yield f"{visible(each.arm)}: {found}"
