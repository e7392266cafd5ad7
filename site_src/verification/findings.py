"""What a verification found: three facts that are never merged, and what was not looked at.

Digests match, or they do not; every number was recomputed, or some were not, or some differ; the site is
signed by a key, or it is not. "Holds" is said only where everything was checked.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct, field

from site_src.signing import NotSigned, Signed

HOLDS: Final = 0
DIFFERS: Final = 1
NOT_ALL_CHECKED: Final = 5


class Check(Struct, frozen=True):
    """One kind of check.

    Attributes:
        what: What was checked, in words.
        checked: How many things.
        faults: Every mismatch, ``where: what``.
        not_checked: Every thing that was not checked, or that could not be, and why.
    """

    what: str
    checked: int
    faults: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()


class Verification(Struct, frozen=True):
    """What a verification found.

    Attributes:
        rows: Each kind of check; the first is that of the files' digests.
        signature: Who signed the site, as far as that can be said.
        told: What is worth knowing and was not compared, such as the Python that built the site.
    """

    rows: tuple[Check, ...]
    signature: Signed | NotSigned = field(default_factory=NotSigned)
    told: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """Every mismatch."""
        return tuple(fault for row in self.rows for fault in row.faults)

    @property
    def not_checked(self) -> tuple[str, ...]:
        """Everything that was not checked."""
        return tuple(each for row in self.rows for each in row.not_checked)

    @property
    def holds(self) -> bool:
        """Whether everything was checked, and no check found a fault."""
        return self.exit_code == HOLDS

    @property
    def exit_code(self) -> int:
        """0 all holds; 1 something does not; 5 all that was checked holds, and not everything was."""
        if self.faults:
            return DIFFERS
        return NOT_ALL_CHECKED if self.not_checked else HOLDS

    @property
    def verdict(self) -> tuple[str, str, str]:
        """The state of the site in words, one fact a line."""
        words = "every published number was recomputed, and every page made again"
        if self.not_checked:
            words = "all that was checked holds, and not everything was checked"
        if self.faults:
            words = "not everything holds"
        return (
            "digests do not match" if self.rows[0].faults else "digests match",
            words,
            self.signature.words,
        )

    def to_json(self) -> dict[str, Any]:
        """As ``--json`` prints it."""
        return {
            "schema": "assay.verification/1",
            "holds": self.holds,
            "states": list(self.verdict),
            "checked": [{"what": r.what, "checked": r.checked, "faults": list(r.faults)} for r in self.rows],
            "not_checked": list(self.not_checked),
            "signature": self.signature.to_json(),
            "told": list(self.told),
        }
