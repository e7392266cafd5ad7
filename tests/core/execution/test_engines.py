"""Tasks done in other processes: the same results in the same order, also where a worker is lost."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from metrics_core.errors import ConfigError, EngineError, InputError
from metrics_core.execution import SERIAL, EngineChoice
from metrics_core.execution.choice import WORTH_IT
from metrics_core.execution.cluster import Dask, done_alike
from metrics_core.execution.processes import Processes
from tests.support.by_day import at_night
from tests.support.engine_tasks import ended, failed, killed_once, left_behind, process, squared


@pytest.fixture(scope="module")
def two() -> Iterator[Processes]:
    with Processes(2) as engine:
        yield engine


def test_results_come_in_the_order_of_the_tasks_whichever_ended_first(two: Processes) -> None:
    tasks = [(0.2, 3), (0.0, 1), (0.0, 2), (0.0, 5)]
    assert [*two.map(squared, 10, tasks)] == [*SERIAL.map(squared, 10, tasks)] == [19, 11, 14, 35]
    assert [*two.map(squared, 0, [])] == []


def test_an_error_is_raised_in_its_turn_and_the_next_map_is_right(two: Processes) -> None:
    found = two.map(failed, 2, [0, 1, 2, 3, 4])
    assert [next(found), next(found)] == [0, 1]
    with pytest.raises(InputError, match="no line 2") as raised:
        next(found)
    assert str(raised.value) == "logs/a.jsonl: no line 2 (ask again)"
    assert [*two.map(squared, 0, [(0.0, 4)])] == [16]


def test_an_error_that_cannot_be_sent_is_told_in_words(two: Processes) -> None:
    with pytest.raises(RuntimeError, match=r"LocalError: only here"):
        list(two.map(left_behind, None, [0]))


def test_a_task_whose_worker_is_killed_is_done_again_and_no_other_is(two: Processes, tmp_path: Path) -> None:
    tasks = [0, 1, 2, 3]
    assert [*two.map(killed_once, (tmp_path, 1), tasks)] == tasks
    assert [len((tmp_path / str(task)).read_text()) for task in tasks] == [1, 2, 1, 1]


def test_a_task_that_kills_two_workers_is_named(two: Processes) -> None:
    with pytest.raises(EngineError) as raised:
        list(two.map(ended, None, ["logs/b.jsonl, bytes 5 to 9"]))
    assert str(raised.value) == (
        "logs/b.jsonl, bytes 5 to 9: the process that read it was killed by signal 9, as was the one before "
        "it (perhaps memory ran out: take fewer --workers, or --engine serial)"
    )


def test_maps_may_take_turns_and_processes_end_with_their_engine() -> None:
    with Processes(1) as engine:
        first = engine.map(squared, 0, [(0.0, 1), (0.0, 2)])
        assert next(first) == 1
        (number,) = engine.map(process, None, [0])
        assert next(first) == 4
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_few_bytes_are_counted_here_and_many_in_processes_unless_asked_otherwise() -> None:
    with EngineChoice().started(WORTH_IT - 1) as engine:
        assert engine is SERIAL
    with EngineChoice("serial").started(WORTH_IT) as engine:
        assert engine is SERIAL
    with EngineChoice(workers=3).started(0) as engine:
        assert engine.workers == 3
    with EngineChoice("processes", 2).started(0) as engine:
        assert engine.workers == 2


@pytest.mark.parametrize(
    "asked, told",
    [
        (("serial", 2, ""), "--workers: this engine does not start any"),
        (("dask", 2, "tcp://a:1"), "--workers: this engine does not start any"),
        (("", 0, "tcp://a:1"), "--scheduler: only --engine dask has a scheduler"),
        (("processes", -1, ""), "--workers: expected 1 or more, got -1"),
    ],
)
def test_what_does_not_go_together_is_refused(asked: tuple[str, int, str], told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        EngineChoice(*asked)
    assert str(raised.value).startswith(told)


# ------------------------------------------------------------------------------------------- Dask


def test_a_worker_that_runs_another_program_is_refused() -> None:
    answer = pickle.loads(done_alike("3.0 other", b"", b""))
    assert isinstance(answer.error, EngineError)
    assert "runs another version" in str(answer.error)


def test_without_dask_its_package_is_named() -> None:
    script = (
        "import sys; sys.modules['distributed'] = None\nfrom metrics_core.execution.cluster import Dask\n"
    )
    script += "try: Dask('', 1)\nexcept Exception as e: print(e)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "--engine dask: Dask is not installed (pip install 'assay-report[dask]')\n"


@pytest.mark.filterwarnings("ignore")  # of its own event loops
@at_night("processes of this machine count the same, and end the same")
def test_a_cluster_gives_the_same_also_where_a_worker_is_killed(tmp_path: Path) -> None:
    tasks = [(0.0, n) for n in range(6)]
    with Dask("", 2) as cluster:
        assert cluster.workers == 2
        assert [*cluster.map(squared, 10, tasks)] == [*SERIAL.map(squared, 10, tasks)]
        with pytest.raises(InputError, match="no line 2"):
            list(cluster.map(failed, 2, [0, 1, 2, 3]))
        assert [*cluster.map(killed_once, (tmp_path, 1), [0, 1, 2, 3])] == [0, 1, 2, 3]
        with pytest.raises(EngineError) as raised:
            list(cluster.map(ended, None, ["logs/b.jsonl, bytes 5 to 9"]))
    assert str(raised.value).startswith("logs/b.jsonl, bytes 5 to 9: 4 workers ended before it was read")


@pytest.mark.filterwarnings("ignore")
@at_night("processes of this machine count the same, and end the same")
def test_a_scheduler_that_goes_is_told() -> None:
    from distributed import LocalCluster

    scheduler = LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    cluster = Dask(scheduler.scheduler_address, 0)
    found = cluster.map(squared, 0, [(0.0, 1), (5.0, 2)])
    assert next(found) == 1
    scheduler.close()
    with pytest.raises(EngineError) as raised:
        next(found)
    assert str(raised.value).startswith(f"{cluster._where}: the scheduler is gone")
    cluster.__exit__(None, None, None)
    with pytest.raises(EngineError, match="no scheduler answers"):
        Dask("tcp://127.0.0.1:9", 0)


def test_where_no_scheduler_answers_it_is_told_at_once_and_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        for address, why in (
            (f"tcp://127.0.0.1:{port}", "timed out"),
            ("foo://x", "expected an address such as tcp://host:8786, got 'foo://x'"),
            ("tcp://127.0.0.1:port", "Port could not be cast"),
        ):
            with pytest.raises(EngineError, match=why) as raised:
                Dask(address, 0)
            assert str(raised.value).startswith(f"{address}: no scheduler answers: ")
            assert "\n" not in str(raised.value)
    with pytest.raises(EngineError, match="refused"):
        Dask(f"127.0.0.1:{port}", 0)
