"""A sixth family by putting in one folder and one template, and no edit.

`tests/families/sixth` holds both as they lie in a program; they are copied into a copy of it, and its own
command measures and shows an experiment that only they know. What each number must be is worked by hand
beside the records.
"""

from __future__ import annotations

import csv
import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import find_data
from tests.journeys.test_build import assay
from tests.site.publishing.test_publish import fingerprint
from tests.support.by_day import at_night

SIXTH = Path(__file__).with_name("sixth")
PUT_IN = {
    "questions": "metrics_core/families/questions",
    "questions.html": "templates/families/questions.html",
}
"""What lies in `tests/families/sixth` -> its place in a program."""
INSTRUMENT = ("grading.py", "metrics.py", "record.py")
"""Modules of the folder that can move a number, and so belong to its contract."""
PRICES = """\
fetched: 2026-07-01
currency: USD
per: 1000000
models:
  alpha: {input: 1.0, output: 5.0, cached: 0.1, source: "made up"}
"""


def answer(
    model: str, question: int, exact: object, stated: int | None, facts: int, **more: Any
) -> dict[str, Any]:
    return {
        "question_id": f"q{question}",
        "model": model,
        "form": "free",
        "answer": f"what {model} says",
        "exact": exact,
        "facts": None if stated is None else [[f"fact {i}", i < stated] for i in range(facts)],
        "input_tokens": 1000,
        "output_tokens": 100,
        "wall_s": 2.0,
        "stamp": f"2026-07-{5 + question:02}T10:00:00Z",
        **more,
    }


# Alpha writes ten answers: seven exact with both facts, two others with 1 of 2 and 1 of 4, one not judged.
# Beta writes ten: three exact with both facts, six others with 0 of 2, one run failed.
# Alpha chooses four: three exact, one other; nobody looked for facts. One line has a wrong type.
ANSWERS = (
    *(answer("alpha", q, True, 2, 2) for q in range(1, 8)),
    answer("alpha", 8, False, 1, 2),
    answer("alpha", 9, False, 1, 4),
    answer("alpha", 10, None, None, 0),
    *(answer("beta", q, True, 2, 2) for q in range(1, 4)),
    *(answer("beta", q, False, 0, 2) for q in range(4, 10)),
    answer("beta", 10, None, None, 0, error="timed out"),
    *(answer("alpha", q, q < 4, None, 0, form="choice") for q in range(1, 5)),
    answer("alpha", 1, "yes", None, 0, rep=1),
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, program: Path) -> Path:
    """The program with the family in it, and the site that it made of an experiment of that family."""
    folder = shutil.copytree(program, tmp_path_factory.mktemp("six"), dirs_exist_ok=True)
    before = fingerprint(folder)
    put_in(folder)
    logs = folder / "quiz" / "logs_questions"
    logs.mkdir(parents=True)
    (logs / "july.jsonl").write_text("".join(json.dumps(record) + "\n" for record in ANSWERS))
    (folder / "quiz" / "pricing").mkdir()
    (folder / "quiz" / "pricing" / "july.yaml").write_text(PRICES)
    done = assay(folder, "build", "--experiments", "quiz")
    assert done.returncode == 0, done.stderr
    after = fingerprint(folder)
    assert {path: after.get(path) for path in before} == before, "nothing else is edited"
    added = {path for path in after.keys() - before.keys() if not path.startswith(("_site/", "quiz/"))}
    assert {path for path in added if not path.startswith(tuple(PUT_IN.values()))} == set()
    return folder


