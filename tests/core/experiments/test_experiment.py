"""An experiment folder as a harness left it: what is found, what is refused, and that nothing gets out."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import metrics_core as mc
from metrics_core.errors import ConfigError, ContractError, FormatError, InputError, LeakError
from metrics_core.experiments import experiment as folder, settings
from metrics_core.experiments.experiment import Experiment, load_experiment, slug
from metrics_core.experiments.files import opened, printable
from metrics_core.experiments.files.on_disk import walk
from metrics_core.experiments.stretches import row_batches
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.formats import strict_yaml
from metrics_core.formats.adapter import Adapter
from metrics_core.formats.jsonl import Row
from metrics_core.redaction.redactor import BuilderIdentity, Redactor
from metrics_core.results.problem import Problem

LAYOUT = {"logs_big": "brownfield", "logs": "matrix", "attempts/": "attempts", "traces": "traces"}
RECORD = {"id": "B1", "kind": "fix", "model": "alpha", "change": 1.0, "stamp": "2026-07-05"}
LINE = json.dumps(RECORD).encode() + b"\n"
TOKEN = "ghp" + "_" + "a1B2" * 9
CONTRACT = b"CONTRACT_ID = 'm/v1'\nFIXTURES = []\n\n\ndef score_trace(trace):\n    return 1.0\n"


def made(root: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def look(root: Path, redactor: Redactor | None = None) -> Experiment:
    return load_experiment(root, layout=LAYOUT, redactor=redactor)


def rows(experiment: Experiment, path: str) -> list[Row | Problem]:
    return [item for batch in row_batches(experiment, path, BrownfieldRun) for item in batch]


# ------------------------------------------------------------------ what is found


def test_a_folder_without_a_manifest_works(tmp_path: Path) -> None:
    root = made(
        tmp_path / "gh-2026",
        {
            "logs_big/b.jsonl": LINE,
            "logs_big/a.jsonl": LINE,
            "logs_big/README.md": b"#",
            "logs_big/deep/c.jsonl": LINE,
            "attempts/ff/manifest.json": b"{}",
            "attempts/aa/events.jsonl": b"",
            "attempts/index.json": b"{}",
            "logs/notes.txt": b"",
            "other/x.jsonl": LINE,
        },
    )
    found = look(root)
    assert (found.slug, found.title) == ("gh-2026", "gh-2026")
    assert found.families == {
        "attempts": ("attempts/aa/events.jsonl", "attempts/ff/manifest.json"),
        "brownfield": ("logs_big/a.jsonl", "logs_big/b.jsonl"),
    }
    assert tuple(found.not_records) == (
        "logs_big/README.md",
        "logs_big/deep/c.jsonl",
        "logs/notes.txt",
        "attempts/index.json",
    )
    assert len(found.entries) == 9
    assert [row.record.id for row in rows(found, "logs_big/a.jsonl")] == ["B1"]  # type: ignore[union-attr]


def test_instruments_and_controls_come_along(tmp_path: Path) -> None:
    root = made(
        tmp_path / "e",
        {
            "traces/a.jsonl": b"",
            "logs_big/a.jsonl": LINE,
            "contracts/metric.py": b"from part import X\n" + CONTRACT,
            "contracts/part.py": b"X = 1\n",
            "controls/sanity.json": b'{"at": "/home/alice/x"}',
            "controls/notes.txt": b"",
            "pricing/p.yaml": b"fetched: 2026-07-05\nmodels: {a: {input: 1, output: 2}}\n",
            "eval_pack/tasks.json": b'[{"id": "t1"}]',
        },
    )
    found = look(root, Redactor(builder=BuilderIdentity(home="/home/alice")))
    assert [contract.id for contract in found.contracts] == ["m/v1"]
    assert found.controls == {"controls/sanity.json": b'{"at": "[redacted:builder-home]/x"}'}
    assert [table.fetched for table in found.prices] == ["2026-07-05"]
    assert found.pack is not None
    assert found.pack.task("t1") is not None


def test_settings_name_and_describe(tmp_path: Path) -> None:
    text = f"title: Halden {TOKEN}\nmodels: {{alpha: Alpha 1}}\n".encode()
    found = look(made(tmp_path / "e", {"logs_big/a.jsonl": LINE, "experiment.yaml": text}))
    assert found.title == "Halden [redacted:github-token]"
    assert found.settings.shown("alpha") == "Alpha 1"
    assert found.settings.shown("beta") == "beta"


def test_a_source_stands_for_a_family(tmp_path: Path) -> None:
    root = made(
        tmp_path / "e",
        {"runs/x/y.json": b"{}", "experiment.yaml": b"source: {format: lines, path: runs}"},
    )
    lines = Adapter(
        format="lines", title="Lines", family="traces", module="lines",
        claims=lambda path, head: path.endswith(".json") and head == b"{}",
        convert=lambda path, data: iter(()),
    )  # fmt: skip
    found = load_experiment(root, layout=LAYOUT, adapters={"lines": lines})
    assert found.settings.source == settings.Source("lines", "runs")
    assert found.families == {"traces": ("runs/x/y.json",)}
    assert found.adapter is lines


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gh-2026", "gh-2026"),
        ("a", "a"),
        ("x" * 40, "x" * 40),
        ("GH-2026", "gh-2026-"),
        ("a b", "a-b-"),
        ("é", "experiment-"),
        ("..", "experiment-"),
        ("a_b", "a-b-"),
        ("x" * 41, "x" * 40 + "-"),
        ("a-", "a-"),
        ("<script>", "script-"),
        ("日本", "experiment-"),
        ("a\udcff", "a-"),
    ],
)
def test_a_slug_is_safe_and_names_stay_apart(name: str, expected: str) -> None:
    made_of = slug(name)
    if made_of != name:
        assert made_of[: len(expected)] == expected
        assert made_of[len(expected) :] == hashlib.sha256(os.fsencode(name)).hexdigest()[:8]
    assert set(made_of) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(made_of) <= 49


# ------------------------------------------------------------------ what is no experiment


@pytest.mark.parametrize(
    ("files", "path", "problem", "hint"),
    [
        ({"x": b""}, "nowhere", "there is no such file or folder", ""),
        (
            {"e/logs_big/a.jsonl": LINE},
            "e/logs_big/a.jsonl",
            "holds no logs that are read here",
            "it holds 1 .jsonl",
        ),
        ({"e/x.txt": b""}, "e", "holds no logs of any family", "logs_big/"),
        ({"e/logs_big/a.csv": b""}, "e", "holds no logs of any family", "logs_big/"),
        (
            {"e/logs_big/a.jsonl": LINE},
            "e/logs_big",
            "holds no logs of any family",
            "name the folder around it: e",
        ),
        ({"all/e1/logs_big/a.jsonl": LINE}, "all", "holds no logs of any family", "such as e1"),
    ],
)
def test_what_is_no_experiment_is_told_with_a_hint(
    tmp_path: Path, files: dict[str, bytes], path: str, problem: str, hint: str
) -> None:
    made(tmp_path, files)
    with pytest.raises(InputError) as refused:
        look(tmp_path / path)
    assert problem in refused.value.problem
    assert hint in refused.value.hint


def test_an_empty_folder_is_no_experiment(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no logs"):
        look(tmp_path)


def test_the_same_log_in_two_wrappings_is_refused(tmp_path: Path) -> None:
    root = made(tmp_path / "e", {"logs_big/a.jsonl": LINE, "logs_big/a.jsonl.gz": gzip.compress(LINE)})
    with pytest.raises(InputError, match=r"the same log as logs_big/a\.jsonl, packed in another way"):
        look(root)


def read_settings(text: bytes) -> settings.Settings:
    return settings.read_settings(strict_yaml.parse(text, "experiment.yaml"))


@pytest.mark.parametrize(
    ("text", "place", "problem", "hint"),
    [
        ("titel: x", "1#/titel", "expected one of title, description", "nearest: title"),
        ("title: x\nmodel: {a: b}", "2#/model", 'labelled, headline, got "model"', "nearest: models"),
        ("zzzz: 1", "1#/zzzz", "expected one of title, description", ""),
        ("- a", "1", "expected {title, description", ""),
        ("title: 3", "1#/title", "expected text, got 3", "quotation marks"),
        ("title: ''", "1#/title", 'expected text, got ""', ""),
        ("models:\n  a: X\n  b: X", "3#/models/b", '"a" and "b" would both be shown as "X"', "never merge"),
        ("models: [a]", "1#/models", 'expected a mapping, got ["a"]', ""),
        ("models: {a: 1}", "1#/models/a", "expected text, got 1", ""),
        ("separation: none", "1#/separation", "expected one of overlap, paired", ""),
        (
            "evaluators:\n  s1: state\n  s2: stat",
            "3#/evaluators/s2",
            "expected one of assertion, judge, state",
            "",
        ),
        ("contracts: m.py", "1#/contracts", "expected a list of {file, from}", ""),
        (
            "contracts:\n  - file: m.py\n    form: 2026-07-05",
            "3#/contracts/0/form",
            'expected one of file, from, got "form"',
            "nearest: from",
        ),
        ("contracts:\n  - {from: 2026-07-05}", "2#/contracts/0/file", "expected text, got null", ""),
        ("contracts:\n  - {file: m.py, from: soon}", "2#/contracts/0/from", "expected a date", ""),
        ("source: agentdojo", "1#/source", "expected {format, path, map, decimal_comma, words}", ""),
        ("source: {path: x}", "1#/source/format", "expected text, got null", ""),
        ("cluster: [repo, 1]", "1#/cluster/1", "expected text, got 1", ""),
        ("gates: strict", "1#/gates", "expected a mapping", ""),
        ("gates:\n  sanity: require", "2#/gates/sanity", "expected one of", "nearest: required"),
        ("gates:\n  sanity: 5", "2#/gates/sanity", "expected one of optional, required, got 5", ""),
        ("gates:\n  sanity: waived", "2#/gates/sanity", 'got "waived"', ""),
    ],
)
def test_a_wrong_setting_is_told_with_its_line(text: str, place: str, problem: str, hint: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_settings(text.encode())
    assert refused.value.where == f"experiment.yaml:{place}"
    assert problem in refused.value.problem
    assert hint in refused.value.hint


def test_settings_are_what_was_written() -> None:
    text = b"""
