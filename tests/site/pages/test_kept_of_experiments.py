"""What depends on experiments alone is made once while these are the same, and anew where one is not."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from metrics_core.results import Report
from site_src.project import SiteExperiment, of_all
from site_src.publishing.reads import Reads, watched
from tests.support import sample_site

EXPERIMENTS = sample_site.experiments()[:3]


class Counted:
    """A function that counts how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, found: Sequence[SiteExperiment], *more: str) -> tuple[str, ...]:
        self.times += 1
        return (*(x.name for x in found), *more)


def test_it_is_made_once_while_the_experiments_are_the_same() -> None:
    make = Counted()
    first = of_all(EXPERIMENTS, make)
    assert of_all(tuple(EXPERIMENTS), make) is first
    assert make.times == 1


def test_it_is_made_anew_where_one_of_them_was_measured_again() -> None:
    make = Counted()
    of_all(EXPERIMENTS, make)
    *others, last = EXPERIMENTS
    for fresh in ([*others, replace(last)], [replace(x) for x in EXPERIMENTS]):  # equal, and others
        before = make.times
        of_all(fresh, make)
        assert make.times == before + 1


def test_it_is_made_for_each_choice_of_experiments_and_whatever_else_it_is_given() -> None:
    make = Counted()
    asked = [(EXPERIMENTS, ()), (EXPERIMENTS[:2], ()), (EXPERIMENTS[::-1], ()), (EXPERIMENTS, ("a",))]
    for found, more in asked * 2:
        assert of_all(found, make, *more, about=more) == (*(x.name for x in found), *more)
    assert make.times == len(asked)


def test_of_what_else_it_was_given_the_newest_is_kept() -> None:
    make = Counted()
    for more, times in (("a", 1), ("a", 1), ("b", 2), ("b", 2), ("a", 3)):
        assert of_all(EXPERIMENTS, make, more)[-1] == more
        assert make.times == times


def test_a_copy_of_an_experiment_keeps_nothing_of_the_one_before() -> None:
    asked: list[Report] = []

    def make(report: Report, more: str) -> str:
        asked.append(report)
        return more

    (x, *_) = EXPERIMENTS
    assert [x.of_report(make, "a"), x.of_report(make, "a"), x.of_report(make, "b")] == ["a", "a", "b"]
    assert replace(x, report=replace(x.report)).of_report(make, "a") == "a"
    assert len(asked) == 3


def test_whoever_is_given_what_was_kept_has_read_every_experiment() -> None:
    reads, make = Reads(), Counted()

    def noting(x: SiteExperiment) -> SiteExperiment:
        return watched(x, lambda: reads.note(x.name), fixed={"name": x.name})

    shown = [noting(x) for x in EXPERIMENTS]
    for _ in range(2):
        with reads.noted() as found:
            of_all(shown, make)
        assert found == {x.name for x in EXPERIMENTS}
    assert make.times == 1
