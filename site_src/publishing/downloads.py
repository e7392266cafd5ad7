"""The data of a site as files to take away: estimates, reports, tables, schemas, instruments.

Everything that a page shows can be recomputed from these. Text cells that a spreadsheet would run are
defused in CSV, and only there. Raw records are in `site_src.publishing.raw_data`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from metrics_core.digest import short
from metrics_core.results import Report, Review
from site_src import paths
from site_src.project import (
    BuildInfo,
    Download,
    RecordType,
    SiteConfig,
    SiteExperiment,
    SiteFile,
    csv_bytes,
    pretty,
    report_file,
)
from site_src.publishing.formats import catalogue, exchange

ESTIMATES = "data/estimates.json"
TABLES = "data/tables"
SCORE_REPORTS = "data/score-reports"


def documents(
    reports: Sequence[Report], records: Sequence[RecordType], site: SiteConfig
) -> Iterator[SiteFile]:
    """Estimates, reports, score reports, records in the exchange format, schemas of the record types."""
    rows = [e.to_json() for report in reports for e in report.estimates]
    yield SiteFile(ESTIMATES, pretty({"schema": "assay.estimates/1", "estimates": rows}))
    for report in reports:
        yield SiteFile(paths.report(report.experiment), report_file(report))
        for score in report.score_reports:
            name = f"{paths.slug(score['contract_id'])}-{short(score['digests']['closure'])}"
            yield SiteFile(f"{SCORE_REPORTS}/{paths.slug(report.experiment)}/{name}.json", pretty(score))
    exchanged = list(exchange.records(reports, site))
    yield from (SiteFile(at, pretty(document)) for at, document in exchanged)
    yield SiteFile(exchange.INDEX, pretty(exchange.index(exchanged)))
    for record in records:
        yield SiteFile(record.schema_at, pretty(msgspec.json.schema(record.struct)))


def site_index(
    pages: Sequence[Mapping[str, Any]],
    shown: Sequence[SiteExperiment],
    decisions: Sequence[Mapping[str, Any]],
    info: BuildInfo,
) -> SiteFile:
    """``site.json``: what the site holds, for machines."""
    return SiteFile(
        paths.SITE_INDEX,
        pretty(
            {
                "schema": "assay.site/1",
                "title": info.site.title,
                "build": info.version,
                "digest": info.digest,
                "pages": [dict(page) for page in pages],
                "experiments": [
                    {
                        "experiment": x.name,
                        "title": x.title,
                        "families": list(x.report.families),
                        "data_digest": x.report.data_digest,
                        "report": paths.report(x.name),
                    }
                    for x in shown
                ],
                "decisions": [
                    {
                        "decision": d["slug"],
                        "title": d["title"],
                        "status": d["status"],
                        "date": d["date"],
                        "path": paths.decision(d["slug"]),
                        "verdicts": [claim["verdict"] for claim in d["claims"]],
                    }
                    for d in decisions
                ],
            }
        ),
    )


def sources(sources: Mapping[str, Mapping[str, bytes]]) -> Iterator[SiteFile]:
    """The source closure of each instrument, by contract digest: ``files.json`` names each file's path."""
    for digest, files in sorted(sources.items()):
        listed = []
        for number, (path, data) in enumerate(sorted(files.items())):
            at = paths.contract_source(digest, number, path)
            listed.append({"path": path, "at": at})
            yield SiteFile(at, data)
        yield SiteFile(
            f"{paths.contract_sources(digest)}/files.json", pretty({"digest": digest, "files": listed})
        )


def tables(reports: Sequence[Report], reviews: Iterable[Review]) -> Iterator[SiteFile]:
    """Each table as CSV, JSON and Parquet."""
    for name, rows in (
        ("estimates", [_flat(e.to_json(), r.experiment) for r in reports for e in r.estimates]),
        ("comparisons", [_flat(c.to_json(), r.experiment) for r in reports for c in r.comparisons]),
        ("costs", [_flat(c.to_json(), r.experiment) for r in reports for c in r.costs]),
        ("controls", [_flat(c.to_json(), r.experiment) for r in reports for c in r.controls]),
        ("problems", [_flat(p.to_json(), r.experiment) for r in reports for p in (*r.problems, *r.findings)]),
        ("runs", run_rows(reviews)),
    ):
        yield from _table(name, rows)


def listed(reports: Sequence[Report]) -> tuple[Download, ...]:
    """What the Data page offers, in its order."""
    counts = {
        "estimates": sum(len(r.estimates) for r in reports),
        "comparisons": sum(len(r.comparisons) for r in reports),
        "costs": sum(len(r.costs) for r in reports),
        "controls": sum(len(r.controls) for r in reports),
        "problems": sum(len(r.problems) + len(r.findings) for r in reports),
        "runs": sum(r.records for r in reports),
    }
    about = {
        "estimates": "One row an estimate, with its n, N, interval, contract and digests.",
        "comparisons": "One row a pair of arms, with its difference and verdict.",
        "costs": "One row an experiment and model: recorded beside recomputed.",
        "controls": "One row a control: held, failed, missing or not applicable.",
        "problems": "One row a line that was no record, a record that contradicts itself, or a finding.",
        "runs": "One row a run, with each verdict, its stratum, and the stage that lost it. A copy of a "
        "record that was counted before is marked as repeated, and has no verdict.",
    }
    exchanged = Download(
        at=exchange.INDEX,
        title="Every-Eval-Ever",
        form="JSON",
        about="One record an experiment and model, in the exchange format of Every-Eval-Ever 0.3.",
        rows="",
    )
    tables = (
        Download(
            at=f"{TABLES}/{name}.{kind}",
            title=name.capitalize(),
            form=kind.upper() if kind != "parquet" else "Parquet",
            about=text,
            rows=str(counts[name]) if name != "runs" else "",
        )
        for name, text in about.items()
        for kind in ("csv", "json", "parquet")
    )
    return (*tables, exchanged, *catalogue.LISTED)


