"""Everything that is known of earlier editions: their chain, what was withdrawn, what was renamed.

Does: read the files of ``content/editions/``, which are bytes by name here, and say what a build is compared
with. Does not: touch a disk. The site publishes the same files, so that a copy of it can be checked alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from metrics_core.errors import FormatError
from metrics_core.problem import quoted
from metrics_core.vocabulary import Vocabulary
from site_src.editions import record
from site_src.editions.edition import Edition
from site_src.editions.lists import (
    RENAMED,
    WITHDRAWN,
    Renamed,
    Withdrawn,
    read_renamed,
    read_withdrawn,
)
from site_src.editions.withdrawn import Redirect, Tombstone, redirects, tombstones

FOLDER = "data/editions/"
"""Where a site publishes its editions, each file under the name that it has in the content folder."""

_NAME = re.compile(r"([0-9]{4}|[1-9][0-9]{4,})\.json")
"""One spelling a number, so that none has two files, of which only one would be read."""


@dataclass(frozen=True, slots=True)
class History:
    """The editions of a site and what became of their pages.

    Attributes:
        files: Name -> bytes of what was read, as it is published.
        editions: In the order of their numbers.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    editions: tuple[Edition, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    renamed: tuple[Renamed, ...] = ()

    def worded(self, words_of: Callable[[str], Vocabulary | None]) -> History:
        """The same editions, whose estimates have their family's words: a file of an edition keeps none.

        Args:
            words_of: Gives the words of a family, by its name.
        """
        told = tuple(
            replace(
                edition,
                estimates=tuple(replace(e, words=words_of(e.family)) for e in edition.estimates),
            )
            for edition in self.editions
        )
        return replace(self, editions=told)

    @property
    def last(self) -> Edition | None:
        """The edition that was published last; None before the first."""
        return self.editions[-1] if self.editions else None

    def published_as(self, build_digest: str) -> Edition | None:
        """The last edition, if a build is the one that was published as it."""
        return self.last if self.last and self.last.build_digest == build_digest else None

    def before(self, build_digest: str) -> Edition | None:
        """The edition that a build is compared with: the last one that is not this build itself."""
        others = self.editions[:-1] if self.published_as(build_digest) else self.editions
        return others[-1] if others else None

    def gone(self, present: Collection[str]) -> tuple[tuple[Tombstone, ...], tuple[Redirect, ...]]:
        """Tombstones and redirects beside the pages that the site has.

        Raises:
            ConfigError: ``file:line`` of what was written of a page and is not so.
        """
        stones = tombstones(self.editions, self.withdrawn, self.renamed, present)
        return stones, redirects(self.renamed, present, [stone.page.path for stone in stones])


def read(files: Mapping[str, bytes]) -> History:
    """The history that lies in a folder.

    Args:
        files: Name -> bytes of each regular file directly in ``content/editions/``; files that are neither an
            edition nor one of the two lists are refused, since they would be taken for kept.

    Raises:
        FormatError: A file is not what its name says, or the chain of editions is broken.
        ConfigError: ``file:line`` of a list that is not one.
    """
    numbered = {}
    for name in sorted(files):
        found = _NAME.fullmatch(name)
        if found:
            numbered[int(found[1])] = name
        elif name not in (WITHDRAWN, RENAMED):
            raise FormatError(
                "is neither an edition nor a list of pages that went",
                where=f"editions/{quoted(name)[1:-1]}",
                hint=f"0001.json, {WITHDRAWN} or {RENAMED}",
            )
    editions = []
    for number in sorted(numbered):
        name = numbered[number]
        edition = record.read(files[name], name)
        if record.file_name(edition.number) != name:
            raise FormatError(f"holds edition {edition.number}", where=f"{name}#/number")
        editions.append(edition)
    record.chain(editions)
    return History(
        files=dict(sorted(files.items())),
        editions=tuple(editions),
        withdrawn=read_withdrawn(files.get(WITHDRAWN, b"")),
        renamed=read_renamed(files.get(RENAMED, b"")),
    )
