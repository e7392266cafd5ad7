"""Counts are the same whoever counts: this process, or several over stretches of a log, one of them lost."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core import engine
from metrics_core.counting import in_strata, tabulated
from metrics_core.errors import InputError
from metrics_core.execution import SERIAL, Engine, EngineChoice
from metrics_core.experiments import Stretch, cut_log, text_of
from metrics_core.families import FAMILIES
from metrics_core.measurement import Partial, partitions, partitions_for
from metrics_core.results import MOST_SPELLED, Report
from tests.support.by_day import at_night, by_night
from tests.support.engine_tasks import MortalProcesses

EXAMPLE = Path(__file__).resolve().parents[2] / "content" / "experiments"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs are cut though they are small, and small files are digested elsewhere."""
    monkeypatch.setattr(partitions, "SMALLEST_STRETCH", 2**14)
    monkeypatch.setattr(engine, "WORTH_SENDING", 2**16)
    monkeypatch.setattr("metrics_core.experiments.stretches.CHUNK", 2**12)
    monkeypatch.setattr("metrics_core.formats.decompression.CHUNK", 2**12)


def brownfield(folder: Path, copies: int = 12) -> Path:
    """Logs whose lines stand in several stretches, each counted once, among them blank ones and some that are
    no records.
    """
    logs = folder / "runs" / "logs_big"
    logs.mkdir(parents=True)
    for path in sorted((EXAMPLE / "brownfield-2026-07" / "logs_big").glob("*.jsonl"))[:2]:
        lines = path.read_bytes().splitlines()[:40]
        more = [line.replace(b'"rep"', b'"other":1,"rep"') for line in lines[:9]]
        whole = [*lines, b"", b'{"id": 1}', *more, b"no JSON \xff"]
        some = [b"\n".join(whole[at : at + 7]) for at in range(0, len(whole), 7)]
        (logs / path.name).write_bytes(b"\n\n".join(some * copies))
    (logs / "packed.jsonl.gz").write_bytes(gzip.compress(lines[0]))
    return folder / "runs"


def layered(folder: Path, invalid: int) -> Path:
    """A family that is counted record by record."""
    logs = folder / f"layers-{invalid}" / "logs_layered"
    logs.mkdir(parents=True)
    for path in sorted((EXAMPLE / "layered-2026-07" / "logs_layered").glob("*.jsonl")):
        bad = b"".join(b"{%d}\n" % at for at in range(invalid))
        (logs / path.name).write_bytes((path.read_bytes() + bad + path.read_bytes()) * 2)
    return logs.parent


def report(folder: Path, by: Engine = SERIAL) -> Report:
    return mc.compute(mc.load(folder), workers=by)


def counted(folder: Path, by: Engine = SERIAL) -> dict[str, Any]:
    """Every run of an experiment of one family, and what is told beside them."""
    loaded = engine.digested(mc.load(folder), by)
    (family,) = engine.families_of(loaded)
    total, context = tabulated(family, loaded, engine.context_of(loaded, ()), Partial(), by)
    return {
        "runs": sorted(map(repr, in_strata(family, total, context))),
        "problems": sorted(map(repr, total.problems)),
        "findings": sorted(map(repr, (*total.findings, *total.numbered.conflicts()))),
        "costs": sorted(total.costs.items()),
        "digest": loaded.digests.data,
        **{name: getattr(total, name) for name in ("records", "invalid", "duplicates", "unknown_fields")},
    }


def cuts(folder: Path) -> int:
    """Into how many stretches its logs are cut for two workers."""
    loaded = mc.load(folder).with_snapshot()
    (family,) = (FAMILIES[name] for name in loaded.families)
    return sum(part.stretch is not None for part in partitions_for(family, loaded, 2))


