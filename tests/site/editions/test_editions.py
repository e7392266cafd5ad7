"""Editions: recorded and read back, held in a chain, compared by cause; what is gone keeps its address."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace

from metrics_core.errors import AssayError, ConfigError, FormatError
from metrics_core.pricing import PriceTable, Rate
from metrics_core.results.codes import Kept, NoInterval, NotSeparated
from metrics_core.results.estimate import Estimate
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from metrics_core.results.separation import SeparationVerdict
from metrics_core.statistics.proportions import wilson
from site_src import paths
from site_src.editions import removed_pages, store, summary
from site_src.editions.changes import (
    changed_controls,
    changed_decisions,
    changed_inputs,
    changed_outcomes,
    moved,
)
from site_src.editions.edition import Edition, EditionPage
from site_src.editions.removed_pages import redirects, without_reason
from site_src.editions.store import History
from site_src.pages import render
from site_src.pages.editions import editions as pages, next_edition
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.frame import frame
from site_src.pages.page import Page
from site_src.pages.site_map import SiteMap, site_map
from site_src.verification import page_numbers
from site_src.wording.captions import text
from site_src.wording.clauses import clause
from tests.support import decision_samples, edition_samples as sample
from tests.support.edition_samples import ALPHA, BETA, CONTRACT, decision, edition, security, shop
from tests.support.sample_reports import HOSTILE, sha

FIRST = edition(decisions=(decision(),))
PRESENT = tuple(page.path for page in sample.PAGES)


def causes(before: Edition, now: Edition) -> dict[str, tuple[str, ...]]:
    """Model -> why its figure moved."""
    return {dict((m.now or m.before).group)["model"]: m.causes for m in moved(before, now)}  # type: ignore[union-attr]


def withheld(e: Estimate) -> Estimate:
    why = Kept("negative control failed")
    return replace(
        e, value=None, n=None, N=None, interval=Interval.none(why), withheld_by=why, headline="withheld"
    )


# ------------------------------------------------------------------------------ recorded and read back


def test_an_edition_reads_back_as_it_was_recorded() -> None:
    data = store.to_bytes(FIRST)
    again = store.read(data, "0001.json")
    assert again == FIRST
    assert store.to_bytes(again) == data
    assert again.digest == "sha256:" + hashlib.sha256(data).hexdigest()


def test_the_same_site_gives_the_same_bytes_in_whatever_order_it_is_handed_over() -> None:
    other = replace(shop(ALPHA), title="Other")
    other = replace(other, report=replace(other.report, experiment="other", estimates=()))
    one = edition(shop(), other, decisions=(decision(),))
    turned_round = edition(
        other, shop(BETA, ALPHA), decisions=(decision(),), pages=tuple(reversed(sample.PAGES))
    )
    assert store.to_bytes(one) == store.to_bytes(turned_round)


def test_what_a_caption_says_of_a_figure_can_be_said_of_its_record() -> None:
    found = [
        ALPHA,
        withheld(security("b", 1, 10)),
        security("c", 2, 3, interval=Interval.none(NoInterval.TOO_FEW), headline="counts"),
        security("d", 6, 9, unknown=4, bounds=(6 / 13, 10 / 13), headline="bounds"),
    ]
    kept = {e.id: e for e in edition(shop(*found)).estimates}
    assert [text(clause(kept[e.id])) for e in found] == [text(clause(e)) for e in found]
    assert text(clause(kept[ALPHA.id])) == (
        "12/15 known verdicts (all of 15 attempts known)\u00a0· 0.80 [0.55, 0.93]"
    )


def test_an_edition_keeps_what_a_reader_meets_what_decisions_rest_on_and_what_it_kept_before() -> None:
    narrow = security("gamma", 1, 2)
    resting = decision()
    resting["claims"][0]["estimates"] = [narrow.id]
    kept = sample.recorded(
        store.draft(
            [shop(ALPHA, BETA, narrow)],
            lambda e: e.id == ALPHA.id,
            [resting],
            (),
            sample.build(),
            date="2026-07-20",
            before=None,
        )
    )
    assert {e.id for e in kept.estimates} == {ALPHA.id, narrow.id}
    after = store.draft(
        [shop(ALPHA, BETA, narrow)],
        lambda e: e.id == ALPHA.id,
        [],
        (),
        sample.build(),
        date="2026-07-21",
        before=kept,
    )
    assert {e.id for e in after.estimates} == {ALPHA.id, narrow.id}


def _edited(change: dict[str, Any]) -> bytes:
    return json.dumps({**json.loads(store.to_bytes(FIRST)), **change}, sort_keys=True).encode()


@pytest.mark.parametrize(("data", "said"), [
    (b"{", "0001.json: expected JSON"),
    (_edited({"number": "1"}), "0001.json#/number: Expected int, got str"),
    (_edited({"surprise": 1}), "0001.json: Object contains unknown field surprise"),
    (_edited({"experiments": [{}]}), "0001.json#/experiments/0: Object missing required field slug"),
    (_edited({"schema": "assay.edition/9"}), "0001.json#/schema: expected assay.edition/1"),
    (_edited({"date": "soon"}), "0001.json: expected a date as YYYY-MM-DD"),
    (_edited({"number": 2}), "0001.json: edition 2 names None as the one before"),
    (_edited({"experiments": []}), "0001.json: an estimate of shop, which is not among the experiments"),
    (_edited({}), "0001.json: is not spelled as it was recorded"),
    (store.to_bytes(FIRST).replace(b'"n":12', b'"n":16'), "n = 16, N = 15"),
])  # fmt: skip
def test_a_file_that_is_no_edition_is_refused_where_it_is_wrong(data: bytes, said: str) -> None:
    with pytest.raises(FormatError) as refused:
        store.read(data, "0001.json")
    assert said in str(refused.value)


def test_hostile_words_stay_words() -> None:
    hostile = security(HOSTILE, 1, 10)
    made = edition(shop(hostile, title=HOSTILE), why=HOSTILE, decisions=(decision(says=HOSTILE),))
    assert store.read(store.to_bytes(made), "0001.json").experiments[0].title == HOSTILE


# --------------------------------------------------------------------------------------- the chain


def _files(*editions: Edition) -> dict[str, bytes]:
    return {store.file_name(e.number): store.to_bytes(e) for e in editions}


SECOND = edition(
    shop(security("alpha", 13, 16), BETA, logs="more"), before=FIRST, date="2026-07-27", name="b2"
)
THIRD = edition(shop(), before=SECOND, date="2026-08-03", name="b3")


def test_editions_name_the_one_before() -> None:
    found = store.read_history(_files(FIRST, SECOND, THIRD))
    assert [e.number for e in found.editions] == [1, 2, 3]
    assert found.editions[2].previous == found.editions[1].digest


def test_a_gap_in_the_chain_names_the_file_that_is_missing() -> None:
    with pytest.raises(FormatError, match=r"0003\.json: expected edition 2, got 3 \(0002\.json is missing\)"):
        store.read_history(_files(FIRST, THIRD))


def test_an_edition_that_was_changed_later_is_named() -> None:
    changed_later = edition(shop(security("alpha", 14, 15), BETA))
    with pytest.raises(FormatError, match=r"0002\.json#/previous: .*0001\.json was changed"):
        store.read_history(_files(changed_later, SECOND))


def test_a_file_under_the_number_of_another_is_named() -> None:
    with pytest.raises(FormatError, match=r"0002\.json#/number: holds edition 1"):
        store.read_history({"0001.json": store.to_bytes(FIRST), "0002.json": store.to_bytes(FIRST)})


def test_a_file_that_is_no_part_of_the_record_is_named() -> None:
    with pytest.raises(FormatError, match=r"editions/edition-2\.json: is neither"):
        store.read_history({"edition-2.json": b""})


@pytest.mark.parametrize("name", ["00001.json", "01.json", "00000.json", "\u0660\u0660\u0660\u0661.json"])
def test_a_number_is_spelled_in_one_way(name: str) -> None:
    with pytest.raises(FormatError, match=r"editions/.*\.json: is neither"):
        store.read_history({"0001.json": store.to_bytes(FIRST), name: store.to_bytes(FIRST)})


def test_an_edition_is_not_older_than_the_one_before() -> None:
    older = edition(shop(), before=FIRST, date="2026-07-19", name="b2")
    with pytest.raises(FormatError, match=r"0002\.json#/date"):
        store.read_history(_files(FIRST, older))


def test_a_build_knows_whether_it_is_the_edition_that_was_published() -> None:
    found = store.read_history(_files(FIRST, SECOND))
    this, other = sha("b2"), sha("something else")
    assert found.published_as(this) == SECOND
    assert found.before(this) == FIRST
    assert found.published_as(other) is None
    assert found.before(other) == SECOND
    assert summary.head_words(found, "0.1.0+x", this) == ("Edition 2", SECOND.digest)
    assert summary.head_words(found, "0.1.0+x", other) == ("Build 0.1.0, after edition 2", other)


# ----------------------------------------------------------------------------- what moved, and by what


def test_nothing_moves_where_nothing_changed() -> None:
    now = edition(shop(), before=FIRST)
    assert moved(FIRST, now) == ()
    assert summary.since(FIRST, now, (), ()) == "Since edition 1 of 2026-07-20: no figure moved."


def test_data_that_moved_nothing_moves_nothing_and_is_told() -> None:
    now = edition(shop(logs="other"), before=FIRST)
    assert moved(FIRST, now) == ()
    assert [(c.kind, c.before != c.now) for c in changed_inputs(FIRST, now)] == [("data", True)]


def test_records_move_figures() -> None:
    now = edition(shop(security("alpha", 13, 16), BETA, logs="more"), before=FIRST)
    (move,) = moved(FIRST, now)
    assert (move.kind, move.causes, move.id) == ("moved", ("data",), ALPHA.id)
    assert [text(clause(e)) for e in (move.before, move.now) if e] == [
        "12/15 known verdicts (all of 15 attempts known)\u00a0· 0.80 [0.55, 0.93]",
        "13/16 known verdicts (all of 16 attempts known)\u00a0· 0.81 [0.57, 0.93]",
    ]


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_contract_moves_figures_whether_or_not_its_version_says_so(version: str) -> None:
    other = replace(CONTRACT, version=version, digest=sha("another closure"))
    now = edition(
        shop(security("alpha", 11, 15, contract=other), replace(BETA, contract=other)), before=FIRST
    )
    assert causes(FIRST, now) == {"alpha": ("contract",)}
    kinds = [(c.kind, c.name) for c in changed_inputs(FIRST, now)]
    assert kinds == [("contract", f"assay/brownfield v{v}") for v in sorted({"1", version})]


def test_a_digest_inside_an_id_does_not_make_one_figure_two() -> None:
    def scored(n: int, digest: str) -> Estimate:
        stratum = Keys({"contract": f"halden/v3 {digest[:15]}", "pack": sha("pack")[:15]})
        return security("alpha", n, 15, stratum=stratum, contract=replace(CONTRACT, digest=digest))

    before = edition(shop(scored(12, sha("one"))))
    (move,) = moved(before, edition(shop(scored(11, sha("two"))), before=before))
    assert (move.kind, move.causes) == ("moved", ("contract",))


def _table(date: str, rate: int) -> PriceTable:
    return PriceTable(f"{date}.yaml", date, None, {"alpha": Rate(rate, rate, None)}, {})


def test_prices_move_money_by_another_date_or_by_other_rates_and_nothing_else() -> None:
    def spent(value: float, date: str) -> Estimate:
        return security(
            "alpha", 15, 15, metric="cost", unit="USD", value=value, prices=date, of="runs",
            interval=Interval(lo=value / 2, hi=value * 2, method="order statistics"),
            stratum=Keys({"prices": date}),
        )  # fmt: skip

    before = edition(shop(spent(0.2, "2026-07-05"), BETA, prices=(_table("2026-07-05", 100),)))
    corrected = edition(
        shop(spent(0.1, "2026-07-05"), BETA, prices=(_table("2026-07-05", 50),)), before=before
    )
    newer = edition(shop(spent(0.1, "2026-08-01"), BETA, prices=(_table("2026-08-01", 50),)), before=before)
    assert causes(before, corrected) == {"alpha": ("prices",)}
    assert causes(before, newer) == {"alpha": ("prices",)}
    assert [c.name for c in changed_inputs(before, newer)] == ["2026-07-05", "2026-08-01"]


def test_a_pack_and_a_setting_move_figures() -> None:
    packed = edition(shop(replace(ALPHA, pack=sha("one"))))
    now = edition(shop(security("alpha", 11, 15, pack=sha("two"))), before=packed)
    sealed = replace(packed, experiments=(_packed(packed, "one"),))
    assert causes(sealed, replace(now, experiments=(_packed(now, "two"),))) == {"alpha": ("pack",)}
    setting = edition(
        shop(security("alpha", 11, 15), BETA, settings=(("evaluators", "x: judge"),)), before=FIRST
    )
    assert causes(FIRST, setting) == {"alpha": ("settings",)}


def _packed(made: Edition, pack: str) -> Any:
    x = made.experiments[0]
    return type(x)(
        **{name: getattr(x, name) for name in x.__struct_fields__ if name != "pack"}, pack=sha(pack)
    )


def test_a_control_that_fails_takes_a_figure_away_and_one_that_holds_lays_it_open() -> None:
    failed = shop(withheld(ALPHA), withheld(BETA), controls=(sample.control("failed"),))
    now = edition(failed, before=FIRST)
    assert causes(FIRST, now) == {"alpha": ("exclusions",), "beta": ("exclusions",)}
    (turn,) = changed_controls(FIRST, now)
    assert (turn.title, turn.before, turn.now) == ("negative control", "held", "failed")
    assert causes(now, edition(shop(), before=now)) == {"alpha": ("exclusions",), "beta": ("exclusions",)}


def test_an_outcome_that_changed_is_a_change_although_no_figure_moved() -> None:
    """Of the two rules one says something else: told, with both outcomes and who is above."""
    c = replace(decision_samples.SEPARATED, experiment="shop")
    only = SeparationVerdict(above="a", against=(NotSeparated.OVERLAP,), overlap=True)
    then = edition(shop(comparisons=(c,)))
    now = edition(shop(comparisons=(replace(c, judged=only),)), before=then)
    (turn,) = changed_outcomes(then, now)
    assert (turn.experiment, turn.before, turn.now) == (
        "shop", "separated: alpha above", "told apart on the same tasks only: alpha above",
    )  # fmt: skip
    assert "alpha and gamma" in turn.about
    assert "One comparison has another outcome." in summary.since(then, now, moved(then, now), ())
    assert changed_outcomes(then, edition(shop(comparisons=(c,)), before=then)) == ()
    assert changed_outcomes(FIRST, now) == ()  # the edition before held no comparison
    again = store.read(store.to_bytes(now), "0002.json")
    assert changed_outcomes(then, again) == (turn,)


def test_runs_that_are_left_out_as_invalid_move_figures() -> None:
    now = edition(shop(security("alpha", 12, 14, invalid=1), BETA, logs="other"), before=FIRST)
    assert causes(FIRST, now) == {"alpha": ("data", "exclusions")}


def test_several_causes_are_all_named_and_none_is_preferred() -> None:
    other = replace(CONTRACT, digest=sha("another closure"))
    now = edition(shop(security("alpha", 13, 16, contract=other), BETA, logs="more"), before=FIRST)
    assert causes(FIRST, now) == {"alpha": ("data", "contract")}
    assert "one figure moved because data and a contract changed" in summary.since(
        FIRST, now, moved(FIRST, now), ()
    )


def test_a_figure_that_moved_while_nothing_changed_is_a_fault() -> None:
    now = edition(shop(security("alpha", 13, 15), BETA), before=FIRST)
    moves = moved(FIRST, now)
    assert [m.causes for m in moves] == [("unexplained",)]
    (fault,) = summary.faults(moves)
    assert fault.startswith(f"{ALPHA.id}: is not what it was in the last edition")
    assert summary.since(FIRST, now, moves, ()) == (
        "Since edition 1 of 2026-07-20: one figure moved although nothing they are made from changed."
    )


def test_the_last_digit_of_another_machine_is_no_move() -> None:
    lo, hi = ALPHA.interval.lo, ALPHA.interval.hi
    assert lo is not None
    assert hi is not None
    near = replace(ALPHA, interval=replace(ALPHA.interval, lo=lo * (1 + 1e-13), hi=hi))
    assert moved(FIRST, edition(shop(near, BETA), before=FIRST)) == ()


def test_figures_that_are_new_or_gone_are_told_apart() -> None:
    now = edition(shop(ALPHA, security("gamma", 3, 15), logs="more"), before=FIRST)
    assert {(m.kind, dict((m.now or m.before).group)["model"]) for m in moved(FIRST, now)} == {  # type: ignore[union-attr]
        ("gone", "beta"),
        ("new", "gamma"),
    }
    assert summary.since(FIRST, now, moved(FIRST, now), ()) == (
        "Since edition 1 of 2026-07-20: no figure moved. One figure is new and one figure is gone."
    )


def test_an_experiment_that_is_new_or_gone_is_told_once_and_not_figure_by_figure() -> None:
    other = shop(ALPHA)
    there = replace(ALPHA, experiment="other")
    other = replace(other, report=replace(other.report, experiment="other", estimates=(there,)))
    now = edition(shop(), other, before=FIRST)
    (move,) = moved(FIRST, now)
    assert (move.kind, move.causes) == ("new", ())
    assert summary.since(FIRST, now, (move,), ()) == (
        "Since edition 1 of 2026-07-20: no figure moved. One experiment is new."
    )
    assert summary.within(FIRST, now, (move,)) == ()
    back = edition(shop(), before=now)
    assert summary.since(now, back, moved(now, back), ()) == (
        "Since edition 2 of 2026-07-20: no figure moved. One experiment is gone."
    )


def test_a_sentence_counts_figures_by_their_cause() -> None:
    tables = {"prices": (_table("2026-07-05", 100),)}
    money = {"prices": "2026-07-05", "unit": "USD", "metric": "cost"}
    before = edition(shop(ALPHA, BETA, security("alpha", 1, 2, **money), **tables))
    other, failed = replace(CONTRACT, digest=sha("another closure")), Kept("failed")
    now = edition(
        shop(
            security("alpha", 11, 15, contract=other),
            replace(BETA, withheld_by=failed, value=None, n=None, N=None, interval=Interval.none(failed)),
            security("alpha", 2, 2, interval=wilson(1, 2), **money),
            prices=(_table("2026-07-05", 50),),
        ),
        before=before,
    )
    assert summary.since(before, now, moved(before, now), ()) == (
        "Since edition 1 of 2026-07-20: one figure moved because a contract changed, one because prices "
        "changed, one because exclusions changed; nothing moved otherwise."
    )


def test_verdicts_and_states_that_turned_are_told() -> None:
    now = edition(decisions=(decision("cannot separate", "reopened"),), before=FIRST)
    told = [(t.says, t.before, t.now) for t in changed_decisions(FIRST, now)]
    assert told == [("", "accepted", "reopened"), ("alpha does more", "supported", "cannot separate")]
    assert changed_decisions(FIRST, edition(decisions=(decision(),), before=FIRST)) == ()


def test_a_claim_that_was_reworded_is_the_same_claim_and_one_without_a_name_is_its_words() -> None:
    def named(says: str, name: str) -> dict[str, Any]:
        made = decision(says=says)
        made["claims"][0]["claim"] = name
        return made

    before = edition(decisions=(named("old words", "above · done"),))
    after = edition(decisions=(named("new words", "above · done"),), before=before)
    assert changed_decisions(before, after) == ()
    reworded = edition(decisions=(decision(says="beta does more"),), before=FIRST)
    assert [(t.says, t.before, t.now) for t in changed_decisions(FIRST, reworded)] == [
        ("beta does more", "", "supported"),
        ("alpha does more", "supported", ""),
    ]


# ------------------------------------------------------------------------------ what is gone


WITHDRAWN = b'- path: models/alpha/\n  date: "2026-07-21"\n  why: "Asked for by its maker."\n'


def past(*, withdrawn: bytes = b"", renamed: bytes = b"") -> History:
    return store.read_history({**_files(FIRST), "withdrawn.yaml": withdrawn, "renamed.yaml": renamed})


def test_a_page_that_is_gone_leaves_a_tombstone() -> None:
    stones, _ = past(withdrawn=WITHDRAWN).gone(["experiments/shop/index.html"])
    (stone,) = stones
    assert (stone.page.title, stone.stood) == ("alpha", (1,))
    assert stone.reason is not None
    assert stone.reason.why == "Asked for by its maker."
    assert list(without_reason(stones)) == []


def test_a_page_that_is_gone_without_a_word_is_a_note() -> None:
    stones, _ = past().gone(["experiments/shop/index.html"])
    (note,) = without_reason(stones)
    assert note.startswith("editions/withdrawn.yaml: models/alpha/index.html stood in edition 1")


@pytest.mark.parametrize(("text_", "said"), [
    (b"path: x", "withdrawn.yaml:1: expected a list of {path, date, why}"),
    (b"- path: models/alpha/\n  why: x", "#/0/date: expected a date such as 2026-07-05, got null"),
    (b'- {path: models/alpha/, date: soon, why: "x"}', "withdrawn.yaml:1#/0/date: expected a date"),
    (b"\n- {path: models/alpha/, date: 2026-02-30, why: x}", "withdrawn.yaml:2#/0/date: expected a date"),
    (b"- {path: models/alpha/, date: 20260721, why: x}", "date such as 2026-07-05, got 20260721"),
    (b'- {path: models/alpha/, date: "20260721", why: x}', "withdrawn.yaml:1#/0/date: expected a date"),
    (b'- {path: models/alpha/, date: "2026-07-21", why: ""}', "withdrawn.yaml:1#/0/why: expected text"),
    (b'- {path: ../x/, date: "2026-07-21", why: "x"}', "withdrawn.yaml:1: expected the address of a page"),
    (b'- {path: "https://example.org/", date: "2026-07-21", why: "x"}', "expected the address of a page"),
    (WITHDRAWN + WITHDRAWN, "withdrawn.yaml:4: models/alpha/index.html is withdrawn twice"),
    (b'\n- {path: experiments/shop/, date: "2026-07-21", why: "x"}', "withdrawn.yaml:2: experiments/shop/"),
    (b'- {path: models/alpa/, date: "2026-07-21", why: "x"}', "nearest: models/alpha/index.html"),
])  # fmt: skip
def test_a_reason_that_cannot_be_is_refused_with_its_line(text_: bytes, said: str) -> None:
    with pytest.raises(AssayError) as refused:
        past(withdrawn=text_).gone(["experiments/shop/index.html"])
    assert said in str(refused.value)


def test_a_page_that_was_renamed_leads_on_even_after_it_was_renamed_again() -> None:
    names = b"models/alpha/: models/alpha-1/\nmodels/alpha-1/: models/alpha-2/\n"
    stones, leads = past(renamed=names).gone(["experiments/shop/index.html", "models/alpha-2/index.html"])
    assert stones == ()
    assert [(r.old, r.new) for r in leads] == [
        ("models/alpha-1/index.html", "models/alpha-2/index.html"),
        ("models/alpha/index.html", "models/alpha-2/index.html"),
    ]


def test_a_page_that_was_renamed_and_then_withdrawn_leads_to_its_tombstone() -> None:
    after = edition(
        pages=(EditionPage(path="models/new/index.html", title="new", kind="model"),), before=FIRST
    )
    files = _files(FIRST, after) | {
        "renamed.yaml": b"models/alpha/: models/new/\nexperiments/shop/: models/new/\n",
        "withdrawn.yaml": WITHDRAWN.replace(b"models/alpha/", b"models/new/"),
    }
    stones, leads = store.read_history(files).gone(["index.html"])
    assert [stone.page.path for stone in stones] == ["models/new/index.html"]
    assert {r.new for r in leads} == {"models/new/index.html"}


@pytest.mark.parametrize(("text_", "said"), [
    (b"- a", "renamed.yaml:1: expected a mapping of old addresses to new ones, got"),
    (b"a/: 3", "renamed.yaml:1#/a~1: expected the new address, got 3"),
    (b"a/: a/", "renamed.yaml:1: leads in a circle: a/index.html -> a/index.html"),
    (b"\na/: b/\nb/: c/\nc/: a/", "renamed.yaml:2: leads in a circle: a/index.html -> b/index.html -> c/"),
    (b"a/: models/alphas/", "renamed.yaml:1: there is no page models/alphas/index.html (nearest: models"),
    (b"models/alpha/: experiments/shop/", "renamed.yaml:1: models/alpha/index.html is renamed, and still"),
    (b"a/: models/alpha/\n/a/: experiments/shop/", "renamed.yaml:2: a/index.html is renamed twice"),
    *[(b"\n" + old + b": models/alpha/", "renamed.yaml:2: expected the address of a page")
      for old in (b"assets/site.css", b"feed.xml", b"/feed.xml/", b"data/reports/shop.json", b"manifest.json",
                  b"assets/site.css/index.html", b"contracts.lock")],
    (b"a/../../b/: models/alpha/", "renamed.yaml:1: expected the address of a page"),
    (b"models/alpha/index.html/x/: models/alpha/", "renamed.yaml:1: expected the address of a page"),
])  # fmt: skip
def test_a_new_name_that_cannot_be_is_refused_with_its_line(text_: bytes, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        redirects(removed_pages.read_renamed(text_), PRESENT)
    assert said in str(refused.value)


# ------------------------------------------------------------------------------------ the pages


def site(*experiments: Any, name: str = "now") -> SiteMap:
    return site_map(experiments or (shop(),), (), sample.build(name))


def rendered(where: SiteMap, found: History, decisions: Any = ()) -> dict[str, str]:
    made = {}
    present = [paths.OVERVIEW, *(page.path for page in next_edition.addresses(where, decisions))]
    for planned in pages.edition_pages(
        where, found, lambda: next_edition.since_last(where, found, decisions), present
    ):
        view = planned.view(FigureCollection(where, planned.path, planned.title))
        page = Page(
            path=planned.path,
            title=planned.title,
            kind=planned.kind,
            frame=frame(where, planned.path, planned.title),
            view=view,
        )
        made[planned.path] = render.render_page(page).decode()
    return made


def test_the_page_tells_numbers_of_this_build_as_estimates_and_earlier_ones_as_records() -> None:
    now = shop(security("alpha", 13, 16), BETA, logs="more")
    html = rendered(site(now), past())[paths.EDITIONS]
    assert "Since edition 1 of 2026-07-20: one figure moved because data changed" in html
    assert f'data-record="edition 1 {ALPHA.id.replace("&", "&amp;")}">12/15 known verdicts<' in html
    seen = list(page_numbers.shown(html))
    assert [s.text for s in seen if s.estimate == ALPHA.id] == ["13/16 known verdicts", "0.81"]
    known = {e.id: e.to_json() for e in now.report.estimates}
    assert [fault for s in seen for fault in page_numbers.faults(s, known, paths.EDITIONS)] == []


def test_the_page_before_any_edition_and_of_the_first_say_so() -> None:
    assert "No edition was published yet" in rendered(site(), History())[paths.EDITIONS]
    first = rendered(site(name="build"), past())[paths.EDITIONS]
    assert "This is the first edition" in first
    assert "This is edition 1, published on 2026-07-20." in first


def test_an_edition_that_is_published_is_compared_with_the_one_before_it() -> None:
    found = store.read_history(_files(FIRST, SECOND))
    now = shop(security("alpha", 13, 16), BETA, logs="more")
    html = rendered(site(now, name="b2"), found)[paths.EDITIONS]
    assert "Since edition 1 of 2026-07-20: one figure moved because data changed" in html
    assert "This is edition 2, published on 2026-07-27." in html


def test_tombstone_and_redirect_are_pages_without_script() -> None:
    beta = shop(BETA)
    found = past(withdrawn=WITHDRAWN, renamed=b"experiments/old/: experiments/shop/\n")
    made = rendered(site(beta), found)
    stone = made["models/alpha/index.html"]
    assert "<h1>Withdrawn: alpha</h1>" in stone
    assert "It was withdrawn on 2026-07-21: Asked for by its maker." in stone
    assert 'href="../../data/editions/0001.json"' in stone
    lead = made["experiments/old/index.html"]
    assert '<meta http-equiv="refresh" content="0; url=../shop/index.html">' in lead
    assert '<a href="../shop/index.html">' in lead
    assert "<script" not in lead
    assert lead.index("Content-Security-Policy") < lead.index("stylesheet")


def test_a_redirect_names_the_new_address_as_the_one_that_counts() -> None:
    where = site(shop())
    build = replace(where.build, site=structs.replace(where.build.site, url="https://example.org/evals/"))
    made = rendered(replace(where, build=build), past(renamed=b"old/: models/alpha/\n"))
    assert '<link rel="canonical" href="https://example.org/evals/models/alpha/">' in made["old/index.html"]


def test_a_tombstone_without_a_reason_says_so() -> None:
    assert "no reason was recorded" in rendered(site(shop(BETA)), past())["models/alpha/index.html"]


def test_hostile_words_stay_words_on_every_page() -> None:
    stood = EditionPage(path="models/x/index.html", title=HOSTILE, kind="model")
    first = edition(
        shop(security(HOSTILE, 1, 10)), pages=(stood,), why=HOSTILE, decisions=(decision(says=HOSTILE),)
    )
    why = json.dumps(HOSTILE.replace("\x1b", "").replace("\u202e", ""))
    found = store.read_history({
        "0001.json": store.to_bytes(first),
        "withdrawn.yaml": f'- {{path: models/x/, date: "2026-07-21", why: {why}}}\n'.encode(),
    })  # fmt: skip
    now = shop(security(HOSTILE, 2, 10), title=HOSTILE, logs="more")
    made = rendered(site(now), found, [decision("contradicted", says=HOSTILE)])
    assert len(made) == 2
    for html in made.values():
        assert "<script>alert" not in html
        assert "\u202e" not in html
        assert "\x1b" not in html
    assert "&lt;script&gt;alert(1)" in made[paths.EDITIONS]


def test_what_was_recorded_when_a_site_was_published_is_what_it_shows_of_itself() -> None:
    where = site(name="fresh")
    made = next_edition.draft(where, [decision()], date="2026-07-20", before=None, why="First.")
    found = store.read_history(_files(made))
    kept = found.published_as(where.build.digest)
    assert kept is not None
    assert (kept.number, kept.pages, kept.experiments) == (1, made.pages, made.experiments)
    assert [e.id for e in kept.estimates] == [e.id for e in made.estimates]
    again = next_edition.draft(where, [decision()], date="2026-07-20", before=None, why="First.")
    assert store.to_bytes(again) == store.to_bytes(made)
    assert {page.path for page in made.pages} == {
        "experiments/shop/index.html",
        "models/alpha/index.html",
        "models/beta/index.html",
        "decisions/route-to-alpha/index.html",
    }


def test_a_pack_that_moved_is_no_cause_of_a_figure_without_one() -> None:
    first = edition(shop(ALPHA))
    now = edition(shop(security("alpha", 11, 15), logs="other"), before=first)
    sealed = replace(first, experiments=(_packed(first, "one"),))
    assert causes(sealed, replace(now, experiments=(_packed(now, "two"),))) == {"alpha": ("data",)}
