"""What an experiment says of itself in its optional `experiment.yaml`, checked key by key.

Does: hold the settings, each with what it means and what it may be. Does not: read files, or act on them.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from metrics_core import yaml_strict
from metrics_core.errors import ConfigError
from metrics_core.problem import quoted
from metrics_core.stamps import utc
from metrics_core.yaml_strict import Document

EVALUATOR_KINDS = ("state", "judge", "assertion")
SEPARATIONS = ("overlap", "paired")


@dataclass(frozen=True, slots=True)
class ContractUse:
    """A user's contract, and from which stamp on it scores the traces that name none."""

    file: str
    since: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where records of an outside format lie, relative to the experiment."""

    format: str
    path: str = "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
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
        separation: Whether two arms are told apart by their intervals too, or by the paired difference alone.
        check_classes: ``check_kind`` -> class of checks that it belongs to.
        source: Records of an outside format.
        grader_version: Version of the grader, where the harness states none.
    """

    title: str = ""
    description: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    workflows: Mapping[str, str] = field(default_factory=dict)
    cluster: tuple[str, ...] = ()
    prices: str | None = None
    gates: Mapping[str, Any] = field(default_factory=dict)
    contracts: tuple[ContractUse, ...] = ()
    evaluators: Mapping[str, str] = field(default_factory=dict)
    separation: Literal["overlap", "paired"] = "overlap"
    check_classes: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    grader_version: str | None = None

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
                hint="aliases rename arms, they never merge them",
            )
        return recorded

    def words(self) -> tuple[tuple[str, str], ...]:
        """What was set, in words: (setting, value), title and description apart."""
        plain = Settings()
        told = []
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name not in ("title", "description") and value != getattr(plain, each.name):
                told.append((each.name.replace("_", " "), _in_words(value)))
        return tuple(told)


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


def read(data: bytes, name: str = "experiment.yaml") -> Settings:
    """Settings from the bytes of an `experiment.yaml`.

    Args:
        data: YAML; an empty file means the defaults.
        name: Its name, for errors.

    Raises:
        ConfigError: ``name:line``, what was expected and what stood there.
        FormatError: It is not YAML, or not plain YAML.

    >>> read(b"title: Halden, July").title
    'Halden, July'
    """
    doc = yaml_strict.parse(data, name)
    if doc.value is None:
        return Settings()
    if not isinstance(doc.value, dict):
        raise ConfigError(f"expected settings, got {quoted(doc.value)}", where=doc.where())
    for key in doc.value:
        if key not in _CHECKS:
            raise ConfigError(
                f"unknown setting {quoted(key)}", where=doc.where(key), hint=_nearest(key, list(_CHECKS))
            )
    return Settings(
        **{key: _CHECKS[key](doc, value, key) for key, value in doc.value.items() if value is not None}
    )


def _nearest(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key.lower(), known, 1, 0.5)
    return f"did you mean {near[0]}?" if near else f"one of {', '.join(known)}"


def _text(doc: Document, value: Any, *path: str | int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(
            f"expected text, got {quoted(value)}", where=doc.where(*path), hint="put it in quotation marks"
        )
    return " ".join(value.split())


def _texts(doc: Document, value: Any, *path: str | int) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise ConfigError(f"expected a mapping of names, got {quoted(value)}", where=doc.where(*path))
    return {key: _text(doc, inner, *path, key) for key, inner in value.items()}


def _aliases(doc: Document, value: Any, *path: str | int) -> Mapping[str, str]:
    aliases = _texts(doc, value, *path)
    taken: dict[str, str] = {}
    for recorded, shown in aliases.items():
        if shown in taken:
            raise ConfigError(
                f"{quoted(taken[shown])} and {quoted(recorded)} would both be shown as {quoted(shown)}",
                where=doc.where(*path, recorded),
                hint="aliases rename arms, they never merge them",
            )
        taken[shown] = recorded
    return aliases


def _one_of(*words: str) -> Callable[..., str]:
    def check(doc: Document, value: Any, *path: str | int) -> str:
        if value not in words:
            raise ConfigError(
                f"expected one of {', '.join(words)}, got {quoted(value)}", where=doc.where(*path)
            )
        return str(value)

    return check


def _evaluators(doc: Document, value: Any, *path: str | int) -> Mapping[str, str]:
    kinds = _texts(doc, value, *path)
    for scenario, kind in kinds.items():
        _one_of(*EVALUATOR_KINDS)(doc, kind, *path, scenario)
    return kinds


def _keys(doc: Document, value: Any, *path: str | int) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(_text(doc, key, *path, index) for index, key in enumerate(value))
    return (_text(doc, value, *path),)


def _contracts(doc: Document, value: Any, *path: str | int) -> tuple[ContractUse, ...]:
    if not isinstance(value, list):
        raise ConfigError(f"expected a list of {{file, from}}, got {quoted(value)}", where=doc.where(*path))
    uses = []
    for index, row in enumerate(value):
        where = (*path, index)
        _only(doc, row, ("file", "from"), *where)
        since = row.get("from")
        uses.append(
            ContractUse(
                _text(doc, row.get("file"), *where), None if since is None else _stamp(doc, since, *where)
            )
        )
    return tuple(uses)


def _stamp(doc: Document, value: Any, *path: str | int) -> str:
    text = _text(doc, value, *path)
    try:
        utc(text)
    except ValueError as error:
        raise ConfigError(
            f"expected a date such as 2026-07-05, got {quoted(text)}", where=doc.where(*path)
        ) from error
    return text


def _source(doc: Document, value: Any, *path: str | int) -> Source:
    _only(doc, value, ("format", "path"), *path)
    inner = value.get("path")
    return Source(
        _text(doc, value.get("format"), *path), "." if inner is None else _text(doc, inner, *path, "path")
    )


def _only(doc: Document, value: Any, keys: tuple[str, ...], *path: str | int) -> None:
    if not isinstance(value, dict):
        raise ConfigError(f"expected {{{', '.join(keys)}}}, got {quoted(value)}", where=doc.where(*path))
    for key in value:
        if key not in keys:
            raise ConfigError(
                f"unknown setting {quoted(key)}", where=doc.where(*path, key), hint=_nearest(key, list(keys))
            )


def _gates(doc: Document, value: Any, *path: str | int) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"expected a mapping of controls, got {quoted(value)}", where=doc.where(*path))
    return dict(value)


def _version(doc: Document, value: Any, *path: str | int) -> str:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return _text(doc, str(value) if plain else value, *path)


_CHECKS: Mapping[str, Callable[..., Any]] = {
    "title": _text,
    "description": _text,
    "models": _aliases,
    "names": _texts,
    "workflows": _texts,
    "cluster": _keys,
    "prices": _text,
    "gates": _gates,
    "contracts": _contracts,
    "evaluators": _evaluators,
    "separation": _one_of(*SEPARATIONS),
    "check_classes": _texts,
    "source": _source,
    "grader_version": _version,
}
