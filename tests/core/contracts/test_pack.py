"""Task packs: cards, splits and clusters, and the digest that the shell prints for the same folder."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from metrics_core.contracts.controls import pack_digest
from metrics_core.contracts.pack import Pack, Task, load_pack, read_cards
from metrics_core.errors import FormatError, InputError
from metrics_core.results.keys import Keys

RECIPE = (
    "find eval_pack -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum > eval_pack.sums; "
    "sha256sum eval_pack.sums > eval_pack.tree.sha256"
)
CARDS: list[dict[str, Any]] = [
    {
        "id": "a",
        "inputs": ["in/a.md"],
        "oracle_files": ["a.py"],
        "timeout_s": 600,
        "split": "eval",
        "repo": "till",
        "class": "bug",
        "note": "not read",
    },
    {"id": "b", "split": "probe", "language": "php"},
    {"id": "c", "split": "eval", "oracle_files": [], "timeout_s": None, "repo": "shop"},
]


def pack(tmp_path: Path, cards: object = CARDS, **files: bytes) -> Path:
    folder = tmp_path / "eval_pack"
    folder.mkdir(parents=True, exist_ok=True)
    if cards is not None:
        (folder / "tasks.json").write_text(json.dumps(cards))
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def sign(tmp_path: Path) -> None:
    """What a publisher runs beside the pack."""
    if not all(map(shutil.which, ("find", "sort", "xargs", "sha256sum"))):
        pytest.skip("no coreutils here: the recipe cannot be run")
    subprocess.run(["sh", "-c", RECIPE], cwd=tmp_path, check=True)


# ---------------------------------------------------------------------------------- the digest


def test_the_digest_is_what_the_shell_prints(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    for name in ("ä.py", "b c", "back\\slash", "new\nline", "-", "Z", "a", "_", "\r"):
        (folder / name).write_bytes(name.encode())
    (folder / "sub").mkdir()
    (folder / "sub" / "x").write_bytes(b"")
    (folder / "sub.txt").write_bytes(b"")
    (folder / "link").symlink_to("a")
    sign(tmp_path)
    found = load_pack(folder)
    assert found.digest.removeprefix("sha256:") == (tmp_path / "eval_pack.tree.sha256").read_text().split()[0]
    assert (found.sums, found.differing) == ("matches", ())
    assert pack_digest(found).state == "held"


def test_a_pack_that_nobody_quoted_is_only_digested(tmp_path: Path) -> None:
    found = load_pack(pack(tmp_path))
    assert (found.sums, found.differing, found.name) == ("absent", (), "eval_pack")
    assert pack_digest(found).state == "not applicable"
    assert pack_digest(None).state == "not applicable"


def test_a_mismatch_names_the_first_files_that_differ(tmp_path: Path) -> None:
    folder = pack(tmp_path, **{f"f{n}": b"" for n in range(4)}, gone=b"")
    sign(tmp_path)
    for n in range(3):
        (folder / f"f{n}").write_bytes(b"x")
    (folder / "gone").unlink()
    (folder / "new").write_bytes(b"")
    found = load_pack(folder)
    assert found.sums == "mismatch"
    assert found.differing[:4] == (
        "eval_pack/gone is gone",
        "eval_pack/new is new",
        "eval_pack/f0 differs",
        "and 2 more",
    )
    assert found.differing[4].startswith("eval_pack.tree.sha256 quotes ")
    control = pack_digest(found)
    assert (control.state, control.guards) == ("failed", "traces")
    assert "eval_pack is not the pack that was quoted: eval_pack/gone is gone" in control.detail


@pytest.mark.parametrize(
    ("kept", "other"),
    [
        ("eval_pack.sums", "eval_pack.tree.sha256"),
        ("eval_pack.tree.sha256", "eval_pack.sums"),
    ],
)
def test_either_digest_alone_is_checked(tmp_path: Path, kept: str, other: str) -> None:
    folder = pack(tmp_path)
    sign(tmp_path)
    (tmp_path / other).unlink()
    assert load_pack(folder).sums == "matches"
    first, rest = (tmp_path / kept).read_text()[0], (tmp_path / kept).read_text()[1:]
    (tmp_path / kept).write_text(("0" if first != "0" else "1") + rest)
    assert load_pack(folder).sums == "mismatch"


def test_a_moved_row_is_another_pack(tmp_path: Path) -> None:
    before = load_pack(pack(tmp_path)).digest
    moved = [{**CARDS[0], "split": "probe"}, *CARDS[1:]]
    assert load_pack(pack(tmp_path, moved)).digest != before


def test_the_same_files_in_another_order_are_not_the_quoted_sums(tmp_path: Path) -> None:
    folder = pack(tmp_path, a=b"")
    sign(tmp_path)
    lines = (tmp_path / "eval_pack.sums").read_bytes().splitlines(keepends=True)
    (tmp_path / "eval_pack.sums").write_bytes(b"".join(reversed(lines)))
    assert load_pack(folder).differing == (
        "eval_pack.sums lists the same files in another order (LC_ALL=C sort -z)",
    )


# ---------------------------------------------------------------------------------- cards


def test_cards_become_tasks(tmp_path: Path) -> None:
    found = load_pack(pack(tmp_path))
    assert found.tasks[0] == Task(
        "a", ["in/a.md"], ("a.py",), 600.0, "eval", Keys({"class": "bug", "note": "not read", "repo": "till"})
    )
    assert found.tasks[1] == Task("b", None, (), None, "probe", Keys({"language": "php"}))
    assert found.task("c") is found.tasks[2]
    assert found.task("z") is None
    assert (found.cluster_key, found.problems) == ("repo", ())


def test_the_three_layouts_are_one(tmp_path: Path) -> None:
    expected = load_pack(pack(tmp_path / "1")).tasks
    assert load_pack(pack(tmp_path / "2", {"tasks": CARDS})).tasks == expected
    for at, inside in (("3", ""), ("4", "tasks"), ("5", "cards")):
        folder = pack(tmp_path / at, None)
        (folder / inside).mkdir(exist_ok=True)
        for card in CARDS:
            (folder / inside / f"{card['id']}.json").write_text(json.dumps(card))
        assert load_pack(folder).tasks == expected


def test_clusters_come_from_the_first_key_that_every_eval_card_states() -> None:
    def key(*cards: dict[str, Any]) -> str | None:
        tasks, _ = read_cards([("t", json.dumps(list(cards)).encode())])
        return Pack("p", "d", tasks).cluster_key

    assert key({"id": "a", "class": "bug", "language": "php"}) == "language"
    assert (
        key({"id": "a", "split": "probe", "repo": "r"}, {"id": "b", "split": "eval", "class": "c"}) == "class"
    )
    assert key({"id": "a", "repo": "r", "class": "c"}, {"id": "b", "class": "c"}) == "class"
    assert key({"id": "a", "repo": "r"}, {"id": "b"}) is None
    assert key({"id": "a"}) is None


@pytest.mark.parametrize(
    ("card", "problem"),
    [
        (7, "t#/1: expected a card, got 7"),
        ({"split": "eval"}, "t#/1/id: expected text that is not empty, got null"),
        ({"id": "", "split": "eval"}, "t#/1/id: expected text"),
        (
            {"id": "x", "split": "eval", "oracle_files": "a.py"},
            't#/1/oracle_files: expected a list of file names, got "a.py"',
        ),
        ({"id": "x", "split": "eval", "oracle_files": ["a", 1]}, "t#/1/oracle_files/1: expected text"),
        (
            {"id": "x", "split": "eval", "timeout_s": "600"},
            't#/1/timeout_s: expected seconds above 0, got "600"',
        ),
        (
            {"id": "x", "split": "eval", "timeout_s": True},
            "t#/1/timeout_s: expected seconds above 0, got true",
        ),
        ({"id": "x", "split": "eval", "timeout_s": 0}, "t#/1/timeout_s: expected seconds above 0, got 0"),
        ({"id": "x", "split": "eval", "repo": 3}, "t#/1/repo: expected text"),
        ({"id": "x"}, "t#/1/split: expected probe or eval, as other cards state"),
    ],
)
def test_a_malformed_card_is_a_problem_and_is_left_out(card: object, problem: str) -> None:
    tasks, problems = read_cards([("t", json.dumps([CARDS[0], card, CARDS[2]]).encode())])
    assert [t.id for t in tasks] == ["a", "c"]
    assert [str(p)[: len(problem)] for p in problems] == [problem]


def test_where_no_card_states_a_split_all_are_evaluated() -> None:
    tasks, problems = read_cards([("t", b'{"tasks": [{"id": "a"}, {"id": "b"}]}')])
    assert ([t.split for t in tasks], problems) == (["eval", "eval"], ())


@pytest.mark.parametrize("split", ["train", "EVAL", 1, True, "", ["eval"]])
def test_another_split_leaves_no_pack(split: object) -> None:
    with pytest.raises(InputError, match=r"^t#/tasks/0/split: expected probe or eval, got"):
        read_cards([("t", json.dumps({"tasks": [{"id": "a", "split": split}]}).encode())])


def test_two_cards_of_one_id_leave_no_pack() -> None:
    with pytest.raises(InputError, match='two cards have the id "a"'):
        read_cards([("t", b'[{"id": "a"}]'), ("u", b'{"id": "a"}')])


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff", b"[NaN]", b'[{"id": "a", "id": "b"}]', b'["\\ud800"]', b"[" * 99999]
)
def test_cards_that_are_no_json_leave_no_pack(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^t: not the JSON of task cards"):
        read_cards([("t", data)])


def test_a_folder_without_cards_is_no_pack(tmp_path: Path) -> None:
    for folder in (tmp_path / "gone", pack(tmp_path, None)):
        with pytest.raises(InputError, match=r"no such folder|no task cards"):
            load_pack(folder)
    (tmp_path / "real.json").write_text("[]")
    (tmp_path / "eval_pack" / "tasks.json").symlink_to(tmp_path / "real.json")
    with pytest.raises(InputError, match="expected a regular file"):
        load_pack(tmp_path / "eval_pack")
