"""Every wrong use of a role or a directive is an error that says where, what was asked, and what exists."""

from __future__ import annotations

import pytest

from metrics_core.errors import AssayError
from tests.support.written_pages import SOURCE, written

WRONG = [
    (
        "see {decision}`keep-alfa`",
        "ConfigError 1:5: no decision 'keep-alfa' (nearest: keep-alpha)",
    ),
    (
        "```{claims}\n```",
        "ConfigError 1:1: {claims} of no decision (name one; only a decision's own page can leave it out)",
    ),
    (
        "A {estimate}`brownfield.change` here.",
        (
            "ConfigError 1:3: no role {estimate} "
            "(there is contract, decision, est, literal, pack, page, review)"
        ),
    ),
    (
        "- a list\n  - with {est}`brownfield.chnge model=alpha` in it",
        (
            "ClaimError 2:10: no metric 'brownfield.chnge', as asked by 'brownfield.chnge "
            "model=alpha' (nearest: brownfield.change, brownfield.stage, brownfield.cost)"
        ),
    ),
    (
        "> quoted\n> > twice **bold {est}`brownfield-2026-07/brownfield.change model=alfa`**",
        (
            "ClaimError 2:18: no model 'alfa' in brownfield.change, as asked by "
            "'brownfield-2026-07/brownfield.change model=alfa' (nearest: alpha)"
        ),
    ),
    (
        "| a | b |\n| --- | --- |\n| x \\| y | {est}`brownfield.change` |",
        (
            "ClaimError 3:12: 3 experiments hold this: brownfield-2026-05, "
            "brownfield-2026-07 and brownfield-2026-07b, as asked by 'brownfield.change' "
            "(add experiment=brownfield-2026-05 or another of them)"
        ),
    ),
    (
        "\t\tcode\n\nText\tand {est}`brownfield.change model=alpha`",
        (
            "ClaimError 3:10: 3 experiments hold this: brownfield-2026-05, "
            "brownfield-2026-07 and brownfield-2026-07b, as asked by 'brownfield.change "
            "model=alpha' (add experiment=brownfield-2026-05 or another of them)"
        ),
    ),
    (
        "one\r\ntwo {est}`patches-2026/traces.score model=alpha split=eval`\r\n",
        (
            "PoolingError 2:5: 'patches-2026/traces.score model=alpha split=eval' would "
            'pool 2 strata, contract="halden/v3-patch sha256:e0d2747b", '
            'contract="halden/v4-patch sha256:8e38a1ea": an instrument that changed is '
            'another instrument (add contract="halden/v3-patch sha256:e0d2747b" or another '
            "of them)"
        ),
    ),
    (
        "`{est}` is {est}`security`",
        (
            "ClaimError 1:12: 'security' names no metric (write [experiment/]family.metric "
            "key=value, such as attempts.security model=alpha)"
        ),
    ),
    (
        'x[^1]\n\n[^1]: a note with {est}`brownfield.change "model`',
        (
            'ClaimError 3:19: a quote that is not closed: "model (close it with ", and '
            'write \\" for a quote within)'
        ),
    ),
    (
        "word\n: meaning {page}`abuot`",
        "ConfigError 2:11: no page 'abuot' (nearest: about, about.md, ../about)",
    ),
    (
        "!!! note\n    see {page}`about#Nothing`",
        "ConfigError 2:9: no heading 'Nothing' in about (there is none)",
    ),
    (
        "{est}`brownfield.change model=alpha\n\nnext",
        (
            "ConfigError 1:1: a role that is not closed: {est}` (end it with as many "
            "back-quotes as it begins with, or write \\{ for the brace itself)"
        ),
    ),
    (
        "{literal}` `",
        "ConfigError 1:1: {literal} of nothing (write {literal}`text`)",
    ),
    (
        "![a {literal}`3` picture](x.png)",
        ("ConfigError 1:5: {literal} in the words for a picture (write it below the picture)"),
    ),
    (
        "{review}`brownfield-2026-07/0000000000ff`",
        (
            "ConfigError 1:1: no run '0000000000ff' in brownfield-2026-07 (nearest: "
            "00000000002f, 00000000001f, 00000000000f)"
        ),
    ),
    (
        "{review}`patches-2026/x`",
        (
            "ConfigError 1:1: no experiment 'patches-2026' whose runs have pages (there is "
            "brownfield-2026-07, brownfield-2026-07b)"
        ),
    ),
    (
        "{contract}`halden/v5-patch`",
        ("ConfigError 1:1: no contract 'halden/v5-patch' (nearest: halden/v4-patch, halden/v3-patch)"),
    ),
    (
        "{contract}`assay/brownfield v2`",
        "ConfigError 1:1: no version 'v2' of assay/brownfield (there is v1)",
    ),
    (
        "{pack}`eval-pack`",
        "ConfigError 1:1: no pack 'eval-pack' (nearest: eval_pack)",
    ),
    (
        "```{figur} funnel\n```",
        "ConfigError 1:1: no directive {figur} (nearest: figure)",
    ),
    (
        "text\n\n1. item\n\n   ```{figure}\n   :model: alpha\n   ```",
        (
            "ConfigError 5:4: {figure} without a kind (which kind of figure; one of "
            "assertion-strip, change-regress, controls, cost, cost-score, curve, funnel, "
            "governance, heatmap, overview, separation and timeline)"
        ),
    ),
    (
        "```{figure} pie\n:experiment: brownfield-2026-07\n```",
        (
            "ConfigError 1:1: {figure} cannot be 'pie' (there is assertion-strip, "
            "change-regress, controls, cost, cost-score, curve, funnel, governance and 4 "
            "more)"
        ),
    ),
    (
        "```{figure} funnel\n:experiment: brownfield-2026-07\n:modle: alpha\n```",
        "ConfigError 3:1: {figure} has no option :modle: (nearest: model, coder)",
    ),
    (
        "```{figure} funnel\n:experiment: brownfield-2026-07\n:model: alpha\n:model: beta\n```",
        "ConfigError 4:1: :model: is given twice (first 'alpha')",
    ),
    (
        "```{figure} funnel\n:experiment: brownfield-2026-07\n\nSome words.\n```",
        ("ConfigError 4:1: {figure} takes options only, not 'Some words.' (write prose below the fence)"),
    ),
    (
        "```{figure} funnel\n:experiment: brownfield-2026-07\n:model:\n```",
        "ConfigError 3:1: :model: without a value (it says the model that it is about)",
    ),
    (
        "```{figure} funnel\n:experiment brownfield-2026-07\n```",
        ("ConfigError 2:1: ':experiment brownfield-2026-07' is no option (write :name: value)"),
    ),
    (
        "```{figure} funnel\n:experiment: brownfield-2026-07\n",
        "ConfigError 1:1: {figure} is not closed (end it with a line of ```)",
    ),
    (
        "```{figure} funnel\n:family: brownfield\n```",
        (
            "ConfigError 1:1: 3 experiments could be meant: brownfield-2026-05, "
            "brownfield-2026-07 and brownfield-2026-07b (add :experiment: "
            "brownfield-2026-05)"
        ),
    ),
    (
        "```{figure} heatmap\n:experiment: brownfield-2026-07\n```",
        (
            "ConfigError 1:1: brownfield-2026-07 offers no heatmap of brownfield (it offers "
            "assertion-strip, change-regress, controls, cost, cost-score, funnel, overview "
            "and separation)"
        ),
    ),
    (
        "```{figure} overview\n:experiment: brownfield-2026-07\n:model: alpha\n```",
        (
            "ConfigError 3:1: overview is of all arms together, not of one (leave out "
            ":model:; of one there is change-regress, curve, funnel, governance and "
            "timeline)"
        ),
    ),
    (
        (
            "```{figure} funnel\n"
            ":experiment: brownfield-2026-07\n"
            ":title: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"
            "```"
        ),
        "ConfigError 3:1: a title of 76 characters (at most 75 stand over a figure)",
    ),
    (
        ":::{table} all\n:experiment: brownfield-2026-07\n:::",
        "ConfigError 1:1: {table} takes no argument, got 'all' (leave it out)",
    ),
    (
        "```{table}\n:metric: brownfield.chnge\n```",
        ("ConfigError 2:1: no experiment with the metric 'brownfield.chnge' (nearest: change)"),
    ),
    (
        "```{table}\n:experiment: brownfield-2026-07\n:where: graded=claim\n```",
        "ConfigError 3:1: no graded 'claim' in brownfield-2026-07 (nearest: claims)",
    ),
    (
        "```{table}\n:experiment: brownfield-2026-07\n:by: model, task\n```",
        (
            "ConfigError 3:1: no results of brownfield by model and task here (there are "
            "results by config and model, kind and model, model)"
        ),
    ),
    (
        "```{compare} alpha\n:of: brownfield.change\n```",
        (
            "ConfigError 1:1: 'alpha' is not two arms (write two names, each with a space "
            'in it in quotes: {compare} alpha "beta 2")'
        ),
    ),
    (
        "```{compare} alpha beta\n```",
        ("ConfigError 1:1: {compare} without :of: (it says the metric, as a reference without the arm)"),
    ),
    (
        "```{compare} alpha delta\n:of: brownfield-2026-07/brownfield.change\n```",
        (
            "ClaimError 2:1: no arm 'delta' by config and model, as asked by "
            "'brownfield-2026-07/brownfield.change' (nearest: beta)"
        ),
    ),
    (
        (
            "```{compare} alpha beta\n"
            ':of: patches-2026/traces.score contract="halden/v3-patch sha256:e0d2747b" split=probe\n'
            "```"
        ),
        (
            "ClaimError 2:1: patches-2026 does not compare 'alpha' and 'beta' here, as "
            'asked by \'patches-2026/traces.score contract="halden/v3-patch sha256:e0d2747b" '
            "split=probe' (a comparison needs known runs on both sides, and a metric that "
            "is compared)"
        ),
    ),
    (
        "```{control} sanitty\n:experiment: brownfield-2026-07\n```",
        "ConfigError 1:1: no control 'sanitty' in brownfield-2026-07 (nearest: sanity)",
    ),
    (
        "```{control}\n```",
        "ConfigError 1:1: {control} without :experiment: (it says the experiment)",
    ),
]
"""What is written; the kind of error, line and column, and the words: each worked out from the rules."""


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_a_wrong_use_is_told_with_its_place_and_what_exists(text: str, said: str) -> None:
    kind, _, message = said.partition(" ")
    with pytest.raises(AssayError) as raised:
        written(text)
    assert f"{raised.value}" == f"{SOURCE}:{message}"
    assert type(raised.value).__name__ == kind


@pytest.mark.parametrize("text", [text for text, _ in WRONG])
def test_lines_are_those_of_the_file_wherever_in_it_the_prose_begins(text: str) -> None:
    with pytest.raises(AssayError) as here:
        written(text)
    with pytest.raises(AssayError) as below:
        written(text, first_line=41)
    _, line, column = here.value.where.split(":")
    assert below.value.where == f"{SOURCE}:{int(line) + 40}:{column}"
    assert below.value.problem == here.value.problem
