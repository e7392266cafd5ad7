"""References: what a writer types, what it finds, and every way in which it does not give one thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest
from msgspec.structs import replace

from metrics_core.errors import AssayError, ClaimError, PoolingError
from metrics_core.results.codes import ByControl, Kept, Method
from metrics_core.results.comparison import Comparison
from metrics_core.results.estimate import ContractRef, Estimate
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from metrics_core.results.pooling import Unlike
from metrics_core.results.report import Report
from metrics_core.results.separation import SeparationVerdict
from site_src.references import Index, parse_query
from site_src.references.query import reference
from tests.support.sample_reports import ARTEFACT, CLAIM, TRACES, V3, V4, estimate, sha

WHERE = "notes.md:3:7"


def report(name: str, *estimates: object, comparisons: tuple[Comparison, ...] = ()) -> Report:
    return Report(
        experiment=name, data_digest=sha(name), source_digest=sha(name), families=("brownfield",),
        estimates=tuple(estimates), comparisons=comparisons,  # type: ignore[arg-type]
    )  # fmt: skip


def compared(experiment: str, a: str, b: str, difference: float | None = 0.25, *,
             over: str = "model", stratum: Keys = ARTEFACT,
             reasons: tuple[Unlike | ByControl, ...] = ()) -> Comparison:  # fmt: skip
    return Comparison(
        experiment=experiment, family="brownfield", metric="change", group=Keys(), stratum=stratum,
        over=over, a=a, b=b, difference=difference,
        interval=Interval(lo=0.1, hi=0.4, method=Method.BONETT_PRICE),
        paired_on=30, p=0.01, p_adjusted=0.02, holm_size=3, rule="overlap",
        judged=SeparationVerdict(above=None if reasons else "a", against=reasons, overlap=False),
        method=Method.BONETT_PRICE, standard_error=0.07, detectable=None,
        contract=ContractRef("assay/brownfield", "1", "x"),
    )  # fmt: skip


def mine(metric: str = "change", group: dict[str, str] | None = None, stratum: Keys = ARTEFACT,
         experiment: str = "may") -> object:  # fmt: skip
    return estimate(experiment, metric, 20, 40, group or {}, stratum=stratum)


MAY = report(
    "may",
    mine(), mine(group={"model": "alpha"}), mine(group={"model": "beta"}),
    mine(group={"model": "alpha", "kind": "fix"}), mine(group={"model": "alpha", "scenario": "two words"}),
    mine(stratum=CLAIM), mine("regress", {"model": "alpha"}),
    comparisons=(compared("may", "alpha", "beta"),),
)  # fmt: skip
SCORE = tuple(Keys({"contract": f"{ref.id} {ref.digest[:15]}"}) for ref in (V3, V4))
JULY = report(
    "july",
    mine(experiment="july", group={"model": "gamma"}),
    *(estimate("july", "score", 5, 9, {"model": name}, family="traces", stratum=SCORE[at], contract=ref)
      for at, (ref, name) in enumerate(((V3, "alpha"), (V4, "beta")))),
)  # fmt: skip
INDEX = Index((MAY, JULY))


@pytest.mark.parametrize(
    ("words", "family", "metric", "keys"),
    [
        ("attempts.security", "attempts", "security", {}),
        ("gh-2026/attempts.security model=alpha", "attempts", "security",
         {"experiment": "gh-2026", "model": "alpha"}),
        ('a.b scenario="two words"  kind=fix ', "a", "b", {"scenario": "two words", "kind": "fix"}),
        ('a.b config="brain=on \\"x\\" \\\\"', "a", "b", {"config": 'brain=on "x" \\'}),
        ("a.b config=brain=on", "a", "b", {"config": "brain=on"}),
        ('a.b mode=""', "a", "b", {"mode": ""}),
        ("a.b condition=attack:static/x", "a", "b", {"condition": "attack:static/x"}),
        ("a.b experiment=c", "a", "b", {"experiment": "c"}),
        ("a.b\tmodel=ålpha", "a", "b", {"model": "ålpha"}),
    ],
)  # fmt: skip
def test_a_reference_is_taken_apart(words: str, family: str, metric: str, keys: dict[str, str]) -> None:
    found = parse_query(words, WHERE)
    assert (found.family, found.metric, dict(found.keys)) == (family, metric, keys)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("", "a reference that names nothing"),
        ("security", "'security' names no metric"),
        ("/a.b", "'/a.b' names no metric"),
        ("a.", "'a.' names no metric"),
        ("may/a.b?model=alpha", "'may/a.b?model=alpha' is an estimate's id, not a reference"),
        ("a.b alpha", "'alpha' fixes nothing"),
        ("a.b =alpha", "'=alpha' fixes nothing"),
        ("a.b model=", "'model=' fixes nothing"),
        ('a.b model="alpha', 'a quote that is not closed: model="alpha'),
        ('a.b model=al"ph"a', 'a quote in the middle of model=al"ph"a'),
        ("a.b model=x model=y", "model is fixed twice, as 'x' and 'y'"),
        ("may/a.b experiment=july", "experiment is fixed twice, as 'may' and 'july'"),
    ],
)
def test_a_reference_of_another_form_says_what_to_write(words: str, problem: str) -> None:
    with pytest.raises(ClaimError) as raised:
        parse_query(words, WHERE)
    assert raised.value.problem == problem
    assert str(raised.value).startswith("notes.md:3:7: ")
    assert raised.value.hint


def test_every_estimate_is_found_by_its_own_reference() -> None:
    for held in (MAY, JULY):
        for e in held.estimates:
            assert INDEX.one(parse_query(reference(e), WHERE)) is e
    assert len(set(INDEX.names())) == len(MAY.estimates) + len(JULY.estimates)


def test_keys_named_are_exactly_the_group_and_strata_may_be_left_out_while_one_remains() -> None:
    def found(words: str) -> str:
        return INDEX.one(parse_query(words, WHERE)).id

    assert found("may/brownfield.change model=alpha") == "may/brownfield.change?model=alpha&graded=assertions"
    assert found("brownfield.change model=gamma") == "july/brownfield.change?model=gamma&graded=assertions"
    assert found("brownfield.change kind=fix model=alpha").count("kind=fix") == 1
    assert found("brownfield.regress model=alpha").startswith("may/brownfield.regress")
    assert found("may/brownfield.change graded=claims") == "may/brownfield.change?graded=claims"


UNRESOLVED = {
    "brownfield.chnge": "no metric 'brownfield.chnge', as asked by 'brownfield.chnge' (nearest: "
    "brownfield.change, brownfield.regress)",
    "june/brownfield.regress": "no brownfield.regress in an experiment 'june', as asked by "
    "'june/brownfield.regress' (there is may)",
    "may/brownfield.change modle=alpha": "no key 'modle' in brownfield.change, as asked by "
    "'may/brownfield.change modle=alpha' (nearest: model)",
    "may/brownfield.change model=alfa": "no model 'alfa' in brownfield.change, as asked by "
    "'may/brownfield.change model=alfa' (nearest: alpha)",
    "may/brownfield.change kind=fix": "brownfield.change is not grouped by kind, as asked by "
    "'may/brownfield.change kind=fix' (it is grouped by kind and model, model, model and scenario, no key "
    "(the whole))",
    "may/brownfield.change model=alpha graded=claims": "nothing is held for these keys together, as asked by "
    "'may/brownfield.change model=alpha graded=claims' (nearest: may/brownfield.change model=alpha "
    "graded=assertions, may/brownfield.change model=beta graded=assertions)",
    "may/brownfield.change": "'may/brownfield.change' would pool 2 strata, graded=assertions, graded=claims: "
    "a claim and an artefact are not graded by the same instrument (add graded=assertions or another of "
    "them)",
}


@pytest.mark.parametrize("words", UNRESOLVED)
def test_what_does_not_resolve_names_what_exists(words: str) -> None:
    with pytest.raises((ClaimError, PoolingError)) as raised:
        INDEX.one(parse_query(words, WHERE))
    assert str(raised.value) == f"{WHERE}: {UNRESOLVED[words]}"
    assert isinstance(raised.value, PoolingError) == ("would pool" in UNRESOLVED[words])


def test_several_experiments_are_named_and_never_one_number() -> None:
    both = Index((MAY, report("june", mine(experiment="june", group={"model": "alpha"}))))
    with pytest.raises(ClaimError) as raised:
        both.one(parse_query("brownfield.change model=alpha", WHERE))
    assert str(raised.value) == (
        f"{WHERE}: 2 experiments hold this: june and may, as asked by 'brownfield.change model=alpha' "
        "(add experiment=june or another of them)"
    )
    assert both.one(parse_query("brownfield.change model=alpha experiment=may", WHERE)).experiment == "may"


def test_a_comparison_is_turned_so_that_the_first_named_is_first() -> None:
    question = parse_query("brownfield.change", WHERE)
    forth, back = INDEX.comparison(question, "alpha", "beta"), INDEX.comparison(question, "beta", "alpha")
    assert (forth.a, forth.difference, forth.verdict) == ("alpha", 0.25, "a above b")
    assert (back.a, back.difference, back.verdict) == ("beta", -0.25, "b above a")
    assert (back.interval.lo, back.interval.hi) == (-0.4, -0.1)


def refused(index: Index, words: str, a: str, b: str) -> AssayError:
    with pytest.raises(AssayError) as raised:
        index.comparison(parse_query(words, WHERE), a, b)
    assert str(raised.value).startswith(f"{WHERE}: ")
    assert raised.value.hint
    return raised.value


def test_arms_under_two_contracts_are_refused_with_both_digests() -> None:
    error = refused(INDEX, "traces.score", "alpha", "beta")
    assert isinstance(error, PoolingError)
    assert "contract is halden/v3-patch" in error.problem
    assert V3.digest in error.problem
    assert V4.digest in error.problem
    assert "an instrument that changed is another instrument" in error.problem


def test_arms_of_two_experiments_are_refused_with_what_differs() -> None:
    error = refused(INDEX, "brownfield.change", "alpha", "gamma")
    assert isinstance(error, PoolingError)
    assert "experiment is may for alpha and july for gamma" in error.problem
    other = replace(JULY.estimates[0], contract=TRACES)
    error = refused(Index((MAY, replace(JULY, estimates=(other,)))), "brownfield.change", "alpha", "gamma")
    assert f"contract {MAY.estimates[0].contract.digest} and {TRACES.digest}" in error.problem


def test_what_the_report_holds_as_not_comparable_is_refused_and_what_is_withheld_is_not() -> None:
    unlike = compared("may", "alpha", "beta", None,
                      reasons=(Unlike("split", ("alpha", "eval"), ("beta", "probe")),))  # fmt: skip
    error = refused(Index((replace(MAY, comparisons=(unlike,)),)), "brownfield.change", "alpha", "beta")
    assert isinstance(error, PoolingError)
    assert "not comparable, split is eval for alpha and probe for beta: probe items" in error.problem
    hidden = compared("may", "alpha", "beta", None,
                      reasons=(ByControl(Kept("it failed")),))  # fmt: skip
    found = Index((replace(MAY, comparisons=(hidden,)),)).comparison(
        parse_query("brownfield.change", WHERE), "alpha", "beta"
    )
    assert (found.difference, found.reason) == (None, "withheld: it failed")


@pytest.mark.parametrize(
    ("words", "a", "b", "problem"),
    [
        ("brownfield.change", "alpha", "alpha", "'alpha' is compared with itself"),
        ("brownfield.change", "alpha", "delta", "no arm 'delta' by model"),
        ("brownfield.chnge", "alpha", "beta", "no metric 'brownfield.chnge'"),
        ("may/brownfield.change graded=claims", "alpha", "beta",
         "'alpha' and 'beta' are not both held under these keys"),
    ],
)  # fmt: skip
def test_a_comparison_that_is_not_there_says_why(words: str, a: str, b: str, problem: str) -> None:
    error = refused(INDEX, words, a, b)
    assert isinstance(error, ClaimError)
    assert error.problem == f"{problem}, as asked by {words!r}"


def test_a_comparison_of_several_strata_or_keys_asks_which() -> None:
    more = (compared("may", "alpha", "beta"), compared("may", "alpha", "beta", stratum=CLAIM))
    error = refused(Index((replace(MAY, comparisons=more),)), "brownfield.change", "alpha", "beta")
    assert isinstance(error, PoolingError)
    roles = (compared("may", "alpha", "beta", over="chat"), compared("may", "alpha", "beta", over="coder"))
    index = Index((replace(MAY, comparisons=roles),))
    assert "are arms by chat and coder" in refused(index, "brownfield.change", "alpha", "beta").problem
    question = parse_query("brownfield.change", WHERE)
    assert index.comparison(question, "alpha", "beta", over="coder").over == "coder"


class Read(tuple[Estimate, ...]):
    """Estimates that count how often they are gone through."""

    __slots__ = ()
    times: ClassVar[int] = 0

    def __iter__(self) -> Iterator[Estimate]:
        Read.times += 1
        return super().__iter__()


def test_the_index_goes_through_the_estimates_once_and_never_to_find_one() -> None:
    many = report("may", *(mine(group={"scenario": f"task {n}"}) for n in range(200)))
    many = replace(many, estimates=Read(many.estimates))
    Read.times = 0
    index = Index((many,))
    assert Read.times == 1
    for n in range(200):
        assert (
            index.one(parse_query(f'brownfield.change scenario="task {n}"', WHERE)).group[0][1] == f"task {n}"
        )
    assert Read.times == 1