@pytest.mark.usefixtures("small")
def test_the_report_is_the_same_from_processes_over_stretches_also_where_one_is_killed(
    tmp_path: Path,
) -> None:
    folders = [brownfield(tmp_path), layered(tmp_path, 3)]
    if by_night():
        folders.append(layered(tmp_path, MOST_SPELLED))
    assert all(cuts(folder) >= 4 for folder in folders)
    here = [counted(folder) for folder in folders]
    assert here[0]["duplicates"] > here[0]["records"] / 2
    assert len(here[0]["problems"]) > 10
    with MortalProcesses(2, tmp_path) as two:
        assert [counted(folder, two) for folder in folders] == here
    assert (tmp_path / "1").read_text() == "xx", "one of them was killed"


@pytest.mark.parametrize("together", [True, False])
def test_lines_that_are_no_records_are_told_up_to_a_number_and_then_counted(
    together: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways of counting, many lines at once and one by one."""
    monkeypatch.setattr("metrics_core.counting.many_lines", lambda *_: together)
    for name, bad in (("a", MOST_SPELLED + 1700), ("b", 3)):
        folder = tmp_path / f"night/logs_big/{name}.jsonl"
        folder.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps({"id": "B1", "kind": "fix", "model": "a", "change": f"x{n}"}) for n in range(bad)]
        folder.write_text("\n".join(lines) + "\n", "utf-8")
    problems = mc.compute(mc.load(tmp_path / "night")).to_json()["problems"]
    assert [row["line"] for row in problems if row["file"].endswith("a.jsonl")] == [
        None, *range(1, MOST_SPELLED + 1),
    ]  # fmt: skip
    assert [row["line"] for row in problems if row["file"].endswith("b.jsonl")] == [1, 2, 3]
    assert problems[0]["what"] == "1,700 more lines that are no records, beyond the first 1,000"


@pytest.mark.usefixtures("small")
@pytest.mark.filterwarnings("ignore")  # of the cluster's own event loops
@at_night("processes of this machine count the same, and end the same")
def test_the_report_is_the_same_from_a_cluster(tmp_path: Path) -> None:
    folders = [brownfield(tmp_path), layered(tmp_path, 3)]
    with EngineChoice("dask", 2).started(0) as cluster:
        assert [report(folder, cluster) for folder in folders] == [report(folder) for folder in folders]


def test_stretches_are_whole_lines_that_keep_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metrics_core.experiments.stretches.CHUNK", 300)
    folder = brownfield(tmp_path, copies=1)
    loaded = mc.load(folder).with_snapshot()
    path = loaded.families["brownfield"][0]
    data = (folder / path).read_bytes()
    for at_once in (1, 5_000, len(data)):
        found = cut_log(loaded, path, at_once)
        assert [b"".join(text_of(loaded, path, one)) for one in found] == [data[s:e] for s, e, _ in found]
        assert [(0, 1), *((one.stop, data[: one.stop].count(b"\n") + 1) for one in found)][:-1] == [
            (one.start, one.first) for one in found
        ]
        assert all(data[one.stop - 1 : one.stop] == b"\n" for one in found[:-1])
        assert found[-1].stop == len(data)
        assert min([one.stop - one.start for one in found[:-1]], default=at_once) >= at_once
    assert cut_log(loaded, "logs_big/packed.jsonl.gz", 1) == ()
    assert cut_log(mc.load(folder), path, 1) == (), "nobody knows yet whether it is published as it stands"
    with (folder / path).open("ab") as file:
        file.write(b"\n")
    with pytest.raises(InputError, match="has changed"):
        list(text_of(loaded, path, Stretch(0, 10, 1)))


@pytest.mark.usefixtures("small")
def test_a_log_with_a_secret_is_not_cut(tmp_path: Path) -> None:
    folder = brownfield(tmp_path)
    path = min((folder / "logs_big").glob("*.jsonl"))
    before = cuts(folder)
    key = b"-----BEGIN OPENSSH PRIVATE " + b"KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n"
    path.write_bytes(path.read_bytes() + b"\n" + key + b"-----END OPENSSH PRIVATE " + b"KEY-----\n")
    assert 0 < cuts(folder) < before
