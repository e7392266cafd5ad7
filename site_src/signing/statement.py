"""The statement that is signed: an in-toto Statement v1 over everything that a site rests on.

Subjects are the manifest (and so every file), each report, the records of each experiment and the source of
each contract. The predicate counts what the site says. All of it follows from the site, byte for byte, so a
statement is checked by making it again. It holds no time, no name and no host.

Source: in-toto Attestation Framework, Statement layer v1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from metrics_core.digest import of_bytes
from metrics_core.errors import FormatError, InputError
from metrics_core.formats import strict_json
from site_src import paths
from site_src.editions import FOLDER, number_of
from site_src.project import pretty
from site_src.publishing import MANIFEST, STATEMENT, PublishedSite, read_manifest, shown

TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "urn:assay:site:1"
STATES: Final = ("held", "failed", "missing", "not applicable")
_HEX: Final = "sha256:"


def statement(site: PublishedSite) -> dict[str, Any]:
    """The statement of a site, as it follows from its files.

    Args:
        site: Of which a manifest was read; every file that is used is held against it.

    Raises:
        InputError: The site is not made as sites are.
    """
    try:
        index = site.json(paths.SITE_INDEX)
        reports = [(row["report"], site.json(row["report"])) for row in index["experiments"]]
        return {
            "_type": TYPE,
            "subject": list(_subjects(site, reports)),
            "predicateType": PREDICATE_TYPE,
            "predicate": {
                **_edition(site, str(index["digest"])),
                "counts": _counts([report for _, report in reports]),
                "controls": _controls([report for _, report in reports]),
                "versions": {"build": index["build"], "manifest": "assay.manifest/1"},
            },
        }
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as bad:
        raise InputError(f"not made as a site is: {type(bad).__name__}: {bad}", where=STATEMENT) from bad


def to_bytes(statement: dict[str, Any]) -> bytes:
    """A statement as it is written: the bytes that are signed."""
    return pretty(statement)


def read_statement(data: bytes, where: str = STATEMENT) -> dict[str, Any]:
    """A statement over a site, strictly.

    Args:
        data: The whole file.
        where: Its name, for errors.

    Raises:
        FormatError: It is no strict JSON, or of another type or predicate.
    """
    found = strict_json.document(data, where)
    if not isinstance(found, dict) or found.get("_type") != TYPE:
        raise FormatError(f"expected a statement of type {TYPE}", where=where)
    if found.get("predicateType") != PREDICATE_TYPE:
        told = shown(str(found.get("predicateType"))[:80])
        raise FormatError(f"expected a predicate of type {PREDICATE_TYPE}, got {told!r}", where=where)
    predicate = found.get("predicate")
    sequence = predicate.get("sequence") if isinstance(predicate, dict) else None
    if type(sequence) is not int or sequence < 0:
        raise FormatError("expected a sequence of 0 or more in its predicate", where=where)
    return found


def differences(found: dict[str, Any], expected: dict[str, Any]) -> Iterator[str]:
    """What a statement says that does not follow from the site it lies in.

    Args:
        found: As `read_statement` gave it.
        expected: As `statement` makes it of the site.
    """
    for key in sorted({*found, *expected}):
        if key not in ("subject", "predicate") and found.get(key) != expected.get(key):
            yield f"{STATEMENT}: {shown(key)}: is not what the site gives"
    theirs, ours = _by_name(found.get("subject")), _by_name(expected["subject"])
    if theirs is None:
        yield f"{STATEMENT}: expected a list of subjects, each once, with name and digest"
        theirs = ours
    for name in sorted({*(theirs or {}), *(ours or {})}):
        if (theirs or {}).get(name) != (ours or {}).get(name):
            yield f"{STATEMENT}: subject {shown(name)}: is not what the site holds"
    for key in sorted({*found["predicate"], *expected["predicate"]}):
        if found["predicate"].get(key) != expected["predicate"].get(key):
            yield f"{STATEMENT}: predicate {shown(key)}: is not what the site gives"


def since(found: dict[str, Any], earlier: dict[str, Any]) -> Iterator[str]:
    """What tells that a site was rolled back, or that two were published under one number.

    Args:
        found: The statement of the site.
        earlier: The statement of a site that was seen before, from the same publisher.
    """
    now, then = found["predicate"], earlier["predicate"]
    if now["sequence"] < then["sequence"]:
        yield f"{STATEMENT}: rolled back: it is sequence {now['sequence']}, and {then['sequence']} was seen"
    elif now["sequence"] == then["sequence"]:
        both = now.get("edition") is not None and then.get("edition") is not None
        if both and found.get("subject") != earlier.get("subject"):
            yield f"{STATEMENT}: another site was seen under the same sequence {now['sequence']}"
    elif (
        now["sequence"] == then["sequence"] + 1
        and now.get("edition")
        and then.get("edition")
        and now.get("previous") != then["edition"]
    ):
        yield f"{STATEMENT}: names another edition as the previous one than the one that was seen"


def _subjects(site: PublishedSite, reports: list[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    manifest = read_manifest(site.folder)
    digests = {path: digest for path, _, digest in manifest.files}
    yield {"name": MANIFEST, "digest": {"sha256": manifest.digest.removeprefix(_HEX)}}
    contracts = set()
    for path, report in reports:
        yield {"name": path, "digest": {"sha256": digests[path]}}
        tree = report["data_digest"].removeprefix(_HEX)
        yield {"name": f"experiments/{report['experiment']}", "digest": {"assayTree": tree}}
        contracts |= {(c["id"], c["version"], c["digest"]) for c in report["contracts"]}
    for name, version, digest in sorted(contracts):
        closure = digest.removeprefix(_HEX)
        yield {"name": f"contracts/{name}@{version}#{closure[:12]}", "digest": {"assayClosure": closure}}


def _edition(site: PublishedSite, build: str) -> dict[str, Any]:
    """Which publication this is: a number that rises, its record, and the record of the one before.

    A build that was not published stands behind the last edition, and is none itself.
    """
    records = {number_of(path.removeprefix(FOLDER)): path for path in site.under(FOLDER, ".json")}
    numbers = sorted(number for number in records if number is not None)
    if not numbers:
        return {"sequence": 0, "edition": None, "previous": None}
    data = site.read(records[numbers[-1]])
    last = strict_json.decode(data)
    if last["build_digest"] != build:
        return {"sequence": numbers[-1], "edition": None, "previous": of_bytes(data)}
    return {"sequence": numbers[-1], "edition": of_bytes(data), "previous": last["previous"]}


def _counts(reports: list[Any]) -> dict[str, int]:
    estimates = [row for report in reports for row in report["estimates"]]
    return {
        "experiments": len(reports),
        "records": sum(report["records"] for report in reports),
        "invalid": sum(len(report["problems"]) for report in reports),
        "estimates": len(estimates),
        "withheld": sum(row["withheld"] is not None for row in estimates),
        "comparisons": sum(len(report["comparisons"]) for report in reports),
    }


def _controls(reports: list[Any]) -> dict[str, int]:
    found = Counter(control["state"] for report in reports for control in report["controls"])
    return {state: found[state] for state in STATES}


def _by_name(subjects: Any) -> dict[str, Any] | None:
    """Name -> digests of each subject; None where they are not a list of such, each once."""
    if not isinstance(subjects, list):
        return None
    found: dict[str, Any] = {}
    for subject in subjects:
        if not isinstance(subject, dict) or subject.keys() != {"name", "digest"}:
            return None
        name = subject["name"]
        if not isinstance(name, str) or name in found:
            return None
        found[name] = subject["digest"]
    return found
