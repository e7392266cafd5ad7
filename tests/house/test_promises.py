"""Each promise stands in SECURITY.md as on the Methods page, names a test that there is, and true figures."""

from __future__ import annotations

import ast
import re

from site_src.pages.instruments.promises import PROMISES
from tests.core import test_look_alikes
from tests.core.contracts import test_cage, test_hostile_contracts, test_scorer_fence
from tests.core.redaction import test_secret_corpus
from tests.fuzz.targets import TARGETS
from tests.house.test_architecture import REPO
from tests.journeys import test_hostile_inputs
from tests.site import test_link_policy
from tests.support import hostile_text, secret_samples


def test_each_promise_of_security_names_a_test_that_there_is() -> None:
    text = (REPO / "SECURITY.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    assert rows == [f"| {p.threat} | {p.happens} | {p.tried} | `{p.test}` |" for p in PROMISES]
    assert len(rows) >= 20
    for promise in PROMISES:
        path, _, name = promise.test.partition("::")
        tree = ast.parse((REPO / path).read_text("utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, promise


def test_each_figure_of_a_promise_is_that_of_its_test() -> None:
    kernel = [case for case in test_hostile_contracts.ALL if case.kind in test_hostile_contracts.KERNEL]
    kinds = {case.kind for case in test_hostile_contracts.ALL}
    secrets, escapes = len(secret_samples.KINDS), len(test_secret_corpus.ESCAPES)
    figures = {
        "test_each_thing_is_refused_in_the_cage_and_done_outside": [len(test_cage.ACTS)],
        "test_the_kernel_alone_lets_nothing_out": [len(kernel)],
        "test_none_is_scored_that_should_not_be": [len(test_hostile_contracts.ALL), len(kinds)],
        "test_nothing_runs_whatever_is_clicked": [len(hostile_text.PAYLOADS)],
        "test_no_cell_of_a_table_is_a_formula": [len(hostile_text.FORMULAS)],
        "test_no_planted_secret_and_no_trace_of_the_builder_is_in_the_site": [
            4 * secrets, secrets
        ],
        "test_no_planted_secret_is_published_however_it_is_written": [
            secrets * len(secret_samples.WAYS), secrets, len(secret_samples.WAYS)
        ],
        "test_a_secret_is_found_through_three_escapes_within_each_other": [
            sum(escapes**depth for depth in range(1, test_secret_corpus.LAYERS + 1)), escapes
        ],
        "test_no_identifier_with_a_usual_login_in_it_is_taken_for_the_builder": [
            20_000 // len(test_secret_corpus.LOGINS), len(test_secret_corpus.LOGINS)
        ],
        "test_every_scheme_but_three_is_refused_in_every_form": [
            len(test_link_policy.REFUSED), len(test_link_policy.SCHEMES)
        ],
        "test_names_that_look_alike_are_told_with_what_parts_them": [len(test_look_alikes.ALIKE)],
        "test_a_scorer_that_ends_fails_as_a_crash_and_leaves_nothing": [len(test_scorer_fence.ENDINGS)],
        "test_eighty_names_as_file_folder_link_and_pipe": [len(test_hostile_inputs.NAMES), 4],
        "test_any_bytes_are_taken_or_refused": [len(TARGETS)],
    }  # fmt: skip
    tried = {promise.test.partition("::")[2]: promise.tried for promise in PROMISES}
    assert figures.keys() <= tried.keys()
    for name, numbers in figures.items():
        assert [int(n.replace(",", "")) for n in re.findall(r"[\d,]*\d", tried[name])] == numbers, name