def _table(name: str, rows: list[dict[str, Any]]) -> Iterator[SiteFile]:
    """One table in each form; a whole number stays one where other rows have none."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    yield SiteFile(f"{TABLES}/{name}.json", pretty(rows))
    cells = ([_spelled(row.get(column)) for column in columns] for row in rows)
    yield SiteFile(f"{TABLES}/{name}.csv", csv_bytes(columns, cells))
    yield SiteFile(f"{TABLES}/{name}.parquet", _packed(columns, rows))


def _spelled(value: object) -> str:
    return "" if value is None else str(value)


def _packed(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> bytes:
    """A table as Parquet.

    Its rows reach Arrow as lines of JSON: an array made of Python's own values loads pandas first.
    """
    import pyarrow as pa  # heavy, and only needed where a whole site is built
    from pyarrow import json as lines_of_json, parquet

    kinds = {"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64(), "str": pa.string(), "": pa.null()}
    schema = pa.schema([(column, kinds[_kind(column, rows)]) for column in columns])
    lines = [msgspec.json.encode(row) + b"\n" for row in rows]
    read = lines_of_json.ReadOptions(use_threads=False, block_size=max([1 << 20, *map(len, lines)]))
    parse = lines_of_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    table = (
        lines_of_json.read_json(io.BytesIO(b"".join(lines)), read, parse) if lines else schema.empty_table()
    )
    packed = io.BytesIO()
    parquet.write_table(table, packed, compression="zstd")
    return packed.getvalue()


def _kind(column: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """The one type of a column's cells by its name; an empty text where no row has any.

    Raises:
        TypeError: Its cells are of types that no column holds together.
    """
    cells = [value for row in rows if (value := row.get(column)) is not None]
    found = {next(kind for kind in (bool, int, float, str) if isinstance(value, kind)) for value in cells}
    if found == {int, float}:
        return "float"
    if len(found) > 1:
        raise TypeError(f"column {column} holds {', '.join(sorted(kind.__name__ for kind in found))}")
    return found.pop().__name__ if found else ""


def _flat(row: Mapping[str, Any], experiment: str) -> dict[str, Any]:
    """One level of keys: ``interval.lo``; lists as JSON text."""
    flat: dict[str, Any] = {"experiment": experiment}
    for key, value in row.items():
        if isinstance(value, dict) and key in ("interval", "contract", "summary"):
            flat |= {f"{key}.{inner}": _cell(v) for inner, v in value.items()}
        else:
            flat[key] = _cell(value)
    return flat


def _cell(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return value


def run_rows(reviews: Iterable[Review]) -> list[dict[str, Any]]:
    """A row for each run, with each of its verdicts and the stratum that it is counted in.

    A metric that one run has several verdicts of, as several scorers give them, has columns for each in every
    row of its experiment: ``score[scorer=match]``. A copy of a record that was counted before says so in
    ``repeated`` and has no verdict, so that rows add up to the numbers of the pages.

    Args:
        reviews: Runs of any experiments.
    """
    found = [
        ((review.experiment, review.family), _run(review), () if review.repeated else review.verdicts)
        for review in reviews
    ]
    apart: dict[tuple[tuple[str, str], str], set[str]] = {}
    for whose, _, verdicts in found:
        for one, other in combinations(verdicts, 2):
            if one.metric == other.metric:
                apart.setdefault((whose, one.metric), set()).update(one.stratum.differing(other.stratum))
    for whose, row, verdicts in found:
        for verdict in verdicts:
            keys = apart.get((whose, verdict.metric), set())
            which = " ".join(f"{key}={value}" for key, value in verdict.stratum if key in keys)
            name = f"{verdict.metric}[{which}]" if which else verdict.metric
            row |= {
                name: verdict.value,
                f"{name}.state": verdict.state,
                f"{name}.stratum": " ".join(f"{key}={value}" for key, value in verdict.stratum),
                f"{name}.n": verdict.n,
                f"{name}.N": verdict.N,
            }
    return [row for _, row, _ in found]


def _run(review: Review) -> dict[str, Any]:
    return {
        "experiment": review.experiment,
        "family": review.family,
        "run": review.run,
        "task": review.task,
        "stamp": review.stamp,
        "file": review.file,
        "line": review.line,
        "repeated": review.repeated,
        **dict(review.group),
        "lost_at": review.lost[0].stage if review.lost else None,
        "lost_as": review.lost[0].state if review.lost else None,
        "lost_because": review.lost[0].reason if review.lost else None,
    }
