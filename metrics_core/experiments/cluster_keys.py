"""The keys that tasks err together by, or are looked at in slices by, as runs carry them.

Does: give every run its value of each such key, from its record, whatever family it is of, or from the
card of its task, and choose the coarsest of several clusters, which makes the variance. Does not: refuse a
key that does not fit; `metrics_core.experiments.settings_in_force` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from metrics_core.results import Keys

if TYPE_CHECKING:
    from metrics_core.formats import Row

TAGS = "tags"
"""The field in which a record lists what it belongs to, each as ``topic:code``."""

UNFIT = frozenset({"model", "stamp", "cluster"})
"""Keys of a run within which nothing errs together."""


class ClustersSeen(Struct):
    """What the runs of one partition say of the named keys; ``add`` adds another partition.

    Attributes:
        combinations: (task, value of each key) of every run that has them all.
        lacking: Key -> runs without it; ``first`` is the place of the first of them.
        carried: Key that could be named -> runs that have it.
        runs: All of them.
    """

    combinations: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    lacking: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    carried: Counter[str] = field(default_factory=Counter)
    runs: int = 0

    def add(self, other: ClustersSeen) -> None:
        """Add what another partition says."""
        self.combinations |= other.combinations
        self.lacking.update(other.lacking)
        for key, place in other.first.items():
            self.first[key] = min(place, self.first.get(key, place))
        self.carried.update(other.carried)
        self.runs += other.runs


def clustered(seen: ClustersSeen, row: Row, dims: Keys, card: Keys, keys: tuple[str, ...]) -> Keys:
    """The keys of a run with its value of each key that the experiment names; ``seen`` learns of them.

    A value is the run's own key of that name, else the record's field, read or not, else its card's.
    """
    carried = _carried(row, dims, card)
    wanted = {key: carried.get(key) for key in keys}
    seen.runs += 1
    seen.carried.update(carried.keys())
    found = {key: value for key, value in wanted.items() if value is not None}
    for key in wanted.keys() - found.keys():
        seen.lacking[key] += 1
        seen.first.setdefault(key, f"{row.file}:{row.line}")
    if len(found) == len(wanted):
        seen.combinations.add((dims.get("scenario", ""), tuple(found.values())))
    return dims | found


def sliced(row: Row, dims: Keys, card: Keys, keys: tuple[str, ...]) -> Keys:
    """The keys of a run with its value of each key that it is looked at by; one that it lacks is left out.

    A value is the run's own key of that name, else the record's field, read or not, or the rest of a tag that
    begins with the key and a colon, else its card's.

    Args:
        row: The run's record.
        dims: The run's own keys.
        card: What the card of its task states.
        keys: Names of the keys.
    """
    carried = _carried(row, dims, card)
    return dims | {key: carried[key] for key in keys if key in carried}


def _carried(row: Row, dims: Keys, card: Keys) -> dict[str, str]:
    """Whatever a run could be clustered by: its keys, the text and numbers of its record and its card."""
    fields: Mapping[str, Any] = msgspec.json.decode(row.raw)
    found = dict(card)
    found |= _tagged(fields.get(TAGS))
    found |= {key: told for key, value in fields.items() if (told := _told(value)) is not None}
    found |= dict(dims)
    return {key: value for key, value in found.items() if key not in UNFIT}


def _tagged(tags: object) -> dict[str, str]:
    """The keys of tags such as ``topic:code``, listed, or in a text with commas or semicolons between them.

    >>> _tagged(["topic:code", "hard"]), _tagged("topic:code; lang:en")
    ({'topic': 'code'}, {'topic': 'code', 'lang': 'en'})
    """
    listed = tags.replace(";", ",").split(",") if isinstance(tags, str) else tags
    if not isinstance(listed, list):
        return {}
    pairs = (tag.partition(":") for tag in listed if isinstance(tag, str))
    return {
        key.strip(): value.strip() for key, colon, value in pairs if colon and key.strip() and value.strip()
    }


def _told(value: object) -> str | None:
    """A value as the name of a cluster; None where it names none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if isinstance(value, int | str) and value != "" else None


def coarsest(seen: ClustersSeen, keys: tuple[str, ...]) -> str:
    """The key whose clusters make the variance: of several the one with the fewest, the first of equals.

    Args:
        seen: What all runs of the family say of the keys.
        keys: As the experiment names them, one at least.
    """
    return min(keys, key=lambda key: len({values[keys.index(key)] for _, values in seen.combinations}))
