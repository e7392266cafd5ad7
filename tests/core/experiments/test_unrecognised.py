"""What is said of files that nothing reads: kinds, near misses, formats, and the command that helps."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core import api
from metrics_core.adapters import ADAPTERS
from metrics_core.errors import InputError
from metrics_core.experiments import unrecognised

PRINTED = b"|Tasks|Version|Filter|n-shot|Metric|\n"
RESULTS = b'{"results": {"arc": {"alias": "arc", "acc,none": 0.5}}}'
PROMPTFOO = b'{"results": {"version": 3, "results": []}}'


def made(root: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def refused(root: Path) -> InputError:
    with pytest.raises(InputError) as error:
        mc.load(root)
    assert error.value.exit_code == 1
    return error.value


def test_an_unknown_folder_is_told_what_it_holds_and_what_would_be_read(tmp_path: Path) -> None:
    files = {"b.csv": b"x", "c/d.CSV": b"x", "package.json": b"{}", "LICENSE": b"x"}
    hint = refused(made(tmp_path, files)).hint
    assert "it holds 2 .csv, 1 .json, 1 without an ending" in hint
    assert f"formats that are read: {', '.join(ADAPTERS)} (assay formats tells of each)" in hint


def test_many_kinds_are_summed_up() -> None:
    paths = tuple(f"a.{kind}" for kind in "bcdefghi")
    assert unrecognised.answer(paths, lambda path: b"x", {}) == (
        "it holds 1 .b, 1 .c, 1 .d, 1 .e, 1 .f, 1 .g, 2 others",
    )
    assert unrecognised.answer((), lambda path: b"", ADAPTERS) == ()


@pytest.mark.parametrize(
    ("name", "data", "looks"),
    [
        (
            "run.log", PRINTED,
            "the table of lm-evaluation-harness, but without samples (run with --log_samples)",
        ),
        (
            "summary.json", b'{"model": "m", "arc": {"acc,none": 0.5}}',
            "lm-evaluation-harness, but without samples (run with --log_samples)",
        ),
        (
            "promptfooconfig.yaml", b"prompts: [a]\nproviders: [echo]\n",
            "promptfoo's settings, but without results (promptfoo eval --output results.json)",
        ),
    ],
)  # fmt: skip
def test_what_a_file_nearly_is_stands_beside_what_is_missing(
    tmp_path: Path, name: str, data: bytes, looks: str
) -> None:
    assert f"{name} looks like {looks}" in refused(made(tmp_path, {name: data})).hint
    both = refused(made(tmp_path, {f"again/{name}": data})).hint
    assert f"2 files, such as {min(name, f'again/{name}')}, look like {looks}" in both


def test_the_command_for_a_table_is_spelled_with_a_file_that_may_be_one() -> None:
    table = replace(ADAPTERS["tau-bench"], format="table", claims=lambda path, head: False)
    told = unrecognised.answer(("notes.md", "rows.csv"), lambda path: b"", {"table": table})
    command = "assay import table rows.csv DEST --map task=COLUMN --map passed=COLUMN"
    assert told[-1] == f"a table of results is read by: {command}"
    told = unrecognised.answer(("notes.md",), lambda path: b"x", {"table": table})
    assert told == ("it holds 1 .md",)


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.xlsx", b"PK\x03\x04\0\0", "a.xlsx: is a workbook: save it as CSV"),
        ("a.bin", b"ab\0c", "a.bin: is binary"),
        ("a.json", b'{"a": 1,\n "b": }', "a.json: expected JSON: Expecting value at column 7 in line 2"),
        ("a.json", b"", "a.json: is empty"),
    ],
)
def test_what_is_wrong_with_a_file_by_itself_is_told(
    tmp_path: Path, name: str, data: bytes, told: str
) -> None:
    error = refused(made(tmp_path, {name: data}) / name)
    assert f"; {told}; " in error.hint
    assert "assay import table" not in error.hint


def test_two_formats_in_one_folder_are_refused_with_what_to_write(tmp_path: Path) -> None:
    error = refused(made(tmp_path, {"lm/a.json": RESULTS, "lm/b.json": RESULTS, "out.json": PROMPTFOO}))
    assert "lm-evaluation-harness (2 files), promptfoo (1 file)" in error.problem
    written = error.hint.removeprefix("write in experiment.yaml ").split("; or")[0]
    first, second = written.split(", or ")
    assert (first, second) == (
        "source: {format: lm-evaluation-harness, path: lm}",
        "source: {format: promptfoo, path: out.json}",
    )
    made(tmp_path, {"experiment.yaml": second.encode()})
    assert mc.load(tmp_path).families == {"traces": ("out.json",)}


def test_a_format_that_is_asked_for_and_not_there_says_what_is(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        api.outside(made(tmp_path, {"pf.yaml": b"prompts: [a]\ntargets: [b]\n"}), "promptfoo")
    assert error.value.problem == "holds nothing of the format that was asked for"
    assert error.value.hint.startswith("it holds 1 .yaml; pf.yaml looks like promptfoo's settings")
    assert "formats that are read" not in error.value.hint


def test_formats_that_lie_apart_are_read_each_by_itself_by_the_command_that_is_told(tmp_path: Path) -> None:
    files = {
        "it's/pf.json": PROMPTFOO.replace(b"[]", b'[{"provider": {"id": "e"}, "vars": {}, "success": true}]'),
        "runs/log.json": b'{"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}',
    }
    where = tmp_path / "mine"
    hint = refused(made(where, files)).hint
    command = hint.rpartition("read each by itself: ")[2]
    assert shlex.split(command) == ["assay", "build", "--experiments", "mine/it's", "mine/runs"]
    for place in shlex.split(command)[3:]:
        assert mc.load(tmp_path / place).adapter is not None


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b'{"results": [{"task": "a", "passed": 1}]}', "results"),
        (b'{"meta": {"n": 1}, "at": "x", "rows": [{"task": "a", "passed": 1}], "more": []}', "rows"),
        (b'{"meta": {"rows": [{"task": "a"}]}}', None),
        (b'{"rows": [1, 2]}', None),
    ],
)
def test_rows_within_an_object_are_told_with_the_command_that_reads_them(
    tmp_path: Path, data: bytes, key: str | None
) -> None:
    hint = refused(made(tmp_path, {"my runs.json": data})).hint
    command = f"jq -c '.{key}[]' 'my runs.json' | assay compute -"
    assert (command in hint) == (key is not None)
    assert ("jq" in hint) == (key is not None)
