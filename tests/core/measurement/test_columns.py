"""A batch of lines comes to what `observe` says of each: of fixtures, the example, and seeded hostile lines.

A family that declares a batch form is held by being registered. What a partial spells is the same whatever
the cuts, the order, and the size of the batches.
"""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core import engine
from metrics_core.experiments.settings import Settings
from metrics_core.families import FAMILIES
from metrics_core.formats import jsonl
from metrics_core.measurement.columns import counting, learning, logs, logs as of_one_family
from metrics_core.measurement.columns.counts import Counts, added_numbers, merged
from metrics_core.measurement.columns.expansion import expanded
from metrics_core.measurement.columns.logs import of_logs
from metrics_core.measurement.family import Context, Family
from metrics_core.measurement.tabulate import Partial, tabulate
from metrics_core.memo import Memo
from metrics_core.pricing import Correction, PriceTable, Rate
from tests.support.by_day import by_day, one_in
from tests.support.family_records import as_lines, of_fixtures

EXAMPLE = Path(__file__).resolve().parents[3] / "content" / "experiments"
BATCHED = {name: family for name, family in FAMILIES.items() if family.batch is not None}
every_batched = pytest.mark.parametrize("family", BATCHED.values(), ids=BATCHED)

RATE, WAS = Rate(3 * 10**9, 12 * 10**9, 3 * 10**8), Rate(10**9, 10**9, None)
OLD = PriceTable("old.yaml", "2026-07-05", None, {"alpha": RATE, "beta": WAS}, {"b": "beta"})
NEW = PriceTable(
    "new.yaml", "2026-08-05", None, {"alpha": WAS, "gamma": Rate(2**38, 1, 0)}, {},
    (Correction("2026-08-01", "alpha", RATE, "copied wrongly"),),
)  # fmt: skip


def context(table: PriceTable | None = None, *tables: PriceTable, **more: Any) -> Context:
    every = tuple(t for t in (table, *tables) if t is not None)
    newest = max(every, key=lambda t: t.fetched, default=None)
    return Context(
        experiment="e", settings=Settings(**more), table=table, newest=newest, tables=every, memo=Memo()
    )


CONTEXTS = {
    "no prices": context(),
    "one table": context(OLD),
    "several tables": context(OLD, NEW),
    "a correction": context(NEW, OLD),
    "aliases and a grader": context(OLD, models={"alpha": "the first"}, grader_version="g1"),
}


def one_by_one(family: Family, logs: Mapping[str, bytes], given: Context) -> Partial:
    """The reference: every record through ``observe``."""
    total = Partial()
    for file, data in logs.items():

        def batches(file: str = file, data: bytes = data) -> Iterator[list[Any]]:
            return jsonl.batches([data], family.record, file=file)

        part = tabulate(family, batches(), given)
        if twice := total.seen & part.seen:
            part = tabulate(family, batches(), given, skip=frozenset(twice))
        total.merge(part)
    return total


def in_columns(family: Family, logs: Mapping[str, bytes], given: Context, piece: int = 5000) -> Counts:
    def chunks(data: bytes) -> Iterator[bytes]:
        return (data[at : at + piece] for at in range(0, len(data), piece))

    return of_logs(family, {file: partial(chunks, data) for file, data in logs.items()}, given)


def told(counted: Partial) -> dict[str, Any]:
    """Everything that a partial says, in an order of its own."""
    found = {name: getattr(counted, name) for name in counted.__struct_fields__ if name != "seen"}
    found["cells"] = {
        key: replace(cell, numbers={day: sorted(numbers) for day, numbers in cell.numbers.items()})
        for key, cell in counted.cells.items()
    }
    numbered = found.pop("numbered")
    found["tries"] = sorted(zip(numbered.tries, numbered.places, numbered.ends, strict=True))
    found["files"] = numbered.files
    return found | {name: sorted(map(repr, found[name])) for name in ("problems", "findings")}


