"""Verification from the site alone: whatever is changed in a published site is found."""

from __future__ import annotations

import io
import json
import random
import re
import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from metrics_core.errors import InputError
from site_src import commands
from site_src.editions import store
from site_src.project.safe_write import SiteFile
from site_src.publishing import writer
from site_src.publishing.published_site import PublishedSite, read_manifest
from site_src.verification import page_numbers, remaking, verify
from tests.support import edition_samples
from tests.support.by_day import at_night, by_night, one_in


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, small_site: Path) -> Path:
    """A site far from the folders that it was made of."""
    return shutil.copytree(small_site / "_site", tmp_path_factory.mktemp("verified") / "site")


@pytest.fixture
def whole(site: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return shutil.copytree(site, tmp_path / "downloaded")


@pytest.fixture
def copy(suite_site: Path, tmp_path: Path) -> Path:
    """A site of one experiment, to be changed: what no contract of a user's and no pack is needed for."""
    return shutil.copytree(suite_site / "_site", tmp_path / "downloaded")


def faults(site: Path) -> list[str]:
    return [fault for row in verify.verify(site).rows for fault in row.faults]


def republish(site: Path) -> None:
    """Write a manifest that fits whatever was changed: a forger would."""
    files = [SiteFile(p.relative_to(site).as_posix(), p.read_bytes()) for p in sorted(site.rglob("*"))
             if p.is_file() and p.name != "manifest.json"]  # fmt: skip
    shutil.rmtree(site)
    writer.swap(files, site)


class Stub(PublishedSite):
    """A site that is nowhere on a disk."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self._listed = {path: (len(data), "") for path, data in files.items()}

    def read(self, path: str) -> bytes:
        return self.files[path]


def stub(files: dict[str, bytes]) -> PublishedSite:
    return Stub(files)


def test_a_site_verifies_without_its_original_folders(site: Path) -> None:
    found = verify.verify(site)
    assert found.holds, faults(site)
    assert [row.checked > 0 for row in found.rows] == [True, False, True, True, True, True, True]
    words = "every published number was recomputed, and every page made again"
    assert found.verdict == ("digests match", words, "not signed")
    assert found.exit_code == 0


def test_bit_flips_are_all_found(copy: Path) -> None:
    """One bit in each file but one, round after round: verification names exactly those that differ."""
    whole = {p.relative_to(copy).as_posix(): p.read_bytes() for p in sorted(copy.rglob("*")) if p.is_file()}
    listed = {path: data for path, data in whole.items() if data and path != "manifest.json"}
    dice = random.Random(4)
    flips, most = 0, 10_000 if by_night() else 2_000
    while flips < most:
        spared = dice.choice(sorted(listed))
        for path, data in listed.items():
            flipped = bytearray(data)
            flipped[dice.randrange(len(data))] ^= int(path != spared) << dice.randrange(8)
            (copy / path).write_bytes(flipped)
        row = verify.verify(copy).rows[0]
        assert {fault.partition(":")[0] for fault in row.faults} == listed.keys() - {spared}
        flips += len(listed) - 1


def test_a_bit_flipped_anywhere_in_the_manifest_is_found(copy: Path) -> None:
    data = (copy / "manifest.json").read_bytes()
    dice = random.Random(5)
    for _ in range(100):
        flipped = bytearray(data)
        flipped[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        (copy / "manifest.json").write_bytes(flipped)
        assert verify.verify(copy).rows[0].faults


@pytest.mark.parametrize("path", ["index.html", "data/estimates.json", "assets/site.css", "manifest.json"])
def test_a_changed_byte_is_found(copy: Path, path: str) -> None:
    data = bytearray((copy / path).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / path).write_bytes(bytes(data))
    assert faults(copy)


def test_missing_extra_and_linked_files_are_found(copy: Path) -> None:
    (copy / "index.html").unlink()
    (copy / "extra.html").write_text("x")
    (copy / "link.html").symlink_to(copy / "404.html")
    told = "\n".join(faults(copy))
    assert "index.html: is missing" in told
    assert "extra.html: is not in the manifest" in told
    assert "link.html: not a regular file" in told
    assert verify.verify(copy).exit_code == 1


def test_a_forged_report_is_found_by_recomputing(copy: Path) -> None:
    report = copy / "data/reports/suite.json"
    data = json.loads(report.read_bytes())
    row = next(e for e in data["estimates"] if e["metric"] == "change" and not e["group"])
    row["value"] = 0.99
    report.write_text(json.dumps(data))
    republish(copy)
    assert any(row["id"] in fault and "differ" in fault for fault in faults(copy))


def test_an_estimate_that_is_not_its_reports_is_found(copy: Path) -> None:
    gathered = copy / "data/estimates.json"
    data = json.loads(gathered.read_bytes())
    row = next(e for e in data["estimates"] if e["metric"] == "change" and not e["group"])
    row["interval"]["lo"] = 0.01
    gathered.write_text(json.dumps(data))
    republish(copy)
    assert any(f"{row['id']}: is not what its report says" in fault for fault in faults(copy))


def test_a_number_that_quotes_another_contract_is_found(copy: Path) -> None:
    for path in (copy / "data/reports/suite.json", copy / "data/estimates.json"):
        data = json.loads(path.read_bytes())
        row = next(e for e in data["estimates"] if e["metric"] == "change" and e["id"].startswith("suite/"))
        row["contract"]["digest"] = "sha256:" + "0" * 64
        path.write_text(json.dumps(data))
    republish(copy)
    assert any(f"{row['id']}: quotes a contract" in fault for fault in faults(copy))


def test_a_report_whose_records_were_taken_away_is_not_taken_as_recomputed(copy: Path) -> None:
    (copy / "data/experiments/suite/files.json").unlink()
    republish(copy)
    assert any("data/reports/suite.json: its records are not published" in fault for fault in faults(copy))


def test_a_forged_verdict_is_found_by_judging_the_decision_again(copy: Path) -> None:
    page = copy / "decisions/keep-alpha/index.html"
    text = page.read_text("utf-8")
    assert text.count("Supported") >= 1
    page.write_text(text.replace("Supported", "Contradicted"), "utf-8")
    republish(copy)
    assert [fault.partition(":")[0] for fault in faults(copy)] == ["decisions/keep-alpha/index.html"]


@at_night("a forged verdict is found by judging again")
def test_a_decision_whose_claim_was_changed_is_found_on_every_page_that_tells_it(copy: Path) -> None:
    source = copy / "data/decisions/keep-alpha.md"
    source.write_text(source.read_text("utf-8").replace("at_least: 0.2", "at_least: 0.9"), "utf-8")
    republish(copy)
    assert "decisions/keep-alpha/index.html" in {fault.partition(":")[0] for fault in faults(copy)}


def test_a_forged_record_is_found_by_its_digest(copy: Path) -> None:
    record = next(copy.glob("data/experiments/suite/logs-big-alpha-*.jsonl"))
    record.write_bytes(record.read_bytes().replace(b"0.5", b"1.0", 1))
    republish(copy)
    assert any("quoted is sha256:" in fault for fault in faults(copy))


@one_in(2)
@pytest.mark.parametrize("version", ["0.1.0", "0.0.9"])
def test_a_forged_number_in_a_page_is_found_whatever_version_built_it(copy: Path, version: str) -> None:
    changed(copy, "site.json", r'"build": "0\.1\.0', f'"build": "{version}')
    known = {e["id"]: e for e in json.loads((copy / "data/estimates.json").read_bytes())["estimates"]}
    page = copy / "experiments/suite/index.html"
    html = page.read_text("utf-8")
    shown = next(
        s for s in page_numbers.shown(html) if known[s.estimate]["metric"] == "change" and "/" in s.text
    )
    n, big = known[shown.estimate]["n"], known[shown.estimate]["N"]
    assert f"{n}/{big}" in html
    page.write_text(html.replace(f"{n}/{big}", f"{n + 1}/{big}"), "utf-8")
    republish(copy)
    found = verify.verify(copy)
    assert found.exit_code == 1
    assert any("the page shows" in fault for fault in found.faults)


def test_a_forged_contract_is_found(whole: Path) -> None:
    source = next(p for p in whole.glob("data/contracts/*/*metric-contract-v3*.py"))
    source.write_text(source.read_text("utf-8").replace("FAIL", "PASS", 1), "utf-8")
    republish(whole)
    assert any("do not have the digest" in fault for fault in faults(whole))


def changed(copy: Path, path: str, pattern: str, by: str) -> None:
    page = copy / path
    text, count = re.subn(pattern, by, page.read_text("utf-8"), count=1, flags=re.DOTALL)
    assert count == 1, (path, pattern)
    page.write_text(text, "utf-8")


@at_night("a forged number in a page is found")
def test_whatever_is_forged_beside_the_estimates_is_found_by_making_the_site_again(whole: Path) -> None:
    run = next(whole.glob("reviews/suite/*/index.html")).relative_to(whole).as_posix()
    figure = next(whole.glob("data/figures/*.csv")).relative_to(whole).as_posix()
    changed(whole, "index.html", r"\[0\.\d\d, ", "[0.99, ")  # an interval beside a number
    changed(whole, "models/alpha/index.html", r"(<svg.*?<text[^>]*>)[^<]*(?=<)", r"\g<1>9/9")  # in a picture
    changed(
        whole,
        "experiments/suite/index.html",  # two captions, one in the place of the other
        r"(<figcaption>.*?</figcaption>)(.*?)(<figcaption>.*?</figcaption>)",
        r"\3\2\1",
    )
    changed(whole, "experiments/patches/index.html", r"<figure.*?</figure>", "")
    changed(whole, "models/index.html", r"</h1>", " (qualified)</h1>")
    changed(whole, run, r"</main>", "<p>Reviewed and passed.</p></main>")
    changed(whole, figure, r",", ",,")
    changed(whole, "assets/site.css", r"\A", "figcaption { display: none }\n")
    (whole / "award.html").write_text("<!doctype html><title>Award</title>", "utf-8")
    pages = ("index", "models/index", "models/alpha/index", "experiments/suite/index", "award")
    forged = {f"{page}.html" for page in (*pages, "experiments/patches/index")}
    republish(whole)
    rows = {row.what: row.faults for row in verify.verify(whole).rows}
    told = rows["files made again from the published inputs"]
    assert {fault.partition(":")[0] for fault in told} == forged | {run, figure, "assets/site.css"}
    assert "award.html: nothing in the published inputs makes it" in told


@at_night("a forged number is found whatever version built the site")
def test_another_version_named_in_the_site_makes_no_forgery_pass(copy: Path) -> None:
    """What this version makes otherwise is named as not checked, which is no pass; the rest is checked."""
    changed(copy, "site.json", r'"build": "0\.1\.0', '"build": "0.0.9')
    changed(copy, "decisions/keep-alpha/index.html", "Supported", "Contradicted")
    changed(copy, "data/tables/estimates.csv", r"0\.", "9.")
    changed(copy, "models/alpha/index.html", r' data-estimate="[^"]*"', "")
    (copy / "feed.xml").write_text("<x/>")
    (copy / "assets/copy.js").write_text("alert(1)")
    (copy / "evil.html").write_text("<!doctype html><p>100 %</p>")
    score = next(copy.glob("data/score-reports/suite/*.json"))
    score.write_text(score.read_text().replace('"n_valid": null', '"n_valid": 99', 1))
    forged = ("site.json", "decisions/keep-alpha/index.html", "data/tables/estimates.csv", "feed.xml",
              "models/alpha/index.html", "assets/copy.js", "evil.html",
              score.relative_to(copy).as_posix())  # fmt: skip
    republish(copy)
    found = verify.verify(copy)
    assert (found.exit_code, found.holds, found.faults) == (5, False, ())
    assert {each.partition(":")[0] for each in found.not_checked} == set(forged)
    assert all(each.endswith("(built by 0.0.9)") for each in found.not_checked)
    assert found.verdict[1] == "all that was checked holds, and not everything was checked"
    assert found.to_json()["not_checked"] == list(found.not_checked)


def test_what_names_the_builders_machine_is_told_and_not_compared(copy: Path) -> None:
    for score in copy.glob("data/score-reports/*/*.json"):
        text = re.sub(r'"python": "[^"]*"', '"python": "3.14.99"', score.read_text("utf-8"))
        score.write_text(re.sub(r'"numpy": "[^"]*"', '"numpy": "9.9"', text), "utf-8")
    republish(copy)
    found = verify.verify(copy)
    assert found.exit_code == 0, found.faults
    assert any("python 3.14.99" in told and "numpy 9.9" in told for told in found.told)


@pytest.mark.parametrize("claim", ['"qualified by X <b>"', "1", '["3.11"]', '{"a": "b"}', "null"])
def test_an_environment_that_says_anything_else_is_a_mismatch(site: Path, claim: str) -> None:
    score = next(
        iter(PublishedSite(site, read_manifest(site)).under("data/score-reports/", ".json", deep=True))
    )
    data = (site / score).read_bytes()
    forged = re.sub(rb'"python": "[^"]*"', b'"python": ' + claim.encode(), data)
    published = stub({score: forged})
    told: dict[str, str] = {}
    assert len(list(remaking.differences(published, [SiteFile(score, data)], told))) == 1
    assert not told


def written_by_another(packed: bytes) -> bytes:
    """A Parquet file that names another version of its writer, of the same length."""
    name = re.search(rb"parquet-cpp-arrow version \d+", packed)
    assert name is not None
    return packed.replace(name[0], name[0][:-1] + (b"8" if name[0][-1:] != b"8" else b"7"))


def test_a_table_of_another_writer_is_read_and_held_against_what_it_should_hold() -> None:
    def packed(rows: list[int], **told: str) -> bytes:
        out = io.BytesIO()
        table = pa.table({"n": rows})
        parquet.write_table(table.replace_schema_metadata(told) if told else table, out)
        return out.getvalue()

    at, told = "data/tables/estimates.parquet", {}
    again = [SiteFile(at, packed([1, 2]))]
    assert not list(remaking.differences(stub({at: written_by_another(packed([1, 2]))}), again, told))
    assert told["tables written by"].startswith("parquet-cpp-arrow version ")
    for forged in (packed([1, 3]), packed([1, 2, 2]), packed([1, 2], verified="by nobody")):
        assert len(list(remaking.differences(stub({at: written_by_another(forged)}), again, {}))) == 1


@pytest.mark.parametrize("junk", [b"[]", b'{"files": 1}', b"[" * 99_999, b"\xff"])
def test_a_site_that_is_made_of_junk_is_a_fault_and_no_crash(copy: Path, junk: bytes) -> None:
    for path in ("data/inputs.json", "data/estimates.json", "data/experiments/suite/files.json", "site.json",
                 "data/reports/suite.json", "data/pricing/files.json"):  # fmt: skip
        (copy / path).write_bytes(junk)
    for path in copy.glob("data/contracts/*/files.json"):
        path.write_bytes(junk)
    republish(copy)
    found = verify.verify(copy)
    assert not found.holds
    assert found.exit_code == 1
    assert len(found.rows) == 7


@one_in(3)
@pytest.mark.parametrize("path", ["../../outside", "/etc/passwd", "a/../../b"])
def test_an_index_that_names_a_path_outside_is_refused(copy: Path, path: str) -> None:
    index = copy / "data/experiments/suite/files.json"
    listed = json.loads(index.read_bytes())
    listed["files"][0]["path"] = path
    index.write_text(json.dumps(listed))
    republish(copy)
    assert any("outside its folder" in fault for fault in faults(copy))
    assert not (copy.parent / "outside").exists()


def test_an_edition_under_a_second_name_is_found(copy: Path) -> None:
    """It would be published and never read: whoever downloads it takes it for the record."""
    (copy / "data/editions").mkdir(exist_ok=True)
    (copy / "data/editions/00001.json").write_bytes(store.to_bytes(edition_samples.edition()))
    republish(copy)
    assert any("editions/00001.json: is neither an edition" in fault for fault in faults(copy))


def test_a_terminal_is_shown_the_first_mismatches_and_how_many_more(copy: Path) -> None:
    for number in range(25):
        (copy / f"extra-{number:02}.html").write_text("x")
    told = commands.of_verification(verify.verify(copy))
    assert told.count("is not in the manifest") == 20
    assert "and 5 more of files against the manifest" in told


def test_a_folder_that_is_no_site_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="manifest"):
        verify.verify(tmp_path)