title: "Halden"
description: >-
  Two
  lines.
models: {alpha: "Alpha"}
names: {B1: "Bulk"}
workflows: {w.yml: alpha}
cluster: repo
prices: 2026-07-05
gates: {sanity: required}
contracts: [{file: a.py}, {file: b.py, from: 2026-07-01}]
evaluators: {s1: judge}
separation: paired
check_classes: {smoke: syntax}
source: {format: inspect}
grader_version: 3
"""
    assert read_settings(text) == settings.Settings(
        title="Halden",
        description="Two lines.",
        models={"alpha": "Alpha"},
        names={"B1": "Bulk"},
        workflows={"w.yml": "alpha"},
        cluster=("repo",),
        prices="2026-07-05",
        gates={"sanity": "required"},
        contracts=(settings.ContractUse("a.py"), settings.ContractUse("b.py", "2026-07-01")),
        evaluators={"s1": "judge"},
        separation="paired",
        check_classes={"smoke": "syntax"},
        source=settings.Source("inspect", "."),
        grader_version="3",
    )
    assert read_settings(b"# nothing") == read_settings(b"title:") == settings.Settings()


def test_an_alias_cannot_take_another_arms_name() -> None:
    stated = read_settings(b"models: {alpha: beta}")
    assert stated.shown("alpha") == "beta"
    with pytest.raises(ConfigError, match="another arm's name"):
        stated.shown("beta")
    swapped = read_settings(b"models: {alpha: beta, beta: alpha}")
    assert (swapped.shown("alpha"), swapped.shown("beta")) == ("beta", "alpha")


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({"experiment.yaml": b"title: no"}, FormatError),
        ({"experiment.yaml": b"title: \xff"}, FormatError),
        ({"pricing/p.yaml": b"fetched: soon"}, FormatError),
        ({"contracts/m.py": b"CONTRACT_ID = 7\n"}, ContractError),
        ({"eval_pack/x.txt": b""}, InputError),
    ],
)
def test_a_broken_instrument_is_an_error(
    tmp_path: Path, files: dict[str, bytes], error: type[Exception]
) -> None:
    with pytest.raises(error):
        look(made(tmp_path / "e", {"logs_big/a.jsonl": LINE, **files}))


# ------------------------------------------------------------------ digests and what is published


def shell_digest(root: Path) -> str:
    """Of records and evidence; contracts, packs and prices have digests of their own."""
    own = "-path './contracts/*' -o -path './pricing/*' -o -path './eval_pack*'"
    recipe = f"find . -type f ! '(' {own} ')' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum"
    run = subprocess.run(["sh", "-c", recipe], cwd=root, capture_output=True, check=True)
    return "sha256:" + run.stdout.split()[0].decode()


def publish(experiment: Experiment, target: Path) -> Path:
    """The folder that the site would carry."""
    for file in experiment.with_snapshot().digests.files:
        data = experiment.published(file)
        made(target, {file.published: data})
        assert file.size == len(data)
    return target


def test_the_data_digest_is_the_shells_and_that_of_the_published_copy(tmp_path: Path) -> None:
    root = made(
        tmp_path / "e",
        {
            "logs_big/a.jsonl": LINE,
            "logs_big/b.jsonl.gz": gzip.compress(LINE, mtime=0),
            "logs_big/.hidden.jsonl": b"x",
            "logs_big/e\nf.jsonl": b"y",
        },
    )
    found = look(root)
    assert found.with_snapshot().digests.data == found.with_snapshot().digests.source == shell_digest(root)
    assert found.with_snapshot().digests.redacted == {}
    copy = look(publish(found, tmp_path / "other" / "name"))
    assert copy.with_snapshot().digests.data == found.with_snapshot().digests.data


def test_what_reads_the_records_is_no_part_of_their_digest(tmp_path: Path) -> None:
    files = {"logs_big/a.jsonl": LINE, "contracts/m.py": CONTRACT, "controls/x.json": b"{}"}
    first = look(made(tmp_path / "e", files)).with_snapshot().digests
    assert first.data == first.source == shell_digest(tmp_path / "e")
    made(tmp_path / "e", {"contracts/m.py": CONTRACT + b"# a comment\n"})
    second = look(tmp_path / "e").with_snapshot().digests
    assert (second.data, second.source) == (first.data, first.source)
    assert second.instruments != first.instruments
    made(tmp_path / "e", {"controls/x.json": b"[]"})
    assert look(tmp_path / "e").with_snapshot().digests.data != first.data


def test_a_redacted_folder_has_two_digests_and_its_copy_has_one(tmp_path: Path) -> None:
    secret = json.dumps({**RECORD, "note": TOKEN}).encode() + b"\n"
    root = made(
        tmp_path / "e",
        {
            "logs_big/a.jsonl": LINE + secret,
            "logs_big/b.jsonl.gz": gzip.compress(secret, mtime=0),
            "attempts/1/stdout.log": f"token {TOKEN}\n".encode(),
            "logs_big/c.jsonl": LINE,
        },
    )
    found = look(root)
    assert found.with_snapshot().digests.source == shell_digest(root)
    assert found.with_snapshot().digests.data != found.with_snapshot().digests.source
    assert found.with_snapshot().digests.redacted == {"github-token": 3}
    published = publish(found, tmp_path / "copy" / "e")
    assert {p.relative_to(published).as_posix() for p in published.rglob("*") if p.is_file()} == {
        "logs_big/a.jsonl",
        "logs_big/b.jsonl",
        "attempts/1/stdout.log",
        "logs_big/c.jsonl",
    }
    assert TOKEN.encode() not in b"".join(p.read_bytes() for p in published.rglob("*") if p.is_file())
    copy = look(published)
    digests = copy.with_snapshot().digests
    assert shell_digest(published) == digests.data == digests.source == found.with_snapshot().digests.data
    assert [row.raw for row in rows(copy, "logs_big/b.jsonl")] == [  # type: ignore[union-attr]
        row.raw
        for row in rows(found, "logs_big/b.jsonl.gz")  # type: ignore[union-attr]
    ]
    assert (root / "logs_big" / "a.jsonl").read_bytes() == LINE + secret


def test_a_snapshot_takes_the_digests_that_are_known(tmp_path: Path) -> None:
    root = made(tmp_path / "e", {"logs_big/a.jsonl": LINE, "logs_big/b.jsonl": LINE})
    first = look(root).with_snapshot()
    known = dict(zip(first.entries.values(), first.digests.files, strict=True))
    assert look(root).with_snapshot(known).digests == first.digests
    (root / "logs_big/b.jsonl").write_bytes(LINE * 2)
    assert look(root).with_snapshot(known).digests.data == shell_digest(root) != first.digests.data


@pytest.mark.parametrize(
    "path", ["contracts/m.py", "eval_pack/tasks.json", "eval_pack/deep/x", "eval_pack.sums"]
)
def test_a_secret_in_what_is_quoted_is_a_leak(tmp_path: Path, path: str) -> None:
    files = {"logs_big/a.jsonl": LINE, "eval_pack/tasks.json": b'[{"id": "t"}]', path: CONTRACT}
    if path == "eval_pack/tasks.json":
        files[path] = json.dumps([{"id": "t", "inputs": TOKEN}]).encode()
    else:
        files[path] = CONTRACT.replace(b"CONTRACT_ID", b"#CONTRACT_ID") + f"# {TOKEN}\n".encode()
    with pytest.raises(LeakError, match="1 github-token"):
        _ = look(made(tmp_path / "e", files)).with_snapshot().digests.data


def test_a_secret_in_a_name_is_a_leak(tmp_path: Path) -> None:
    with pytest.raises(LeakError, match="its name holds a github-token") as leak:
        look(made(tmp_path / "e", {f"logs_big/{TOKEN}.jsonl": LINE}))
    assert TOKEN not in str(leak.value)
    with pytest.raises(LeakError, match="its name holds a github-token") as leak:
        look(made(tmp_path / TOKEN, {"logs_big/a.jsonl": LINE}))
    assert TOKEN not in str(leak.value)


# ------------------------------------------------------------------ containment


def test_links_and_pipes_are_named_and_not_read(tmp_path: Path) -> None:
    made(tmp_path, {"outside.jsonl": LINE, "secret/x.jsonl": LINE})
    root = made(tmp_path / "e", {"logs_big/a.jsonl": LINE})
    (root / "logs_big" / "link.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (root / "logs_big" / "inner.jsonl").symlink_to("a.jsonl")
    (root / "logs").symlink_to(tmp_path / "secret")
    os.mkfifo(root / "logs_big" / "pipe.jsonl")
    found = look(root)
    assert found.families == {"brownfield": ("logs_big/a.jsonl",)}
    assert [str(problem) for problem in found.problems] == [
        "logs: a symbolic link is not read",
        "logs_big/inner.jsonl: a symbolic link is not read",
        "logs_big/link.jsonl: a symbolic link is not read",
        "logs_big/pipe.jsonl: a named pipe is not read",
    ]
    for path in ("../outside.jsonl", "logs/x.jsonl", "logs_big/link.jsonl", "/etc/passwd", "", "logs_big"):
        with pytest.raises(InputError, match="there is no such file"):
            found.open_published(path)


def swapped_for_a_link(root: Path, tmp_path: Path) -> None:
    (root / "logs_big/a.jsonl").unlink()
    (root / "logs_big/a.jsonl").symlink_to(tmp_path / "outside.jsonl")


def folder_swapped_for_a_link(root: Path, tmp_path: Path) -> None:
    (root / "logs_big").rename(tmp_path / "moved")
    (root / "logs_big").symlink_to(tmp_path / "moved")


def swapped_for_a_pipe(root: Path, tmp_path: Path) -> None:
    (root / "logs_big/a.jsonl").rename(tmp_path / "gone")
    os.mkfifo(root / "logs_big/a.jsonl")


def swapped_for_a_folder(root: Path, tmp_path: Path) -> None:
    (root / "logs_big/a.jsonl").rename(tmp_path / "gone")
    (root / "logs_big/a.jsonl").mkdir()


def removed(root: Path, tmp_path: Path) -> None:
    (root / "logs_big/a.jsonl").rename(tmp_path / "gone")


def grown(root: Path, tmp_path: Path) -> None:
    with (root / "logs_big/a.jsonl").open("ab") as file:
        file.write(LINE)
    (tmp_path / "touched").touch()


def replaced_by_a_twin(root: Path, tmp_path: Path) -> None:
    file = root / "logs_big/a.jsonl"
    told = file.stat()
    file.rename(tmp_path / "gone")
    file.write_bytes(LINE)
    os.utime(file, ns=(told.st_atime_ns, told.st_mtime_ns))


@pytest.mark.parametrize(
    "change",
    [
        swapped_for_a_link,
        folder_swapped_for_a_link,
        swapped_for_a_pipe,
        swapped_for_a_folder,
        removed,
        grown,
        replaced_by_a_twin,
    ],
)
def test_a_file_that_is_no_longer_what_it_was_is_an_error(
    tmp_path: Path, change: Callable[[Path, Path], None]
) -> None:
    made(tmp_path, {"outside.jsonl": LINE})
    root = made(tmp_path / "e", {"logs_big/a.jsonl": LINE})
    found = look(root)
    change(root, tmp_path)
    with pytest.raises(InputError):
        rows(found, "logs_big/a.jsonl")


def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    root = made(tmp_path / "e", {"logs_big/a.jsonl": LINE * 50_000})
    chunks = look(root).open_published("logs_big/a.jsonl")
    next(chunks)
    with (root / "logs_big/a.jsonl").open("ab") as file:
        file.write(LINE)
    with pytest.raises(InputError, match="changed while it was read"):
        list(chunks)


def test_a_file_is_never_altered(tmp_path: Path) -> None:
    root = made(tmp_path / "e", {"logs_big/a.jsonl": LINE + f'{{"t":"{TOKEN}"}}\n'.encode()})
    (root / "logs_big/a.jsonl").chmod(0o444)
    before = {
        path: (path.stat().st_mtime_ns, path.read_bytes()) for path in root.rglob("*") if path.is_file()
    }
    found = look(root)
    _ = found.with_snapshot().digests.data
    rows(found, "logs_big/a.jsonl")
    assert {
        path: (path.stat().st_mtime_ns, path.read_bytes()) for path in root.rglob("*") if path.is_file()
    } == before


HOSTILE = [
    b"\xff\xfe",
    b"a\nb",
    b"a\rb",
    b"a\tb",
    b" ",
    b"-rf",
    b"..a",
    b"...",
    b"a\\b",
    b"'",
    b'"',
    b"$(x)",
    b"`x`",
    b"<script>",
    b"&amp;",
    b"%2e%2e",
    b"\x1b[2J",
    b"\xe2\x80\xae",
    b"\xe2\x80\xa8",
    b"caf\xc3\xa9",
    b"*",
    b"?",
    b"x" * 200,
    b"NUL",
    b"con",
    b"~",
    b"#",
    b"{}",
    b"\xed\xa0\x80",
    b"index.html",
    b"\x7f",
    b"a:b",
    b"|",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_read_and_printed_safely(tmp_path: Path, name: bytes) -> None:
    text = os.fsdecode(name)
    root = made(tmp_path / text, {f"logs_big/{text}.jsonl": LINE + b"oops\n", f"contracts/{text}/x.py": b""})
    found = look(root)
    (path,) = found.families["brownfield"]
    row, problem = rows(found, path)
    assert isinstance(row, Row)
    assert isinstance(problem, Problem)
    for shown in (row.file, str(problem), printable(path)):
        assert shown.isprintable()
        shown.encode("utf-8")
    assert found.with_snapshot().digests.data == shell_digest(root)
    assert set(found.slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


def test_the_order_of_a_directory_is_no_information(tmp_path: Path) -> None:
    names = [f"logs_big/{name}.jsonl" for name in ("b", "a", "A", "é", "a-", "a.b", "10", "9")]
    one = look(made(tmp_path / "1" / "e", dict.fromkeys(names, LINE)))
    two = look(made(tmp_path / "2" / "e", dict.fromkeys(reversed(names), LINE)))
    assert one.families == two.families
    assert one.families["brownfield"] == tuple(sorted(names, key=os.fsencode))
    assert one.with_snapshot().digests.data == two.with_snapshot().digests.data


def test_a_walk_sees_bytes_sizes_and_order(tmp_path: Path) -> None:
    made(tmp_path, {"b/x": b"12", "a.x": b"1", "a/x": b""})
    entries, oddities = walk(tmp_path)
    assert [(entry.path, entry.size) for entry in entries] == [("a.x", 1), ("a/x", 0), ("b/x", 2)]
    assert oddities == ()
    with opened(tmp_path, entries[2]) as file:
        assert file.read() == b"12"


def test_an_experiment_crosses_to_another_process(tmp_path: Path) -> None:
    found = look(
        made(tmp_path / "e", {"logs_big/a.jsonl": LINE}),
        Redactor(builder=BuilderIdentity(home="/home/alice")),
    )
    there = pickle.loads(pickle.dumps(found))
    assert there == found
    assert there.with_snapshot().digests.data == found.with_snapshot().digests.data


def test_a_folder_reached_by_a_link_keeps_the_name_it_was_given(tmp_path: Path) -> None:
    made(tmp_path / "real", {"logs_big/a.jsonl": LINE})
    (tmp_path / "given").symlink_to("real")
    found = look(tmp_path / "given")
    assert found.slug == "given"
    assert len(rows(found, "logs_big/a.jsonl")) == 1


def test_a_control_that_is_not_small_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "LARGEST", 10)
    with pytest.raises(InputError, match="at most 10 bytes, got 20"):
        look(made(tmp_path / "e", {"logs_big/a.jsonl": LINE, "controls/x.json": b" " * 20}))


def test_the_real_experiment(shared_data: Path) -> None:
    found = look(shared_data / "axium")
    assert found.families == {"brownfield": ("logs_big/bench-deepseek-v4-pro-20260806.jsonl",)}
    assert (
        found.with_snapshot().digests.data
        == found.with_snapshot().digests.source
        == shell_digest(shared_data / "axium")
    )
    assert [table.fetched for table in found.prices] == ["2026-08-06"]
    items = rows(found, found.families["brownfield"][0])
    assert len(items) == 61
    assert not any(isinstance(item, Problem) for item in items)


def test_an_experiment_has_no_digests_before_its_files_were_read(tmp_path: Path) -> None:
    found = look(made(tmp_path / "e", {"logs_big/a.jsonl": LINE}))
    with pytest.raises(ValueError, match="has no snapshot"):
        _ = found.digests
    found_again = found.with_snapshot()
    assert found_again.with_snapshot() is found_again


def test_a_headline_that_names_nothing_is_refused_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "e" / "traces").mkdir(parents=True)
    scores = [{"task_id": f"t{n}", "agent": "a", "scores": {"match": 1.0}} for n in range(3)]
    (tmp_path / "e" / "traces" / "a.jsonl").write_text("".join(json.dumps(s) + "\n" for s in scores))
    yaml = tmp_path / "e" / "experiment.yaml"
    for wrong, hint in (("scor", "nearest: score"), ("score scorer=mach", "nearest: match")):
        yaml.write_text(f"title: E\nheadline: {wrong}\n")
        with pytest.raises(ConfigError, match=rf"^e/experiment.yaml:2#/headline: .*{hint}"):
            mc.compute(mc.load(tmp_path / "e"))
    yaml.write_text("headline: score scorer=match\n")
    assert mc.compute(mc.load(tmp_path / "e")).headline == "score scorer=match"
