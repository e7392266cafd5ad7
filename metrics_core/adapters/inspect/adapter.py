"""Inspect logs as traces: one sample in one epoch a trace, in the order of the log.

A log with results and no samples, or with samples and neither scores nor errors, gives no trace and one
problem: a share without its runs is not an estimate. The arm is the model of the log; two tasks, versions or
sets of arguments are two suites. Every scorer of a log is one of each of its samples: a sample that it did
not reach is unknown to it. Does not: read what was said, trust the log's own results, or grade again.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct, field

from metrics_core.adapters.inspect import chunked, own_words, samples
from metrics_core.adapters.inspect.log_text import EvalLog
from metrics_core.adapters.inspect.retries import OtherTries, survey
from metrics_core.adapters.inspect.samples import Identity, SampleRun, Scores, Value
from metrics_core.formats import Adapter, Element, Made, OutsideFile, inner
from metrics_core.results import NoRuns, Problem

HELD_PLAIN = 32 * 2**20
"""Bytes of an archive's samples that are held as they are until the last; further ones are held packed."""

_BEGINS = re.compile(rb'\s*\{\s*(?:"version"\s*:\s*\d+\s*,\s*)?"(?:status|eval)"\s*:')
_LOG = re.compile(rb'"eval"\s*:\s*\{')


def claims(path: str, head: bytes) -> bool:
    """A ``.eval`` file, or text that begins as a log does, even where it breaks off there."""
    if path.endswith(".eval"):
        return True
    if not path.endswith((".json", ".txt")) or not _BEGINS.match(head):
        return False
    return bool(_LOG.search(head)) or not head.rstrip().endswith(b"}")


def convert(file: OutsideFile) -> Iterator[Made]:
    """Each sample that counts here, then what the log says of itself; its scorers are known at its end."""
    log = EvalLog.of(file.path, file.text())
    others = (file.survey or {}).get(file.path, OtherTries())
    held = _Held()
    number = 0
    for number, raw in enumerate(log.samples, start=1):
        found = samples.read(raw, log, file.path, number)
        if isinstance(found, Problem):
            held.damaged += 1
            yield found
        else:
            held.add(found, raw)
    held.complete(log.further)
    counted = [run for run in held.runs if run not in others.later and run not in others.same]
    runs = [held.runs[run] for run in counted]
    scores = _under_all(runs, log)
    if not number:
        contents = "results and no samples" if log.header.get("results") else "no samples"
        yield _nothing(file.path, log, contents)
    elif runs and not any(scores):
        yield _nothing(file.path, log, f"samples ({number}) and no scores")
        runs, scores = [], []
    for run, given in zip(runs, scores, strict=True):
        yield Element(record={**run.record, "scores": given}, source=held.source(run.identity))
    yield from own_words.told(
        own_words.LogRuns(
            path=file.path,
            log=log,
            runs=runs,
            scores=scores,
            tries=held.tries,
            damaged=held.damaged,
            others=others,
        )
    )


def _nothing(path: str, log: EvalLog, contents: str) -> NoRuns:
    return NoRuns(path, None, "samples", f"the log ({log.status}) holds {contents}: nothing can be counted")


class _Held(Struct):
    """The samples of one log: the last try of each, and their texts."""

    runs: dict[Identity, SampleRun] = field(default_factory=dict)
    texts: dict[Identity, bytes | msgspec.Raw] = field(default_factory=dict)
    packed: set[Identity] = field(default_factory=set)
    parted: set[Identity] = field(default_factory=set)
    size: int = 0
    tries: int = 0
    damaged: int = 0

    def add(self, run: SampleRun, raw: bytes | msgspec.Raw) -> None:
        """Hold one more; a slice of a log that is held whole costs nothing."""
        if run.identity in self.runs:
            self.tries += 1
            del self.runs[run.identity]  # the last try stands where it stands in the log
            self.packed.discard(run.identity)
            self.parted.discard(run.identity)
        self.runs[run.identity] = run
        self._hold(run.identity, raw)

    def complete(self, further: Iterator[bytes]) -> None:
        """Put the entries that belong to a sample into its text, where the archive holds it in several."""
        if self.parted:
            for run, parts in chunked.parts_of(further, self.parted).items():
                self._hold(run, chunked.with_parts(self.source(run), parts))

    def _hold(self, run: Identity, raw: bytes | msgspec.Raw) -> None:
        if isinstance(raw, bytes):
            if chunked.REFERS in raw:
                self.parted.add(run)
            self.size += len(raw)
            if self.size > HELD_PLAIN:
                self.packed.add(run)
                raw = zlib.compress(raw, 1)
        self.texts[run] = raw

    def source(self, run: Identity) -> bytes:
        """The text of a sample, which is then no longer held."""
        text = bytes(self.texts.pop(run))
        if run in self.packed:
            self.packed.remove(run)
            text = zlib.decompress(text)
        return _compact(text)


def _compact(text: bytes) -> bytes:
    """A sample's text without the white space in which a log's forms differ; as it is where it has NaN."""
    try:
        return msgspec.json.format(text, indent=-1)
    except msgspec.DecodeError:
        return text


def _under_all(runs: list[SampleRun], log: EvalLog) -> list[dict[str, Value]]:
    """The scores of each run under every scorer of the log; none where it has neither a score nor an error.

    A scorer of several values may leave a sample unscored as a whole: it is then unscored under each of them.
    """
    names = tuple(dict.fromkeys(name for run in runs for name in run.scores))
    several = {name.split("/", 1)[0] for name in names if "/" in name}
    whole = {name for name in names if name in several and all(run.scores.get(name) is None for run in runs)}
    scorers = tuple(name for name in names if name not in whole)
    if not scorers and any("error" in run.record for run in runs):
        scorers = _declared_scorers(log) or ("score",)
    return [_filled(run.scores, scorers) for run in runs]


def _filled(scores: Scores, scorers: tuple[str, ...]) -> dict[str, Value]:
    return {scorer: scores.get(scorer) for scorer in scorers}


def _declared_scorers(log: EvalLog) -> tuple[str, ...]:
    """Scorers as the log's header names them."""
    declared = log.eval.get("scorers")
    named: list[Mapping[str, object]] = [each for each in declared or [] if isinstance(each, dict)]
    single = inner(inner(log.header, "results"), "scorer").get("name")
    return tuple(str(each["name"]) for each in named if each.get("name")) or (
        (str(single),) if single else ()
    )


ADAPTER = Adapter(
    format="inspect",
    title="Inspect logs",
    family="traces",
    module=__name__,
    claims=claims,
    convert=convert,
    whole=False,
    example="logs/2026-01-02T03-04-05+00-00_arc_AbCdEf.eval",
    reads="each scorer's score of each sample and epoch, the answer, errors, limits, edits, tokens, time and "
    "retries; JSON logs of versions 1 to 4 as well",
    survey=survey,
)
