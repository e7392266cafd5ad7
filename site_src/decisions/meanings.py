"""What may stand in a decision's file, in words: front matter, claims, verdicts, states. Checks nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from site_src.decisions.reasons import Why

FRONT: Final[Mapping[str, str]] = {
    "title": "what is decided, in a line",
    "lede": "one sentence more; may be left out",
    "status": "proposed, accepted, reopened or superseded",
    "date": "the day on which it got that status, as YYYY-MM-DD",
    "deciders": "names of the groups that decided",
    "claims": "what has to hold for it to stand; see below",
    "quotes": "words from the evidence, {text: ..., from: experiment/run}, looked up byte for byte there; "
    "a run is named by the digest in its page's address, or as file:line of its log",
    "reopened": "when and why it was reopened, {date: ..., why: ...}, one entry a time",
    "supersedes": "the decision that it takes the place of",
    "superseded_by": "the decision that took its place",
}

CLAIMS: Final[Mapping[str, tuple[str, str]]] = {
    "above": (
        "{metric: run-1/traces.score, of: alpha, above: beta, by: 0.05}",
        "alpha is above beta, by the margin where one is given",
    ),
    "not_worse_than": (
        "{metric: run-1/traces.score, of: alpha, not_worse_than: beta, by: 0.05}",
        "alpha is worse than beta by less than the margin, or not at all",
    ),
    "separated_from": (
        "{metric: run-1/traces.score, of: alpha, separated_from: beta}",
        "the two can be told apart, whichever way",
    ),
    "at_least": ("{metric: run-1/traces.score, of: alpha, at_least: 0.8}", "the metric is no less than this"),
    "at_most": ("{metric: run-1/traces.score, of: alpha, at_most: 0.2}", "the metric is no more than this"),
    "below": (
        "{metric: run-1/traces.cost, of: alpha, below: 0.50, unit: USD}",
        "a run costs, takes or uses less than this in the median; the unit is USD, s or count",
    ),
    "control": ("{control: sanity, experiment: run-1}", "a control of an experiment held"),
}
"""By the key that says what is claimed: how it is written, and what it says."""

BESIDE: Final[Mapping[str, str]] = {
    "says": "the claim in your own words; in plain words where it is left out",
    "over": "the key that the arms are values of, where that is not model",
    "in": "key=value in which the other side differs, such as experiment=run-2",
    "awaited": "true where no such run may be there yet, so that a name nobody knows is no mistake",
}
"""What any claim may say besides."""

VERDICTS: Final[Mapping[str, str]] = {
    "supported": Why.ON_SIDE,
    "cannot separate": "the interval lies across the line, the house's own rule does not separate the two, "
    "or what is not known could turn it around",
    "contradicted": "the whole interval lies on the other side",
    "inadmissible": "a control failed or is missing, the sides are not comparable, or the contract or pack "
    "is not the one that it was accepted under",
    "no data": "no such run is there, or fewer than 8 are known",
}
