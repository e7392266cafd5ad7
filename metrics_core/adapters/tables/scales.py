"""Numbers of an outcome that are no shares from 0 to 1, and of which nobody said what they are.

Does: refuse percentages, what is no share though its column is one, and a row among 0 and 1 that looks like
their total; tell shares of tasks from outcomes of single tries. Does not: rescale (the family does, where a
scale is stated).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics_core import column_names as col
from metrics_core.adapters.tables.ambiguities import scale_flag
from metrics_core.adapters.tables.cells import CellVerdict
from metrics_core.adapters.tables.columns import list_of
from metrics_core.errors import FormatError
from metrics_core.results import quoted

PERCENT_FROM = 10.0
"""The highest value of a column from which on numbers from 0 to 100 are taken for percentages."""

SHARES = frozenset({
    "accuracy", "passed", "pass", "success", "correct", "resolved", "solved", "ok", "iscorrect", "issuccess",
    "isresolved", "issolved", "ispass", "passrate", "successrate", "bestanden", "erfolg", "erfolgreich",
    "korrekt",
    "richtig", "gelost", "reussi", "succes", "resolu", "aprobado", "superado", "exito", "correcto", "acierto",
    "resuelto",
})  # fmt: skip
"""Columns that hold shares whatever their numbers: what is over 1 there is a percentage."""


def refuse_percentages(
    path: str,
    verdicts: Mapping[str, Sequence[CellVerdict]],
    lines: Sequence[int],
    scale: Mapping[str, Sequence[float]],
) -> None:
    """Nothing where every column of outcomes holds shares, quantities, or numbers of a stated scale.

    Args:
        path: Of the table.
        verdicts: Column -> what each row says.
        lines: Of each row.
        scale: Column -> its stated scale.

    Raises:
        FormatError: A column holds percentages, or numbers that are no share.
    """
    for name, found in verdicts.items():
        known = [
            (verdict, line) for verdict, line in zip(found, lines, strict=True) if verdict.state == "known"
        ]
        values = [verdict.value for verdict, _ in known]
        if name in scale or not values:
            continue
        share = col.plain(name) in SHARES
        from_ = 1.0 if share or "percent" in name.casefold() else PERCENT_FROM
        signed = any(verdict.how == "percent" for verdict, _ in known)
        beyond = share and (min(values) < 0 or max(values) > 100)
        if not (beyond or signed or (min(values) >= 0 and from_ < max(values) <= 100)):
            continue
        _refuse_total(path, name, values, [line for _, line in known])
        if beyond:
            odd = min(values) if min(values) < 0 else max(values)
            raise FormatError(
                f"{list_of([name])} holds {odd:g}, which is no share",
                where=path,
                hint="leave the cell blank where there is no outcome, or say what 0 and 1 are: "
                f"{scale_flag(name, 'LO..HI')}",
            )
        raise FormatError(
            f"{list_of([name])} holds percentages, such as {max(values):g}",
            where=path,
            hint=f"{scale_flag(name, '0..100')} reads them, or in experiment.yaml "
            f"scale: {{{quoted(name)}: [0, 100]}}",
        )


def _refuse_total(path: str, name: str, values: Sequence[float], lines: Sequence[int]) -> None:
    """One number beside 0 and 1 is no percentage: it may be their total, or a slip of the pen."""
    odd = [at for at, value in enumerate(values) if value not in (0.0, 1.0)]
    if len(odd) != 1 or values[odd[0]] < 0 or 1.0 not in values:
        return
    value, line = values[odd[0]], lines[odd[0]]
    total = " their total:" if value == values.count(1.0) else ""
    raise FormatError(
        f"{list_of([name])} holds {value:g} in one row, and 0 or 1 in all others:{total} "
        "does that row sum others up?",
        where=f"{path}:{line}",
        hint="take the row out, or leave its cell blank where there is no outcome",
    )


def is_of_one_try(verdicts: Sequence[CellVerdict]) -> bool:
    """Whether an outcome is that of one try in each row: both 0 and 1, and nothing else.

    Args:
        verdicts: What each row says.
    """
    return {verdict.value for verdict in verdicts if verdict.state == "known"} == {0, 1}


def are_fractions(verdicts: Sequence[CellVerdict]) -> bool:
    """Whether an outcome is a share in each row, and in one at least neither all nor nothing.

    Args:
        verdicts: What each row says.
    """
    values = [verdict.value for verdict in verdicts if verdict.state == "known"]
    return any(0 < x < 1 for x in values) and all(0 <= x <= 1 for x in values)
