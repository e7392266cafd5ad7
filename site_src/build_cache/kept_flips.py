"""What would flip a claim, as an earlier build found it: runs are counted for that, one after another.

A claim is asked for by all that it says, its verdict and its numbers, and by the digests of the experiments
of these numbers. All else that a build depends on, the program among it, is as it was where parts are taken
over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from metrics_core.digest import canonical, of_bytes
from site_src.decisions import Flip, JudgedClaim, JudgedDecision

MOST = 4_096
"""Answers that are kept; those that were found or asked for last."""

Answers = dict[str, tuple[str, int | None]]
"""Digest of a claim, as it stands -> the sentence, and how many runs that is."""


class KeptFlips:
    """The answers of one build, each from an earlier one or found now.

    Attributes:
        found: Those that were asked for, until they are sent to another process.
    """

    def __init__(self) -> None:
        self.found: Answers = {}
        self._earlier: Answers = {}
        self._experiments: Mapping[str, str] = {}

    def begin(self, experiments: Mapping[str, str], earlier: Answers) -> None:
        """From now on answers are taken over and kept.

        Args:
            experiments: Name -> digest of its files.
            earlier: What a build found of which all else was the same.
        """
        self._experiments, self._earlier = experiments, earlier

    def kept(self) -> Answers:
        """All that is known, for the next build."""
        return dict([*{**self._without_found(), **self.found}.items()][-MOST:])

    def of(self, decisions: Sequence[JudgedDecision]) -> tuple[JudgedDecision, ...]:
        """The same decisions, whose claims ask here first what would flip them."""
        return tuple(
            replace(each, claims=tuple(replace(c, find_flip=partial(self._flip, c)) for c in each.claims))
            for each in decisions
        )

    def _flip(self, judged: JudgedClaim) -> Flip:
        rests_on = sorted({e.experiment for e in judged.estimates})
        if not all(name in self._experiments for name in rests_on):
            return judged.flip()
        key = of_bytes(canonical([repr(judged), *(self._experiments[name] for name in rests_on)]))
        known = self.found.get(key) or self._earlier.get(key)
        flip = judged.flip() if known is None else Flip(*known)
        self.found[key] = (flip.words, flip.runs)
        return flip

    def _without_found(self) -> Answers:
        return {key: answer for key, answer in self._earlier.items() if key not in self.found}
