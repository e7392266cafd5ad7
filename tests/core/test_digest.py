"""Digests, held against the shell recipe itself and against hashlib."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from metrics_core import digest
from metrics_core.errors import InputError

RECIPE = (
    "find {name} -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum > ../out.sums; "
    "sha256sum < ../out.sums"
)

ODD_NAMES = [
    b"plain.json", b"a b", b"  two  ", b"-n", b"--help", b"*", b"a\nb", b"a\rb", b"a\\b", b"\\", b"\\n",
    b"a\tb", b"\xff\xfe", b"caf\xc3\xa9", b"cafe\xcc\x81", b"\xe2\x80\xa8", b"\x1b[31m", b"'", b'"', b"$(id)",
    b"`id`", b";", b"a.b", b"a-b", b"a/b", b"a.d/c", b"A", b"Z/z", b"\x01", b".hidden", b"..more", b"~", b"#",
    b"%s", b"\xed\xa0\x80",
]  # fmt: skip


def coreutils() -> int:
    """Major version of GNU sha256sum, or 0."""
    if shutil.which("sha256sum") is None:
        return 0
    told = subprocess.run(["sha256sum", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"GNU coreutils\) (\d+)", told)
    return int(found[1]) if found else 0


needs_coreutils = pytest.mark.skipif(coreutils() < 9, reason="no GNU coreutils 9, whose spelling this is")


def recipe(parent: Path, name: str) -> tuple[bytes, str]:
    """What the shell prints: the lines, and their digest."""
    run = subprocess.run(["sh", "-c", RECIPE.format(name=name)], cwd=parent, capture_output=True, check=True)
    return (parent.parent / "out.sums").read_bytes(), "sha256:" + run.stdout.split()[0].decode()


def odd_tree(folder: Path) -> None:
    folder.mkdir()
    for number, name in enumerate(ODD_NAMES):
        path = folder / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"" if number % 7 == 0 else name * number)
    (folder / "empty folder").mkdir()
    (folder / "link").symlink_to("plain.json")
    (folder / "link to folder").symlink_to("Z")
    os.mkfifo(folder / "pipe")


@needs_coreutils
def test_a_tree_of_odd_names_has_the_sums_that_the_shell_prints(tmp_path: Path) -> None:
    parent = tmp_path / "parent"
    parent.mkdir()
    odd_tree(parent / "eval_pack")
    lines, whole = recipe(parent, "eval_pack")
    assert digest.tree_sums(parent / "eval_pack") == lines
    assert digest.tree_digest(parent / "eval_pack") == whole
    assert lines.count(b"\n") == len(ODD_NAMES)


@needs_coreutils
def test_the_prefix_of_an_experiment_is_a_dot(tmp_path: Path) -> None:
    folder = tmp_path / "experiment"
    odd_tree(folder)
    lines, whole = recipe(folder, ".")
    assert digest.tree_sums(folder, prefix=".") == lines
    assert digest.tree_digest(folder, prefix=".") == whole


@needs_coreutils
def test_an_empty_tree_is_what_xargs_makes_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "p" / "eval_pack").mkdir(parents=True)
    lines, whole = recipe(tmp_path / "p", "eval_pack")
    assert digest.tree_sums(tmp_path / "p" / "eval_pack") == lines
    assert digest.tree_digest(tmp_path / "p" / "eval_pack") == whole


def test_the_digest_does_not_depend_on_where_the_tree_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd_tree(tmp_path / "pack")
    shutil.copytree(tmp_path / "pack", tmp_path / "far" / "away" / "pack", symlinks=True,
                    ignore=lambda *_: {"pipe"})  # fmt: skip
    here = digest.tree_digest(tmp_path / "pack")
    assert digest.tree_digest(tmp_path / "far" / "away" / "pack") == here
    monkeypatch.chdir(tmp_path / "pack")
    assert digest.tree_digest(".") == digest.tree_digest("../pack/") == here


def test_a_moved_row_a_new_file_and_a_new_name_all_show(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "tasks.json").write_bytes(b"[1]")
    seen = {digest.tree_digest(pack)}
    (pack / "tasks.json").write_bytes(b"[2]")
    seen.add(digest.tree_digest(pack))
    (pack / "more.json").write_bytes(b"")
    seen.add(digest.tree_digest(pack))
    (pack / "more.json").rename(pack / "less.json")
    seen.add(digest.tree_digest(pack))
    assert len(seen) == 4


@pytest.mark.parametrize(
    "make",
    [
        lambda _: None,
        lambda path: path.symlink_to(path.parent),
        os.mkfifo,
    ],
)
def test_what_is_no_folder_is_an_error(tmp_path: Path, make) -> None:
    make(tmp_path / "x")
    with pytest.raises(InputError, match="folder"):
        digest.tree_digest(tmp_path / "x")


def test_a_closure_digest_is_over_lines_of_path_nul_sha256() -> None:
    files = {"b.py": b"x\r\ny\rz\n", "a/c.py": b""}
    lines = (
        b"a/c.py\0" + hashlib.sha256(b"").hexdigest().encode() + b"\n"
        + b"b.py\0" + hashlib.sha256(b"x\ny\nz\n").hexdigest().encode() + b"\n"
    )  # fmt: skip
    assert digest.closure_digest(files) == "sha256:" + hashlib.sha256(lines).hexdigest()
    assert digest.closure_digest(dict(reversed(files.items()))) == digest.closure_digest(files)
    assert digest.closure_digest({"b.py": b"x\ny\nz \n", "a/c.py": b""}) != digest.closure_digest(files)


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ({"b": 1, "a": [True, None, 0.5, 'é\u2028"\\\n']}, '{"a":[true,null,0.5,"é\u2028\\"\\\\\\n"],"b":1}'),
        ((1, 2), "[1,2]"),
        (1e22, "1e+22"),
        ("", '""'),
        ({}, "{}"),
    ],
)
def test_canonical_json_has_one_spelling(value: object, spelled: str) -> None:
    assert digest.canonical(value) == spelled.encode()


def test_what_is_too_deep_to_be_spelled_is_refused_in_words() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueError, match="objects and lists too deep within each other"):
        digest.canonical(value)
    while value:  # else it is taken apart one within the other
        value = value.pop()  # type: ignore[assignment]


@pytest.mark.parametrize(
    "value", [float("nan"), [float("inf")], {"a": -float("inf")}, "\ud800", {"\udfff": 1}]
)
def test_what_has_no_spelling_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        digest.canonical(value)


@pytest.mark.parametrize("value", [{1: 2}, [{None: 1}], {"a": ({True: 1},)}, b"x", {1, 2}, object()])
def test_what_is_no_json_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        digest.canonical(value)


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.booleans() | st.none(), max_size=6))
def test_the_order_of_keys_is_no_information(value: dict[str, object]) -> None:
    if any(
        "\ud800" <= c <= "\udfff"
        for c in "".join([*value, *(v for v in value.values() if isinstance(v, str))])
    ):
        return
    assert digest.canonical(dict(reversed(value.items()))) == digest.canonical(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sha256:",
        "sha256:" + "0" * 63,
        "sha256:" + "A" * 64,
        "md5:" + "0" * 64,
        "sha256:" + "0" * 64 + "\n",
        "0" * 64,
    ],
)
def test_only_one_spelling_of_a_digest_is_taken(text: str) -> None:
    with pytest.raises(ValueError, match="expected sha256"):
        digest.parse(text)
