"""Every error this project raises on purpose.

    AssayError
    ├── ConfigError          a setting is wrong                                   exit 1
    ├── InputError           a folder is not what it says it is                   exit 1
    │   ├── FormatError      these bytes are not of the format they claim
    │   └── DigestMismatch   the bytes are not the ones that were quoted
    ├── ContractError        an instrument broke its promise                      exit 3
    │   ├── FixtureError     a golden fixture did not give its known result
    │   └── LockError        the scorer changed but its version did not
    ├── PoolingError         unlike things would be added                         exit 1
    ├── EngineError          who was to count it is gone                          exit 1
    ├── ClaimError           prose says what the estimates do not                 exit 1
    └── PublishError         the site may not leave this machine                  exit 3
        ├── GateError        a control failed or is missing
        ├── LeakError        a secret, or a trace of the builder, stands in it
        └── StrictError      strict, and something else is wrong                  exit 4

Each reads ``where: problem (hint)``, where is ``file:line#/pointer``. Missing data is none of
these: it is a value, it is counted, and the page shows it. A bad record is none of these either:
it is a `metrics_core.formats.jsonl.Problem`, counted as invalid, and the build goes on.
"""

from __future__ import annotations


class AssayError(Exception):
    """Something is wrong, and we can say where and what to do about it.

    Args:
        problem: What was expected and what stood there, in one sentence without a full stop.
        where: ``file:line#/pointer``, a file, a folder or the name of an instrument.
        hint: What to do next; left out when there is nothing useful to say.

    >>> print(AssayError("expected a date, got 'soon'", where="prices.yaml:2", hint="write 2026-07-05"))
    prices.yaml:2: expected a date, got 'soon' (write 2026-07-05)
    """

    exit_code = 1

    def __init__(self, problem: str, *, where: str, hint: str = "") -> None:
        super().__init__(problem)
        self.problem, self.where, self.hint = problem, where, hint

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}" + (f" ({self.hint})" if self.hint else "")

    def within(self, experiment: str, slug: str, *, file: bool = False) -> AssayError:
        """The same error, its place told from where its experiment lies.

        Args:
            experiment: Path of the experiment, as its user knows it.
            slug: The name that addresses have of the experiment, which may stand in the error's place.
            file: Whether the place begins with a file of the experiment; else it may be an instrument's name.

        >>> error = ConfigError("expected a date, got 'soon'", where="july/experiment.yaml:2")
        >>> print(error.within("runs/July", "july"))
        runs/July/experiment.yaml:2: expected a date, got 'soon'
        >>> print(FixtureError("gave 0", where="plain/v1").within("runs/July", "july"))
        runs/July: plain/v1: gave 0
        """
        where = self.where
        name = experiment.rpartition("/")[2]
        if where in (experiment, name) or where.startswith((f"{experiment}/", f"{experiment}:", f"{name}:")):
            where = experiment + where.removeprefix(experiment).removeprefix(name)
            return _rebuild(type(self), self.problem, where, self.hint)
        if where == slug or where.startswith((f"{slug}/", f"{slug}:")):
            where = experiment + where.removeprefix(slug)
        else:
            where = f"{experiment}/{where}" if file else f"{experiment}: {where}"
        return _rebuild(type(self), self.problem, where, self.hint)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by keyword, so that an error crosses from a worker process whole."""
        return _rebuild, (type(self), self.problem, self.where, self.hint)


def _rebuild(kind: type[AssayError], problem: str, where: str, hint: str) -> AssayError:
    return kind(problem, where=where, hint=hint)


class ConfigError(AssayError):
    """A setting is wrong."""


class InputError(AssayError):
    """A folder is not what it says it is."""


class FormatError(InputError):
    """These bytes are not of the format that they claim."""


class DigestMismatch(InputError):
    """The bytes are not the ones that were quoted."""


class ContractError(AssayError):
    """An instrument broke its promise."""

    exit_code = 3


class FixtureError(ContractError):
    """A golden fixture did not give its known result."""


class LockError(ContractError):
    """The scorer changed but its version did not."""


class PoolingError(AssayError):
    """Unlike things would be added."""


class EngineError(AssayError):
    """Who was to count it is gone: a worker, or the scheduler of a cluster."""


class ClaimError(AssayError):
    """Prose says what the estimates do not."""


class PublishError(AssayError):
    """The site may not leave this machine."""

    exit_code = 3


class GateError(PublishError):
    """A control failed or is missing."""


class LeakError(PublishError):
    """A secret, or a trace of the builder's machine, stands in what would be published."""


class StrictError(PublishError):
    """Every gate held, but a strict build allows no other problem either."""

    exit_code = 4
