"""Results in the exchange format of Every-Eval-Ever, schema 0.3: one record an experiment and arm.

Does: say in that format what the estimates say: value, interval, counts, instrument, digests. Does not:
export what is no score (money, time, funnel stages), what was withheld, or what is not recorded: who
published a model, how it was served, and which harness ran it stay unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from metrics_core.results import PLAIN, STAGE, Estimate, Report
from site_src import paths
from site_src.installed import VERSION
from site_src.project import SiteConfig
from site_src.wording import is_arm, metric_words, stratum_words

SCHEMA_VERSION = "0.3.0"
FOLDER = "data/every-eval-ever"
INDEX = f"{FOLDER}/index.json"

UNITS = {"fraction": "proportion", "F1": "F1", "score": "points", "kappa": "kappa"}
LOWEST = {"score": "-Infinity", "kappa": -1}
"""Unit -> the least that a value in it can be, where that is not 0."""
"""Unit of an estimate -> how the format spells it; what has another unit is context, and no score."""

UNKNOWN = "unknown"


def records(reports: Iterable[Report], site: SiteConfig) -> Iterator[tuple[str, dict[str, Any]]]:
    """Path and record of each experiment and arm that has a score.

    Args:
        reports: Of the site's experiments.
        site: Who publishes.
    """
    for report in reports:
        about = {(c.ref.id, metric): text for c in report.contracts for metric, text in c.promise}
        by_arm: dict[str, list[tuple[str, Estimate]]] = {}
        for e in report.estimates:
            arm_of_score = _arm(e)
            if arm_of_score is not None:
                key, name = arm_of_score
                by_arm.setdefault(name, []).append((key, e))
        for arm, found in sorted(by_arm.items()):
            at = f"{FOLDER}/{paths.slug(report.experiment)}/{paths.slug(arm)}.json"
            yield at, _record(report.experiment, arm, found, about, site)


def index(exchanged: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """What lies in the folder: the id and the path of each record."""
    rows = [{"evaluation_id": record["evaluation_id"], "at": at} for at, record in exchanged]
    return {"schema": "assay.every-eval-ever/1", "schema_version": SCHEMA_VERSION, "records": rows}


def _arm(e: Estimate) -> tuple[str, str] | None:
    """Group key and name of the arm that a score is about; None where it is no score of one arm."""
    group = e.group.without("k")
    (key, arm), *more = group or [("", "")]
    if more or not is_arm(key, e.words) or e.value is None or e.metric == STAGE:
        return None
    return (key, arm) if e.unit in UNITS and e.polarity != "neither" and e.summary is None else None


def _record(
    experiment: str, arm: str, found: Sequence[tuple[str, Estimate]], about: Mapping[tuple[str, str], str],
    site: SiteConfig,
) -> dict[str, Any]:  # fmt: skip
    last = max((e.stamps[1] for _, e in found if e.stamps), default=None)
    retrieved = UNKNOWN if last is None else str(int(datetime.fromisoformat(last).timestamp()))
    notice = {"notice": site.notice} if site.notice else {}
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"{experiment}/{arm}/{retrieved}",
        **({} if last is None else {"evaluation_timestamp": last}),
        "retrieved_timestamp": retrieved,
        "source_metadata": {
            "source_name": site.title,
            "source_type": "evaluation_run",
            "source_organization_name": site.title,
            "evaluator_relationship": "other",
            "additional_details": {"experiment": experiment, **notice},
        },
        "eval_library": {
            "name": "assay-report",
            "version": VERSION,
            "additional_details": {"role": "measured the published records; what ran them is not recorded"},
        },
        "model_info": {
            "name": arm,
            "id": arm,
            "additional_details": {"deployment_type": UNKNOWN, "model_availability": UNKNOWN},
        },
        "evaluation_results": [_result(key, e, about) for key, e in found],
    }


def _result(key: str, e: Estimate, about: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    metric, where = metric_words(e.metric, e.words), stratum_words(e.stratum, e.words)
    role = "" if key == "model" else f" as {key}"
    pack = {} if e.pack is None else {"pack": e.pack}
    return {
        "evaluation_result_id": e.id,
        "evaluation_name": f"{e.experiment}: {metric}{role}" + (f" ({where})" if where else ""),
        "source_data": {
            "dataset_name": e.stratum.get((e.words or PLAIN).benchmark, e.experiment),
            "source_type": "other",
            "additional_details": {"data_digest": e.data_digest, **pack},
        },
        **({} if e.stamps is None else {"evaluation_timestamp": e.stamps[1]}),
        "metric_config": {
            **_described(about.get((e.contract.id, e.metric))),
            "metric_id": f"assay.{e.family}.{e.metric}",
            "metric_name": metric,
            "metric_unit": UNITS[e.unit],
            **_parameters(e),
            "lower_is_better": e.polarity == "against",
            "score_type": "continuous",
            "min_score": LOWEST.get(e.unit, 0),
            "max_score": "Infinity" if e.unit == "score" else 1,
            "additional_details": {
                "contract": f"{e.contract.id} v{e.contract.version}",
                "contract_digest": e.contract.digest,
                **{f"stratum.{k}": v for k, v in e.stratum},
            },
        },
        "score_details": {"score": e.value, "details": _details(e), "uncertainty": _uncertainty(e)},
    }


def _described(text: str | None) -> dict[str, str]:
    return {} if text is None else {"evaluation_description": text}


def _parameters(e: Estimate) -> dict[str, Any]:
    k = e.group.get("k")
    return {} if k is None else {"metric_parameters": {"k": int(k)}}


def _details(e: Estimate) -> dict[str, str]:
    """Counts, as the format has it, in text: no value leaves without its n and N."""
    counts = {"n": e.n, "N": e.N, "of": e.of, "attempts": e.attempts, "known": e.known, "unknown": e.unknown,
              "invalid": e.invalid, "errors": e.errors}  # fmt: skip
    details = {name: str(value) for name, value in counts.items()}
    if e.bounds is not None:
        details |= {"lowest_if_unknown": repr(e.bounds[0]), "highest_if_unknown": repr(e.bounds[1])}
    if e.interval.lo is None:
        details["no_interval_because"] = e.interval.reason or "not given"
    if e.control:
        details["controls"] = e.control
    return details


def _uncertainty(e: Estimate) -> dict[str, Any]:
    """The interval that is drawn, and how many runs it rests on."""
    found: dict[str, Any] = {"num_samples": e.known}
    if e.interval.lo is not None:
        found["confidence_interval"] = {
            "lower": e.interval.lo,
            "upper": e.interval.hi,
            "confidence_level": e.interval.level,
            "method": e.interval.method,
        }
    if e.interval.resamples:
        found["num_bootstrap_samples"] = e.interval.resamples
    return found
