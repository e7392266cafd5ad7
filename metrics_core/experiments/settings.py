"""What an experiment says of itself in its optional `experiment.yaml`.

Does: hold the settings, each with what it means and what it may be. Does not: read files, or act on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field, structs

from metrics_core.errors import ConfigError, InputError
from metrics_core.formats import Document, OneLine, OneOrMore, Wrong, decode, fault, read_with, says, utc
from metrics_core.results import Estimate, Gate, lead_of, quoted, select
from metrics_core.suggestions import nearest

Kind = Literal["state", "judge", "assertion"]
"""What judged a scenario."""

MERGED = "aliases rename arms, they never merge them"


def _stamp(value: Any) -> Any:
    if isinstance(value, str):
        utc(value)
    return value


def _digits(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _ends(value: Any) -> Any:
    numbers = isinstance(value, list) and len(value) == 2 and all(type(x) in (int, float) for x in value)
    if not numbers or value[0] == value[1]:
        raise ValueError(value)
    return value


Number = Annotated[float, Meta(description="a number")]


class ContractUse(Struct, frozen=True, forbid_unknown_fields=True):
    """A user's contract, and from which stamp on it scores the traces that name none."""

    file: Annotated[OneLine, says("Name of the file in contracts/.")]
    since: Annotated[
        Annotated[OneLine, Meta(description="a date such as 2026-07-05"), read_with(_stamp)] | None,
        says("It scores traces from this stamp on; all of them by default."),
    ] = field(default=None, name="from")


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """Where records of an outside format lie, relative to the experiment."""

    format: Annotated[OneLine, says("Name of the format, as assay import lists them.")]
    path: Annotated[OneLine, says("File or folder, relative to the experiment.")] = "."
    map: Annotated[
        Mapping[str, OneOrMore],
        says(
            "Of a table: role -> the column that has it, where its name does not say so: task, arm, rep, "
            "outcome (one column or several), error, cost, input_tokens, output_tokens, latency, stamp, "
            "split, cluster; and unread: columns that tell nothing of their row."
        ),
    ] = field(default_factory=dict)
    decimal_comma: Annotated[bool, says("Of a table: whether a comma in a number is a decimal point.")] = (
        False
    )
    words: Annotated[
        Mapping[str, Number],
        says(
            "Of a table: word in a column of outcomes -> the number that it stands for, such as completed: 1."
        ),
    ] = field(default_factory=dict)


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of one experiment; each may be left out, and says what it does."""

    title: Annotated[OneLine, says("Heads the experiment's page; by default the folder's name.")] = ""
    description: Annotated[OneLine, says("Stands under the title.")] = ""
    models: Annotated[
        Mapping[str, OneLine],
        says("Recorded name of an arm -> name that is shown. It renames arms and never merges two."),
    ] = field(default_factory=dict)
    names: Annotated[
        Mapping[str, OneLine], says("Scenario or task -> its name for readers, on the pages of its runs.")
    ] = field(default_factory=dict)
    workflows: Annotated[
        Mapping[str, OneLine],
        says("Workflow of an attempt -> the model it runs: the arm of attempts that name no model or agent."),
    ] = field(default_factory=dict)
    cluster: Annotated[
        OneOrMore,
        says(
            "Keys within which tasks err together, in every family: fields that every record, or the card "
            "of its task, carries. Of several, nested in one another, the coarsest makes the variance. A key "
            "that some record lacks is refused."
        ),
    ] = ()
    prices: Annotated[
        OneLine | None,
        says("File name, or date, of the price table that recomputes costs; by default the newest."),
    ] = None
    gates: Annotated[
        Mapping[str, Gate],
        says(
            "Name of a control -> required: where it is missing, the numbers that it guards are withheld; "
            "or optional: where it is missing, they may be published, and every caption says so. A control "
            "that failed withholds, whatever stands here."
        ),
    ] = field(default_factory=dict)
    contracts: Annotated[
        tuple[ContractUse, ...],
        says("Which of the contracts in contracts/ scores which traces, by their stamps."),
    ] = ()
    evaluators: Annotated[
        Mapping[str, Kind],
        says(
            "Scenario -> what judged it, where no record says: a state check, a judge, or an assertion, "
            "which is not measured evidence. Against a record it is a finding, and the control fails."
        ),
    ] = field(default_factory=dict)
    separation: Annotated[
        Literal["overlap", "paired"] | None,
        says(
            "When two arms are told apart: by their own intervals as well (overlap), or by the difference on "
            "the same tasks alone (paired); by default as the site says, else overlap."
        ),
    ] = None
    check_classes: Annotated[
        Mapping[str, OneLine],
        says(
            "check_kind, or a pattern such as lint*, without case -> class of checks; each mapping stands "
            "in the captions. What only parses or compiles is never executed."
        ),
    ] = field(default_factory=dict)
    source: Annotated[
        Source | None, says("Records of an outside format, which are read in place of native ones.")
    ] = None
    scale: Annotated[
        Mapping[
            str,
            Annotated[tuple[Number, ...], Meta(description="two numbers that differ"), read_with(_ends)],
        ],
        says(
            "Scorer -> [lowest, highest] of its scores, which are then rescaled to 0..1, and every caption "
            "says so; the higher one first where more is worse: [1, 0] of a column of failures. "
            "A scorer that leaves 0..1 and has no scale is a quantity: its mean, on its own scale."
        ),
    ] = field(default_factory=dict)
    grader_version: Annotated[
        OneLine | None,
        read_with(_digits),
        says(
            "Version of the grader, where no record states one. It is part of the stratum of every verdict: "
            "another version breaks a line, and is never compared."
        ),
    ] = None
    labelled: Annotated[
        Literal["random", "chosen"],
        says(
            "How the items were drawn that raters labelled: random, as a random part of all items that the "
            "judge saw, so that a prediction-powered mean is given; or chosen, by default."
        ),
    ] = "chosen"
    headline: Annotated[
        OneLine,
        says(
            "Which metric leads the first lines: METRIC or METRIC key=value, such as score scorer=match; "
            "by default the family's own order."
        ),
    ] = ""

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

    def words(self, files: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
        """What was set, in words: (setting, value), title and description apart.

        Args:
            files: Paths of the record files: a source that is all of the experiment is named by its one file.
        """
        plain = Settings()
        rows = []
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name not in ("title", "description") and value != getattr(plain, name):
                if isinstance(value, Source) and value.path == ".":
                    value = structs.replace(value, path=files[0] if len(files) == 1 else "")
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
        case Source(format=name, path=path, map=roles, decimal_comma=comma, words=words):
            said = (
                f"{name} in {path}" if path else name,
                _in_words(roles),
                "decimal comma" if comma else "",
                ", ".join(f"{quoted(word)} is {number:g}" for word, number in words.items()),
            )
            return ", ".join(filter(None, said))
        case Mapping():
            return ", ".join(f"{k}: {_in_words(v)}" for k, v in value.items())
        case tuple() | list():
            return ", ".join(_in_words(v) for v in value)
    return str(value)


def read_settings(stated: Document) -> Settings:
    """Settings from an `experiment.yaml`; an empty one means the defaults.

    Raises:
        ConfigError: ``name:line#/pointer``, what was expected and what stood there.

    >>> from metrics_core.formats import strict_yaml
    >>> read_settings(strict_yaml.parse(b"title: Halden, July", "experiment.yaml")).title
    'Halden, July'
    """
    return decode(stated, Settings, ConfigError)


def refuse_unknown_headline(headline: str, estimates: Iterable[Estimate], stated: Document) -> None:
    """Refuse a metric that is to lead first lines where no estimate is of it, or of an arm by itself.

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
        found = select(estimates, metric, **keys)
    except InputError as nothing:
        raise fault(stated, ConfigError, Wrong(nothing.problem, "headline", hint=nothing.hint)) from nothing
    strata = {key for e in found for key in e.stratum.names}
    for key in keys:
        if key not in strata:
            problem = f"expected a key of a stratum of {metric}, got {key!r}, which names whose runs they are"
            raise fault(stated, ConfigError, Wrong(problem, "headline", hint=nearest(key, strata)))
