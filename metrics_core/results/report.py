"""What one experiment gives: estimates, funnels, series, comparisons, controls, costs, problems.

A report is finished and frozen: pages, JSON, frames and verification read it, nothing adds to it.
It does not compute; `metrics_core.engine` makes it. It does not draw, either: whoever draws is asked for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from metrics_core.errors import InputError
from metrics_core.results import notebook
from metrics_core.results.comparison import Comparison
from metrics_core.results.control import Control
from metrics_core.results.estimate import ContractRef, Estimate, PartlyCompared
from metrics_core.results.problem import Problem
from metrics_core.results.selection import select
from metrics_core.results.shapes import CheckRow, CostRow, Funnel, Grid, Points, Series
from metrics_core.text import many, visible

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

    from metrics_core.results.vocabulary import Vocabulary


SCHEMA = "assay.report/1"
CHARTS = "assay.charts"
"""The entry point of what draws a report's figures in a notebook."""

_FIRST_COLUMNS = ("value", "lo", "hi", "unit", "n", "N", "of", "known", "unknown", "errors", "invalid")

UNCAGED = "none"
"""How a report says that a user's contract ran without a cage."""


class UsedContract(PartlyCompared, frozen=True):
    """An instrument as the site publishes it: reference, title, whose it is, its files and fixtures.

    Attributes:
        kind: ``built-in`` or ``user``.
        files: (path, sha256 hex) of the source closure, sorted.
        fixtures: (name, expected, got) of each golden fixture.
        promise: What it counts, in the contract's own words, one line a metric.
        cage: What of a cage a user's contract ran in on the machine that built this, UNCAGED where that had
            none; None for what is built in. It moves no number, and is compared with nothing.
    """

    UNCOMPARED = ("words", "cage")

    ref: ContractRef
    title: str
    kind: Literal["built-in", "user"]
    family: str
    metric_sha256: str | None
    files: tuple[tuple[str, str], ...]
    fixtures: tuple[tuple[str, str, str], ...]
    promise: tuple[tuple[str, str], ...]
    words: Vocabulary | None = None
    cage: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As a report lists it."""
        about = {"kind": self.kind, "family": self.family, "title": self.title}
        return {**self.ref.to_json(), **about, **({} if self.cage is None else {"cage": self.cage})}


class Report(PartlyCompared, frozen=True, kw_only=True):
    """Everything that one experiment gives; in a notebook, a small table of it.

    Attributes:
        headline: Which metric leads its first lines, as its settings say; empty for the family's own order.
        words: (family, its words for readers) of each family that has any; not published.
    """

    experiment: str
    data_digest: str
    source_digest: str
    families: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    funnels: tuple[Funnel, ...] = ()
    series: tuple[Series, ...] = ()
    grids: tuple[Grid, ...] = ()
    points: tuple[Points, ...] = ()
    checks: tuple[CheckRow, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    controls: tuple[Control, ...] = ()
    costs: tuple[CostRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    findings: tuple[Problem, ...] = ()
    contracts: tuple[UsedContract, ...] = ()
    score_reports: tuple[dict[str, Any], ...] = ()
    unknown_fields: tuple[tuple[str, tuple[str, ...]], ...] = ()
    records: int = 0
    duplicates: int = 0
    redacted: tuple[tuple[str, int], ...] = ()
    headline: str = ""
    words: tuple[tuple[str, Vocabulary], ...] = ()

    @property
    def invalid(self) -> int:
        """How many things its problems stand for: of many lines that are no records the first are told."""
        return sum(problem.count for problem in self.problems)

    @property
    def usable(self) -> bool:
        """Whether any record was a run, whatever became of it: with none there is nothing to report."""
        return any(e.known or e.unknown or e.errors for e in self.estimates)

    def __repr__(self) -> str:
        return f"<Report {visible(self.experiment, escaped=True)} {self._counts()}>"

    def _repr_html_(self) -> str:
        unheld = [c for c in self.controls if c.state in ("failed", "missing")]
        lines = [f"<p><b>{notebook.html(self.experiment)}</b> {notebook.html(self._counts())}</p>"]
        lines += [f"<p>{notebook.html(f'{c.title} {c.told}: {c.detail}')}</p>" for c in unheld]
        return "\n".join((*lines, *notebook.estimates_html(self.estimates)))

    def _counts(self) -> str:
        states = Counter(control.state for control in self.controls)
        controls = ", ".join(f"{number} {state}" for state, number in sorted(states.items())) or "none"
        families = visible(", ".join(self.families) or "no family", escaped=True)
        return (
            f"({families}): {many(len(self.estimates), 'estimate')}, "
            f"{many(len(self.comparisons), 'comparison')}; "
            f"controls: {controls}; {many(self.invalid, 'problem')}"
        )

    def to_json(self) -> dict[str, Any]:
        """The published form (``assay.report/1``)."""
        return {
            "schema": SCHEMA,
            "experiment": self.experiment,
            "data_digest": self.data_digest,
            "source_digest": self.source_digest,
            "families": list(self.families),
            "records": self.records,
            "duplicates": self.duplicates,
            "redacted": dict(self.redacted),
            "estimates": [e.to_json() for e in self.estimates],
            "comparisons": [c.to_json() for c in self.comparisons],
            "controls": [c.to_json() for c in self.controls],
            "costs": [c.to_json() for c in self.costs],
            "problems": [p.to_json() for p in self.problems],
            "findings": [p.to_json() for p in self.findings],
            "contracts": [c.to_json() for c in self.contracts],
            "unread_fields": {name: list(fields) for name, fields in self.unknown_fields},
        }

    def find(self, metric: str, *, family: str | None = None, **keys: str) -> tuple[Estimate, ...]:
        """Estimates of a metric whose group and stratum hold all the given keys; at least one.

        Args:
            metric: Short name, such as ``change``.
            family: Name of the only family that is looked at.
            keys: Group or stratum keys and their values.

        Raises:
            InputError: Nothing fits; the message names what does not exist, and the nearest that does.
        """
        return select(self.estimates, metric, family=family, **keys)

    def words_of(self, family: str) -> Vocabulary | None:
        """A family's words for readers, or None."""
        return dict(self.words).get(family)

    def chart(self, kind: str, *, metric: str = "", family: str = "", **keys: str) -> alt.TopLevelMixin:
        """A figure of this report with its caption, as an Altair chart.

        The core draws nothing: whatever is installed under the entry point ``assay.charts`` does, which in
        this package is the site.

        Args:
            kind: ``funnel``, ``overview``, ``separation``, ... as a page's ``{figure}`` takes it.
            metric: One that it shows, where several figures of a kind fit.
            family: One of the report's families, where it has several.
            keys: An arm, such as ``model="alpha"``, or keys of a stratum.

        Raises:
            InputError: There is no such kind or arm, nothing to draw, several figures fit; or nothing that
                draws is installed.
        """
        from importlib.metadata import entry_points  # heavy, and for notebooks alone

        for found in entry_points(group=CHARTS):
            draw: Callable[..., alt.TopLevelMixin] = found.load()
            return draw(self, kind, metric=metric, family=family, keys=keys)
        raise InputError("nothing that draws is installed", where=CHARTS, hint="install assay-report anew")

    def frame(self) -> pd.DataFrame:
        """One row an estimate, with a column for each group key, stratum key, limit and stamp.

        First whose it is and what was found, then what was counted, then what it stands on.
        """
        import pandas as pd  # heavy: only at the edge, for notebooks and exports

        rows = []
        for e in self.estimates:
            row = e.to_json()
            flat = {k: v for k, v in row.items() if not isinstance(v, dict | list)}
            flat |= {f"group.{k}": v for k, v in e.group} | {f"stratum.{k}": v for k, v in e.stratum}
            flat |= {"lo": e.interval.lo, "hi": e.interval.hi, "method": e.interval.method}
            flat |= {"reason": e.interval.reason}
            flat |= dict(zip(("bounds.lo", "bounds.hi"), e.bounds or (None, None), strict=True))
            flat |= dict(zip(("stamps.first", "stamps.last"), e.stamps or (None, None), strict=True))
            flat |= {f"contract.{k}": v for k, v in e.contract.to_json().items()}
            rows.append(flat)
        made = pd.DataFrame(rows)
        keys = [c for c in made.columns if c.startswith(("group.", "stratum."))]
        keys.sort(key=lambda c: (c.startswith("stratum."), made[c].isna().sum(), c))
        first = ("family", "metric", *keys, *_FIRST_COLUMNS)
        known = [c for c in first if c in made.columns]
        return made[[*known, *(c for c in made.columns if c not in known)]]
