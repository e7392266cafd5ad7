"""What a new page, decision or experiment begins with: its files, filled in for this project.

Does: choose and fill the texts of `site_src/scaffolding`, refuse a name that is taken or is no address, and
find sentences of theirs that nobody replaced.
Does not: write; whoever asks gets paths and bytes. What it gives can be built as it stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Final, Literal

from metrics_core import api
from metrics_core.errors import ConfigError
from metrics_core.experiments import printable
from metrics_core.registry import DEFAULT_FAMILY
from metrics_core.results import Comparison, Estimate
from metrics_core.suggestions import nearest
from site_src import paths
from site_src.references import (
    Index,
    one_line,
    parse_query,
    reference,
    role,
    shortest,
    shortest_of_pair,
    spelled,
)
from site_src.wording import metric_words

Thing = Literal["page", "decision", "experiment"]

_FOLDERS: Final[Mapping[Thing, str]] = {"page": "pages", "decision": "decisions", "experiment": "experiments"}
_TEXTS: Final = Path(__file__).resolve().parents[1] / "scaffolding"

_FORM: Final = "family.metric key=value"

NO_RECORD: Final = b"\n"
"""A log in which nothing was recorded yet: the family is there, and its page says that it has no runs."""

Files = tuple[tuple[str, bytes], ...]
"""Paths within the content folder, and their bytes."""


def scaffold(
    thing: Thing,
    name: str,
    *,
    taken: Collection[str],
    today: str,
    index: Index | None = None,
    family: str = "",
    registered: bool = False,
    planned: int | None = None,
) -> Files:
    """The files of something new.

    Args:
        thing: What it is.
        name: Its name, which becomes part of its address.
        taken: Paths of the files that the content folder holds, with ``/``.
        today: ISO date, for a decision.
        index: What the reports hold, so that examples are of this site; None gives examples of the form.
        family: Which records an experiment will hold; empty for the one that `engine` takes by default.
        registered: A decision is to say that it was written before its data.
        planned: Attempts that are planned for each arm of it.

    Raises:
        ConfigError: The name is no address, or is taken.

    >>> [path for path, _ in scaffold("page", "about-us", taken=(), today="2026-07-20")]
    ['pages/about-us.md']
    >>> scaffold("page", "About us", taken=(), today="2026-07-20")
    Traceback (most recent call last):
    ...
    metrics_core.errors.ConfigError: page: 'About us' cannot be a name (...such as about-us)
    """
    _check_name(thing, name)
    place = f"{_FOLDERS[thing]}/{name}" + ("" if thing == "experiment" else ".md")
    if any(path == place or path.startswith(f"{place}/") for path in taken):
        raise ConfigError("is there already", where=place, hint="choose another name, or edit what is there")
    words = name.replace("-", " ")
    title = json.dumps(words[:1].upper() + words[1:])
    if thing == "page":
        return ((place, _filled("page.md", title=title, estimate=_estimate(index))),)
    if thing == "decision":
        block = _registered(index, planned) if registered else ""
        own = _filled(
            "decision.md", title=title, today=today, claims=_claims(index), registered=block, **_names(index)
        )
        return ((place, own),)
    made = _experiment(name, title, family or DEFAULT_FAMILY)
    return tuple((f"{place}/{path}", data) for path, data in made)


def unreplaced(text: str) -> Iterator[tuple[int, str]]:
    r"""Sentences of a start that still stand in a text: the line of each, counted from 0, and its words.

    Args:
        text: What an author wrote, in lines.

    >>> list(unreplaced("Context.\n\nWhat is proposed, in one sentence.\n"))
    [(2, 'What is proposed, in one sentence.')]
    >>> list(unreplaced("We ask what is proposed."))
    []
    """
    ours = _sentences()
    for paragraph in re.finditer(r"(?:^.*\S.*$\n?)+", text, re.MULTILINE):
        words = " ".join(paragraph[0].split())
        if words in ours:
            yield text.count("\n", 0, paragraph.start()), words


def _sentences() -> frozenset[str]:
    """What the texts say in an author's place: their ledes, descriptions and paragraphs."""
    found = []
    for name in ("page.md", "decision.md", "experiment/experiment.yaml"):
        text = _text(name)
        found += re.findall(r"^(?:lede|description): >-\n((?: +.+\n)+)", text, re.MULTILINE)
        if name.endswith(".md"):
            paragraphs = text.split("---\n", 2)[2].split("\n\n")
            found += [each for each in paragraphs if not each.lstrip().startswith("#")]
    return frozenset(" ".join(each.split()) for each in found)


def _check_name(thing: Thing, name: str) -> None:
    if paths.slug(name) == name:
        return
    near = paths.slug(name)[: -len("-00000000")]
    raise ConfigError(
        f"{printable(name)!r} cannot be a name",
        where=thing,
        hint=f"lower-case a-z, digits and single hyphens, at most {paths.LONGEST}, not ending like a digest"
        + (f", such as {near}" if near != "x" and paths.slug(near) == near else ""),
    )


def _experiment(name: str, title: str, family: str) -> Files:
    """The start of an experiment; a family without texts of its own gets those of any."""
    folders = api.log_folders()
    if family not in folders:
        raise ConfigError(f"no family {printable(family)!r}", where="--family", hint=nearest(family, folders))
    settings, guide = (_own(family, ending) or _text(f"experiment/any.{ending}") for ending in ("yaml", "md"))
    made = {
        "experiment.yaml": _filled("experiment/experiment.yaml", title=title) + settings.encode(),
        "README.md": _filled("experiment/README.md", title=json.loads(title), family=guide.rstrip()),
        f"{folders[family]}/empty.jsonl": NO_RECORD,
    }
    if controls := _own(family, "controls.md"):
        made["controls/README.md"] = controls.encode()
    if contract := _own(family, "contract.py.txt"):
        made["contracts/contract.py"] = Template(contract).substitute(name=name).encode()
    return tuple(sorted(made.items()))


