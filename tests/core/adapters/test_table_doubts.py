"""What would make a number of a plain table wrong in silence: polarity, totals, commas, words, copies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.adapters.test_table import HEADER, made, records, refused, report_of, told, whole

FAILED = "model,task,failed\nm,a,1\nm,b,0\nm,c,0\n"


# ------------------------------------------------------------------ which way round


def test_a_column_of_failures_is_turned_round_and_says_so(tmp_path: Path) -> None:
    settings = {"source": {"format": "table", "map": {"outcome": "failed"}}, "scale": {"failed": [1, 0]}}
    report = report_of(tmp_path / "a.csv", FAILED, **settings)
    found = whole(report)
    assert (found.n, found.N) == (2, 3)
    assert found.notes[-1].startswith("failed, from 1 to 0, is turned round and rescaled to 0..1")


@pytest.mark.parametrize(
    "name",
    ["failed", "errorFlag", "Wrong?", "policy_violation", "breach", "hallucinated", "falsch", "échoué"],
)
def test_a_column_that_speaks_against_is_never_offered_as_it_stands(name: str) -> None:
    text = FAILED.replace("failed", name)
    offered = refused(text).hint
    assert f"outcome={name}" in offered
    assert f"{name}=1..0" in offered
    asked = refused(text, map={"outcome": (name,)})
    assert "speaks of failures by its name, so that 1 would count as a pass" in asked.problem
    assert f"{name}=1..0" in asked.hint
    assert len(records(made(text, map={"outcome": (name,)}, scale={name: (0, 1)}))) == 3


def test_words_that_say_themselves_what_is_a_pass_are_not_turned_round() -> None:
    text = "task,failure\na,passed\nb,failed\n"
    found = records(made(text, map={"outcome": ("failure",)}))
    assert [record["scores"]["failure"] for record in found] == [1.0, 0.0]
    turned = refused(text, map={"outcome": ("failure",)}, scale={"failure": (1, 0)})
    assert "holds words that say themselves what is a pass" in turned.problem


# ------------------------------------------------------------------ rows that sum others up


@pytest.mark.parametrize("name", ["Average", "TOTAL", "Gesamt", "Overall", "sum", "Mean"])
@pytest.mark.parametrize("first", [True, False])
def test_a_row_that_sums_others_up_is_no_task(name: str, first: bool) -> None:
    rows = ["a,m,1", "b,m,0"]
    rows.insert(0 if first else 2, f"{name},m,0.5")
    items = made("task,model,passed\n" + "\n".join(rows) + "\n")
    assert [record["task_id"] for record in records(items)] == ["a", "b"]
    (left,) = (line for line in told(items) if "left out" in line)
    assert left.startswith(f"t.csv:{2 if first else 4}#/task: left out: the task ")
    assert f'give it another name, such as "task {name}"' in left


def test_a_task_that_is_only_called_so_is_kept() -> None:
    between = made("task,model,passed\na,m,1\nsum,m,0\nb,m,0\n")
    repeated = made(HEADER + "sum,m,1,1\na,m,1,0\nsum,m,2,0\n")
    assert (len(records(between)), len(records(repeated))) == (3, 3)


def test_one_number_beside_0_and_1_is_named_with_its_line_and_no_scale() -> None:
    error = refused("task,passed\na,1\nb,0\nc,1\nd,0\nx,2\n")
    assert error.where == "t.csv:6"
    assert "passed holds 2 in one row, and 0 or 1 in all others: their total:" in error.problem
    assert "--scale" not in str(error)


# ------------------------------------------------------------------ commas


@pytest.mark.parametrize("map_", [{}, {"outcome": ("Punkte",)}, {"outcome": ("Wert",)}])
def test_a_decimal_comma_is_asked_for_however_the_column_became_the_outcome(
    map_: dict[str, tuple[str, ...]],
) -> None:
    name = map_.get("outcome", ("Punkte",))[0]
    error = refused(f"Aufgabe;{name}\na;0,5\nb;1\n", map=map_)
    assert 'holds "0,5": a decimal comma?' in error.problem
    assert error.hint.startswith("say which: --decimal-comma;")


def test_a_comma_before_three_digits_has_two_readings() -> None:
    error = refused('task,score\na,"1,234"\nb,"2,500"\n')
    assert 'holds "1,234": a decimal comma, or a sign between thousands?' in error.problem
    assert "--decimal-comma (1.234) or 1234 in the table" in error.hint
    assert 'holds "1,234,567": a sign between thousands?' in refused('task,score\na,"1,234,567"\n').problem
    assert "a decimal comma?" in refused('task,score\na,"0,125"\nb,"0,250"\n').problem


# ------------------------------------------------------------------ lines and names that are there twice


def test_lines_that_stand_there_twice_are_told() -> None:
    once = "task,model,passed\na,m,1\nb,m,0\n"
    doubled = made(once + "a,m,1\nb,m,0\n")
    assert len(records(doubled)) == 4
    (line,) = (line for line in told(doubled) if "stand there before" in line)
    assert line.startswith("t.csv:4: 2 lines stand there before, whole (line 4 as line 2, line 5 as line 3)")
    assert "every line stands there 2 times: was the table written out more than once?" in line
    assert len(told(made(once))) == 1
    assert not any("there before" in line for line in told(made(HEADER + "a,m,1,1\na,m,1,1\n")))


def test_names_that_are_one_but_for_case_or_zeros_are_both_named() -> None:
    lines = told(made("task,model,passed\n01,M,1\n1,m,0\n1.0,M,1\n"))
    assert any('arms that differ in case or zeros alone: "M" and "m"' in line for line in lines)
    assert any('tasks that differ in case or zeros alone: "01" and "1" and "1.0"' in line for line in lines)


# ------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("ja", "nein"),
        ("bestanden", "nicht bestanden"),
        ("oui", "non"),
        ("sí", "no"),
        ("✓", "✗"),
        ("✅", "❌"),
    ],
)
def test_words_of_several_languages_are_known(yes: str, no: str) -> None:
    found = records(made(f"Modell;Aufgabe;bestanden\nm;a;{yes}\nm;b;{no}\n"))
    assert [record["scores"]["bestanden"] for record in found] == [1.0, 0.0]


def test_words_that_nobody_knows_are_all_named_and_may_be_said() -> None:
    text = "task,passed\na,completed\nb,broken\nc,completed\n"
    error = refused(text)
    assert '"completed" (2), "broken" (1): neither numbers nor yes and no' in error.problem
    assert "--map outcome=passed --word completed=? --word broken=?" in error.hint
    assert "--word completed=? --word broken=?" in refused(text, map={"outcome": ("passed",)}).hint
    items = made(text, words={"Completed": 1, "broken": 0, "lost": 0})
    assert [record["scores"]["passed"] for record in records(items)] == [1.0, 0.0, 1.0]
    assert "passed as outcome (words as said)" in told(items)[0]
    assert told(items)[1] == 't.csv: no outcome is "lost", though it is said what it stands for'


# ------------------------------------------------------------------ which column it could be


def test_a_number_is_never_offered_as_the_task_and_headings_are_known() -> None:
    found = records(made("Modell;Aufgabe;bestanden;Dauer (s)\nm;a;1;1.5\nm;b;0;2.5\n"))
    assert [(r["agent"], r["task_id"], r["wall_s"]) for r in found] == [("m", "a", 1.5), ("m", "b", 2.5)]
    french = records(made("modèle;tâche;résultat;coût\nm;a;oui;0.1\n"))
    assert (french[0]["scores"], french[0]["cost_usd"]) == ({"résultat": 1.0}, 0.1)
    error = refused("Gewicht;Name;Kennung;passed\n1,5;m;a;1\n2,5;m;b;0\n3,5;m;c;1\n")
    assert error.hint.startswith("say which: --map task=Kennung or --map task=Name;")


def test_grades_and_unknown_words_are_offered_with_what_has_to_be_said() -> None:
    rows = "a,4,done\nb,5,gone\nc,4,done\n"
    hint = refused("task,rating,state\n" + rows).hint
    assert "--map outcome=rating --scale rating=LO..HI" in hint
    assert "--map outcome=state --word done=? --word gone=?" in hint


def test_a_column_a_model_is_read_as_one_row_a_try() -> None:
    text = "task,gpt-4o,claude-3\na,1,0\nb,1,\n"
    error = refused(text)
    assert "gpt-4o" in error.problem
    assert "look like a column a model" in error.problem
    assert error.hint.startswith("say which: --map arm=gpt-4o --map arm=claude-3 or ")
    items = made(text, map={"arm": ("gpt-4o", "claude-3")})
    assert [(r["agent"], r["task_id"], r["scores"]["outcome"]) for r in records(items)] == [
        ("gpt-4o", "a", 1.0),
        ("claude-3", "a", 0.0),
        ("gpt-4o", "b", 1.0),
        ("claude-3", "b", None),
    ]
    assert told(items)[1] == 't.csv: "gpt-4o", "claude-3" are an arm each, and their cells its outcomes'
    assert "there is no column" in refused(text, map={"arm": ("gpt-4o", "nobody")}).problem
    assert '"arm" is a column' in refused("task,arm,x,y\na,m,1,0\n", map={"arm": ("x", "y")}).problem
