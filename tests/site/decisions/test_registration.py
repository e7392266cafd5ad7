"""Whether the words of a decision came before its data: git's side, and which is said to have come first."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from metrics_core.errors import ClaimError
from metrics_core.results import Review
from site_src.decisions import read, registration
from site_src.decisions.model import Registered
from site_src.project.registrations import Registration, registrations
from tests.support import decision_samples as samples, sample_site

FIRST = "2026-07-06T09:00:00Z"


def words(says: str = "a", planned: int = 150, body: str = "Because.") -> bytes:
    claims = f"claims:\n  - {{says: {says}, metric: gh-2026/attempts.security, of: alpha, above: beta}}\n"
    head = f"title: T\nstatus: proposed\n{claims}registered: {{planned: {planned}}}\n"
    return f"---\n{head}---\n\n{body}\n".encode()


class Repository:
    """A repository of git with one decision in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.decisions = folder / "content" / "decisions"
        self.decisions.mkdir(parents=True)
        self.git("init", "--quiet")

    def git(self, *said: str, time: str = FIRST) -> str:
        who = {
            f"GIT_{role}_{what}": "a@b.test" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        env = {**os.environ, **who, "GIT_COMMITTER_DATE": time, "GIT_AUTHOR_DATE": time}
        done = subprocess.run(["git", *said], cwd=self.folder, env=env, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def write(self, data: bytes) -> None:
        (self.decisions / "d.md").write_bytes(data)

    def commit(self, data: bytes, time: str) -> str:
        self.write(data)
        self.git("add", "-A", time=time)
        self.git("commit", "--quiet", "--message", "x", time=time)
        return self.git("rev-parse", "HEAD")

    def found(self) -> Registration | None:
        return registrations(self.decisions, [("d.md", (self.decisions / "d.md").read_bytes())]).get("d.md")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_the_first_commit_since_which_claims_and_plan_stand_as_they_do(repository: Repository) -> None:
    repository.commit(words(says="b"), "2026-07-01T09:00:00Z")
    since = repository.commit(words(), "2026-07-02T11:30:00+02:00")
    repository.commit(words(body="Reworded below."), "2026-07-05T09:00:00Z")
    assert repository.found() == Registration(proof="committed", commit=since, time="2026-07-02T09:30:00Z")


def test_words_that_were_taken_back_and_put_again_count_from_then_on(repository: Repository) -> None:
    repository.commit(words(), "2026-07-01T09:00:00Z")
    repository.commit(words(planned=40), "2026-07-02T09:00:00Z")
    again = repository.commit(words(), "2026-07-03T09:00:00Z")
    found = repository.found()
    assert found is not None
    assert (found.commit, found.time) == (again, "2026-07-03T09:00:00Z")


def test_what_is_not_committed_as_it_stands_is_no_proof(repository: Repository) -> None:
    repository.commit(words(), "2026-07-01T09:00:00Z")
    repository.write(words(says="softer"))
    assert repository.found() == Registration(proof="not committed")


def test_without_git_or_with_a_part_of_its_history_nothing_is_proved(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit(words(), "2026-07-01T09:00:00Z")
    repository.commit(words(body="More."), "2026-07-02T09:00:00Z")
    part = tmp_path / "part"
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.folder}", str(part))
    cut = part / "content" / "decisions"
    assert registrations(cut, [("d.md", words(body="More."))])["d.md"].proof == "no history"
    (plain := tmp_path / "gone").mkdir()
    (plain / ".git").write_text("gitdir: /nowhere\n")
    assert registrations(plain, [("d.md", words())])["d.md"].proof == "no history"


def test_a_plan_of_nothing_is_a_registration_too(repository: Repository) -> None:
    data = words().replace(b"{planned: 150}", b"{}")
    since = repository.commit(data, "2026-07-01T09:00:00Z")
    found = repository.found()
    assert found is not None
    assert found.commit == since


def test_a_commit_of_a_day_that_no_calendar_has_proves_nothing(repository: Repository) -> None:
    repository.write(words())
    repository.git("add", "-A")
    tree, far = repository.git("write-tree"), "a <a@b.test> 400000000000 +0000"
    text = f"tree {tree}\nauthor {far}\ncommitter {far}\n\nx\n"
    (repository.folder / "commit").write_text(text)
    commit = repository.git("hash-object", "-t", "commit", "-w", "--literally", "commit")
    repository.git("update-ref", "HEAD", commit)
    assert repository.found() == Registration(proof="no history")


def test_a_claim_that_came_by_a_merge_counts_from_the_merge(repository: Repository) -> None:
    repository.commit(words(says="b"), "2026-07-01T09:00:00Z")
    main = repository.git("symbolic-ref", "--short", "HEAD")
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit(words(), "2026-07-02T09:00:00Z")
    repository.git("checkout", "--quiet", main)
    (repository.folder / "other").write_text("x")
    repository.git("add", "-A", time="2026-07-03T09:00:00Z")
    repository.git("commit", "--quiet", "-m", "y", time="2026-07-03T09:00:00Z")
    repository.git("merge", "--quiet", "--no-edit", "side", time="2026-08-01T09:00:00Z")
    found = repository.found()
    assert found is not None
    assert (found.commit, found.time) == (repository.git("rev-parse", "HEAD"), "2026-08-01T09:00:00Z")


def test_a_commit_that_is_replaced_here_alone_counts_as_it_is_for_others(repository: Repository) -> None:
    head = repository.commit(words(), "2026-08-01T00:00:00Z")
    early = repository.git("commit-tree", "-m", "e", "HEAD^{tree}", time="2026-07-01T00:00:00Z")
    repository.git("replace", head, early)
    found = repository.found()
    assert found is not None
    assert found.time == "2026-08-01T00:00:00Z"


def test_nothing_is_fetched_and_no_program_of_the_repository_runs(
    repository: Repository, tmp_path: Path
) -> None:
    """A partial clone lacks earlier texts, and git would ask for them by whatever its settings name."""
    repository.commit(words(says="b"), "2026-07-01T09:00:00Z")
    repository.commit(words(), "2026-07-02T09:00:00Z")
    repository.git("config", "uploadpack.allowFilter", "true")
    part, ran = tmp_path / "part", tmp_path / "ran"
    url = f"file://{repository.folder}"
    repository.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", url, str(part))
    program = tmp_path / "upload"
    program.write_text(f'#!/bin/sh\ntouch "{ran}"\nexec git-upload-pack "$@"\n')
    program.chmod(0o755)
    repository.git("-C", str(part), "config", "remote.origin.uploadpack", str(program))
    decisions = part / "content" / "decisions"
    decisions.mkdir(parents=True)
    registrations(decisions, [("d.md", words())])
    assert not ran.exists()


def test_a_decision_that_registers_nothing_is_not_asked_about(tmp_path: Path) -> None:
    assert registrations(tmp_path, [("d.md", b"---\ntitle: registered\nstatus: proposed\n---\n")]) == {}
    assert registrations(tmp_path, [("d.md", b"---\ntitle: [registered\n---\n")]) == {}


@pytest.mark.parametrize(
    ("committed", "told"),
    [
        ("2026-07-03T08:59:59Z", "Registered in commit 4f2c9e1, 3 days before the first record"),
        ("2026-07-03T09:00:01Z", "Registered in commit 4f2c9e1, 2 days before the first record"),
        ("2026-07-06T08:00:00Z", "Registered in commit 4f2c9e1, 1 hour before the first record"),
        ("2026-07-06T08:59:00Z", "Registered in commit 4f2c9e1, less than an hour before the first record"),
        ("2026-07-06T09:00:00Z", "Registered in commit 4f2c9e1, after the first record"),
        ("2026-07-29T09:00:00Z", "Registered in commit 4f2c9e1, after the first record"),
        ("2026-07-30T00:00:00Z", "Registered in commit 4f2c9e1, after the data were there"),
    ],
)
def test_which_came_first_and_by_how_much(committed: str, told: str) -> None:
    assert registration.told(samples.registered(FIRST, committed)) == told


def test_records_without_dates_and_without_records() -> None:
    judged = samples.registered(FIRST, FIRST)
    undated = tuple(
        replace(c, estimates=tuple(replace(e, stamps=None) for e in c.estimates)) for c in judged.claims
    )
    assert registration.order(replace(judged, claims=undated)) == "undated"
    assert registration.order(replace(judged, claims=())) == "no claim"
    nothing = tuple(replace(c, verdict="no data", estimates=()) for c in judged.claims)
    assert registration.order(replace(judged, claims=nothing)) == "no record"
    assert registration.order(replace(judged, registration=Registration(proof="not committed"))) == (
        "not committed"
    )
    assert registration.order(replace(judged, registration=None)) == "no history"


@pytest.mark.parametrize(
    ("committed", "order"),
    [("2026-07-01T00:00:00Z", "undated"), (FIRST, "between"), ("2026-08-01T00:00:00Z", "between")],
)
def test_a_run_without_a_date_may_be_the_first_or_the_last(committed: str, order: str) -> None:
    judged = replace(samples.registered(FIRST, committed), undated=True)
    assert registration.order(judged) == order


def test_a_run_without_a_date_is_seen_among_those_with_one() -> None:
    judged = samples.registered(FIRST, FIRST)
    e = registration.estimates(judged)[0]
    run = replace(sample_site.review(e.experiment, 0), family=e.family, group=e.group, stamp=FIRST)
    other = e.group | {"model": "a model that no claim names"}

    def rests(*runs: Review) -> bool:
        return registration.rests_on_undated(judged, lambda experiment: iter(runs))

    assert not rests(run, run)
    assert rests(run, replace(run, stamp=None), run)
    assert not rests(run, replace(run, stamp=None, group=other))
    assert not rests(run, replace(run, stamp=None, family="another"))


def test_what_came_otherwise_than_it_was_registered_departs() -> None:
    judged = samples.registered(FIRST, FIRST)
    attempts = {str(e.attempts) for e in registration.estimates(judged)}
    contracts = {e.contract.digest for e in registration.estimates(judged)}
    (one,) = registration.departures(judged)
    assert (one.what, one.registered, set(one.came), one.departs) == (
        "attempts of an arm", ("40",), attempts, attempts != {"40"},
    )  # fmt: skip
    same = replace(judged.decision, registered=Registered(contracts=tuple(contracts)))
    assert [x.departs for x in registration.departures(replace(judged, decision=same))] == [False]
    other = replace(judged.decision, registered=Registered(contracts=("sha256:" + "0" * 64,), packs=("p",)))
    assert [x.departs for x in registration.departures(replace(judged, decision=other))] == [True, True]
    for rule, departs in (("overlap", False), ("paired", True)):
        ruled = replace(judged.decision, registered=Registered(separation=rule))  # type: ignore[arg-type]
        (one,) = registration.departures(replace(judged, decision=ruled))
        assert (one.what, one.came, one.departs) == ("rule of separation", ("overlap",), departs)
    nothing = replace(judged, claims=())
    assert [x.departs for x in registration.departures(nothing)] == [False]


@pytest.mark.parametrize(
    "wrong", ["{planned: 0}", "{plannd: 3}", "3", "{contracts: 7}", "{separation: strict}"]
)
def test_a_registration_that_is_none_is_refused_with_its_line(wrong: str) -> None:
    text = f"---\ntitle: T\nstatus: proposed\nregistered: {wrong}\n---\n"
    with pytest.raises(ClaimError, match=r"d\.md:4"):
        read("decisions/d.md", text.encode())


@pytest.mark.parametrize("wrong", [
    {"proof": "committed"}, {"proof": "committed", "commit": "a" * 40, "time": "2026-99-99T00:00:00Z"},
    {"proof": "no history", "commit": "a" * 40, "time": FIRST}, {"proof": "committed", "commit": "<b>"},
    {"proof": "certain"},
])  # fmt: skip
def test_a_site_that_keeps_no_registration_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Registration)