def put_in(program: Path) -> None:
    """Copy the one folder and the one template to where a program looks for them."""
    assert {path.name for path in SIXTH.iterdir() if path.name != "__pycache__"} == PUT_IN.keys()
    for name, place in PUT_IN.items():
        assert not (program / place).exists(), "what is there would be edited"
        if (SIXTH / name).is_dir():
            shutil.copytree(SIXTH / name, program / place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(SIXTH / name, program / place)


@pytest.fixture(scope="module")
def report(project: Path) -> dict[str, Any]:
    done = assay(project, "compute", "quiz", "--family", "questions", "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def estimate(report: dict[str, Any], query: str) -> dict[str, Any]:
    (found,) = [e for e in report["estimates"] if e["id"] == f"quiz/questions.{query}"]
    return dict(found)


def page(project: Path, path: str) -> str:
    """The text of a page, without markup."""
    markup = (project / "_site" / path).read_text("utf-8")
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def pages(project: Path) -> list[str]:
    site = project / "_site"
    return [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]


@pytest.mark.parametrize(
    ("query", "value", "n", "N", "of", "counts"),
    [
        ("exact_pass?model=alpha&form=free", 7 / 9, 7, 9, "judged answers", (10, 9, 1, 0, 0)),
        ("exact_pass?model=beta&form=free", 3 / 9, 3, 9, "judged answers", (10, 9, 0, 0, 1)),
        ("exact_pass?form=free", 10 / 18, 10, 18, "judged answers", (21, 18, 1, 1, 1)),
        ("exact_pass?model=alpha&form=choice", 3 / 4, 3, 4, "judged answers", (4, 4, 0, 0, 0)),
        ("recall?model=alpha&form=free", (7 + 1 / 2 + 1 / 4) / 9, 16, 20, "facts", (10, 9, 1, 0, 0)),
        ("recall?model=beta&form=free", 3 / 9, 6, 18, "facts", (10, 9, 0, 0, 1)),
        ("recall?model=alpha&form=choice", None, 0, 0, "facts", (4, 0, 4, 0, 0)),
        ("latency?model=beta&form=free", 2.0, 10, 10, "answers", (10, 10, 0, 0, 0)),
        ("cost?model=alpha&form=free&prices=2026-07-01", 0.0015, 10, 10, "answers", (10, 10, 0, 0, 0)),
        ("cost?model=beta&form=free&prices=2026-07-01", None, 0, 10, "answers", (10, 0, 10, 0, 0)),
        ("stage?stage=attempts&form=free", 1.0, 21, 21, "attempts", (21, 21, 0, 0, 0)),
        ("stage?stage=answered&form=free", 19 / 21, 19, 21, "attempts", (21, 19, 0, 1, 1)),
        ("stage?stage=judged&form=free", 18 / 21, 18, 21, "attempts", (21, 18, 1, 1, 1)),
        ("stage?stage=exact&form=free", 10 / 21, 10, 21, "attempts", (21, 18, 1, 1, 1)),
    ],
)
def test_every_number_is_the_one_worked_by_hand(
    report: dict[str, Any],
    query: str,
    value: float | None,
    n: int,
    N: int,
    of: str,
    counts: tuple[int, int, int, int, int],
) -> None:
    e = estimate(report, query)
    assert e["value"] == pytest.approx(value, abs=1e-12)
    assert (e["n"], e["N"], e["of"]) == (n, N, of)
    assert tuple(e[k] for k in ("attempts", "known", "unknown", "invalid", "errors")) == counts
    assert e["contract"]["id"] == "assay/questions"


def test_nothing_is_pooled_over_its_stratum(report: dict[str, Any]) -> None:
    assert {tuple(e["stratum"])[:1] for e in report["estimates"]} == {("form",)}
    assert not [e for e in report["estimates"] if (e["n"], e["N"]) == (7 + 3, 9 + 4)]


def test_its_arms_are_compared_by_question(report: dict[str, Any]) -> None:
    found = {c["metric"]: c for c in report["comparisons"]}
    assert set(found) == {"exact_pass", "recall"}
    exact, recall = found["exact_pass"], found["recall"]
    assert (exact["a"], exact["b"], exact["paired_on"], exact["verdict"]) == (
        "alpha",
        "beta",
        9,
        "cannot separate",
    )
    assert exact["difference"] == pytest.approx(4 / 9)
    assert exact["p"] == pytest.approx(1 / 16), "mid-p: four questions by alpha alone, none by beta alone"
    assert recall["difference"] == pytest.approx(7.75 / 9 - 3 / 9)


def test_its_controls_problems_and_money_are_told(report: dict[str, Any]) -> None:
    assert [(c["name"], c["state"]) for c in report["controls"]] == [("fixtures", "held")]
    (problem,) = report["problems"]
    assert problem["what"] == 'expected bool or null, got "yes"'
    assert (problem["line"], problem["field"]) == (len(ANSWERS), "exact")
    money = {row["model"]: row for row in report["costs"]}
    assert money["alpha"]["recomputed"] == pytest.approx(14 * (1000 * 1.0 + 100 * 5.0) / 1e6)
    assert money["beta"]["unpriced_records"] == 10


def test_its_experiments_page_says_it_in_its_own_words_and_draws_it(project: Path) -> None:
    markup = (project / "_site" / "experiments" / "quiz" / "index.html").read_text("utf-8")
    told = page(project, "experiments/quiz/index.html")
    assert "Is the answer the one of the reference, and how much of the reference does it state?" in told
    assert "7/9 judged answers" in told
    assert "16/20 facts" in told
    drawn = re.findall(r'data-figure="([a-z-]+)"', markup)
    assert {"overview", "funnel", "separation", "assertion-strip", "cost", "controls"} <= set(drawn)
    of_alpha = (project / "_site" / "models" / "alpha" / "index.html").read_text("utf-8")
    assert 'data-figure="timeline"' in of_alpha


def test_its_words_stand_on_its_pages_and_what_has_none_is_called_by_its_name(project: Path) -> None:
    told = page(project, "experiments/quiz/index.html")
    assert "Facts recalled" in told
    assert "chosen from four" in told
    assert "form choice" not in told
    assert "form free" in told
    assert "exact pass" in told
    assert told.index("facts recalled") < told.index("exact pass"), "the order that the family declares"


def test_its_contract_has_a_page_with_its_fixtures_and_its_sources(project: Path) -> None:
    (at,) = [path for path in pages(project) if path.startswith("contracts/assay-questions")]
    told = page(project, at)
    for fixture in (
        "an answer that nobody judged is neither right nor wrong",
        "a chosen answer is never added to a written one",
        "a mean is over answers, its counts are facts; no facts at all are no denominator",
        "a run that failed is an error, whatever it recorded",
        "each answer is lost where it ends",
    ):
        assert fixture in told
    for path in sorted((SIXTH / "questions").glob("*.py")):
        place = f"{PUT_IN['questions']}/{path.name}"
        assert (place in told) == (path.name in INSTRUMENT), "neither pages nor words are the instrument's"
    assert PUT_IN["questions.html"] not in told


def test_its_metrics_are_methods_and_its_fields_are_in_the_dictionary(project: Path) -> None:
    methods, dictionary = page(project, "methods.html"), page(project, "dictionary.html")
    assert "share of the judged answers that equal the reference, within one form of answer" in methods
    assert "mean over answers of the fraction of the reference's facts that the answer states" in methods
    assert "QuestionRun" in dictionary
    assert "logs_questions" in dictionary
    assert "a chosen one may be a guess" in dictionary
    schema = json.loads((project / "_site" / "data" / "schemas" / "questionrun.json").read_bytes())
    assert set(schema["$defs"]["QuestionRun"]["required"]) == {"question_id", "model", "form"}


def test_each_of_its_runs_has_a_page_and_stands_in_the_list(project: Path) -> None:
    own = [path for path in pages(project) if re.fullmatch(r"reviews/quiz/[0-9a-f]{12}/index.html", path)]
    assert len(own) == len(ANSWERS) - 1
    told = [page(project, path) for path in own]
    assert sum("That the answer was not guessed" in text for text in told) == 4
    assert sum("1 of 4 facts" in text for text in told) == 1
    assert sum("timed out" in text for text in told) == 1


def test_every_number_in_its_pages_is_published(project: Path) -> None:
    published = json.loads((project / "_site" / "data" / "estimates.json").read_bytes())["estimates"]
    known = {e["id"] for e in published}
    shown: set[str] = set()
    for path in pages(project):
        markup = (project / "_site" / path).read_text("utf-8")
        shown |= {html.unescape(i) for i in re.findall(r'data-estimate="([^"]*)"', markup)}
        for ids in re.findall(r'data-estimates="([^"]*)"', markup):
            shown |= set(html.unescape(ids).split())
    assert shown <= known
    assert {f"quiz/questions.{m}?model=alpha&form=free" for m in ("exact_pass", "recall")} <= shown


def test_it_is_in_every_download(project: Path, report: dict[str, Any]) -> None:
    data = project / "_site" / "data"
    assert json.loads((data / "reports" / "quiz.json").read_bytes()) == report
    with (data / "tables" / "estimates.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert rows["quiz/questions.recall?model=alpha&form=free"]["n"] == "16"
    exchanged = json.loads((data / "every-eval-ever" / "quiz" / "alpha.json").read_bytes())
    assert {r["metric_config"]["metric_id"] for r in exchanged["evaluation_results"]} == {
        "assay.questions.exact_pass",
        "assay.questions.recall",
    }


@at_night("sites of other families verify in test_verify.py")
def test_its_site_verifies(project: Path) -> None:
    done = assay(project, "verify", "_site")
    assert done.returncode == 0, done.stdout
    assert "every published number was recomputed" in done.stdout


LAWS = """
import inspect, sys
from pathlib import Path

from hypothesis import settings

import tests.conftest
from tests.support.by_day import by_night

if not by_night():  # the five families have each law with more of them, and find a law that does not hold
    settings.register_profile("few", settings.default, max_examples=4)
    settings.load_profile("few")

from metrics_core.families import FAMILIES
from tests.families import test_laws, test_site_laws

family, data, scratch = FAMILIES["questions"], sys.argv[1], Path(sys.argv[2])
site = test_site_laws.made(scratch)
given = {"family": family, "site": site, "shared_data": Path(data)}
for module in (test_laws, test_site_laws):
    for name, law in vars(module).items():
        wants = inspect.signature(law).parameters if name.startswith("test_") else ()
        if "family" in wants and (data or "shared_data" not in wants):
            law(**{word: given[word] for word in wants})
            print(module.__name__, name)
"""
"""Every test of one family, called for the sixth: each stops the process if it does not hold."""

WITH_DATA = {
    "tests.families.test_laws": [],
    "tests.families.test_site_laws": ["test_what_the_family_exports_is_of_the_exchange_schema"],
}
"""Module of such tests -> those that need the schemas among the real data."""


@at_night("the five families have each law, and its site and numbers are held here")
def test_the_laws_of_every_family_hold_it_too(project: Path, repo: Path, tmp_path: Path) -> None:
    for part in ("metrics_core", "site_src", "templates"):
        shutil.copytree(project / part, tmp_path / "six" / part)
    shutil.copytree(repo / "tests", tmp_path / "six" / "tests")
    done = subprocess.run(
        [sys.executable, "-B", "-c", LAWS, str(find_data() or ""), str(tmp_path / "families")],
        cwd=tmp_path / "six", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    held = [line.split() for line in done.stdout.splitlines()]
    for module, with_data in WITH_DATA.items():
        source = (repo / f"{module.replace('.', '/')}.py").read_text("utf-8")
        laws = re.findall(r"^@every_family$.*?^def (test_\w+)", source, re.DOTALL | re.MULTILINE)
        of_module = [name for at, name in held if at == module]
        assert laws
        assert [law for law in laws if law not in of_module] == ([] if find_data() else with_data)
