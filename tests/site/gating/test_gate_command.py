"""``assay gate``: exit codes, the comment, the report of tests, the job's summary, the trial."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from site_src.cli import main
from tests.support.small_tables import named, runs_of, write_rows

SAME = ["111", "000", "110", "101"] * 5
EVIL = "`t` <b>|@all -->"


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    worse = ["000", "000", "010", "0e0"] * 5
    paths = [
        write_rows(tmp_path / f"{name}.jsonl", runs_of("m", named(signs) | {EVIL: signs[0]}))
        for name, signs in (("base", SAME), ("new", worse))
    ]
    return ["gate", "--baseline", str(paths[0]), "--candidate", str(paths[1])]


def policy(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "gate.yaml"
    path.write_text(text)
    return ["--policy", str(path)]


def test_exit_codes_are_the_verdicts(
    pair: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    errors = "max_errors: 0.2\n"
    for text, code, word in (
        (f"{errors}not_worse_by: 0.1", 5, "FAIL."),
        (f"{errors}not_worse_by: 0.95", 0, "PASS."),
        (f"{errors}not_worse_by: 0.5", 6, "CANNOT TELL."),
        ("not_worse_by: 0.1", 7, "UNHEALTHY."),
        ("not_worse_bye: 0.1", 1, ""),
    ):
        assert main([*pair, *policy(tmp_path, text)]) == code, text
        assert capsys.readouterr().out.startswith(word)
    assert main(pair[:3]) == 1


def test_the_comment_has_its_marker_its_verdict_and_at_most_forty_lines(
    pair: list[str], tmp_path: Path
) -> None:
    comment = tmp_path / "comment.md"
    rules = policy(tmp_path, "max_errors: 0.2\nnot_worse_by: 0.1\nper_task: never_lost\nat_least: 0.9")
    assert main([*pair, *rules, "--a", "m", "--b", "m", "--markdown", str(comment)]) == 5
    lines = comment.read_text().splitlines()
    assert lines[0] == "<!-- assay-gate passed base new -->"
    assert lines[1].startswith("### Gate: FAIL. ")
    assert len(lines) <= 40
    text = "\n".join(lines)
    assert "| Verdict | Rule | Found |" in text
    assert "**The same if errors count as failures?** " in text
    assert "├" in text
    assert "<b>|@all" not in text
    assert "\\<b\\>\\|@\u2060all" in text
    again = next(line for line in lines if line.startswith("Again: "))
    assert re.search(rf"--candidate \S*/{Path(pair[4]).name} --policy \S*/gate.yaml --a m --b m`$", again)


def test_no_path_that_was_asked_for_brings_a_secret_into_what_is_posted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "ghp_" + "a1B2" * 9
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    monkeypatch.setenv("HOME", str(tmp_path / "ada.lovelace"))
    paths = []
    for at, signs in enumerate((SAME, SAME[1:] + SAME[:1])):
        folder = tmp_path / "ada.lovelace" / f"{token}{at}"
        folder.mkdir(parents=True)
        paths.append(str(write_rows(folder / "runs.jsonl", runs_of("m", named(signs)))))
    files = [str(tmp_path / name) for name in ("g.md", "g.xml", "c.md", "c.html")]
    gate = ["gate", "--baseline", paths[0], "--candidate", paths[1], *policy(tmp_path, "not_worse_by: 0.1")]
    main([*gate, "--markdown", files[0], "--junit", files[1]])
    main([*gate, "--json"])
    main(["gate", "--baseline", paths[0], "--self-test", "9"])
    main(["compare", *paths, "--markdown", files[2], "--html", files[3]])
    main(["compare", *paths, "--json"])
    main(["plan", paths[0], "--detect", "0.2"])
    main(["plan", paths[0], "--detect", "0.2", "--json"])
    main(["compute", paths[0]])
    told = "".join(capsys.readouterr())
    for text in (told, *(Path(name).read_text("utf-8") for name in (*files, tmp_path / "summary.md"))):
        assert text
        assert "ghp_a1B2" not in text
        assert "lovelace" not in text


def test_no_line_is_a_command_of_the_ci_that_logs_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arms = ["::error::all is well", "##vso[task.setvariable variable=a]b"]
    a, b = (
        str(write_rows(tmp_path / f"{at}.jsonl", runs_of(arm, named([f"{at}1{at}"] * 9))))
        for at, arm in enumerate(arms)
    )
    gate = ["gate", "--baseline", a, "--candidate", b]
    for words in (["compare", a, b], gate, ["plan", a, "--detect", "0.2"], ["compute", b]):
        main(words)
        text = capsys.readouterr()
        main([*words, "--json"])
        record = capsys.readouterr()
        json.loads(record.out)
        for line in "\n".join((*text, *record)).splitlines():
            assert not line.strip().startswith("::")
            assert "##vso[" not in line
    main([*gate, "--json"])
    assert arms[1] in str(json.loads(capsys.readouterr().out))


def test_nothing_in_a_comment_links_by_itself(tmp_path: Path) -> None:
    names = ["&#64;team", "&lt;b&gt;", "www.evil.example", "o/r#3", ":tada:", "GH-7", "!12", "$x$", "~~x~~"]
    a, b = (
        write_rows(tmp_path / f"{signs}.jsonl", runs_of("m", dict.fromkeys(names, signs)))
        for signs in ("111", "000")
    )
    comment = tmp_path / "c.md"
    rules = policy(tmp_path, "per_task: never_lost")
    main(["gate", "--baseline", str(a), "--candidate", str(b), *rules, "--markdown", str(comment)])
    text = comment.read_text("utf-8")
    for raw in (*names, "&#64;", "&lt;", "o/r\\#3"):
        assert raw not in text
    shown = [re.sub(r"\\(?=[\W_])|\u2060", "", unescape(line)) for line in text.splitlines()]
    worse = next(line for line in shown if line.startswith("Worse: "))
    assert sorted(worse.removeprefix("Worse: ").strip().split(", ")) == sorted(names)


def test_many_slices_and_long_names_stay_within_forty_lines(tmp_path: Path) -> None:
    rows = {
        arm: runs_of("m", named(signs), lambda task, run: {"topic": f"a topic of its own {task}"})
        for arm, signs in (("base", SAME), ("new", SAME[1:] + SAME[:1]))
    }
    paths = [str(write_rows(tmp_path / f"{arm}.jsonl", found)) for arm, found in rows.items()]
    comment = tmp_path / "comment.md"
    words = ["gate", "--baseline", paths[0], "--candidate", paths[1], "--markdown", str(comment)]
    assert main([*words, *policy(tmp_path, "not_worse_by: 0.1\nslices: topic")]) == 6
    assert len(comment.read_text().splitlines()) <= 40


def test_a_report_of_tests_is_xml_with_a_case_a_rule(pair: list[str], tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    rules = policy(tmp_path, "not_worse_by: 0.1\nat_least: 0.1")
    assert main([*pair, *rules, "--junit", str(report)]) == 7
    suite = ET.fromstring(report.read_text()).find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    assert int(suite.attrib["tests"]) == len(cases) == 4, "three rules, and what is unhealthy"
    assert len(suite.findall("testcase/error")) == int(suite.attrib["errors"]) == 2
    assert len(suite.findall("testcase/failure")) == int(suite.attrib["failures"])


def test_the_jobs_summary_is_added_to(
    pair: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    main(pair)
    assert summary.read_text().startswith("before\n<!-- assay-gate ")


def test_two_nights_have_two_names_in_the_drawing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = (
        str(write_rows(tmp_path / f"nightly-2026-07-0{day}.jsonl", runs_of("m", named(SAME))))
        for day in (1, 2)
    )
    main(["gate", "--baseline", base, "--candidate", new])
    drawn = [line for line in capsys.readouterr().out.splitlines() if "●" in line]
    names = [line.split()[0] for line in drawn]
    assert names == ["nightly…26-07-01", "nightly…26-07-02"]


def test_two_arms_of_one_table_are_named_by_the_refusal(
    pair: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*pair[:3], "--a", "alpha", "--b", "beta"]) == 1
    assert "give its path to both, with --a and --b" in capsys.readouterr().err


def test_the_record(pair: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*pair, *policy(tmp_path, "max_errors: 0.2\nnot_worse_by: 0.1"), "--json"]) == 5
    record = json.loads(capsys.readouterr().out)
    assert (record["schema"], record["verdict"], record["exit_code"]) == ("assay.gate/1", "fail", 5)
    assert record["policy"] == {"not_worse_by": 0.1, "max_errors": 0.2}
    assert isinstance(record["same_if_errors_fail"], bool)
    assert record["compared"]["schema"] == "assay.compare/1"


def test_the_trial_on_the_baseline(pair: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*pair[:3], "--self-test", "20"]) == 0
    assert "20 random halves" in (out := capsys.readouterr().out)
    assert "strict rule separates (0 of 20" in out
    assert main([*pair[:3], "--self-test", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["splits"] == 20


def test_the_help_tells_five_from_verifys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "--help"]) == 0
    told = capsys.readouterr().out
    for line in ("5  FAIL", "6  CANNOT TELL", "7  UNHEALTHY", "of verify, 5"):
        assert line in told


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("not_worse_by: 0.95\nmax_errors: 0.2", "PASS 5/58"),
        ("not_worse_by: 0.1\nmax_errors: 0.2", "FAIL 5/58"),
        ("not_worse_by: 0.5\nmax_errors: 0.2", "CANNOT TELL 5/58"),
        ("not_worse_by: 0.1", "UNHEALTHY"),
    ],
)
def test_a_badge_says_the_verdict_and_n_of_n_in_words(
    text: str, word: str, pair: list[str], tmp_path: Path
) -> None:
    badge = tmp_path / "gate.svg"
    main([*pair, *policy(tmp_path, text), "--badge", str(badge)])
    svg = ET.fromstring(badge.read_text())
    shown = [node.text for node in svg.findall(".//{*}text")]
    assert shown == ["gate: passed", word]
    title = svg.findtext("{*}title")
    assert svg.attrib["aria-label"] == title
    assert title is not None
    assert title.startswith(word.removesuffix(" 5/58") + ". ")
    assert svg.attrib["role"] == "img"


def test_a_badge_of_a_hostile_metric_is_text_and_stays_small(tmp_path: Path) -> None:
    evil = '<script>&"\u202e' + "x" * 200
    paths = []
    for name in ("base", "new"):
        rows = [
            {"arm": "m", "case": task, "run": run, evil: int(sign)}
            for task, signs in named(SAME).items()
            for run, sign in enumerate(signs)
        ]
        paths.append(str(write_rows(tmp_path / f"{name}.jsonl", rows)))
    badge = tmp_path / "gate.svg"
    main(
        [
            "gate",
            "--baseline",
            paths[0],
            "--candidate",
            paths[1],
            "--badge",
            str(badge),
            "--map",
            f"passed={evil}",
        ]
    )
    svg = ET.fromstring(badge.read_text())
    assert float(svg.attrib["width"]) < 400
    assert not svg.findall(".//{*}script")
    assert "\u202e" not in badge.read_text()
