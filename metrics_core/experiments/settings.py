"""What an experiment says of itself in its optional `experiment.yaml`.

Does: hold the settings, each with what it means and what it may be. Does not: read files, or act on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from metrics_core.errors import ConfigError, InputError
from metrics_core.formats import Document, Line, OneOrMore, Wrong, decode, fault, read_with, strict_yaml, utc
from metrics_core.results import Estimate, lead_of, quoted, select

Kind = Literal["state", "judge", "assertion"]
"""What judged a scenario."""

MERGED = "aliases rename arms, they never merge them"


def _stamp(value: Any) -> Any:
    if isinstance(value, str):
        utc(value)
    return value


def _digits(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


class ContractUse(Struct, frozen=True, forbid_unknown_fields=True):
    """A user's contract, and from which stamp on it scores the traces that name none."""

    file: Line
    since: Annotated[Line, Meta(description="a date such as 2026-07-05"), read_with(_stamp)] | None = field(
        default=None, name="from"
    )


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """Where records of an outside format lie, relative to the experiment."""

    format: Line
    path: Line = "."


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of one experiment; each may be left out.

    Attributes:
        title, description: For readers.
        models: Recorded name of an arm -> name that is shown. Renames, never merges.
        names: Scenario -> its name for readers.
        workflows: Workflow of an attempt -> the model it runs.
        cluster: Keys within which tasks err together.
        prices: File name of the price table that costs are recomputed with.
        gates: Name of a control -> what this experiment states about it.
        contracts: Which contract scores which traces, by stamp.
        evaluators: Scenario -> kind of what judged it: state, judge or assertion.
        separation: Whether two arms are told apart by their intervals too (``overlap``), or by the difference
            on the same tasks alone (``paired``); None where the experiment leaves it open: then by both.
        check_classes: ``check_kind`` -> class of checks that it belongs to.
        source: Records of an outside format.
        grader_version: Version of the grader, where the harness states none.
        headline: Which metric leads the first lines: ``METRIC`` or ``METRIC key=value``, such as
            ``score scorer=match``; the family's own order where it is left out.
    """

    title: Line = ""
    description: Line = ""
    models: Mapping[str, Line] = field(default_factory=dict)
    names: Mapping[str, Line] = field(default_factory=dict)
    workflows: Mapping[str, Line] = field(default_factory=dict)
    cluster: OneOrMore = ()
    prices: Line | None = None
    gates: Mapping[str, Any] = field(default_factory=dict)
    contracts: tuple[ContractUse, ...] = ()
    evaluators: Mapping[str, Kind] = field(default_factory=dict)
    separation: Literal["overlap", "paired"] | None = None
    check_classes: Mapping[str, Line] = field(default_factory=dict)
    source: Source | None = None
    grader_version: Annotated[Line, read_with(_digits)] | None = None
    headline: Line = ""

    def __post_init__(self) -> None:
        taken: dict[str, str] = {}
        for recorded, alias in self.models.items():
            if alias in taken:
                problem = (
                    f"{quoted(taken[alias])} and {quoted(recorded)} would both be shown as {quoted(alias)}"
                )
                raise Wrong(problem, "models", recorded, hint=MERGED)
            taken[alias] = recorded

    def shown(self, recorded: str) -> str:
        """The name under which an arm is shown.

        Raises:
            ConfigError: Another arm is shown under this arm's own name, so that the two would merge.

        >>> Settings(models={"deepseek-v4": "DeepSeek 4"}).shown("deepseek-v4")
        'DeepSeek 4'
        """
        shown = self.models.get(recorded)
        if shown is not None:
            return shown
        taken = next((name for name, alias in self.models.items() if alias == recorded), None)
        if taken is not None:
            raise ConfigError(
                f"{quoted(taken)} is to be shown as {quoted(recorded)}, which is another arm's name",
                where="experiment.yaml#/models",
                hint=MERGED,
            )
        return recorded

    def words(self) -> tuple[tuple[str, str], ...]:
        """What was set, in words: (setting, value), title and description apart."""
        plain = Settings()
        rows = []
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name not in ("title", "description") and value != getattr(plain, name):
                rows.append((name.replace("_", " "), _in_words(value)))
        return tuple(rows)


def _in_words(value: Any) -> str:
    """A setting as a reader sees it.

    >>> _in_words((ContractUse("a.py", "2026-07-01"),)), _in_words({"a": "b"})
    ('a.py from 2026-07-01', 'a: b')
    """
    match value:
        case ContractUse(file=file, since=since):
            return f"{file} from {since}" if since else file
        case Source(format=name, path=path):
            return f"{name} in {path}"
        case Mapping():
            return ", ".join(f"{k}: {_in_words(v)}" for k, v in value.items())
        case tuple() | list():
            return ", ".join(_in_words(v) for v in value)
    return str(value)


def read_settings(data: bytes, name: str = "experiment.yaml") -> Settings:
    """Settings from the bytes of an `experiment.yaml`.

    Args:
        data: YAML; an empty file means the defaults.
        name: Its name, for errors.

    Raises:
        ConfigError: ``name:line#/pointer``, what was expected and what stood there.
        FormatError: It is not YAML, or not plain YAML.

    >>> read_settings(b"title: Halden, July").title
    'Halden, July'
    """
    return decode(strict_yaml.parse(data, name), Settings, ConfigError)


def refuse_unknown_headline(headline: str, estimates: Iterable[Estimate], stated: Document) -> None:
    """Refuse a metric that is to lead first lines where no estimate is of it.

    Args:
        headline: As the setting spells it; may be empty.
        estimates: Of everything that it may name.
        stated: The file of settings.

    Raises:
        ConfigError: ``file:line#/headline``, with the nearest name.
    """
    metric, keys = lead_of(headline)
    if not metric:
        return
    try:
        select(estimates, metric, **keys)
    except InputError as nothing:
        raise fault(stated, ConfigError, Wrong(nothing.problem, "headline", hint=nothing.hint)) from nothing