def _own(family: str, ending: str) -> str:
    path = _TEXTS / f"experiment/{family}.{ending}"
    return path.read_text("utf-8") if path.is_file() else ""


def _estimate(index: Index | None) -> str:
    """The role that gives an estimate: of this site if it has one, and of a whole arm if it has that."""
    if index is None:
        return role("est", _FORM)
    found = [e for report in index.reports for e in report.estimates if e.value is not None]
    best = min(found, key=lambda e: (e.group.names != ("model",), reference(e)), default=None)
    return role("est", shortest(best, index) if best else _FORM)


def _registered(index: Index | None, planned: int | None) -> str:
    """What a decision registers beside its claims: attempts of an arm, and the instrument of its claim."""
    best = None if index is None else _pair(index)
    sides = [
        e
        for report in (index.reports if index and best else ())
        for e in report.estimates
        if best
        and (e.experiment, e.family, e.metric, e.stratum)
        == (best.experiment, best.family, best.metric, best.stratum)
        and e.group in (best.group | {best.over: best.a}, best.group | {best.over: best.b})
    ]
    contracts = sorted({e.contract.digest for e in sides})
    packs = sorted({e.pack for e in sides if e.pack})
    rows = ["registered:        # commit this before the first run: its page says which came first"]
    if planned is not None or not contracts:
        rows.append(f"  planned: {planned or 150}        # attempts planned for each arm")
    for name, digests in (("contracts", contracts), ("packs", packs)):
        if digests:
            rows.append(f"  {name}: {json.dumps(digests)}")
    if best is not None:
        rows.append(f"  separation: {best.rule}        # the rule that is in force when it is judged")
    return "\n".join(rows) + "\n\n"


def _pair(index: Index) -> Comparison | None:
    """A pair of this site that a claim can be about."""
    found = [
        c for report in index.reports for c in report.comparisons
        if c.verdict != "not comparable" and c.over == "model" and c.difference is not None
        and one_line(c.a) and one_line(c.b)
    ]  # fmt: skip
    return min(found, key=lambda c: (c.verdict == "cannot separate", c.id), default=None)


def _claims(index: Index | None) -> str:
    """A claim that this site can judge at once; without one, the form of a claim, commented out."""
    best = None if index is None else _pair(index)
    if best is None or index is None:
        names = _names(index)
        return (
            f'# claims:\n#   - {{says: "...", metric: {names["metric"]}, of: {names["of"]}, at_least: 0.8}}\n'
        )
    c = best.reversed() if best.verdict == "b above a" else best
    return (
        "claims:\n"
        f"  - says: {_in_yaml(f'{c.a} is above {c.b}: {metric_words(c.metric, c.words)}')}\n"
        f"    metric: {_in_yaml(shortest_of_pair(best, index))}\n"
        f"    of: {_in_yaml(c.a)}\n"
        f"    above: {_in_yaml(c.b)}\n"
    )


def _names(index: Index | None) -> dict[str, str]:
    """What the forms of a claim are of: a metric, what is paid, two arms and an experiment of this site."""
    names = {"metric": _in_yaml(_FORM), "cost": _in_yaml("family.cost key=value")}
    names |= {"of": "alpha", "than": "beta", "experiment": "my-experiment", "control": "sanity", "there": ""}
    found = [] if index is None else [e for e in _of_arms(index) if e.value is not None]
    best = min(found, key=lambda e: e.unit != "fraction", default=None)
    if index is None or best is None:
        return names
    pair = _pair(index)
    names["metric"] = _in_yaml(_of_any_arm(best, index) if pair is None else shortest_of_pair(pair, index))
    arms = (pair.a, pair.b) if pair is not None else _arms(found, best)
    names["of"], names["than"] = (_in_yaml(arm) for arm in (*arms, "beta")[:2])
    of = next(report for report in index.reports if report.experiment == best.experiment)
    names["experiment"] = _in_yaml(of.experiment)
    names["control"] = next((_in_yaml(c.name) for c in of.controls if one_line(c.name)), "sanity")
    paid = min((e for e in found if e.unit == "USD"), key=reference, default=None)
    if paid is not None:
        names["cost"] = _in_yaml(_of_any_arm(paid, index))
    metrics = dict.fromkeys(f"{e.family}.{e.metric}" for e in found)
    names["there"] = f"# Metrics of this site: {', '.join(metrics)}.\n"
    return names


def _of_arms(index: Index) -> Iterator[Estimate]:
    for report in index.reports:
        yield from (e for e in report.estimates if e.group.names == ("model",) and one_line(e.group["model"]))


def _arms(found: Iterable[Estimate], best: Estimate) -> tuple[str, ...]:
    """Arms that have a number of a metric, each once, its own first."""
    same = (best.experiment, best.family, best.metric)
    alike = (e.group["model"] for e in found if (e.experiment, e.family, e.metric) == same)
    return tuple(dict.fromkeys((best.group["model"], *alike)))


def _of_any_arm(e: Estimate, index: Index) -> str:
    """The shortest words that ask for an estimate once its arm is named."""
    words = parse_query(shortest(e, index), "a reference")
    return spelled(e.experiment, e.family, e.metric, words.keys.without("model", "experiment"))


def _in_yaml(words: str) -> str:
    """One printable line as text of YAML, which has no pairs of halves for what lies beyond 16 bits."""
    return json.dumps(words, ensure_ascii=False)


def _text(path: str) -> str:
    return (_TEXTS / path).read_text("utf-8")


def _filled(path: str, **values: str) -> bytes:
    return Template(_text(path)).substitute(values).encode()