def spelling(counts: Counts) -> str:
    """Equal content is equal bytes, but for where lines stand."""
    rest = counts.rest
    arrays = [*counts.runs, counts.seen, *(a for n in counts.numbers.values() for a in n[:3])]
    return repr(
        [
            counts.whose, counts.verdicts, list(counts.numbers), [n.scale for n in counts.numbers.values()],
            [(a.dtype.str, a.tobytes()) for a in arrays], sorted(rest.checks.items()),
            sorted(rest.costs.items()), sorted(rest.unknown_fields.items()), sorted(rest.numbered.tries),
            sorted((type(p).__name__, p.field, p.what) for p in (*rest.problems, *rest.findings)),
            (rest.records, rest.invalid),
        ]
    )  # fmt: skip


# ------------------------------------------------------------------------------------ hostile lines


def hostile(rng: random.Random, others: int) -> bytes:
    """A line that knows every field of a brownfield run and every fault, now and then."""

    def odd(one_in: int) -> bool:
        return rng.randrange(one_in * others) == 0

    size = rng.randrange(5)
    held = [rng.random() < 0.7 for _ in range(size)]
    share = sum(held) / size if size else rng.choice([None, 0.0, 1.0, 0.5])
    misses = [f"p{at}" for at in range(rng.choice([0, 0, 1, 2]))]
    kind = rng.choice(["fix", "refactor", "Awareness", "aware"])
    sent = rng.randrange(50_000)
    record: dict[str, Any] = {
        "id": rng.choice(["B1", "B2", 'B"3', "B\u00e94"]),
        "kind": kind,
        "model": rng.choice(["alpha", "beta", "b", "gamma", "nobody"]),
        "rep": rng.randrange(10**6),
        "change": None if share is None else round(share, rng.choice([2, 3, 16])),
        "change_detail": [[f"a{at}", x] for at, x in enumerate(held)],
        "regress": rng.choice([None, round((20 - len(misses)) / 20, 3), (20 - len(misses)) / 20]),
        "regress_misses": misses,
        "regress_total": rng.choice([20, 20, None, 0]),
        "changed_files": rng.choice([None, [], ["a.php"], ["a.php", "b.php"]]),
        "error": rng.choice([None, None, None, "", "timed out"]),
        "wall_s": rng.choice([None, 1, 20.5, rng.random() * 400, round(rng.random() * 400, 1)]),
        "cost": rng.choice([None, 0, 0.0, round(rng.random(), 6), rng.random(), 3 * sent / 1e6]),
        "prompt_tokens": rng.choice([None, sent, sent, sent]),
        "completion_tokens": rng.choice([None, 0, rng.randrange(9000)]),
        "cached_tokens": rng.choice([None, 0, sent // 3]),
        "stamp": f"2026-07-{rng.randrange(1, 29):02}T{rng.randrange(24):02}:00:0{rng.randrange(9)}Z",
    }
    if kind.startswith("A"):
        record |= {
            "answer_files": rng.choice([None, [], ["a"]]),
            "truth_files": rng.choice([["a"], ["a", "b"], []]),
        }
        record["change"] = rng.choice([None, record["change"]])
    if rng.random() < 0.3:
        record |= {"with_brain": rng.choice([True, False, None]), "mode": "m"}
    elif rng.random() < 0.3:
        record |= {
            "axis": record.pop("kind"),
            "agent": record.pop("model"),
            "label": "L",
            "turns": rng.choice([None, []]),
        }
    elif rng.random() < 0.3:
        role = {"input_tokens": 5, "output_tokens": 6, "cost_usd": 0.1}
        record |= {
            "continuation": rng.choice([None, "beta"]),
            "config": rng.choice(["full", {"mode": "x"}, {"mode": 1}]),
            "metrics": {"input_tokens": 10, "output_tokens": rng.choice([12, 13]), "cost_usd": 0.2,
                        "by_role": {"primary": role, "other": role}},
        }  # fmt: skip
    if odd(4):
        record["stamp"] = rng.choice(
            ["2026-07-05T12:00:00+02:00", "2026-07-05", "20260705T101112Z", "2026-02-30T00:00:00Z", "soon",
             "2026-07-05T24:00:00Z", "0001-01-01T00:00:00+01:00", "2026-07-05T10:00:00.75Z", "", None,
             "2026-07-05T10:00:60Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-7-05T10:00:000Z"]
        )  # fmt: skip
    if odd(3):
        record[rng.choice([*record])] = rng.choice(
            ["7", 7, 7.5, -1, True, None, [], {}, [[1]], [["a", 1]], [["a", True, 1]], 10**13, 1e300, -0.0,
             {"a": {"b": 1}}, "\u2028", 2**25, 1.0, 0.1 + 0.2]
        )  # fmt: skip
    if odd(3):
        record[rng.choice(["grader_version", "extra", "class", "a/b", "x~y"])] = rng.choice(
            [
                1,
                1.0,
                "1",
                2.5,
                1e20,
                10**20,
                "g",
                None,
                True,
                [1, "a"],
                {"k": 1},
                [{"k": 1}],
                '":',
                '" :',
                "\\\\",
            ]
        )
    if odd(6):
        del record[rng.choice([*record])]
    line = json.dumps(record, ensure_ascii=rng.random() < 0.5)
    if odd(8):
        line = rng.choice(
            [line[: rng.randrange(len(line))], line.replace("{", '{"rep": 1, ', 1), line + line, f"[{line}]",
             line.replace('"rep":', '"rep" :'),
             line.replace(": ", ":\t"), f" {line} \r", f"\ufeff{line}",
             line.replace("alpha", "\\ud800"), line.replace("null", "nan"),
             "", "  ", "\r", "null", "[" * 2000]
        )  # fmt: skip
    return line.encode("utf-8", "surrogatepass")


def hostile_logs(seed: int, size: int, others: int = 1, twice: float = 0.05) -> dict[str, bytes]:
    """Three logs of such lines, some of which stand twice in one and in two of them."""
    rng = random.Random(seed)
    lines = [hostile(rng, others) for _ in range(size)]
    lines += rng.sample(lines, int(size * twice))
    rng.shuffle(lines)
    if rng.random() < 0.5:
        lines[rng.randrange(size)] += b"\xff"
    cuts = sorted(rng.randrange(size) for _ in range(2))
    parts = [lines[a:b] for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
    return {f"l{at}.jsonl": b"\n".join(part) + b"\n" * rng.randrange(2) for at, part in enumerate(parts)}


# ------------------------------------------------------------------------------------------ the law


@every_batched
@pytest.mark.parametrize("given", CONTEXTS.values(), ids=CONTEXTS)
def test_a_batch_says_what_observe_says_of_the_golden_fixtures(family: Family, given: Context) -> None:
    logs = {
        "f.jsonl": as_lines(of_fixtures(family)),
        "g.jsonl": as_lines(of_fixtures(family)[:3]) + b"{torn\n",
    }
    assert told(expanded(in_columns(family, logs, given), family)) == told(one_by_one(family, logs, given))


@every_batched
def test_a_batch_says_what_observe_says_of_the_example(family: Family) -> None:
    found = [folder for folder in sorted(EXAMPLE.iterdir()) if (folder / family.folder).is_dir()]
    assert found
    for folder in found:
        logs = {path.name: path.read_bytes() for path in sorted((folder / family.folder).iterdir())}
        given = engine.context_of(mc.load(folder), [OLD])
        assert told(expanded(in_columns(family, logs, given), family)) == told(
            one_by_one(family, logs, given)
        )


@one_in(4)
@pytest.mark.parametrize("seed", [seed for seed in range(60) if seed < 6 or by_day(f"hostile {seed}", 30)])
def test_a_batch_says_what_observe_says_of_hostile_lines(seed: int) -> None:
    family = FAMILIES["brownfield"]
    given = [*CONTEXTS.values()][seed % len(CONTEXTS)]
    logs = hostile_logs(seed, 300, others=(1, 4, 40)[seed % 3])
    assert told(expanded(in_columns(family, logs, given), family)) == told(one_by_one(family, logs, given))


@one_in(3)
@pytest.mark.parametrize("seed", range(3))
def test_any_cut_and_any_order_give_one_spelling(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    family, given, rng = FAMILIES["brownfield"], CONTEXTS["several tables"], random.Random(seed)
    lines = list(dict.fromkeys(hostile(rng, 4) for _ in range(300)))
    whole = spelling(in_columns(family, {"f.jsonl": b"\n".join(lines)}, given))
    monkeypatch.setattr(of_one_family, "BATCH", 3000)
    monkeypatch.setattr(counting, "MOST_REMEMBERED", 3)
    monkeypatch.setattr(learning, "MOST_REMEMBERED", 3)
    cuts = sorted(rng.randrange(300) for _ in range(5))
    parts = [
        in_columns(family, {"f.jsonl": b"\n".join(lines[a:b])}, given)
        for a, b in zip([0, *cuts], [*cuts, None], strict=True)
    ]
    rng.shuffle(parts)
    assert spelling(merged(parts)) == spelling(merged([merged(parts[:3]), merged(parts[3:])])) == whole


@pytest.mark.parametrize("largest", [7, 10**6, 10**14, 10**17])
def test_values_are_in_order_of_keys_day_and_value_however_wide_they_are(largest: float) -> None:
    rng = random.Random(11)
    rows = [
        (rng.choice((0, 3, 2**40)), rng.choice((-(2**24), 20_000, 20_001)), rng.choice((0.5, 4.0, largest)))
        for _ in range(300)
    ]
    whose, day, value = (np.array(column) for column in zip(*rows, strict=True))
    found = added_numbers(
        [(whose[:90], day[:90], value[:90].astype(float)), (whose[90:], day[90:], value[90:].astype(float))]
    )
    in_order = zip(found.whose.tolist(), found.day.tolist(), found.floats().tolist(), strict=True)
    assert list(in_order) == sorted(rows)


def test_few_lines_are_counted_by_themselves() -> None:
    """The way out is for what is unusual: else the batch form would be as slow as what it replaces."""
    family = FAMILIES["brownfield"]
    asked: list[int] = []

    def observe(rows: Any, given: Context) -> Any:
        asked.append(len(rows))
        return family.observe(rows, given)

    rng = random.Random(1)
    base = json.loads((EXAMPLE / "brownfield-2026-07/logs_big/alpha.jsonl").read_bytes().split(b"\n")[0])
    data = as_lines([base | {"rep": rep, "wall_s": rng.random() * 100} for rep in range(500)])
    in_columns(replace(family, observe=observe), {"f.jsonl": data}, context(OLD))
    assert sum(asked) < 20


def test_a_log_is_counted_with_a_bounded_part_of_what_others_taught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each goes through all that it is given, which of thousands of logs is too much."""
    base = json.loads((EXAMPLE / "brownfield-2026-07/logs_big/alpha.jsonl").read_bytes().split(b"\n")[0])
    texts = {f"{at:02}.jsonl": as_lines([base | {"id": f"T{at}"}]) for at in range(40)}
    whole = spelling(in_columns(FAMILIES["brownfield"], texts, context(OLD)))
    given: list[int] = []

    def counted(learnt: learning.Learnt, lines: logs.Lines, *skip: frozenset[int]) -> Counts:
        given.append(len(learnt.whose))
        return one(learnt, lines, *skip)

    one = logs._counted
    monkeypatch.setattr(logs, "_counted", counted)
    monkeypatch.setattr(learning, "MOST_HANDED_ON", 20)
    assert spelling(in_columns(FAMILIES["brownfield"], texts, context(OLD))) == whole
    assert 0 < max(given) <= 20


def test_millions_of_blank_lines_are_not_held() -> None:
    """A few kilobytes of gzip unfold to this."""
    base = (EXAMPLE / "brownfield-2026-07/logs_big/alpha.jsonl").read_bytes().split(b"\n")[0] + b"\n"
    pieces = [b"\n" * 2**18] * 12 + [b"\n" * 2**17 + base + b" \n" * 2**16] * 4
    tracemalloc.start()
    try:
        counts = of_logs(FAMILIES["brownfield"], {"f.jsonl": lambda: pieces}, context(OLD))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert expanded(counts, FAMILIES["brownfield"]).records == 4
    assert peak < 32 * 2**20
